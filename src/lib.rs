//! A client for the Blockscout API in the browser. It reads lists, actions and balances of blockchain addresses, and validates
//! every record.
//!
//! *Lists* are the paginated endpoints of the REST API, and *lookups* those that return a single record. *Actions* are the
//! endpoints of the Etherscan-compatible module/action API.
//! An *instance* is a deployment of Blockscout; the *service* is its API.
//!
//! This crate is the core of the npm package of the same name. Front ends in Rust use it directly:
//!
//! 1. Create a [`client::Client`] with the URL of an instance and a [`client::Runtime`] (in a web page, `browser::Browser`).
//! 2. Create the parameters of an operation ([`endpoint`]), such as [`endpoint::AddressTokenTransfersParams`].
//! 3. Read a page with [`Client::page`](client::Client::page), or iterate over the pages with
//!    [`Client::pages`](client::Client::pages). The items are records such as [`types::TokenTransfer`].
//!
//! ```no_run
//! use address_query::client::{Client, Runtime};
//! use address_query::endpoint::AddressTokenTransfersParams;
//! use address_query::endpoint::params::Direction;
//! use address_query::error::Error;
//!
//! /// Prints the token transfers to an address, newest first.
//! async fn print_received(runtime: impl Runtime, address: &str) -> Result<(), Error> {
//!     let client = Client::new(runtime, "https://eth.blockscout.com".parse()?);
//!     let params = AddressTokenTransfersParams {
//!         filter: Some(Direction::To),
//!         ..AddressTokenTransfersParams::new(address.parse()?)
//!     };
//!     let mut pager = client.pages(&params)?;
//!     while let Some(page) = pager.next().await? {
//!         for transfer in page.items {
//!             println!("{:?} from {}", transfer.timestamp, transfer.from.hash);
//!         }
//!     }
//!     Ok(())
//! }
//! ```
//!
//! Each module uses only itself and the modules above it:
//!
//! | module | contents |
//! |---|---|
//! | `strings` | small string helpers that avoid `core::fmt` |
//! | [`error`] | the error type, [`error::Error`] |
//! | `json` | JSON syntax: the scanner, escapes, mismatches |
//! | [`record`] | the macro that declares records, and the types of their fields |
//! | [`types`] | the records that the service returns |
//! | [`decode`] | the decoder: JSON to records, or to frames (the form that JavaScript reads); cursors; error bodies |
//! | [`endpoint`] | the operations, their parameters and their URLs |
//! | [`client`] | requests, retries, rate limits, caching, pagination, block ranges, resume tokens |
//! | `browser` | HTTP, time and random numbers in a browser (only on `wasm32`) |
//! | `js` | the boundary to JavaScript (only with the feature `js`, for the npm package) |

pub mod client;
pub mod decode;
pub mod endpoint;
pub mod error;
mod json;
pub mod record;
mod strings;
pub mod types;

/// What only the tests, the benchmark and the programs of this repository use. It is public because they are crates of their
/// own, but not part of the public API: it may change in every release.
#[doc(hidden)]
pub mod testing {
    pub use crate::decode::cursor::parse_cursor;
    pub use crate::decode::error_body::{error_message, is_markup, refusal_message};
    pub use crate::decode::typed::{read_frame_row, read_record, read_rows};
    pub use crate::json::excerpt;
    pub use crate::record::normalize_document;
}

#[cfg(target_arch = "wasm32")]
pub mod browser;
#[cfg(all(target_arch = "wasm32", feature = "js"))]
pub mod js;
