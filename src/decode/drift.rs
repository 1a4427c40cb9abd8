//! Drift: where the service sends something else than its declaration says, yet readable. Reported once per shape.

use crate::record::Table;
use crate::record::read::describe;
use crate::text::codes;

codes! {
    /// How an answer differs from the declaration.
    DriftKind {
        /// A field that the declaration does not know.
        UnknownField = "unknown_field",
        /// A value that is not among the known values of its open enum.
        UnknownValue = "unknown_value",
        /// A value outside its documented format that the service's specification allows, such as a negative amount; it is passed
        /// on as sent. Or a string with bytes that are no UTF-8 or with half a surrogate pair; U+FFFD stands in their place.
        UnexpectedValue = "unexpected_value",
        /// A number in place of a text, or the other way round, or an object inside a text.
        CoercedType = "coerced_type",
        /// A documented field that is not there; it is given out as null or as an empty list.
        MissingField = "missing_field",
    }
}

/// One difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drift {
    /// What is different.
    pub kind: DriftKind,
    /// The record it was seen in.
    pub record: &'static str,
    /// The field.
    pub field: String,
    /// What was found: a short, printable excerpt.
    pub found: String,
}

impl Drift {
    /// Unknown values of one field are different shapes; other kinds have one shape per field.
    fn is_same_shape(&self, other: &Self) -> bool {
        self.kind == other.kind
            && self.record == other.record
            && self.field == other.field
            && (self.kind != DriftKind::UnknownValue || self.found == other.found)
    }
}

/// Collects drift, each shape once.
#[derive(Debug, Default)]
pub struct DriftLog {
    seen: Vec<Drift>,
    reported: usize,
}

/// Shapes kept apart: a service that invents a new field name for every row must not fill the memory.
const MAX_SHAPES: usize = 256;

impl DriftLog {
    /// Records a difference, unless its shape is recorded already.
    #[cold]
    pub fn note(&mut self, kind: DriftKind, table: &'static Table, field: &str, found: &[u8]) {
        let known = |drift: &Drift| drift.kind == kind && drift.record == table.name && drift.field == field;
        if kind == DriftKind::UnknownValue || !self.seen.iter().any(known) {
            self.admit(&Drift { kind, record: table.name, field: field.to_owned(), found: describe(found) });
        }
    }

    /// Notes what another log has noted; true when it is new here.
    pub fn admit(&mut self, drift: &Drift) -> bool {
        let is_new = self.seen.len() < MAX_SHAPES && !self.seen.iter().any(|seen| seen.is_same_shape(drift));
        if is_new {
            self.seen.push(drift.clone());
        }
        is_new
    }

    /// All of it is new again: what was told of an answer that was refused went with it.
    pub fn begin_anew(&mut self) {
        self.reported = 0;
    }

    /// What was noted since the last call, or since it began anew.
    pub fn take_new(&mut self) -> Vec<Drift> {
        let new = self.seen.get(self.reported..).unwrap_or_default().to_vec();
        self.reported = self.seen.len();
        new
    }
}
