//! Declarations of the operations of the service: path, parameters with their rules, type of the items, cursor keys.
//!
//! - `rest` declares the lists and lookups of addresses and of the whole chain, `rest_search`, `rest_tokens` and `rest_transactions`
//!   the others of the REST API. `actions` declares the actions of the module/action API, `graphql` the GraphQL queries.
//! - [`params`] has the types of parameters, such as [`params::Address`].
//! - `Request` is an operation with checked parameters, and builds the URL of each page.
//! - [`BaseUrl`] is the URL of an instance.
//!
//! Each declaration becomes a parameter struct in Rust, and a method with types and documentation in JavaScript
//! (`src/bin/generate`). This module builds requests. Sending them, and reading responses, is the task of
//! [`client`](crate::client).
//!
//! ```
//! use address_query::endpoint::params::{AddressSort, Direction, Order, TokenType, TokenTypes};
//! use address_query::endpoint::{AddressTokenTransfersParams, AddressesParams};
//!
//! let address = "0x00000000219ab540356cBB839Cbe05303d7705Fa".parse()?;
//! // `new` takes the required parameters, and a method of its name sets each optional one.
//! let received_nfts = AddressTokenTransfersParams::new(address)
//!     .r#type(TokenTypes(vec![TokenType::Erc721, TokenType::Erc1155]))
//!     .filter(Direction::To);
//! // Parameters without a required one implement `Default`.
//! let poorest = AddressesParams::default().sort(AddressSort::Balance).order(Order::Ascending);
//! # let _ = (received_nfts, poorest);
//! # Ok::<(), address_query::error::Error>(())
//! ```

pub(crate) mod action;
pub(crate) mod action_rules;
mod actions;
mod any_path;
pub(crate) mod base_url;
mod contract_params;
mod free_params;
mod graphql;
pub(crate) mod list;
pub(crate) mod lookup;
pub(crate) mod operation;
pub(crate) mod param_rule;
pub mod params;
pub(crate) mod query;
pub(crate) mod query_operation;
pub(crate) mod request;
mod rest;
mod rest_search;
mod rest_tokens;
mod rest_transactions;
pub(crate) mod version;

pub use action::{MAX_ROWS, RangedAction, RowsAction, ValueAction};
pub use actions::*;
pub use base_url::BaseUrl;
pub use graphql::*;
pub use list::ListParams;
pub use lookup::LookupParams;
pub use rest::*;
pub use rest_search::*;
pub use rest_tokens::*;
pub use rest_transactions::*;

pub(crate) use action::{Action, ActionKind, ActionParams, DescribedAction, RangeForm};
pub(crate) use any_path::ANY_PATH;
pub(crate) use list::{DescribedList, Keyset, List, ListVisitor};
pub(crate) use lookup::{DescribedLookup, Lookup, LookupVisitor};
pub(crate) use operation::{Operation, ParamSpec, Params};
pub(crate) use param_rule::{ParamType, ParamValue};
pub(crate) use query::Query;
pub(crate) use query_operation::QueryOperation;
pub(crate) use request::Request;

list::join_declarations! { rest, rest_search, rest_tokens, rest_transactions }

/// Finds an action by its path, or by its name, such as `txList` or, for a GraphQL operation, `graphqlBalance`.
pub(crate) fn find_action(name: &str) -> Option<&'static Action> {
    let queries = QUERIES.iter().filter_map(|query| match query {
        QueryOperation::Action(action) => Some(*action),
        QueryOperation::List(_) => None,
    });
    ACTIONS.iter().copied().chain(queries).find(|action| action.is_called(name))
}

/// Finds a list by its path, or by its name, such as `addressLogs` or, for a GraphQL operation, `graphqlTxList`.
pub(crate) fn find_list(name: &str) -> Option<&'static List> {
    // Hides the names from the compiler, which would otherwise generate code for each comparison.
    let queries = QUERIES.iter().filter_map(|query| match query {
        QueryOperation::List(list) => Some(*list),
        QueryOperation::Action(_) => None,
    });
    std::hint::black_box(LISTS).iter().copied().chain(queries).find(|list| list.is_called(name))
}

/// Finds the credits of a request by the path or the name of its operation.
#[cfg(feature = "js")]
pub(crate) fn find_credits(name: &str) -> u32 {
    let list = find_list(name).map(|list| list.credits);
    list.or_else(|| find_lookup(name).map(|lookup| lookup.credits)).unwrap_or(operation::DEFAULT_CREDITS)
}

/// Finds a lookup by its path, or by its JavaScript name, such as `transaction`.
pub(crate) fn find_lookup(name: &str) -> Option<&'static Lookup> {
    std::hint::black_box(LOOKUPS).iter().copied().find(|lookup| lookup.is_called(name))
}
