//! The script of the service: how it behaves. A test can change it between two requests.

use super::{Fault, Row};
use crate::range::rng::Rng;

/// The page that an action returns for a `page` without `offset`. `None` refuses it.
pub type DeepPages = fn(u64) -> Option<u64>;
pub const UNLIMITED: DeepPages = Some;
pub const FIRST_PAGE_ONLY: DeepPages = |_| Some(1);
pub const REFUSED: DeepPages = |page| (page == 1).then_some(1);

/// How many of these rows a response of an action has, for `max_rows`.
pub type Clamp = fn(&[Row], usize, &mut Rng) -> usize;

/// Declares the script: its fields, and their values in a normal service.
macro_rules! script {
    ($( $(#[$doc:meta])* $field:ident: $type:ty = $normal:expr, )*) => {
        /// How the service behaves. Numbers without a unit are percentages of the requests.
        #[derive(Debug, Clone, Copy)]
        pub struct Script { $( $(#[$doc])* pub $field: $type, )* }

        impl Script {
            /// A service of version 11 without faults and without limits.
            pub const NORMAL: Self = Self { $( $field: $normal, )* };
        }
    };
}

script! {
    /// The major version of the backend.
    version: u64 = 11,
    /// Before how many requests the service grows. Half of these changes reorganise the newest blocks.
    grow: u64 = 0,
    /// How many requests fail with one of the faults.
    fail: u64 = 0,
    faults: &'static [Fault] = Fault::SLOW,
    /// Requests of an action for more blocks fail.
    fail_wider_than: u64 = u64::MAX,
    clamp: Clamp = |_, max_rows, _| max_rows,
    max_rows: usize = usize::MAX,
    deep_pages: DeepPages = UNLIMITED,
    /// Where the page starts for a cursor that the service has not sent. Gets all rows, newest first, and the number of rows before
    /// the cursor. `None` refuses it.
    synthesized_cursors: fn(&[Row], usize) -> Option<usize> = |_, start| Some(start),
    /// Records of a page, including hidden ones.
    page_size: usize = 50,
    /// The largest page that a request can choose, since version 12.
    max_page_size: usize = 100,
    /// Rows that a request for an action can reach, and the default page size there.
    page_limit: u64 = 10_000,
    /// Maximum bytes of a body chunk. By default, a body is one chunk.
    max_chunk_bytes: u64 = u64::MAX,
}

impl Script {
    /// All pages of lists have at most this many records.
    pub const fn with_page_size(size: usize) -> Self {
        Self { page_size: size, max_page_size: size, ..Self::NORMAL }
    }

    pub const fn with_page_limit(page_limit: u64) -> Self {
        Self { page_limit, ..Self::NORMAL }
    }

    /// Adds bodies in chunks of a random maximum size.
    pub fn in_chunks(self, rng: &mut Rng) -> Self {
        Self { max_chunk_bytes: rng.between(1, 20) * rng.between(1, 200), ..self }
    }
}
