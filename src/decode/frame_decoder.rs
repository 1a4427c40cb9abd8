//! [`FrameDecoder`]: decodes response bodies chunk by chunk.

use std::fmt;

use super::decoder_state::DecoderStatePool;
use super::drift::Drift;
use super::layout::{DecodeOptions, Layout};
use super::omitted::BadRecord;
use super::page::{FramePage, PageDecoder};
use crate::json::DecodeError;

/// Size of a batch, in bytes of JSON. Smaller than [`MAX_CHUNK_BYTES`](crate::client::MAX_CHUNK_BYTES), so that each full chunk
/// completes a batch.
const BATCH_BYTES: usize = 1 << 15;

/// A callback that receives batches of rows while their page is still arriving. `None` means that the page restarts,
/// and that its earlier batches are void.
pub struct BatchSink(Box<dyn FnMut(Option<FramePage>)>);

impl BatchSink {
    /// A sink that calls this function.
    pub fn new(callback: impl FnMut(Option<FramePage>) + 'static) -> Self {
        Self(Box::new(callback))
    }
}

impl fmt::Debug for BatchSink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BatchSink")
    }
}

/// When rows are delivered.
#[derive(Debug)]
enum DeliveryMode {
    /// At the end of their page.
    AtEnd,
    /// In batches, to the sink. Bad records and drift are collected for the end of the page.
    ToSink(BatchSink, Vec<BadRecord>, Vec<Drift>),
    /// In batches that end where the value of this field changes.
    Grouped(usize),
}

/// Decodes response bodies into frames, one after the other: [`begin`](Self::begin), [`feed`](Self::feed) for each chunk, then
/// [`finish`](Self::finish).
#[derive(Debug)]
pub struct FrameDecoder {
    layout: Layout,
    pub(crate) decode_options: DecodeOptions,
    /// Decoders of the same layout may share their shape caches.
    pub(crate) decoder_state_pool: DecoderStatePool,
    decoder: Option<Box<PageDecoder>>,
    delivery: DeliveryMode,
}

impl FrameDecoder {
    /// A decoder for responses of this layout.
    #[must_use]
    pub fn new(layout: Layout, decode_options: DecodeOptions) -> Self {
        Self {
            layout,
            decode_options,
            decoder_state_pool: DecoderStatePool::default(),
            decoder: None,
            delivery: DeliveryMode::AtEnd,
        }
    }

    /// Creates a decoder of the same layout and options, which delivers rows at the end of their page.
    pub(crate) fn create_sibling(&self) -> Self {
        let decoder_state_pool = self.decoder_state_pool.clone();
        Self { decoder_state_pool, ..Self::new(self.layout, self.decode_options) }
    }

    /// Passes the rows of large pages to this sink while they arrive. The page itself then has only the remaining rows.
    #[must_use]
    pub fn with_sink(mut self, sink: BatchSink) -> Self {
        self.delivery = DeliveryMode::ToSink(sink, Vec::new(), Vec::new());
        self
    }

    /// Delivers the rows of a page in batches while it arrives. Rows with the same value of this field form a group. A batch
    /// ends with the rows of the last group so far, which may be incomplete. The next batch repeats that group.
    #[must_use]
    pub fn with_batches_grouped_by(mut self, field: usize) -> Self {
        self.delivery = DeliveryMode::Grouped(field);
        self
    }

    /// Begins a page. Discards the rest of an unfinished one.
    pub fn begin(&mut self) {
        let decoder_state = self.decoder_state_pool.take(self.layout, self.decode_options);
        let mut decoder = PageDecoder::new(self.layout, self.decode_options, decoder_state);
        match &mut self.delivery {
            DeliveryMode::AtEnd => {}
            DeliveryMode::ToSink(BatchSink(callback), bad_records, drift) => {
                callback(None);
                bad_records.clear();
                drift.clear();
            }
            DeliveryMode::Grouped(_) => decoder = decoder.with_rereading(),
        }
        self.decoder = Some(Box::new(decoder));
    }

    /// Decodes further bytes of the page.
    ///
    /// # Errors
    /// Invalid JSON, or JSON that does not match the declared records.
    pub fn feed(&mut self, chunk: Vec<u8>) -> Result<(), DecodeError> {
        let Some(decoder) = &mut self.decoder else { return Ok(()) };
        decoder.feed(chunk)?;
        if let DeliveryMode::ToSink(BatchSink(callback), bad_records, drift) = &mut self.delivery
            && decoder.pending_bytes() >= BATCH_BYTES
            && decoder.pending_rows() > 0
        {
            let mut batch = decoder.take_batch();
            bad_records.append(&mut batch.bad_records);
            drift.append(&mut batch.drift);
            callback(Some(batch));
        }
        Ok(())
    }

    /// Returns the rows decoded so far as a batch, if this decoder delivers batches and has enough rows. The first
    /// batch comes as soon as possible. Later ones grow, since each batch has a fixed cost.
    pub(crate) fn take_batch(&mut self) -> Option<Box<FramePage>> {
        let (DeliveryMode::Grouped(field), Some(decoder)) = (&self.delivery, &mut self.decoder) else { return None };
        // The envelope states whether rows are complete. If it follows the rows, they must wait for it.
        if !decoder.has_envelope_members() || decoder.pending_bytes() < decoder.delivered_bytes().min(BATCH_BYTES) {
            return None;
        }
        decoder.take_batch_until(*field).map(Box::new)
    }

    /// Ends the page and returns the rows that were not delivered before.
    ///
    /// # Errors
    /// A truncated body, or JSON that does not match the declared records.
    pub fn finish(&mut self) -> Result<Box<FramePage>, DecodeError> {
        let (mut page, decoder_state) = self.decoder.take().ok_or(DecodeError::Incomplete)?.finish()?;
        self.decoder_state_pool.put(self.layout, self.decode_options, decoder_state);
        if let DeliveryMode::ToSink(_, bad_records, drift) = &mut self.delivery {
            bad_records.append(&mut page.bad_records);
            drift.append(&mut page.drift);
            (page.bad_records, page.drift) = (std::mem::take(bad_records), std::mem::take(drift));
        }
        Ok(Box::new(page))
    }
}
