//! Decodes one record, driven by its table, into slots of the frame. Its values are decoded in `value.rs`.
//!
//! Start at `RecordDecoder::read_members`: it alternates between the fast path and members that were not predicted.

use super::drift::{DriftKind, DriftLog};
use super::fast_path::{self, ExpectedValue, PartialRecord, StopReason};
use super::frame::Frame;
use super::shape_cache::{CachedValue, FieldName, RecordShapes, SeenFields, Step, find_cached};
use crate::json::escape::{quote_json, replace_ill_formed, unescape};
use crate::json::{DecodeError, JsonSpan, ScanError, Scanner, excerpt};
use crate::record::{Field, Kind, Scalar, Table, ValueType};

/// Decodes values into a frame.
#[derive(Debug)]
pub(super) struct RecordDecoder<'a> {
    /// The scanner of the input.
    pub(super) scan: Scanner<'a>,
    /// The frame that values are stored in.
    pub(super) frame: &'a mut Frame,
    /// The shapes of earlier records.
    pub(super) shapes: &'a mut RecordShapes,
    /// The log of drift.
    pub(super) drift: &'a mut DriftLog,
    /// Whether unknown fields are kept.
    pub(super) keep_extra: bool,
}

/// The state of an object that is being decoded: the fields that were read, and those that failed validation.
#[derive(Debug, Default)]
pub(super) struct RecordProgress {
    seen: SeenFields,
    failures: Vec<(usize, DecodeError)>,
    /// The unknown members, as a JSON object without the closing brace.
    extra: Vec<u8>,
}

impl RecordProgress {
    /// Marks a field as seen by this name. Returns false if it was seen by a preferred name: then its value is ignored.
    fn mark_seen(&mut self, name: FieldName) -> bool {
        if self.seen.contains(name.field) {
            if self.seen.rank(name.field) < u64::from(name.rank) {
                return false;
            }
            self.failures.retain(|(failed, _)| *failed != name.field);
        }
        self.seen.insert(name);
        true
    }
}

/// A field of a record, for drift.
#[derive(Clone, Copy)]
pub(super) struct FieldRef {
    pub(super) table: &'static Table,
    pub(super) field: usize,
}

impl RecordDecoder<'_> {
    /// Decodes a row and returns the position of its slots. `shape` is the index of the table's shape.
    ///
    /// # Errors
    /// See [`DecodeError`]. After a mismatch, the scanner has skipped the record.
    pub(super) fn read_row(&mut self, table: &'static Table, shape: usize) -> Result<usize, ScanError> {
        if self.scan.peek()? != b'{' {
            return Err(self.scan.skip_mismatch(Kind::Record(table).expected()));
        }
        let at = self.frame.reserve_record(table.fields.len());
        self.read_members(table, shape, at)?;
        Ok(at)
    }

    /// Decodes the value of a member of the envelope, whose slots are reserved at `at`.
    ///
    /// # Errors
    /// See [`DecodeError`]. A mismatch is returned by [`Self::finish_envelope`], because a preferred name may follow.
    pub(super) fn read_envelope_member(
        &mut self,
        table: &'static Table,
        at: usize,
        key: &[u8],
        progress: &mut RecordProgress,
    ) -> Result<(), ScanError> {
        self.read_member_value(table, at, find_field(table, key), key, progress)
    }

    /// Ends the envelope.
    ///
    /// # Errors
    /// [`DecodeError::Mismatch`] for the first declared field that is invalid or missing.
    pub(super) fn finish_envelope(
        &mut self,
        table: &'static Table,
        at: usize,
        progress: &mut RecordProgress,
    ) -> Result<(), ScanError> {
        let shape = self.shapes.find_or_add(table);
        self.finish_record(table, shape, at, progress)
    }

    /// Ends a record: checks for missing fields, and stores the derived field, unknown fields and flattened fields.
    fn finish_record(
        &mut self,
        table: &'static Table,
        shape: usize,
        at: usize,
        progress: &mut RecordProgress,
    ) -> Result<(), ScanError> {
        let RecordProgress { seen, failures, extra } = progress;
        if let Some((from, to)) = table.derived_field
            && !seen.contains(to)
            && seen.contains(from)
        {
            seen.insert(FieldName { field: to, rank: 0 });
            match self.derive_field(table, at + from, to) {
                Ok(slot) => self.frame.set(at + to, slot),
                Err(error) => failures.push((to, error)),
            }
        }
        self.check_missing_fields(table, shape, seen.fields(), failures);
        if let Some(first) = (0..failures.len()).min_by_key(|nth| failures.get(*nth).map(|(field, _)| *field)) {
            let (field, error) = failures.swap_remove(first);
            return Err(self.scan.fail(error.in_field(table.field_name(field))));
        }
        if !extra.is_empty() {
            extra.push(b'}');
            let slot = self.frame.store_json(JsonSpan::from_plain(extra));
            self.frame.extras.push([u32::try_from(at).unwrap_or(u32::MAX), slot]);
        }
        self.fill_flattened(table, at);
        Ok(())
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

    /// Decodes a record in a field or list, or finds it in the cache.
    pub(super) fn read_nested(&mut self, table: &'static Table, shape: usize) -> Result<u32, ScanError> {
        let records = self.shapes.records.get(shape);
        let cached = records.and_then(|records| find_cached(records, self.scan.bytes(), self.scan.rest()));
        if let Some(cached) = cached {
            self.scan.advance(cached.length);
            return Ok(cached.slot);
        }
        self.read_uncached(table, shape)
    }

    /// Decodes a nested record that is not cached, and caches it.
    fn read_uncached(&mut self, table: &'static Table, shape: usize) -> Result<u32, ScanError> {
        let start = self.scan.position();
        let at = self.frame.reserve_record(table.fields.len());
        self.read_members(table, shape, at)?;
        let slot = Frame::reference_slot(at);
        let record = CachedValue { start, length: self.scan.position() - start, slot };
        self.shapes.cache_record(shape, self.scan.bytes(), record);
        Ok(slot)
    }

    /// Decodes an object. The scanner is at its opening brace.
    fn read_members(&mut self, table: &'static Table, shape: usize, at: usize) -> Result<(), ScanError> {
        let mut progress = RecordProgress::default();
        let (mut nth, mut first) = (0, true);
        loop {
            // The object starts with a brace, and later members with a comma. Anything else may be a syntax error.
            let can_predict = first == (self.scan.rest().first() == Some(&b'{'));
            if can_predict
                && let Some(steps) = self.shapes.by_table.get_mut(shape).and_then(|shape| shape.steps.get_mut(nth..))
            {
                let (bytes, rest) = (self.scan.bytes(), self.scan.rest());
                let mut record = PartialRecord { bytes, rest, at, seen: progress.seen };
                let (matched_steps, stop) =
                    fast_path::read_members(&mut record, self.frame, steps, &self.shapes.records);
                self.scan.set_rest(record.rest);
                progress.seen = record.seen;
                first &= matched_steps == 0;
                nth += matched_steps;
                match stop {
                    StopReason::OtherMember => {}
                    StopReason::NewNested => {
                        self.read_new_nested(table, shape, at, nth - 1, &mut progress)?;
                        continue;
                    }
                    StopReason::SlowValue => {
                        self.read_slow_value(table, shape, at, nth - 1, &mut progress)?;
                        continue;
                    }
                }
            }
            if self.scan.rest().first() == Some(&b'}') && !first {
                self.scan.advance(1);
                break;
            }
            let other = self.shapes.get(shape).and_then(|shape| shape.find_step(self.scan.rest(), nth));
            if can_predict && let Some(other) = other {
                nth = other;
                continue;
            }
            if !self.read_unpredicted_member(table, shape, at, &mut nth, first, &mut progress)? {
                break;
            }
            first = false;
        }
        self.finish_record(table, shape, at, &mut progress)
    }

    /// Decodes a nested record that is not cached, or a list.
    fn read_new_nested(
        &mut self,
        table: &'static Table,
        shape: usize,
        at: usize,
        step: usize,
        progress: &mut RecordProgress,
    ) -> Result<(), ScanError> {
        let step = self.shapes.get(shape).and_then(|shape| shape.steps.get(step));
        let Some(&Step { name: Some(name), expected: ExpectedValue { value_type, child_shape, .. }, .. }) = step else {
            return Ok(());
        };
        let result = match value_type.kind {
            Kind::Record(nested) => self.read_uncached(nested, child_shape),
            Kind::List(&element) => self.read_list(element, child_shape, FieldRef { table, field: name.field }),
            _ => return Ok(()),
        };
        progress.seen.insert(name);
        self.store_field(result, table, at, name.field, progress)
    }

    /// Decodes a value that the fast path does not support.
    #[inline(never)]
    fn read_slow_value(
        &mut self,
        table: &'static Table,
        shape: usize,
        at: usize,
        step: usize,
        progress: &mut RecordProgress,
    ) -> Result<(), ScanError> {
        match self.shapes.get(shape).and_then(|shape| shape.steps.get(step)?.name) {
            Some(name) => self.read_field(table, at, name, progress),
            // This unknown field was logged when its step was stored.
            None => self.scan.skip_value().map(drop),
        }
    }

    /// Decodes a member that matches no step, and stores a step for it. Returns false at the end of the object.
    #[inline(never)]
    fn read_unpredicted_member(
        &mut self,
        table: &'static Table,
        shape: usize,
        at: usize,
        nth: &mut usize,
        first: bool,
        progress: &mut RecordProgress,
    ) -> Result<bool, ScanError> {
        let start = self.scan.position();
        if first {
            self.scan.advance(1);
        }
        if !self.scan.next_member(b'}', first)? {
            return Ok(false);
        }
        let key = self.scan.read_key()?;
        self.scan.peek()?;
        let key_bytes = self.scan.slice_from(start);
        let name = find_field(table, &key);
        let field = name.and_then(|name| table.fields.get(name.field));
        self.read_member_value(table, at, name, &key, progress)?;
        // Unknown fields that are kept have no step: they must be decoded every time.
        if field.is_some() || !self.keep_extra {
            let value_type = field.map_or(ValueType { kind: Kind::Json, nullable: true }, |field| field.value_type);
            if let Some(step) = self.shapes.store_step(shape, *nth, key_bytes, name, value_type) {
                *nth = step + 1;
            }
        }
        Ok(true)
    }

    /// Decodes the value of a member.
    fn read_member_value(
        &mut self,
        table: &'static Table,
        at: usize,
        name: Option<FieldName>,
        key: &[u8],
        progress: &mut RecordProgress,
    ) -> Result<(), ScanError> {
        self.scan.peek()?;
        match name {
            Some(name) => self.read_field(table, at, name, progress),
            None => self.handle_unknown_field(table, key, &mut progress.extra),
        }
    }

    /// Decodes the value of a field.
    #[inline(never)]
    fn read_field(
        &mut self,
        table: &'static Table,
        at: usize,
        name: FieldName,
        progress: &mut RecordProgress,
    ) -> Result<(), ScanError> {
        let first = self.scan.peek()?;
        let Some(field) = table.fields.get(name.field) else { return Ok(()) };
        if field.value_type.has_other_meaning(first, table.field_names(name.field).count()) {
            let key = table.field_names(name.field).nth(usize::from(name.rank)).unwrap_or_default();
            return self.handle_unknown_field(table, key.as_bytes(), &mut progress.extra);
        }
        if !progress.mark_seen(name) {
            return self.scan.skip_value().map(drop);
        }
        let result = self.read_value(field.value_type, FieldRef { table, field: name.field });
        self.store_field(result, table, at, name.field, progress)
    }

    /// Stores the slot of a field, or its error.
    fn store_field(
        &mut self,
        result: Result<u32, ScanError>,
        table: &'static Table,
        at: usize,
        field: usize,
        progress: &mut RecordProgress,
    ) -> Result<(), ScanError> {
        match result {
            Ok(slot) => self.frame.set(at + field, slot),
            Err(ScanError) => match self.scan.take_error() {
                // A preferred or repeated name of the same field may follow. Otherwise, the record fails at its end.
                error @ DecodeError::Mismatch(_) => progress.failures.push((field, error)),
                error => return Err(self.scan.fail(error.in_field(table.field_name(field)))),
            },
        }
        Ok(())
    }

    /// Logs an unknown field, and keeps it if required.
    #[cold]
    fn handle_unknown_field(
        &mut self,
        table: &'static Table,
        key: &[u8],
        extra: &mut Vec<u8>,
    ) -> Result<(), ScanError> {
        let found = self.scan.skip_value()?;
        self.drift.add(DriftKind::UnknownField, table, &excerpt(key), found.json);
        // Values that are nested too deeply are not passed to JavaScript.
        if self.keep_extra && !found.too_deep {
            extra.push(if extra.is_empty() { b'{' } else { b',' });
            extra.extend_from_slice(quote_json(&crate::strings::from_utf8_lossy(key)).as_bytes());
            extra.push(b':');
            extra.extend_from_slice(&replace_ill_formed(found.json));
        }
        Ok(())
    }

    /// Handles fields that were not read: optional ones are logged as drift, required ones become failures.
    fn check_missing_fields(
        &mut self,
        table: &'static Table,
        shape: usize,
        seen: u64,
        failures: &mut Vec<(usize, DecodeError)>,
    ) {
        let known = self.shapes.get(shape).map_or(0, |shape| shape.may_be_missing);
        if (seen | known).count_ones() as usize == table.fields.len() {
            return;
        }
        for (index, field) in table.fields.iter().enumerate().filter(|(index, _)| (seen | known) & 1 << index == 0) {
            if field.value_type.accepts_null() {
                self.drift.add(DriftKind::MissingField, table, table.field_name(index), b"");
                if let Some(shape) = self.shapes.get_mut(shape) {
                    shape.may_be_missing |= 1 << index;
                }
            } else {
                failures.push((index, DecodeError::mismatch(field.value_type.kind.expected(), b"")));
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
        let (mut any, mut complete) = (false, true);
        for &(own, member) in flattened.pairs {
            let filled = self.frame.get(at + own) != 0;
            any |= filled;
            complete &= filled || element.fields.get(member).is_some_and(|field| field.value_type.nullable);
        }
        if any && complete {
            let first = self.frame.reserve_record(element.fields.len());
            for &(own, member) in flattened.pairs {
                self.frame.set(first + member, self.frame.get(at + own));
            }
            let list = self.frame.store_list(&[Frame::reference_slot(first)]);
            self.frame.set(at + flattened.list, list);
        }
    }
}

/// The field of a member name, and the rank of the name.
fn find_field(table: &Table, key: &[u8]) -> Option<FieldName> {
    let (field, rank) = table.find_field(key)?;
    Some(FieldName { field, rank: u8::try_from(rank).ok()? })
}
