//! One value: what stands in a field or list, checked against its kind and stored in the frame.

use std::borrow::Cow;

use super::drift::DriftKind;
use super::escape::unescaped;
use super::frame::Frame;
use super::quick;
use super::record::{Decoder, Place};
use super::scan::{Fail, Scanner, Span, Stopped, Text};
use crate::record::format::{Verdict, safe_integer};
use crate::record::read::expects;
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

    fn list(&mut self, element: Slot, place: Place) -> Result<u32, Stopped> {
        let outer = self.frame.begin_list();
        let read = self.elements(element, place);
        let slot = self.frame.end_list(outer);
        read.map(|()| slot)
    }

    fn elements(&mut self, element: Slot, place: Place) -> Result<(), Stopped> {
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
                None => match self.value(element, place) {
                    Ok(slot) => slot,
                    Err(Stopped) => match self.scan.why().in_element(index) {
                        fail @ Fail::Shape(_) => {
                            failure.get_or_insert(fail);
                            0
                        }
                        fail => return Err(self.scan.stop(fail)),
                    },
                },
            };
            self.frame.element(slot);
            index += 1;
        }
        failure.map_or(Ok(()), |fail| Err(self.scan.stop(fail)))
    }

    fn text(&mut self, format: Format, nullable: bool, first: u8, place: Place) -> Result<u32, Stopped> {
        let start = self.scan.position();
        let (text, verdict) = match first {
            b'"' => {
                let text = self.scan.string()?;
                let verdict = if format.is_open() { Verdict::AsIs } else { format.judge(&text.plain()) };
                if let Format::Label(known) = format
                    && !known.iter().any(|known| known.as_bytes() == &*text.plain())
                {
                    self.drifts(DriftKind::UnknownLabel, place, text.raw);
                }
                (text, verdict)
            }
            b'-' | b'0'..=b'9' if format.takes_numbers() => {
                let raw = self.scan.number()?;
                self.drifts(DriftKind::CoercedType, place, raw);
                (Text { raw, escaped: false, ascii: true, lone: false }, format.judge(raw))
            }
            _ => return Err(self.scan.mismatch(format.expects())),
        };
        match verdict {
            Verdict::AsIs => Ok(self.frame.text(&text)),
            Verdict::Rewritten(plain) => Ok(self.frame.plain(plain.as_bytes())),
            Verdict::Unknown if nullable => Ok(0),
            Verdict::Unknown | Verdict::Wrong => Err(self.scan.unfit(format.expects(), self.scan.since(start))),
        }
    }

    fn integer(&mut self, nullable: bool, first: u8, place: Place) -> Result<u32, Stopped> {
        let start = self.scan.position();
        let value = match first {
            b'-' | b'0'..=b'9' => safe_integer(self.scan.number()?),
            b'"' => {
                let text = self.scan.string()?;
                if nullable && text.raw.is_empty() {
                    return Ok(0);
                }
                self.drifts(DriftKind::CoercedType, place, text.raw);
                safe_integer(&text.plain())
            }
            _ => return Err(self.scan.mismatch(expects(Kind::Integer))),
        };
        match value {
            Some(value) => Ok(self.frame.integer(value)),
            None => Err(self.scan.unfit(expects(Kind::Integer), self.scan.since(start))),
        }
    }

    fn json_object(&mut self, nullable: bool, first: u8, place: Place) -> Result<u32, Stopped> {
        let span = self.scan.skip()?;
        if first == b'{' {
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
    scan.peek().is_err().then_some(object)
}
