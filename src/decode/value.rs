//! One value: what stands in a field or list, checked against its kind and stored in the frame.

use std::borrow::Cow;

use super::drift::DriftKind;
use super::escape::unescaped;
use super::fail::{Fail, Stopped};
use super::frame::Frame;
use super::quick;
use super::record::{Decoder, Place};
use super::scan::{Scanner, Span, Text};
use crate::record::format::{Verdict, safe_integer};
use crate::record::read::{NOT_TOO_DEEP, expects};
use crate::record::{Format, Kind, Slot};

impl Decoder<'_> {
    /// Reads a value into a slot. After a mismatch the scanner stands behind it.
    pub(super) fn value(&mut self, slot: Slot, place: Place) -> Result<u32, Stopped> {
        let first = self.scan.peek()?;
        if first == b'n' && slot.takes_null() {
            self.scan.literal("null")?;
            return Ok(0);
        }
        match slot.kind {
            Kind::Text(_) | Kind::Integer => self.scalar(slot, first, place),
            Kind::Boolean if first == b't' => self.scan.literal("true").map(|()| Frame::boolean(true)),
            Kind::Boolean if first == b'f' => self.scan.literal("false").map(|()| Frame::boolean(false)),
            Kind::Json => {
                let span = self.scan.skip()?;
                if span.deep {
                    return Err(self.scan.unfit(NOT_TOO_DEEP, span.json));
                }
                self.report_ill_formed(span.ill_formed, place, span.json);
                Ok(self.frame.json(span))
            }
            Kind::JsonObject => self.json_object(slot.nullable, first, place),
            Kind::Record(table) if first == b'{' => {
                let learned = self.memory.of(table);
                self.nested(table, learned)
            }
            Kind::List(&element) if first == b'[' => {
                let learned = self.memory.child(slot);
                self.list(element, learned, place)
            }
            kind => Err(self.scan.mismatch(expects(kind))),
        }
    }

    /// Reads a list. `learned` is what the memory has of the table that its records have.
    pub(super) fn list(&mut self, element: Slot, learned: usize, place: Place) -> Result<u32, Stopped> {
        let outer = self.frame.begin_list();
        let read = self.elements(element, learned, place);
        let slot = self.frame.end_list(outer);
        read.map(|()| slot)
    }

    fn elements(&mut self, element: Slot, learned: usize, place: Place) -> Result<(), Stopped> {
        self.scan.advance(1);
        let mut failure = None;
        let mut index = 0;
        while self.scan.next_member(b']', index == 0)? {
            let read = match (element.kind, self.scan.rest()) {
                (Kind::Record(table), [b'{', ..]) => self.nested(table, learned),
                (Kind::Text(Format::HexData), rest) => match quick::topic(rest, self.frame) {
                    Some((slot, after)) => {
                        self.scan.go_on(after);
                        Ok(slot)
                    }
                    None => self.value(element, place),
                },
                _ => self.value(element, place),
            };
            let slot = match read {
                Ok(slot) => slot,
                Err(Stopped) => match self.scan.why().in_element(index) {
                    fail @ Fail::Shape(_) => {
                        failure.get_or_insert(fail);
                        0
                    }
                    fail => return Err(self.scan.stop(fail)),
                },
            };
            self.frame.element(slot);
            index += 1;
        }
        failure.map_or(Ok(()), |fail| Err(self.scan.stop(fail)))
    }

    /// Reads a text or an integer, each of which may stand for the other.
    fn scalar(&mut self, slot: Slot, first: u8, place: Place) -> Result<u32, Stopped> {
        let format = if let Kind::Text(format) = slot.kind { Some(format) } else { None };
        let is_text = first == b'"';
        let is_number = matches!(first, b'-' | b'0'..=b'9');
        if !(is_text || is_number && format.is_none_or(Format::takes_numbers)) {
            return Err(self.scan.mismatch(expects(slot.kind)));
        }
        let start = self.scan.position();
        let text = if is_text { self.scan.string()? } else { Text::plain_ascii(self.scan.number()?) };
        if text.raw.is_empty() && format.is_none() && slot.nullable {
            return Ok(0);
        }
        if is_text == format.is_none() {
            self.drifts(DriftKind::CoercedType, place, text.raw);
        }
        let read = match format {
            Some(Format::Free) => Some(self.frame.text(&text)),
            Some(format) => {
                let plain = text.plain();
                if let Format::Label(known) = format
                    && is_text
                    && !plain.is_empty()
                    && !known.iter().any(|known| known.as_bytes() == &*plain)
                {
                    self.drifts(DriftKind::UnknownValue, place, text.raw);
                }
                match format.judge(&plain) {
                    Verdict::AsIs => Some(self.frame.text(&text)),
                    Verdict::Unexpected => {
                        self.drifts(DriftKind::UnexpectedValue, place, text.raw);
                        Some(self.frame.text(&text))
                    }
                    Verdict::Rewritten(plain) => Some(self.frame.plain(plain.as_bytes())),
                    Verdict::Unknown => slot.nullable.then_some(0),
                    Verdict::Wrong => None,
                }
            }
            None => safe_integer(&text.plain()).map(|value| self.frame.integer(value)),
        };
        let found = self.scan.since(start);
        self.report_ill_formed(text.ill_formed && read.is_some(), place, text.raw);
        read.ok_or_else(|| self.scan.unfit(expects(slot.kind), found))
    }

    fn json_object(&mut self, nullable: bool, first: u8, place: Place) -> Result<u32, Stopped> {
        let span = self.scan.skip()?;
        self.report_ill_formed(span.ill_formed, place, span.json);
        if first == b'{' && !span.deep {
            return Ok(self.frame.json(span));
        }
        self.drifts(DriftKind::CoercedType, place, span.json);
        let inner = if let [b'"', text @ .., b'"'] = span.json { unescaped(text) } else { Cow::default() };
        match object_in(&inner) {
            Some(object) => Ok(self.frame.json(object)),
            // Free-form data is written by anybody: no object is no reason to lose the record.
            None if nullable => Ok(0),
            None => Err(self.scan.unfit(expects(Kind::JsonObject), span.json)),
        }
    }

    /// Reports a value in which U+FFFD stands for what no string can hold.
    fn report_ill_formed(&mut self, ill_formed: bool, place: Place, found: &[u8]) {
        if ill_formed {
            self.drifts(DriftKind::UnexpectedValue, place, found);
        }
    }

    #[cold]
    fn drifts(&mut self, kind: DriftKind, Place { table, field }: Place, found: &[u8]) {
        self.drift.note(kind, table, table.name_of(field), found);
    }
}

/// The JSON object that a text holds, if it holds just one.
fn object_in(text: &[u8]) -> Option<Span<'_>> {
    let mut scan = Scanner::new(text);
    scan.peek().ok()?;
    scan.skip_mark();
    if scan.rest().first() != Some(&b'{') {
        return None;
    }
    let object = scan.skip().ok()?;
    (!object.deep && scan.peek().is_err()).then_some(object)
}
