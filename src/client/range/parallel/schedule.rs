//! [`Parts`]: decides which parts are read and where they are cut, and joins their rows in order.

use super::super::state::HeadSnapshot;
use super::super::token::encode_position;
use super::super::{RangeReader, RangeReport};
use super::cut::Candidate;
use super::part::{Part, Position, RowsResult, WorkOutput};
use crate::client::concurrency::DEFAULT_CONCURRENCY;
use crate::client::join::{Schedule, Work};
use crate::client::{Runtime, resume};

/// With more concurrent requests than this, parts are requested before the first response shows whether they are needed.
const MAX_CAUTIOUS_REQUESTS: u32 = 2;

/// The estimate of the density falls at most to this fraction of itself with each response. It rises at once.
const MAX_FALL: f64 = 8.0;

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
    pub(super) concurrency: u32,
    last_number: u64,
    /// Whether the caller waits for rows.
    is_waiting: bool,
    /// Whether the first and the last row were requested.
    has_requested_edges: bool,
    /// The block of the first row, if it was found.
    first_row: Option<u64>,
    /// The block of the last row, if it was found. Parts are not cut before it is known.
    last_row: Option<u64>,
    /// An estimate of the rows per block in parts without a response. `None` before the first response.
    density: Option<f64>,
    /// The report of the parts that were delivered.
    finished: RangeReport,
    head_snapshot: Option<HeadSnapshot>,
}

impl<R: Runtime> Schedule for Parts<R> {
    type Output = WorkOutput<R>;
    type Delivery = Delivery;

    /// Starts the requests that are possible now. Those nearest to the front part come first.
    fn start(&mut self, works: &mut Vec<Work<WorkOutput<R>>>) {
        self.request_edges(works);
        let buffered: u64 = self.queue.iter().map(|part| part.buffered_rows).sum();
        let has_room = buffered < u64::from(self.concurrency) * self.template.planner.page_limit();
        let is_busy = |part: &&Part<R>| part.is_running() || part.is_streaming;
        let busy = self.queue.iter().skip(1).filter(is_busy).count();
        // One request is reserved for the front part.
        let mut free = (self.concurrency as usize - 1).saturating_sub(busy);
        let mut index = 0;
        while let Some(part) = self.queue.get_mut(index) {
            let is_front = index == 0;
            let needs_request = !is_front && !part.is_streaming;
            let may_start = if is_front {
                self.is_waiting && part.results.is_empty()
            } else {
                has_room && (free > 0 || !needs_request)
            };
            let starts = may_start && part.is_idle();
            free -= usize::from(starts && needs_request);
            // Only for an unknown number of rows, a request in flight is cut. Otherwise the cut could lie within its response,
            // and the rows after it would be requested twice. The last request is not cut: it returns a full response, however
            // wrong the estimate is.
            let is_unknown = part.density.or(self.density).is_none();
            let can_split = if is_unknown { starts || part.is_running() } else { starts && !part.is_streaming };
            if has_room && free > 0 && can_split {
                self.split(index, free);
            }
            if starts && let Some(part) = self.queue.get_mut(index) {
                works.extend(part.read_next());
            }
            index += 1;
        }
    }

    /// Processes the result of a request.
    fn complete(&mut self, output: WorkOutput<R>) {
        match output {
            WorkOutput::Rows(number, reader, result) => {
                if let Some(part) = self.queue.iter_mut().find(|part| part.number == number) {
                    part.complete(reader, result);
                    let estimate = self.density.map_or(0.0, |density| density / MAX_FALL);
                    self.density = part.density.map(|density| density.max(estimate)).or(self.density);
                }
            }
            WorkOutput::FirstRow(block) => self.first_row = block,
            WorkOutput::LastRow(block) => self.last_row = block,
        }
    }

    /// Whether [`deliver`](Self::deliver) may return something.
    fn can_deliver(&self) -> bool {
        self.queue.first().is_some_and(|part| !part.results.is_empty())
    }

    /// Returns the next rows, an error or the end of the range. `None` if they are not there yet.
    fn deliver(&mut self) -> Option<(Delivery, bool)> {
        loop {
            let is_last = self.queue.len() == 1;
            let front = self.queue.first_mut()?;
            if front.results.is_empty() {
                self.is_waiting = true;
                return None;
            }
            let (result, position) = front.results.remove(0);
            self.head_snapshot = position.head_snapshot.or(self.head_snapshot);
            if let Ok(Some(page)) = &result {
                front.buffered_rows -= page.rows.len() as u64;
            } else if matches!(result, Ok(None)) {
                if !is_last {
                    self.finished.append(position.report);
                    self.queue.remove(0);
                    continue;
                }
                if front.recheck_head(self.head_snapshot) {
                    continue;
                }
            }
            self.is_waiting = false;
            let is_end = matches!(result, Ok(None));
            return Some((self.create_delivery(result, position), is_end));
        }
    }

    /// Discards the parts, so that nothing more is requested.
    fn close(&mut self) {
        self.queue.clear();
    }
}

impl<R: Runtime> Parts<R> {
    pub(super) fn new(reader: RangeReader<R>) -> Self {
        Self {
            template: reader.create_sibling(),
            queue: vec![Part::new(0, Box::new(reader))],
            concurrency: DEFAULT_CONCURRENCY,
            last_number: 0,
            is_waiting: false,
            has_requested_edges: false,
            first_row: None,
            last_row: None,
            density: None,
            finished: RangeReport::default(),
            head_snapshot: None,
        }
    }

    pub(super) fn runtime(&self) -> &R {
        self.template.client.runtime()
    }

    /// Requests the blocks of the last and, with many concurrent requests, the first row.
    fn request_edges(&mut self, works: &mut Vec<Work<WorkOutput<R>>>) {
        let is_cautious = self.concurrency <= MAX_CAUTIOUS_REQUESTS;
        let is_truncated = self.queue.first().is_some_and(|part| part.is_truncated);
        if self.has_requested_edges || self.concurrency == 1 || (is_cautious && !is_truncated) {
            return;
        }
        self.has_requested_edges = true;
        let newest_first = self.template.planner.range.newest_first;
        let reader = self.template.create_sibling();
        works.push(Box::pin(async move { WorkOutput::LastRow(reader.find_first_block(!newest_first).await) }));
        self.finished.requests += 1;
        if !is_cautious {
            let reader = self.template.create_sibling();
            works.push(Box::pin(async move { WorkOutput::FirstRow(reader.find_first_block(newest_first).await) }));
            self.finished.requests += 1;
        }
    }

    /// Cuts the part at this index in two if that helps. `others` is the number of further requests that can start.
    fn split(&mut self, index: usize, others: usize) {
        let Some(end) = self.queue.get(index).and_then(|part| self.choose_end(part, others)) else { return };
        let reader = self.template.create_sibling();
        self.last_number += 1;
        if let Some(part) = self.queue.get_mut(index) {
            let next = part.split_after(end, self.last_number, Box::new(reader));
            self.queue.insert(index + 1, next);
        }
    }

    fn choose_end(&self, part: &Part<R>, others: usize) -> Option<u64> {
        let newest_first = self.template.planner.range.newest_first;
        let mut blocks = part.remaining?.up_to(self.last_row?, newest_first)?;
        let density = part.density.or(self.density);
        match self.first_row {
            Some(first_row) if blocks.contains(first_row) => blocks = blocks.starting_at(first_row, newest_first),
            None if density.is_none() => return None,
            _ => {}
        }
        let Part { response_limit, max_blocks, .. } = *part;
        Candidate { blocks, newest_first, density, response_limit, max_blocks }.choose_end(others as u64)
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
