//! One value: what stands in a field or list, checked against its kind and stored in the frame.

use super::drift::DriftKind;
use super::frame::Frame;
use super::quick;
use super::record::{Decoder, Place};
use super::scan::{Fail, Scanner, Span, Text};
use crate::record::format::{Verdict, safe_integer};
use crate::record::read::expects;
use crate::record::{Format, Kind, Slot};

impl Decoder<'_> {
    /// Reads a value into a slot. After [`Fail::Shape`] the scanner stands behind it.
    pub(super) fn value(&mut self, slot: Slot, place: Place) -> Result<u32, Fail> {
        let first = self.scan.peek()?;
        if first == b'n' && slot.takes_null() {
            self.scan.literal("null")?;
            return Ok(0);
        }
        match slot.kind {
            Kind::Text(format) => self.text(format, slot.nullable, first, place),
            Kind::Integer => self.integer(slot.nullable, first, place),
            Kind::Boolean if first == b't' => self.scan.literal("true").map(|()| Frame::boolean(true)),
            Kind::Boolean if first == b'f' => self.scan.literal("false").map(|()| Frame::boolean(false)),
            Kind::Json => {
                let span = self.scan.skip()?;
                Ok(self.frame.json(span))
            }
            Kind::JsonObject => self.json_object(slot.nullable, first, place),
            Kind::Record(table) if first == b'{' => self.nested(table),
            Kind::List(element) if first == b'[' => self.list(*element, place),
            kind => Err(self.scan.mismatch(expects(kind))),
        }
    }

    fn list(&mut self, element: Slot, place: Place) -> Result<u32, Fail> {
        let outer = self.frame.begin_list();
        let read = self.elements(element, place);
        let slot = self.frame.end_list(outer);
        read.map(|()| slot)
    }

    fn elements(&mut self, element: Slot, place: Place) -> Result<(), Fail> {
        let expected = self.memory.expected(element);
        self.scan.enter()?;
        let mut failure = None;
        let mut index = 0;
        while self.scan.next_member(b']', index == 0)? {
            let slot = match quick::element(self.scan.rest(), self.frame, &expected) {
                Some((slot, after)) => {
                    self.scan.go_on(after);
                    slot
                }
                None => match self.value(element, place).map_err(|fail| fail.in_element(index)) {
                    Ok(slot) => slot,
                    Err(fail @ Fail::Shape(_)) => {
                        failure.get_or_insert(fail);
                        0
                    }
                    Err(fail) => return Err(fail),
                },
            };
            self.frame.element(slot);
            index += 1;
        }
        failure.map_or(Ok(()), Err)
    }

    fn text(&mut self, format: Format, nullable: bool, first: u8, place: Place) -> Result<u32, Fail> {
        let start = self.scan.clone();
        let (text, verdict) = match first {
            b'"' => {
                let text = self.scan.string()?;
                let verdict = if format.is_open() { Verdict::AsIs } else { format.judge(&text.plain()) };
                if let Format::Label(known) = format {
                    self.label(known, &text, place);
                }
                (text, verdict)
            }
            b'-' | b'0'..=b'9' if format.takes_numbers() => {
                let raw = self.scan.number()?;
                self.drift.note(DriftKind::CoercedType, place.table, place.table.name_of(place.field), raw);
                (Text { raw, escaped: false, ascii: true, lone: false }, format.judge(raw))
            }
            _ => return Err(self.scan.mismatch(format.expects())),
        };
        match verdict {
            Verdict::AsIs => Ok(self.frame.text(&text)),
            Verdict::Rewritten(plain) => Ok(self.frame.plain(plain.as_bytes())),
            Verdict::Unknown if nullable => Ok(0),
            Verdict::Unknown | Verdict::Wrong => {
                self.scan = start;
                Err(self.scan.mismatch(format.expects()))
            }
        }
    }

    fn label(&mut self, known: &[&str], text: &Text<'_>, place: Place) {
        if !known.iter().any(|known| known.as_bytes() == &*text.plain()) {
            self.drift.note(DriftKind::UnknownLabel, place.table, place.table.name_of(place.field), text.raw);
        }
    }

    fn integer(&mut self, nullable: bool, first: u8, place: Place) -> Result<u32, Fail> {
        let start = self.scan.clone();
        let value = match first {
            b'-' | b'0'..=b'9' => {
                let digits = self.scan.number()?;
                small_integer(digits).or_else(|| safe_integer(digits))
            }
            b'"' => {
                let text = self.scan.string()?;
                if nullable && text.raw.is_empty() {
                    return Ok(0);
                }
                self.drift.note(DriftKind::CoercedType, place.table, place.table.name_of(place.field), text.raw);
                safe_integer(&text.plain())
            }
            _ => None,
        };
        if let Some(value) = value {
            return Ok(self.frame.integer(value));
        }
        self.scan = start;
        Err(self.scan.mismatch(expects(Kind::Integer)))
    }

    fn json_object(&mut self, nullable: bool, first: u8, place: Place) -> Result<u32, Fail> {
        let start = self.scan.clone();
        let span = self.scan.skip()?;
        if first == b'{' {
            return Ok(self.frame.json(span));
        }
        self.drift.note(DriftKind::CoercedType, place.table, place.table.name_of(place.field), span.json);
        let inner = match start.clone().string() {
            Ok(text) => text.plain().into_owned(),
            Err(_) => Vec::new(),
        };
        match object_in(&inner) {
            Some(object) => Ok(self.frame.json(object)),
            // Free-form data is written by anybody: no object is no reason to lose the record.
            None if nullable => Ok(0),
            None => {
                self.scan = start;
                Err(self.scan.mismatch(expects(Kind::JsonObject)))
            }
        }
    }
}

/// The JSON object that a text holds, if it holds just one.
fn object_in(text: &[u8]) -> Option<Span<'_>> {
    let space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
    let start = text.iter().position(|byte| !space(byte))?;
    let end = text.iter().rposition(|byte| !space(byte))?;
    let text = text.get(start..=end)?;
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    if text.first() != Some(&b'{') {
        return None;
    }
    let mut scan = Scanner::new(text);
    let object = scan.skip().ok()?;
    scan.rest().is_empty().then_some(object)
}

/// A number of up to 15 digits and nothing else.
pub(super) fn small_integer(digits: &[u8]) -> Option<i64> {
    if digits.len() > 15 {
        return None;
    }
    digits.iter().try_fold(0i64, |sum, b| b.is_ascii_digit().then(|| sum * 10 + i64::from(b - b'0')))
}
