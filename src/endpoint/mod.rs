//! Declarations of the operations of the service: path, parameters with their rules, type of the items, cursor keys.
//!
//! - `declarations` has every operation but the GET of any path (`any_path`). `list`, `lookup`, `action` and `query_operation` are
//!   their kinds, each with the macro that declares it.
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
mod any_path;
pub(crate) mod base_url;
mod declarations;
pub(crate) mod list;
pub(crate) mod lookup;
pub(crate) mod operation;
pub mod params;
pub(crate) mod query;
pub(crate) mod query_operation;
pub(crate) mod request;
pub(crate) mod version;

pub use action::{MAX_ROWS, RangedAction, RowsAction, ValueAction};
pub use base_url::BaseUrl;
pub use declarations::*;
pub use list::ListParams;
pub use lookup::LookupParams;

pub(crate) use action::{Action, ActionKind, ActionParams, DescribedAction, RangeForm};
pub(crate) use any_path::ANY_PATH;
pub(crate) use list::{DescribedList, Keyset, List, ListVisitor};
pub(crate) use lookup::{DescribedLookup, Lookup, LookupVisitor};
pub(crate) use operation::{Operation, ParamSpec, Params};
pub(crate) use params::rule::{ParamType, ParamValue};
pub(crate) use query::Query;
pub(crate) use request::Request;
