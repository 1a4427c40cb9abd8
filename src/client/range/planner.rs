//! [`Planner`]: decides what a range requests next, from the responses and failures so far. It sends nothing itself.
//!
//! [`Planner::next_request`] returns a request. Its outcome goes to [`Planner::on_response`], which returns the rows to
//! deliver, or to [`Planner::on_failure`]. Until then the state stays the same, so that a dropped request
//! is planned again. `oversized_block` processes the probes and pages of an oversized block.

use super::backoff::Backoff;
use super::planner_state::{
    Assumption, BlockDigest, Blocks, HeadSnapshot, OversizedBlock, PagePosition, PlannerState, WindowPhase, Windows,
};
use super::report::{IncompleteBlock, RangeReport};
use super::request::{RangeRequest, Recovery};
use super::response_limit::{Completeness, Evidence, ResponseLimit, ShortResponse};
use super::rows::{BlockRows, RangeResponse, undecodable_rows_error};
use super::token::{decode_position, encode_position};
use super::window_width::WindowWidth;
use crate::client::retry::{RetryPolicy, is_too_slow};
use crate::decode::{Cursor, FramePage};
use crate::endpoint::request::{BlockRange, MAX_BLOCK};
use crate::error::Error;

/// The service may have dropped up to a quarter of the rows of a full response.
const MAX_DROPPED: u64 = 4;

/// The head block is requested again only if the range took longer than this, about the time of one block.
const MIN_RECHECK_MS: u64 = 10_000;

/// All possible blocks.
const CHAIN: Blocks = Blocks { first: 0, last: MAX_BLOCK };

/// The facts that a planner has learned about the service. Passed on to the planner of other blocks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Experience {
    limit: ResponseLimit,
    pub(super) width: WindowWidth,
    head_block: u64,
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
    pub(super) state: PlannerState,
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
            state: PlannerState::reading(Some(blocks)),
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
        self.state.end_at(end, newest_first);
        self.update_report();
    }

    /// Covers only the blocks from `start` on. Another planner covers the blocks before, and has this experience.
    pub(super) fn start_at(&mut self, start: u64, experience: Option<Experience>) {
        if let Some(experience) = experience {
            (self.limit, self.width, self.head_block) = (experience.limit, experience.width, experience.head_block);
        }
        self.is_part = true;
        self.has_started = true;
        self.blocks = self.blocks.starting_at(start, self.range.newest_first);
        self.state = PlannerState::reading(Some(self.blocks));
        self.update_report();
    }

    /// The facts that this planner has learned about the service.
    pub(super) fn experience(&self) -> Experience {
        Experience { limit: self.limit.verified(), width: self.width, head_block: self.head_block }
    }

    /// Completes the range after all its planners have ended. `head_snapshot` is from one of them.
    pub(super) const fn recheck_head(&mut self, head_snapshot: Option<HeadSnapshot>) {
        self.is_part = false;
        self.head_snapshot = head_snapshot;
        self.state = PlannerState::HeadRecheck;
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

    /// The state in which the rest of the range is still to be read, by this planner and the next ones.
    pub(super) fn remaining_state(&self) -> Option<PlannerState> {
        let rest = self.state.extended_to(self.range_blocks(), self.range.newest_first);
        let state = rest.unwrap_or_else(|| PlannerState::reading(self.following_blocks()));
        Some(state).filter(|_| self.has_started)
    }

    pub(super) const fn range_blocks(&self) -> Blocks {
        Blocks { first: self.range.first, last: self.range.last }
    }

    /// The blocks of the range after this planner's blocks.
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
        if let PlannerState::Windows(Windows { phase: WindowPhase::Streaming { rows, .. }, .. }) = self.state {
            evidence.longest = evidence.longest.max(rows);
        }
        evidence
    }

    /// Whether it has read all of its blocks.
    pub(super) const fn has_ended(&self) -> bool {
        matches!(self.state, PlannerState::HeadRecheck | PlannerState::Done)
    }

    /// Whether the last response left the rest of its window to the next one. False for a short response that is to be verified.
    pub(super) fn is_truncated(&self) -> bool {
        matches!(self.state, PlannerState::Windows(Windows { overlap: Some(_), phase: WindowPhase::Next, .. }))
            && !self.limit.is_unverified()
    }

    pub(super) const fn report(&self) -> &RangeReport {
        &self.report
    }

    /// Whether the next request continues to read a response.
    pub(super) const fn is_streaming(&self) -> bool {
        matches!(self.state, PlannerState::Windows(Windows { phase: WindowPhase::Streaming { .. }, .. }))
    }

    /// Begins a call that reads until rows can be delivered. Without the rest of a response, the next request is for a window.
    pub(super) fn begin_call(&mut self, has_rest: bool) {
        self.backoff = Backoff::default();
        if !(has_rest && self.is_streaming())
            && let PlannerState::Windows(windows) = &mut self.state
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
        if matches!(self.state, PlannerState::HeadRecheck) {
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
            PlannerState::Windows(Windows { remaining, phase, .. }) => {
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
            PlannerState::OversizedBlock(oversized) => match oversized.pending_probe(&self.limit) {
                Some(window) => request(window, oversized.position.page_size + 1, Some(1)),
                None => {
                    // Without `offset`, the service does not check that `page` stays within the first 10,000 rows.
                    let page_size = Some(oversized.position.page_size).filter(|size| *size < self.limit.page_limit());
                    request(Blocks::single(oversized.position.block), oversized.position.page, page_size)
                }
            },
            PlannerState::HeadRecheck => {
                self.head_snapshot.map(|head| request(Blocks::single(head.block), 1, Some(head.content.rows)))?
            }
            PlannerState::Done => return None,
        };
        self.report.requests += u32::from(!next.is_continuation);
        Some(next)
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
            PlannerState::Windows(windows) => match windows.phase {
                WindowPhase::FindHead { window } => self.on_head_found(windows, window, response).map(|()| None),
                WindowPhase::Next | WindowPhase::Streaming { .. } => self.on_window(windows, request.blocks, response),
            },
            PlannerState::OversizedBlock(oversized) => match oversized.pending_probe(&self.limit) {
                Some(window) => {
                    let newest_first = self.range.newest_first;
                    self.state =
                        oversized.on_probe((window, newest_first), &response, &mut self.limit, &mut self.report);
                    Ok(None)
                }
                None => {
                    let newest_first = self.range.newest_first;
                    let result = oversized.on_page(response, newest_first, &mut self.limit, &mut self.report);
                    result.map(|(next, page)| {
                        self.state = next;
                        page
                    })
                }
            },
            PlannerState::HeadRecheck if !self.is_part => {
                self.compare_head(&response.rows);
                Ok(None)
            }
            // Another planner reads the blocks of this response.
            PlannerState::HeadRecheck | PlannerState::Done => Ok(None),
        };
        self.update_report();
        page
    }

    /// Reports the head block as changed if its rows differ from the snapshot.
    fn compare_head(&mut self, rows: &BlockRows) {
        self.state = PlannerState::Done;
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
            self.report.report_unprocessed(blocks, Some(message.into()));
        }
        self.report.next_block = match &self.state {
            PlannerState::Windows(windows) => Some(windows.remaining.start(self.range.newest_first)),
            PlannerState::OversizedBlock(oversized) => Some(oversized.position.block),
            PlannerState::HeadRecheck | PlannerState::Done => {
                self.following_blocks().map(|blocks| blocks.start(self.range.newest_first))
            }
        };
        self.report.update_complete();
    }

    /// Chooses the next window of the remaining blocks.
    fn choose_window(&self, remaining: Blocks) -> Blocks {
        let newest_first = self.range.newest_first;
        let Blocks { first, last } = remaining;
        match self.width.blocks() {
            Some(width) if newest_first => Blocks { first: last.saturating_sub(width - 1).max(first), last },
            Some(width) if first <= self.head_block => {
                Blocks { first, last: first.saturating_add(width - 1).min(last) }
            }
            // Without rows after them, a limited response would have to be verified.
            _ if self.can_overread && self.limit.detected().is_some() => {
                self.range_blocks().starting_at(remaining.start(newest_first), newest_first)
            }
            // The last response was complete only if nothing follows it in any of its blocks, including the blocks of
            // another planner.
            _ => match self.limit.unverified {
                Some(ShortResponse { window, .. })
                    if self.can_overread && window.contains(remaining.start(!newest_first)) =>
                {
                    window.starting_at(remaining.start(newest_first), newest_first)
                }
                _ => remaining,
            },
        }
    }

    /// Processes the rows of a window, or a batch of them.
    fn on_window(
        &mut self,
        windows: Windows,
        window: Blocks,
        response: RangeResponse,
    ) -> Result<Option<Box<FramePage>>, Error> {
        let newest_first = self.range.newest_first;
        response.rows.check_blocks(window, newest_first)?;
        let rows_before = if let WindowPhase::Streaming { rows, .. } = windows.phase { rows } else { 0 };
        let mut completeness = self.classify(windows, window, rows_before, &response)?;
        let is_first = !std::mem::replace(&mut self.has_started, true);
        if is_first && newest_first {
            response.rows.update_head_snapshot(&mut self.head_snapshot, newest_first, response.received_at_ms);
        }
        self.compare_overlap(windows, Some(&response.rows));
        let RangeResponse { mut rows, unprocessed, is_end, received_at_ms } = response;
        // Another planner may have taken over the end of the window since it was requested.
        let Some(reaches_end) = rows.truncate_after(windows.remaining, window, newest_first) else {
            self.request_again(windows);
            return Ok(None);
        };
        if completeness == Completeness::Complete && !reaches_end && self.lacks_known_rows(windows, window, &rows) {
            completeness = self.limit.on_cut(rows_before + rows.count());
        }
        if rows_before == 0 {
            self.density_start = self.find_density_start(windows, &rows, is_first);
        }
        if is_end || reaches_end {
            let is_read = reaches_end || completeness == Completeness::Complete;
            let end = is_read.then(|| windows.remaining.start(!newest_first));
            self.density = rows.density(self.density_start, end, rows_before);
        }
        if matches!(completeness, Completeness::Complete | Completeness::Unverified) {
            self.width.on_success(window.count());
        }
        self.update_unprocessed(window, unprocessed, rows_before > 0 && is_end);
        let next = if reaches_end {
            Some(PlannerState::reading(None))
        } else {
            self.advance(windows.remaining, window, &mut rows, completeness, (rows_before, is_end))
        };
        let Some(next) = next else {
            self.request_fewer_blocks(windows, &rows);
            return Ok(None);
        };
        let is_assumed = completeness == Completeness::Complete && !reaches_end && rows_before + rows.count() > 0;
        self.drop_assumption();
        self.assumption = is_assumed.then(|| Assumption {
            blocks: window.starting_at(windows.remaining.start(newest_first), newest_first),
            last_block: self.find_last_block(&rows),
        });
        self.state = next;
        if self.is_part && !newest_first && self.has_ended() {
            rows.update_head_snapshot(&mut self.head_snapshot, newest_first, received_at_ms);
        }
        self.report.windows += u32::from(is_end);
        self.report.records += rows.count_readable();
        rows.report_omitted(&mut self.report.omitted);
        Ok((rows_before > 0 || rows.count() > 0).then_some(rows.into_page()))
    }

    /// The state after a response that does not reach the end of the range. `None`: request fewer blocks.
    fn advance(
        &mut self,
        remaining: Blocks,
        window: Blocks,
        rows: &mut BlockRows,
        completeness: Completeness,
        (rows_before, is_end): (u64, bool),
    ) -> Option<PlannerState> {
        let newest_first = self.range.newest_first;
        let only_block = rows.only_block().filter(|_| rows_before == 0 && is_end);
        match (completeness, only_block) {
            (Completeness::Complete, _) => Some(PlannerState::reading(remaining.after(window, newest_first))),
            (_, Some(block)) if !self.has_pages => {
                if completeness == Completeness::Full {
                    self.report_unreachable_rows(block, rows);
                }
                Some(PlannerState::reading(remaining.after(Blocks::single(block), newest_first)))
            }
            (_, Some(block)) => {
                let blocks = (remaining, window, newest_first);
                OversizedBlock::begin(block, blocks, rows, &self.limit).map(PlannerState::OversizedBlock)
            }
            (_, None) => self.cut_window(remaining, window, rows, (rows_before, is_end)).map(PlannerState::Windows),
        }
    }

    /// Where the density of a window is measured from. The blocks before the first row of the range do not count.
    fn find_density_start(&self, windows: Windows, rows: &BlockRows, is_first: bool) -> u64 {
        let first_row = rows.blocks().first().copied().filter(|_| is_first);
        first_row.unwrap_or_else(|| windows.remaining.start(self.range.newest_first))
    }

    /// Cuts a response, or a batch, at its last block, from which the next window starts. `rows_before` is the number of rows in the
    /// batches before it. `None` if it is unknown on which side of a cut its bad records are.
    fn cut_window(
        &mut self,
        remaining: Blocks,
        window: Blocks,
        rows: &mut BlockRows,
        (rows_before, is_end): (u64, bool),
    ) -> Option<Windows> {
        let newest_first = self.range.newest_first;
        let start = remaining.start(newest_first);
        let last_block = rows.blocks().last().copied().unwrap_or(start);
        let cut = if is_end { rows.find_cut(start, rows_before > 0)? } else { last_block };
        if rows.has_bad_records() {
            // Bad records after the overlap may be valid in the next response, so it says nothing about this one.
            self.limit = self.limit.verified();
        }
        let overlap = Some(rows.truncate_at(cut, !is_end));
        let phase = if is_end {
            WindowPhase::Next
        } else {
            WindowPhase::Streaming { window, rows: rows_before + rows.count() }
        };
        Some(Windows { remaining: remaining.starting_at(cut, newest_first), overlap, phase })
    }

    /// Discards a response and requests the remaining blocks. If they are fewer than before, no bad record can be in other blocks.
    fn request_again(&mut self, windows: Windows) {
        self.limit = self.limit.verified();
        self.can_overread = false;
        self.state = PlannerState::Windows(Windows { phase: WindowPhase::Next, ..windows });
    }

    /// Discards a response and requests at most half of the blocks with these rows: it is unknown in which of them a bad record is.
    fn request_fewer_blocks(&mut self, windows: Windows, rows: &BlockRows) {
        let start = windows.remaining.start(self.range.newest_first);
        self.width.on_failure(rows.blocks().last().map_or(1, |last| start.abs_diff(*last) + 1));
        self.request_again(windows);
    }

    /// Decides whether rows may be missing from a window.
    fn classify(
        &mut self,
        windows: Windows,
        window: Blocks,
        rows_before: u64,
        response: &RangeResponse,
    ) -> Result<Completeness, Error> {
        // The rows of the overlap are known. Only rows after them show that the last response was limited.
        let known_rows = windows.overlap.map_or(0, |overlap| overlap.rows);
        // With bad records, it is unknown which rows follow the overlap.
        let has_bad_records =
            response.rows.has_bad_records() || windows.overlap.is_some_and(|overlap| !overlap.is_known());
        let following = usize::try_from(known_rows).ok().and_then(|index| response.rows.blocks().get(index));
        let previous = self.limit.unverified;
        let were_requested =
            following.is_some_and(|block| previous.is_some_and(|previous| previous.window.contains(*block)));
        self.limit
            .on_following_rows(!has_bad_records && were_requested && response.has_old_row_at(known_rows, previous));
        let total = rows_before + response.rows.count();
        let has_blocks = !response.rows.blocks().is_empty();
        let longest = self.limit.evidence.longest;
        // The rows of the overlap are returned again, unless the response is limited or the block has changed.
        let is_cut = total < known_rows;
        let min_rows = match longest {
            _ if is_cut || self.has_broken_off => 0,
            _ if self.has_pages => longest,
            _ => longest - longest / MAX_DROPPED,
        };
        self.has_broken_off &= !response.is_end;
        let short = ShortResponse { rows: total, window, received_at_ms: response.received_at_ms };
        let completeness = self.limit.on_response(short, has_blocks, response.is_end, min_rows);
        if completeness == Completeness::Full && !has_blocks {
            return Err(undecodable_rows_error(total));
        }
        Ok(completeness)
    }

    /// Whether a complete response would have later rows: in the newest block with a row, or after the end of a part.
    fn lacks_known_rows(&self, windows: Windows, window: Blocks, rows: &BlockRows) -> bool {
        let end = self.range_blocks().start(!self.range.newest_first);
        let is_overread = window.contains(end) && !windows.remaining.contains(end);
        let knows_head = !self.range.newest_first && self.head_block != MAX_BLOCK && window.contains(self.head_block);
        rows.blocks().last().is_some_and(|last| is_overread || (knows_head && *last < self.head_block))
    }

    /// The position after all rows of a response, where a probe looks for more. `None` without rows or pages, and if rows were omitted.
    fn find_last_block(&self, rows: &BlockRows) -> Option<PagePosition> {
        let block = *rows.blocks().last().filter(|_| self.has_pages && !rows.has_bad_records())?;
        let BlockDigest { rows: records, digest: previous_digest } = rows.digest(block, u64::MAX);
        Some(PagePosition { block, page: 2, page_size: records, known_rows: 0, records, previous_digest })
    }

    /// Compares the rows of the overlap block with its rows in the last window. Reports the block if they differ.
    /// Without `rows`, the block no longer has rows.
    fn compare_overlap(&mut self, Windows { remaining, overlap, .. }: Windows, rows: Option<&BlockRows>) {
        let block = remaining.start(self.range.newest_first);
        // A limited response may end within the block.
        let is_comparable = |overlap: BlockDigest| {
            self.limit.detected().is_none()
                || rows.is_none_or(|rows| rows.only_block().is_none() || rows.count() >= overlap.rows)
        };
        if let Some(overlap) = overlap.filter(|overlap| is_comparable(*overlap))
            && rows.map_or_else(|| overlap.is_known(), |rows| rows.differs_from(block, overlap))
            && !self.report.changed_blocks.contains(&block)
        {
            self.report.changed_blocks.push(block);
        }
    }

    /// Reports the window if the service has not processed it completely. The last batch of a streamed window overrides what
    /// the earlier batches reported.
    fn update_unprocessed(&mut self, window: Blocks, message: Option<String>, is_last_batch: bool) {
        if is_last_batch && message.is_none() {
            self.report.unprocessed.retain(|range| (range.first, range.last) != (window.first, window.last));
        }
        self.report.report_unprocessed(window, message);
    }

    /// Narrows the next window after the newest row was requested. If no rows are left, ends the range.
    fn on_head_found(
        &mut self,
        windows: Windows,
        window: Blocks,
        RangeResponse { rows, unprocessed, .. }: RangeResponse,
    ) -> Result<(), Error> {
        let newest_first = self.range.newest_first;
        let head_block = rows.blocks().first().copied();
        if head_block.is_none() && rows.has_bad_records() {
            return Err(undecodable_rows_error(rows.count()));
        }
        let first = window.first.max(windows.remaining.first);
        self.state = if let Some(head_block) = head_block.filter(|block| *block >= first) {
            self.head_block = head_block;
            self.width.on_failure(head_block - window.first + 1);
            let mut remaining = windows.remaining;
            if newest_first {
                remaining.last = head_block;
            }
            PlannerState::Windows(Windows { remaining, phase: WindowPhase::Next, ..windows })
        } else {
            // No rows are left, perhaps because of a reorganisation.
            self.compare_overlap(windows, None);
            self.report.report_unprocessed(window, unprocessed);
            PlannerState::reading(windows.remaining.after(window, newest_first))
        };
        Ok(())
    }

    /// Reports a block whose remaining rows cannot be requested.
    fn report_unreachable_rows(&mut self, block: u64, rows: &BlockRows) {
        let reason = "the service returns no more rows of a block".into();
        self.report.incomplete_blocks.push(IncompleteBlock { block, records: rows.count_readable(), reason });
    }

    /// Processes the failure of the last request.
    ///
    /// # Errors
    /// The error itself, if no other request can recover from it.
    pub(super) fn on_failure(
        &mut self,
        request: &RangeRequest,
        error: Error,
        policy: &RetryPolicy,
        random: f64,
    ) -> Result<Recovery, Error> {
        let recovery = match self.state {
            PlannerState::Windows(windows) => self.on_window_failure(windows, request, error, policy, random)?,
            PlannerState::OversizedBlock(oversized) => {
                let (next, recovery) = oversized.on_failure(request, error, &mut self.report)?;
                self.state = next;
                recovery
            }
            // All rows were read. A possible change of the head block stays unreported.
            PlannerState::HeadRecheck | PlannerState::Done => {
                self.state = PlannerState::Done;
                Recovery::Continue
            }
        };
        self.update_report();
        Ok(recovery)
    }

    fn on_window_failure(
        &mut self,
        mut windows: Windows,
        request: &RangeRequest,
        error: Error,
        policy: &RetryPolicy,
        random: f64,
    ) -> Result<Recovery, Error> {
        if matches!(windows.phase, WindowPhase::FindHead { .. }) {
            return Err(error);
        }
        // Exclude the blocks of the window that were delivered.
        let newest_first = self.range.newest_first;
        let window = request.blocks.starting_at(windows.remaining.start(newest_first), newest_first);
        self.has_broken_off |= request.is_continuation;
        windows.phase = WindowPhase::Next;
        let recovery = if window.count() > 1 && is_too_slow(&error) {
            let pause_ms = self.backoff.add_pause(&error, policy, random);
            if self.backoff.paused_ms > policy.deadline_ms {
                return Err(error);
            }
            if window.last == MAX_BLOCK && self.has_pages {
                windows.phase = WindowPhase::FindHead { window };
            } else {
                self.width.on_failure(window.count());
            }
            Recovery::Shrink { error, pause_ms }
        } else if request.is_continuation && policy.should_retry(&error, 1, true) {
            Recovery::Retry(error)
        } else {
            return Err(error);
        };
        self.state = PlannerState::Windows(windows);
        Ok(recovery)
    }
}
