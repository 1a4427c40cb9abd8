//! JSON syntax: bytes to tokens, the escapes of strings, and the errors of everything that reads JSON.
//!
//! Start at [`Scanner`]. It knows no records: their declarations are in [`crate::record`].

mod error;
pub(crate) mod escape;
mod mismatch;
mod scan;
mod span;
pub(crate) mod swar;

pub use error::DecodeError;
pub(crate) use error::ScanError;
pub use mismatch::{Mismatch, excerpt};
pub(crate) use mismatch::{describe, format_index};
pub(crate) use scan::{BYTE_ORDER_MARK, RawString, Scanner};
pub(crate) use span::{EXPECTED_DEPTH, JsonSpan, is_too_deep, parse_object};
