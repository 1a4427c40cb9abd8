//! The search in the REST API.

use crate::endpoint::declare::operations;
use crate::endpoint::params::SearchText;
use crate::endpoint::response::{List, Single};
use crate::types::*;

operations! {
    /// Searches everything at once, for suggestions: at most 50 results, the best of each kind first. The text is the
    /// name of a token, contract, label, tag or ENS name, or an address, a hash or a number. Names match by the
    /// beginnings of their words, and only Latin letters and digits count. Fewer than 3 characters find nothing.
    SearchQuickParams "searchQuick" "/api/v2/search/quick" since "5.2.2"
    => List<SearchItem>, costs(25), accepts_array() {
        required {
            /// What to search for.
            q: SearchText,
        }
    }

    /// Searches everything, page by page: ENS names first, then the best results of each kind. Takes the same text as
    /// `searchQuick`. Fewer than 3 characters find only the block of this number. An address that the service has never
    /// seen is not found.
    SearchParams "search" "/api/v2/search" => List<SearchItem>, fixed_pages() {
        required {
            /// What to search for.
            q: SearchText,
        }
        cursor { next_page_params_type: "string | undefined" }
    }

    /// Returns the page that a search leads to directly: the page of an address, hash, block number or name. A
    /// well-formed address always leads to its page, even if the service has never seen it.
    SearchRedirectParams "searchRedirect" "/api/v2/search/check-redirect" => Single<SearchRedirect> {
        required {
            /// What to search for.
            q: SearchText,
        }
    }
}
