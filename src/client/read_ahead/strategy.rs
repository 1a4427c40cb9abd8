//! [`Strategy`]: what lists and ranges do differently.

use std::future::Future;
use std::pin::Pin;

use super::part::{PageResult, Part, PartReader, Queue};
use crate::client::runtime::Runtime;

/// Decides where parts are cut, and whether a part is right.
pub(crate) trait Strategy: Sized + 'static {
    /// Reads a part.
    type Reader: PartReader;
    /// What is known about a part.
    type State;
    /// What is known after a page of a part.
    type Mark;
    /// What is known after the pages that were delivered.
    type Position;
    /// The result of a request that helps to cut.
    type Probe;

    /// When this many full pages for each of the concurrent requests are buffered or requested, no further request starts.
    const PAGES_AHEAD: u64;
    /// Whether the first page may be all that the caller wants, so that nothing is read ahead before the second is requested.
    const STARTS_WITH_ONE_PAGE: bool;

    fn runtime(&self) -> &impl Runtime;

    /// The most rows of a page.
    fn page_limit(&self) -> u64;

    /// Returns what is known after the result of a request.
    fn create_mark(&self, reader: &Self::Reader, result: &PageResult) -> Self::Mark;

    /// Processes the last result of the part at this index. It may discard parts.
    fn complete(&mut self, queue: &mut Queue<Self>, index: usize);

    /// Whether the part at this index has read all of its rows.
    fn is_complete(&self, parts: &[Part<Self>], index: usize) -> bool;

    /// Whether the part begins where it was cut, so that the last page of the part before it can be delivered.
    fn is_trusted(&self, _part: &Part<Self>) -> bool {
        true
    }

    /// Cuts the part at this index if it helps. A request for it is in flight, or starts (`starts`). With `free` requests left, it may
    /// return one that shows where to cut.
    fn cut(&mut self, _queue: &mut Queue<Self>, _index: usize, _starts: bool, _free: u32) -> Option<Work<Self>> {
        None
    }

    /// Processes the result of a request that [`cut`](Self::cut) returned.
    fn complete_probe(&mut self, _queue: &mut Queue<Self>, _probe: Self::Probe) {}

    /// Cuts a part in two for a request that no part needs. Returns the index of the new part.
    fn add_part(&mut self, _queue: &mut Queue<Self>) -> Option<usize> {
        None
    }

    /// Processes the end of a part whose pages were delivered. It is removed, unless it is the only one, which may read on.
    fn finish(&mut self, _part: &mut Part<Self>, _is_only: bool) {}

    /// Converts the next result of the front part for the caller. If that was the last of a complete part, the part is removed then.
    fn deliver(&mut self, parts: &[Part<Self>], result: PageResult, mark: Self::Mark) -> (PageResult, Self::Position);
}

/// A request in flight.
pub(crate) struct Work<S: Strategy> {
    /// The number of requests that it stands for.
    pub(crate) requests: u32,
    pub(crate) future: Pin<Box<dyn Future<Output = Output<S>>>>,
}

/// The result of a request.
pub(crate) enum Output<S: Strategy> {
    /// The part of this number has read its next page.
    Page(u64, Box<S::Reader>, PageResult),
    /// See [`Strategy::cut`].
    Probe(S::Probe),
}
