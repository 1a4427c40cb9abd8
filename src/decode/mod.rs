//! Decodes responses: JSON bytes to values. It does not know URLs or HTTP.
//!
//! - [`page`]: decodes a response while it arrives, row by row. Start here. The result is a [`Frame`] ([`mod@frame`]):
//!   the values in flat buffers, from which JavaScript builds its objects.
//! - [`record`] and `value.rs` decode one record and one value, driven by the tables of [`crate::record`].
//!   `fast_path.rs` decodes members that have the same shape as in earlier rows ([`shape_cache`]), with the helpers of
//!   `swar.rs`.
//! - [`scan`] and [`escape`] implement the JSON syntax.
//! - [`typed`]: decodes a page to Rust structs with serde, for front ends in Rust.
//! - [`cursor`]: the position of the next page (`next_page_params`).
//! - [`drift`]: how responses differ from the declarations.
//! - [`error_body`]: the messages in error responses.

mod buffer;
pub(crate) mod cursor;
mod drift;
pub(crate) mod error_body;
mod fast_path;
mod frame;
mod page;
mod record;
mod shape_cache;
pub(crate) mod typed;
mod value;

pub use crate::json::DecodeError;
pub use cursor::Cursor;
pub use drift::{Drift, DriftKind, DriftLog};
pub use frame::Frame;
pub use page::{BadRow, DecodeOptions, FramePage, Layout, PageDecoder};
pub use shape_cache::ShapeCache;
pub use typed::Page;
