//! [`Strategy`]: how lists and ranges are cut into parts. [`Part`] and [`PartQueue`]: the parts.

use std::future::Future;
use std::pin::Pin;

use crate::client::runtime::Runtime;
use crate::decode::{Drift, FramePage};
use crate::error::Error;

/// Decides where parts are cut, and whether a part begins at the right row.
pub(crate) trait Strategy: Sized + 'static {
    /// Reads a part.
    type Reader: PartReader;
    /// The strategy's state of a part.
    type PartState;
    /// The state after a page of a part.
    type Checkpoint;
    /// A delivery to the caller: a page, an error or the end, with the state after it.
    type Delivery;
    /// The result of a request that finds where to cut.
    type ProbeResult;

    /// No further request starts while this many full pages per concurrent request are buffered or requested.
    const PAGES_AHEAD: u64;
    /// Whether the first page may be all that the caller wants, so that nothing is read ahead before the second is requested.
    const STARTS_WITH_ONE_PAGE: bool;

    /// Runs the background task.
    fn runtime(&self) -> &impl Runtime;

    /// Maximum number of rows on a page.
    fn page_limit(&self) -> u64;

    /// Returns the checkpoint after the result of a request.
    fn create_checkpoint(&self, reader: &Self::Reader, result: &PageResult<PageOf<Self>>) -> Self::Checkpoint;

    /// Processes the last result of the part at this index. It may discard parts.
    fn complete(&mut self, queue: &mut PartQueue<Self>, index: usize);

    /// Whether the part at this index has read all of its rows.
    fn is_complete(&self, parts: &[Part<Self>], index: usize) -> bool;

    /// Whether the part begins where it was cut, so that the last page of the part before it can be delivered.
    fn is_trusted(&self, _part: &Part<Self>) -> bool {
        true
    }

    /// Cuts the part at this index if it helps. A request for it is in flight, or starts (`starts`). With `free` requests left, it may
    /// return one that shows where to cut.
    fn cut(&mut self, _queue: &mut PartQueue<Self>, _index: usize, _starts: bool, _free: u32) -> Option<Work<Self>> {
        None
    }

    /// Processes the result of a request that [`cut`](Self::cut) returned.
    fn complete_probe(&mut self, _queue: &mut PartQueue<Self>, _probe: Self::ProbeResult) {}

    /// Cuts a part in two for a request that no part needs. Returns the index of the new part.
    fn add_part(&mut self, _queue: &mut PartQueue<Self>) -> Option<usize> {
        None
    }

    /// Processes the end of a part whose pages were delivered. The part is removed, unless it is the only one, which
    /// may continue.
    fn finish(&mut self, _part: &mut Part<Self>, _is_only: bool) {}

    /// Converts the next result of the front part for the caller. The part is removed after the last result, if it is
    /// complete.
    fn deliver(
        &mut self,
        parts: &[Part<Self>],
        result: PageResult<PageOf<Self>>,
        checkpoint: Self::Checkpoint,
    ) -> Self::Delivery;
}

/// A request in flight.
pub(crate) struct Work<S: Strategy> {
    /// Number of requests that it counts as.
    pub(crate) requests: u32,
    pub(crate) future: Pin<Box<dyn Future<Output = Output<S>>>>,
}

/// The result of a request.
pub(crate) enum Output<S: Strategy> {
    /// The part with this number has read its next page.
    Page(u64, Box<S::Reader>, PageResult<PageOf<S>>),
    /// See [`Strategy::cut`].
    Probe(S::ProbeResult),
}

/// The next page of a part. `Ok(None)` at its end.
pub(crate) type PageResult<P> = Result<Option<P>, Error>;

/// The pages of a strategy's parts.
type PageOf<S> = <<S as Strategy>::Reader as PartReader>::Page;

/// Reads a part page by page.
pub(crate) trait PartReader: 'static {
    /// A page.
    type Page: AsRef<FramePage> + AsMut<FramePage>;

    /// Reads the next page.
    fn next(&mut self) -> impl Future<Output = PageResult<Self::Page>>;

    /// Whether the next page is in the response to the last request, which is still arriving.
    fn is_streaming(&self) -> bool {
        false
    }
}

/// A run of consecutive rows.
pub(crate) struct Part<S: Strategy> {
    pub(crate) number: u64,
    /// `None` while a request is in flight.
    pub(crate) reader: Option<Box<S::Reader>>,
    /// Results that were not delivered yet. Only the last one can be an error or the end.
    pub(crate) results: Vec<(PageResult<PageOf<S>>, S::Checkpoint)>,
    /// Maximum number of rows still to be received from the request in flight.
    pub(super) expected_rows: u64,
    /// Whether it has failed or read everything.
    pub(crate) is_stopped: bool,
    /// Whether a response is still arriving.
    pub(crate) is_streaming: bool,
    /// The strategy's state of the part.
    pub(crate) state: S::PartState,
}

impl<S: Strategy> Part<S> {
    /// Whether a request is in flight.
    pub(crate) const fn is_running(&self) -> bool {
        self.reader.is_none()
    }

    /// Maximum number of rows in the buffer when the request in flight is complete.
    pub(super) fn rows_ahead(&self) -> u64 {
        self.results.iter().map(|(result, _)| count_rows(result)).sum::<u64>() + self.expected_rows
    }

    /// Continues if the last request has failed.
    pub(super) fn retry(&mut self) {
        if self.results.last().is_none_or(|(result, _)| result.is_err()) {
            self.results.pop();
            self.is_stopped = false;
        }
    }
}

/// The parts in order of delivery. The first one is the front part.
pub(crate) struct PartQueue<S: Strategy> {
    pub(crate) parts: Vec<Part<S>>,
    /// The maximum number of requests in flight.
    pub(crate) concurrency: u32,
    last_number: u64,
    /// Drift in pages that were discarded.
    pub(super) drift: Vec<Drift>,
}

impl<S: Strategy> PartQueue<S> {
    pub(super) fn new(reader: Box<S::Reader>, state: S::PartState) -> Self {
        let mut queue = Self { parts: Vec::new(), concurrency: 1, last_number: 0, drift: Vec::new() };
        queue.insert(0, reader, state);
        queue
    }

    /// Inserts a part before the part at this index.
    pub(crate) fn insert(&mut self, index: usize, reader: Box<S::Reader>, state: S::PartState) {
        self.last_number += 1;
        let (number, reader) = (self.last_number, Some(reader));
        let (results, is_stopped, is_streaming) = Default::default();
        self.parts.insert(index, Part { number, reader, results, expected_rows: 0, is_stopped, is_streaming, state });
    }

    /// Discards a part. The part before it continues to the part after it.
    pub(crate) fn discard(&mut self, index: usize) {
        let mut part = self.parts.remove(index);
        for page in part.results.iter_mut().filter_map(|(result, _)| result.as_mut().ok()?.as_mut()) {
            self.drift.append(&mut page.as_mut().drift);
        }
    }

    /// Discards all parts after this one.
    pub(crate) fn discard_after(&mut self, index: usize) {
        while self.parts.len() > index + 1 {
            self.discard(index + 1);
        }
    }
}

/// The number of rows of a page.
pub(super) fn count_rows(result: &PageResult<impl AsRef<FramePage>>) -> u64 {
    result.iter().flatten().map(|page| page.as_ref().rows.len() as u64).sum()
}
