//! The traits of records and of the types of their fields. The macros implement them.

use super::members::Members;
use super::{NaturalKey, Table, ValueType};
use crate::json::Mismatch;

/// A record. Implemented by `record!`.
pub trait Record: Sized + 'static {
    /// The declaration, as data.
    const TABLE: &'static Table;
    /// The names of the fields in Rust. Used at compile time only.
    const RUST_NAMES: &'static [&'static str];
    /// The documentation of the record, and of each field. Separate from the table, so that WebAssembly does not
    /// contain it.
    const DOCS: (&'static str, &'static [&'static str]);
    /// The natural key. `None` for records that are only parts of others.
    const KEY: Option<NaturalKey>;
    /// The TypeScript type of each field.
    fn typescript_fields() -> Vec<String>;
    /// Reads the record from the members of a JSON object.
    ///
    /// # Errors
    /// The first invalid member, with its path.
    fn from_members(members: &Members<'_>) -> Result<Self, Mismatch>;
}

/// A type that a field can have.
pub trait Value: Sized {
    /// The type, as data.
    const TYPE: ValueType;
    /// The TypeScript type.
    fn typescript() -> String;
    /// Reads a JSON value.
    ///
    /// # Errors
    /// A [`Mismatch`] if the value is of another kind or format.
    fn read(json: &str) -> Result<Self, Mismatch>;
}
