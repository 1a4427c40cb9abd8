//! Reads a range as Rust structs. Start with [`Client::all_rows`].

use std::marker::PhantomData;

use super::{ParallelReader, RangeReader, RangeReport};
use crate::client::{Client, Runtime};
use crate::decode::DecodeOptions;
use crate::decode::typed::read_frame_row;
use crate::endpoint::{RangedAction, Request};
use crate::error::{Error, ErrorCode};
use crate::record::Record;

/// Reads the rows of a range of blocks as structs, window by window and in order. Each row is returned exactly once.
#[derive(Debug)]
pub struct TypedRangeReader<R: Runtime, T> {
    reader: ParallelReader<R>,
    row: PhantomData<T>,
}

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
    pub fn all_rows<A: RangedAction>(&self, params: &A) -> Result<TypedRangeReader<R, A::Row>, Error> {
        self.open_typed_range(params, None)
    }

    /// Returns a reader that continues at the position of the resume token.
    ///
    /// # Errors
    /// Those of [`all_rows`](Self::all_rows), or a token that belongs to another request.
    pub fn resume_all_rows<A: RangedAction>(
        &self,
        params: &A,
        resume: &str,
    ) -> Result<TypedRangeReader<R, A::Row>, Error> {
        self.open_typed_range(params, Some(resume))
    }

    fn open_typed_range<A: RangedAction>(
        &self,
        params: &A,
        resume: Option<&str>,
    ) -> Result<TypedRangeReader<R, A::Row>, Error> {
        let request = Request::new(A::ACTION, params.to_values())?;
        let reader = RangeReader::new(self.clone(), A::ACTION, request, DecodeOptions::default(), resume)?;
        Ok(TypedRangeReader { reader: ParallelReader::new(reader), row: PhantomData })
    }
}

impl<R: Runtime, T: Record> TypedRangeReader<R, T> {
    /// Returns the next rows: those of a window of blocks, or of a part of it that has arrived. `None` at the end. After an
    /// error, call it again to retry. Dropping the future does not move the reader.
    ///
    /// # Errors
    /// Any failure of the request or of decoding, with a resume token that continues after the rows that were returned.
    pub async fn next(&mut self) -> Result<Option<Vec<T>>, Error> {
        let Some(page) = self.reader.next().await? else { return Ok(None) };
        let rows: Result<Vec<T>, _> = page.rows.iter().map(|row| read_frame_row(&page, *row)).collect();
        let internal_error = |_| Error::new(ErrorCode::Internal, "a decoded row does not match its record");
        rows.map(Some).map_err(internal_error)
    }
}

impl<R: Runtime, T> TypedRangeReader<R, T> {
    /// Sets the maximum number of requests at the same time, from 1 to 10. Default: 2. Each reads a part of the range. Up to
    /// 20,000 rows are held in memory for each. Call it before [`next`](Self::next).
    #[must_use]
    pub fn with_concurrency(mut self, concurrency: u32) -> Self {
        self.reader = self.reader.with_concurrency(concurrency);
        self
    }

    /// Returns a report of how completely the range was read so far.
    #[must_use]
    pub const fn report(&self) -> &RangeReport {
        self.reader.report()
    }

    /// Returns a token that continues after the last rows that were returned. `None` before the first and after the last rows.
    #[must_use]
    pub fn resume_token(&self) -> Option<String> {
        self.reader.resume_token()
    }
}
