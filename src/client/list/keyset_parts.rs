//! [`KeysetParts`]: cuts a list in the order of a [`Keyset`] into parts.
//!
//! A cursor for a position further down is synthesized from a cursor of the service. An item belongs to a part by the integer that the
//! list is sorted by, usually its block, so that all items of a block are in the same part.
//!
//! - A part ends where the next one begins. The page that reaches the next part is shortened. It shows whether the next part
//!   began with the right item.
//! - A synthesized cursor is trusted only after a page with items below its position. Otherwise the part is discarded, and the one
//!   before it continues. This also happens where the list has no further items, and where the service refuses the cursor.
//! - If the items are not in the declared order, no further parts are split off, and the rest of the list is read without parts.
//! - If bad records were omitted from a page where two parts meet, their positions are unknown. The parts are then joined again.
//!
//! New items appear before the first page. A reorganisation can repeat or drop items between two pages, as without parts.

use std::convert::Infallible;
use std::future::Future;

use super::pager::{ListPage, Pager};
use crate::client::read_ahead::{PageResult, Part, PartQueue, PartReader, Strategy};
use crate::client::runtime::Runtime;
use crate::decode::{Cursor, FramePage};
use crate::endpoint::Keyset;

/// The expected number of pages of a part. The last page is expected to be half full: the page that reaches the next part
/// is requested in any case.
const PART_PAGES: f64 = 6.5;

/// A part with fewer expected pages is not cut.
const MIN_PAGES: f64 = 2.0;

/// The most items of a page.
const PAGE_LIMIT: u64 = 50;

/// The position of items without a value, such as pending transactions. They come first.
pub(super) const FIRST: u64 = u64::MAX;

/// The start of a part that was split off: its items are below this value.
struct Start {
    value: u64,
    cursor: Cursor,
}

/// A part of a list.
pub(super) struct Items {
    /// `None` for the part that the list began with.
    start: Option<Start>,
    /// No further item is above this value.
    lowest: u64,
    /// The value of the first item.
    first: Option<u64>,
    /// An estimate of the values that a page covers. `None` before the first page.
    span: Option<f64>,
}

impl Items {
    pub(super) const ALL: Self = Self { start: None, lowest: FIRST, first: None, span: None };

    /// Whether the service has returned an item, which proves that the cursor of the start works.
    const fn is_trusted(&self) -> bool {
        self.start.is_none() || self.first.is_some()
    }

    /// Updates the estimate from the values of a page.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    fn measure(&mut self, values: &[u64]) {
        let Some(&last) = values.last() else { return };
        let above = Some(self.lowest).filter(|lowest| *lowest != FIRST);
        let above = above.or_else(|| values.iter().copied().find(|value| *value != FIRST)).unwrap_or(FIRST);
        if last != FIRST {
            let covered = ((above - last) as f64).max(1.0);
            self.span = Some(self.span.map_or(covered, |span| f64::midpoint(span, covered)));
        }
        self.lowest = last;
        self.first = self.first.or_else(|| values.first().copied());
    }
}

/// Cuts the longest part of a list, and discards parts that began at the wrong item.
pub(super) struct KeysetParts<R: Runtime> {
    keyset: Keyset,
    /// Creates the pagers of parts. It reads nothing itself.
    template: Pager<R>,
    /// A cursor of the service. The cursors of parts are made from it.
    cursor: Option<Cursor>,
    /// The list has no items below this value, as far as known.
    floor: u64,
    is_cuttable: bool,
}

impl<R: Runtime> PartReader for Pager<R> {
    type Page = ListPage;

    fn next(&mut self) -> impl Future<Output = PageResult<ListPage>> {
        Self::next(self)
    }
}

impl<R: Runtime> Strategy for KeysetParts<R> {
    type Reader = Pager<R>;
    type PartState = Items;
    /// The value of each item of the page.
    type Checkpoint = Vec<u64>;
    type Delivery = PageResult<ListPage>;
    type ProbeResult = Infallible;

    const PAGES_AHEAD: u64 = 10;
    const STARTS_WITH_ONE_PAGE: bool = true;

    fn runtime(&self) -> &impl Runtime {
        self.template.client.runtime()
    }

    fn page_limit(&self) -> u64 {
        PAGE_LIMIT
    }

    fn create_checkpoint(&self, _: &Pager<R>, result: &PageResult<ListPage>) -> Vec<u64> {
        result
            .iter()
            .flatten()
            .next()
            .map_or_else(Vec::new, |ListPage { page, .. }| read_values(self.keyset.field, page))
    }

    fn complete(&mut self, queue: &mut PartQueue<Self>, index: usize) {
        let Some(Part { results, state, .. }) = queue.parts.get_mut(index) else { return };
        let Some((result, values)) = results.last() else { return };
        let page = result.as_ref().ok().and_then(Option::as_ref);
        let cursor = page.and_then(|ListPage { page, .. }| page.next.as_ref()?.with_position(self.keyset.keys, 1));
        self.cursor = cursor.or(self.cursor.take());
        let has_bad_records = page.is_some_and(|ListPage { page, .. }| !page.bad_records.is_empty());
        let was_trusted = state.is_trusted();
        let is_ordered =
            values.is_sorted_by(|a, b| a >= b) && values.first().is_none_or(|first| *first <= state.lowest);
        let has_ended = is_ordered && result.is_ok() && page.is_none_or(|page| page.resume.is_none());
        // Pages without items may precede those that show whether the cursor works.
        let is_doubtful = has_bad_records || !is_ordered || result.is_err() || (has_ended && values.is_empty());
        if has_ended {
            self.floor = self.floor.max(values.last().copied().unwrap_or(state.lowest));
        }
        if is_ordered {
            state.measure(values);
        } else {
            self.is_cuttable = false;
            queue.discard_after(index);
        }
        if !was_trusted && is_doubtful {
            self.is_cuttable &= has_ended;
            queue.discard(index);
        } else if has_ended {
            queue.discard_after(index);
        } else {
            while has_bad_records && self.is_complete(&queue.parts, index) {
                queue.discard(index + 1);
            }
        }
        self.discard_mismatched_parts(queue);
    }

    fn is_complete(&self, parts: &[Part<Self>], index: usize) -> bool {
        parts.get(index).is_some_and(|part| part.state.lowest < find_end(parts, index).unwrap_or(0))
    }

    fn is_trusted(&self, part: &Part<Self>) -> bool {
        part.state.is_trusted()
    }

    /// Cuts the longest part.
    fn add_part(&mut self, queue: &mut PartQueue<Self>) -> Option<usize> {
        if !self.is_cuttable {
            return None;
        }
        let pages = |index: &usize| self.estimate_pages(&queue.parts, *index).unwrap_or(0.0);
        let index = (0..queue.parts.len()).rev().max_by(|a, b| pages(a).total_cmp(&pages(b)))?;
        let value = self.choose_value(&queue.parts, index)?;
        let cursor = self.cursor.as_ref()?.with_position(self.keyset.keys, value)?;
        let pager = self.template.create_sibling(cursor.clone());
        let start = Start { value, cursor };
        let span = queue.parts.get(index)?.state.span;
        let state = Items { start: Some(start), lowest: value.saturating_sub(1), first: None, span };
        queue.insert(index + 1, Box::new(pager), state);
        Some(index + 1)
    }

    /// Removes the items of the next part from the last page of a part.
    fn deliver(
        &mut self,
        parts: &[Part<Self>],
        mut result: PageResult<ListPage>,
        values: Vec<u64>,
    ) -> PageResult<ListPage> {
        if parts.first().is_some_and(|front| front.results.is_empty())
            && self.is_complete(parts, 0)
            && let Some(start) = find_start(parts, 1)
            && let Ok(Some(ListPage { page, resume })) = &mut result
        {
            page.rows.truncate(values.partition_point(|value| *value >= start.value));
            page.next = Some(start.cursor.clone());
            page.cursor_error = None;
            *resume = Some(self.template.resume_point_at(start.cursor.clone()));
        }
        result
    }
}

impl<R: Runtime> KeysetParts<R> {
    /// Cuts the list that this pager reads.
    pub(super) fn new(keyset: Keyset, pager: &Pager<R>) -> Self {
        let template = pager.create_sibling(Cursor::default());
        Self { keyset, template, cursor: None, floor: 0, is_cuttable: true }
    }

    /// Discards parts that do not begin with the item that the part before them has reached.
    fn discard_mismatched_parts(&mut self, queue: &mut PartQueue<Self>) {
        let mut index = 0;
        while let (Some(part), Some(next)) = (queue.parts.get(index), queue.parts.get(index + 1)) {
            let start = next.state.start.as_ref().map_or(0, |start| start.value);
            // The first item of the next part that this part has read.
            let values = || part.results.iter().flat_map(|(_, values)| values).copied();
            if self.is_complete(&queue.parts, index)
                && next.state.is_trusted()
                && values().find(|value| *value < start) != next.state.first
            {
                self.is_cuttable = false;
                queue.discard(index + 1);
            } else {
                index += 1;
            }
        }
    }

    /// Estimates the pages that a part still has after the request in flight.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    fn estimate_pages(&self, parts: &[Part<Self>], index: usize) -> Option<f64> {
        let part = parts.get(index).filter(|part| !part.is_stopped)?;
        let end = find_end(parts, index).unwrap_or(self.floor);
        let values = part.state.lowest.checked_sub(end)?;
        Some(values as f64 / part.state.span? - f64::from(u8::from(part.is_running())))
    }

    /// Chooses the value at which a part is cut.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
    fn choose_value(&self, parts: &[Part<Self>], index: usize) -> Option<u64> {
        let part = parts.get(index)?;
        let pages = self.estimate_pages(parts, index).filter(|pages| *pages >= MIN_PAGES)?;
        let length = PART_PAGES.min(pages / 2.0) + f64::from(u8::from(part.is_running()));
        // Above the end of the part, because the length is at most two thirds of it.
        Some(part.state.lowest.saturating_sub((length * part.state.span?) as u64))
    }
}

/// Reads an integer field of each item of a page.
pub(super) fn read_values(field: usize, page: &FramePage) -> Vec<u64> {
    let value = |row: &u32| page.frame.integer(page.frame.get(*row as usize + field));
    page.rows.iter().map(|row| value(row).unwrap_or(FIRST)).collect()
}

/// The start of the part at this index, if it was split off.
fn find_start<R: Runtime>(parts: &[Part<KeysetParts<R>>], index: usize) -> Option<&Start> {
    parts.get(index)?.state.start.as_ref()
}

/// The value at which the part after this index begins.
fn find_end<R: Runtime>(parts: &[Part<KeysetParts<R>>], index: usize) -> Option<u64> {
    Some(find_start(parts, index + 1)?.value)
}
