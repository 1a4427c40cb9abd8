//! [`Document`]: the parts of a response, and which one is read next.

use super::cursor::Cursor;
use super::envelope::Envelope;
use super::layout::Layout;
use super::record::{OpenRecord, RecordDecoder};
use super::row_buffer::RowBuffer;
use crate::json::{Mismatch, ScanError, Scanner};

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
