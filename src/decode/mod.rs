//! From bytes to values: the table-driven decoder behind the JavaScript objects, the typed pages of Rust front ends,
//! cursors and error bodies. Never sees a URL.

mod buffer;
pub mod cursor;
pub mod drift;
pub mod error_body;
pub mod escape;
mod fail;
pub mod frame;
pub mod memory;
pub mod page;
mod quick;
pub mod record;
pub mod scan;
pub mod typed;
mod value;
mod words;

pub use cursor::Cursor;
pub use drift::{Drift, DriftKind};
pub use fail::{Fail, Stopped};
pub use frame::Frame;
pub use page::{BadRow, Experience, FramePage, Layout, Leniency, PageDecoder};
pub use typed::Page;
