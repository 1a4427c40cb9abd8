//! The rows of a response with their blocks. Also computes digests of their contents, to detect whether a later response
//! returns the same rows. A digest does not identify a row, because rows can be equal.

use super::state::{BlockDigest, Blocks};
use crate::client::resume::digest;
use crate::decode::{BadRow, FramePage};
use crate::error::{Error, ErrorCode};
use crate::record::Table;
use crate::strings::{parse_u64, split_once};

/// Positions of the fields of a row that a range needs.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowFields {
    pub(super) block: usize,
    /// Digests exclude this field, because it changes from request to request.
    confirmations: Option<usize>,
    time: Option<usize>,
    /// Number of fields.
    count: usize,
}

impl RowFields {
    /// Finds the fields in the table of a record. `None` for records without a block number.
    pub(super) fn from_table(table: &Table) -> Option<Self> {
        let field = |name: &[u8]| table.find_field(name).map(|(field, _)| field);
        let (block, confirmations, time) = (field(b"blockNumber")?, field(b"confirmations"), field(b"timeStamp"));
        Some(Self { block, confirmations, time, count: table.fields.len() })
    }
}

/// The rows of a response or batch, with the block of each.
#[derive(Debug)]
pub(super) struct BlockRows {
    fields: RowFields,
    page: Box<FramePage>,
    blocks: Vec<u64>,
}

impl BlockRows {
    /// Reads the block of each row.
    ///
    /// # Errors
    /// [`ErrorCode::Decode`] for a block number of more than 64 bits.
    pub(super) fn new(fields: RowFields, page: Box<FramePage>) -> Result<Self, Error> {
        let mut blocks = Vec::with_capacity(page.rows.len());
        for row in &page.rows {
            let digits = field_content(&page, *row, fields.block).and_then(|digits| std::str::from_utf8(digits).ok());
            let Some(block) = digits.and_then(parse_u64) else {
                let message = "a block number exceeds 64 bits; check that the base URL is a Blockscout instance";
                return Err(Error::new(ErrorCode::Decode, message));
            };
            blocks.push(block);
        }
        Ok(Self { fields, page, blocks })
    }

    /// The block of each row that could be decoded.
    pub(super) fn blocks(&self) -> &[u64] {
        &self.blocks
    }

    /// Number of rows, including bad ones.
    pub(super) const fn count(&self) -> u64 {
        (self.page.rows.len() + self.page.bad_rows.len()) as u64
    }

    /// Number of rows that could be decoded.
    pub(super) const fn count_readable(&self) -> u64 {
        self.page.rows.len() as u64
    }

    pub(super) const fn has_bad_rows(&self) -> bool {
        !self.page.bad_rows.is_empty()
    }

    /// The block, if all rows that could be decoded are in the same one.
    pub(super) fn only_block(&self) -> Option<u64> {
        self.blocks.first().copied().filter(|block| self.blocks.last() == Some(block))
    }

    /// Whether all rows are in these blocks, and in order.
    pub(super) fn are_in(&self, blocks: Blocks, newest_first: bool) -> bool {
        let is_sorted = self.blocks.is_sorted_by(|a, b| if newest_first { a >= b } else { a <= b });
        is_sorted && self.blocks.iter().all(|block| blocks.contains(*block))
    }

    /// Returns the number of rows of a block, and a digest of its first `max_rows` rows that does not depend on their order.
    pub(super) fn digest(&self, block: u64, max_rows: u64) -> BlockDigest {
        let mut content = BlockDigest::default();
        for (&row, _) in self.page.rows.iter().zip(&self.blocks).filter(|(_, row_block)| **row_block == block) {
            if content.rows < max_rows {
                let mut bytes = Vec::new();
                for field in (0..self.fields.count).filter(|field| Some(*field) != self.fields.confirmations) {
                    bytes.extend_from_slice(field_content(&self.page, row, field).unwrap_or(b"\0"));
                    bytes.push(b'\n');
                }
                content.digest = content.digest.wrapping_add(digest(&bytes));
            }
            content.rows += 1;
        }
        content
    }

    /// Whether the row at this index was mined less than `ms` before `now`. `None` if there is no such row. A row without a
    /// timestamp counts as old.
    pub(super) fn is_younger_than(&self, index: u64, ms: u64, now: u64) -> Option<bool> {
        let row = self.page.rows.get(usize::try_from(index).ok()?)?;
        let mined_at = self.mined_at_ms(*row);
        Some(mined_at.is_some_and(|mined_at| mined_at.saturating_add(ms) > now))
    }

    /// Returns when the block of a row was mined, in milliseconds since 1970. `None` if the row has no timestamp.
    fn mined_at_ms(&self, row: u32) -> Option<u64> {
        let seconds = parse_u64(std::str::from_utf8(field_content(&self.page, row, self.fields.time?)?).ok()?)?;
        seconds.checked_mul(1_000)
    }

    /// Drops all rows, but not the bad ones.
    pub(super) fn clear(&mut self) {
        self.page.rows.clear();
        self.blocks.clear();
    }

    /// Drops the rows that follow these blocks. Returns whether there were any. The rows must be in order.
    pub(super) fn truncate_after(&mut self, blocks: Blocks, newest_first: bool) -> bool {
        let is_before_end = |block: u64| if newest_first { blocks.first <= block } else { block <= blocks.last };
        let kept = self.blocks.partition_point(|block| is_before_end(*block));
        let has_rows_after = kept < self.blocks.len();
        self.blocks.truncate(kept);
        self.page.rows.truncate(kept);
        self.page.bad_rows.retain(|bad| parse_block(bad).is_none_or(is_before_end));
        has_rows_after
    }

    /// Drops the rows from this block on, and returns the digest of those in it. The rows must be in order.
    pub(super) fn truncate_at(&mut self, block: u64) -> BlockDigest {
        let content = self.digest(block, u64::MAX);
        let kept = self.blocks.iter().position(|row_block| *row_block == block).unwrap_or(self.blocks.len());
        self.blocks.truncate(kept);
        self.page.rows.truncate(kept);
        content
    }

    /// Drops the bad rows from this block on.
    pub(super) fn truncate_bad_rows_at(&mut self, block: u64, newest_first: bool) {
        let is_before = |other: u64| if newest_first { other > block } else { other < block };
        self.page.bad_rows.retain(|bad| parse_block(bad).is_none_or(is_before));
    }

    pub(super) fn into_page(self) -> Box<FramePage> {
        self.page
    }
}

/// Reads the block number from the raw JSON of a bad row, if possible.
fn parse_block(bad: &BadRow) -> Option<u64> {
    let (_, value) = split_once(&bad.raw, "\"blockNumber\":\"")?;
    parse_u64(split_once(value, "\"")?.0)
}

/// Returns the string of a field.
fn field_content(page: &FramePage, row: u32, field: usize) -> Option<&[u8]> {
    page.frame.raw_string(page.frame.get(row as usize + field))
}
