//! The traits of records and of the types of their fields. The macros implement them.

use super::members::Members;
use super::{NaturalKey, Table, ValueType};
use crate::frame::Frame;
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
    /// Reads the record at a position of a frame. `None` if another record is there.
    fn from_frame(frame: &Frame, at: u32) -> Option<Self>;
    /// Reads the record from the members of a JSON object, with serde.
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
    /// Reads the value in a slot of a frame. `None` if the slot has a value of another kind.
    fn from_slot(frame: &Frame, slot: u32) -> Option<Self>;
    /// Reads a JSON value, with serde.
    ///
    /// # Errors
    /// A [`Mismatch`] if the value is of another kind or format.
    fn read(json: &str) -> Result<Self, Mismatch>;
    /// Reads the value of an ornament, with serde. A value that cannot be read is null, if the type allows null.
    ///
    /// # Errors
    /// Like [`read`](Self::read), if the type does not allow null.
    fn read_ornament(json: &str) -> Result<Self, Mismatch> {
        Self::read(json).or_else(|mismatch| Self::read("null").map_err(|_| mismatch))
    }
}

/// Reads a single field of the record at a position of a frame; see `read_field!`. The function is not called: it states the type.
pub(crate) fn read_slot<R: Record, T: Value>(frame: &Frame, at: u32, field: usize, _: fn(R) -> T) -> Option<T> {
    T::from_slot(frame, frame.get(at as usize + field))
}
