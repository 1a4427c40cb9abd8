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
//! 4. Show [`error::Error::message`](error::Details::message), and decide by [`error::ErrorCode`] what to offer next.
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
//!     let params = AddressTokenTransfersParams::new(address.parse()?).filter(Direction::To);
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
//! The [`guide`] has a page per task: [first rows](guide::first_rows), [all records of a list](guide::all_records),
//! [more than 10,000 rows](guide::long_ranges), [invalid records](guide::bad_records),
//! [retries and rate limits](guide::retries_and_rate_limits), [resuming](guide::resume),
//! [Leptos, Yew and Dioxus](guide::frameworks), and [tests](guide::testing).
//!
//! | module | contents |
//! |---|---|
//! | `browser` | HTTP, time and random numbers in a browser (only on `wasm32`) |
//! | [`client`] | requests, retries, rate limits, caching, pagination, block ranges, resume tokens |
//! | [`endpoint`] | the operations and their parameters |
//! | [`error`] | the error type, [`error::Error`] |
//! | [`types`] | the records that the service returns, and the types of their fields |
//!
//! Everything else is private: `strings` (string helpers), `builder` (methods that set fields), `json` (JSON syntax), `object` (the macro that
//! declares the objects that JavaScript receives beside records), `frame` (the buffers into which responses are decoded),
//! `record` (the macro that declares records), `decode` (the decoder), and `js` (the boundary to JavaScript, only with the feature `js`, for the npm package).

#[cfg(target_arch = "wasm32")]
pub mod browser;
mod builder;
pub mod client;
mod decode;
pub mod endpoint;
pub mod error;
mod frame;
#[cfg(any(doc, doctest))]
pub mod guide;
mod json;
mod object;
mod record;
mod strings;
#[doc(hidden)]
pub mod testing;
pub mod types;

#[cfg(all(target_arch = "wasm32", feature = "js"))]
pub mod js;
