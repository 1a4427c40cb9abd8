//! Reads windows of blocks: processes the response to a window.

use super::planner::{Assumption, Planner, RangeResponse};
use super::response_limit::{Completeness, ShortResponse};
use super::rows::BlockRows;
use super::state::{BlockDigest, Blocks, HeadSnapshot, OversizedBlock, PagePosition, State, WindowPhase, Windows};
use crate::decode::FramePage;
use crate::error::{Error, ErrorCode};
use crate::strings::format_u64;

/// The service may have dropped up to a quarter of the rows of a full response.
const MAX_DROPPED: u64 = 4;

/// Blocks older than this are not reorganised.
const FINAL_BLOCK_MS: u64 = 3_600_000;

impl Planner {
    /// Chooses the next window of the remaining blocks.
    pub(super) fn choose_window(&self, remaining: Blocks) -> Blocks {
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
    pub(super) fn on_window(
        &mut self,
        windows: Windows,
        window: Blocks,
        response: RangeResponse,
    ) -> Result<Option<Box<FramePage>>, Error> {
        let newest_first = self.range.newest_first;
        self.check_blocks(&response.rows, window)?;
        let rows_before = if let WindowPhase::Streaming { rows, .. } = windows.phase { rows } else { 0 };
        let mut completeness = self.classify(windows, window, rows_before, &response)?;
        let is_first = !std::mem::replace(&mut self.has_started, true);
        if is_first && newest_first {
            self.take_head_snapshot(&response.rows, response.received_at_ms);
        }
        self.compare_overlap(windows, Some(&response.rows));
        let RangeResponse { mut rows, unprocessed, is_end, received_at_ms } = response;
        // Another planner may have taken over the end of the window since it was requested.
        let Some(reaches_end) = rows.truncate_after(windows.remaining, window, newest_first) else {
            self.request_again(windows);
            return Ok(None);
        };
        if completeness == Completeness::Complete && !reaches_end && self.is_overread(windows, window, &rows) {
            completeness = self.limit.on_cut(rows_before + rows.count());
        }
        if rows_before == 0 {
            self.density_start = self.find_density_start(windows, &rows, is_first);
        }
        if is_end || reaches_end {
            let is_read = reaches_end || completeness == Completeness::Complete;
            self.density = self.measure_density(windows.remaining, &rows, rows_before, is_read);
        }
        if matches!(completeness, Completeness::Complete | Completeness::Unverified) {
            self.width.on_success(window.count());
        }
        self.update_unprocessed(window, unprocessed, rows_before > 0 && is_end);
        let next = if reaches_end {
            Some(State::reading(None))
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
            self.take_head_snapshot(&rows, received_at_ms);
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
    ) -> Option<State> {
        let newest_first = self.range.newest_first;
        let only_block = rows.only_block().filter(|_| rows_before == 0 && is_end);
        match (completeness, only_block) {
            (Completeness::Complete, _) => Some(State::reading(remaining.after(window, newest_first))),
            (_, Some(block)) if !self.has_pages => {
                if completeness == Completeness::Full {
                    self.report_unreachable_rows(block, rows);
                }
                Some(State::reading(remaining.after(Blocks::single(block), newest_first)))
            }
            (_, Some(block)) => self.begin_oversized_block(block, remaining, window, rows).map(State::OversizedBlock),
            (_, None) => self.cut_window(remaining, window, rows, (rows_before, is_end)).map(State::Windows),
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
        self.state = State::Windows(Windows { phase: WindowPhase::Next, ..windows });
    }

    /// Discards a response and requests at most half of the blocks with these rows: it is unknown in which of them a bad record is.
    fn request_fewer_blocks(&mut self, windows: Windows, rows: &BlockRows) {
        let start = windows.remaining.start(self.range.newest_first);
        self.width.on_failure(rows.blocks().last().map_or(1, |last| start.abs_diff(*last) + 1));
        self.request_again(windows);
    }

    /// Returns the rows per block of a response that ends with these rows. With `is_read` it has all rows of the `remaining`
    /// blocks. `None` if the response has a single block.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    fn measure_density(&self, remaining: Blocks, rows: &BlockRows, rows_before: u64, is_read: bool) -> Option<f64> {
        let last_row = rows.blocks().last().copied();
        let end = if is_read { remaining.start(!self.range.newest_first) } else { last_row? };
        let has_several_blocks = is_read || rows_before > 0 || rows.only_block().is_none();
        let blocks = (self.density_start.abs_diff(end) + 1) as f64;
        has_several_blocks.then(|| (rows_before + rows.count_readable()) as f64 / blocks)
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

    /// Fails if a row lies outside the requested blocks or out of order, because rows of other windows would be delivered
    /// twice.
    pub(super) fn check_blocks(&self, rows: &BlockRows, blocks: Blocks) -> Result<(), Error> {
        if rows.are_in(blocks, self.range.newest_first) {
            return Ok(());
        }
        let message = "the service returned rows outside the requested blocks or out of order, and they were discarded; \
                       read the range page by page instead";
        Err(Error::new(ErrorCode::Cursor, message))
    }

    /// Returns the position inside the only block of a response, after the rows that it returned. `None` if it is unknown whether a bad
    /// row before them is in this block.
    fn begin_oversized_block(
        &self,
        block: u64,
        remaining: Blocks,
        window: Blocks,
        rows: &mut BlockRows,
    ) -> Option<OversizedBlock> {
        let newest_first = self.range.newest_first;
        let previous_digest = rows.digest(block, u64::MAX).digest;
        let page_size = rows.count().min(self.limit.page_limit());
        // The probe skips the blocks that were read before this one, because rows may have been added to them since.
        let mut unverified_window =
            Some(window.starting_at(block, newest_first)).filter(|_| self.limit.is_unverified());
        let mut page = 2;
        // In a window of several blocks, bad records may belong to another block: the block is then read from its first page.
        let has_bad_records_of_others = unverified_window.is_none() || rows.may_omit_outside(block);
        if window.count() > 1 && rows.has_bad_records() && has_bad_records_of_others {
            rows.find_cut(window.start(newest_first), true)?;
            rows.truncate_at(block, false);
            (page, unverified_window) = (1, None);
        }
        let mut position =
            PagePosition { block, page, page_size, known_rows: 0, records: rows.count_readable(), previous_digest };
        if page > 1 && unverified_window.is_none() && page_size < self.limit.page_limit() {
            position.move_after(page_size, page_size, self.limit.page_limit());
        }
        let remaining = remaining.after(Blocks::single(block), newest_first);
        Some(OversizedBlock { position, unverified_window, remaining })
    }

    /// Whether a complete response would have rows after the end of this part: a range is cut before its last row.
    fn is_overread(&self, windows: Windows, window: Blocks, rows: &BlockRows) -> bool {
        let end = self.range_blocks().start(!self.range.newest_first);
        window.contains(end) && !windows.remaining.contains(end) && !rows.blocks().is_empty()
    }

    /// Returns the position after all rows of a response, from which a probe looks for further rows. `None` without rows or pages, and if
    /// rows were omitted.
    fn find_last_block(&self, rows: &BlockRows) -> Option<PagePosition> {
        let block = *rows.blocks().last().filter(|_| self.has_pages && !rows.has_bad_records())?;
        let BlockDigest { rows: records, digest: previous_digest } = rows.digest(block, u64::MAX);
        Some(PagePosition { block, page: 2, page_size: records, known_rows: 0, records, previous_digest })
    }

    /// Remembers the newest block, unless it is too old to change.
    fn take_head_snapshot(&mut self, rows: &BlockRows, read_at_ms: u64) {
        let index = if self.range.newest_first { 0 } else { rows.blocks().len().saturating_sub(1) };
        if let Some(&block) = rows.blocks().get(index)
            && rows.is_younger_than(index as u64, FINAL_BLOCK_MS, read_at_ms) == Some(true)
        {
            let content = rows.snapshot(block);
            self.head_snapshot = content.is_known().then_some(HeadSnapshot { block, content, read_at_ms });
        }
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
        self.report_unprocessed(window, message);
    }

    /// Narrows the next window after the newest row was requested. If no rows are left, ends the range.
    pub(super) fn on_head_found(
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
            State::Windows(Windows { remaining, phase: WindowPhase::Next, ..windows })
        } else {
            // No rows are left, perhaps because of a reorganisation.
            self.compare_overlap(windows, None);
            self.report_unprocessed(window, unprocessed);
            State::reading(windows.remaining.after(window, newest_first))
        };
        Ok(())
    }
}

/// The error for a response without a decodable row.
fn undecodable_rows_error(rows: u64) -> Error {
    let message = ["none of the ", &*format_u64(rows), " rows could be decoded, so the next block is unknown"].concat();
    Error::new(ErrorCode::Decode, message)
}
