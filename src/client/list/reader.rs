//! [`ListReader`]: reads a list with one request at a time, with concurrent requests, or oldest first.

use std::ops::RangeInclusive;

use super::keyset_parts::{Items, KeysetParts};
use super::oldest_first::OldestFirst;
use super::page_size::PageSize;
use super::pager::{ListPage, Pager};
use crate::client::handle::Client;
use crate::client::read_ahead::ReadAhead;
use crate::client::resume::ResumePoint;
use crate::client::runtime::Runtime;
use crate::endpoint::{Operation, Request};
use crate::error::Error;

/// Reads a list page by page.
#[derive(Debug)]
pub struct ListReader<R: Runtime> {
    client: Client<R>,
    source: ListSource<R>,
    page_size: PageSize,
}

#[derive(Debug)]
enum ListSource<R: Runtime> {
    /// Sends one request at a time.
    Pager(Box<Pager<R>>),
    /// Sends concurrent requests. Pages are shorter where parts meet.
    Parts(ReadAhead<KeysetParts<R>>),
    OldestFirst(Box<OldestFirst<R>>),
}

impl<R: Runtime> ListReader<R> {
    /// Creates a reader that sends one request at a time. It starts at the first page, or at the position of the resume token. With
    /// `blocks`, it reads only the records in these blocks, oldest first.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) for `resume` if the token belongs to another request, and for blocks if
    /// there are none or the list is not sorted by block.
    pub fn new(
        client: Client<R>,
        request: Request,
        blocks: Option<RangeInclusive<u64>>,
        resume: Option<&str>,
    ) -> Result<Self, Error> {
        let list = request.operation();
        let decoder = client.frame_decoder(list.layout);
        let mut pager = Pager::new(client.clone(), request, decoder, resume.filter(|_| blocks.is_none()))?;
        (pager.keyset, pager.skips_bad_records) = (list.keyset, client.inner.decode_options.skip_bad_records);
        let page_size = pager.page_size.clone();
        let source = match blocks {
            Some(blocks) => ListSource::OldestFirst(Box::new(OldestFirst::new(pager, list, blocks, resume)?)),
            None => ListSource::Pager(Box::new(pager)),
        };
        Ok(Self { client, source, page_size })
    }

    /// Sets the number of records of each page, instead of the default for the first page and the largest for the others.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) if it is not from 1 to 100, or if pages of the list have a fixed size.
    pub fn choose_page_size(&self, size: u32) -> Result<(), Error> {
        self.page_size.choose(size)
    }

    /// Sets the maximum number of concurrent requests, from 1 to 10. It has no effect on a list that is not sorted by a
    /// [`Keyset`](crate::endpoint::Keyset).
    #[must_use]
    pub fn with_concurrency(self, list: &Operation, concurrency: u32) -> Self {
        let source = match (self.source, list.keyset) {
            (ListSource::Pager(pager), Some(keyset)) if concurrency > 1 && pager.has_default_order() => {
                ListSource::Parts(ReadAhead::new(KeysetParts::new(keyset, &pager), pager, Items::ALL, concurrency))
            }
            (source, _) => source,
        };
        Self { source, ..self }
    }

    /// Returns the next page, or `None` after the last one; see [`Pager::next`]. Emits its diagnostics. With concurrent requests,
    /// the second call starts to read ahead.
    ///
    /// # Errors
    /// The error of a request, with a resume token that continues after the pages that were returned.
    pub async fn next(&mut self) -> Result<Option<ListPage>, Error> {
        let page = match &mut self.source {
            ListSource::Pager(pager) => pager.next().await?,
            ListSource::Parts(parts) => parts.next().await?,
            ListSource::OldestFirst(reader) => reader.next().await?,
        };
        if let Some(ListPage { page, .. }) = &page {
            self.client.emit_diagnostics(page);
        }
        Ok(page)
    }

    /// The position at which it starts, if that is not the beginning of the list.
    pub(super) fn start(&self) -> Option<ResumePoint> {
        match &self.source {
            ListSource::Pager(pager) => pager.resume_point(),
            ListSource::Parts(_) => None,
            ListSource::OldestFirst(reader) => reader.start(),
        }
    }
}
