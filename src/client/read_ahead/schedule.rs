//! [`Schedule`]: decides which requests start, and puts the pages of the parts in order.

use super::strategy::{Output, Part, PartQueue, PartReader, Strategy, Work, count_rows};

/// Whether the caller has received a page, and whether reading ahead has begun.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ReadAheadPhase {
    BeforeFirstPage,
    AfterFirstPage,
    ReadingAhead,
}

/// The parts, and the strategy that cuts them.
pub(super) struct Schedule<S: Strategy> {
    pub(super) strategy: S,
    pub(super) queue: PartQueue<S>,
    phase: ReadAheadPhase,
}

impl<S: Strategy> Schedule<S> {
    pub(super) const fn new(strategy: S, queue: PartQueue<S>) -> Self {
        let phase =
            if S::STARTS_WITH_ONE_PAGE { ReadAheadPhase::BeforeFirstPage } else { ReadAheadPhase::AfterFirstPage };
        Self { strategy, queue, phase }
    }

    /// Prepares for the caller to wait for a page. After an error, the failed requests are repeated. Returns whether reading ahead
    /// begins.
    pub(super) fn prepare_next(&mut self) -> bool {
        if self.queue.parts.first().is_some_and(|front| front.is_stopped && front.results.is_empty()) {
            self.queue.parts.iter_mut().for_each(Part::retry);
        }
        let begins = self.phase == ReadAheadPhase::AfterFirstPage && self.queue.concurrency > 1;
        if begins {
            self.phase = ReadAheadPhase::ReadingAhead;
        }
        begins
    }

    /// Starts the requests that are possible now.
    pub(super) fn start(&mut self, works: &mut Vec<Work<S>>) {
        let parts = &self.queue.parts;
        let limit = if self.phase == ReadAheadPhase::ReadingAhead { self.queue.concurrency } else { 1 };
        let streaming = parts.iter().map(|part| u32::from(part.is_streaming && !part.is_running()));
        let mut free = limit.saturating_sub(works.iter().map(|work| work.requests).chain(streaming).sum());
        let page = self.strategy.page_limit();
        let ahead: u64 = parts.iter().map(Part::rows_ahead).sum();
        let mut room = (S::PAGES_AHEAD * u64::from(limit)).saturating_sub(ahead.div_ceil(page));
        // The caller may wait for this part, even if the rows of other parts fill the buffers.
        let needed = (0..parts.len()).find(|index| !self.is_complete(*index)).filter(|_| !self.can_deliver());
        let mut index = 0;
        while let Some(part) = self.queue.parts.get(index) {
            let (is_running, is_streaming) = (part.is_running(), part.is_streaming);
            let is_idle = !is_running && !part.is_stopped && !self.is_complete(index);
            let starts = is_idle && !is_streaming && free > 0 && (room > 0 || needed == Some(index));
            if starts {
                (free, room) = (free - 1, room.saturating_sub(1));
            }
            if (starts || is_running)
                && let Some(work) = self.strategy.cut(&mut self.queue, index, starts, free)
            {
                free = free.saturating_sub(work.requests);
                works.push(work);
            }
            if starts || (is_idle && is_streaming) {
                works.extend(self.read(index));
            }
            index += 1;
        }
        for _ in 0..room.min(free.into()) {
            let Some(index) = self.strategy.add_part(&mut self.queue) else { return };
            works.extend(self.read(index));
        }
    }

    /// Processes the result of a request.
    pub(super) fn complete(&mut self, output: Output<S>) {
        let (number, reader, result) = match output {
            Output::Page(number, reader, result) => (number, reader, result),
            Output::Probe(probe) => return self.strategy.complete_probe(&mut self.queue, probe),
        };
        // The part may have been discarded.
        let Some(index) = self.queue.parts.iter().position(|part| part.number == number) else { return };
        let Some(part) = self.queue.parts.get_mut(index) else { return };
        let checkpoint = self.strategy.create_checkpoint(&reader, &result);
        part.is_streaming = reader.is_streaming();
        part.expected_rows = if part.is_streaming { part.expected_rows.saturating_sub(count_rows(&result)) } else { 0 };
        part.reader = Some(reader);
        // Other parts may follow.
        if !matches!(result, Ok(None)) || !self.is_complete(index) {
            let Some(part) = self.queue.parts.get_mut(index) else { return };
            part.is_stopped = !matches!(result, Ok(Some(_)));
            part.results.push((result, checkpoint));
        }
        self.strategy.complete(&mut self.queue, index);
    }

    /// Returns what the caller receives next, and whether it is the end. `None` if the caller must wait for it.
    pub(super) fn deliver(&mut self) -> Option<(S::Delivery, bool)> {
        self.finish_parts(true);
        if !self.can_deliver() {
            return None;
        }
        let (mut result, checkpoint) = self.queue.parts.first_mut()?.results.remove(0);
        if let Ok(Some(page)) = &mut result {
            page.as_mut().drift.append(&mut self.queue.drift);
            if self.phase == ReadAheadPhase::BeforeFirstPage {
                self.phase = ReadAheadPhase::AfterFirstPage;
            }
        }
        let is_end = matches!(result, Ok(None));
        let delivery = self.strategy.deliver(&self.queue.parts, result, checkpoint);
        self.finish_parts(false);
        Some((delivery, is_end))
    }

    /// Finishes the parts that were delivered, which removes them. A part without others stays: with `finishes_only` it
    /// is finished, too, and may continue.
    fn finish_parts(&mut self, finishes_only: bool) {
        while self.queue.parts.first().is_some_and(|front| front.results.is_empty()) && self.is_complete(0) {
            let is_only = self.queue.parts.len() == 1;
            if is_only && !finishes_only {
                return;
            }
            if let Some(front) = self.queue.parts.first_mut() {
                self.strategy.finish(front, is_only);
            }
            if is_only {
                return;
            }
            self.queue.parts.remove(0);
        }
    }

    fn is_complete(&self, index: usize) -> bool {
        self.strategy.is_complete(&self.queue.parts, index)
    }

    /// Whether the caller can get the first result that was read.
    fn can_deliver(&self) -> bool {
        let count = self.queue.parts.first().map_or(0, |front| front.results.len());
        // The end of the last page of a part is known only when the next part is trusted.
        let is_last_page = count == 1 && self.is_complete(0);
        count > 0 && (!is_last_page || self.queue.parts.get(1).is_none_or(|next| self.strategy.is_trusted(next)))
    }

    /// Returns a request for the next page of a part.
    fn read(&mut self, index: usize) -> Option<Work<S>> {
        let part = self.queue.parts.get_mut(index)?;
        if !part.is_streaming {
            part.expected_rows = self.strategy.page_limit();
        }
        let (number, mut reader) = (part.number, part.reader.take()?);
        let future = Box::pin(async move {
            let result = reader.next().await;
            Output::Page(number, reader, result)
        });
        Some(Work { requests: 1, future })
    }
}
