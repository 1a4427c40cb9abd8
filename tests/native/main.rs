//! What the crate promises, tested natively: declarations, both readings of them, layers.
// `wasm-pack test` builds every test, and not every crate used here.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]
#![allow(missing_docs, unreachable_pub)]

mod account;
mod agreement;
mod client;
mod cursors;
mod documents;
mod errors;
mod fixtures;
mod layers;
mod limits;
mod range;
mod readings;
mod readme;
#[path = "support/runtime.rs"]
mod runtime;
mod soak;
mod support;
mod tables;
mod throttling;
