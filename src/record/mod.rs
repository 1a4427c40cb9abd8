//! Declarations of records: the macro `record!`, the types of fields, and the [`Table`] of each record.
//!
//! A record is an object of the API, such as a token transfer. It is declared once, in [`crate::types`]. From that
//! declaration come:
//!
//! - the Rust struct, its reading from a [`Frame`](crate::frame::Frame), and its `Serialize` and `Deserialize` (`read.rs`);
//! - the [`Table`] that drives the decoder ([`crate::decode`]);
//! - through the generator (`src/bin/generate`): the JavaScript constructor, the TypeScript interface and the
//!   documentation.
//!
//! Start at [`Record`], [`Table`] and [`Kind`]. The formats of strings are in `format.rs`. The differences between
//! service versions that both readers absorb are in `coercion.rs`.

mod coercion;
pub(crate) mod field_types;
mod flattened;
mod format;
mod macros;
mod members;
mod names;
mod natural_key;
mod number;
pub(crate) mod read;
mod table;
mod timestamp;
mod traits;
mod validation;
mod variants;

pub use crate::json::Mismatch;
pub(crate) use coercion::{Scalar, starts_number};
pub use field_types::*;
pub(crate) use flattened::FlattenedMember;
pub use format::Format;
pub(crate) use macros::{name, read_field, record};
pub use members::Members;
pub use members::normalize_document;
pub use names::field_index;
pub(crate) use names::{MAX_FIELDS, MAX_NAMES, check_names, find_derived_field, find_name};
pub use natural_key::NaturalKey;
pub(crate) use number::{MAX_DIGITS, parse_safe_integer, to_plain_decimal};
pub(crate) use table::check_fields;
pub use table::{Field, FieldName, Flattened, Kind, Table, ValueType};
pub(crate) use timestamp::{days_since_epoch, is_valid_date_time, parse_unix_seconds};
pub(crate) use traits::read_slot;
pub use traits::{Record, Value};
pub(crate) use validation::Validation;
pub(crate) use variants::EXPECTED_BY_KIND;
pub use variants::Variants;
