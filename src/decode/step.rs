//! [`Step`]: what is expected next in a record, as learned from earlier rows.

use super::fields::FieldName;
use crate::record::ValueType;

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
        let (mut padded, mut mask) = ([0; MAX_STEP], [0; MAX_STEP]);
        padded.get_mut(..key_bytes.len())?.copy_from_slice(key_bytes);
        mask.get_mut(..key_bytes.len())?.fill(0xFF);
        Some(Self {
            halves: split_halves(&padded),
            masks: split_halves(&mask),
            length: key_bytes.len(),
            name,
            field: name.map_or(0, |name| name.field),
            bit: name.map_or(0, |name| 1 << name.field),
            rank: name.map_or(0, |name| name.rank),
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
        if *first == separator && self.matches(next) { rest.get(1 + self.length..) } else { None }
    }

    /// Whether the input continues with the bytes of this step.
    #[inline(always)]
    fn matches(&self, next: &[u8; MAX_STEP]) -> bool {
        let [first, second] = self.halves;
        let [first_mask, second_mask] = self.masks;
        let [first_bytes, second_bytes] = split_halves(next);
        (first_bytes ^ first) & first_mask == 0 && (self.length <= HALF || (second_bytes ^ second) & second_mask == 0)
    }
}

#[inline(always)]
fn split_halves(bytes: &[u8; MAX_STEP]) -> [u128; 2] {
    [bytes.first_chunk(), bytes.last_chunk()].map(|half| half.map_or(0, |half| u128::from_le_bytes(*half)))
}
