//! [`Planner`]: decides what a range requests next, from the responses and failures so far. It sends nothing itself.
//!
//! [`Planner::next_request`] returns a request. Its outcome goes to [`Planner::on_response`], which returns the rows to
//! deliver, or to [`Planner::on_failure`](super::failure). Until then the state stays the same, so that a dropped
//! request is planned again. The transitions after a response are in `windows` and `oversized_block`.

use super::backoff::Backoff;
use super::report::{RangeReport, UnprocessedRange};
use super::request::RangeRequest;
use super::response_limit::{Evidence, ResponseLimit, ShortResponse};
use super::rows::BlockRows;
use super::state::{Blocks, HeadSnapshot, OversizedBlock, PagePosition, State, WindowPhase, Windows};
use super::token::{decode_position, encode_position};
use super::window_width::WindowWidth;
use crate::decode::{Cursor, FramePage};
use crate::endpoint::request::{BlockRange, MAX_BLOCK};
use crate::error::Error;

/// Rows younger than this may have been added after the previous response.
const RECENT_ROW_MS: u64 = 60_000;

/// The head block is requested again only if the range took longer than this, about the time of one block.
const MIN_RECHECK_MS: u64 = 10_000;

/// All possible blocks.
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
    /// Whether there is a row at this index, too old to have been added after the `previous` response. Such a row shows
    /// that the previous response was incomplete.
    pub(super) fn has_old_row_at(&self, index: u64, previous: Option<ShortResponse>) -> bool {
        let now_ms = previous.map_or(self.received_at_ms, |previous| previous.received_at_ms);
        self.rows.is_younger_than(index, RECENT_ROW_MS, now_ms) == Some(false)
    }
}

/// What a planner has learned about the service. Passed on to the planner of other blocks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Experience {
    limit: ResponseLimit,
    pub(super) width: WindowWidth,
    head_block: u64,
}

/// A response that was considered complete. It is verified if a limit is detected before the blocks that follow are
/// delivered.
#[derive(Debug, Clone, Copy)]
pub(super) struct Assumption {
    pub(super) blocks: Blocks,
    /// The position after its rows. `None` if it cannot be verified.
    pub(super) last_block: Option<PagePosition>,
}

impl Assumption {
    /// Returns the state in which it is verified, before the rest of `blocks` is read.
    pub(super) fn verification(self, blocks: Blocks, newest_first: bool) -> Option<State> {
        let position = self.last_block?;
        let unverified_window = Some(self.blocks.starting_at(position.block, newest_first));
        let remaining = blocks.after(Blocks::single(position.block), newest_first);
        Some(State::OversizedBlock(OversizedBlock { position, unverified_window, remaining }))
    }
}

/// Plans the requests of a range.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
pub(super) struct Planner {
    /// The range that the caller requests.
    pub(super) range: BlockRange,
    /// The blocks of it that this planner covers.
    blocks: Blocks,
    /// Whether a request can choose a page, a number of rows and an order.
    pub(super) has_pages: bool,
    /// Whether other planners cover the rest of the range. The last planner to end then requests the head block again.
    pub(super) is_part: bool,
    pub(super) state: State,
    pub(super) head_snapshot: Option<HeadSnapshot>,
    pub(super) limit: ResponseLimit,
    pub(super) width: WindowWidth,
    /// The newest block with a row, or [`MAX_BLOCK`] until it had to be requested. One window covers all blocks after it.
    pub(super) head_block: u64,
    /// Whether a window was read, by this planner or the one that created the resume token.
    pub(super) has_started: bool,
    /// Whether a window may reach beyond the blocks of this planner. If the response has rows after them, it has all
    /// rows before.
    pub(super) can_overread: bool,
    /// The last response, if it was considered complete because another one was longer.
    pub(super) assumption: Option<Assumption>,
    /// Whether the last response broke off, so that its length does not show that a shorter one is complete.
    pub(super) has_broken_off: bool,
    pub(super) backoff: Backoff,
    /// Rows per block of the last complete response, to estimate how many rows are left. `None` if it had a single block.
    pub(super) density: Option<f64>,
    /// The block from which the density of the current response is measured.
    pub(super) density_start: u64,
    pub(super) report: RangeReport,
}

impl Planner {
    /// Creates a planner for a range. `page_limit` is the maximum number of rows per request.
    pub(super) fn new(range: BlockRange, page_limit: u64) -> Self {
        let blocks = Blocks { first: range.first, last: range.last };
        let mut planner = Self {
            range,
            blocks,
            has_pages: true,
            is_part: false,
            state: State::reading(Some(blocks)),
            head_snapshot: None,
            limit: ResponseLimit::new(page_limit),
            width: WindowWidth::default(),
            head_block: MAX_BLOCK,
            has_started: false,
            can_overread: true,
            assumption: None,
            has_broken_off: false,
            backoff: Backoff::default(),
            density: None,
            density_start: 0,
            report: RangeReport::default(),
        };
        planner.update_report();
        planner
    }

    /// Sets whether requests can choose a page, a number of rows and an order.
    pub(super) const fn with_pages(mut self, has_pages: bool) -> Self {
        self.has_pages = has_pages;
        self
    }

    /// Sets the maximum number of rows per request.
    pub(super) const fn set_page_limit(&mut self, rows: u64) {
        self.limit.set_page_limit(rows);
    }

    /// Leaves the blocks after `end` to another planner. This is possible at any time. Rows of these blocks in the response to a
    /// request in flight are dropped.
    pub(super) fn end_at(&mut self, end: u64) {
        let newest_first = self.range.newest_first;
        self.is_part = true;
        self.blocks = self.blocks.up_to(end, newest_first).unwrap_or(self.blocks);
        match &mut self.state {
            State::Windows(windows) => match windows.remaining.up_to(end, newest_first) {
                Some(remaining) => windows.remaining = remaining,
                None => self.state = State::HeadRecheck,
            },
            State::OversizedBlock(OversizedBlock { position, remaining, .. }) => {
                *remaining = remaining.and_then(|remaining| remaining.up_to(end, newest_first));
                // No row of it has been delivered, so another planner can read it.
                if Blocks::single(position.block).up_to(end, newest_first).is_none() {
                    self.state = State::HeadRecheck;
                }
            }
            State::HeadRecheck | State::Done => {}
        }
        self.update_report();
    }

    /// Covers only the blocks from `start` on. Another planner covers the blocks before, and has learned this about the
    /// service.
    pub(super) fn start_at(&mut self, start: u64, experience: Option<Experience>) {
        if let Some(experience) = experience {
            (self.limit, self.width, self.head_block) = (experience.limit, experience.width, experience.head_block);
        }
        self.is_part = true;
        self.has_started = true;
        self.blocks = self.blocks.starting_at(start, self.range.newest_first);
        self.state = State::reading(Some(self.blocks));
        self.update_report();
    }

    /// What this planner has learned about the service.
    pub(super) fn experience(&self) -> Experience {
        Experience { limit: self.limit.verified(), width: self.width, head_block: self.head_block }
    }

    /// The blocks of this planner that are still to be read.
    pub(super) const fn remaining_blocks(&self) -> Option<Blocks> {
        match self.state {
            State::Windows(Windows { remaining, .. }) => Some(remaining),
            State::OversizedBlock(OversizedBlock { remaining, .. }) => remaining,
            State::HeadRecheck | State::Done => None,
        }
    }

    /// Completes the range after all its planners have ended. `head_snapshot` is from one of them.
    pub(super) const fn recheck_head(&mut self, head_snapshot: Option<HeadSnapshot>) {
        self.is_part = false;
        self.head_snapshot = head_snapshot;
        self.state = State::HeadRecheck;
    }

    /// The maximum number of rows per request.
    pub(super) const fn page_limit(&self) -> u64 {
        self.limit.page_limit()
    }

    /// Continues at the position of a resume token. `None` if it is not a position in this range.
    pub(super) fn restore(&mut self, cursor: &Cursor) -> Option<()> {
        (self.state, self.head_snapshot) = decode_position(cursor, self.range, &mut self.limit)?;
        self.has_started = true;
        self.update_report();
        Some(())
    }

    /// Returns the position for a resume token. `None` before the first and after the last rows.
    pub(super) fn position(&self) -> Option<Cursor> {
        encode_position(&self.remaining_state()?, self.head_snapshot, self.limit_so_far())
    }

    /// Returns the state in which the rest of the range is still to be read, by this planner and the planners of the
    /// blocks after it.
    pub(super) fn remaining_state(&self) -> Option<State> {
        let (newest_first, range) = (self.range.newest_first, self.range_blocks());
        let state = match self.state {
            State::Windows(windows) => {
                let remaining = range.starting_at(windows.remaining.start(newest_first), newest_first);
                State::Windows(Windows { remaining, ..windows })
            }
            State::OversizedBlock(oversized) => {
                let remaining = range.after(Blocks::single(oversized.position.block), newest_first);
                State::OversizedBlock(OversizedBlock { remaining, ..oversized })
            }
            State::HeadRecheck | State::Done => State::reading(self.following_blocks()),
        };
        Some(state).filter(|_| self.has_started)
    }

    pub(super) const fn range_blocks(&self) -> Blocks {
        Blocks { first: self.range.first, last: self.range.last }
    }

    /// The blocks of the range after those of this planner.
    fn following_blocks(&self) -> Option<Blocks> {
        self.range_blocks().after(self.blocks, self.range.newest_first)
    }

    /// The limit for a reader that continues here. It cannot verify a response that was considered complete.
    pub(super) fn limit_so_far(&self) -> ResponseLimit {
        let mut limit = self.limit;
        if let Some(assumption) = self.assumption {
            limit.evidence.add_assumed(assumption.blocks);
        }
        limit
    }

    /// Gives up verifying the last response.
    pub(super) fn drop_assumption(&mut self) {
        self.limit = self.limit_so_far();
        self.assumption = None;
    }

    /// Evidence of a response limit, including a response that is still arriving.
    pub(super) fn evidence(&self) -> Evidence {
        let mut evidence = self.limit.evidence;
        if let State::Windows(Windows { phase: WindowPhase::Streaming { rows, .. }, .. }) = self.state {
            evidence.longest = evidence.longest.max(rows);
        }
        evidence
    }

    /// Whether it has read all of its blocks.
    pub(super) const fn has_ended(&self) -> bool {
        matches!(self.state, State::HeadRecheck | State::Done)
    }

    /// Whether the last response left the rest of its window to the next one. False for a short response that is to be verified.
    pub(super) fn is_truncated(&self) -> bool {
        matches!(self.state, State::Windows(Windows { overlap: Some(_), phase: WindowPhase::Next, .. }))
            && !self.limit.is_unverified()
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
            self.has_broken_off |= matches!(windows.phase, WindowPhase::Streaming { .. });
            windows.phase = WindowPhase::Next;
        }
    }

    /// Returns the next request. `None` at the end of the range.
    pub(super) fn next_request(&mut self, now_ms: u64) -> Option<RangeRequest> {
        if self.limit.detected().is_some()
            && let Some(verification) =
                self.assumption.and_then(|assumption| assumption.verification(self.blocks, self.range.newest_first))
        {
            self.state = verification;
            self.assumption = None;
        }
        if matches!(self.state, State::HeadRecheck) {
            if self.is_part {
                return None;
            }
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

    /// Returns a request for the row of this number, counted from 1, in the order of the range or from its end.
    pub(super) const fn row_request(&self, blocks: Blocks, number: u64, from_end: bool) -> RangeRequest {
        let newest_first = self.range.newest_first != from_end;
        RangeRequest {
            blocks,
            newest_first,
            page: number,
            page_size: Some(1),
            is_continuation: false,
            can_shrink: false,
        }
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
            State::HeadRecheck if !self.is_part => {
                self.compare_head(&response.rows);
                Ok(None)
            }
            // Another planner reads the blocks of this response.
            State::HeadRecheck | State::Done => Ok(None),
        };
        self.update_report();
        page
    }

    /// Reports the head block as changed if its rows differ from the snapshot.
    fn compare_head(&mut self, rows: &BlockRows) {
        self.state = State::Done;
        if let Some(HeadSnapshot { block, content, .. }) = self.head_snapshot.take()
            && rows.differs_from(block, content)
            && !self.report.changed_blocks.contains(&block)
        {
            self.report.changed_blocks.push(block);
        }
    }

    /// Updates the parts of the report that follow from the state.
    pub(super) fn update_report(&mut self) {
        let Evidence { detected, assumed, .. } = self.limit.evidence;
        self.report.response_limit = detected;
        if let Some(blocks) = assumed.filter(|_| detected.is_some()) {
            let message = "a response limit was detected after these blocks were read, so that rows may be missing";
            self.report_unprocessed(blocks, Some(message.into()));
        }
        self.report.next_block = match &self.state {
            State::Windows(windows) => Some(windows.remaining.start(self.range.newest_first)),
            State::OversizedBlock(oversized) => Some(oversized.position.block),
            State::HeadRecheck | State::Done => {
                self.following_blocks().map(|blocks| blocks.start(self.range.newest_first))
            }
        };
        self.report.update_complete();
    }

    /// Reports the blocks if the service has not processed them completely.
    pub(super) fn report_unprocessed(&mut self, Blocks { first, last }: Blocks, message: Option<String>) {
        if let Some(message) = message {
            self.report.add_unprocessed(UnprocessedRange { first, last, message });
        }
    }
}
