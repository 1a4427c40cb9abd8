//! Drift: differences between responses and the declarations that the decoder tolerates. Each shape is reported once.
//!
//! A *shape* is a kind of drift in one field of one record; for unknown values also the value.

use crate::record::Table;
use crate::record::read::describe;
use crate::strings::string_enum;

string_enum! {
    /// How a response differs from the declaration.
    DriftKind {
        /// A field that is not declared.
        UnknownField = "unknown_field",
        /// A value that is not among the known values of its open enum. It is passed on as sent.
        UnknownValue = "unknown_value",
        /// A value outside its documented format that the service's specification allows, such as a negative amount. It is passed
        /// on as sent. Also a string with invalid UTF-8 or an unpaired surrogate, which is replaced by U+FFFD.
        UnexpectedValue = "unexpected_value",
        /// A number instead of a string, a string instead of a number, or an object inside a string. It is converted.
        CoercedType = "coerced_type",
        /// A documented field that is missing. It becomes null or an empty list.
        MissingField = "missing_field",
    }
}

/// One difference between a response and its declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drift {
    /// The kind of difference.
    pub kind: DriftKind,
    /// The name of the record.
    pub record: &'static str,
    /// The name of the field.
    pub field: String,
    /// A short, printable excerpt of what was found. For a missing field: "nothing".
    pub found: String,
}

impl Drift {
    /// Each unknown value of a field is a shape. Other kinds have one shape per field.
    fn is_same_shape(&self, other: &Self) -> bool {
        self.kind == other.kind
            && self.record == other.record
            && self.field == other.field
            && (self.kind != DriftKind::UnknownValue || self.found == other.found)
    }
}

/// Collects drift, one entry per shape.
#[derive(Debug, Default)]
pub struct DriftLog {
    seen: Vec<Drift>,
    reported: usize,
}

/// Maximum number of shapes, so that a service with a new field name in every row cannot fill the memory.
const MAX_SHAPES: usize = 256;

impl DriftLog {
    /// Adds a difference, unless its shape is already in the log.
    #[cold]
    pub fn add(&mut self, kind: DriftKind, table: &'static Table, field: &str, found: &[u8]) {
        let known = |drift: &Drift| drift.kind == kind && drift.record == table.name && drift.field == field;
        if kind == DriftKind::UnknownValue || !self.seen.iter().any(known) {
            self.insert(&Drift { kind, record: table.name, field: field.to_owned(), found: describe(found) });
        }
    }

    /// Adds a difference from another log. Returns whether its shape is new.
    pub fn insert(&mut self, drift: &Drift) -> bool {
        let is_new = self.seen.len() < MAX_SHAPES && !self.seen.iter().any(|seen| seen.is_same_shape(drift));
        if is_new {
            self.seen.push(drift.clone());
        }
        is_new
    }

    /// Marks all drift as unreported: reports about a response that was discarded were discarded with it.
    pub fn mark_unreported(&mut self) {
        self.reported = 0;
    }

    /// Returns the drift that was not reported yet, and marks it as reported.
    pub fn take_unreported(&mut self) -> Vec<Drift> {
        let new = self.seen.get(self.reported..).unwrap_or_default().to_vec();
        self.reported = self.seen.len();
        new
    }
}
