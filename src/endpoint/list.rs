//! [`List`]: a list of the REST API (`/api/v2`), and the macro that declares lists. The declarations are in
//! [`declarations`](super::declarations).

use std::ops::Deref;

use serde::Serialize;

use super::operation::{Operation, Params};
use crate::decode::Layout;
use crate::record::{Record, Value};

/// The declaration of a list of the REST API, as data.
#[derive(Debug)]
pub struct List {
    /// Name, path and parameters.
    pub operation: Operation,
    /// The layout of a page.
    pub layout: Layout,
    /// The default order, if pages can be requested from any position in it.
    pub keyset: Option<Keyset>,
}

/// The order of a list whose cursor holds only the position of the last item in that order, newest first. The service accepts
/// the position of any item, whether that item exists or not, so several parts of the list can be read at the same time.
///
/// A list has none if the order is another one, or if the items of a page depend on where the page begins.
#[derive(Debug, Clone, Copy)]
pub struct Keyset {
    /// The index of the field of an item with an integer that is not higher than in the item before, such as the number of its
    /// block. Null comes first.
    pub field: usize,
    /// The keys of the cursor for the order: the integer, and then the positions of items with the same one.
    pub keys: &'static [&'static str],
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
    #[doc(hidden)]
    const LIST: &'static List;
}

/// Visits the parameter types of lists, for code that is generic over the types of a list. See
/// `visit_lists`.
pub trait ListVisitor {
    /// Visits the parameters of a list.
    fn visit<P: ListParams<Item: Serialize, Envelope: Serialize>>(&mut self);
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
    /// The documented keys of the cursor with their TypeScript types. Empty for a list of one page.
    pub cursor: &'static [(&'static str, &'static str)],
}

/// Declares lists.
///
/// ```text
/// lists! {
///     /// Contents and order of the list.
///     AddressesParams "addresses" "/addresses" => AddressListItem, Addresses, uncached { // struct, name, path => item, envelope
///         required { /** Documentation. */ address_hash: Address }
///         optional { /** Documentation. */ sort: AddressSort, order: Order }
///         paired_defaults { "sort": "balance", "order": "desc" }                 // see Operation::paired_defaults
///         cursor { hash: "string" }                                             // key: TypeScript type; see below
///         keyset height { block_number }                                        // field of an item, keys; see Keyset
///         rules [ check_period ]                                                // see Operation::rules
///     }
/// }
/// ```
///
/// `uncached` is optional; see [`Operation::is_cacheable`]. So is `or array` after the envelope; see
/// [`Layout::accepts_array`]. A list of one page has no `cursor`. `cursor fixed` declares that no request can choose the size of a
/// page, otherwise the keys say how ([`PageSizing`](super::operation::PageSizing)). `since "9.1.0"` after the path or after the name
/// of an optional parameter names the first backend version that has it. `costs 30` before the `=>` states [`Operation::credits`].
macro_rules! lists {
    ($(
        $(#[doc = $doc:expr])*
        $name:ident $method:literal $path:literal $(since $since:literal)? $(costs $credits:literal)?
            => $item:ident, $envelope:ident $(or $array:ident)? $(, $attribute:ident)? {
            $( required { $( $(#[doc = $required_doc:expr])* $required:ident: $required_type:ty ),* $(,)? } )?
            $( optional { $( $(#[doc = $optional_doc:expr])* $optional:ident $(since $optional_since:literal)?: $optional_type:ty ),* $(,)? } )?
            $( paired_defaults { $( $pair:literal: $default:literal ),* $(,)? } )?
            $( cursor $($sizing:ident)? { $( $key:ident: $key_type:literal ),* $(,)? } )?
            $( keyset $field:ident { $( $position:ident ),* } )?
            $( rules [ $( $rule:path ),* ] )?
        }
    )*) => {
        $(
            $crate::endpoint::operation::params! {
                $(#[doc = $doc])*
                $name $method $(since $since)?
                required { $( $( $(#[doc = $required_doc])* $required: $required_type, )* )? }
                optional { $( $( $(#[doc = $optional_doc])* $optional $(since $optional_since)?: $optional_type, )* )? }
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
                            rules: &[$( $( $rule ),* )?],
                            is_cacheable: $crate::endpoint::operation::is_cacheable!($($attribute)?),
                            since: $crate::endpoint::operation::since!($($since)?),
                            queries: &[],
                            rpc_method: None,
                            page_sizing: $crate::endpoint::list::page_sizing!(
                                $( $($sizing)? $( $key )* )?
                            ),
                            credits: $crate::endpoint::operation::credits!($($credits)?),
                        },
                        layout: $crate::decode::Layout {
                            accepts_array: $crate::endpoint::list::accepts_array!($($array)?),
                            ..$crate::decode::Layout::list(
                                <$crate::types::$item as $crate::record::Record>::TABLE,
                                <$crate::types::$envelope as $crate::record::Record>::TABLE,
                            )
                        },
                        keyset: $crate::endpoint::list::keyset!($($item $field { $( $position ),* })?),
                    };
                    &LIST
                };
            }
        )*

        /// The lists of this file.
        pub(super) const FILE_LISTS: &[&$crate::endpoint::List] = &[$( <$name as $crate::endpoint::ListParams>::LIST ),*];

        /// Visits the parameter type of each list of this file.
        pub(super) fn visit_file_lists(visitor: &mut impl $crate::endpoint::ListVisitor) {
            $( visitor.visit::<$name>(); )*
        }

        /// The lists of this file with their documentation, for the generator.
        pub(super) const DESCRIBED_FILE_LISTS: &[$crate::endpoint::DescribedList] = &[$( $crate::endpoint::DescribedList {
            params_name: stringify!($name),
            list: <$name as $crate::endpoint::ListParams>::LIST,
            docs: <$name as $crate::endpoint::Params>::DOCS,
            types: <$name as $crate::endpoint::Params>::TYPES,
            cursor: &[$( $( (stringify!($key), $key_type) ),* )?],
        } ),*];
    };
}

/// Whether a page may be only an array of items.
macro_rules! accepts_array {
    () => {
        false
    };
    (array) => {
        true
    };
}

/// The declared order, if any.
macro_rules! keyset {
    () => {
        None
    };
    ($item:ident $field:ident { $( $key:ident ),* }) => {
        Some($crate::endpoint::list::Keyset {
            field: $crate::record::find_name(
                <$crate::types::$item as $crate::record::Record>::RUST_NAMES,
                stringify!($field),
            ),
            keys: &[$( stringify!($key) ),*],
        })
    };
}

/// Whether a request can choose the size of a page, from the cursor of the list.
macro_rules! page_sizing {
    (fixed $( $key:ident )*) => {
        $crate::endpoint::operation::PageSizing::Fixed
    };
    ($( $key:ident )*) => {
        $crate::endpoint::operation::PageSizing::from_cursor(&[$( stringify!($key) ),*])
    };
}

/// Joins the lists and lookups that several files declare.
macro_rules! join_declarations {
    ($( $file:ident ),* $(,)?) => {
        /// Every list.
        pub(crate) static LISTS: &[&$crate::endpoint::List] =
            &$crate::endpoint::list::join::<_, { 0 $( + $file::FILE_LISTS.len() )* }>(&[$( $file::FILE_LISTS ),*]);

        /// Every list with its documentation, for the generator.
        pub(crate) const DESCRIBED_LISTS: &[$crate::endpoint::DescribedList] =
            &$crate::endpoint::list::join::<_, { 0 $( + $file::FILE_LISTS.len() )* }>(&[$( $file::DESCRIBED_FILE_LISTS ),*]);

        /// Visits the parameter type of every list.
        pub(crate) fn visit_lists(visitor: &mut impl $crate::endpoint::ListVisitor) {
            $( $file::visit_file_lists(visitor); )*
        }

        /// Every lookup.
        pub(crate) static LOOKUPS: &[&$crate::endpoint::Lookup] =
            &$crate::endpoint::list::join::<_, { 0 $( + $file::FILE_LOOKUPS.len() )* }>(&[$( $file::FILE_LOOKUPS ),*]);

        /// Every lookup with its documentation, for the generator.
        pub(crate) const DESCRIBED_LOOKUPS: &[$crate::endpoint::DescribedLookup] = &$crate::endpoint::list::join::<
            _,
            { 0 $( + $file::FILE_LOOKUPS.len() )* },
        >(&[$( $file::DESCRIBED_FILE_LOOKUPS ),*]);

        /// Visits the parameter type of every lookup.
        pub(crate) fn visit_lookups(visitor: &mut impl $crate::endpoint::LookupVisitor) {
            $( $file::visit_file_lookups(visitor); )*
        }
    };
}

/// Joins slices at compile time. `N` is the sum of their lengths.
///
/// # Panics
/// At compile time, if the first slice is empty or `N` is another number.
#[expect(clippy::indexing_slicing, reason = "runs at compile time only")]
pub(crate) const fn join<T: Copy, const N: usize>(slices: &[&[T]]) -> [T; N] {
    let mut joined = [slices[0][0]; N];
    let (mut slice, mut at) = (0, 0);
    while slice < slices.len() {
        let mut index = 0;
        while index < slices[slice].len() {
            joined[at] = slices[slice][index];
            (index, at) = (index + 1, at + 1);
        }
        slice += 1;
    }
    assert!(at == N, "N is the sum of the lengths");
    joined
}

pub(crate) use {accepts_array, join_declarations, keyset, lists, page_sizing};
