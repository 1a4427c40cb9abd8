//! Decodes a response while its bytes arrive: the rows, the members of the envelope, and the cursor of a list.
//!
//! The *envelope* is the object around the rows. The decoder can pause after every row and every other member. When
//! more bytes arrive, it decodes an incomplete row or member again from its beginning.
//!
//! Start at [`PageDecoder`]: [`feed`](PageDecoder::feed) it with chunks, take batches of rows on the way if needed
//! ([`take_batch`](PageDecoder::take_batch)), and [`finish`](PageDecoder::finish) it.

use super::cursor::Cursor;
use super::drift::Drift;
use super::frame::Frame;
use super::record::{RecordDecoder, RecordProgress};
use super::shape_cache::ShapeCache;
use crate::json::{BYTE_ORDER_MARK, DecodeError, Mismatch, ScanError, Scanner};
use crate::record::Table;

/// The structure of a response.
#[derive(Debug, Clone, Copy)]
pub struct Layout {
    /// The name of the member with the rows, and whether it may be null. `None` if the response has no rows.
    pub rows: Option<(&'static str, bool)>,
    /// The table of a row.
    pub row: &'static Table,
    /// The table of the envelope: the members beside the rows.
    pub envelope: &'static Table,
}

impl Layout {
    /// A page of a list of the REST API: rows in `items`.
    #[must_use]
    pub const fn list(row: &'static Table, envelope: &'static Table) -> Self {
        Self { rows: Some(("items", false)), row, envelope }
    }

    /// A response of the module/action API: rows in `result`, which is null if the request was refused.
    #[must_use]
    pub const fn rows(row: &'static Table, envelope: &'static Table) -> Self {
        Self { rows: Some(("result", true)), row, envelope }
    }

    /// A response that is one record.
    #[must_use]
    pub const fn record(envelope: &'static Table) -> Self {
        Self { rows: None, row: envelope, envelope }
    }
}

/// Options of the decoder.
#[derive(Debug, Clone, Copy, Default)]
pub struct DecodeOptions {
    /// Whether rows that fail validation are omitted and reported. Otherwise they fail the page. Default: false.
    pub skip_bad_rows: bool,
    /// Whether unknown fields are kept. Default: false.
    pub keep_extra: bool,
}

/// A row that failed validation and was omitted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadRow {
    /// What does not match the declaration.
    pub mismatch: Mismatch,
    /// The JSON of the row, as sent.
    pub raw: String,
}

/// A decoded page, or a batch of its rows.
#[derive(Debug)]
pub struct FramePage {
    /// The values.
    pub frame: Frame,
    /// The positions of the rows in the frame.
    pub rows: Vec<u32>,
    /// Whether the page has a list of rows, which may be empty. False if null was sent instead.
    pub has_rows: bool,
    /// The position of the envelope's record. In a batch, it has the members that have arrived.
    pub envelope: u32,
    /// The cursor of the next page. `None` at the end of the list, and in a batch.
    pub next: Option<Cursor>,
    /// Why the service's cursor cannot be sent back, if so. The list continues, but its next page cannot be requested.
    pub cursor_error: Option<Mismatch>,
    /// Rows that were omitted.
    pub bad_rows: Vec<BadRow>,
    /// Drift in this page and in earlier pages with the same [`ShapeCache`]. After a batch, only drift since then.
    pub drift: Vec<Drift>,
}

/// Decodes one response, chunk by chunk.
#[derive(Debug)]
pub struct PageDecoder {
    layout: Layout,
    decode_options: DecodeOptions,
    shape_cache: ShapeCache,
    /// The input that was not removed yet: unread bytes, and rows that can be decoded again.
    input: Vec<u8>,
    /// How many bytes of the document were read and removed from `input`.
    discarded: usize,
    state: State,
    /// The position in `input` up to which it was read.
    read_to: usize,
    /// The length of `input` below which decoding is not retried, so that a huge row is not decoded again at every
    /// chunk.
    min_input: usize,
    frame: Frame,
    rows: Vec<u32>,
    /// The position of the envelope's record in the frame.
    envelope_at: usize,
    /// The state of the envelope, which is decoded member by member.
    progress: RecordProgress,
    /// The JSON of the envelope's members, each followed by a comma. They are decoded again for every batch.
    envelope_members: Vec<u8>,
    has_rows: bool,
    next: Option<Cursor>,
    cursor_error: Option<Mismatch>,
    bad_rows: Vec<BadRow>,
    /// How many rows of the page were read: the index of the next one.
    rows_read: usize,
    /// Whether rows can be decoded again. If so, their bytes are kept until they are delivered.
    can_reread: bool,
    /// The starts of the rows that can be decoded again.
    row_starts: Vec<RowStart>,
    /// How many bytes of the document were delivered in batches.
    delivered: usize,
}

/// The start of a row in the input, and the number of pending bad rows before it.
#[derive(Debug)]
struct RowStart {
    at: usize,
    bad_rows: usize,
}

/// What is read next. `first` is set if no member, or row, was read yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Start,
    Members { first: bool },
    Rows { first: bool },
    End,
}

impl PageDecoder {
    /// Creates a decoder for a page of a list, with rows of the table `row` and an envelope of the table `envelope`.
    #[must_use]
    pub fn new(
        row: &'static Table,
        envelope: &'static Table,
        decode_options: DecodeOptions,
        shape_cache: ShapeCache,
    ) -> Self {
        Self::with_layout(Layout::list(row, envelope), decode_options, shape_cache)
    }

    /// Creates a decoder for a response of this layout. `shape_cache` is that of the previous page, or a new one.
    #[must_use]
    pub fn with_layout(layout: Layout, decode_options: DecodeOptions, mut shape_cache: ShapeCache) -> Self {
        shape_cache.drift.mark_unreported();
        let (frame, envelope_at) = Self::new_frame(layout);
        Self {
            layout,
            decode_options,
            shape_cache,
            input: Vec::new(),
            discarded: 0,
            state: State::Start,
            read_to: 0,
            min_input: 0,
            frame,
            rows: Vec::new(),
            envelope_at,
            progress: RecordProgress::default(),
            envelope_members: Vec::new(),
            has_rows: false,
            next: None,
            cursor_error: None,
            bad_rows: Vec::new(),
            rows_read: 0,
            can_reread: false,
            row_starts: Vec::new(),
            delivered: 0,
        }
    }

    /// Enables [`Self::take_batch_until`]. The bytes of pending rows are kept, so that they can be decoded again.
    #[must_use]
    pub const fn with_rereading(mut self) -> Self {
        self.can_reread = true;
        self
    }

    fn new_frame(layout: Layout) -> (Frame, usize) {
        let mut frame = Frame::new();
        let envelope_at = frame.reserve_record(layout.envelope.fields.len());
        (frame, envelope_at)
    }

    /// The number of decoded rows, including bad ones, that were not delivered in a batch.
    #[must_use]
    pub const fn pending_rows(&self) -> usize {
        self.rows.len() + self.bad_rows.len()
    }

    /// The number of decoded bytes that were not delivered in a batch.
    #[must_use]
    pub const fn pending_bytes(&self) -> usize {
        self.discarded + self.read_to - self.delivered
    }

    /// Whether members of the envelope have arrived.
    #[must_use]
    pub const fn has_envelope_members(&self) -> bool {
        !self.envelope_members.is_empty()
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
        let value = |row: &u32| self.frame.raw_string(self.frame.get(*row as usize + field));
        let last = self.rows.last().map(value)?;
        let before = self.rows.iter().rposition(|row| value(row) != last)?;
        let first = self.row_starts.get(before + 1).filter(|_| matches!(self.state, State::Rows { .. }))?;
        self.read_to = first.at;
        self.rows_read -= self.pending_rows() - (before + 1) - first.bad_rows;
        self.bad_rows.truncate(first.bad_rows);
        self.state = State::Rows { first: true };
        Some(self.take_batch())
    }

    /// Takes the decoded rows as a batch, with the members of the envelope that have arrived, and without a cursor.
    ///
    /// Later rows are delivered in other batches; [`Self::finish`] returns the last one. The document may still prove
    /// invalid.
    pub fn take_batch(&mut self) -> FramePage {
        let (mut frame, envelope_at) = Self::new_frame(self.layout);
        frame.reserve_for_input(self.pending_bytes());
        self.delivered = self.discarded + self.read_to;
        self.row_starts.clear();
        self.discard_read_input();
        let page = self.replace_frame(frame);
        self.envelope_at = envelope_at;
        self.progress = RecordProgress::default();
        let envelope_members = std::mem::take(&mut self.envelope_members);
        let mut decoder = RecordDecoder {
            scan: Scanner::starting_at(&envelope_members, 0),
            frame: &mut self.frame,
            shapes: &mut self.shape_cache.shapes,
            drift: &mut self.shape_cache.drift,
            keep_extra: self.decode_options.keep_extra,
        };
        // These members were validated before, so that errors and drift in them are already known.
        while !decoder.scan.rest().is_empty() {
            let result = decoder.scan.read_key().and_then(|key| {
                decoder.read_envelope_member(self.layout.envelope, self.envelope_at, &key, &mut self.progress)?;
                decoder.scan.expect(b',', "a comma")
            });
            if result.is_err() {
                break;
            }
        }
        if self.state == State::End {
            let _ = decoder.finish_envelope(self.layout.envelope, self.envelope_at, &mut self.progress);
        }
        self.shape_cache.shapes.clear_values();
        self.envelope_members = envelope_members;
        page
    }

    /// Replaces the frame, and returns what was decoded into the old one.
    fn replace_frame(&mut self, next: Frame) -> FramePage {
        self.frame.close();
        self.shape_cache.shapes.clear_values();
        FramePage {
            frame: std::mem::replace(&mut self.frame, next),
            rows: std::mem::take(&mut self.rows),
            has_rows: self.has_rows,
            envelope: to_u32(self.envelope_at),
            next: None,
            cursor_error: None,
            bad_rows: std::mem::take(&mut self.bad_rows),
            drift: self.shape_cache.drift.take_unreported(),
        }
    }

    /// Appends a chunk and decodes as far as possible.
    ///
    /// # Errors
    /// If the response is invalid. The decoder cannot be used after that.
    pub fn feed(&mut self, chunk: Vec<u8>) -> Result<(), DecodeError> {
        if self.row_starts.is_empty() {
            self.discard_read_input();
        }
        if self.input.is_empty() {
            self.frame.reserve_for_input(chunk.len());
            self.input = chunk;
        } else {
            self.input.extend_from_slice(&chunk);
        }
        if self.input.len() < self.min_input {
            return Ok(());
        }
        loop {
            match self.read_next() {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                Err(DecodeError::Incomplete) => {
                    self.min_input = self.read_to + (self.input.len() - self.read_to) * 5 / 4;
                    return Ok(());
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Removes the input that was read.
    fn discard_read_input(&mut self) {
        if self.read_to > 0 {
            self.input.drain(..self.read_to);
            self.discarded += self.read_to;
            self.min_input = self.min_input.saturating_sub(self.read_to);
            self.read_to = 0;
            self.shape_cache.shapes.clear_values();
        }
    }

    /// Ends the response. Returns the page, or its last batch, and the shape cache for the next page.
    ///
    /// # Errors
    /// If the document is not complete.
    pub fn finish(mut self) -> Result<(FramePage, ShapeCache), DecodeError> {
        if self.state != State::End {
            // Decoding may have been deferred, although the input is complete.
            self.min_input = 0;
            self.feed(Vec::new())?;
        }
        if self.state != State::End {
            let found: &[u8] =
                if self.input.is_empty() && self.state == State::Start { b"" } else { b"the end of the input" };
            return Err(DecodeError::syntax("a complete JSON document", found));
        }
        let mut page = self.replace_frame(Frame::default());
        (page.next, page.cursor_error) = (self.next.take(), self.cursor_error.take());
        Ok((page, std::mem::take(&mut self.shape_cache)))
    }

    /// Decodes the next member of the envelope, or all available rows. Returns false at the end of the document.
    fn read_next(&mut self) -> Result<bool, DecodeError> {
        let mut decoder = RecordDecoder {
            scan: Scanner::starting_at(&self.input, self.read_to).with_offset(self.discarded),
            frame: &mut self.frame,
            shapes: &mut self.shape_cache.shapes,
            drift: &mut self.shape_cache.drift,
            keep_extra: self.decode_options.keep_extra,
        };
        let Layout { rows, row, envelope } = self.layout;
        let (rows_key, nullable_rows) = rows.unwrap_or_default();
        // Returns the next state, or `None` at the end of the document.
        let mut read = || match self.state {
            State::Start => {
                enter_document(&mut decoder.scan)?;
                Ok(Some(State::Members { first: true }))
            }
            State::Members { first } => {
                if decoder.scan.next_member(b'}', first)? {
                    let start = decoder.scan.position();
                    let key = decoder.scan.read_key()?;
                    match &*key {
                        key if rows.is_some() && key == rows_key.as_bytes() => {
                            let first = decoder.scan.peek()?;
                            if self.has_rows {
                                decoder.scan.fail_mismatch("one list", b"a second one");
                                return Err(decoder.scan.prepend_field(rows_key));
                            }
                            if first == b'n' && nullable_rows {
                                decoder.scan.expect_literal("null")?;
                            } else if first == b'[' {
                                decoder.scan.advance(1);
                                self.has_rows = true;
                                return Ok(Some(State::Rows { first: true }));
                            } else {
                                decoder.scan.skip_mismatch("a list");
                                return Err(decoder.scan.prepend_field(rows_key));
                            }
                        }
                        b"next_page_params" if rows.is_some() => {
                            (self.next, self.cursor_error) = Cursor::read_member(&mut decoder.scan)?;
                        }
                        _ => {
                            decoder.read_envelope_member(envelope, self.envelope_at, &key, &mut self.progress)?;
                            if rows.is_some() {
                                self.envelope_members.extend_from_slice(decoder.scan.slice_from(start));
                                self.envelope_members.push(b',');
                            }
                        }
                    }
                    Ok(Some(State::Members { first: false }))
                } else if self.has_rows || nullable_rows || rows.is_none() {
                    decoder.finish_envelope(envelope, self.envelope_at, &mut self.progress)?;
                    Ok(Some(State::End))
                } else {
                    decoder.scan.fail_mismatch("a list", b"");
                    Err(decoder.scan.prepend_field(rows_key))
                }
            }
            State::Rows { mut first } => {
                let shape = decoder.shapes.find_or_add(row);
                while decoder.scan.next_member(b']', first)? {
                    decoder.scan.peek()?;
                    let start = RowStart { at: decoder.scan.position(), bad_rows: self.bad_rows.len() };
                    match decoder.read_row(row, shape) {
                        Ok(at) => {
                            self.rows.push(to_u32(at));
                            self.row_starts.extend(self.can_reread.then_some(start));
                        }
                        Err(ScanError) => {
                            let error = decoder.scan.take_error().in_element(self.rows_read).in_field(rows_key);
                            let mismatch = match error {
                                DecodeError::Mismatch(mismatch) if self.decode_options.skip_bad_rows => mismatch,
                                error => return Err(decoder.scan.fail(error)),
                            };
                            let raw = crate::strings::from_utf8_lossy(decoder.scan.slice_from(start.at));
                            self.bad_rows.push(BadRow { mismatch: *mismatch, raw });
                        }
                    }
                    self.rows_read += 1;
                    // If the input ends within the next row, decoding restarts here.
                    first = false;
                    self.state = State::Rows { first };
                    self.read_to = decoder.scan.position();
                }
                Ok(Some(State::Members { first: false }))
            }
            State::End => match decoder.scan.peek() {
                Err(ScanError) => Ok(None),
                Ok(_) => Err(decoder.scan.fail_syntax("the end of the document")),
            },
        };
        let Some(next) = read().map_err(|ScanError| decoder.scan.take_error())? else { return Ok(false) };
        self.read_to = decoder.scan.position();
        self.state = next;
        Ok(true)
    }
}

/// A position in the frame. It saturates, but frames are far smaller.
fn to_u32(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Consumes the opening brace of the document, and a byte order mark before it.
fn enter_document(scan: &mut Scanner<'_>) -> Result<(), ScanError> {
    if scan.rest().len() < BYTE_ORDER_MARK.len() && BYTE_ORDER_MARK.starts_with(scan.rest()) {
        return Err(ScanError);
    }
    scan.skip_byte_order_mark();
    if scan.peek()? != b'{' {
        return Err(scan.skip_mismatch("an object"));
    }
    scan.advance(1);
    Ok(())
}
