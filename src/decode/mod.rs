//! Decodes responses: JSON bytes to values. It does not know URLs or HTTP.
//!
//! - `page.rs`: [`FrameDecoder`] decodes responses one after the other while they arrive, row by row. Start here. The result is a
//!   [`Frame`](crate::frame::Frame): the values in flat buffers, from which JavaScript builds its objects and Rust its structs. Its parts:
//!   `document.rs` (envelope, rows, and what is read next) and `cursor.rs`. It keeps the shape cache of a layout for the next page.
//! - `record.rs`, `value.rs` and `finish.rs` decode one record, driven by the tables of [`crate::record`]. The members
//!   are expected in the order of earlier rows (`shape_cache.rs`), and their values in the usual form
//!   (`fast_path.rs`).
//! - `omitted.rs`: the records that failed validation and were omitted.
//! - `drift.rs`: how responses differ from the declarations.
//! - `error_body.rs`: the messages in error responses.
//! - `query_response.rs`: responses of GraphQL queries, converted for the decoder.

pub(crate) mod cursor;
mod document;
mod drift;
pub(crate) mod error_body;
mod fast_path;
mod finish;
mod layout;
pub(crate) mod omitted;
mod page;
mod query_response;
mod record;
mod shape_cache;
mod value;

pub use crate::json::DecodeError;
pub use cursor::Cursor;
pub use drift::{Drift, DriftKind, DriftLog};
pub use layout::{DecodeOptions, Layout};
pub(crate) use omitted::find_block_field;
pub use omitted::{BadRecord, Omitted, OmittedPlace};
pub(crate) use page::DecoderStatePool;
pub use page::{BatchSink, FrameDecoder, FramePage};
pub use query_response::{QueryFailure, QueryKind, QueryLayout, convert_response};
