//! Reads a block with more rows than one response can have: processes its probes and pages.

use super::planner_state::{Blocks, OversizedBlock, PagePosition, PlannerState};
use super::report::{IncompleteBlock, RangeReport};
use super::request::{RangeRequest, Recovery};
use super::response_limit::ResponseLimit;
use super::rows::{BlockRows, RangeResponse};
use crate::client::retry::is_too_slow;
use crate::decode::FramePage;
use crate::error::{Error, ErrorCode};

impl OversizedBlock {
    /// Returns the position inside the only block of a response, after the rows that it returned. `None` if it is unknown whether a bad
    /// row before them is in this block.
    pub(super) fn begin(
        block: u64,
        (remaining, window, newest_first): (Blocks, Blocks, bool),
        rows: &mut BlockRows,
        limit: &ResponseLimit,
    ) -> Option<Self> {
        let previous_digest = rows.digest(block, u64::MAX).digest;
        let page_size = rows.count().min(limit.page_limit());
        // The probe skips the blocks that were read before this one, because rows may have been added to them since.
        let mut unverified_window = Some(window.starting_at(block, newest_first)).filter(|_| limit.is_unverified());
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
        if page > 1 && unverified_window.is_none() && page_size < limit.page_limit() {
            position.move_after(page_size, page_size, limit.page_limit());
        }
        let remaining = remaining.after(Blocks::single(block), newest_first);
        Some(Self { position, unverified_window, remaining })
    }

    /// The blocks that a probe for further rows covers. `None` if the block is known to continue.
    pub(super) fn pending_probe(&self, limit: &ResponseLimit) -> Option<Blocks> {
        self.unverified_window.filter(|_| self.position.page_size < limit.page_limit())
    }

    /// Processes the result of a probe after a response of one block. If the probe returns no row, the response was complete.
    /// If it returns one and the window has several blocks, the next probe covers only this block.
    /// Returns the next state.
    pub(super) fn on_probe(
        mut self,
        (window, newest_first): (Blocks, bool),
        response: &RangeResponse,
        limit: &mut ResponseLimit,
        report: &mut RangeReport,
    ) -> PlannerState {
        let PagePosition { block, page_size, records, .. } = self.position;
        limit.on_probe(page_size, response.has_old_row_at(0, limit.unverified));
        if response.rows.count() == 0 {
            return PlannerState::reading(self.remaining.and_then(|remaining| remaining.after(window, newest_first)));
        }
        let has_several_blocks = window.count() > 1;
        if !has_several_blocks {
            // The previous response did not have all rows of the block.
            report.changed_blocks.retain(|changed| *changed != block);
            self.position.move_after(page_size, page_size, limit.page_limit());
        }
        self.unverified_window = has_several_blocks.then_some(Blocks::single(block));
        if has_several_blocks && records < page_size {
            let reason = "some of its rows could not be decoded, so the start of its next page is unknown";
            return self.end_incomplete(reason.into(), report);
        }
        PlannerState::OversizedBlock(self)
    }

    /// Processes a page. Returns the next state, and the rows to deliver.
    ///
    /// # Errors
    /// Rows that cannot be delivered.
    pub(super) fn on_page(
        mut self,
        RangeResponse { mut rows, unprocessed, .. }: RangeResponse,
        newest_first: bool,
        limit: &mut ResponseLimit,
        report: &mut RangeReport,
    ) -> Result<(PlannerState, Option<Box<FramePage>>), Error> {
        let position = &mut self.position;
        let blocks = Blocks::single(position.block);
        rows.check_blocks(blocks, newest_first)?;
        report.report_unprocessed(blocks, unprocessed);
        let digest = rows.digest(position.block, u64::MAX).digest;
        if position.page > 1 && !rows.blocks().is_empty() && digest == position.previous_digest {
            let reason = "the service returns the same rows for every page";
            return Ok((self.end_incomplete(reason.into(), report), None));
        }
        let count = rows.count();
        // With a limit, a short page is the last only if nothing follows it. Pages of the default size cannot be verified.
        let is_limited = limit.detected().is_some() && position.page_size < limit.page_limit();
        let is_last = if is_limited { count == 0 } else { count < position.page_size };
        rows.skip(position.known_rows);
        let rows_read = position.rows_read() + rows.count();
        if is_last || count == position.page_size {
            (position.page, position.known_rows) = (position.page + 1, 0);
        } else {
            position.move_after(rows_read, count, limit.page_limit());
        }
        if is_last && count > 0 {
            limit.evidence.add_assumed(blocks);
        }
        position.records += rows.count_readable();
        position.previous_digest = digest;
        report.records += rows.count_readable();
        rows.report_omitted(&mut report.omitted);
        let next = if is_last { PlannerState::reading(self.remaining) } else { PlannerState::OversizedBlock(self) };
        Ok((next, (rows.count() > 0).then_some(rows.into_page())))
    }

    /// Processes the failure of a page or a probe. Returns the next state.
    ///
    /// # Errors
    /// The error itself, if no other request can recover from it.
    pub(super) fn on_failure(
        self,
        request: &RangeRequest,
        error: Error,
        report: &mut RangeReport,
    ) -> Result<(PlannerState, Recovery), Error> {
        if error.code == ErrorCode::Refused {
            return Ok((self.end_incomplete(error.message.clone(), report), Recovery::Continue));
        }
        // A probe of several blocks: the service was too slow for them, but may not be for the oversized block alone.
        if request.can_shrink && is_too_slow(&error) {
            let unverified_window = Some(Blocks::single(self.position.block));
            let next = PlannerState::OversizedBlock(Self { unverified_window, ..self });
            return Ok((next, Recovery::Shrink { error, pause_ms: None }));
        }
        Err(error)
    }

    /// Stops reading the block and reports it as incomplete. Returns the next state.
    fn end_incomplete(self, reason: String, report: &mut RangeReport) -> PlannerState {
        let PagePosition { block, records, .. } = self.position;
        report.incomplete_blocks.push(IncompleteBlock { block, records, reason });
        PlannerState::reading(self.remaining)
    }
}
