//! The rows of a response with their blocks. Also computes digests of their contents, to detect whether a later response
//! returns the same rows. A digest does not identify a row, because rows can be equal.

use super::planner_state::{BlockDigest, Blocks, HeadSnapshot};
use super::response_limit::ShortResponse;
use crate::client::resume::digest;
use crate::decode::omitted::find_first_after;
use crate::decode::{BadRecord, FramePage, Omitted};
use crate::endpoint::Operation;
use crate::error::{Error, ErrorCode};
use crate::record::{Kind, Table, ValueType};
use crate::strings::{format_u64, parse_u64};

/// Rows younger than this may have been added after the previous response.
const RECENT_ROW_MS: u64 = 60_000;

/// Blocks older than this are not reorganised.
const FINAL_BLOCK_MS: u64 = 3_600_000;

/// Positions of the fields of a row that a range needs.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowFields {
    pub(super) block: usize,
    /// Digests exclude this field, because it changes from request to request.
    confirmations: Option<usize>,
    time: Option<usize>,
    table: &'static Table,
    /// Name of the action.
    source: &'static str,
}

impl RowFields {
    /// Finds the fields in the rows of an action. `None` for rows without a block number.
    pub(super) fn from_action(action: &'static Operation) -> Option<Self> {
        let table = action.layout.row;
        let field = |name: &[u8]| table.find_field(name).map(|name| name.field);
        let (block, confirmations, time) = (field(b"blockNumber")?, field(b"confirmations"), field(b"timeStamp"));
        Some(Self { block, confirmations, time, table, source: action.name })
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
        (self.page.rows.len() + self.page.bad_records.len()) as u64
    }

    /// Number of rows that could be decoded.
    pub(super) const fn count_readable(&self) -> u64 {
        self.page.rows.len() as u64
    }

    pub(super) const fn has_bad_records(&self) -> bool {
        !self.page.bad_records.is_empty()
    }

    /// Adds the bad records to a report.
    pub(super) fn report_omitted(&self, omitted: &mut Omitted) {
        omitted.append(Omitted::from_page(self.fields.source, &self.page.bad_records));
    }

    /// Whether a bad record may be in this block.
    fn may_omit(&self, block: u64) -> bool {
        let is_at = |row: usize| self.blocks.get(row) == Some(&block);
        let is_near = |bad: &BadRecord| is_at(bad.position) || bad.position.checked_sub(1).is_some_and(is_at);
        // If no row of the block is left, any bad record may be in it.
        let may_be_near = |bad: &BadRecord| is_near(bad) || !self.blocks.contains(&block);
        let may_be_in = |bad: &BadRecord| bad.block == Some(block) || (bad.block.is_none() && may_be_near(bad));
        self.page.bad_records.iter().any(may_be_in)
            || (self.page.defers_bad_records && self.blocks.last() == Some(&block))
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

    /// Returns the number of rows of a block, and a digest of the strings in its first `max_rows` rows that does not depend on their order.
    pub(super) fn digest(&self, block: u64, max_rows: u64) -> BlockDigest {
        let mut content = BlockDigest::default();
        for (&row, _) in self.page.rows.iter().zip(&self.blocks).filter(|(_, row_block)| **row_block == block) {
            if content.rows < max_rows {
                let mut bytes = Vec::new();
                let is_string = |field: &ValueType| matches!(field.kind, Kind::String(_));
                let fields = self.fields.table.fields.iter().enumerate();
                for (field, _) in fields.filter(|(_, spec)| is_string(&spec.value_type)) {
                    if Some(field) == self.fields.confirmations {
                        continue;
                    }
                    bytes.extend_from_slice(field_content(&self.page, row, field).unwrap_or(b"\0"));
                    bytes.push(b'\n');
                }
                content.digest = content.digest.wrapping_add(digest(&bytes));
            }
            content.rows += 1;
        }
        content
    }

    /// Returns the content of a block, to compare it with a later response.
    pub(super) fn snapshot(&self, block: u64) -> BlockDigest {
        let content = self.digest(block, u64::MAX);
        if self.may_omit(block) { BlockDigest { digest: BlockDigest::UNKNOWN, ..content } } else { content }
    }

    /// Whether a block has other rows than in an earlier response. False if a row of it was omitted in either of them.
    pub(super) fn differs_from(&self, block: u64, earlier: BlockDigest) -> bool {
        earlier.is_known() && !self.may_omit(block) && self.digest(block, earlier.rows).digest != earlier.digest
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

    /// Whether a bad record may be in another block than this one.
    pub(super) fn may_omit_outside(&self, block: u64) -> bool {
        self.page.bad_records.iter().any(|bad| bad.block != Some(block))
    }

    /// Drops the rows that follow these blocks, the first ones of `window`. Returns whether there were any. `None` if a bad record may
    /// follow them: nothing is dropped then. The rows must be in order.
    pub(super) fn truncate_after(&mut self, blocks: Blocks, window: Blocks, newest_first: bool) -> Option<bool> {
        let is_before_end = |block: u64| if newest_first { blocks.first <= block } else { block <= blocks.last };
        if is_before_end(window.start(!newest_first)) {
            return Some(false);
        }
        let kept = self.blocks.partition_point(|block| is_before_end(*block));
        let bad_records = find_first_after(&self.page.bad_records, kept, is_before_end)?;
        let has_rows_after = kept < self.blocks.len() || bad_records < self.page.bad_records.len();
        self.truncate(kept, bad_records);
        Some(has_rows_after)
    }

    /// Returns the last block before which these rows can be cut, so that each bad record is known to be on one side of
    /// the cut. `None` if there is none. `start` is the first block of the window. With `can_restart`, the rows can be
    /// cut before it.
    pub(super) fn find_cut(&self, start: u64, can_restart: bool) -> Option<u64> {
        let mut blocks = self.blocks();
        while let Some(&block) = blocks.last() {
            let first = blocks.iter().rposition(|other| *other != block).map_or(0, |before| before + 1);
            let is_known = find_first_after(&self.page.bad_records, first, |bad| bad != block).is_some();
            if if block == start { can_restart } else { is_known } {
                return Some(block);
            }
            blocks = blocks.get(..first)?;
        }
        None
    }

    /// Drops the rows from this block on, and returns its content. Bad records from it on are dropped too, except in a
    /// batch: the next batch includes them. The rows must be in order.
    pub(super) fn truncate_at(&mut self, block: u64, is_batch: bool) -> BlockDigest {
        let content = self.snapshot(block);
        let kept = self.blocks.iter().position(|row_block| *row_block == block).unwrap_or(self.blocks.len());
        let bad_records = self.page.bad_records.len();
        // Bad records directly before the first block of a window are part of it.
        let first_after = || find_first_after(&self.page.bad_records, kept, |bad| bad != block).unwrap_or_default();
        self.truncate(kept, if is_batch { bad_records } else { first_after() });
        content
    }

    /// Drops the first rows, bad ones included.
    pub(super) fn skip(&mut self, count: u64) {
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        let bad_records = self.page.bad_records.iter().enumerate();
        let bad_records = bad_records.take_while(|(index, bad)| index + bad.position < count).count();
        let rows = count.saturating_sub(bad_records).min(self.blocks.len());
        self.page.bad_records.drain(..bad_records);
        self.page.bad_records.iter_mut().for_each(|bad| bad.position -= rows);
        self.page.rows.drain(..rows);
        self.blocks.drain(..rows);
    }

    /// Fails if a row lies outside the requested blocks or out of order, because rows of other windows would be delivered
    /// twice.
    pub(super) fn check_blocks(&self, blocks: Blocks, newest_first: bool) -> Result<(), Error> {
        if self.are_in(blocks, newest_first) {
            return Ok(());
        }
        let message = "the service returned rows outside the requested blocks or out of order, and they were discarded; \
                       read the range page by page instead";
        Err(Error::new(ErrorCode::Cursor, message))
    }

    /// Remembers the newest block, unless it is too old to change.
    pub(super) fn update_head_snapshot(
        &self,
        snapshot: &mut Option<HeadSnapshot>,
        newest_first: bool,
        read_at_ms: u64,
    ) {
        let index = if newest_first { 0 } else { self.blocks.len().saturating_sub(1) };
        if let Some(&block) = self.blocks.get(index)
            && self.is_younger_than(index as u64, FINAL_BLOCK_MS, read_at_ms) == Some(true)
        {
            let content = self.snapshot(block);
            *snapshot = content.is_known().then_some(HeadSnapshot { block, content, read_at_ms });
        }
    }

    /// Returns the rows per block of a response that ends with these rows, from the block `start` on. With `end` it has all rows up to
    /// that block. `None` if the response has a single block.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    pub(super) fn density(&self, start: u64, end: Option<u64>, rows_before: u64) -> Option<f64> {
        let last = end.or(self.blocks.last().copied())?;
        let has_several_blocks = end.is_some() || rows_before > 0 || self.only_block().is_none();
        has_several_blocks.then(|| (rows_before + self.count_readable()) as f64 / (start.abs_diff(last) + 1) as f64)
    }

    fn truncate(&mut self, rows: usize, bad_records: usize) {
        self.blocks.truncate(rows);
        self.page.rows.truncate(rows);
        self.page.bad_records.truncate(bad_records);
    }

    pub(super) fn into_page(self) -> Box<FramePage> {
        self.page
    }
}

/// A response, or a batch of its rows.
#[derive(Debug)]
pub(super) struct RangeResponse {
    pub(super) rows: BlockRows,
    /// The message of the service, if it has not processed all blocks yet.
    pub(super) unprocessed: Option<String>,
    /// Whether the response has ended.
    pub(super) is_end: bool,
    /// In milliseconds since 1970.
    pub(super) received_at_ms: u64,
}

impl RangeResponse {
    /// Whether there is a row at this index, too old to have been added after the `previous` response. Such a row shows
    /// that the previous response was incomplete.
    pub(super) fn has_old_row_at(&self, index: u64, previous: Option<ShortResponse>) -> bool {
        let now_ms = previous.map_or(self.received_at_ms, |previous| previous.received_at_ms);
        self.rows.is_younger_than(index, RECENT_ROW_MS, now_ms) == Some(false)
    }
}

/// The error for a response without a decodable row.
pub(super) fn undecodable_rows_error(rows: u64) -> Error {
    let message = ["none of the ", &*format_u64(rows), " rows could be decoded, so the next block is unknown"].concat();
    Error::new(ErrorCode::Decode, message)
}

/// Returns the string of a field.
fn field_content(page: &FramePage, row: u32, field: usize) -> Option<&[u8]> {
    page.frame.raw_string(page.frame.get(row as usize + field))
}
