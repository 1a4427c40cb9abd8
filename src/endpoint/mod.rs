//! Declarations of the operations of the service: path, parameters with their rules, type of the items, cursor keys.
//!
//! - [`rest`] declares the lists and lookups of the REST API, [`actions`] the actions of the module/action API.
//! - [`params`] has the types of parameters, such as [`params::Address`].
//! - [`Request`] is an operation with checked parameters, and builds the URL of each page.
//! - [`BaseUrl`] is the URL of an instance.
//!
//! Each declaration becomes a parameter struct in Rust, and a method with types and documentation in JavaScript
//! (`src/bin/generate`). This module builds requests. Sending them, and reading responses, is the task of
//! [`client`](crate::client).
//!
//! ```
//! use address_query::endpoint::params::{Direction, TokenType, TokenTypes};
//! use address_query::endpoint::{AddressTokenTransfersParams, AddressesParams};
//!
//! let address = "0x00000000219ab540356cBB839Cbe05303d7705Fa".parse()?;
//! // Required parameters by `new`, optional ones with struct update syntax.
//! let received_nfts = AddressTokenTransfersParams {
//!     r#type: Some(TokenTypes(vec![TokenType::Erc721, TokenType::Erc1155])),
//!     filter: Some(Direction::To),
//!     ..AddressTokenTransfersParams::new(address)
//! };
//! // Parameters without a required one implement `Default`.
//! let richest = AddressesParams::default();
//! # let _ = (received_nfts, richest);
//! # Ok::<(), address_query::error::Error>(())
//! ```

pub mod action;
pub mod actions;
pub mod base_url;
mod list;
mod lookup;
pub mod operation;
pub mod params;
pub mod request;
pub mod rest;

pub use action::{Action, ActionKind, ActionParams, DescribedAction, MAX_ROWS, RangedAction, RowsAction, ValueAction};
pub use actions::*;
pub use base_url::BaseUrl;
pub use list::{DescribedList, List, ListParams, ListVisitor};
pub use lookup::{DescribedLookup, Lookup, LookupParams, LookupVisitor};
pub use operation::{Operation, ParamSpec, Params};
pub use params::{ParamType, ParamValue};
pub use request::Request;
pub use rest::*;

/// Finds an action by its JavaScript name, such as `txList`.
#[must_use]
pub fn find_action(name: &str) -> Option<&'static Action> {
    ACTIONS.iter().copied().find(|action| action.name == name)
}

/// Finds a list by its JavaScript name, such as `addressLogs`.
#[must_use]
pub fn find_list(name: &str) -> Option<&'static List> {
    // Hides the names from the compiler, which would otherwise generate code for each comparison.
    std::hint::black_box(LISTS).iter().copied().find(|list| list.name == name)
}

/// Finds a lookup by its JavaScript name, such as `transaction`.
#[must_use]
pub fn find_lookup(name: &str) -> Option<&'static Lookup> {
    std::hint::black_box(LOOKUPS).iter().copied().find(|lookup| lookup.name == name)
}
