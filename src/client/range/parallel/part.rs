//! [`Part`]: a run of blocks, its reader, and its rows that were read ahead.

use std::cell::Cell;
use std::rc::Rc;

use super::super::planner::Experience;
use super::super::state::{Blocks, HeadSnapshot, State};
use super::super::{RangeReader, RangeReport};
use super::cut::Estimate;
use super::probe::{Probe, RowBlocks};
use crate::client::join::Work;
use crate::client::runtime::Runtime;
use crate::decode::FramePage;
use crate::error::Error;

/// The next rows of a part. `Ok(None)` at its end.
pub(super) type RowsResult = Result<Option<Box<FramePage>>, Error>;

/// The result of a request.
pub(super) enum WorkOutput<R: Runtime> {
    /// The part of this number has read its next rows.
    Rows(u64, Box<RangeReader<R>>, RowsResult),
    /// The blocks of rows in the part of this number.
    Probe(u64, Probe, RowBlocks),
}

/// What is known after some rows of a part, or at its end.
#[derive(Debug)]
pub(super) struct Position {
    /// The state in which the rest of the whole range is still to be read. `None` before the first rows.
    pub(super) remaining: Option<State>,
    pub(super) head_snapshot: Option<HeadSnapshot>,
    pub(super) is_partial: bool,
    pub(super) continues_window: bool,
    /// The report of this part.
    pub(super) report: RangeReport,
}

/// A run of consecutive blocks.
#[derive(Debug)]
pub(super) struct Part<R: Runtime> {
    pub(super) number: u64,
    /// `None` while a request is in flight.
    reader: Option<Box<RangeReader<R>>>,
    /// The last block, if another part follows. Shared with the reader.
    end: Rc<Cell<Option<u64>>>,
    /// Results that were not delivered yet. Only the last one can be an error, or the end of the part.
    pub(super) results: Vec<(RowsResult, Position)>,
    /// Number of rows in `results`.
    pub(super) buffered_rows: u64,
    /// The most rows of the request in flight that were not received yet.
    pub(super) expected_rows: u64,
    /// Whether it has failed or ended, so that it is not read on.
    pub(super) is_stopped: bool,
    /// The blocks that were still to be read after the last result. The request in flight may be further.
    pub(super) remaining: Option<Blocks>,
    /// Rows per block of the last response, or of the one that is arriving. `None` if it is unknown.
    pub(super) density: Option<f64>,
    /// From the responses before that one.
    earlier: Estimate,
    /// The blocks for which it was requested where the response that is arriving will be full.
    pub(super) probed: Option<Blocks>,
    /// Whether a response is still arriving.
    pub(super) is_streaming: bool,
    /// The most rows that the service returns.
    pub(super) response_limit: u64,
    /// The most blocks of a window, if the service is too slow for all.
    pub(super) max_blocks: Option<u64>,
    experience: Option<Experience>,
}

impl<R: Runtime> Part<R> {
    /// Creates the part that this reader reads.
    pub(super) fn new(number: u64, reader: Box<RangeReader<R>>) -> Self {
        Self {
            number,
            end: Rc::clone(&reader.end),
            results: Vec::new(),
            buffered_rows: 0,
            expected_rows: 0,
            is_stopped: false,
            remaining: reader.planner.remaining_blocks(),
            density: None,
            earlier: Estimate::default(),
            probed: None,
            is_streaming: false,
            response_limit: reader.planner.page_limit(),
            max_blocks: None,
            experience: None,
            reader: Some(reader),
        }
    }

    /// Whether a request is in flight.
    pub(super) const fn is_running(&self) -> bool {
        self.reader.is_none()
    }

    /// Whether the last response was truncated. False while a request is in flight.
    pub(super) fn is_truncated(&self) -> bool {
        self.reader.as_ref().is_some_and(|reader| reader.planner.is_truncated())
    }

    /// Whether a request is in flight, or its response is still arriving.
    pub(super) const fn is_busy(&self) -> bool {
        self.is_running() || self.is_streaming
    }

    /// The most rows that are buffered when the request in flight is complete.
    pub(super) const fn rows_ahead(&self) -> u64 {
        self.buffered_rows + self.expected_rows
    }

    /// Adds the densities of this part to an estimate for the blocks that follow.
    pub(super) fn update_estimate(&self, estimate: &mut Estimate) {
        estimate.append(self.earlier);
        estimate.update(self.density);
    }

    /// Whether it can be read on.
    pub(super) const fn is_idle(&self) -> bool {
        self.reader.is_some() && !self.is_stopped
    }

    /// Ends this part at a block, and returns the part of the blocks after it. `reader` is a new reader of the whole range.
    pub(super) fn split_after(&mut self, end: u64, number: u64, mut reader: Box<RangeReader<R>>) -> Self {
        let newest_first = reader.planner.range.newest_first;
        reader.end.set(self.end.replace(Some(end)));
        let start = if newest_first { end.saturating_sub(1) } else { end + 1 };
        reader.planner.start_at(start, self.experience);
        reader.apply_end();
        self.remaining = self.remaining.and_then(|remaining| remaining.up_to(end, newest_first));
        let Self { response_limit, max_blocks, experience, .. } = *self;
        Self { response_limit, max_blocks, experience, ..Self::new(number, reader) }
    }

    /// Returns a request for the next rows, of at most `page_limit`.
    pub(super) fn read_next(&mut self, page_limit: u64) -> Option<Work<WorkOutput<R>>> {
        if !self.is_streaming {
            self.expected_rows = page_limit;
            self.earlier.update(self.density.take());
        }
        let (number, mut reader) = (self.number, self.reader.take()?);
        Some(Box::pin(async move {
            let result = reader.next().await;
            WorkOutput::Rows(number, reader, result)
        }))
    }

    /// Stores the result of a request.
    pub(super) fn complete(&mut self, reader: Box<RangeReader<R>>, result: RowsResult) {
        let planner = &reader.planner;
        let rows = result.iter().flatten().map(|page| page.rows.len() as u64).sum::<u64>();
        self.buffered_rows += rows;
        let has_ended = planner.is_part && planner.has_ended() && result.is_ok();
        self.is_stopped = has_ended || !matches!(result, Ok(Some(_)));
        self.remaining = planner.remaining_blocks();
        self.is_streaming = reader.is_streaming();
        if !self.is_streaming {
            self.density = planner.density;
        }
        self.expected_rows = if self.is_streaming { self.expected_rows.saturating_sub(rows) } else { 0 };
        self.response_limit = planner.report().response_limit.unwrap_or_else(|| planner.page_limit());
        let experience = planner.experience();
        self.max_blocks = experience.width.blocks();
        self.experience = Some(experience);
        let create_position = || Position {
            remaining: planner.remaining_state(),
            head_snapshot: planner.head_snapshot,
            is_partial: self.is_streaming,
            continues_window: reader.continues_window(),
            report: planner.report().clone(),
        };
        let end = (has_ended && matches!(result, Ok(Some(_)))).then(|| (Ok(None), create_position()));
        self.results.push((result, create_position()));
        self.results.extend(end);
        self.reader = Some(reader);
    }

    /// Reads on if the last request has failed.
    pub(super) fn retry(&mut self) {
        if self.results.last().is_none_or(|(result, _)| result.is_err()) {
            self.results.pop();
            self.is_stopped = false;
        }
    }

    /// Completes the range after all other parts were delivered. Returns false if that was done.
    pub(super) fn recheck_head(&mut self, head_snapshot: Option<HeadSnapshot>) -> bool {
        let reader = self.reader.as_mut().filter(|reader| reader.planner.is_part);
        let is_part = reader.is_some();
        if let Some(reader) = reader {
            reader.planner.recheck_head(head_snapshot);
            self.is_stopped = false;
        }
        is_part
    }
}
