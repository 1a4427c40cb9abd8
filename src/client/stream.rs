//! Streams: [`Polled`] makes a [`Stream`] of a reader with an async `next`, and [`Records`] one of the records in its pages.

use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;

use crate::error::Error;

/// A reader of pages or batches.
pub(super) trait Reader: 'static {
    /// A page or batch.
    type Batch: 'static;
    /// What is known after a batch.
    type Progress;
    /// Returns the next batch, or `None` at the end, and what is known then if that has changed. Dropping the future does not move the reader.
    fn next(&mut self) -> impl Future<Output = ReadResult<Self>>;
}

type ReadResult<S> = (Result<Option<<S as Reader>::Batch>, Error>, Option<<S as Reader>::Progress>);

/// A reader, or its pending `next`, which owns the reader meanwhile.
pub(super) struct Polled<S: Reader> {
    state: State<S>,
    progress: S::Progress,
    /// Whether the stream has ended: after the last batch or an error.
    is_ended: bool,
}

/// A pending `next`. It returns the reader with the result.
type PendingRead<S> = Pin<Box<dyn Future<Output = (Box<S>, ReadResult<S>)>>>;

enum State<S: Reader> {
    Idle(Box<S>),
    Pending(PendingRead<S>),
    /// Only while the state changes.
    Changing,
}

impl<S: Reader> fmt::Debug for Polled<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Polled")
    }
}

impl<S: Reader> Polled<S> {
    /// `progress` is what is known before the first batch.
    pub(super) fn new(reader: S, progress: S::Progress) -> Self {
        Self { progress, state: State::Idle(Box::new(reader)), is_ended: false }
    }

    /// Changes the reader, unless its `next` is pending.
    pub(super) fn map(mut self, change: impl FnOnce(S) -> S) -> Self {
        self.state = match self.state {
            State::Idle(reader) => State::Idle(Box::new(change(*reader))),
            state => state,
        };
        self
    }

    /// Returns the reader, unless its `next` is pending.
    pub(super) fn reader_mut(&mut self) -> Option<&mut S> {
        match &mut self.state {
            State::Idle(reader) => Some(reader),
            _ => None,
        }
    }

    pub(super) const fn progress(&self) -> &S::Progress {
        &self.progress
    }

    /// Returns the next batch. Dropping the future drops the pending request, unless it was started by
    /// [`poll_next`](Self::poll_next).
    pub(super) async fn next(&mut self) -> Result<Option<S::Batch>, Error> {
        if let State::Idle(reader) = &mut self.state {
            let result = reader.next().await;
            self.is_ended = false;
            return self.take_progress(result);
        }
        poll_fn(|context| self.poll(context)).await
    }

    /// Polls for the next batch, as a stream: it ends after an error.
    pub(super) fn poll_next(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<S::Batch, Error>>> {
        if self.is_ended {
            return Poll::Ready(None);
        }
        self.poll(context).map(|result| {
            self.is_ended = !matches!(result, Ok(Some(_)));
            result.transpose()
        })
    }

    /// Remembers what is known after a batch.
    fn take_progress(&mut self, (result, progress): ReadResult<S>) -> Result<Option<S::Batch>, Error> {
        if let Some(progress) = progress {
            self.progress = progress;
        }
        result
    }

    fn poll(&mut self, context: &mut Context<'_>) -> Poll<Result<Option<S::Batch>, Error>> {
        let mut pending = match std::mem::replace(&mut self.state, State::Changing) {
            State::Pending(pending) => pending,
            State::Idle(mut reader) => Box::pin(async move {
                let result = reader.next().await;
                (reader, result)
            }),
            // Its future has panicked.
            State::Changing => return Poll::Ready(Ok(None)),
        };
        match pending.as_mut().poll(context) {
            Poll::Ready((reader, result)) => {
                self.state = State::Idle(reader);
                Poll::Ready(self.take_progress(result))
            }
            Poll::Pending => {
                self.state = State::Pending(pending);
                Poll::Pending
            }
        }
    }
}

/// The records of a list or range, one by one. See [`ListPages::into_records`](super::ListPages::into_records) and
/// [`RangeBatches::into_records`](super::RangeBatches::into_records).
///
/// It ends after an error. The error's resume token continues exactly after the records that were returned.
pub struct Records<S, B: IntoIterator> {
    source: S,
    records: Option<B::IntoIter>,
}

impl<S, B: IntoIterator> fmt::Debug for Records<S, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Records")
    }
}

impl<S, B: IntoIterator> Unpin for Records<S, B> {}

impl<S, B> Records<S, B>
where
    S: Stream<Item = Result<B, Error>> + Unpin,
    B: IntoIterator,
{
    pub(super) const fn new(source: S) -> Self {
        Self { source, records: None }
    }

    /// Returns what the records are read from. Its position is after the page or batch of the record that was returned last, so
    /// its resume token is not for the records in between.
    #[must_use]
    pub const fn get_ref(&self) -> &S {
        &self.source
    }

    /// Returns the next record, or `None` at the end and after an error.
    ///
    /// # Errors
    /// Any failure of a request or of decoding, with a resume token that continues after the records that were returned.
    pub async fn next(&mut self) -> Result<Option<B::Item>, Error> {
        poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await.transpose()
    }
}

impl<S, B> Stream for Records<S, B>
where
    S: Stream<Item = Result<B, Error>> + Unpin,
    B: IntoIterator,
{
    type Item = Result<B::Item, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            if let Some(record) = self.records.as_mut().and_then(Iterator::next) {
                return Poll::Ready(Some(Ok(record)));
            }
            match Pin::new(&mut self.source).poll_next(context) {
                Poll::Ready(Some(Ok(batch))) => self.records = Some(batch.into_iter()),
                Poll::Ready(Some(Err(error))) => return Poll::Ready(Some(Err(error))),
                Poll::Ready(None) => return Poll::Ready(None),
                Poll::Pending => return Poll::Pending,
            }
        }
    }
}
