//! [`Envelope`]: the members of a response beside its rows.

use super::record::{OpenRecord, RecordDecoder};
use crate::json::ScanError;
use crate::record::FieldName;

/// The record of the members beside the rows. It is decoded member by member, and again for every batch.
#[derive(Debug)]
pub(super) struct Envelope {
    pub(super) record: OpenRecord,
    /// The JSON of the members, each followed by a comma.
    pub(super) members: Vec<u8>,
}

impl Envelope {
    /// Decodes the value of a member that starts at position `start` of the input. `repeats` is whether it is decoded
    /// again for every batch.
    pub(super) fn read_member(
        &mut self,
        decoder: &mut RecordDecoder<'_>,
        key: &[u8],
        start: usize,
        repeats: bool,
    ) -> Result<(), ScanError> {
        let name = self.record.table.find_field(key);
        decoder.read_member_value(&mut self.record, name, key)?;
        if repeats {
            self.members.extend_from_slice(decoder.scan.slice_from(start));
            self.members.push(b',');
        }
        Ok(())
    }

    /// Decodes a document that is the value of the only field.
    pub(super) fn read_only_field(&mut self, decoder: &mut RecordDecoder<'_>) -> Result<(), ScanError> {
        decoder.read_member_value(&mut self.record, Some(FieldName { field: 0, rank: 0 }), b"")
    }

    /// Decodes the members again into `record`, from their JSON. `is_complete` is whether no other members follow.
    ///
    /// They were validated before, so that errors and drift in them are already known.
    pub(super) fn read_again(&mut self, decoder: &mut RecordDecoder<'_>, record: OpenRecord, is_complete: bool) {
        self.record = record;
        while !decoder.scan.rest.is_empty() {
            let result = decoder.scan.read_key().and_then(|key| {
                let name = self.record.table.find_field(&key);
                decoder.read_member_value(&mut self.record, name, &key)?;
                decoder.scan.expect(b',', "a comma")
            });
            if result.is_err() {
                break;
            }
        }
        if is_complete {
            let _ = decoder.finish_record(&mut self.record);
        }
    }
}
