//! What a range knows a row by. Equal rows are legal, so that tells no two rows apart: it tells whether the same came again.

use crate::client::resume::digest;
use crate::decode::{BadRow, FramePage};
use crate::error::{Error, ErrorCode};
use crate::record::Table;
use crate::text::{parsed, split_once};

/// Where a row has its block, and what does not change of it from request to request.
#[derive(Debug)]
pub(super) struct Identity {
    pub(super) block: usize,
    confirmations: Option<usize>,
    time: Option<usize>,
    fields: usize,
}

impl Identity {
    /// Nothing for rows without a block number.
    pub(super) fn of(table: &Table) -> Option<Self> {
        let field = |name: &[u8]| table.field_named(name).map(|(field, _)| field);
        let (block, confirmations, time) = (field(b"blockNumber")?, field(b"confirmations"), field(b"timeStamp"));
        Some(Self { block, confirmations, time, fields: table.fields.len() })
    }

    /// The block of each row.
    pub(super) fn blocks(&self, page: &FramePage) -> Result<Vec<u64>, Error> {
        let mut blocks = Vec::with_capacity(page.rows.len());
        for row in &page.rows {
            let digits = content(page, *row, self.block).and_then(|digits| std::str::from_utf8(digits).ok());
            let Some(block) = digits.and_then(parsed) else {
                let message = "a block number is too large; this is no chain we know";
                return Err(Error::new(ErrorCode::Decode, message));
            };
            blocks.push(block);
        }
        Ok(blocks)
    }

    /// When a row's block was mined, in milliseconds since 1970, where the row says so.
    pub(super) fn mined_at_ms(&self, page: &FramePage, row: u32) -> Option<u64> {
        let seconds = parsed(std::str::from_utf8(content(page, row, self.time?)?).ok()?)?;
        seconds.checked_mul(1_000)
    }

    /// Digest of the first `most` rows of a block, whatever their order, and how many rows it has on this page.
    pub(super) fn digest(&self, page: &FramePage, blocks: &[u64], block: u64, most: u64) -> (u64, u64) {
        let (mut sum, mut count) = (0_u64, 0);
        for (&row, _) in page.rows.iter().zip(blocks).filter(|(_, at)| **at == block) {
            if count < most {
                let mut text = Vec::new();
                for field in (0..self.fields).filter(|field| Some(*field) != self.confirmations) {
                    text.extend_from_slice(content(page, row, field).unwrap_or(b"\0"));
                    text.push(b'\n');
                }
                sum = sum.wrapping_add(digest(&text));
            }
            count += 1;
        }
        (sum, count)
    }
}

/// The block of an unreadable row, if that much can be read.
pub(super) fn block_of(bad: &BadRow) -> Option<u64> {
    let (_, value) = split_once(&bad.raw, "\"blockNumber\":\"")?;
    parsed(split_once(value, "\"")?.0)
}

fn content(page: &FramePage, row: u32, field: usize) -> Option<&[u8]> {
    page.frame.content(page.frame.get(row as usize + field))
}
