//! [`Parts`]: decides which parts are read and where they are cut, and joins their rows in order.

use super::super::state::{Blocks, HeadSnapshot};
use super::super::token::encode_position;
use super::super::{RangeReader, RangeReport};
use super::cut::{Estimate, choose_end};
use super::part::{Part, Position, RowsResult, WorkOutput};
use super::probe::{Probe, RowBlocks};
use crate::client::join::{Schedule, Work};
use crate::client::options::DEFAULT_CONCURRENCY;
use crate::client::resume;
use crate::client::runtime::Runtime;

/// Rows, an error or the end, and what is known then.
#[derive(Debug)]
pub(super) struct Delivery {
    pub(super) result: RowsResult,
    pub(super) resume_token: Option<String>,
    pub(super) is_partial: bool,
    pub(super) continues_window: bool,
    pub(super) report: RangeReport,
}

/// The parts of a range.
#[derive(Debug)]
pub(super) struct Parts<R: Runtime> {
    /// In order of delivery. The first one is the front part.
    queue: Vec<Part<R>>,
    /// Creates the readers. It reads nothing itself.
    template: RangeReader<R>,
    concurrency: u32,
    last_number: u64,
    has_requested_last_row: bool,
    /// The block of the last row, if it was found. Parts are not cut before it is known.
    last_row: Option<u64>,
    /// Number of requests for single rows that are in flight.
    probes: u32,
    /// From the parts that were delivered.
    estimate: Estimate,
    /// The report of the parts that were delivered.
    finished: RangeReport,
    head_snapshot: Option<HeadSnapshot>,
}

impl<R: Runtime> Schedule for Parts<R> {
    type Output = WorkOutput<R>;
    type Delivery = Delivery;

    fn start(&mut self, works: &mut Vec<Work<WorkOutput<R>>>) {
        self.request_last_row(works);
        let page_limit = self.template.planner.page_limit();
        let ahead: u64 = self.queue.iter().map(Part::rows_ahead).sum();
        let mut room = (2 * u64::from(self.concurrency) * page_limit).saturating_sub(ahead) / page_limit;
        let mut free = self.count_free_requests();
        let mut estimate = self.estimate;
        let mut index = 0;
        while let Some(part) = self.queue.get_mut(index) {
            // The caller may wait for the front part, even if the rows of other parts fill the buffers.
            let has_room = room > 0 || (index == 0 && part.results.is_empty());
            let starts_request = part.is_idle() && !part.is_streaming && free > 0 && has_room;
            let starts = starts_request || (part.is_idle() && part.is_streaming);
            if starts_request {
                part.probed = part.probed.filter(|probed| part.remaining == Some(*probed));
                (free, room) = (free - 1, room.saturating_sub(1));
            }
            part.update_estimate(&mut estimate);
            if starts_request || part.is_running() {
                self.cut(index, estimate, starts_request, &mut free, works);
            }
            if starts && let Some(part) = self.queue.get_mut(index) {
                works.extend(part.read_next(page_limit));
            }
            index += 1;
        }
    }

    fn complete(&mut self, output: WorkOutput<R>) {
        match output {
            WorkOutput::Rows(number, reader, result) => {
                if let Some(part) = self.queue.iter_mut().find(|part| part.number == number) {
                    part.complete(reader, result);
                }
            }
            WorkOutput::Probe(number, probe, rows) => self.complete_probe(number, probe, rows),
        }
    }

    fn deliver(&mut self) -> Option<(Delivery, bool)> {
        loop {
            let is_last = self.queue.len() == 1;
            let front = self.queue.first_mut()?;
            if front.results.is_empty() {
                return None;
            }
            let (result, position) = front.results.remove(0);
            self.head_snapshot = position.head_snapshot.or(self.head_snapshot);
            if let Ok(Some(page)) = &result {
                front.buffered_rows -= page.rows.len() as u64;
            } else if matches!(result, Ok(None)) {
                if !is_last {
                    self.finished.append(position.report);
                    front.update_estimate(&mut self.estimate);
                    self.queue.remove(0);
                    continue;
                }
                if front.recheck_head(self.head_snapshot) {
                    continue;
                }
            }
            let is_end = matches!(result, Ok(None));
            return Some((self.create_delivery(result, position), is_end));
        }
    }
}

impl<R: Runtime> Parts<R> {
    pub(super) fn new(reader: RangeReader<R>) -> Self {
        let mut parts = Self {
            template: reader.create_sibling(),
            queue: vec![Part::new(0, Box::new(reader))],
            concurrency: 1,
            last_number: 0,
            has_requested_last_row: false,
            last_row: None,
            probes: 0,
            estimate: Estimate::default(),
            finished: RangeReport::default(),
            head_snapshot: None,
        };
        parts.set_concurrency(DEFAULT_CONCURRENCY);
        parts
    }

    /// Sets the maximum number of requests in flight. That of the client limits it too.
    pub(super) fn set_concurrency(&mut self, concurrency: u32) {
        self.concurrency = concurrency.min(self.template.client.inner.transport.limiter.max_concurrent());
    }

    /// Whether several requests can be in flight.
    pub(super) const fn is_concurrent(&self) -> bool {
        self.concurrency > 1
    }

    pub(super) fn runtime(&self) -> &R {
        self.template.client.runtime()
    }

    /// Returns how many requests can start.
    fn count_free_requests(&self) -> u32 {
        let busy: u32 = self.queue.iter().map(|part| u32::from(part.is_busy())).sum();
        self.concurrency.saturating_sub(busy + self.probes)
    }

    /// Requests the block of the last row when the first response shows that one is not enough. With many concurrent requests,
    /// together with the first response, and also where that will be full.
    fn request_last_row(&mut self, works: &mut Vec<Work<WorkOutput<R>>>) {
        let Some(front) = self.queue.first_mut() else { return };
        let probe = if self.concurrency <= Probe::All.requests() { Probe::LastRow } else { Probe::All };
        let is_time = probe == Probe::All || front.is_truncated();
        if !self.has_requested_last_row && self.concurrency > 1 && is_time {
            self.has_requested_last_row = true;
            front.probed = front.remaining.filter(|_| probe == Probe::All);
            let (number, blocks) = (front.number, front.remaining);
            works.extend(self.probe(number, blocks, probe));
        }
    }

    /// Returns a request for the blocks of some rows of a part.
    fn probe(&mut self, number: u64, blocks: Option<Blocks>, probe: Probe) -> Option<Work<WorkOutput<R>>> {
        let (blocks, reader, limit) = (blocks?, self.template.create_sibling(), self.template.planner.page_limit());
        self.probes += probe.requests();
        self.finished.requests += probe.requests();
        Some(Box::pin(async move { WorkOutput::Probe(number, probe, probe.run(&reader, blocks, limit).await) }))
    }

    /// Cuts the part at this index if one request does not read it to its end. If the density is steady, it is cut before it is
    /// requested. Otherwise, it is cut where its response will be full, which takes a request. So is the last part if only one
    /// density is known and does not cut it: the rows that follow may be denser.
    fn cut(
        &mut self,
        index: usize,
        estimate: Estimate,
        starts: bool,
        free: &mut u32,
        works: &mut Vec<Work<WorkOutput<R>>>,
    ) {
        let newest_first = self.template.planner.range.newest_first;
        let Some(part) = self.queue.get_mut(index) else { return };
        let blocks = part.remaining.zip(self.last_row).and_then(|(blocks, last)| blocks.up_to(last, newest_first));
        let Some(blocks) = blocks else { return };
        let Part { number, response_limit, max_blocks, .. } = *part;
        if let Some(density) = estimate.steady_density().or(max_blocks.map(|_| 0.0)) {
            let end = choose_end(blocks, newest_first, density, response_limit, max_blocks).filter(|_| starts);
            if let Some(end) = end {
                self.split_after(index, end);
            }
            let is_last = index + 1 == self.queue.len();
            if end.is_some() || estimate.is_confirmed() || max_blocks.is_some() || !is_last {
                return;
            }
        }
        let Some(part) = self.queue.get_mut(index) else { return };
        if *free > 0 && part.probed.is_none() && !part.is_streaming {
            *free -= 1;
            part.probed = part.remaining;
            works.extend(self.probe(number, Some(blocks), Probe::FullRow));
        }
    }

    /// Processes the blocks of some rows of a part. Cuts it where the response that is arriving will be full.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    fn complete_probe(&mut self, number: u64, probe: Probe, rows: RowBlocks) {
        self.probes -= probe.requests();
        self.last_row = self.last_row.or(rows.last);
        let newest_first = self.template.planner.range.newest_first;
        let found = self.queue.iter_mut().enumerate().find(|(_, part)| part.number == number);
        let Some((index, part, full)) = found.zip(rows.full).map(|((index, part), full)| (index, part, full)) else {
            return;
        };
        let Some(remaining) = part.remaining.filter(|remaining| remaining.contains(full)) else { return };
        let first = rows.first.unwrap_or_else(|| remaining.start(newest_first));
        // A block that fills a response by itself is read by one part.
        if full != first && full != remaining.start(newest_first) && part.is_busy() {
            part.density = Some(part.response_limit as f64 / first.abs_diff(full) as f64);
            self.split_after(index, if newest_first { full + 1 } else { full - 1 });
        }
    }

    /// Cuts the part at this index after a block.
    fn split_after(&mut self, index: usize, end: u64) {
        let reader = self.template.create_sibling();
        self.last_number += 1;
        if let Some(part) = self.queue.get_mut(index) {
            let next = part.split_after(end, self.last_number, Box::new(reader));
            self.queue.insert(index + 1, next);
        }
    }

    /// Reads on after an error was delivered. Parts that have failed too are requested again.
    pub(super) fn retry(&mut self) {
        if self.queue.first().is_some_and(|part| part.is_stopped && part.results.is_empty()) {
            self.queue.iter_mut().for_each(Part::retry);
        }
    }

    fn create_delivery(&self, result: RowsResult, position: Position) -> Delivery {
        let RangeReader { client, request, planner, .. } = &self.template;
        // In ascending order, the newest block is in the blocks that a resumed range reads.
        let head_snapshot = self.head_snapshot.filter(|_| planner.range.newest_first);
        let cursor = position.remaining.and_then(|state| encode_position(&state, head_snapshot));
        let mut report = self.finished.clone();
        report.append(position.report);
        Delivery {
            result,
            resume_token: cursor.map(|cursor| resume::encode_token(client.base_url(), request, &cursor)),
            is_partial: position.is_partial,
            continues_window: position.continues_window,
            report,
        }
    }
}
