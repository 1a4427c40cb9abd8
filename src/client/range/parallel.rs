//! Reads the rows of a range with several requests at the same time. Start with [`ParallelReader`].

use super::block_parts::{BlockParts, PartBlocks, Position};
use super::{BatchState, RangeReader, RangeReport};
use crate::client::handle::Client;
use crate::client::options::DEFAULT_CONCURRENCY;
use crate::client::read_ahead::ReadAhead;
use crate::client::runtime::Runtime;
use crate::decode::FramePage;
use crate::error::Error;

/// Reads the rows of a range of blocks with up to two requests at the same time, unless another number is set.
///
/// Dropping it ends the requests. They continue while the caller handles rows. The rows that are read ahead are bounded: the
/// buffers hold at most 20,000 rows for each of the concurrent requests, with 10,000 rows for each request in flight.
#[derive(Debug)]
pub struct ParallelReader<R: Runtime> {
    client: Client<R>,
    parts: ReadAhead<BlockParts<R>>,
    /// The maximum number of requests of the client.
    max_concurrent: u32,
}

impl<R: Runtime> ParallelReader<R> {
    /// Reads the blocks of this reader.
    #[must_use]
    pub fn new(reader: RangeReader<R>) -> Self {
        let client = reader.client.clone();
        let limiter = &client.inner.transport.limiter;
        let max_concurrent = if reader.form.has_pages { limiter.max_concurrent() } else { 1 };
        let (strategy, blocks) = (BlockParts::new(&reader), PartBlocks::new(&reader));
        let (resume_token, report) = (reader.resume_token(), reader.report().clone());
        let position = Position { resume_token, is_partial: false, continues_window: false, report };
        let concurrency = DEFAULT_CONCURRENCY.min(max_concurrent);
        let parts = ReadAhead::new(strategy, Box::new(reader), blocks, position, concurrency);
        Self { client, parts, max_concurrent }
    }

    /// Sets the maximum number of concurrent requests, from 1 to 10.
    #[must_use]
    pub fn with_concurrency(self, concurrency: u32) -> Self {
        self.parts.set_concurrency(concurrency.min(self.max_concurrent));
        self
    }

    /// Returns the next rows; see [`RangeReader::next`]. Emits their findings. Dropping the future neither moves the reader nor ends its
    /// requests.
    ///
    /// # Errors
    /// The error of a request, with a resume token that continues after the rows that were returned.
    pub async fn next(&mut self) -> Result<Option<Box<FramePage>>, Error> {
        let page = self.parts.next().await?;
        if let Some(page) = &page {
            self.client.emit_findings(page);
        }
        Ok(page)
    }

    /// Returns a report of how completely the range was read up to the rows that were returned.
    #[must_use]
    pub const fn report(&self) -> &RangeReport {
        &self.parts.position().report
    }

    /// Returns a token that continues after the last rows that were returned. `None` before the first and after the last rows.
    #[must_use]
    pub fn resume_token(&self) -> Option<String> {
        self.parts.position().resume_token.clone()
    }

    /// Returns what is known after the rows that [`next`](Self::next) returned last.
    #[must_use]
    pub fn batch_state(&self) -> BatchState<'_> {
        let Position { is_partial, continues_window, ref report, .. } = *self.parts.position();
        BatchState { resume_token: self.resume_token(), is_partial, continues_window, report }
    }
}
