//! The fields of a record that were read, as sets of bits.

use crate::record::{FieldName, MAX_FIELDS, MAX_NAMES};

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

    /// Marks a field as read by this name, which replaces an earlier one.
    pub(super) fn insert(&mut self, FieldName { field, rank }: FieldName) {
        let bit = 1 << field;
        self.ranks = self.ranks.map(|ranks| ranks & !bit);
        self.insert_new(bit, rank);
    }

    /// Like [`Self::insert`], for a field that is not marked yet.
    #[inline(always)]
    pub(super) fn insert_new(&mut self, bit: u64, rank: u8) {
        self.fields |= bit;
        if rank > 0 {
            let [ones, twos] = &mut self.ranks;
            *ones |= if rank & 1 == 0 { 0 } else { bit };
            *twos |= if rank & 2 == 0 { 0 } else { bit };
        }
    }
}
