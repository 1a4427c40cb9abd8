//! [`BlockParts`]: cuts a range of blocks into parts.
//!
//! A part is cut when its request starts, so that one response holds the rows of the first half. The position follows
//! from the density of the preceding rows (`density`). Where the density changes, or is known from one response only,
//! it is found with a request for a single row (`probe`). Parts are disjoint and each reader returns each of its rows
//! exactly once, so the order of delivery is the order of the parts. A response that is shorter than a response to
//! another part is complete, unless a response limit was detected. If a limit is detected later, parts that have ended
//! are verified.
//!
//! # Resume tokens and reports
//!
//! The token after any row is the same as from a [`RangeReader`] of the whole range: all blocks that follow are still
//! to be read. The report covers the delivered rows.
//!
//! # Reorganisations
//!
//! In an ascending range without parts, the newest blocks are read last. With parts they are not, so the newest block
//! is requested again at the end, in both orders.

use std::cell::Cell;
use std::future::Future;
use std::rc::Rc;

use super::density::{Estimate, choose_end};
use super::planner::Experience;
use super::planner_state::{Assumption, Blocks, HeadSnapshot, PlannerState};
use super::probe::{Probe, RowBlocks};
use super::response_limit::ResponseLimit;
use super::token::encode_position;
use super::{RangeBatch, RangeReader, RangeReport};
use crate::client::read_ahead::{Output, PageResult, Part, PartQueue, PartReader, Strategy, Work};
use crate::client::resume::ResumePoint;
use crate::client::runtime::Runtime;
use crate::decode::FramePage;

/// The state after some rows of a part.
pub(super) struct RangeCheckpoint {
    /// The state in which the rest of the whole range is still to be read. `None` before the first rows.
    remaining: Option<PlannerState>,
    head_snapshot: Option<HeadSnapshot>,
    limit: ResponseLimit,
    /// The last response, if it may have to be verified.
    assumption: Option<Assumption>,
    is_partial: bool,
    continues_window: bool,
    /// The report of this part.
    report: RangeReport,
}

/// A part of a range.
pub(super) struct PartBlocks {
    /// The last block, if another part follows. Shared with the reader.
    end: Rc<Cell<Option<u64>>>,
    /// The blocks that remained after the last result. The request in flight may be further.
    remaining: Option<Blocks>,
    /// Rows per block of the last response, or of the one that is arriving. `None` if it is unknown.
    density: Option<f64>,
    /// The densities of the responses before that one.
    earlier: Estimate,
    /// The blocks for which a probe has already asked where the arriving response will be full.
    probed: Option<Blocks>,
    /// Maximum number of rows that the service returns.
    response_limit: u64,
    /// Maximum number of blocks in a window, if the service is too slow for all of them.
    max_blocks: Option<u64>,
    experience: Option<Experience>,
}

impl PartBlocks {
    /// The blocks of a reader that has not started.
    pub(super) fn new<R: Runtime>(reader: &RangeReader<R>) -> Self {
        Self {
            end: Rc::clone(&reader.end),
            remaining: reader.planner.state.remaining(),
            density: None,
            earlier: Estimate::default(),
            probed: None,
            response_limit: reader.planner.page_limit(),
            max_blocks: None,
            experience: None,
        }
    }

    /// Adds the densities of this part to an estimate for the blocks that follow.
    fn update_estimate(&self, estimate: &mut Estimate) {
        estimate.append(self.earlier);
        estimate.update(self.density);
    }
}

/// Cuts the blocks that a request is about to read, or that a response shows to be too many for it.
pub(super) struct BlockParts<R: Runtime> {
    /// Creates the readers of the parts. It does not read itself.
    template: RangeReader<R>,
    has_requested_last_row: bool,
    /// The block of the last row, if it was found. Parts are not cut before it is known.
    last_row: Option<u64>,
    /// The densities of the delivered parts.
    estimate: Estimate,
    /// The report of the delivered parts.
    finished: RangeReport,
    head_snapshot: Option<HeadSnapshot>,
}

impl<R: Runtime> PartReader for RangeReader<R> {
    type Page = Box<FramePage>;

    fn next(&mut self) -> impl Future<Output = PageResult<Self::Page>> {
        Self::next(self)
    }

    fn is_streaming(&self) -> bool {
        Self::is_streaming(self)
    }
}

impl<R: Runtime> Strategy for BlockParts<R> {
    type Reader = RangeReader<R>;
    type PartState = PartBlocks;
    type Checkpoint = RangeCheckpoint;
    type Delivery = RangeBatch;
    /// The number of a part, and the blocks of rows in it.
    type ProbeResult = (u64, RowBlocks);

    const PAGES_AHEAD: u64 = 2;
    const STARTS_WITH_ONE_PAGE: bool = false;

    fn runtime(&self) -> &impl Runtime {
        self.template.client.runtime()
    }

    fn page_limit(&self) -> u64 {
        self.template.planner.page_limit()
    }

    fn create_checkpoint(&self, reader: &RangeReader<R>, _: &PageResult<Box<FramePage>>) -> RangeCheckpoint {
        RangeCheckpoint {
            remaining: reader.planner.remaining_state(),
            head_snapshot: reader.planner.head_snapshot,
            limit: reader.planner.limit,
            assumption: reader.planner.assumption,
            is_partial: reader.is_streaming(),
            continues_window: reader.continues_window,
            report: reader.report().clone(),
        }
    }

    fn complete(&mut self, queue: &mut PartQueue<Self>, index: usize) {
        let Some(Part { reader: Some(reader), state, .. }) = queue.parts.get_mut(index) else { return };
        let planner = &reader.planner;
        state.remaining = planner.state.remaining();
        if !reader.is_streaming() {
            state.density = planner.density;
        }
        let limit = planner.limit;
        state.response_limit = limit.detected().map_or(limit.page_limit(), |_| limit.evidence.longest);
        let experience = planner.experience();
        state.max_blocks = experience.width.blocks();
        state.experience = Some(experience);
    }

    fn is_complete(&self, parts: &[Part<Self>], index: usize) -> bool {
        let reader = parts.get(index).and_then(|part| part.reader.as_ref());
        reader.is_some_and(|reader| reader.planner.is_part && reader.has_ended())
    }

    /// Cuts the part if one request cannot read it to its end. If the density is steady, the part is cut before it is
    /// requested. Otherwise it is cut where its response will be full, which takes a probe. The last part is probed,
    /// too, if only one density is known and does not cut it, because the rows that follow may be denser.
    fn cut(&mut self, queue: &mut PartQueue<Self>, index: usize, starts: bool, free: u32) -> Option<Work<Self>> {
        let (newest_first, mut estimate) = (self.template.planner.range.newest_first, self.estimate);
        let probe = self.request_last_row(queue);
        queue.parts.iter().take(index + 1).for_each(|part| part.state.update_estimate(&mut estimate));
        let is_last = index + 1 == queue.parts.len();
        let Part { number, is_streaming, state, .. } = queue.parts.get_mut(index)?;
        if starts {
            state.probed = state.probed.filter(|probed| state.remaining == Some(*probed));
            state.earlier.update(state.density.take());
        }
        let blocks = state.remaining.zip(self.last_row).and_then(|(blocks, last)| blocks.up_to(last, newest_first));
        let Some(blocks) = blocks else { return probe };
        let max_blocks = state.max_blocks;
        if let Some(density) = estimate.steady_density().or(max_blocks.map(|_| 0.0)) {
            let end = choose_end(blocks, newest_first, density, state.response_limit, max_blocks).filter(|_| starts);
            if let Some(end) = end {
                self.split_after(queue, index, end);
                return None;
            }
            if estimate.is_confirmed() || max_blocks.is_some() || !is_last {
                return None;
            }
        }
        if free == 0 || state.probed.is_some() || *is_streaming {
            return None;
        }
        state.probed = state.remaining;
        let number = *number;
        Some(self.request_rows(number, blocks, Probe::FullRow))
    }

    /// Cuts the part where the response that is arriving will be full.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    fn complete_probe(&mut self, queue: &mut PartQueue<Self>, (number, rows): (u64, RowBlocks)) {
        self.last_row = self.last_row.or(rows.last);
        let newest_first = self.template.planner.range.newest_first;
        let found = queue.parts.iter_mut().enumerate().find(|(_, part)| part.number == number);
        let Some(((index, part), full)) = found.zip(rows.full) else { return };
        let is_busy = part.is_running() || part.is_streaming;
        let Some(remaining) = part.state.remaining.filter(|remaining| remaining.contains(full)) else { return };
        let first = rows.first.unwrap_or_else(|| remaining.start(newest_first));
        // An oversized block is never cut.
        if full != first && full != remaining.start(newest_first) && is_busy {
            part.state.density = Some(part.state.response_limit as f64 / first.abs_diff(full) as f64);
            self.split_after(queue, index, if newest_first { full + 1 } else { full - 1 });
        }
    }

    fn finish(&mut self, part: &mut Part<Self>, is_only: bool) {
        let Some(reader) = &mut part.reader else { return };
        reader.drop_assumption();
        self.head_snapshot = reader.planner.head_snapshot.or(self.head_snapshot);
        if is_only {
            reader.planner.recheck_head(self.head_snapshot);
        } else {
            self.finished.append(reader.report().clone());
            part.state.update_estimate(&mut self.estimate);
        }
    }

    fn deliver(
        &mut self,
        _: &[Part<Self>],
        result: PageResult<Box<FramePage>>,
        checkpoint: RangeCheckpoint,
    ) -> RangeBatch {
        self.head_snapshot = checkpoint.head_snapshot.or(self.head_snapshot);
        // In ascending order, the newest block is in the blocks that a resumed range reads.
        let planner = &self.template.planner;
        let newest_first = planner.range.newest_first;
        let head_snapshot = self.head_snapshot.filter(|_| newest_first);
        let (mut state, mut limit) = (checkpoint.remaining, checkpoint.limit);
        limit.evidence.merge(self.template.evidence.get());
        if let Some(assumption) = checkpoint.assumption {
            match assumption.verification(planner.range_blocks(), newest_first).filter(|_| limit.detected().is_some()) {
                Some(verification) => state = Some(verification),
                None => limit.evidence.add_assumed(assumption.blocks),
            }
        }
        let cursor = state.and_then(|state| encode_position(&state, head_snapshot, limit));
        let resume = cursor.map(|cursor| self.template.resume_point(cursor));
        let page = result.map_err(|mut error| {
            error.resume_token = resume.as_ref().map(ResumePoint::token);
            error
        });
        let mut report = self.finished.clone();
        report.append(checkpoint.report);
        let RangeCheckpoint { is_partial, continues_window, .. } = checkpoint;
        RangeBatch { page, resume, is_partial, continues_window, report }
    }
}

impl<R: Runtime> BlockParts<R> {
    /// Cuts the range that this reader reads.
    pub(super) fn new(reader: &RangeReader<R>) -> Self {
        Self {
            template: reader.create_sibling(),
            has_requested_last_row: false,
            last_row: None,
            estimate: Estimate::default(),
            finished: RangeReport::default(),
            head_snapshot: None,
        }
    }

    /// Requests the block of the last row when the first response shows that one response is not enough. With many
    /// concurrent requests, requests it together with the first response, and also the block at which that response
    /// will be full.
    fn request_last_row(&mut self, queue: &mut PartQueue<Self>) -> Option<Work<Self>> {
        let front = queue.parts.first_mut()?;
        let probe = if queue.concurrency <= Probe::All.requests() { Probe::LastRow } else { Probe::All };
        let is_truncated = || front.reader.as_ref().is_some_and(|reader| reader.planner.is_truncated());
        if self.has_requested_last_row || queue.concurrency == 1 || !(probe == Probe::All || is_truncated()) {
            return None;
        }
        self.has_requested_last_row = true;
        front.state.probed = front.state.remaining.filter(|_| probe == Probe::All);
        Some(self.request_rows(front.number, front.state.remaining?, probe))
    }

    /// Returns a request for the blocks of some rows of a part.
    fn request_rows(&mut self, number: u64, blocks: Blocks, probe: Probe) -> Work<Self> {
        let (reader, limit, requests) = (self.template.create_sibling(), self.page_limit(), probe.requests());
        self.finished.requests += requests;
        let future = Box::pin(async move { Output::Probe((number, probe.run(&reader, blocks, limit).await)) });
        Work { requests, future }
    }

    /// Ends the part at this index after a block. A new part reads the blocks that follow.
    fn split_after(&self, queue: &mut PartQueue<Self>, index: usize, end: u64) {
        let newest_first = self.template.planner.range.newest_first;
        let mut reader = self.template.create_sibling();
        let Some(Part { state, .. }) = queue.parts.get_mut(index) else { return };
        reader.end.set(state.end.replace(Some(end)));
        let start = if newest_first { end.saturating_sub(1) } else { end + 1 };
        reader.planner.start_at(start, state.experience);
        reader.apply_end();
        state.remaining = state.remaining.and_then(|remaining| remaining.up_to(end, newest_first));
        let PartBlocks { response_limit, max_blocks, experience, .. } = *state;
        let next = PartBlocks { response_limit, max_blocks, experience, ..PartBlocks::new(&reader) };
        queue.insert(index + 1, Box::new(reader), next);
    }
}
