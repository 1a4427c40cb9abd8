//! [`Step`]: what is expected next in a record, as learned from earlier rows.

use super::fields::FieldName;
use crate::record::{Format, Kind, ValueType};

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
    /// The value that follows.
    pub(super) expected: ExpectedValue,
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

/// How the fast path reads a value.
#[derive(Debug, Clone, Copy)]
pub(super) enum FastPath {
    Address,
    Hash,
    Timestamp,
    HexData,
    Selector,
    Digits,
    Decimal,
    Free,
    OpenEnum,
    Integer,
    Boolean,
    List,
    Record,
    Json,
    /// The value is always left to `value.rs`.
    Unsupported,
}

/// The value that is expected after a key.
#[derive(Debug, Clone, Copy)]
pub(super) struct ExpectedValue {
    pub(super) value_type: ValueType,
    pub(super) fast_path: FastPath,
    /// The index of the shape of a record, or of the records in a list.
    pub(super) child_shape: usize,
}

impl ExpectedValue {
    /// A value of the declared type. `child_shape` is the index of the shape of a record, or of the records in a list.
    pub(super) const fn new(value_type: ValueType, child_shape: usize) -> Self {
        Self { value_type, fast_path: FastPath::from_type(value_type), child_shape }
    }
}

impl FastPath {
    /// The fast path for the declared type of a value.
    const fn from_type(value_type: ValueType) -> Self {
        match value_type.kind {
            Kind::String(format) => match format {
                Format::Address => Self::Address,
                Format::Hash => Self::Hash,
                Format::Timestamp => Self::Timestamp,
                Format::HexData => Self::HexData,
                Format::Selector => Self::Selector,
                Format::Uint | Format::Int => Self::Digits,
                Format::Decimal => Self::Decimal,
                Format::Free => Self::Free,
                Format::OpenEnum(_) => Self::OpenEnum,
                Format::Quantity | Format::Date => Self::Unsupported,
            },
            Kind::Integer => Self::Integer,
            Kind::Boolean => Self::Boolean,
            Kind::List(_) => Self::List,
            Kind::Record(_) => Self::Record,
            Kind::Json => Self::Json,
            Kind::JsonObject | Kind::Number => Self::Unsupported,
        }
    }
}

impl Step {
    /// Creates a step. `None` if the key bytes are empty or too long.
    pub(super) fn new(key_bytes: &[u8], name: Option<FieldName>, expected: ExpectedValue) -> Option<Self> {
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
            expected,
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
