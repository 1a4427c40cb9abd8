//! Page readers decode response bodies chunk by chunk: [`FramePageReader`] into frames for JavaScript, [`TypedPageReader`] into
//! structs for Rust. [`RawPageReader`] only collects the bytes.

use std::fmt;
use std::marker::PhantomData;

use super::shape_caches::ShapeCaches;
use crate::decode::BadRow;
use crate::decode::Drift;
use crate::decode::{Cursor, DecodeError, DecodeOptions, FramePage, Layout, Page, PageDecoder};
use crate::endpoint::{List, ListParams};
use crate::record::Mismatch;

/// Decodes response bodies, one after the other: [`begin`](Self::begin), [`feed`](Self::feed) for each chunk, then
/// [`finish`](Self::finish).
pub trait PageReader {
    /// A decoded page.
    type Page;
    /// Returns why the cursor of this page cannot be used, or None if it can.
    fn cursor_error(_page: &mut Self::Page) -> Option<&mut Mismatch> {
        None
    }
    /// The cursor of the next page, for pages of lists.
    fn next_cursor_mut(page: &mut Self::Page) -> Option<&mut Option<Cursor>>;
    /// Begins a page. Discards the rest of an unfinished one.
    fn begin(&mut self);
    /// Decodes further bytes of the page.
    ///
    /// # Errors
    /// Invalid JSON, or JSON that does not match the declared records.
    fn feed(&mut self, chunk: Vec<u8>) -> Result<(), DecodeError>;
    /// Returns the rows decoded so far as a page of their own, if this reader delivers batches and enough rows are there.
    fn take_batch(&mut self) -> Option<DecodedPage<Self::Page>> {
        None
    }
    /// Ends the page and returns the rows that were not delivered before.
    ///
    /// # Errors
    /// A truncated body, or JSON that does not match the declared records.
    fn finish(&mut self) -> Result<DecodedPage<Self::Page>, DecodeError>;
}

/// A page, or a batch of its rows, with what the client must know about it.
#[derive(Debug)]
pub struct DecodedPage<P> {
    /// The page or batch.
    pub page: P,
    /// Whether it has no rows.
    pub is_empty: bool,
    /// Cursor of the next page. None on the last page.
    pub next: Option<Cursor>,
}

/// Size of a batch, in bytes of JSON. Smaller than [`MAX_CHUNK_BYTES`](super::runtime::MAX_CHUNK_BYTES), so that each full
/// chunk completes a batch.
const BATCH_BYTES: usize = 1 << 15;

/// A callback that receives batches of rows while their page is still arriving. None means that the page begins again, and
/// that its earlier batches are void.
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
enum Delivery {
    /// At the end of their page.
    AtEnd,
    /// In batches, to the sink. Bad rows and drift are collected for the end of the page.
    ToSink(BatchSink, Vec<BadRow>, Vec<Drift>),
    /// In batches that end where the value of this field changes.
    Grouped(usize),
}

/// Decodes pages into frames.
#[derive(Debug)]
pub struct FramePageReader {
    layout: Layout,
    decode_options: DecodeOptions,
    shape_caches: ShapeCaches,
    decoder: Option<Box<PageDecoder>>,
    delivery: Delivery,
}

impl FramePageReader {
    /// A reader for the pages of this list.
    #[must_use]
    pub fn new(list: &'static List, decode_options: DecodeOptions) -> Self {
        Self::from_layout(Layout::list(list.item, list.envelope), decode_options)
    }

    /// A reader for responses of this layout.
    #[must_use]
    pub fn from_layout(layout: Layout, decode_options: DecodeOptions) -> Self {
        Self { layout, decode_options, shape_caches: ShapeCaches::default(), decoder: None, delivery: Delivery::AtEnd }
    }

    /// Shares these shape caches.
    pub(super) fn with_shape_caches(mut self, shape_caches: &ShapeCaches) -> Self {
        self.shape_caches = shape_caches.clone();
        self
    }

    /// Passes the rows of large pages to this sink while they arrive. The page itself then has only the remaining rows.
    #[must_use]
    pub fn with_sink(mut self, sink: BatchSink) -> Self {
        self.delivery = Delivery::ToSink(sink, Vec::new(), Vec::new());
        self
    }

    /// Delivers the rows of a page in batches while it arrives. Rows with the same value of this field form a group. A batch
    /// ends with the rows of the last group so far, which may be incomplete. The next batch repeats that group.
    #[must_use]
    pub fn with_batches_grouped_by(mut self, field: usize) -> Self {
        self.delivery = Delivery::Grouped(field);
        self
    }
}

impl PageReader for FramePageReader {
    type Page = Box<FramePage>;

    fn cursor_error(page: &mut Self::Page) -> Option<&mut Mismatch> {
        page.cursor_error.as_mut()
    }

    fn next_cursor_mut(page: &mut Self::Page) -> Option<&mut Option<Cursor>> {
        Some(&mut page.next)
    }

    fn begin(&mut self) {
        let decoder_state = self.shape_caches.take(self.layout, self.decode_options);
        let mut decoder = PageDecoder::new(self.layout, self.decode_options, decoder_state);
        match &mut self.delivery {
            Delivery::AtEnd => {}
            Delivery::ToSink(BatchSink(callback), bad_rows, drift) => {
                callback(None);
                bad_rows.clear();
                drift.clear();
            }
            Delivery::Grouped(_) => decoder = decoder.with_rereading(),
        }
        self.decoder = Some(Box::new(decoder));
    }

    fn feed(&mut self, chunk: Vec<u8>) -> Result<(), DecodeError> {
        let Some(decoder) = &mut self.decoder else { return Ok(()) };
        decoder.feed(chunk)?;
        if let Delivery::ToSink(BatchSink(callback), bad_rows, drift) = &mut self.delivery
            && decoder.pending_bytes() >= BATCH_BYTES
            && decoder.pending_rows() > 0
        {
            let mut batch = decoder.take_batch();
            bad_rows.append(&mut batch.bad_rows);
            drift.append(&mut batch.drift);
            callback(Some(batch));
        }
        Ok(())
    }

    /// Returns the first rows as soon as possible, and then larger and larger batches, since each batch has a fixed cost.
    fn take_batch(&mut self) -> Option<DecodedPage<Box<FramePage>>> {
        let (Delivery::Grouped(field), Some(decoder)) = (&self.delivery, &mut self.decoder) else { return None };
        // The envelope states whether rows are complete. If it follows the rows, they must wait for it.
        if !decoder.has_envelope_members() || decoder.pending_bytes() < decoder.delivered_bytes().min(BATCH_BYTES) {
            return None;
        }
        decoder.take_batch_until(*field).map(to_decoded_page)
    }

    fn finish(&mut self) -> Result<DecodedPage<Box<FramePage>>, DecodeError> {
        let (mut page, decoder_state) = self.decoder.take().ok_or(DecodeError::Incomplete)?.finish()?;
        self.shape_caches.put(self.layout, self.decode_options, decoder_state);
        if let Delivery::ToSink(_, bad_rows, drift) = &mut self.delivery {
            bad_rows.append(&mut page.bad_rows);
            drift.append(&mut page.drift);
            (page.bad_rows, page.drift) = (std::mem::take(bad_rows), std::mem::take(drift));
        }
        Ok(to_decoded_page(page))
    }
}

fn to_decoded_page(page: FramePage) -> DecodedPage<Box<FramePage>> {
    DecodedPage {
        is_empty: page.rows.is_empty() && page.bad_rows.is_empty(),
        next: page.next.clone(),
        page: Box::new(page),
    }
}

/// Collects the bytes of responses.
#[derive(Debug, Default)]
pub struct RawPageReader(Vec<u8>);

impl PageReader for RawPageReader {
    type Page = Vec<u8>;

    fn next_cursor_mut(_: &mut Self::Page) -> Option<&mut Option<Cursor>> {
        None
    }

    fn begin(&mut self) {
        self.0.clear();
    }

    fn feed(&mut self, chunk: Vec<u8>) -> Result<(), DecodeError> {
        self.0.extend_from_slice(&chunk);
        Ok(())
    }

    fn finish(&mut self) -> Result<DecodedPage<Vec<u8>>, DecodeError> {
        Ok(DecodedPage { page: std::mem::take(&mut self.0), is_empty: false, next: None })
    }
}

/// Decodes pages into structs.
#[derive(Debug)]
pub struct TypedPageReader<P> {
    bytes: Vec<u8>,
    params: PhantomData<P>,
}

impl<P> Default for TypedPageReader<P> {
    fn default() -> Self {
        Self { bytes: Vec::new(), params: PhantomData }
    }
}

impl<P: ListParams> PageReader for TypedPageReader<P> {
    type Page = Page<P::Item, P::Envelope>;

    fn cursor_error(page: &mut Self::Page) -> Option<&mut Mismatch> {
        page.cursor_error.as_mut()
    }

    fn next_cursor_mut(page: &mut Self::Page) -> Option<&mut Option<Cursor>> {
        Some(&mut page.next)
    }

    fn begin(&mut self) {
        self.bytes.clear();
    }

    fn feed(&mut self, chunk: Vec<u8>) -> Result<(), DecodeError> {
        self.bytes.extend_from_slice(&chunk);
        Ok(())
    }

    fn finish(&mut self) -> Result<DecodedPage<Self::Page>, DecodeError> {
        let page = Page::read(&self.bytes)?;
        Ok(DecodedPage { is_empty: page.items.is_empty(), next: page.next.clone(), page })
    }
}
