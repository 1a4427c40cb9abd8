//! Reads several parts of a list or range concurrently, and delivers their pages in order. Start with [`ReadAhead`].
//!
//! # Parts
//!
//! A *part* is a run of consecutive rows, with its own reader. At first the whole list or range is one part. While the
//! number of requests in flight is below the maximum, parts are cut in two. The [`Strategy`] decides where, and whether
//! a part begins at the right row: `list` has a strategy for lists in the order of a keyset, `range` one for ranges of
//! blocks.
//!
//! - The *front* part is the one that is delivered. The parts closest to it are read first.
//! - Parts are read into buffers, which are bounded. Between the calls of the caller, a background task reads them (`join`).
//! - A part that fails stops. Its error is returned after the rows before it. The next call continues it.

mod join;
mod schedule;
mod strategy;

use std::fmt;
use std::rc::Rc;

pub(super) use self::strategy::{Output, PageResult, Part, PartQueue, PartReader, Strategy, Work};

use self::join::Join;
use self::schedule::Schedule;
use super::options::MAX_CONCURRENCY;

/// Reads several parts of a list or range concurrently. Dropping it ends the requests, which otherwise continue while
/// the caller handles rows.
pub(super) struct ReadAhead<S: Strategy> {
    join: Rc<Join<S>>,
}

impl<S: Strategy> fmt::Debug for ReadAhead<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ReadAhead")
    }
}

impl<S: Strategy> ReadAhead<S> {
    /// Reads the rows of this reader with up to this many concurrent requests.
    pub(super) fn new(strategy: S, reader: Box<S::Reader>, state: S::PartState, concurrency: u32) -> Self {
        let reader = Self { join: Join::new(Schedule::new(strategy, PartQueue::new(reader, state))) };
        reader.set_concurrency(concurrency);
        reader
    }

    /// Sets the maximum number of concurrent requests, from 1 to [`MAX_CONCURRENCY`].
    pub(super) fn set_concurrency(&self, concurrency: u32) {
        self.join.schedule.borrow_mut().queue.concurrency = concurrency.clamp(1, MAX_CONCURRENCY);
    }

    /// Returns the next page, or the end. After an error, the failed requests are repeated. Dropping the future
    /// neither moves the reader nor ends its requests.
    pub(super) async fn next(&mut self) -> S::Delivery {
        if self.join.schedule.borrow_mut().prepare_next() {
            self.join.start_task();
        }
        self.join.next().await
    }
}
