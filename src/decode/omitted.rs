//! Records that were omitted from a page, because they failed validation: [`BadRecord`] is one of them, [`Omitted`] a summary for
//! reports.

use crate::json::{ScanError, Scanner};
use crate::object::object;
use crate::record::Table;
use crate::strings::parse_u64;

/// Maximum number of places in a summary.
pub const MAX_PLACES: usize = 100;

/// The field with the block of a record: in the REST lists, in the account interface, and in a list of blocks.
const BLOCK_FIELDS: [&[u8]; 3] = [b"block_number", b"blockNumber", b"height"];

object! {
    /// A record that was omitted (option `badRecords: "skip"`): it failed validation, or the service cannot serve it.
    #[derive(Debug, Clone, PartialEq, Eq)]
    BadRecord "BadRecord" {
        /// The number of its block. Null if the record has none, or if it is not readable.
        block: Option<u64>,
        /// The path of the invalid value: `items[3].token.decimals`. `items` if the service cannot serve the record.
        path: String,
        /// What the documentation specifies.
        expected: &'static str,
        /// What was found: a short, printable excerpt.
        found: String,
        /// The record's JSON, as the service sent it. Untrusted. Empty if the service cannot serve the record.
        raw: String,
    } internal {
        /// Number of valid rows before it on the page.
        pub position: usize,
    }
}

object! {
    /// The records that `badRecords: "skip"` omitted, because they failed validation or the service cannot serve them.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    Omitted "Omitted" {
        /// Number of omitted records. More may be missing if `first` has a place with the path `items`.
        count: u64,
        /// The places of the first 100 of them.
        first: Vec<OmittedPlace>,
    }
}

object! {
    /// Where a record was omitted.
    #[derive(Debug, Clone, PartialEq, Eq)]
    OmittedPlace "OmittedPlace" {
        /// The method that read the record: `addressTransactions` or `tokenTx`.
        source: &'static str,
        /// The number of its block. Null if the record has none, or if it is not readable.
        block: Option<u64>,
        /// The path of the invalid value in the response: `items[3].token.decimals`. `items` if the service cannot
        /// serve the record: its page has status 500. Further records may be missing beside it, between the previous
        /// delivered record and the end of `block`: at most one page of them, unless there are several such records.
        path: String,
    }
}

impl Omitted {
    /// The summary of a page that this method has read.
    #[must_use]
    pub fn from_page(source: &'static str, bad_records: &[BadRecord]) -> Self {
        let places = bad_records.iter().map(|BadRecord { block, path, .. }| OmittedPlace {
            source,
            block: *block,
            path: path.clone(),
        });
        Self { count: bad_records.len() as u64, first: places.take(MAX_PLACES).collect() }
    }

    /// Adds the records that were omitted after these.
    pub fn append(&mut self, next: Self) {
        self.count += next.count;
        self.first.extend(next.first);
        self.first.truncate(MAX_PLACES);
    }
}

/// Finds the field with the block of a record.
pub(crate) fn find_block_field(table: &Table) -> Option<usize> {
    Some(BLOCK_FIELDS.iter().find_map(|name| table.find_field(name))?.field)
}

/// Reads the block number from the JSON of a row, if it has one.
pub(super) fn read_block(table: &Table, raw: &[u8]) -> Option<u64> {
    let block_field = find_block_field(table)?;
    let mut scan = Scanner::new(raw);
    let mut read = || {
        scan.expect(b'{', "an object")?;
        let mut first = true;
        while scan.next_member(b'}', first)? {
            first = false;
            let is_block = table.find_field(&scan.read_key()?).is_some_and(|name| name.field == block_field);
            let value = scan.skip_value()?.json;
            if is_block {
                return Ok::<_, ScanError>(Some(value));
            }
        }
        Ok(None)
    };
    let value = std::str::from_utf8(read().ok()??).ok()?;
    let number = value.trim_matches('"');
    // Logs of the module/action API have numbers in hex.
    match number.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => parse_u64(number),
    }
}

/// Returns the index of the first bad record after a cut. `position` is the first row after the cut, or the number of
/// rows. For bad records directly before that row, `is_before` decides by their block. `None` if that block is not
/// known.
pub(crate) fn find_first_after(
    bad_records: &[BadRecord],
    position: usize,
    is_before: impl Fn(u64) -> bool,
) -> Option<usize> {
    let mut index = bad_records.partition_point(|bad| bad.position < position);
    let mut is_after = false;
    for bad in bad_records.get(index..)?.iter().take_while(|bad| bad.position == position) {
        is_after |= !is_before(bad.block?);
        index += usize::from(!is_after);
    }
    Some(index)
}
