//! The native tests: the declarations, the decoder and the client, without a browser.
//!
//! `support` has the lists under test and decodes responses, `test_runtime` a mock network with virtual time.
// `wasm-pack test` builds every test target, but some crates used here do not compile to WebAssembly.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]
#![allow(missing_docs, unreachable_pub)]

mod account;
mod agreement;
mod client;
mod conformance;
mod cursors;
mod declarations;
mod decoder_comparison;
mod decoding;
mod diagnostics;
mod documents;
mod drift;
mod error_bodies;
mod fixtures;
mod graphql;
mod hostile_values;
mod limits;
mod lists;
mod ornaments;
mod range;
mod rust_examples;
mod serde_reader;
mod service;
mod soak;
mod streams;
mod support;
mod test_runtime;
mod throttling;
