//! Chooses the next request of a [`RangeReader`], and the fallback after a failure.

use super::{HeadSnapshot, MIN_RECHECK_MS, RangeReader, StreamingWindow};
use crate::client::Runtime;
use crate::client::fetch::{FetchStart, Target};
use crate::client::retry::{RetryDelay, is_too_slow};
use crate::endpoint::request::MAX_BLOCK;
use crate::error::{Error, ErrorCode};
use crate::strings::format_u64;

/// The backoff stops growing after this many slow requests, because a window may have to be halved thirty times.
const MAX_BACKOFF_STEPS: u32 = 3;

/// A request for rows of the blocks from `low` to `high`.
pub(super) struct NextRequest {
    pub(super) low: u64,
    pub(super) high: u64,
    pub(super) purpose: Purpose,
    /// How it continues an earlier request: a response that is still arriving, a failure, or a pause.
    pub(super) start: FetchStart,
}

/// What a request is for.
pub(super) enum Purpose {
    /// Reads a window, or the rest of a streaming one. Holds the number of rows that came before.
    Window(u64),
    /// Reads a page of an oversized block. Holds the page number and the page size.
    Page(u64, u64),
    /// Requests the one row after a response of a single block. Holds the number of rows in that response.
    ProbeNextRow(u64),
    /// Requests the first rows of the head block again, to detect a reorganisation. Holds their number.
    RecheckHeadBlock(u64),
    /// Requests the newest row to find the end of the chain, after an open-ended window was too slow. Holds that error.
    FindHeadBlock(Error),
}

impl<R: Runtime> RangeReader<R> {
    /// Returns the next request. `None` at the end of the range.
    pub(super) fn plan_next_request(&mut self) -> Option<NextRequest> {
        let mut start = FetchStart::Request;
        if let Some(oversized) = self.oversized {
            return Some(match oversized.unverified_window.filter(|_| oversized.page_size < self.page_limit) {
                Some((low, high)) => {
                    NextRequest { low, high, purpose: Purpose::ProbeNextRow(oversized.page_size), start }
                }
                None => {
                    let purpose = Purpose::Page(oversized.page, oversized.page_size);
                    NextRequest { low: oversized.block, high: oversized.block, purpose, start }
                }
            });
        }
        let Some((first, last)) = self.remaining else {
            let now = self.client.runtime().now_ms();
            let head = self.head_snapshot.filter(|head| head.read_at_ms.saturating_add(MIN_RECHECK_MS) < now);
            self.head_snapshot = head;
            return head.map(|HeadSnapshot { block, rows, .. }| NextRequest {
                low: block,
                high: block,
                purpose: Purpose::RecheckHeadBlock(rows),
                start,
            });
        };
        let (low, high, rows_before) = match self.streaming.take() {
            Some(StreamingWindow { response, low, high, rows }) => {
                start = FetchStart::Streaming(response);
                (low, high, rows)
            }
            None => {
                let (low, high) = self.choose_window(first, last);
                (low, high, 0)
            }
        };
        Some(NextRequest { low, high, purpose: Purpose::Window(rows_before), start })
    }

    /// Builds the URL of a request.
    pub(super) fn build_target(&self, next: &NextRequest) -> Target {
        let newest_first = self.range.newest_first || matches!(next.purpose, Purpose::FindHeadBlock(_));
        let mut params = vec![("sort", if newest_first { "desc" } else { "asc" })];
        let (low, high) = (format_u64(next.low), format_u64(next.high));
        let (page, offset) = match next.purpose {
            Purpose::Window(_) => (1, Some(self.page_limit)),
            // Without `offset`, the service does not check that `page` stays within the first 10,000 rows.
            Purpose::Page(page, page_size) => (page, Some(page_size).filter(|size| *size < self.page_limit)),
            Purpose::ProbeNextRow(rows) => (rows + 1, Some(1)),
            Purpose::RecheckHeadBlock(rows) => (1, Some(rows)),
            Purpose::FindHeadBlock(_) => (1, Some(1)),
        };
        if !matches!(next.purpose, Purpose::FindHeadBlock(_)) {
            if next.low != 0 {
                params.push(("startblock", &low));
            }
            // Without `endblock` there is no upper bound. The service ignores values that are too large in any case.
            if next.high != MAX_BLOCK {
                params.push(("endblock", &high));
            }
        }
        let (page, offset) = (format_u64(page), offset.map(format_u64));
        params.push(("page", &page));
        if let Some(offset) = &offset {
            params.push(("offset", offset));
        }
        self.client.target_for_url(&self.request, self.request.url_with_params(self.client.base_url(), &params))
    }

    /// Adds a pause before a narrower window is requested, and returns it. A timeout adds none: the wait was long enough.
    fn add_pause(&mut self, error: &Error) -> Option<RetryDelay> {
        if error.code == ErrorCode::Timeout {
            return None;
        }
        self.slow_responses = (self.slow_responses + 1).min(MAX_BACKOFF_STEPS);
        let ms = self.client.retry_policy().retry_delay_ms(error, self.slow_responses, self.client.runtime().random());
        self.paused_ms += ms;
        Some(RetryDelay::new(error, ms))
    }

    /// Updates the reader after a failed request. Returns the request to send instead; `None` means to plan the next one.
    ///
    /// # Errors
    /// The error itself, if the reader cannot recover from it.
    pub(super) fn handle_failure(
        &mut self,
        NextRequest { mut low, mut high, purpose, .. }: NextRequest,
        error: Error,
    ) -> Result<Option<NextRequest>, Error> {
        match purpose {
            Purpose::Page(..) | Purpose::ProbeNextRow(_) if error.code == ErrorCode::Refused => {
                self.report_incomplete_block(error.message.clone());
                return Ok(None);
            }
            // The service was too slow for the whole window, but may not be for the block alone.
            Purpose::ProbeNextRow(_) if low < high && is_too_slow(&error) => {
                if let Some(oversized) = &mut self.oversized {
                    oversized.unverified_window = Some((oversized.block, oversized.block));
                }
                return Ok(None);
            }
            Purpose::Window(rows_before) => {
                // Exclude the blocks of the window that were delivered.
                if let Some((first, last)) = self.remaining {
                    (low, high) = (low.max(first), high.min(last));
                }
                if low < high && is_too_slow(&error) {
                    let delay = self.add_pause(&error);
                    if self.paused_ms > self.client.retry_policy().deadline_ms {
                        return Err(error);
                    }
                    let mut next = if high == MAX_BLOCK {
                        let purpose = Purpose::FindHeadBlock(error);
                        Some(NextRequest { low, high, purpose, start: FetchStart::Request })
                    } else {
                        self.width.on_failure(high - low + 1);
                        self.plan_next_request()
                    };
                    if let (Some(next), Some(delay)) = (&mut next, delay) {
                        next.start = FetchStart::Delayed(delay);
                    }
                    return Ok(next);
                }
                if rows_before > 0 && self.client.retry_policy().should_retry(&error, 1) {
                    let mut next = self.plan_next_request();
                    if let Some(next) = &mut next {
                        next.start = FetchStart::Failed(error);
                    }
                    return Ok(next);
                }
            }
            // All rows were read. A possible change of the head block stays unreported.
            Purpose::RecheckHeadBlock(_) => {
                self.head_snapshot = None;
                return Ok(None);
            }
            Purpose::Page(..) | Purpose::ProbeNextRow(_) | Purpose::FindHeadBlock(_) => {}
        }
        Err(error)
    }

    /// Returns the first and last block of the next window of the remaining range.
    fn choose_window(&self, first: u64, last: u64) -> (u64, u64) {
        match self.width.blocks() {
            Some(width) if self.range.newest_first => (last.saturating_sub(width - 1).max(first), last),
            Some(width) if first <= self.head_block => (first, first.saturating_add(width - 1).min(last)),
            _ => (first, last),
        }
    }
}
