//! Reads a list as Rust structs. Start with [`Client::page`] and [`Client::pages`].

use std::marker::PhantomData;
use std::ops::RangeInclusive;

use futures_util::Stream;

use super::pager::ListPage;
use super::reader::ListReader;
use crate::client::handle::Client;
use crate::client::resume::ResumePoint;
use crate::client::retry::response_error::frame_error;
use crate::client::runtime::Runtime;
use crate::client::stream::{self, Reader, Records};
use crate::decode::{Cursor, Omitted};
use crate::endpoint::{ListParams, Request};
use crate::error::{Error, ErrorCode};
use crate::record::Mismatch;

/// A page of a list.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct Page<T, E> {
    /// The records.
    pub items: Vec<T>,
    /// The members of the page beside the records.
    #[serde(flatten)]
    pub envelope: E,
    /// The records of this page that were omitted, because they failed validation. See
    /// [`DecodeOptions::skip_bad_records`](crate::client::DecodeOptions::skip_bad_records).
    #[serde(skip)]
    pub omitted: Omitted,
    /// The cursor of the next page. `None` at the end of the list.
    #[serde(skip)]
    pub next: Option<Cursor>,
    /// Why the cursor of the next page is unreadable. The list continues, but its next page cannot be requested.
    #[serde(skip)]
    pub cursor_error: Option<Mismatch>,
    #[serde(skip)]
    resume: Option<ResumePoint>,
}

impl<T, E> Page<T, E> {
    /// Returns a token that continues after this page. `None` at the end of the list.
    #[must_use]
    pub fn resume_token(&self) -> Option<String> {
        self.resume.as_ref().map(ResumePoint::token)
    }
}

impl<T, E> IntoIterator for Page<T, E> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

/// Reads a list page by page. See [`Client::pages`].
///
/// [`into_records`](Self::into_records) reads it record by record, and [`into_stream`](Self::into_stream) makes it a [`Stream`].
#[derive(Debug)]
pub struct ListPages<R: Runtime, P: ListParams> {
    reader: ListReader<R>,
    resume: Option<ResumePoint>,
    omitted: Omitted,
    params: PhantomData<fn() -> P>,
}

/// The records of a list, one by one.
pub type ListRecords<R, P> = Records<ListPages<R, P>>;

impl<R: Runtime, P: ListParams> ListPages<R, P> {
    /// Sets the maximum number of concurrent requests, from 1 to 10. Default: 1. Each request reads a part of the list. The records
    /// are delivered in order, and are the same for every value. Call it once, before [`next`](Self::next).
    ///
    /// Parts are read after the first page. The list must be sorted by block, withdrawal or deposit, newest first; others are read
    /// with one request at a time. Pages are shorter where parts meet. About 500 records are held in memory for each request.
    #[must_use]
    pub fn with_concurrency(self, concurrency: u32) -> Self {
        Self { reader: self.reader.with_concurrency(P::OPERATION, concurrency), ..self }
    }

    /// Sets the number of records of each page, from 1 to 100, for user interfaces that show pages. Default: the first page has 50,
    /// the next ones as many as the instance allows: 100 since backend version 12, 50 before. Call it before [`next`](Self::next).
    ///
    /// An instance may allow fewer than 100. Then pages have as many as it allows. Pages are also shorter where the service hides
    /// records.
    ///
    /// ```no_run
    /// # use address_query::client::{Client, Runtime};
    /// # use address_query::endpoint::AddressTransactionsParams;
    /// # use address_query::error::Error;
    /// /// Returns the hashes for a table of 20 rows, and the token of the next page.
    /// async fn table_rows(
    ///     client: &Client<impl Runtime>,
    ///     address: &str,
    /// ) -> Result<(Vec<String>, Option<String>), Error> {
    ///     let mut pages = client.pages(&AddressTransactionsParams::new(address.parse()?))?.with_page_size(20)?;
    ///     let Some(page) = pages.next().await? else { return Ok((Vec::new(), None)) };
    ///     let token = page.resume_token();
    ///     Ok((page.into_iter().map(|transaction| transaction.hash.to_string()).collect(), token))
    /// }
    /// ```
    ///
    /// # Errors
    /// [`ErrorCode::InvalidParameter`] for another number, or if pages of the list have a fixed size. On an instance older than
    /// version 12, [`next`](Self::next) fails with [`ErrorCode::UnsupportedVersion`] for every number but 50.
    pub fn with_page_size(self, size: u32) -> Result<Self, Error> {
        self.reader.choose_page_size(size)?;
        Ok(self)
    }

    /// Returns the next page, or `None` after the last one. After an error, call it again to retry the same page. Dropping the
    /// future leaves the position unchanged. It aborts the request, unless requests are concurrent.
    ///
    /// If the cursor in a page is unreadable, the page is returned, and the following call fails with [`ErrorCode::Cursor`]. A
    /// further call, or a reader with that error's resume token, requests the page again. If the cursor is readable then, the
    /// list continues after that page.
    ///
    /// # Errors
    /// Any failure of the request or of decoding, with a resume token for the page.
    pub async fn next(&mut self) -> Result<Option<Page<P::Item, P::Envelope>>, Error> {
        let Some(ListPage { mut page, resume }) = self.reader.next().await? else {
            self.resume = None;
            return Ok(None);
        };
        let omitted = Omitted::from_page(P::OPERATION.name, &page.bad_records);
        self.omitted.append(omitted.clone());
        self.resume.clone_from(&resume);
        let (Some(items), Some(envelope)) = (page.read_rows(), page.read_envelope()) else { return Err(frame_error()) };
        page.frame.recycle();
        let (next, cursor_error) = (page.next, page.cursor_error);
        Ok(Some(Page { items, envelope, omitted, next, cursor_error, resume }))
    }

    /// Returns a token that continues after the last page that was returned. `None` before the first page and after the last.
    #[must_use]
    pub fn resume_token(&self) -> Option<String> {
        self.resume.as_ref().map(ResumePoint::token)
    }

    /// The records that were omitted so far, because they failed validation. See
    /// [`DecodeOptions::skip_bad_records`](crate::client::DecodeOptions::skip_bad_records).
    #[must_use]
    pub const fn omitted(&self) -> &Omitted {
        &self.omitted
    }

    /// Returns the records one by one.
    ///
    /// ```no_run
    /// # use address_query::client::{Client, Runtime};
    /// # use address_query::endpoint::AddressTransactionsParams;
    /// # use address_query::error::Error;
    /// /// Returns the hashes of the newest 100 transactions.
    /// async fn newest_hashes(client: &Client<impl Runtime>, address: &str) -> Result<Vec<String>, Error> {
    ///     let mut transactions = client.pages(&AddressTransactionsParams::new(address.parse()?))?.into_records();
    ///     let mut hashes = Vec::new();
    ///     while let Some(transaction) = transactions.next().await? {
    ///         hashes.push(transaction.hash.to_string());
    ///         if hashes.len() == 100 {
    ///             break;
    ///         }
    ///     }
    ///     Ok(hashes)
    /// }
    /// ```
    #[must_use]
    pub const fn into_records(self) -> ListRecords<R, P> {
        Records::new(self)
    }

    /// Returns a stream of the pages, for the combinators of the crate `futures`. It ends after an error.
    pub fn into_stream(self) -> impl Stream<Item = Result<Page<P::Item, P::Envelope>, Error>> {
        stream::into_stream(self, Self::next)
    }
}

impl<R: Runtime, P: ListParams> Reader for ListPages<R, P> {
    type Batch = Page<P::Item, P::Envelope>;

    async fn next(&mut self) -> Result<Option<Self::Batch>, Error> {
        Self::next(self).await
    }
}

impl<R: Runtime> Client<R> {
    /// Reads the first page of a list.
    ///
    /// ```no_run
    /// # use address_query::client::{Client, Runtime};
    /// # use address_query::endpoint::AddressWithdrawalsParams;
    /// # use address_query::error::Error;
    /// /// Returns the amounts of the newest withdrawals of a validator, in wei.
    /// async fn newest_amounts(client: &Client<impl Runtime>, address: &str) -> Result<Vec<String>, Error> {
    ///     let page = client.page(&AddressWithdrawalsParams::new(address.parse()?)).await?;
    ///     Ok(page.items.iter().map(|withdrawal| withdrawal.amount.to_string()).collect())
    /// }
    /// ```
    ///
    /// # Errors
    /// An invalid parameter, or any failure of the request or of decoding.
    pub async fn page<P: ListParams>(&self, params: &P) -> Result<Page<P::Item, P::Envelope>, Error> {
        let page = self.pages(params)?.next().await?;
        page.ok_or_else(|| Error::new(ErrorCode::Internal, "the list has no first page"))
    }

    /// Returns a pager that reads a list page by page.
    ///
    /// ```no_run
    /// # use address_query::client::{Client, Runtime};
    /// # use address_query::endpoint::AddressNftParams;
    /// # use address_query::error::Error;
    /// /// Counts the NFTs that an address holds, on at most 10 pages.
    /// async fn count_nfts(client: &Client<impl Runtime>, address: &str) -> Result<usize, Error> {
    ///     let mut pager = client.pages(&AddressNftParams::new(address.parse()?))?;
    ///     let mut count = 0;
    ///     for _ in 0..10 {
    ///         let Some(page) = pager.next().await? else { break };
    ///         count += page.items.len();
    ///     }
    ///     Ok(count)
    /// }
    /// ```
    ///
    /// # Errors
    /// An invalid parameter.
    pub fn pages<P: ListParams>(&self, params: &P) -> Result<ListPages<R, P>, Error> {
        self.open_pages(params, None, None)
    }

    /// Returns a pager that continues at the position of the resume token, which is [`ListPages::resume_token`] or the
    /// `resume_token` of an error.
    ///
    /// ```no_run
    /// # use address_query::client::{Client, Runtime};
    /// # use address_query::endpoint::AddressLogsParams;
    /// # use address_query::error::Error;
    /// /// Reads the page after the token. Returns the number of logs, and the token of the next page.
    /// async fn next_page(
    ///     client: &Client<impl Runtime>,
    ///     contract: &str,
    ///     token: &str,
    /// ) -> Result<(usize, Option<String>), Error> {
    ///     let mut pager = client.resume_pages(&AddressLogsParams::new(contract.parse()?), token)?;
    ///     let logs = pager.next().await?.map_or(0, |page| page.items.len());
    ///     Ok((logs, pager.resume_token()))
    /// }
    /// ```
    ///
    /// # Errors
    /// An invalid parameter, or a token that belongs to another request.
    pub fn resume_pages<P: ListParams>(&self, params: &P, resume: &str) -> Result<ListPages<R, P>, Error> {
        self.open_pages(params, None, Some(resume))
    }

    /// Returns a pager of the records in these blocks, oldest first, from the beginning or from a resume token of such a pager with the
    /// same last block. [`ListPages::with_concurrency`] has no effect on it.
    ///
    /// The list must be sorted by block, newest first. It is read down to the first block before the first page is returned. Up to 100
    /// pages are held in memory; the pages of a longer list are requested twice. After a failure, the resume token of the error continues
    /// without the pages that were read.
    ///
    /// ```no_run
    /// # use address_query::client::{Client, Runtime};
    /// # use address_query::endpoint::AddressWithdrawalsParams;
    /// # use address_query::error::Error;
    /// /// Returns the block of the first withdrawal to an address.
    /// async fn first_block(client: &Client<impl Runtime>, address: &str) -> Result<Option<u64>, Error> {
    ///     let params = AddressWithdrawalsParams::new(address.parse()?);
    ///     let mut withdrawals = client.pages_oldest_first(&params, 0..=u64::MAX, None)?.into_records();
    ///     Ok(withdrawals.next().await?.and_then(|withdrawal| withdrawal.block_number))
    /// }
    /// ```
    ///
    /// # Errors
    /// An invalid parameter, a list in another order, no blocks, or a token that belongs to another request.
    pub fn pages_oldest_first<P: ListParams>(
        &self,
        params: &P,
        blocks: RangeInclusive<u64>,
        resume: Option<&str>,
    ) -> Result<ListPages<R, P>, Error> {
        self.open_pages(params, Some(blocks), resume)
    }

    fn open_pages<P: ListParams>(
        &self,
        params: &P,
        blocks: Option<RangeInclusive<u64>>,
        resume: Option<&str>,
    ) -> Result<ListPages<R, P>, Error> {
        let request = Request::from_params(params)?;
        let reader = ListReader::new(self.clone(), request, blocks, resume)?;
        Ok(ListPages { resume: reader.start(), reader, omitted: Omitted::default(), params: PhantomData })
    }
}
