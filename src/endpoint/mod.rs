//! Declarations of the operations of the service: path, parameters with their rules, type of the items, cursor keys.
//!
//! - [`rest`] declares the lists of the REST API, [`account`] the actions of the module/action API.
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

pub mod account;
pub mod action;
pub mod base_url;
pub mod operation;
pub mod params;
pub mod request;
pub mod rest;

pub use account::*;
pub use action::{Action, ActionParams, DescribedAction, MAX_ROWS, RowsAction, ValueAction};
pub use base_url::BaseUrl;
pub use operation::{Operation, ParamSpec, Params};
pub use params::{ParamType, ParamValue};
pub use request::Request;
pub use rest::*;

use std::ops::Deref;

use crate::record::{Record, Table, Value};

/// The declaration of a list of the REST API, as data.
#[derive(Debug)]
pub struct List {
    /// Name, path and parameters.
    pub operation: Operation,
    /// The record of an item.
    pub item: &'static Table,
    /// The record of the other members of a page.
    pub envelope: &'static Table,
}

impl Deref for List {
    type Target = Operation;
    fn deref(&self) -> &Operation {
        &self.operation
    }
}

/// The parameters of a list.
pub trait ListParams: Params {
    /// One item.
    type Item: Record + Value;
    /// The other members of a page.
    type Envelope: Record;
    /// The list that takes these parameters.
    const LIST: &'static List;
}

/// A list with its documentation and TypeScript types, for the generator of the npm package.
#[derive(Debug, Clone, Copy)]
pub struct DescribedList {
    /// Name of the parameter struct in Rust.
    pub params_name: &'static str,
    /// The list.
    pub list: &'static List,
    /// Documentation of the list, and of each parameter.
    pub docs: (&'static str, &'static [&'static str]),
    /// TypeScript type of each parameter.
    pub types: &'static [&'static str],
    /// The documented keys of the cursor with their TypeScript types.
    pub cursor: &'static [(&'static str, &'static str)],
}

/// Declares lists.
///
/// ```text
/// lists! {
///     /// Contents and order of the list.
///     AddressesParams "addresses" "/addresses" => AddressListItem, Addresses {  // struct, name, path => item, envelope
///         required { /** Documentation. */ address_hash: Address }
///         optional { /** Documentation. */ sort: AddressSort, order: Order }
///         paired_defaults { "sort": "balance", "order": "desc" }                 // see Operation::paired_defaults
///         cursor { hash: "string" }                                             // key: TypeScript type
///     }
/// }
/// ```
macro_rules! lists {
    ($(
        $(#[doc = $doc:expr])*
        $name:ident $method:literal $path:literal => $item:ident, $envelope:ident {
            $( required { $( $(#[doc = $required_doc:expr])* $required:ident: $required_type:ty ),* $(,)? } )?
            $( optional { $( $(#[doc = $optional_doc:expr])* $optional:ident: $optional_type:ty ),* $(,)? } )?
            $( paired_defaults { $( $pair:literal: $default:literal ),* $(,)? } )?
            cursor { $( $key:ident: $key_type:literal ),* $(,)? }
        }
    )*) => {
        $(
            $crate::endpoint::operation::params! {
                $(#[doc = $doc])*
                $name $method
                required { $( $( $(#[doc = $required_doc])* $required: $required_type, )* )? }
                optional { $( $( $(#[doc = $optional_doc])* $optional: $optional_type, )* )? }
            }

            impl $crate::endpoint::ListParams for $name {
                type Item = $crate::types::$item;
                type Envelope = $crate::types::$envelope;
                const LIST: &'static $crate::endpoint::List = {
                    static LIST: $crate::endpoint::List = $crate::endpoint::List {
                        operation: $crate::endpoint::Operation {
                            name: $method,
                            path: concat!("/api/v2", $path),
                            params: <$name as $crate::endpoint::Params>::SPECS,
                            paired_defaults: &[$( $( ($pair, $default) ),* )?],
                            rules: &[],
                        },
                        item: <$crate::types::$item as $crate::record::Record>::TABLE,
                        envelope: <$crate::types::$envelope as $crate::record::Record>::TABLE,
                    };
                    &LIST
                };
            }
        )*

        /// Every list.
        pub static LISTS: &[&$crate::endpoint::List] = &[$( <$name as $crate::endpoint::ListParams>::LIST ),*];

        /// Every list with its documentation, for the generator.
        pub const DESCRIBED_LISTS: &[$crate::endpoint::DescribedList] = &[$( $crate::endpoint::DescribedList {
            params_name: stringify!($name),
            list: <$name as $crate::endpoint::ListParams>::LIST,
            docs: <$name as $crate::endpoint::Params>::DOCS,
            types: <$name as $crate::endpoint::Params>::TYPES,
            cursor: &[$( (stringify!($key), $key_type) ),*],
        } ),*];
    };
}

pub(crate) use lists;

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
