//! [`Lookup`]: an operation of the REST API (`/api/v2`) that returns a single record, and the macro that declares lookups.
//! The declarations are in [`declarations`](super::declarations).

use std::ops::Deref;

use serde::Serialize;

use super::operation::{Operation, Params};
use crate::decode::Layout;
use crate::record::{Record, Value};

/// The declaration of an operation that returns a single record, as data.
#[derive(Debug)]
pub struct Lookup {
    /// Name, path and parameters.
    pub operation: Operation,
    /// The layout of the response body.
    pub layout: Layout,
}

impl Deref for Lookup {
    type Target = Operation;
    fn deref(&self) -> &Operation {
        &self.operation
    }
}

/// The parameters of a lookup.
pub trait LookupParams: Params {
    /// The record.
    type Record: Record + Value;
    /// The lookup that takes these parameters.
    #[doc(hidden)]
    const LOOKUP: &'static Lookup;
}

/// Visits the parameter types of lookups, for code that is generic over their records. See `visit_lookups`.
pub trait LookupVisitor {
    /// Visits the parameters of a lookup.
    fn visit<P: LookupParams<Record: Serialize>>(&mut self);
}

/// A lookup with its documentation and TypeScript types, for the generator of the npm package.
#[derive(Debug, Clone, Copy)]
pub struct DescribedLookup {
    /// Name of the parameter struct in Rust.
    pub params_name: &'static str,
    /// The lookup.
    pub lookup: &'static Lookup,
    /// Documentation of the lookup, and of each parameter.
    pub docs: (&'static str, &'static [&'static str]),
    /// TypeScript type of each parameter.
    pub types: &'static [&'static str],
}

/// Declares lookups.
///
/// ```text
/// lookups! {
///     /// What the record is.
///     AddressParams "address" "/addresses/{address_hash}" => AddressInfo, uncached { // struct, name, path => record
///         required { /** Documentation. */ address_hash: Address }
///     }
/// }
/// ```
///
/// `uncached` is optional; see [`Operation::is_cacheable`]. So is `since "9.1.0"` after the path: the first backend version that
/// has the lookup. `costs 50` before the `=>` states [`Operation::credits`].
macro_rules! lookups {
    ($(
        $(#[doc = $doc:expr])*
        $name:ident $method:literal $path:literal $(since $since:literal)? $(costs $credits:literal)? => $record:ident $(, $attribute:ident)? {
            $( required { $( $(#[doc = $required_doc:expr])* $required:ident: $required_type:ty ),* $(,)? } )?
        }
    )*) => {
        $(
            $crate::endpoint::operation::params! {
                $(#[doc = $doc])*
                $name $method $(since $since)?
                required { $( $( $(#[doc = $required_doc])* $required: $required_type, )* )? }
                optional {}
            }

            impl $crate::endpoint::LookupParams for $name {
                type Record = $crate::types::$record;
                const LOOKUP: &'static $crate::endpoint::Lookup = {
                    static LOOKUP: $crate::endpoint::Lookup = $crate::endpoint::Lookup {
                        operation: $crate::endpoint::Operation {
                            name: $method,
                            path: concat!("/api/v2", $path),
                            params: <$name as $crate::endpoint::Params>::SPECS,
                            paired_defaults: &[],
                            rules: &[],
                            is_cacheable: $crate::endpoint::operation::is_cacheable!($($attribute)?),
                            since: $crate::endpoint::operation::since!($($since)?),
                            queries: &[],
                            rpc_method: None,
                            page_sizing: $crate::endpoint::operation::PageSizing::Fixed,
                            credits: $crate::endpoint::operation::credits!($($credits)?),
                        },
                        layout: $crate::decode::Layout::record(
                            <$crate::types::$record as $crate::record::Record>::TABLE,
                        ),
                    };
                    &LOOKUP
                };
            }
        )*

        /// The lookups of this file.
        pub(super) const FILE_LOOKUPS: &[&$crate::endpoint::Lookup] =
            &[$( <$name as $crate::endpoint::LookupParams>::LOOKUP ),*];

        /// Visits the parameter type of each lookup of this file.
        pub(super) fn visit_file_lookups(visitor: &mut impl $crate::endpoint::LookupVisitor) {
            $( visitor.visit::<$name>(); )*
        }

        /// The lookups of this file with their documentation, for the generator.
        pub(super) const DESCRIBED_FILE_LOOKUPS: &[$crate::endpoint::DescribedLookup] = &[$( $crate::endpoint::DescribedLookup {
            params_name: stringify!($name),
            lookup: <$name as $crate::endpoint::LookupParams>::LOOKUP,
            docs: <$name as $crate::endpoint::Params>::DOCS,
            types: <$name as $crate::endpoint::Params>::TYPES,
        } ),*];
    };
}

pub(crate) use lookups;
