//! Decodes one record, driven by its table, into slots of the frame. Its values are decoded in `value.rs`, and it is
//! completed in `finish.rs`.
//!
//! Start at `RecordDecoder::read_record`: for each member, it expects the key and the usual form of the value that earlier
//! records had (`fast_path.rs`), and falls back to looking up the name.

use super::drift::{DriftKind, DriftLog};
use super::fast_path;
use super::shape_cache::{CachedValue, ShapeCache, find_cached};
use crate::frame::Frame;
use crate::json::escape::replace_ill_formed;
use crate::json::{DecodeError, ScanError, Scanner, excerpt};
use crate::record::{FieldName, Kind, MAX_FIELDS, MAX_NAMES, Table, ValueType};

/// Decodes values into a frame.
#[derive(Debug)]
pub(super) struct RecordDecoder<'a> {
    /// The scanner of the input.
    pub(super) scan: Scanner<'a>,
    /// The frame that values are stored in.
    pub(super) frame: &'a mut Frame,
    /// The shapes of earlier records.
    pub(super) shapes: &'a mut ShapeCache,
    /// The log of drift.
    pub(super) drift: &'a mut DriftLog,
    /// Whether unknown fields are kept.
    pub(super) keep_extra: bool,
}

/// The fields of a record that were read, one bit each, and the rank of the name that was used.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SeenFields {
    pub(super) fields: u64,
    /// The ranks: the low bit of each, then the high bit of each.
    ranks: [u64; 2],
}
const _: () = assert!(MAX_NAMES <= 4, "a rank has two bits");

/// The rank after all names.
pub(super) const LAST_RANK: u8 = 3;
const _: () = assert!(MAX_FIELDS <= u64::BITS as usize, "a set of fields has one bit per field");

impl SeenFields {
    /// The rank of the name that a field was read by.
    pub(super) const fn rank(self, field: usize) -> u64 {
        let [ones, twos] = self.ranks;
        (ones >> field & 1) + 2 * (twos >> field & 1)
    }

    /// Whether a field was read.
    #[inline(always)]
    pub(super) const fn contains(self, field: usize) -> bool {
        self.fields >> field & 1 == 1
    }

    /// Marks the field of this bit, which is not marked yet, as read by the name of this rank.
    #[inline(always)]
    pub(super) fn insert(&mut self, bit: u64, rank: u8) {
        self.fields |= bit;
        if rank > 0 {
            let [ones, twos] = &mut self.ranks;
            *ones |= if rank & 1 == 0 { 0 } else { bit };
            *twos |= if rank & 2 == 0 { 0 } else { bit };
        }
    }
}

/// A record that is being decoded.
#[derive(Debug)]
pub(super) struct OpenRecord {
    pub(super) table: &'static Table,
    /// The index of the table's shape in the shape cache.
    pub(super) shape: usize,
    /// The position of its slots in the frame.
    pub(super) at: usize,
    /// The fields that were read.
    pub(super) seen: SeenFields,
    /// The fields that failed validation.
    pub(super) failures: Vec<(usize, DecodeError)>,
    /// The unknown members, as a JSON object without the closing brace.
    pub(super) extra: Vec<u8>,
}

impl OpenRecord {
    /// Creates a record without members, whose slots are reserved at `at`.
    pub(super) fn new(table: &'static Table, shape: usize, at: usize) -> Self {
        Self { table, shape, at, seen: SeenFields::default(), failures: Vec::new(), extra: Vec::new() }
    }

    /// Marks a field as seen by this name. Returns false if it was seen by a preferred name: then its value is ignored.
    fn mark_seen(&mut self, name: FieldName) -> bool {
        if self.seen.contains(name.field) {
            if self.seen.rank(name.field) < u64::from(name.rank) {
                return false;
            }
            self.failures.retain(|(failed, _)| *failed != name.field);
            self.seen.ranks = self.seen.ranks.map(|ranks| ranks & !(1 << name.field));
        }
        self.seen.insert(1 << name.field, name.rank);
        true
    }
}

/// A field of a record.
#[derive(Clone, Copy)]
pub(super) struct FieldRef {
    pub(super) table: &'static Table,
    pub(super) field: usize,
    /// The index of the shape of the records in the field, if any.
    pub(super) child_shape: usize,
}

impl RecordDecoder<'_> {
    /// Decodes a record in a field or list, or finds it in the cache.
    pub(super) fn read_nested(&mut self, table: &'static Table, shape: usize) -> Result<u32, ScanError> {
        let records = self.shapes.records.get(shape);
        let cached = records.and_then(|records| find_cached(records, self.scan.bytes, self.scan.rest));
        if let Some(cached) = cached {
            self.scan.advance(cached.length);
            return Ok(cached.slot);
        }
        let start = self.scan.position();
        let at = self.read_record(table, shape)?;
        let slot = Frame::reference_slot(at);
        let record = CachedValue { start, length: self.scan.position() - start, slot };
        self.shapes.cache_record(shape, self.scan.bytes, record);
        Ok(slot)
    }

    /// Decodes a record and returns the position of its slots. The scanner is at its opening brace. `shape` is the index of the
    /// table's shape.
    ///
    /// # Errors
    /// See [`DecodeError`]. After a mismatch, the scanner has skipped the record.
    pub(super) fn read_record(&mut self, table: &'static Table, shape: usize) -> Result<usize, ScanError> {
        let at = self.frame.reserve_record(table.fields.len());
        let mut record = OpenRecord::new(table, shape, at);
        let (mut nth, mut separator) = (0, b'{');
        loop {
            let (bytes, mut rest) = (self.scan.bytes, self.scan.rest);
            let mut other_value = None;
            let steps = self.shapes.by_table.get_mut(shape).and_then(|shape| shape.steps.get_mut(nth..));
            for step in steps.unwrap_or_default() {
                let Some(value) = step.skip_key(rest, separator) else { break };
                (nth, separator, rest) = (nth + 1, b',', value);
                let is_new = step.bit & !record.seen.fields != 0;
                if is_new && let Some((slot, after)) = fast_path::read_step_value(bytes, value, self.frame, step) {
                    record.seen.insert(step.bit, step.rank);
                    self.frame.set(at + step.field, slot);
                    rest = after;
                } else {
                    other_value = Some((step.name, step.child_shape));
                    break;
                }
            }
            self.scan.rest = rest;
            if let Some((name, child_shape)) = other_value {
                match name {
                    Some(name) => self.read_field(&mut record, name, child_shape)?,
                    // This unknown field was logged when its step was stored.
                    None => drop(self.scan.skip_value()?),
                }
                continue;
            }
            if rest.first() == Some(&b'}') {
                self.scan.advance(1);
                break;
            }
            if let Some(other) = self.shapes.by_table.get(shape).and_then(|shape| shape.find_step(rest, separator, nth))
            {
                nth = other;
                continue;
            }
            if !self.read_unpredicted_member(&mut record, &mut nth, separator)? {
                break;
            }
            separator = b',';
        }
        self.finish_record(&mut record)?;
        Ok(at)
    }

    /// Decodes a member that matches no step, and stores a step for it. Returns false at the end of the object.
    #[inline(never)]
    fn read_unpredicted_member(
        &mut self,
        record: &mut OpenRecord,
        nth: &mut usize,
        separator: u8,
    ) -> Result<bool, ScanError> {
        let start = self.scan.rest;
        let first = separator == b'{';
        if first {
            self.scan.advance(1);
        }
        if !self.scan.next_member(b'}', first)? {
            return Ok(false);
        }
        let key = self.scan.read_key()?;
        self.scan.peek()?;
        let key_bytes = start.get(..start.len() - self.scan.rest.len()).unwrap_or_default();
        // No step is stored if white space precedes the comma.
        let key_bytes = key_bytes.strip_prefix(&[separator]).unwrap_or_default();
        let name = record.table.find_field(&key);
        let field = name.and_then(|name| record.table.fields.get(name.field));
        self.read_member_value(record, name, &key)?;
        // Unknown fields that are kept have no step: they must be decoded every time.
        if field.is_some() || !self.keep_extra {
            let value_type = field.map_or(ValueType { kind: Kind::Json, nullable: true }, |field| field.value_type);
            if let Some(step) = self.shapes.store_step(record.shape, *nth, key_bytes, name, value_type) {
                *nth = step + 1;
            }
        }
        Ok(true)
    }

    /// Decodes the value of a member: of the field `name`, or of an unknown one.
    ///
    /// # Errors
    /// See [`DecodeError`]. A mismatch is returned by [`Self::finish_record`], because a preferred name may follow.
    pub(super) fn read_member_value(
        &mut self,
        record: &mut OpenRecord,
        name: Option<FieldName>,
        key: &[u8],
    ) -> Result<(), ScanError> {
        self.scan.peek()?;
        let Some(name) = name else { return self.handle_unknown_field(record, key) };
        let Some(field) = record.table.fields.get(name.field) else { return Ok(()) };
        let child_shape = self.shapes.find_or_add_child(field.value_type);
        self.read_field(record, name, child_shape)
    }

    /// Decodes the value of a field. `child_shape` is the index of the shape of its records, if any.
    #[inline(never)]
    fn read_field(&mut self, record: &mut OpenRecord, name: FieldName, child_shape: usize) -> Result<(), ScanError> {
        let table = record.table;
        let first = self.scan.peek()?;
        let start = self.scan.position();
        let Some(field) = table.fields.get(name.field) else { return Ok(()) };
        let name = if field.value_type.is_partial(first) { FieldName { rank: LAST_RANK, ..name } } else { name };
        if !record.mark_seen(name) {
            return self.scan.skip_value().map(drop);
        }
        let field_ref = FieldRef { table, field: name.field, child_shape };
        let slot = match self.read_value(field.value_type, field_ref) {
            Ok(slot) => slot,
            Err(ScanError) => match self.scan.take_error() {
                // A preferred or repeated name of the same field may follow. Otherwise, the record fails at its end.
                error @ DecodeError::Mismatch(_) if field.is_essential => {
                    record.failures.push((name.field, error));
                    return Ok(());
                }
                DecodeError::Mismatch(_) => {
                    let found = self.scan.slice_from(start);
                    self.log_drift(DriftKind::UnexpectedValue, field_ref, found);
                    0
                }
                error => return Err(self.scan.fail(error.in_field(table.field_name(name.field)))),
            },
        };
        self.frame.set(record.at + name.field, slot);
        Ok(())
    }

    /// Logs an unknown field, and keeps it if required.
    #[cold]
    fn handle_unknown_field(&mut self, record: &mut OpenRecord, key: &[u8]) -> Result<(), ScanError> {
        let found = self.scan.skip_value()?;
        self.drift.add(DriftKind::UnknownField, record.table, &excerpt(key), found.json);
        // Values that are nested too deeply are not passed to JavaScript.
        if self.keep_extra && !found.too_deep {
            let extra = &mut record.extra;
            extra.push(if extra.is_empty() { b'{' } else { b',' });
            extra.extend_from_slice(crate::strings::quote_json(&crate::strings::from_utf8_lossy(key)).as_bytes());
            extra.push(b':');
            extra.extend_from_slice(&replace_ill_formed(found.json));
        }
        Ok(())
    }
}
