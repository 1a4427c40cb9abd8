//! Reads parts of a range of blocks at the same time, and delivers their rows in order. Start with [`ParallelReader`].
//!
//! # Parts
//!
//! A *part* is a run of consecutive blocks with a [`RangeReader`] of its own. At first there is one part: the whole range. The
//! `schedule` cuts a part in two when its request starts, so that one response holds the rows of the first part. The density of
//! the rows before shows where (`cut`). Where the density changes, or is known from one response only, a request for a single
//! row does (`probe`). Parts are disjoint and each reader returns each of its rows exactly once, so the order of delivery is
//! the order of the parts.
//!
//! - The *front* part is the one that is delivered. Free requests go to the parts nearest to it.
//! - Parts are read into buffers. Between the calls of the caller, a background task reads them.
//! - A part that fails stops. Its error is returned after the rows before it.
//! - A response that is shorter than one to another part is complete.
//!
//! # Resume tokens and reports
//!
//! The token after any row is the one that a [`RangeReader`] of the whole range returns there: all blocks that follow are
//! still to be read. The report covers the delivered rows.
//!
//! # Reorganisations
//!
//! The newest blocks are not read last, as they are in an ascending range without parts. The newest block of a range in parts
//! is therefore requested again at the end, in both orders.

mod cut;
mod part;
mod probe;
mod schedule;

use std::rc::Rc;

use self::schedule::Parts;
use super::{BatchState, RangeReader, RangeReport};
use crate::client::join::Join;
use crate::client::options::MAX_CONCURRENCY;
use crate::client::runtime::Runtime;
use crate::decode::FramePage;
use crate::error::Error;

/// Reads the rows of a range of blocks with up to two requests at the same time, unless another number is set.
///
/// Dropping it ends the requests. They continue while the caller handles rows. The rows that are read ahead are bounded: the
/// buffers hold at most 20,000 rows for each of the concurrent requests, with 10,000 rows for each request in flight.
#[derive(Debug)]
pub struct ParallelReader<R: Runtime> {
    join: Rc<Join<Parts<R>>>,
    is_started: bool,
    resume_token: Option<String>,
    is_partial: bool,
    continues_window: bool,
    report: RangeReport,
}

impl<R: Runtime> ParallelReader<R> {
    /// Reads the blocks of this reader.
    #[must_use]
    pub fn new(reader: RangeReader<R>) -> Self {
        let (resume_token, report) = (reader.resume_token(), reader.report().clone());
        let join = Join::new(Parts::new(reader));
        Self { join, is_started: false, resume_token, is_partial: false, continues_window: false, report }
    }

    /// Sets the maximum number of concurrent requests, from 1 to 10.
    #[must_use]
    pub fn with_concurrency(self, concurrency: u32) -> Self {
        self.join.schedule.borrow_mut().set_concurrency(concurrency.clamp(1, MAX_CONCURRENCY));
        self
    }

    /// Returns the next rows; see [`RangeReader::next`]. Dropping the future neither moves the reader nor ends its requests.
    ///
    /// # Errors
    /// The error of a request, with a resume token that continues after the rows that were returned.
    pub async fn next(&mut self) -> Result<Option<Box<FramePage>>, Error> {
        self.join.schedule.borrow_mut().retry();
        if !std::mem::replace(&mut self.is_started, true) {
            let parts = self.join.schedule.borrow();
            if parts.is_concurrent() {
                self.join.start_task(parts.runtime());
            }
        }
        let delivery = self.join.next().await;
        self.resume_token = delivery.resume_token;
        self.is_partial = delivery.is_partial;
        self.continues_window = delivery.continues_window;
        self.report = delivery.report;
        delivery.result.map_err(|mut error| {
            error.resume_token.clone_from(&self.resume_token);
            error
        })
    }

    /// Returns a report of how completely the range was read up to the rows that were returned.
    #[must_use]
    pub const fn report(&self) -> &RangeReport {
        &self.report
    }

    /// Returns a token that continues after the last rows that were returned. `None` before the first and after the last rows.
    #[must_use]
    pub fn resume_token(&self) -> Option<String> {
        self.resume_token.clone()
    }

    /// Returns what is known after the rows that [`next`](Self::next) returned last.
    #[must_use]
    pub fn batch_state(&self) -> BatchState<'_> {
        BatchState {
            resume_token: self.resume_token(),
            is_partial: self.is_partial,
            continues_window: self.continues_window,
            report: &self.report,
        }
    }
}
