//! The types of request parameters. Each has a rule for accepted values, a canonical form in the URL and a TypeScript
//! type.
//!
//! Each declares its rule with `ParamType`, which is checked before a request is sent.

mod choices;
mod hex;
mod numbers;
pub(crate) mod rule;
mod text;

pub use choices::*;
pub use hex::*;
pub use numbers::*;
pub use text::*;
