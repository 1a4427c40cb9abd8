//! Reads a block with more rows than one response can have: processes its probes and pages.

use super::planner::{Planner, RangeResponse};
use super::report::IncompleteBlock;
use super::rows::BlockRows;
use super::state::{Blocks, OversizedBlock, PagePosition, State};
use crate::decode::FramePage;
use crate::error::Error;

impl Planner {
    /// Processes the result of a probe after a response of one block. If the probe returns no row, the response was complete.
    /// If it returns one and the window has several blocks, the next probe covers only this block.
    pub(super) fn on_probe(&mut self, mut oversized: OversizedBlock, window: Blocks, response: &RangeResponse) {
        let PagePosition { block, page_size, records, .. } = oversized.position;
        self.limit.on_probe(page_size, response.has_old_row_at(0, self.limit.unverified));
        if response.rows.count() == 0 {
            let newest_first = self.range.newest_first;
            let remaining = oversized.remaining.and_then(|remaining| remaining.after(window, newest_first));
            self.state = State::reading(remaining);
            return;
        }
        let has_several_blocks = window.count() > 1;
        if !has_several_blocks {
            // The previous response did not have all rows of the block.
            self.report.changed_blocks.retain(|changed| *changed != block);
            oversized.position.move_after(page_size, page_size, self.limit.page_limit());
        }
        oversized.unverified_window = has_several_blocks.then_some(Blocks::single(block));
        self.state = State::OversizedBlock(oversized);
        if has_several_blocks && records < page_size {
            let reason = "some of its rows could not be decoded, so the start of its next page is unknown";
            self.end_incomplete_block(oversized, reason.into());
        }
    }

    /// Processes a page.
    pub(super) fn on_page(
        &mut self,
        mut oversized: OversizedBlock,
        RangeResponse { mut rows, unprocessed, .. }: RangeResponse,
    ) -> Result<Option<Box<FramePage>>, Error> {
        let position = &mut oversized.position;
        let blocks = Blocks::single(position.block);
        self.check_blocks(&rows, blocks)?;
        self.report_unprocessed(blocks, unprocessed);
        let digest = rows.digest(position.block, u64::MAX).digest;
        if position.page > 1 && !rows.blocks().is_empty() && digest == position.previous_digest {
            self.end_incomplete_block(oversized, "the service returns the same rows for every page".into());
            return Ok(None);
        }
        let count = rows.count();
        // With a limit, a short page is the last only if nothing follows it. Pages of the default size cannot be verified.
        let is_limited = self.limit.detected().is_some() && position.page_size < self.limit.page_limit();
        let is_last = if is_limited { count == 0 } else { count < position.page_size };
        rows.skip(position.known_rows);
        let rows_read = position.rows_read() + rows.count();
        if is_last || count == position.page_size {
            (position.page, position.known_rows) = (position.page + 1, 0);
        } else {
            position.move_after(rows_read, count, self.limit.page_limit());
        }
        if is_last && count > 0 {
            self.limit.evidence.add_assumed(blocks);
        }
        position.records += rows.count_readable();
        position.previous_digest = digest;
        self.report.records += rows.count_readable();
        rows.report_omitted(&mut self.report.omitted);
        self.state = if is_last { State::reading(oversized.remaining) } else { State::OversizedBlock(oversized) };
        Ok((rows.count() > 0).then_some(rows.into_page()))
    }

    /// Reports a block whose remaining rows cannot be requested.
    pub(super) fn report_unreachable_rows(&mut self, block: u64, rows: &BlockRows) {
        let reason = "the service returns no more rows of a block".into();
        self.report.incomplete_blocks.push(IncompleteBlock { block, records: rows.count_readable(), reason });
    }

    /// Stops reading the block and reports it as incomplete.
    pub(super) fn end_incomplete_block(&mut self, oversized: OversizedBlock, reason: String) {
        let PagePosition { block, records, .. } = oversized.position;
        self.report.incomplete_blocks.push(IncompleteBlock { block, records, reason });
        self.state = State::reading(oversized.remaining);
    }
}
