//! A request of a range: the blocks and the page, and the URL parameters that select them.

use super::state::Blocks;
use crate::client::retry::RetryPolicy;
use crate::endpoint::request::MAX_BLOCK;
use crate::strings::format_u64;

/// A request for rows of some blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RangeRequest {
    pub(super) blocks: Blocks,
    pub(super) newest_first: bool,
    /// The page number, from 1.
    pub(super) page: u64,
    /// Rows per page. `None` means the default of the service.
    pub(super) page_size: Option<u64>,
    /// Whether it is the rest of a response that is still arriving, so that nothing is sent.
    pub(super) is_continuation: bool,
    /// Whether a smaller request follows if the service is too slow for this one. It is then not retried.
    pub(super) can_shrink: bool,
}

impl RangeRequest {
    /// Returns the URL parameters.
    pub(super) fn params(&self) -> Vec<(&'static str, String)> {
        let mut params = vec![("sort", if self.newest_first { "desc" } else { "asc" }.to_owned())];
        let mut push = |name, number| params.push((name, format_u64(number)));
        if self.blocks.first != 0 {
            push("startblock", self.blocks.first);
        }
        // Without `endblock` there is no upper bound. The service ignores values that are too large in any case.
        if self.blocks.last != MAX_BLOCK {
            push("endblock", self.blocks.last);
        }
        push("page", self.page);
        if let Some(page_size) = self.page_size {
            push("offset", page_size);
        }
        params
    }

    /// The retry policy for this request.
    pub(super) const fn retry_policy(&self, client: RetryPolicy) -> RetryPolicy {
        RetryPolicy { retry_slow_requests: !self.can_shrink, ..client }
    }
}
