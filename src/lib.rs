//! Reads blockchain addresses from the address query service (the Blockscout API): every list checked, paged and resumable.
//!
//! The crate is the core of the npm package of the same name, and serves Rust front ends as it is. Start with
//! [`client::Client`]; its [`client::Runtime`] is `browser::Browser` in a web page.
//!
//! | module | one job |
//! |---|---|
//! | `text` | texts put together and taken apart |
//! | [`error`] | the one error type |
//! | [`record`] | the declaration language: what a record, field and value are |
//! | [`types`] | what the service returns: declarations only |
//! | [`decode`] | bytes and table to values; cursors; error bodies |
//! | [`endpoint`] | the operations, declared once; parameters; URLs |
//! | [`client`] | pages one after the other; deadlines; status; resume tokens |
//! | `browser` | network and time of a browser |
//! | `js` | the boundary to JavaScript; feature `js`, for the npm package only |

pub mod client;
pub mod decode;
pub mod endpoint;
pub mod error;
pub mod record;
mod text;
pub mod types;

#[cfg(target_arch = "wasm32")]
pub mod browser;
#[cfg(all(target_arch = "wasm32", feature = "js"))]
pub mod js;
