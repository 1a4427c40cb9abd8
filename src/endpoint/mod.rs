//! The service's operations, declared once: path, parameters and their rules, what the items are, how the list goes on.
//! From a declaration come the Rust parameters, the URL, and, by the generator, the JavaScript method, its types and its
//! docs. Never sees a status code.

pub mod account;
pub mod action;
pub mod base_url;
pub mod operation;
pub mod params;
pub mod request;
pub mod rest;

pub use account::*;
pub use action::{Action, ActionParams, DescribedAction, RowsAction, ValueAction, WINDOW};
pub use base_url::BaseUrl;
pub use operation::{Operation, ParamSpec, Params};
pub use params::{Param, ParamValue};
pub use request::Request;
pub use rest::*;

use std::ops::Deref;

use crate::record::{Record, Table, Value};

/// A list of the REST interface, as data.
#[derive(Debug)]
pub struct List {
    /// How it is asked for.
    pub operation: Operation,
    /// The items.
    pub item: &'static Table,
    /// What a page says beside its items.
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
    /// The list's items.
    type Item: Record + Value;
    /// What a page says beside its items.
    type Envelope: Record;
    /// The list as data.
    const LIST: &'static List;
}

/// A list as the generator sees it.
#[derive(Debug, Clone, Copy)]
pub struct DescribedList {
    /// The Rust name of the parameters.
    pub params_name: &'static str,
    /// The list as data.
    pub list: &'static List,
    /// What the list is, then what each parameter does.
    pub docs: (&'static str, &'static [&'static str]),
    /// The TypeScript type of each parameter.
    pub types: &'static [&'static str],
    /// The cursor's documented keys with their TypeScript types.
    pub cursor: &'static [(&'static str, &'static str)],
}

/// Declares lists. Per list: what it is, the Rust name of its parameters, the JavaScript method, the path, the items, what
/// a page says beside them; parameters that must and that may be given; the cursor's keys.
macro_rules! lists {
    ($(
        $(#[doc = $doc:expr])*
        $name:ident $method:literal $path:literal => $item:ident, $envelope:ident {
            $( required { $( $(#[doc = $required_doc:expr])* $required:ident: $required_type:ty ),* $(,)? } )?
            $( optional { $( $(#[doc = $optional_doc:expr])* $optional:ident $(= $json:literal)?: $optional_type:ty ),* $(,)? } )?
            $( together { $( $pair:literal: $default:literal ),* $(,)? } )?
            cursor { $( $key:ident: $key_type:literal ),* $(,)? }
        }
    )*) => {
        $(
            $crate::endpoint::operation::params! {
                $(#[doc = $doc])*
                $name
                required { $( $( $(#[doc = $required_doc])* $required: $required_type, )* )? }
                optional { $( $( $(#[doc = $optional_doc])* $optional $(= $json)?: $optional_type, )* )? }
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
                            together: &[$( $( ($pair, $default) ),* )?],
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

        /// Every list with its docs, for the generator.
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

/// The action with this JavaScript name.
#[must_use]
pub fn action_named(name: &str) -> Option<&'static Action> {
    ACTIONS.iter().copied().find(|action| action.name == name)
}

/// The list with this JavaScript name.
#[must_use]
pub fn list_named(name: &str) -> Option<&'static List> {
    // Known to the compiler, they would be compared one by one, each in code of its own.
    std::hint::black_box(LISTS).iter().copied().find(|list| list.name == name)
}
