//! Drift: differences between responses and the declarations that the decoder tolerates.
//!
//! The log has one entry per kind, record and field. For unknown values, it has one entry per value.

use crate::json::describe;
use crate::object::{object, string_enum};
use crate::record::Table;

string_enum! {
    /// How a response differs from the declaration.
    DriftKind {
        /// A field that is not declared.
        UnknownField = "unknown_field",
        /// A value that is not among the known values of its open enum. It is passed on as sent.
        UnknownValue = "unknown_value",
        /// A value that is not in its documented format. It is passed on as sent where the service's specification allows it, such as
        /// a negative amount. Otherwise the field becomes null, or the element leaves its list. Also a string with invalid UTF-8 or
        /// an unpaired surrogate, which is replaced by U+FFFD.
        UnexpectedValue = "unexpected_value",
        /// A number instead of a string, a string instead of a number, an object inside a string, or an address hash instead of an
        /// address object. It is converted.
        CoercedType = "coerced_type",
        /// A documented field that is missing. It becomes null or an empty list.
        MissingField = "missing_field",
    }
}

object! {
    /// A difference between a response and the documentation of the service.
    #[derive(Debug, Clone, PartialEq, Eq)]
    Drift "Drift" {
        /// The kind of difference.
        kind: DriftKind,
        /// The type of the record: `TokenTransfer`.
        record: &'static str,
        /// The name of the field.
        field: String,
        /// What was found: a short, printable excerpt. For a missing field: `nothing`.
        found: String,
    }
}

impl Drift {
    /// Whether both belong to the same entry of the log.
    fn has_same_entry(&self, other: &Self) -> bool {
        self.kind == other.kind
            && self.record == other.record
            && self.field == other.field
            && (self.kind != DriftKind::UnknownValue || self.found == other.found)
    }
}

/// Collects drift without repetitions.
#[derive(Debug, Default)]
pub struct DriftLog {
    seen: Vec<Drift>,
    /// How many entries of `seen` were reported.
    pub(super) reported: usize,
}

/// Maximum number of entries, so that a service with a new field name in every row cannot fill the memory.
const MAX_ENTRIES: usize = 256;

impl DriftLog {
    /// Adds a difference, unless the log has an entry for it.
    #[cold]
    pub fn add(&mut self, kind: DriftKind, table: &'static Table, field: &str, found: &[u8]) {
        let known = |drift: &Drift| drift.kind == kind && drift.record == table.name && drift.field == field;
        if kind == DriftKind::UnknownValue || !self.seen.iter().any(known) {
            self.insert(&Drift { kind, record: table.name, field: field.to_owned(), found: describe(found) });
        }
    }

    /// Adds a difference from another log. Returns whether it needed a new entry.
    pub fn insert(&mut self, drift: &Drift) -> bool {
        let is_new = self.seen.len() < MAX_ENTRIES && !self.seen.iter().any(|seen| seen.has_same_entry(drift));
        if is_new {
            self.seen.push(drift.clone());
        }
        is_new
    }

    /// Returns the drift that was not reported yet, and marks it as reported.
    pub fn take_unreported(&mut self) -> Vec<Drift> {
        let new = self.seen.get(self.reported..).unwrap_or_default().to_vec();
        self.reported = self.seen.len();
        new
    }
}
