//! A request of a range: the blocks and the page, and the URL parameters that select them.

use super::planner_state::Blocks;
use crate::client::retry::RetryPolicy;
use crate::endpoint::RangeForm;
use crate::endpoint::request::MAX_BLOCK;
use crate::error::Error;
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
    /// Whether it stands for the rest of a response that is still arriving. Nothing is sent.
    pub(super) is_continuation: bool,
    /// Whether a smaller request follows if the service is too slow for this one. It is then not retried.
    pub(super) can_shrink: bool,
}

impl RangeRequest {
    /// A request for the row of this number, counted from 1.
    pub(super) const fn row(blocks: Blocks, newest_first: bool, number: u64) -> Self {
        Self { blocks, newest_first, page: number, page_size: Some(1), is_continuation: false, can_shrink: false }
    }

    /// Returns the numbers among the URL parameters, as strings. Parameters without a value are not sent.
    pub(super) fn values(&self, form: &RangeForm) -> [(&'static str, Option<String>); 4] {
        let Blocks { first, last } = self.blocks;
        let [first_name, last_name] = form.bounds;
        let is_required = form.latest.is_some();
        // Without an upper bound there is none. The service ignores values that are too large in any case.
        let latest = || form.latest.map(str::to_owned);
        [
            (first_name, (is_required || first != 0).then(|| format_u64(first))),
            (last_name, if last == MAX_BLOCK { latest() } else { Some(format_u64(last)) }),
            ("page", form.has_pages.then(|| format_u64(self.page))),
            ("offset", self.page_size.filter(|_| form.has_pages).map(format_u64)),
        ]
    }

    /// The retry policy for this request.
    pub(super) const fn retry_policy(&self, client: RetryPolicy) -> RetryPolicy {
        RetryPolicy { retry_slow_requests: !self.can_shrink, ..client }
    }
}

/// How the next request recovers from a failed one.
#[derive(Debug)]
pub(super) enum Recovery {
    /// As if the failure had not happened.
    Continue,
    /// With a smaller request, because the service was too slow, after this delay, if any.
    Shrink { error: Error, pause_ms: Option<u64> },
    /// With a request for the rest of a response that broke off. It counts as a retry after this error.
    Retry(Error),
}
