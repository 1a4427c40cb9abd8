//! Decodes a response while its bytes arrive: the rows, the members of the envelope, and the cursor of a list.
//!
//! The *envelope* is the object around the rows. The decoder can pause after every row and every other member. When
//! more bytes arrive, it decodes an incomplete row or member again from its beginning.
//!
//! Start at [`FrameDecoder`]: [`begin`](FrameDecoder::begin) a page, [`feed`](FrameDecoder::feed) it with chunks, and
//! [`finish`](FrameDecoder::finish) it. Rows can be delivered on the way, in batches.

use std::cell::RefCell;
use std::rc::Rc;
use std::{fmt, ptr};

use super::cursor::Cursor;
use super::document::{Document, DocumentState};
use super::drift::{Drift, DriftLog};
use super::layout::{DecodeOptions, Layout};
use super::omitted::BadRecord;
use super::record::{OpenRecord, RecordDecoder};
use super::shape_cache::ShapeCache;
use crate::frame::{Frame, to_slot};
use crate::json::{DecodeError, Mismatch, ScanError, Scanner};
use crate::record::Record;

/// A decoded page, or a batch of its rows.
#[derive(Debug)]
pub struct FramePage {
    /// The values.
    pub frame: Frame,
    /// The positions of the rows in the frame.
    pub rows: Vec<u32>,
    /// How many rows of the response were read, including bad rows and the rows of earlier batches.
    pub rows_read: usize,
    /// Whether the page has a list of rows, which may be empty. False if null was sent instead.
    pub has_rows: bool,
    /// The position of the envelope's record. In a batch, it has the members that have arrived.
    pub envelope: u32,
    /// The cursor of the next page. `None` at the end of the list, and in a batch.
    pub next: Option<Cursor>,
    /// Why the service's cursor cannot be sent back. The list continues, but its next page cannot be requested.
    pub cursor_error: Option<Mismatch>,
    /// Rows that were omitted.
    pub bad_records: Vec<BadRecord>,
    /// Whether this batch left the bad records of its last group to the next batch.
    pub defers_bad_records: bool,
    /// Drift in this page and in earlier pages of the same layout. After a batch, only drift since then.
    pub drift: Vec<Drift>,
}

impl FramePage {
    /// Reads the rows as structs. `None` if they are records of another type.
    pub fn read_rows<T: Record>(&mut self) -> Option<Vec<T>> {
        self.frame.extras.sort_unstable();
        self.rows.iter().map(|row| T::from_frame(&self.frame, *row)).collect()
    }

    /// Reads the envelope as a struct. `None` if it is a record of another type.
    pub fn read_envelope<E: Record>(&mut self) -> Option<E> {
        self.frame.extras.sort_unstable();
        E::from_frame(&self.frame, self.envelope)
    }
}

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
    delivery: DeliveryMode,
    decoder_state: DecoderState,
    input: Input,
    document: Document,
    frame: Frame,
    /// How many bytes of the document were delivered in batches.
    delivered: usize,
}

impl FrameDecoder {
    /// A decoder for responses of this layout.
    #[must_use]
    pub fn new(layout: Layout, decode_options: DecodeOptions) -> Self {
        let envelope = OpenRecord::new(layout.envelope, 0, 0);
        Self {
            layout,
            decode_options,
            decoder_state_pool: DecoderStatePool::default(),
            delivery: DeliveryMode::AtEnd,
            decoder_state: DecoderState::default(),
            input: Input::default(),
            document: Document::new(layout, envelope, decode_options.skip_bad_records),
            frame: Frame::default(),
            delivered: 0,
        }
    }

    /// Creates a decoder of the same layout and options, which delivers rows at the end of their page.
    pub(crate) fn create_sibling(&self) -> Self {
        let mut sibling = Self::new(self.layout, self.decode_options);
        sibling.decoder_state_pool = self.decoder_state_pool.clone();
        sibling
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
        self.decoder_state = self.decoder_state_pool.take(self.layout, self.decode_options);
        // If a response was discarded, its reports were lost.
        self.decoder_state.drift.reported = 0;
        self.frame = Frame::new();
        let envelope = open_envelope(self.layout, &mut self.frame, &mut self.decoder_state);
        self.document = Document::new(self.layout, envelope, self.decode_options.skip_bad_records);
        (self.input, self.delivered) = Default::default();
        match &mut self.delivery {
            DeliveryMode::AtEnd => {}
            DeliveryMode::ToSink(BatchSink(callback), bad_records, drift) => {
                callback(None);
                bad_records.clear();
                drift.clear();
            }
            // The bytes of pending rows are kept.
            DeliveryMode::Grouped(_) => self.document.rows.can_reread = true,
        }
    }

    /// The number of decoded rows, including bad ones, that were not delivered in a batch.
    #[must_use]
    pub const fn pending_rows(&self) -> usize {
        self.document.rows.len()
    }

    const fn pending_bytes(&self) -> usize {
        self.input.document_position() - self.delivered
    }

    /// Returns the rows decoded so far as a batch, if this decoder delivers batches and has enough rows. The first
    /// batch comes as soon as possible. Later ones grow, since each batch has a fixed cost.
    ///
    /// The last group of rows with the same value may be incomplete. This batch contains its rows so far, and the next
    /// batch contains the whole group again. `None` if all pending rows have the same value, or if the decoder is not
    /// within the rows.
    pub(crate) fn take_grouped_batch(&mut self) -> Option<Box<FramePage>> {
        let DeliveryMode::Grouped(field) = self.delivery else { return None };
        let Document { envelope, rows, state, .. } = &mut self.document;
        // The envelope states whether rows are complete. If it follows the rows, they must wait for it.
        let is_early = envelope.members.is_empty() || !matches!(state, DocumentState::Rows { .. });
        if is_early || self.input.document_position() - self.delivered < self.delivered.min(BATCH_BYTES) {
            return None;
        }
        let bad_records = rows.bad.len();
        self.input.read_to = rows.rewind_last_group(&self.frame, field)?;
        let defers_bad_records = rows.bad.len() < bad_records;
        *state = DocumentState::Rows { first: true };
        Some(Box::new(FramePage { defers_bad_records, ..self.take_batch() }))
    }

    /// Takes the decoded rows as a batch, with the members of the envelope that have arrived, and without a cursor.
    ///
    /// Later rows are delivered in other batches. [`Self::finish`] returns the last one. The document may still prove
    /// invalid.
    pub fn take_batch(&mut self) -> FramePage {
        let mut frame = Frame::new();
        let envelope = open_envelope(self.layout, &mut frame, &mut self.decoder_state);
        frame.reserve_for_input(self.pending_bytes());
        self.delivered = self.input.document_position();
        self.document.rows.starts.clear();
        self.discard_read_input();
        let page = self.replace_frame(frame);
        self.repeat_envelope(envelope);
        page
    }

    /// Decodes the members of the envelope that have arrived into a new record.
    fn repeat_envelope(&mut self, record: OpenRecord) {
        let is_complete = self.document.state == DocumentState::End;
        let envelope = &mut self.document.envelope;
        let members = std::mem::take(&mut envelope.members);
        let mut decoder = RecordDecoder {
            scan: Scanner::new(&members),
            frame: &mut self.frame,
            shapes: &mut self.decoder_state.shapes,
            drift: &mut self.decoder_state.drift,
            keep_extra: self.decode_options.keep_extra,
        };
        envelope.read_again(&mut decoder, record, is_complete);
        self.decoder_state.shapes.clear_values();
        envelope.members = members;
    }

    /// Replaces the frame, and returns what was decoded into the old one.
    fn replace_frame(&mut self, next: Frame) -> FramePage {
        self.frame.close();
        self.decoder_state.shapes.clear_values();
        let rows = &mut self.document.rows;
        FramePage {
            frame: std::mem::replace(&mut self.frame, next),
            rows: std::mem::take(&mut rows.positions),
            rows_read: rows.read,
            has_rows: self.document.has_rows,
            envelope: to_slot(self.document.envelope.record.at),
            next: None,
            cursor_error: None,
            bad_records: std::mem::take(&mut rows.bad),
            defers_bad_records: false,
            drift: self.decoder_state.drift.take_unreported(),
        }
    }

    /// Decodes further bytes of the page.
    ///
    /// # Errors
    /// Invalid JSON, or JSON that does not match the declared records. The next call must be [`begin`](Self::begin).
    pub fn feed(&mut self, chunk: Vec<u8>) -> Result<(), DecodeError> {
        if self.document.rows.starts.is_empty() {
            self.discard_read_input();
        }
        if self.input.bytes.is_empty() {
            self.frame.reserve_for_input(chunk.len());
        }
        let Some((scan, read_to)) = self.input.push(chunk) else { return Ok(()) };
        let mut decoder = RecordDecoder {
            scan,
            frame: &mut self.frame,
            shapes: &mut self.decoder_state.shapes,
            drift: &mut self.decoder_state.drift,
            keep_extra: self.decode_options.keep_extra,
        };
        let error = loop {
            match self.document.read_next(&mut decoder, read_to) {
                Ok(true) => {}
                Ok(false) => break None,
                Err(ScanError) => break Some(decoder.scan.take_error()),
            }
        };
        match error {
            None => {}
            Some(DecodeError::Incomplete) => self.input.defer(),
            Some(error) => return Err(error),
        }
        let has_sink = matches!(self.delivery, DeliveryMode::ToSink(..));
        if has_sink && self.pending_bytes() >= BATCH_BYTES && self.pending_rows() > 0 {
            let mut batch = self.take_batch();
            if let DeliveryMode::ToSink(BatchSink(callback), bad_records, drift) = &mut self.delivery {
                bad_records.append(&mut batch.bad_records);
                drift.append(&mut batch.drift);
                callback(Some(batch));
            }
        }
        Ok(())
    }

    /// Removes the input that was read. Cached values refer to it.
    fn discard_read_input(&mut self) {
        let input = &mut self.input;
        let read = std::mem::take(&mut input.read_to);
        if read > 0 {
            input.bytes.drain(..read);
            input.discarded += read;
            input.min_length = input.min_length.saturating_sub(read);
            self.decoder_state.shapes.clear_values();
        }
    }

    /// Ends the page and returns the rows that were not delivered before.
    ///
    /// # Errors
    /// A truncated body, or JSON that does not match the declared records.
    pub fn finish(&mut self) -> Result<Box<FramePage>, DecodeError> {
        let is_empty = self.input.bytes.is_empty() && self.document.state == DocumentState::Start;
        if self.document.state != DocumentState::End {
            // Decoding may have been deferred, although the input is complete.
            self.input.min_length = 0;
            // The scanner recognizes the end of a number only if a byte follows it.
            self.feed(vec![b' '])?;
        }
        if self.document.state != DocumentState::End {
            let found: &[u8] = if is_empty { b"" } else { b"the end of the input" };
            return Err(DecodeError::syntax("a complete JSON document", found));
        }
        let mut page = self.replace_frame(Frame::default());
        (page.next, page.cursor_error) = (self.document.next.take(), self.document.cursor_error.take());
        if let DeliveryMode::ToSink(_, bad_records, drift) = &mut self.delivery {
            bad_records.append(&mut page.bad_records);
            drift.append(&mut page.drift);
            (page.bad_records, page.drift) = (std::mem::take(bad_records), std::mem::take(drift));
        }
        // The input is not held until the next page.
        self.input = Input::default();
        (self.document.rows.starts, self.document.envelope.members) = Default::default();
        let decoder_state = std::mem::take(&mut self.decoder_state);
        self.decoder_state_pool.put(self.layout, self.decode_options, decoder_state);
        Ok(Box::new(page))
    }
}

/// The bytes that were not removed yet: unread ones, and rows that can be decoded again.
#[derive(Debug, Default)]
struct Input {
    bytes: Vec<u8>,
    /// The position in `bytes` up to which they were read.
    read_to: usize,
    /// How many bytes of the document were removed from `bytes`.
    discarded: usize,
    /// The length of `bytes` below which decoding is not retried, so that a huge row is not decoded again at every
    /// chunk.
    min_length: usize,
}

impl Input {
    /// The number of bytes of the document that were read.
    const fn document_position(&self) -> usize {
        self.discarded + self.read_to
    }

    /// Appends a chunk. Returns a scanner of the unread bytes, and the position to update after a part was read. `None` if
    /// not enough has arrived since [`Self::defer`].
    fn push(&mut self, chunk: Vec<u8>) -> Option<(Scanner<'_>, &mut usize)> {
        if self.bytes.is_empty() {
            self.bytes = chunk;
        } else {
            self.bytes.extend_from_slice(&chunk);
        }
        if self.bytes.len() < self.min_length {
            return None;
        }
        Some((Scanner::starting_at(&self.bytes, self.read_to, self.discarded), &mut self.read_to))
    }

    /// Defers decoding until a quarter more of the unread bytes has arrived.
    const fn defer(&mut self) {
        self.min_length = self.read_to + (self.bytes.len() - self.read_to) * 5 / 4;
    }
}

/// Reserves the slots of an envelope in a new frame.
fn open_envelope(layout: Layout, frame: &mut Frame, decoder_state: &mut DecoderState) -> OpenRecord {
    let shape = decoder_state.shapes.find_or_add(layout.envelope);
    OpenRecord::new(layout.envelope, shape, frame.reserve_record(layout.envelope.fields.len()))
}

/// The state that the decoder of a page passes on to the decoder of the next one, so that the first row is decoded quickly.
///
/// It contains the shapes of the records and the drift that was found. They belong together: drift that a shape contains
/// is not found again, but reported from the log.
#[derive(Debug, Default)]
struct DecoderState {
    shapes: ShapeCache,
    drift: DriftLog,
}

/// The states of a client: one per layout and `keep_extra`, with which unknown fields are decoded too. Calls borrow one while they
/// decode, because without one, the first row alone takes a tenth of the decoding time of a small page.
#[derive(Debug, Clone, Default)]
pub(crate) struct DecoderStatePool(Rc<RefCell<Vec<Entry>>>);

type Entry = (Layout, bool, Box<DecoderState>);

impl DecoderStatePool {
    /// Removes the state of a layout and returns it. Returns a new one if there is none, or if a concurrent call holds it.
    fn take(&self, layout: Layout, decode_options: DecodeOptions) -> DecoderState {
        let mut entries = self.0.borrow_mut();
        let index = entries.iter().position(|(known, keep_extra, _)| {
            let has_same_tables = ptr::eq(known.row, layout.row) && ptr::eq(known.envelope, layout.envelope);
            has_same_tables && *keep_extra == decode_options.keep_extra
        });
        index.map(|index| *entries.swap_remove(index).2).unwrap_or_default()
    }

    /// Puts a state back. Replaces the one that a concurrent call may have put back in the meantime.
    fn put(&self, layout: Layout, decode_options: DecodeOptions, decoder_state: DecoderState) {
        drop(self.take(layout, decode_options));
        self.0.borrow_mut().push((layout, decode_options.keep_extra, Box::new(decoder_state)));
    }
}
