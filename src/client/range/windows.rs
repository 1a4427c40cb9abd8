//! Reads windows of blocks: what follows the response to a window.

use super::planner::{Planner, RangeResponse};
use super::response_limit::Completeness;
use super::rows::BlockRows;
use super::state::{Blocks, HeadSnapshot, OversizedBlock, PagePosition, State, WindowPhase, Windows};
use crate::decode::FramePage;
use crate::error::{Error, ErrorCode};
use crate::strings::format_u64;

/// Blocks older than this are not reorganised.
const FINAL_BLOCK_MS: u64 = 3_600_000;

impl Planner {
    /// Chooses the next window of the remaining blocks.
    pub(super) fn choose_window(&self, Blocks { first, last }: Blocks) -> Blocks {
        match self.width.blocks() {
            Some(width) if self.range.newest_first => Blocks { first: last.saturating_sub(width - 1).max(first), last },
            Some(width) if first <= self.head_block => {
                Blocks { first, last: first.saturating_add(width - 1).min(last) }
            }
            _ => Blocks { first, last },
        }
    }

    /// Processes the rows of a window, or a batch of them. `rows_before` counts the rows of its earlier batches.
    pub(super) fn on_window(
        &mut self,
        window: Blocks,
        rows_before: u64,
        response: RangeResponse,
    ) -> Result<Option<Box<FramePage>>, Error> {
        self.check_blocks(&response.rows, window)?;
        let completeness = self.classify(rows_before, &response)?;
        if !std::mem::replace(&mut self.has_started, true) && self.range.newest_first {
            self.take_head_snapshot(&response);
        }
        self.compare_overlap(Some(&response.rows));
        let RangeResponse { mut rows, unprocessed, is_end, .. } = response;
        if matches!(completeness, Completeness::Complete | Completeness::Unverified) {
            self.width.on_success(window.count());
        }
        self.update_unprocessed(window, unprocessed, rows_before > 0 && is_end);
        let only_block = rows.only_block().filter(|_| rows_before == 0 && is_end);
        match (completeness, only_block) {
            (Completeness::Complete, _) => self.advance_past(window),
            (_, Some(block)) => self.begin_oversized_block(block, &mut rows, window),
            (_, None) => self.truncate_at_last_block(&mut rows, is_end),
        }
        self.report.records += rows.count_readable();
        let delivered = rows.count();
        if is_end {
            self.report.windows += 1;
        } else if let State::Windows(windows) = &mut self.state {
            windows.phase = WindowPhase::Streaming { window, rows: rows_before + delivered };
        }
        Ok((rows_before > 0 || delivered > 0).then_some(rows.into_page()))
    }

    /// Decides whether rows may be missing from a window.
    fn classify(&mut self, rows_before: u64, response: &RangeResponse) -> Result<Completeness, Error> {
        // The rows of the overlap are known. Only rows after them show that the last response was limited.
        let overlap = self.windows_mut().and_then(|windows| windows.overlap);
        self.limit.on_following_rows(response.has_old_row_at(overlap.map_or(0, |overlap| overlap.rows)));
        let total = rows_before + response.rows.count();
        let has_blocks = !response.rows.blocks().is_empty();
        let completeness = self.limit.on_response(total, has_blocks, response.is_end);
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

    /// Drops the rows of the last block. The next window or batch starts with that block. At the end of a response, also drops
    /// the bad rows from that block on, because the next window returns them again.
    fn truncate_at_last_block(&mut self, rows: &mut BlockRows, is_end: bool) {
        let newest_first = self.range.newest_first;
        let (Some(&block), Some(windows)) = (rows.blocks().last(), self.windows_mut()) else { return };
        let overlap = Some(rows.digest(block, u64::MAX));
        let remaining = windows.remaining.starting_at(block, newest_first);
        *windows = Windows { remaining, overlap, phase: WindowPhase::Next };
        rows.truncate_at(block);
        if is_end {
            rows.truncate_bad_rows_at(block, newest_first);
        }
    }

    /// Continues inside the only block of a response, after the rows that it returned.
    fn begin_oversized_block(&mut self, block: u64, rows: &mut BlockRows, window: Blocks) {
        let newest_first = self.range.newest_first;
        let Some(Windows { remaining, .. }) = self.windows_mut() else { return };
        let remaining = remaining.after(Blocks::single(block), newest_first);
        let previous_digest = rows.digest(block, u64::MAX).digest;
        let page_size = rows.count().min(self.limit.page_limit());
        // The probe skips the blocks that were read before this one, because rows may have been added to them since.
        let unverified_window = self.limit.is_unverified().then(|| window.starting_at(block, newest_first));
        let mut page = 2;
        // In a window of several blocks, bad rows may belong to another block: the block is then read from its first page.
        if unverified_window.is_none() && window.count() > 1 && rows.has_bad_rows() {
            rows.clear();
            page = 1;
        }
        let position = PagePosition { block, page, page_size, records: rows.count_readable(), previous_digest };
        self.state = State::OversizedBlock(OversizedBlock { position, unverified_window, remaining });
    }

    /// Continues after a completely read window.
    fn advance_past(&mut self, window: Blocks) {
        if let State::Windows(Windows { remaining, .. }) = self.state {
            self.state = State::reading(remaining.after(window, self.range.newest_first));
        }
    }

    /// Remembers the newest block of a descending range, unless it is too old to change.
    fn take_head_snapshot(&mut self, RangeResponse { rows, received_at_ms: read_at_ms, .. }: &RangeResponse) {
        if let Some(&block) = rows.blocks().first()
            && rows.is_younger_than(0, FINAL_BLOCK_MS, *read_at_ms) == Some(true)
        {
            let content = rows.digest(block, u64::MAX);
            self.head_snapshot = Some(HeadSnapshot { block, content, read_at_ms: *read_at_ms });
        }
    }

    /// Compares the first rows of the overlap block with those of the last window. Reports the block if they differ. Without
    /// `rows`, the block has no rows any more.
    fn compare_overlap(&mut self, rows: Option<&BlockRows>) {
        let newest_first = self.range.newest_first;
        let Some(windows) = self.windows_mut() else { return };
        let (block, overlap) = (windows.remaining.start(newest_first), windows.overlap.take());
        if let Some(overlap) = overlap
            && rows.map_or(0, |rows| rows.digest(block, overlap.rows).digest) != overlap.digest
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
        window: Blocks,
        RangeResponse { rows, unprocessed, .. }: RangeResponse,
    ) -> Result<(), Error> {
        let newest_first = self.range.newest_first;
        let head_block = rows.blocks().first().copied();
        if head_block.is_none() && rows.has_bad_rows() {
            return Err(undecodable_rows_error(rows.count()));
        }
        if let (Some(head_block), Some(windows)) =
            (head_block.filter(|block| *block >= window.first), self.windows_mut())
        {
            windows.phase = WindowPhase::Next;
            if newest_first {
                windows.remaining.last = head_block;
            }
            self.head_block = head_block;
            self.width.on_failure(head_block - window.first + 1);
        } else {
            // No rows are left, perhaps because of a reorganisation.
            self.compare_overlap(None);
            self.report_unprocessed(window, unprocessed);
            self.advance_past(window);
        }
        Ok(())
    }

    pub(super) const fn windows_mut(&mut self) -> Option<&mut Windows> {
        if let State::Windows(windows) = &mut self.state { Some(windows) } else { None }
    }
}

/// The error for a response of which no row could be decoded.
fn undecodable_rows_error(rows: u64) -> Error {
    let message = ["none of the ", &*format_u64(rows), " rows could be decoded, so the next block is unknown"].concat();
    Error::new(ErrorCode::Decode, message)
}
