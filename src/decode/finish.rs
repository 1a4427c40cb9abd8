//! Completes a record at the end of its object: missing fields, the derived field, unknown fields and flattened fields.

use super::drift::DriftKind;
use super::record::{FieldRef, OpenRecord, RecordDecoder};
use crate::frame::{Frame, to_slot};
use crate::json::escape::unescape;
use crate::json::{DecodeError, JsonSpan, ScanError};
use crate::record::{EXPECTED_BY_KIND, Field, Kind, Scalar, Table, ValueType};

impl RecordDecoder<'_> {
    /// Ends a record.
    ///
    /// # Errors
    /// [`DecodeError::Mismatch`] for the first declared field that is invalid or missing.
    pub(super) fn finish_record(&mut self, record: &mut OpenRecord) -> Result<(), ScanError> {
        let (table, at) = (record.table, record.at);
        if let Some((from, to)) = table.derived_field
            && !record.seen.contains(to)
            && record.seen.contains(from)
        {
            record.seen.insert(1 << to, 0);
            match self.derive_field(table, at + from, to) {
                Ok(slot) => self.frame.set(at + to, slot),
                // A derived field is an ornament.
                Err(_) => {
                    self.log_drift(DriftKind::UnexpectedValue, FieldRef { table, field: to, child_shape: 0 }, b"");
                }
            }
        }
        self.check_missing_fields(record);
        let failures = &mut record.failures;
        if let Some(first) = (0..failures.len()).min_by_key(|nth| failures.get(*nth).map(|(field, _)| *field)) {
            let (field, error) = failures.swap_remove(first);
            return Err(self.scan.fail(error.in_field(table.field_name(field))));
        }
        self.check_variant(table, at)?;
        if !record.extra.is_empty() {
            record.extra.push(b'}');
            let slot = self.frame.store_json(JsonSpan::from_plain(&record.extra));
            self.frame.extras.push([to_slot(at), slot]);
        }
        self.fill_flattened(table, at);
        Ok(())
    }

    /// Fails if a record lacks a field that its kind requires.
    fn check_variant(&mut self, table: &'static Table, at: usize) -> Result<(), ScanError> {
        let Some(variants) = &table.variants else { return Ok(()) };
        let kind = self.frame.raw_string(self.frame.get(at + variants.field)).unwrap_or_default();
        match variants.find_missing(&unescape(kind), |field| self.frame.get(at + field) == 0) {
            Some(field) => {
                let error = DecodeError::mismatch(EXPECTED_BY_KIND, b"null");
                Err(self.scan.fail(error.in_field(table.field_name(field))))
            }
            None => Ok(()),
        }
    }

    /// Derives the slot of field `to`: the string at position `from`, in the format of `to`.
    fn derive_field(&mut self, table: &'static Table, from: usize, to: usize) -> Result<u32, DecodeError> {
        let slot = self.frame.get(from);
        let (Some(raw), Some(field)) = (self.frame.raw_string(slot), table.fields.get(to)) else { return Ok(0) };
        match field.value_type.read_scalar(&unescape(raw)) {
            Some(Scalar::AsSent | Scalar::Unexpected) => Ok(slot),
            Some(Scalar::Normalized(string)) => Ok(self.frame.store_ascii(string.as_bytes())),
            Some(Scalar::Null | Scalar::Integer(_)) => Ok(0),
            None => Err(DecodeError::mismatch(field.value_type.kind.expected(), &[b"\"", raw, b"\""].concat())),
        }
    }

    /// Handles fields that were not read: optional ones are logged as drift, required ones become failures.
    fn check_missing_fields(&mut self, record: &mut OpenRecord) {
        let (table, seen) = (record.table, record.seen.fields);
        let known = self.shapes.by_table.get(record.shape).map_or(0, |shape| shape.may_be_missing);
        if (seen | known).count_ones() as usize == table.fields.len() {
            return;
        }
        for (index, field) in table.fields.iter().enumerate().filter(|(index, _)| (seen | known) & 1 << index == 0) {
            if field.value_type.accepts_null() {
                self.drift.add(DriftKind::MissingField, table, table.field_name(index), b"");
                if let Some(shape) = self.shapes.by_table.get_mut(record.shape) {
                    shape.may_be_missing |= 1 << index;
                }
            } else {
                record.failures.push((index, DecodeError::mismatch(field.value_type.kind.expected(), b"")));
            }
        }
    }

    /// Fills missing flattened fields from the first element of their list, or the list from the flattened fields.
    fn fill_flattened(&mut self, table: &'static Table, at: usize) {
        let Some(flattened) = &table.flattened else { return };
        let list = self.frame.get(at + flattened.list) as usize;
        if list > 0 && self.frame.get(list - 1) > 0 {
            let first = self.frame.get(list) as usize - 1;
            for &(own, member) in flattened.pairs {
                if self.frame.get(at + own) == 0 {
                    self.frame.set(at + own, self.frame.get(first + member));
                }
            }
            return;
        }
        let Some(Field {
            value_type: ValueType { kind: Kind::List(ValueType { kind: Kind::Record(element), .. }), .. },
            ..
        }) = table.fields.get(flattened.list)
        else {
            return;
        };
        if flattened.pairs.iter().any(|(own, _)| self.frame.get(at + own) != 0) {
            let first = self.frame.reserve_record(element.fields.len());
            for &(own, member) in flattened.pairs {
                self.frame.set(first + member, self.frame.get(at + own));
            }
            let list = self.frame.store_list(&[Frame::reference_slot(first)]);
            self.frame.set(at + flattened.list, list);
        }
    }
}
