//! Decodes a response while its bytes arrive: the rows, the members of the envelope, and the cursor of a list.
//!
//! The *envelope* is the object around the rows. The decoder can pause after every row and every other member. When
//! more bytes arrive, it decodes an incomplete row or member again from its beginning.
//!
//! Start at [`PageDecoder`]: [`feed`](PageDecoder::feed) it with chunks, take batches of rows on the way if needed
//! ([`take_batch`](PageDecoder::take_batch)), and [`finish`](PageDecoder::finish) it.

use super::cursor::Cursor;
use super::decoder_state::DecoderState;
use super::document::{Document, DocumentState};
use super::drift::Drift;
use super::layout::{DecodeOptions, Layout};
use super::omitted::BadRecord;
use super::record::{OpenRecord, RecordDecoder};
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
    /// Whether [`PageDecoder::take_batch_until`] left the bad records of the last group to the next batch.
    pub defers_bad_records: bool,
    /// Drift in this page and in earlier pages with the same [`DecoderState`]. After a batch, only drift since then.
    pub drift: Vec<Drift>,
}

impl FramePage {
    /// Reads the rows as structs. `None` if they are records of another type.
    pub fn read_rows<T: Record>(&self) -> Option<Vec<T>> {
        self.rows.iter().map(|row| T::from_frame(&self.frame, *row)).collect()
    }

    /// Reads the envelope as a struct. `None` if it is a record of another type.
    pub fn read_envelope<E: Record>(&self) -> Option<E> {
        E::from_frame(&self.frame, self.envelope)
    }
}

/// Decodes one response, chunk by chunk.
#[derive(Debug)]
pub struct PageDecoder {
    layout: Layout,
    keep_extra: bool,
    decoder_state: DecoderState,
    input: Input,
    document: Document,
    frame: Frame,
    /// How many bytes of the document were delivered in batches.
    delivered: usize,
}

impl PageDecoder {
    /// Creates a decoder for a response of this layout. `decoder_state` comes from the previous page, or is new.
    #[must_use]
    pub fn new(layout: Layout, decode_options: DecodeOptions, mut decoder_state: DecoderState) -> Self {
        // If a response was discarded, its reports were lost.
        decoder_state.drift.reported = 0;
        let mut frame = Frame::new();
        let envelope = open_envelope(layout, &mut frame, &mut decoder_state);
        Self {
            layout,
            keep_extra: decode_options.keep_extra,
            decoder_state,
            input: Input::default(),
            document: Document::new(layout, envelope, decode_options.skip_bad_records),
            frame,
            delivered: 0,
        }
    }

    /// Enables [`Self::take_batch_until`]. The bytes of pending rows are kept, so that they can be decoded again.
    #[must_use]
    pub const fn with_rereading(mut self) -> Self {
        self.document.rows.can_reread = true;
        self
    }

    /// The number of decoded rows, including bad ones, that were not delivered in a batch.
    #[must_use]
    pub const fn pending_rows(&self) -> usize {
        self.document.rows.len()
    }

    /// The number of decoded bytes that were not delivered in a batch.
    #[must_use]
    pub const fn pending_bytes(&self) -> usize {
        self.input.document_position() - self.delivered
    }

    /// Whether members of the envelope have arrived.
    #[must_use]
    pub const fn has_envelope_members(&self) -> bool {
        !self.document.envelope.members.is_empty()
    }

    /// The number of bytes that were delivered in batches.
    #[must_use]
    pub const fn delivered_bytes(&self) -> usize {
        self.delivered
    }

    /// Takes a batch that ends where the value of a field changes.
    ///
    /// The last group of rows with the same value may be incomplete. This batch contains its rows so far, and the next
    /// batch contains the whole group again.
    ///
    /// Returns `None` if all pending rows have the same value, or if the decoder is not within the rows. Also `None` if
    /// it was created without [`with_rereading`](Self::with_rereading).
    pub fn take_batch_until(&mut self, field: usize) -> Option<FramePage> {
        if !matches!(self.document.state, DocumentState::Rows { .. }) {
            return None;
        }
        let rows = &mut self.document.rows;
        let bad_records = rows.bad.len();
        self.input.read_to = rows.rewind_last_group(&self.frame, field)?;
        let defers_bad_records = rows.bad.len() < bad_records;
        self.document.state = DocumentState::Rows { first: true };
        Some(FramePage { defers_bad_records, ..self.take_batch() })
    }

    /// Takes the decoded rows as a batch, with the members of the envelope that have arrived, and without a cursor.
    ///
    /// Later rows are delivered in other batches; [`Self::finish`] returns the last one. The document may still prove
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
            keep_extra: self.keep_extra,
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

    /// Appends a chunk and decodes as far as possible.
    ///
    /// # Errors
    /// If the response is invalid. The decoder cannot be used after that.
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
            keep_extra: self.keep_extra,
        };
        let error = loop {
            match self.document.read_next(&mut decoder, read_to) {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                Err(ScanError) => break decoder.scan.take_error(),
            }
        };
        if error != DecodeError::Incomplete {
            return Err(error);
        }
        self.input.defer();
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

    /// Ends the response. Returns the page, or its last batch, and the state for the decoder of the next page.
    ///
    /// # Errors
    /// If the document is not complete.
    pub fn finish(mut self) -> Result<(FramePage, DecoderState), DecodeError> {
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
        (page.next, page.cursor_error) = (self.document.next, self.document.cursor_error);
        Ok((page, self.decoder_state))
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
