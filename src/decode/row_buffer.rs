//! [`RowBuffer`]: the rows of a response that were decoded and not delivered yet.

use super::omitted::{BadRecord, find_first_after, read_block};
use super::record::RecordDecoder;
use crate::frame::{Frame, to_slot};
use crate::json::{DecodeError, Mismatch, ScanError, format_index};
use crate::record::{Kind, Table};
use crate::strings::{from_utf8_lossy, parse_u64};

/// The decoded rows that were not delivered in a batch.
#[derive(Debug)]
pub(super) struct RowBuffer {
    pub(super) table: &'static Table,
    /// Whether rows that fail validation are omitted.
    pub(super) skips_bad: bool,
    /// The positions of the rows in the frame.
    pub(super) positions: Vec<u32>,
    pub(super) bad: Vec<BadRecord>,
    /// How many rows of the page were read: the index of the next one.
    pub(super) read: usize,
    /// Whether rows can be decoded again. If so, their bytes are kept until they are delivered.
    pub(super) can_reread: bool,
    /// The starts in the input of the rows that can be decoded again, including bad ones.
    pub(super) starts: Vec<usize>,
}

/// Returns what a row is, if its JSON shows that it is not a record of this table.
fn find_other_record(table: &Table, json: &[u8]) -> Option<&'static str> {
    let has_member = |name: &str| {
        let key = ["\"", name, "\":"].concat();
        json.windows(key.len()).any(|bytes| bytes == key.as_bytes())
    };
    table.except.iter().find(|(name, _)| has_member(name)).map(|(_, other)| *other)
}

impl RowBuffer {
    /// The number of rows, including bad ones.
    pub(super) const fn len(&self) -> usize {
        self.positions.len() + self.bad.len()
    }

    /// Decodes all available rows, and the end of their list. `first` is whether no row was read yet. After each row,
    /// `on_row` is called with the position in the input.
    pub(super) fn read_all(
        &mut self,
        decoder: &mut RecordDecoder<'_>,
        mut first: bool,
        list: &'static str,
        mut on_row: impl FnMut(usize),
    ) -> Result<(), ScanError> {
        let shape = decoder.shapes.find_or_add(self.table);
        while decoder.scan.next_member(b']', first)? {
            let first_byte = decoder.scan.peek()?;
            let start = decoder.scan.position();
            let row = match first_byte {
                b'{' => decoder.read_record(self.table, shape),
                _ => Err(decoder.scan.skip_mismatch(Kind::Record(self.table).expected())),
            };
            match row {
                Ok(at) => self.positions.push(to_slot(at)),
                Err(ScanError) => {
                    let error = decoder.scan.take_error().in_element(self.read).in_field(list);
                    let json = decoder.scan.slice_from(start);
                    let mismatch = match (error, find_other_record(self.table, json)) {
                        (DecodeError::Mismatch(_), Some(found)) => {
                            let path = [list, &*format_index(self.read)].concat();
                            Box::new(Mismatch { path, expected: self.table.name, found: found.into() })
                        }
                        (DecodeError::Mismatch(mismatch), None) if self.skips_bad => mismatch,
                        (error, _) => return Err(decoder.scan.fail(error)),
                    };
                    let (block, raw) = (read_block(self.table, json), from_utf8_lossy(json));
                    let Mismatch { path, expected, found } = *mismatch;
                    self.bad.push(BadRecord { block, path, expected, found, raw, position: self.positions.len() });
                }
            }
            self.starts.extend(self.can_reread.then_some(start));
            self.read += 1;
            first = false;
            on_row(decoder.scan.position());
        }
        Ok(())
    }

    /// Removes the bad records of the last group: the rows of the last block. `field` is the block's field. Returns the
    /// position of the group in the input, where decoding must continue. If it is unknown whether a bad record before
    /// the group belongs to it, removes the group and continues with the one before.
    ///
    /// `None` if all rows have the same block, or if the rows cannot be decoded again.
    pub(super) fn rewind_last_group(&mut self, frame: &Frame, field: usize) -> Option<usize> {
        let value = |row: &u32| frame.raw_string(frame.get(*row as usize + field));
        let block = |row: &u32| parse_u64(std::str::from_utf8(value(row)?).ok()?);
        let mut end = self.positions.len();
        loop {
            let rows = self.positions.get(..end)?;
            let last = rows.last()?;
            let before = rows.iter().rposition(|row| value(row) != value(last))?;
            let first = before + 1;
            if let Some(bad_records) = find_first_after(&self.bad, first, |bad| block(last) != Some(bad)) {
                let start = self.starts.get(first + bad_records).copied()?;
                self.read -= self.len() - (first + bad_records);
                self.bad.truncate(bad_records);
                self.positions.truncate(end);
                return Some(start);
            }
            end = first;
        }
    }
}
