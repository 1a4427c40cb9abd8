//! [`Document`]: the parts of a response, and which one is read next. The parts are the [`Envelope`], which has the members beside the
//! rows, and the [`RowBuffer`], which has the rows that were decoded and not delivered yet.

use super::cursor::Cursor;
use super::layout::Layout;
use super::omitted::{BadRecord, find_first_after, read_block};
use super::record::{OpenRecord, RecordDecoder};
use crate::frame::{Frame, to_slot};
use crate::json::{DecodeError, Mismatch, ScanError, Scanner, format_index};
use crate::record::{FieldName, Kind, Table};
use crate::strings::{from_utf8_lossy, parse_u64};

/// The part that is read next. `first` is set if no member, or row, was read yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DocumentState {
    Start,
    Members { first: bool },
    Rows { first: bool },
    End,
}

/// The parts of a response that were read.
#[derive(Debug)]
pub(super) struct Document {
    layout: Layout,
    /// Whether the document is only the list of rows.
    is_array: bool,
    pub(super) state: DocumentState,
    pub(super) envelope: Envelope,
    pub(super) rows: RowBuffer,
    pub(super) has_rows: bool,
    pub(super) next: Option<Cursor>,
    pub(super) cursor_error: Option<Mismatch>,
}

impl Document {
    /// Creates an unread document. `skips_bad` is whether rows that fail validation are omitted.
    #[inline(never)]
    pub(super) const fn new(layout: Layout, envelope: OpenRecord, skips_bad: bool) -> Self {
        let rows = RowBuffer {
            table: layout.row,
            skips_bad,
            positions: Vec::new(),
            bad: Vec::new(),
            read: 0,
            can_reread: false,
            starts: Vec::new(),
        };
        Self {
            layout,
            is_array: false,
            state: DocumentState::Start,
            envelope: Envelope { record: envelope, members: Vec::new() },
            rows,
            has_rows: false,
            next: None,
            cursor_error: None,
        }
    }

    /// Decodes the next member of the envelope, or all available rows. Returns false at the end of the document.
    ///
    /// `read_to` becomes the position in the input from which decoding continues, also if the input ends within a row.
    pub(super) fn read_next(
        &mut self,
        decoder: &mut RecordDecoder<'_>,
        read_to: &mut usize,
    ) -> Result<bool, ScanError> {
        let next = match self.state {
            DocumentState::Start if self.layout.is_any_json => {
                decoder.scan.skip_byte_order_mark()?;
                self.envelope.read_only_field(decoder)?;
                self.finish_envelope(decoder)?
            }
            DocumentState::Start => {
                self.is_array = enter_document(&mut decoder.scan, self.layout.accepts_array)?;
                self.has_rows = self.is_array;
                if self.is_array { DocumentState::Rows { first: true } } else { DocumentState::Members { first: true } }
            }
            DocumentState::Members { first } => self.read_member(decoder, first)?,
            DocumentState::Rows { first } => {
                let (list, _) = self.layout.rows.unwrap_or_default();
                self.rows.read_all(decoder, first, list, |position| {
                    self.state = DocumentState::Rows { first: false };
                    *read_to = position;
                })?;
                if self.is_array { self.finish_envelope(decoder)? } else { DocumentState::Members { first: false } }
            }
            DocumentState::End => {
                return match decoder.scan.peek() {
                    Err(ScanError) => Ok(false),
                    Ok(_) => Err(decoder.scan.fail_syntax("the end of the document")),
                };
            }
        };
        self.state = next;
        *read_to = decoder.scan.position();
        Ok(true)
    }

    /// Decodes a member of the envelope, up to the rows if it is their list, or the end of the envelope. Returns the
    /// next state.
    fn read_member(&mut self, decoder: &mut RecordDecoder<'_>, first: bool) -> Result<DocumentState, ScanError> {
        if !decoder.scan.next_member(b'}', first)? {
            return match self.layout.rows {
                Some((list, false)) if !self.has_rows => {
                    decoder.scan.fail_mismatch("a list", b"");
                    Err(decoder.scan.prepend_field(list))
                }
                // An error body may have the status of a success.
                None if !first && self.envelope.record.seen.fields == 0 => {
                    Err(decoder.scan.fail_mismatch("an object with documented fields", b"{"))
                }
                _ => self.finish_envelope(decoder),
            };
        }
        let start = decoder.scan.position();
        let key = decoder.scan.read_key()?;
        match self.layout.rows {
            Some((list, nullable)) if *key == *list.as_bytes() => {
                let entered = self.enter_rows(&mut decoder.scan, nullable);
                return entered.map_err(|ScanError| decoder.scan.prepend_field(list));
            }
            Some(_) if *key == *b"next_page_params" => {
                (self.next, self.cursor_error) = Cursor::read_member(&mut decoder.scan)?;
            }
            list => self.envelope.read_member(decoder, &key, start, list.is_some())?,
        }
        Ok(DocumentState::Members { first: false })
    }

    /// Ends the envelope, and with it the document. Returns the next state.
    fn finish_envelope(&mut self, decoder: &mut RecordDecoder<'_>) -> Result<DocumentState, ScanError> {
        decoder.finish_record(&mut self.envelope.record).map(|()| DocumentState::End)
    }

    /// Enters the list of rows, or skips null in place of it. Returns the next state.
    fn enter_rows(&mut self, scan: &mut Scanner<'_>, nullable: bool) -> Result<DocumentState, ScanError> {
        match scan.peek()? {
            _ if self.has_rows => Err(scan.fail_mismatch("one list", b"a second one")),
            b'[' => {
                scan.advance(1);
                self.has_rows = true;
                Ok(DocumentState::Rows { first: true })
            }
            b'n' if nullable => scan.expect_literal("null").map(|()| DocumentState::Members { first: false }),
            _ => Err(scan.skip_mismatch("a list")),
        }
    }
}

/// Consumes the opening brace of the document, and a byte order mark before it. Returns true if the document is an array,
/// which must be accepted.
fn enter_document(scan: &mut Scanner<'_>, accepts_array: bool) -> Result<bool, ScanError> {
    scan.skip_byte_order_mark()?;
    let first = scan.peek()?;
    if first != b'{' && !(first == b'[' && accepts_array) {
        return Err(scan.skip_mismatch("an object"));
    }
    scan.advance(1);
    Ok(first == b'[')
}

/// The record of the members beside the rows. It is decoded member by member, and again for every batch.
#[derive(Debug)]
pub(super) struct Envelope {
    pub(super) record: OpenRecord,
    /// The JSON of the members, each followed by a comma.
    pub(super) members: Vec<u8>,
}

impl Envelope {
    /// Decodes the value of a member that starts at position `start` of the input. `repeats` is whether it is decoded
    /// again for every batch.
    fn read_member(
        &mut self,
        decoder: &mut RecordDecoder<'_>,
        key: &[u8],
        start: usize,
        repeats: bool,
    ) -> Result<(), ScanError> {
        let name = self.record.table.find_field(key);
        decoder.read_member_value(&mut self.record, name, key)?;
        if repeats {
            self.members.extend_from_slice(decoder.scan.slice_from(start));
            self.members.push(b',');
        }
        Ok(())
    }

    /// Decodes a document that is the value of the only field.
    fn read_only_field(&mut self, decoder: &mut RecordDecoder<'_>) -> Result<(), ScanError> {
        decoder.read_member_value(&mut self.record, Some(FieldName { field: 0, rank: 0 }), b"")
    }

    /// Decodes the members again into `record`, from their JSON. `is_complete` is whether no other members follow.
    ///
    /// They were validated before, so that errors and drift in them are already known.
    pub(super) fn read_again(&mut self, decoder: &mut RecordDecoder<'_>, record: OpenRecord, is_complete: bool) {
        self.record = record;
        while !decoder.scan.rest.is_empty() {
            let result = decoder.scan.read_key().and_then(|key| {
                let name = self.record.table.find_field(&key);
                decoder.read_member_value(&mut self.record, name, &key)?;
                decoder.scan.expect(b',', "a comma")
            });
            if result.is_err() {
                break;
            }
        }
        if is_complete {
            let _ = decoder.finish_record(&mut self.record);
        }
    }
}

/// The decoded rows that were not delivered in a batch.
#[derive(Debug)]
pub(super) struct RowBuffer {
    table: &'static Table,
    /// Whether rows that fail validation are omitted.
    skips_bad: bool,
    /// The positions of the rows in the frame.
    pub(super) positions: Vec<u32>,
    pub(super) bad: Vec<BadRecord>,
    /// How many rows of the page were read: the index of the next one.
    pub(super) read: usize,
    /// Whether rows can be decoded again. If so, their bytes are kept until they are delivered.
    pub(super) can_reread: bool,
    /// The starts in the input of the rows that can be decoded again, including bad ones.
    pub(super) starts: Vec<usize>,
}

/// Returns what a row is, if its JSON shows that it is not a record of this table.
fn find_other_record(table: &Table, json: &[u8]) -> Option<&'static str> {
    let has_member = |name: &str| {
        let key = ["\"", name, "\":"].concat();
        json.windows(key.len()).any(|bytes| bytes == key.as_bytes())
    };
    table.except.iter().find(|(name, _)| has_member(name)).map(|(_, other)| *other)
}

impl RowBuffer {
    /// The number of rows, including bad ones.
    pub(super) const fn len(&self) -> usize {
        self.positions.len() + self.bad.len()
    }

    /// Decodes all available rows, and the end of their list. `first` is whether no row was read yet. After each row,
    /// `on_row` is called with the position in the input.
    fn read_all(
        &mut self,
        decoder: &mut RecordDecoder<'_>,
        mut first: bool,
        list: &'static str,
        mut on_row: impl FnMut(usize),
    ) -> Result<(), ScanError> {
        let shape = decoder.shapes.find_or_add(self.table);
        while decoder.scan.next_member(b']', first)? {
            let first_byte = decoder.scan.peek()?;
            let start = decoder.scan.position();
            let row = match first_byte {
                b'{' => decoder.read_record(self.table, shape),
                _ => Err(decoder.scan.skip_mismatch(Kind::Record(self.table).expected())),
            };
            match row {
                Ok(at) => self.positions.push(to_slot(at)),
                Err(ScanError) => {
                    let error = decoder.scan.take_error().in_element(self.read).in_field(list);
                    let json = decoder.scan.slice_from(start);
                    let mismatch = match (error, find_other_record(self.table, json)) {
                        (DecodeError::Mismatch(_), Some(found)) => {
                            let path = [list, &*format_index(self.read)].concat();
                            Box::new(Mismatch { path, expected: self.table.name, found: found.into() })
                        }
                        (DecodeError::Mismatch(mismatch), None) if self.skips_bad => mismatch,
                        (error, _) => return Err(decoder.scan.fail(error)),
                    };
                    let (block, raw) = (read_block(self.table, json), from_utf8_lossy(json));
                    let Mismatch { path, expected, found } = *mismatch;
                    self.bad.push(BadRecord { block, path, expected, found, raw, position: self.positions.len() });
                }
            }
            self.starts.extend(self.can_reread.then_some(start));
            self.read += 1;
            first = false;
            on_row(decoder.scan.position());
        }
        Ok(())
    }

    /// Removes the bad records of the last group: the rows of the last block. `field` is the block's field. Returns the
    /// position of the group in the input, where decoding must continue. If it is unknown whether a bad record before
    /// the group belongs to it, removes the group and continues with the one before.
    ///
    /// `None` if all rows have the same block, or if the rows cannot be decoded again.
    pub(super) fn rewind_last_group(&mut self, frame: &Frame, field: usize) -> Option<usize> {
        let value = |row: &u32| frame.raw_string(frame.get(*row as usize + field));
        let block = |row: &u32| parse_u64(std::str::from_utf8(value(row)?).ok()?);
        let mut end = self.positions.len();
        loop {
            let rows = self.positions.get(..end)?;
            let last = rows.last()?;
            let before = rows.iter().rposition(|row| value(row) != value(last))?;
            let first = before + 1;
            if let Some(bad_records) = find_first_after(&self.bad, first, |bad| block(last) != Some(bad)) {
                let start = self.starts.get(first + bad_records).copied()?;
                self.read -= self.len() - (first + bad_records);
                self.bad.truncate(bad_records);
                self.positions.truncate(end);
                return Some(start);
            }
            end = first;
        }
    }
}
