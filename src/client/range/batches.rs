//! Reads a range as Rust structs. Start with [`Client::all_rows`].

use std::marker::PhantomData;

use futures_util::Stream;

use super::{ParallelReader, RangeBatch, RangeReader, RangeReport};
use crate::client::handle::Client;
use crate::client::resume::ResumePoint;
use crate::client::retry::response_error::frame_error;
use crate::client::runtime::Runtime;
use crate::client::stream::{self, Reader, Records};
use crate::endpoint::{RangedAction, Request};
use crate::error::Error;
use crate::record::Record;

/// Reads the rows of a range of blocks as structs, window by window and in order. Each row is returned exactly once.
///
/// [`into_records`](Self::into_records) reads it row by row, and [`into_stream`](Self::into_stream) makes it a [`Stream`].
#[derive(Debug)]
pub struct RangeBatches<R: Runtime, T: Record> {
    reader: ParallelReader<R>,
    resume: Option<ResumePoint>,
    report: RangeReport,
    row: PhantomData<fn() -> T>,
}

/// The rows of a range, one by one.
pub type RangeRecords<R, T> = Records<RangeBatches<R, T>>;

impl<R: Runtime> Client<R> {
    /// Returns a reader of all rows in the range of blocks that the parameters select, past the 10,000 rows that
    /// [`rows`](Self::rows) can reach.
    ///
    /// ```no_run
    /// use address_query::client::{Client, Runtime};
    /// use address_query::endpoint::TxListParams;
    /// use address_query::error::Error;
    ///
    /// async fn count_transactions(client: &Client<impl Runtime>, address: &str) -> Result<usize, Error> {
    ///     let mut reader = client.all_rows(&TxListParams::new(address.parse()?))?;
    ///     let mut count = 0;
    ///     while let Some(transactions) = reader.next().await? {
    ///         count += transactions.len();
    ///     }
    ///     if !reader.report().complete {
    ///         println!("some rows are missing: {:?}", reader.report());
    ///     }
    ///     Ok(count)
    /// }
    /// ```
    ///
    /// # Errors
    /// An invalid parameter, or one that is not allowed for ranges: `page`, `offset` and `txhash`.
    pub fn all_rows<A: RangedAction>(&self, params: &A) -> Result<RangeBatches<R, A::Row>, Error> {
        self.open_range(params, None)
    }

    /// Returns a reader that continues at the position of the resume token.
    ///
    /// # Errors
    /// As for [`all_rows`](Self::all_rows), or a token that belongs to another request.
    pub fn resume_all_rows<A: RangedAction>(&self, params: &A, resume: &str) -> Result<RangeBatches<R, A::Row>, Error> {
        self.open_range(params, Some(resume))
    }

    fn open_range<A: RangedAction>(&self, params: &A, resume: Option<&str>) -> Result<RangeBatches<R, A::Row>, Error> {
        let request = Request::from_params(params)?;
        let reader = RangeReader::new(self.clone(), request, resume)?;
        let (resume, report) = (reader.start(), reader.report().clone());
        Ok(RangeBatches { reader: ParallelReader::new(reader), resume, report, row: PhantomData })
    }
}

impl<R: Runtime, T: Record> RangeBatches<R, T> {
    /// Sets the maximum number of concurrent requests, from 1 to 10. Default: 2. Each reads a part of the range. Up to
    /// 20,000 rows are held in memory for each. Call it before [`next`](Self::next).
    #[must_use]
    pub fn with_concurrency(self, concurrency: u32) -> Self {
        Self { reader: self.reader.with_concurrency(concurrency), ..self }
    }

    /// Returns the rows of the next window of blocks, or as many of them as have arrived. `None` at the end. After an
    /// error, call it again to retry. Dropping the future does not move the reader.
    ///
    /// # Errors
    /// Any failure of the request or of decoding, with a resume token that continues after the rows that were returned.
    pub async fn next(&mut self) -> Result<Option<Vec<T>>, Error> {
        let RangeBatch { page, resume, report, .. } = self.reader.next().await;
        (self.resume, self.report) = (resume, report);
        let Some(mut page) = page? else { return Ok(None) };
        let rows = page.read_rows().ok_or_else(frame_error)?;
        page.frame.recycle();
        Ok(Some(rows))
    }

    /// Returns a report on how much of the range has been read, and what is missing.
    #[must_use]
    pub const fn report(&self) -> &RangeReport {
        &self.report
    }

    /// Returns a token that continues after the last rows that were returned. `None` before the first and after the last rows.
    #[must_use]
    pub fn resume_token(&self) -> Option<String> {
        self.resume.as_ref().map(ResumePoint::token)
    }

    /// Returns the rows one by one.
    ///
    /// ```no_run
    /// use address_query::client::{Client, Runtime};
    /// use address_query::endpoint::TokenTxParams;
    /// use address_query::error::Error;
    ///
    /// async fn print_symbols(client: &Client<impl Runtime>, address: &str) -> Result<(), Error> {
    ///     let mut transfers = client.all_rows(&TokenTxParams::default().address(address.parse()?))?.into_records();
    ///     while let Some(transfer) = transfers.next().await? {
    ///         println!("{:?}", transfer.token_symbol);
    ///     }
    ///     println!("complete: {}", transfers.get_ref().report().complete);
    ///     Ok(())
    /// }
    /// ```
    #[must_use]
    pub const fn into_records(self) -> RangeRecords<R, T> {
        Records::new(self)
    }

    /// Returns a stream of the batches, for the combinators of the crate `futures`. It ends after an error.
    pub fn into_stream(self) -> impl Stream<Item = Result<Vec<T>, Error>> {
        stream::into_stream(self, Self::next)
    }
}

impl<R: Runtime, T: Record> Reader for RangeBatches<R, T> {
    type Batch = Vec<T>;

    async fn next(&mut self) -> Result<Option<Vec<T>>, Error> {
        Self::next(self).await
    }
}
