//! Reads the block and time of rows. Also computes digests of their contents, to detect whether a later response returns the
//! same rows. A digest does not identify a row, because rows can be equal.

use crate::client::resume::digest;
use crate::decode::{BadRow, FramePage};
use crate::error::{Error, ErrorCode};
use crate::record::Table;
use crate::strings::{parse_u64, split_once};

/// Positions of the fields of a row that a range needs.
#[derive(Debug)]
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

    /// Returns the block of each row.
    pub(super) fn blocks(&self, page: &FramePage) -> Result<Vec<u64>, Error> {
        let mut blocks = Vec::with_capacity(page.rows.len());
        for row in &page.rows {
            let digits = field_content(page, *row, self.block).and_then(|digits| std::str::from_utf8(digits).ok());
            let Some(block) = digits.and_then(parse_u64) else {
                let message = "a block number exceeds 64 bits; check that the base URL is a Blockscout instance";
                return Err(Error::new(ErrorCode::Decode, message));
            };
            blocks.push(block);
        }
        Ok(blocks)
    }

    /// Returns when the block of a row was mined, in milliseconds since 1970. `None` if the row has no timestamp.
    pub(super) fn mined_at_ms(&self, page: &FramePage, row: u32) -> Option<u64> {
        let seconds = parse_u64(std::str::from_utf8(field_content(page, row, self.time?)?).ok()?)?;
        seconds.checked_mul(1_000)
    }

    /// Returns a digest of the first `max_rows` rows of a block, and the number of its rows on this page. The digest does not
    /// depend on the order of the rows.
    pub(super) fn digest(&self, page: &FramePage, blocks: &[u64], block: u64, max_rows: u64) -> (u64, u64) {
        let (mut sum, mut count) = (0_u64, 0);
        for (&row, _) in page.rows.iter().zip(blocks).filter(|(_, row_block)| **row_block == block) {
            if count < max_rows {
                let mut bytes = Vec::new();
                for field in (0..self.count).filter(|field| Some(*field) != self.confirmations) {
                    bytes.extend_from_slice(field_content(page, row, field).unwrap_or(b"\0"));
                    bytes.push(b'\n');
                }
                sum = sum.wrapping_add(digest(&bytes));
            }
            count += 1;
        }
        (sum, count)
    }
}

/// Reads the block number from the raw JSON of a bad row, if possible.
pub(super) fn parse_block(bad: &BadRow) -> Option<u64> {
    let (_, value) = split_once(&bad.raw, "\"blockNumber\":\"")?;
    parse_u64(split_once(value, "\"")?.0)
}

/// Returns the string of a field.
fn field_content(page: &FramePage, row: u32, field: usize) -> Option<&[u8]> {
    page.frame.raw_string(page.frame.get(row as usize + field))
}
