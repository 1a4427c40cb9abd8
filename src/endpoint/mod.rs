//! Declarations of the operations of the service: path, parameters with their rules, type of the items, cursor keys.
//!
//! - `declarations` declares every operation except the GET of any path (`any_path`), with the macro in `declare`.
//!   `operation` has a declaration as data, [`response`] the kinds of responses.
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
//! // `new` takes the required parameters. Each optional one has a setter of the same name.
//! let received_nfts = AddressTokenTransfersParams::new(address)
//!     .r#type(TokenTypes(vec![TokenType::Erc721, TokenType::Erc1155]))
//!     .filter(Direction::To);
//! // Structs without required parameters implement `Default`.
//! let poorest = AddressesParams::default().sort(AddressSort::Balance).order(Order::Ascending);
//! # let _ = (received_nfts, poorest);
//! # Ok::<(), address_query::error::Error>(())
//! ```

pub(crate) mod action_rules;
mod any_path;
pub(crate) mod base_url;
mod declarations;
pub(crate) mod declare;
pub(crate) mod operation;
pub mod params;
pub(crate) mod query;
pub(crate) mod request;
pub mod response;
pub(crate) mod version;

pub use base_url::BaseUrl;
pub use declarations::*;
pub use operation::{ListParams, LookupParams, RangedAction, RowsAction, ValueAction};
pub use response::MAX_ROWS;

pub(crate) use any_path::ANY_PATH;
pub(crate) use operation::{DescribedOperation, Keyset, Operation, OperationVisitor, ParamSpec, Params};
pub(crate) use params::rule::{ParamType, ParamValue};
pub(crate) use query::Query;
pub(crate) use request::Request;
pub(crate) use response::{RangeForm, ResponseKind};
