//! [`Records`]: the records of a list or range one by one. [`into_stream`] makes a [`Stream`] of a reader.

use std::fmt;

use futures_util::stream::{self, Stream};

use crate::error::Error;

/// A reader of pages or batches.
pub trait Reader {
    /// A page or batch of records.
    type Batch: IntoIterator;

    /// Returns the next page or batch, or `None` at the end. Dropping the future does not move the reader.
    fn next(&mut self) -> impl Future<Output = Result<Option<Self::Batch>, Error>>;
}

/// Returns a stream of the results of `next`. It ends after an error.
pub(super) fn into_stream<S, T>(
    source: S,
    next: impl AsyncFn(&mut S) -> Result<Option<T>, Error>,
) -> impl Stream<Item = Result<T, Error>> {
    stream::try_unfold((source, next), async |(mut source, next)| {
        let item = next(&mut source).await?;
        Ok(item.map(|item| (item, (source, next))))
    })
}

/// The records of a list or range, one by one. See [`ListPages::into_records`](super::ListPages::into_records) and
/// [`RangeBatches::into_records`](super::RangeBatches::into_records).
pub struct Records<S: Reader> {
    source: S,
    records: Option<<S::Batch as IntoIterator>::IntoIter>,
}

impl<S: Reader> fmt::Debug for Records<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Records")
    }
}

impl<S: Reader> Records<S> {
    pub(super) const fn new(source: S) -> Self {
        Self { source, records: None }
    }

    /// Returns the page or batch reader. Its resume token continues with the next page, and skips any records of the current
    /// page that this stream has not yet returned.
    #[must_use]
    pub const fn get_ref(&self) -> &S {
        &self.source
    }

    /// Returns the next record, or `None` at the end. After an error, call it again to retry. Dropping the future skips no record.
    ///
    /// # Errors
    /// Any failure of a request or of decoding, with a resume token that continues after the records that were returned.
    pub async fn next(&mut self) -> Result<Option<<S::Batch as IntoIterator>::Item>, Error> {
        loop {
            if let Some(record) = self.records.as_mut().and_then(Iterator::next) {
                return Ok(Some(record));
            }
            match self.source.next().await? {
                Some(batch) => self.records = Some(batch.into_iter()),
                None => return Ok(None),
            }
        }
    }

    /// Returns a stream of the records, for the combinators of the crate `futures`. It ends after an error.
    pub fn into_stream(self) -> impl Stream<Item = Result<<S::Batch as IntoIterator>::Item, Error>> {
        into_stream(self, Self::next)
    }
}
