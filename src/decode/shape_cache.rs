//! The shape cache: what earlier rows showed about the JSON of each record type.
//!
//! For each table it holds the order of the members, the exact bytes of their keys, and values that may repeat.
//! `record.rs` compares the input with it. A wrong prediction costs time but never changes a result.
//!
//! Start at `ShapeCache` (kept between pages), then `RecordShape` and `Step`.

use crate::json::swar::{hash_bytes, starts_with};
use crate::record::{FieldName, Kind, Table, ValueType};

/// Maximum number of cached nested records per table. A page repeats the same few addresses and tokens.
const BUCKETS: usize = 64;

/// Maximum number of steps per table.
const MAX_STEPS: usize = 128;

/// How many leading bytes of a record are hashed to find its bucket.
const HASHED_BYTES: usize = 64;

/// The shapes of all record types that were decoded, and their cached values.
#[derive(Debug, Default)]
pub(super) struct ShapeCache {
    /// One shape per table. Other functions take the index of a shape in this list.
    pub(super) by_table: Vec<RecordShape>,
    /// Nested records that were read from the current input, by table.
    pub(super) records: CachedRecords,
}

/// Nested records by table, each in the bucket of its leading bytes.
pub(super) type CachedRecords = Vec<Vec<CachedValue>>;

/// The shape of the records of one table.
#[derive(Debug)]
pub(super) struct RecordShape {
    table: &'static Table,
    /// The members, in the order in which they arrived.
    pub(super) steps: Vec<Step>,
    /// Fields whose absence is normal, or already in the drift log. One bit each.
    pub(super) may_be_missing: u64,
}

impl ShapeCache {
    /// The index of a table's shape, which is added if it is missing.
    pub(super) fn find_or_add(&mut self, table: &'static Table) -> usize {
        if let Some(known) = self.by_table.iter().position(|shape| std::ptr::eq(shape.table, table)) {
            return known;
        }
        let mut may_be_missing = 0;
        for (index, field) in table.fields.iter().enumerate() {
            may_be_missing |= u64::from(!field.always_sent && field.value_type.nullable) << index;
        }
        self.by_table.push(RecordShape { table, steps: Vec::new(), may_be_missing });
        self.records.push(Vec::new());
        self.by_table.len() - 1
    }

    /// The index of the shape of a nested record, or of the records in a list. 0 for other types.
    pub(super) fn find_or_add_child(&mut self, value_type: ValueType) -> usize {
        match value_type.kind {
            Kind::Record(table) => self.find_or_add(table),
            Kind::List(&element) => self.find_or_add_child(element),
            _ => 0,
        }
    }

    /// Stores a step that was found at position `nth`, and returns its position. A step to the same field is replaced.
    pub(super) fn store_step(
        &mut self,
        shape: usize,
        nth: usize,
        key_bytes: &[u8],
        name: Option<FieldName>,
        value_type: ValueType,
    ) -> Option<usize> {
        let child_shape = self.find_or_add_child(value_type);
        let steps = &mut self.by_table.get_mut(shape)?.steps;
        let known = steps.iter().position(|step| name.is_some() && step.name == name);
        let Some(step) = Step::new(key_bytes, name, value_type, child_shape) else { return known };
        match known {
            Some(at) => *steps.get_mut(at)? = step,
            None if nth <= steps.len() && steps.len() < MAX_STEPS => steps.insert(nth, step),
            None => return None,
        }
        Some(known.unwrap_or(nth))
    }

    /// Caches a record that was read from the input `bytes`.
    pub(super) fn cache_record(&mut self, shape: usize, bytes: &[u8], record: CachedValue) {
        if let Some(bucket) = bytes.get(record.start..).and_then(bucket_index)
            && let Some(records) = self.records.get_mut(shape)
        {
            records.resize(BUCKETS, CachedValue::default());
            if let Some(entry) = records.get_mut(bucket) {
                *entry = record;
            }
        }
    }

    /// Discards all cached values. Required before the input or the frame changes, because they refer to both.
    pub(super) fn clear_values(&mut self) {
        for records in &mut self.records {
            records.clear();
        }
        for shape in &mut self.by_table {
            for step in &mut shape.steps {
                step.last.length = 0;
            }
        }
    }
}

impl RecordShape {
    /// Finds the step that matches the input after `separator` when step `nth` does not: members are missing, or in
    /// another order.
    pub(super) fn find_step(&self, rest: &[u8], separator: u8, nth: usize) -> Option<usize> {
        (nth..self.steps.len()).chain(0..nth).find(|index| {
            let step = self.steps.get(*index);
            step.and_then(|step| step.skip_key(rest, separator)).is_some()
        })
    }
}

/// Finds the cached record whose bytes equal those at the start of `rest`. `bytes` is the whole input.
pub(super) fn find_cached(records: &[CachedValue], bytes: &[u8], rest: &[u8]) -> Option<CachedValue> {
    let known = *records.get(bucket_index(rest)?)?;
    let known_bytes = bytes.get(known.start..known.start + known.length)?;
    (known.length > 0 && starts_with(rest, known_bytes)).then_some(known)
}

/// The bucket of a record that starts with these bytes. `None` if there are too few.
#[inline(always)]
fn bucket_index(bytes: &[u8]) -> Option<usize> {
    Some(hash_bytes(bytes.first_chunk::<HASHED_BYTES>()?) % BUCKETS)
}

/// Half of the maximum length of a step, in bytes.
const HALF: usize = 16;

/// The maximum length of a step, in bytes.
const MAX_STEP: usize = 2 * HALF;

/// The step from one value to the next: the bytes between them in an earlier row, and the expected value.
///
/// The bytes are `"name":`. A comma precedes them, or the opening brace of the object.
#[derive(Debug)]
pub(super) struct Step {
    /// The bytes, padded with zeros.
    halves: [u128; 2],
    /// The bits of `halves` that are compared: all but the padding.
    masks: [u128; 2],
    pub(super) length: usize,
    /// The field that follows. `None` for an unknown field.
    pub(super) name: Option<FieldName>,
    /// Index, bit and rank of `name`, computed once for all rows. The bit is 0 for an unknown field.
    pub(super) field: usize,
    pub(super) bit: u64,
    pub(super) rank: u8,
    /// The type of the value that follows.
    pub(super) value_type: ValueType,
    /// The index of the shape of the records in the value, if any.
    pub(super) child_shape: usize,
    /// The last string that followed, and its first bytes.
    pub(super) last: CachedValue,
    pub(super) last_prefix: u64,
}

/// A value that was read from the current input: its position, its length in bytes and its slot.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct CachedValue {
    pub(super) start: usize,
    pub(super) length: usize,
    pub(super) slot: u32,
}

impl Step {
    /// Creates a step. `None` if the key bytes are empty or too long.
    pub(super) fn new(
        key_bytes: &[u8],
        name: Option<FieldName>,
        value_type: ValueType,
        child_shape: usize,
    ) -> Option<Self> {
        key_bytes.first()?;
        let FieldName { field, rank } = name.unwrap_or(FieldName { field: 0, rank: 0 });
        let (mut padded, mut mask) = ([0; MAX_STEP], [0; MAX_STEP]);
        padded.get_mut(..key_bytes.len())?.copy_from_slice(key_bytes);
        mask.get_mut(..key_bytes.len())?.fill(0xFF);
        Some(Self {
            halves: split_halves(&padded),
            masks: split_halves(&mask),
            length: key_bytes.len(),
            name,
            field,
            bit: u64::from(name.is_some()) << field,
            rank,
            value_type,
            child_shape,
            last: CachedValue::default(),
            last_prefix: 0,
        })
    }

    /// The input after the bytes of this step, if it continues with `separator` and these bytes.
    #[inline(always)]
    pub(super) fn skip_key<'a>(&self, rest: &'a [u8], separator: u8) -> Option<&'a [u8]> {
        let [first, next @ ..] = rest.first_chunk::<{ 1 + MAX_STEP }>()?;
        let ([low, high], [low_mask, high_mask]) = (self.halves, self.masks);
        let [low_bytes, high_bytes] = split_halves(next);
        let is_step = *first == separator
            && (low_bytes ^ low) & low_mask == 0
            && (self.length <= HALF || (high_bytes ^ high) & high_mask == 0);
        if is_step { rest.get(1 + self.length..) } else { None }
    }
}

#[inline(always)]
fn split_halves(bytes: &[u8; MAX_STEP]) -> [u128; 2] {
    let ([low, high], []) = bytes.as_chunks() else { return [0; 2] };
    [u128::from_le_bytes(*low), u128::from_le_bytes(*high)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Record as _;
    use crate::types::AddressRef;

    #[test]
    fn a_step_matches_first_and_later_members() {
        let mut shapes = ShapeCache::default();
        let shape = shapes.find_or_add(AddressRef::TABLE);
        let field = AddressRef::TABLE.fields.first().unwrap();
        let name = Some(FieldName { field: 0, rank: 0 });
        assert_eq!(shapes.store_step(shape, 0, b"\"hash\":", name, field.value_type), Some(0));
        assert_eq!(shapes.store_step(shape, 1, b"", Some(FieldName { field: 1, rank: 0 }), field.value_type), None);
        let find = |separator| {
            let rest = [&[separator], b"\"hash\":\"0x0000000000000000000000000000000000000000\"".as_slice()].concat();
            [b'{', b','].map(|expected| shapes.by_table[shape].find_step(&rest, expected, 0))
        };
        assert_eq!((find(b'{'), find(b','), find(b' ')), ([Some(0), None], [None, Some(0)], [None, None]));
    }
}
