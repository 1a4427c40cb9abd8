//! What a range knows a row by. Equal rows are legal, so that tells no two rows apart: it tells whether the same came again.

use crate::client::resume::digest;
use crate::decode::FramePage;
use crate::error::{Error, ErrorCode};
use crate::record::Table;
use crate::text::parsed;

/// Where a row has its block, and what does not change of it from request to request.
#[derive(Debug)]
pub(super) struct Identity {
    pub(super) block: usize,
    confirmations: Option<usize>,
    fields: usize,
}

impl Identity {
    /// Nothing for rows without a block number.
    pub(super) fn of(table: &Table) -> Option<Self> {
        let field = |name: &[u8]| table.field_named(name).map(|(field, _)| field);
        let (block, confirmations) = (field(b"blockNumber")?, field(b"confirmations"));
        Some(Self { block, confirmations, fields: table.fields.len() })
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

    /// Digests of a block's rows, in ascending order.
    pub(super) fn digests(&self, page: &FramePage, blocks: &[u64], block: u64) -> Vec<u64> {
        let of = |row: u32| {
            let mut text = Vec::new();
            for field in (0..self.fields).filter(|field| Some(*field) != self.confirmations) {
                text.extend_from_slice(content(page, row, field).unwrap_or(b"\0"));
                text.push(b'\n');
            }
            digest(&text)
        };
        let mut digests = Vec::new();
        for (row, _) in page.rows.iter().zip(blocks).filter(|(_, at)| **at == block) {
            digests.push(of(*row));
        }
        digests.sort_unstable();
        digests
    }

    /// A digest of the rows of a page of one block, in any order.
    pub(super) fn page_digest(&self, page: &FramePage, blocks: &[u64]) -> u64 {
        let digests = blocks.first().map(|block| self.digests(page, blocks, *block)).unwrap_or_default();
        digests.iter().fold(0, |sum, digest| sum.wrapping_add(*digest))
    }
}

fn content(page: &FramePage, row: u32, field: usize) -> Option<&[u8]> {
    page.frame.content(page.frame.get(row as usize + field))
}
