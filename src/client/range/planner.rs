//! [`Planner`]: decides what a range requests next, from the responses and failures so far. It sends nothing itself.
//!
//! [`Planner::next_request`] returns a request. Its outcome goes to [`Planner::on_response`], which returns the rows to deliver,
//! or to [`Planner::on_failure`](super::failure). Until then the state stays the same, so that a request that was dropped is
//! planned again. The transitions after a response are in `windows` and `oversized_block`.

use super::backoff::Backoff;
use super::report::{RangeReport, UnprocessedRange};
use super::request::RangeRequest;
use super::response_limit::ResponseLimit;
use super::rows::BlockRows;
use super::state::{Blocks, HeadSnapshot, OversizedBlock, State, WindowPhase, Windows};
use super::token::{decode_position, encode_position};
use super::window_width::WindowWidth;
use crate::decode::{Cursor, FramePage};
use crate::endpoint::request::{BlockRange, MAX_BLOCK};
use crate::error::Error;

/// Rows younger than this may have been added after the previous response.
const RECENT_ROW_MS: u64 = 60_000;

/// The head block is requested again only if the range took longer than this, about the time of one block.
const MIN_RECHECK_MS: u64 = 10_000;

/// All blocks.
const CHAIN: Blocks = Blocks { first: 0, last: MAX_BLOCK };

/// A response, or a batch of its rows.
#[derive(Debug)]
pub(super) struct RangeResponse {
    pub(super) rows: BlockRows,
    /// The message of the service, if it has not processed all blocks yet.
    pub(super) unprocessed: Option<String>,
    /// Whether the response has ended.
    pub(super) is_end: bool,
    /// In milliseconds since 1970.
    pub(super) received_at_ms: u64,
}

impl RangeResponse {
    /// Whether there is a row at this index that is too old to have been added after the previous response. Such a row shows
    /// that the previous response was incomplete.
    pub(super) fn has_old_row_at(&self, index: u64) -> bool {
        self.rows.is_younger_than(index, RECENT_ROW_MS, self.received_at_ms) == Some(false)
    }
}

/// Plans the requests of a range.
#[derive(Debug)]
pub(super) struct Planner {
    pub(super) range: BlockRange,
    pub(super) state: State,
    pub(super) head_snapshot: Option<HeadSnapshot>,
    pub(super) limit: ResponseLimit,
    pub(super) width: WindowWidth,
    /// The newest block with a row, or [`MAX_BLOCK`] until it had to be requested. One window covers all blocks after it.
    pub(super) head_block: u64,
    /// Whether a window was read, by this planner or the one that created the resume token.
    pub(super) has_started: bool,
    pub(super) backoff: Backoff,
    pub(super) report: RangeReport,
}

impl Planner {
    /// Creates a planner for a range. `page_limit` is the maximum number of rows per request.
    pub(super) fn new(range: BlockRange, page_limit: u64) -> Self {
        let mut planner = Self {
            range,
            state: State::reading(Some(Blocks { first: range.first, last: range.last })),
            head_snapshot: None,
            limit: ResponseLimit::new(page_limit),
            width: WindowWidth::default(),
            head_block: MAX_BLOCK,
            has_started: false,
            backoff: Backoff::default(),
            report: RangeReport::default(),
        };
        planner.update_report();
        planner
    }

    /// Sets the maximum number of rows per request.
    pub(super) const fn set_page_limit(&mut self, rows: u64) {
        self.limit = ResponseLimit::new(rows);
    }

    /// Continues at the position of a resume token. `None` if it is not a position in this range.
    pub(super) fn restore(&mut self, cursor: &Cursor) -> Option<()> {
        (self.state, self.head_snapshot) = decode_position(cursor, self.range)?;
        self.has_started = true;
        self.update_report();
        Some(())
    }

    /// Returns the position for a resume token. `None` before the first and after the last rows.
    pub(super) fn position(&self) -> Option<Cursor> {
        encode_position(&self.state, self.head_snapshot).filter(|_| self.has_started)
    }

    pub(super) const fn report(&self) -> &RangeReport {
        &self.report
    }

    /// Whether the next request continues to read a response.
    pub(super) const fn is_streaming(&self) -> bool {
        matches!(self.state, State::Windows(Windows { phase: WindowPhase::Streaming { .. }, .. }))
    }

    /// Begins a call that reads until rows can be delivered. Without the rest of a response, the next request is for a window.
    pub(super) fn begin_call(&mut self, has_rest: bool) {
        self.backoff = Backoff::default();
        if !(has_rest && self.is_streaming())
            && let State::Windows(windows) = &mut self.state
        {
            windows.phase = WindowPhase::Next;
        }
    }

    /// Returns the next request. `None` at the end of the range.
    pub(super) fn next_request(&mut self, now_ms: u64) -> Option<RangeRequest> {
        if matches!(self.state, State::HeadRecheck) {
            self.head_snapshot =
                self.head_snapshot.filter(|head| head.read_at_ms.saturating_add(MIN_RECHECK_MS) < now_ms);
        }
        let request = |blocks: Blocks, page: u64, page_size: Option<u64>| RangeRequest {
            blocks,
            newest_first: self.range.newest_first,
            page,
            page_size,
            is_continuation: false,
            can_shrink: blocks.first < blocks.last,
        };
        let next = match &self.state {
            State::Windows(Windows { remaining, phase, .. }) => {
                let window = |blocks| request(blocks, 1, Some(self.limit.page_limit()));
                match phase {
                    WindowPhase::Next => window(self.choose_window(*remaining)),
                    WindowPhase::Streaming { window: blocks, .. } => {
                        RangeRequest { is_continuation: true, ..window(*blocks) }
                    }
                    WindowPhase::FindHead { .. } => {
                        RangeRequest { newest_first: true, can_shrink: false, ..request(CHAIN, 1, Some(1)) }
                    }
                }
            }
            State::OversizedBlock(oversized) => match self.pending_probe(oversized) {
                Some(window) => request(window, oversized.position.page_size + 1, Some(1)),
                None => {
                    // Without `offset`, the service does not check that `page` stays within the first 10,000 rows.
                    let page_size = Some(oversized.position.page_size).filter(|size| *size < self.limit.page_limit());
                    request(Blocks::single(oversized.position.block), oversized.position.page, page_size)
                }
            },
            State::HeadRecheck => {
                self.head_snapshot.map(|head| request(Blocks::single(head.block), 1, Some(head.content.rows)))?
            }
            State::Done => return None,
        };
        self.report.requests += u32::from(!next.is_continuation);
        Some(next)
    }

    /// The blocks that a probe for further rows of an oversized block covers. `None` if the block is known to continue.
    pub(super) fn pending_probe(&self, oversized: &OversizedBlock) -> Option<Blocks> {
        oversized.unverified_window.filter(|_| oversized.position.page_size < self.limit.page_limit())
    }

    /// Processes the response to the last request. Returns the rows to deliver, if any.
    ///
    /// # Errors
    /// Rows that cannot be delivered. The position stays the same.
    pub(super) fn on_response(
        &mut self,
        request: &RangeRequest,
        response: RangeResponse,
    ) -> Result<Option<Box<FramePage>>, Error> {
        self.backoff = Backoff::default();
        let page = match self.state {
            State::Windows(windows) => match windows.phase {
                WindowPhase::FindHead { window } => self.on_head_found(windows, window, response).map(|()| None),
                WindowPhase::Next | WindowPhase::Streaming { .. } => self.on_window(windows, request.blocks, response),
            },
            State::OversizedBlock(oversized) => match self.pending_probe(&oversized) {
                Some(window) => {
                    self.on_probe(oversized, window, &response);
                    Ok(None)
                }
                None => self.on_page(oversized, response),
            },
            State::HeadRecheck => {
                self.compare_head(&response.rows);
                Ok(None)
            }
            State::Done => Ok(None),
        };
        self.update_report();
        page
    }

    /// Reports the head block as changed if its rows differ from the snapshot.
    fn compare_head(&mut self, rows: &BlockRows) {
        self.state = State::Done;
        if let Some(HeadSnapshot { block, content, .. }) = self.head_snapshot.take()
            && rows.digest(block, content.rows).digest != content.digest
            && !self.report.changed_blocks.contains(&block)
        {
            self.report.changed_blocks.push(block);
        }
    }

    /// Updates the parts of the report that follow from the state.
    pub(super) fn update_report(&mut self) {
        self.report.response_limit = self.limit.detected();
        self.report.next_block = match &self.state {
            State::Windows(windows) => Some(windows.remaining.start(self.range.newest_first)),
            State::OversizedBlock(oversized) => Some(oversized.position.block),
            State::HeadRecheck | State::Done => None,
        };
        let RangeReport { next_block, incomplete_blocks, unprocessed, .. } = &self.report;
        self.report.complete = next_block.is_none() && incomplete_blocks.is_empty() && unprocessed.is_empty();
    }

    /// Reports the blocks if the service has not processed them completely.
    pub(super) fn report_unprocessed(&mut self, Blocks { first, last }: Blocks, message: Option<String>) {
        let is_reported = |range: &UnprocessedRange| range.first <= first && last <= range.last;
        if let Some(message) = message.filter(|_| !self.report.unprocessed.iter().any(is_reported)) {
            self.report.unprocessed.push(UnprocessedRange { first, last, message });
        }
    }
}
