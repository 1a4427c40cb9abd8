//! [`Part`]: a run of items, its pager, and its pages that were read ahead.

use crate::client::join::Work;
use crate::client::list::pager::Pager;
use crate::client::runtime::Runtime;
use crate::decode::{Cursor, FramePage};
use crate::error::Error;

pub(super) type PageResult = Result<Option<Box<FramePage>>, Error>;

/// The part of this number has read its next page.
pub(super) type WorkOutput<R> = (u64, Box<Pager<R>>, PageResult);

/// The position of items without a value, such as pending transactions. They come first.
const FIRST: u64 = u64::MAX;

/// Where a part begins that was cut from another one: its items are below this value.
#[derive(Debug)]
pub(super) struct Start {
    pub(super) value: u64,
    pub(super) cursor: Cursor,
    pub(super) resume_token: Option<String>,
}

/// A page or error that was not delivered yet.
#[derive(Debug)]
pub(super) struct Buffered {
    pub(super) result: PageResult,
    /// The value of each item.
    pub(super) values: Vec<u64>,
    /// Continues after the page. `None` at the end of the list.
    pub(super) resume_token: Option<String>,
}

impl Buffered {
    /// Removes the items of the part that starts here.
    pub(super) fn end_at(&mut self, start: &Start) {
        let Ok(Some(page)) = &mut self.result else { return };
        page.rows.truncate(self.values.partition_point(|value| *value >= start.value));
        page.next = Some(start.cursor.clone());
        page.cursor_error = None;
        self.resume_token.clone_from(&start.resume_token);
    }
}

/// What follows from a result.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Finding {
    /// The part can be read on.
    Continues,
    /// The list ends in this part.
    Ended,
    /// The part has failed.
    Failed,
    /// The items are not in the declared order.
    Unordered,
}

#[derive(Debug)]
pub(super) struct Part<R: Runtime> {
    pub(super) number: u64,
    /// `None` for the part that the list began with.
    pub(super) start: Option<Start>,
    /// `None` while a request is in flight.
    pager: Option<Box<Pager<R>>>,
    /// No further item is above this value.
    pub(super) lowest: u64,
    /// The value of the first item.
    pub(super) first: Option<u64>,
    /// An estimate of the values that a page covers. `None` before the first page.
    pub(super) span: Option<f64>,
    /// What was read. Only the last one can be an error.
    pub(super) results: Vec<Buffered>,
    /// Whether it has failed, or the list has ended.
    pub(super) is_stopped: bool,
}

impl<R: Runtime> Part<R> {
    pub(super) fn new(number: u64, pager: Pager<R>, start: Option<Start>, span: Option<f64>) -> Self {
        let lowest = start.as_ref().map_or(FIRST, |start| start.value.saturating_sub(1));
        let pager = Some(Box::new(pager));
        Self { number, start, pager, lowest, first: None, span, results: Vec::new(), is_stopped: false }
    }

    /// Whether a request is in flight.
    pub(super) const fn is_running(&self) -> bool {
        self.pager.is_none()
    }

    /// Whether the service has returned an item, so that the cursor of the start works.
    pub(super) const fn is_trusted(&self) -> bool {
        self.start.is_none() || self.first.is_some()
    }

    /// Finds the first buffered item below a value.
    pub(super) fn find_below(&self, limit: u64) -> Option<u64> {
        self.results.iter().flat_map(|buffered| &buffered.values).copied().find(|value| *value < limit)
    }

    /// The number of items that were read ahead.
    pub(super) fn count_buffered(&self) -> usize {
        self.results.iter().map(|buffered| buffered.values.len()).sum()
    }

    /// Returns a request for the next page.
    pub(super) fn read_next(&mut self) -> Option<Work<WorkOutput<R>>> {
        let (number, mut pager) = (self.number, self.pager.take()?);
        Some(Box::pin(async move {
            let result = pager.next().await;
            (number, pager, result)
        }))
    }

    /// Stores the result of a request. `field` is that of the value in an item.
    pub(super) fn complete(&mut self, pager: Box<Pager<R>>, mut result: PageResult, field: usize) -> Finding {
        let resume_token = pager.resume_token();
        self.pager = Some(pager);
        let (mut finding, mut values) = (Finding::Continues, Vec::new());
        match &mut result {
            Ok(Some(page)) => {
                values = read_values(page, field);
                if !values.is_sorted_by(|a, b| a >= b) || values.first().is_some_and(|first| *first > self.lowest) {
                    finding = Finding::Unordered;
                } else {
                    if resume_token.is_none() {
                        finding = Finding::Ended;
                    }
                    self.measure(&values);
                }
            }
            Ok(None) => finding = Finding::Ended,
            Err(_) => finding = Finding::Failed,
        }
        self.is_stopped = matches!(finding, Finding::Ended | Finding::Failed);
        self.results.push(Buffered { result, values, resume_token });
        finding
    }

    /// Reads on if the last request has failed.
    pub(super) fn retry(&mut self) {
        if self.results.last().is_none_or(|buffered| buffered.result.is_err()) {
            self.results.pop();
            self.is_stopped = false;
        }
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

/// Reads the value of each item.
fn read_values(page: &FramePage, field: usize) -> Vec<u64> {
    let value = |row: &u32| page.frame.integer(page.frame.get(*row as usize + field)).unwrap_or(FIRST);
    page.rows.iter().map(value).collect()
}
