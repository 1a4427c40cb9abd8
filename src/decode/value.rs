//! Decodes one value of a field or list: validates it against its declaration and stores it in the frame.

use std::borrow::Cow;

use super::drift::DriftKind;
use super::fast_path;
use super::record::{FieldRef, RecordDecoder};
use crate::frame::Frame;
use crate::json::escape::unescape;
use crate::json::{DecodeError, EXPECTED_DEPTH, RawString, ScanError, parse_object};
use crate::record::{Format, Kind, Scalar, Table, ValueType, starts_number};

impl RecordDecoder<'_> {
    /// Decodes a value of the declared type, and returns its slot in the frame. After a mismatch, the scanner
    /// has skipped the value.
    pub(super) fn read_value(&mut self, value_type: ValueType, field_ref: FieldRef) -> Result<u32, ScanError> {
        let first = self.scan.peek()?;
        if first == b'n' && value_type.accepts_null() {
            self.scan.expect_literal("null")?;
            return Ok(0);
        }
        match value_type.kind {
            Kind::String(_) | Kind::Integer | Kind::Unsigned => self.read_scalar(value_type, first, field_ref),
            Kind::Boolean if first == b't' => self.scan.expect_literal("true").map(|()| Frame::TRUE),
            Kind::Boolean if first == b'f' => self.scan.expect_literal("false").map(|()| Frame::FALSE),
            Kind::Number if starts_number(first) => self.scan.skip_value().map(|span| self.frame.store_json(span)),
            Kind::Json => {
                let span = self.scan.skip_value()?;
                if span.too_deep {
                    return Err(self.scan.fail_mismatch(EXPECTED_DEPTH, span.json));
                }
                self.log_ill_formed(span.ill_formed, field_ref, span.json);
                Ok(self.frame.store_json(span))
            }
            Kind::JsonObject => self.read_json_object(first, field_ref),
            Kind::Record(table) if first == b'{' => self.read_nested(table, field_ref.child_shape),
            Kind::Record(table) if first == b'"' && table.is_address() => self.read_plain_address(table, field_ref),
            Kind::List(&element) if first == b'[' => self.read_list(element, field_ref),
            kind => Err(self.scan.skip_mismatch(kind.expected())),
        }
    }

    /// Decodes a list and returns its slot in the frame.
    fn read_list(&mut self, element: ValueType, field_ref: FieldRef) -> Result<u32, ScanError> {
        let outer = self.frame.elements.len();
        let result = self.read_elements(element, field_ref);
        let slot = self.frame.end_list(outer);
        result.map(|()| slot)
    }

    /// Decodes an address hash in place of an address object: its other fields are not known.
    fn read_plain_address(&mut self, table: &'static Table, field_ref: FieldRef) -> Result<u32, ScanError> {
        let hash = ValueType { kind: Kind::String(Format::Address), nullable: false };
        let start = self.scan.position();
        let slot = self.read_scalar(hash, b'"', field_ref)?;
        self.log_drift(DriftKind::CoercedType, field_ref, self.scan.slice_from(start));
        let at = self.frame.reserve_record(table.fields.len());
        self.frame.set(at, slot);
        Ok(Frame::reference_slot(at))
    }

    /// Decodes the elements of a list. After a mismatch, decoding continues to the end of the list. Then the list of an
    /// essential field fails. Any other list omits the element, or has null instead if its elements can be null.
    fn read_elements(&mut self, element: ValueType, field_ref: FieldRef) -> Result<(), ScanError> {
        self.scan.advance(1);
        let is_essential = field_ref.table.is_essential(field_ref.field);
        let mut failure = None;
        let mut index = 0;
        while self.scan.next_member(b']', index == 0)? {
            index += 1;
            self.scan.peek()?;
            let start = self.scan.position();
            let topic = match element.kind {
                Kind::String(Format::HexData) => fast_path::read_topic(self.scan.rest, self.frame),
                _ => None,
            };
            let result = match topic {
                Some((slot, after)) => {
                    self.scan.rest = after;
                    Ok(slot)
                }
                None => self.read_value(element, field_ref),
            };
            let slot = match result {
                Ok(slot) => slot,
                Err(ScanError) => match self.scan.take_error().in_element(index - 1) {
                    error @ DecodeError::Mismatch(_) if is_essential => {
                        failure.get_or_insert(error);
                        0
                    }
                    DecodeError::Mismatch(_) => {
                        let found = self.scan.slice_from(start);
                        self.log_drift(DriftKind::UnexpectedValue, field_ref, found);
                        if !element.nullable {
                            continue;
                        }
                        0
                    }
                    error => return Err(self.scan.fail(error)),
                },
            };
            self.frame.elements.push(slot);
        }
        failure.map_or(Ok(()), |error| Err(self.scan.fail(error)))
    }

    /// Decodes a string or an integer. A number instead of a string, or a string instead of an integer, is drift.
    fn read_scalar(&mut self, value_type: ValueType, first: u8, field_ref: FieldRef) -> Result<u32, ScanError> {
        if !value_type.kind.accepts_scalar(first) {
            return Err(self.scan.skip_mismatch(value_type.kind.expected()));
        }
        let start = self.scan.position();
        let is_string = first == b'"';
        let string = if is_string {
            self.scan.read_string()?
        } else {
            RawString { raw: self.scan.read_number()?, escaped: false, ascii: true, ill_formed: false }
        };
        let content = match value_type.kind {
            // Any content is valid, so its escapes need not be resolved.
            Kind::String(Format::Free) => Cow::Borrowed(string.raw),
            _ => unescape(string.raw),
        };
        let scalar = value_type.read_scalar(&content);
        match (value_type.kind, &scalar) {
            (Kind::Integer | Kind::Unsigned, Some(Scalar::Null)) => {}
            (Kind::Integer | Kind::Unsigned, _) if is_string => {
                self.log_drift(DriftKind::CoercedType, field_ref, string.raw);
            }
            (Kind::String(format), _) if !is_string && format != Format::ChainId => {
                self.log_drift(DriftKind::CoercedType, field_ref, string.raw);
            }
            (Kind::String(Format::OpenEnum(known)), _)
                if !content.is_empty() && !known.iter().any(|known| known.as_bytes() == &*content) =>
            {
                self.log_drift(DriftKind::UnknownValue, field_ref, string.raw);
            }
            _ => {}
        }
        let result = scalar.map(|scalar| match scalar {
            Scalar::AsSent => self.frame.store_string(&string),
            Scalar::Unexpected => {
                self.log_drift(DriftKind::UnexpectedValue, field_ref, string.raw);
                self.frame.store_string(&string)
            }
            Scalar::Normalized(string) => self.frame.store_ascii(string.as_bytes()),
            Scalar::Integer(value) => self.frame.store_integer(value),
            Scalar::Null => 0,
        });
        let found = self.scan.slice_from(start);
        self.log_ill_formed(string.ill_formed && result.is_some(), field_ref, string.raw);
        result.ok_or_else(|| self.scan.fail_mismatch(value_type.kind.expected(), found))
    }

    /// Decodes free JSON that must be an object, or a string that contains one.
    fn read_json_object(&mut self, first: u8, field_ref: FieldRef) -> Result<u32, ScanError> {
        let span = self.scan.skip_value()?;
        self.log_ill_formed(span.ill_formed, field_ref, span.json);
        if first == b'{' && !span.too_deep {
            return Ok(self.frame.store_json(span));
        }
        let inner = if let [b'"', string @ .., b'"'] = span.json { unescape(string) } else { Cow::default() };
        let Some(object) = parse_object(&inner) else {
            return Err(self.scan.fail_mismatch(Kind::JsonObject.expected(), span.json));
        };
        self.log_drift(DriftKind::CoercedType, field_ref, span.json);
        Ok(self.frame.store_json(object))
    }

    /// Logs drift for an ill-formed string, in which U+FFFD replaces invalid parts.
    fn log_ill_formed(&mut self, ill_formed: bool, field_ref: FieldRef, found: &[u8]) {
        if ill_formed {
            self.log_drift(DriftKind::UnexpectedValue, field_ref, found);
        }
    }

    #[cold]
    pub(super) fn log_drift(&mut self, kind: DriftKind, FieldRef { table, field, .. }: FieldRef, found: &[u8]) {
        self.drift.add(kind, table, table.field_name(field), found);
    }
}
