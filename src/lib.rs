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
//! [a page without a framework](guide::web_page), [Leptos, Yew and Dioxus](guide::frameworks), and [tests](guide::testing).
//!
//! # Calls
//!
//! | to read | call |
//! |---|---|
//! | one page of a list | [`client.page(&params)`](client::Client::page) |
//! | a list, page by page or record by record | [`client.pages(&params)`](client::Client::pages), with [`with_page_size`](client::ListPages::with_page_size), [`with_concurrency`](client::ListPages::with_concurrency), [`into_records`](client::ListPages::into_records) |
//! | a single record | [`client.lookup(&params)`](client::Client::lookup) |
//! | an action of the account module | [`client.rows(&params)`](client::Client::rows), [`client.value(&params)`](client::Client::value) |
//! | more than 10,000 rows | [`client.all_rows(&params)`](client::Client::all_rows); its [`report`](client::RangeBatches::report) says whether rows are missing |
//! | the native balances of any number of addresses | [`client.balances(&addresses, None)`](client::Client::balances) |
//! | the same by GraphQL | [`client.graphql_balances(&addresses)`](client::Client::graphql_balances), and parameters such as [`endpoint::GraphqlTxListParams`] |
//! | the rest after an error | [`client.resume_pages(&params, &token)`](client::Client::resume_pages), [`client.resume_all_rows(&params, &token)`](client::Client::resume_all_rows) |
//! | any other path of the service | [`client.request(path, params)`](client::Client::request) |
//! | the version of the instance, and how much of the chain it has indexed | [`client.instance()`](client::Client::instance) |
//! | the credits that were spent at the gateway | [`client.credits()`](client::Client::credits); [`max_credits`](client::ClientOptions::max_credits) stops before more are spent |
//!
//! [`client::ClientOptions`] has limits, retries, callbacks and the API key. To change an option for one call, clone the client.
//! Dropping a future cancels its request. [`error.is_retryable()`](error::Error::is_retryable) says whether trying again can help.
//!
//! # Only in the npm package
//!
//! Histories, audits, exports, approvals, estimates, names, conversions of amounts, the list of chains, the proxy and the sample
//! service are written in TypeScript, and are not in the crate. The crate also sends single `balance` calls one by one, fetches no page
//! ahead unless `with_concurrency` says so, and shares no rate limit with other tabs.
//!
//! # Modules
//!
//! A module uses only the modules above it. `client`, `endpoint`, `types`, `error` and `browser` are public.
//!
//! | module | contents |
//! |---|---|
//! | `strings`, `object`, [`error`] | small string helpers; the macro that declares reports, events and other objects; the error type |
//! | `json` | JSON syntax: the scanner, escapes, mismatches |
//! | `frame` | the buffers into which responses are decoded |
//! | `record` | the macro that declares records: kinds, formats, tables; reading from frames, and with serde |
//! | `builder` | the methods that set a field of parameters and options |
//! | [`types`] | the records that the service returns |
//! | `decode` | the decoder: bytes and tables to frames; cursors; drift; error bodies |
//! | [`endpoint`] | the operations and their parameters; URLs |
//! | [`client`] | pages, block ranges, retries, rate limiter, deadlines, API key, resume tokens |
//! | `browser` | HTTP, time and random numbers in a browser; only on `wasm32` |
//! | `js` | the boundary to JavaScript; only with the feature `js`, for the npm package |

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
