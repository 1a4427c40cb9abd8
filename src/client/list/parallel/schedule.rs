//! [`Parts`]: decides which parts are read and where they are cut, and joins their pages in order.

use std::ops::RangeBounds;

use super::part::{Finding, PageResult, Part, Start, WorkOutput};
use crate::client::join::{Schedule, Work};
use crate::client::list::pager::Pager;
use crate::client::runtime::Runtime;
use crate::decode::{Cursor, Drift};
use crate::endpoint::{Keyset, List};

/// The expected number of pages of a part. The last page is expected to be half full: the page that reaches the next part
/// is requested in any case.
const PART_PAGES: f64 = 6.5;

/// A part with fewer expected pages is not cut.
const MIN_PAGES: f64 = 2.0;

/// When this many items for each of the concurrent requests are buffered, no request further down starts.
const MAX_BUFFERED_ITEMS: usize = 500;

/// How far the caller has read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Progress {
    Started,
    /// A page was delivered. It may be all that the caller wants.
    HasPage,
    /// The caller has asked for another page.
    ReadsAhead,
}

/// The parts of a list.
#[derive(Debug)]
pub(super) struct Parts<R: Runtime> {
    /// In order of delivery. The first one is the front part.
    queue: Vec<Part<R>>,
    keyset: Keyset,
    /// The field of the keyset in an item.
    field: usize,
    concurrency: usize,
    /// Creates the pagers of parts. It reads nothing itself.
    template: Pager<R>,
    /// A cursor of the service. The cursors of parts are made from it.
    cursor: Option<Cursor>,
    last_number: u64,
    /// The list has no items below this value, as far as known.
    floor: u64,
    is_cuttable: bool,
    /// Whether the caller waits for a page.
    is_waiting: bool,
    progress: Progress,
    /// Drift in pages that were discarded.
    drift: Vec<Drift>,
}

impl<R: Runtime> Schedule for Parts<R> {
    type Output = WorkOutput<R>;
    type Delivery = (PageResult, Option<String>);

    fn start(&mut self, works: &mut Vec<Work<WorkOutput<R>>>) {
        if self.is_waiting && works.is_empty() {
            // Regardless of the buffers, because the caller may need this page.
            works.extend(self.read_first_idle(self.queue.len()));
        }
        while self.progress == Progress::ReadsAhead && works.len() < self.concurrency {
            let near = self.count_near_parts();
            let Some(work) = self.read_first_idle(near).or_else(|| self.cut(near)) else { break };
            works.push(work);
        }
    }

    fn complete(&mut self, (number, pager, result): WorkOutput<R>) {
        let Some(index) = self.queue.iter().position(|part| part.number == number) else { return };
        let Some(part) = self.queue.get_mut(index) else { return };
        if let Ok(Some(page)) = &result {
            let cursor = page.next.as_ref().and_then(|cursor| cursor.with_position(self.keyset.keys, 1));
            self.cursor = cursor.or(self.cursor.take());
        }
        let was_trusted = part.is_trusted();
        let has_bad_rows = matches!(&result, Ok(Some(page)) if !page.bad_rows.is_empty());
        let finding = part.complete(pager, result, self.field);
        let is_trusted = part.is_trusted();
        match finding {
            Finding::Continues | Finding::Failed => {}
            Finding::Ended => self.floor = self.floor.max(part.lowest),
            Finding::Unordered => {
                self.is_cuttable = false;
                self.discard(index + 1..);
            }
        }
        // Pages without items may precede those that show whether the cursor works.
        let is_doubtful = has_bad_rows || finding != Finding::Continues && !(finding == Finding::Ended && is_trusted);
        if !was_trusted && is_doubtful {
            self.is_cuttable &= finding == Finding::Ended;
            self.discard(index..=index);
        } else if finding == Finding::Ended {
            self.discard(index + 1..);
        } else {
            while has_bad_rows && self.has_reached_next(index) {
                self.discard(index + 1..=index + 1);
            }
        }
        self.discard_mismatched_parts();
    }

    fn deliver(&mut self) -> Option<((PageResult, Option<String>), bool)> {
        self.is_waiting = !self.can_deliver();
        if self.is_waiting {
            return None;
        }
        let front = self.queue.first_mut()?;
        let mut buffered = front.results.remove(0);
        if front.results.is_empty() && self.has_reached_next(0) {
            self.queue.remove(0);
            if let Some(start) = self.queue.first().and_then(|next| next.start.as_ref()) {
                buffered.end_at(start);
            }
        }
        if let Ok(Some(page)) = &mut buffered.result {
            page.drift.append(&mut self.drift);
            if self.progress == Progress::Started {
                self.progress = Progress::HasPage;
            }
        }
        let is_end = matches!(buffered.result, Ok(None));
        Some(((buffered.result, buffered.resume_token), is_end))
    }
}

impl<R: Runtime> Parts<R> {
    pub(super) fn new(list: &List, keyset: Keyset, pager: Pager<R>, concurrency: u32) -> Self {
        let field = list.layout.row.find_field(keyset.field.as_bytes()).map_or(0, |(field, _)| field);
        Self {
            template: pager.create_sibling(Cursor::default()),
            queue: vec![Part::new(0, pager, None, None)],
            keyset,
            field,
            concurrency: concurrency as usize,
            cursor: None,
            last_number: 0,
            floor: 0,
            is_cuttable: true,
            is_waiting: false,
            progress: Progress::Started,
            drift: Vec::new(),
        }
    }

    pub(super) fn runtime(&self) -> &R {
        self.template.runtime()
    }

    /// Prepares for the caller to wait for a page. After an error, the failed requests are repeated. Returns whether reading ahead
    /// begins.
    pub(super) fn prepare_next(&mut self) -> bool {
        if self.queue.first().is_some_and(|front| front.is_stopped && front.results.is_empty()) {
            self.queue.iter_mut().for_each(Part::retry);
        }
        let begins = self.progress == Progress::HasPage;
        if begins {
            self.progress = Progress::ReadsAhead;
        }
        begins
    }

    /// Returns a request for the first of the first `near` parts that can be read on.
    fn read_first_idle(&mut self, near: usize) -> Option<Work<WorkOutput<R>>> {
        let index = (0..near).find(|index| self.is_idle(*index))?;
        self.queue.get_mut(index)?.read_next()
    }

    /// Whether the part of this index can be read on.
    fn is_idle(&self, index: usize) -> bool {
        let can_read = |part: &Part<R>| !part.is_running() && !part.is_stopped;
        self.queue.get(index).is_some_and(can_read) && !self.has_reached_next(index)
    }

    /// Whether the part of this index has read an item of the next part, so that it is complete.
    fn has_reached_next(&self, index: usize) -> bool {
        self.queue.get(index).is_some_and(|part| part.lowest < self.end_of(index).unwrap_or(0))
    }

    /// Discards parts that do not begin with the item that the part before them has reached.
    fn discard_mismatched_parts(&mut self) {
        let mut index = 0;
        while let (Some(part), Some(next)) = (self.queue.get(index), self.queue.get(index + 1)) {
            let start = next.start.as_ref().map_or(0, |start| start.value);
            if self.has_reached_next(index) && next.is_trusted() && part.find_below(start) != next.first {
                self.is_cuttable = false;
                self.discard(index + 1..=index + 1);
            } else {
                index += 1;
            }
        }
    }

    /// Whether the caller can get the first page or error that was read.
    fn can_deliver(&self) -> bool {
        let count = self.queue.first().map_or(0, |front| front.results.len());
        // It is known where the page that reaches the next part ends only when that part is trusted.
        let is_shared = count == 1 && self.has_reached_next(0);
        count > 0 && (!is_shared || self.queue.get(1).is_some_and(Part::is_trusted))
    }

    /// The value at which the next part starts.
    fn end_of(&self, index: usize) -> Option<u64> {
        Some(self.queue.get(index + 1)?.start.as_ref()?.value)
    }

    /// The number of parts at the front before the buffers are full.
    fn count_near_parts(&self) -> usize {
        let mut room = self.concurrency * MAX_BUFFERED_ITEMS;
        let is_near = |part: &&Part<R>| {
            let has_room = room > 0;
            room = room.saturating_sub(part.count_buffered());
            has_room
        };
        self.queue.iter().take_while(is_near).count()
    }

    /// Cuts the longest of the first `near` parts in two. Returns a request for the new part, or `None` if none is long enough.
    fn cut(&mut self, near: usize) -> Option<Work<WorkOutput<R>>> {
        if !self.is_cuttable {
            return None;
        }
        let pages = |index: &usize| self.estimate_pages(*index).unwrap_or(0.0);
        let index = (0..near).rev().max_by(|a, b| pages(a).total_cmp(&pages(b)))?;
        let value = self.choose_value(index)?;
        let cursor = self.cursor.as_ref()?.with_position(self.keyset.keys, value)?;
        let pager = self.template.create_sibling(cursor.clone());
        self.last_number += 1;
        let start = Start { value, cursor, resume_token: pager.resume_token() };
        let span = self.queue.get(index)?.span;
        let mut part = Part::new(self.last_number, pager, Some(start), span);
        let work = part.read_next();
        self.queue.insert(index + 1, part);
        work
    }

    /// Estimates the pages that a part still has after the request in flight.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    fn estimate_pages(&self, index: usize) -> Option<f64> {
        let part = self.queue.get(index).filter(|part| !part.is_stopped)?;
        let end = self.end_of(index).unwrap_or(self.floor);
        let values = part.lowest.checked_sub(end)?;
        Some(values as f64 / part.span? - f64::from(u8::from(part.is_running())))
    }

    /// Chooses the value at which a part is cut.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
    fn choose_value(&self, index: usize) -> Option<u64> {
        let part = self.queue.get(index)?;
        let pages = self.estimate_pages(index).filter(|pages| *pages >= MIN_PAGES)?;
        let length = PART_PAGES.min(pages / 2.0) + f64::from(u8::from(part.is_running()));
        // Above the end of the part, because the length is at most two thirds of it.
        Some(part.lowest.saturating_sub((length * part.span?) as u64))
    }

    /// Removes parts. The part before them reads on to the part after them.
    fn discard(&mut self, parts: impl RangeBounds<usize>) {
        for part in self.queue.drain(parts) {
            for page in part.results.into_iter().flat_map(|buffered| buffered.result).flatten() {
                self.drift.extend(page.drift);
            }
        }
    }
}
