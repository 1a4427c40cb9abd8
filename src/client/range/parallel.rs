//! Reads the rows of a range with concurrent requests. Start with [`ParallelReader`].

use super::block_parts::{BlockParts, PartBlocks};
use super::{RangeBatch, RangeReader};
use crate::client::handle::Client;
use crate::client::options::DEFAULT_CONCURRENCY;
use crate::client::read_ahead::ReadAhead;
use crate::client::runtime::Runtime;

/// Reads the rows of a range of blocks with up to two concurrent requests, unless another number is set.
///
/// Dropping it ends the requests. They continue while the caller handles rows. Reading ahead is bounded: the buffers
/// hold at most 20,000 rows per concurrent request, including 10,000 rows for each request in flight.
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
        let concurrency = DEFAULT_CONCURRENCY.min(max_concurrent);
        let parts = ReadAhead::new(strategy, Box::new(reader), blocks, concurrency);
        Self { client, parts, max_concurrent }
    }

    /// Sets the maximum number of concurrent requests, from 1 to 10.
    #[must_use]
    pub fn with_concurrency(self, concurrency: u32) -> Self {
        self.parts.set_concurrency(concurrency.min(self.max_concurrent));
        self
    }

    /// Returns the next rows, an error or the end; see [`RangeReader::next`]. Emits the diagnostics of the rows. Dropping the future
    /// neither moves the reader nor ends its requests.
    pub async fn next(&mut self) -> RangeBatch {
        let batch = self.parts.next().await;
        if let Ok(Some(page)) = &batch.page {
            self.client.emit_diagnostics(page);
        }
        batch
    }
}
