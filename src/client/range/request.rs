//! A request of a range: the blocks and the page, and the URL parameters that select them.

use super::state::Blocks;
use crate::client::retry::RetryPolicy;
use crate::endpoint::request::MAX_BLOCK;

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
    /// Returns the numbers among the URL parameters.
    pub(super) fn numbers(&self) -> [(&'static str, Option<u64>); 4] {
        let Blocks { first, last } = self.blocks;
        [
            ("startblock", (first != 0).then_some(first)),
            // Without `endblock` there is no upper bound. The service ignores values that are too large in any case.
            ("endblock", (last != MAX_BLOCK).then_some(last)),
            ("page", Some(self.page)),
            ("offset", self.page_size),
        ]
    }

    /// The retry policy for this request.
    pub(super) const fn retry_policy(&self, client: RetryPolicy) -> RetryPolicy {
        RetryPolicy { retry_slow_requests: !self.can_shrink, ..client }
    }
}
