//! [`QueryOperation`]: an operation that reads GraphQL, and the macro that declares such operations. The declarations are in
//! [`declarations`](super::declarations).

use super::action::Action;
use super::list::List;

/// A GraphQL operation with its documentation and TypeScript types, for the generator of the npm package.
#[derive(Debug, Clone, Copy)]
pub struct DescribedQuery {
    /// Name of the parameter struct in Rust.
    pub params_name: &'static str,
    /// Name of the method of `client.graphql` in JavaScript.
    pub method: &'static str,
    /// The list or action.
    pub operation: QueryOperation,
    /// Documentation of the operation, and of each parameter.
    pub docs: (&'static str, &'static [&'static str]),
    /// TypeScript type of each parameter.
    pub types: &'static [&'static str],
    /// TypeScript type of the value. `None` for operations that return records.
    pub value: Option<fn() -> String>,
}

/// The declaration of a GraphQL operation, as data.
#[derive(Debug, Clone, Copy)]
pub enum QueryOperation {
    /// A connection, which is read like a list of the REST API.
    List(&'static List),
    /// A value or balances, which are read like the result of an action.
    Action(&'static Action),
}

/// Declares GraphQL operations.
///
/// ```text
/// queries! {
///     /// Contents and order of the list.
///     GraphqlTxListParams "graphqlTxList" "txList" => list AccountTransaction {     // struct, name, JavaScript method
///         required { /** Documentation. */ address: Address }
///         optional { /** Documentation. */ sort: QueryOrder }
///         rules { require_one }                                                     // between parameters
///         nulls { "confirmations" }                                                 // see QueryLayout::nulls
///         query address Connection "data" "address" "transactions" = "query(…){…}"; // main parameter, kind, path
///     }
/// }
/// ```
///
/// The result follows `=>`: `list Item`, or the kind and result of an action; see
/// [`actions!`](super::action::actions).
macro_rules! queries {
    ($(
        $(#[doc = $doc:expr])*
        $name:ident $id:literal $method:literal => $kind:ident $record:ident $(in $value:ty)? $(, $attribute:ident)? {
            $( required { $( $(#[doc = $required_doc:expr])* $required:ident: $required_type:ty ),* $(,)? } )?
            $( optional { $( $(#[doc = $optional_doc:expr])* $optional:ident: $optional_type:ty ),* $(,)? } )?
            $( rules { $( $rule:path ),* $(,)? } )?
            $( nulls { $( $null:literal ),* $(,)? } )?
            $( query $main:ident $query_kind:ident $( $step:literal )* = $text:literal; )*
        }
    )*) => {
        $(
            $crate::endpoint::operation::params! {
                $(#[doc = $doc])*
                $name $id
                required { $( $( $(#[doc = $required_doc])* $required: $required_type, )* )? }
                optional { $( $( $(#[doc = $optional_doc])* $optional: $optional_type, )* )? }
            }

            $crate::endpoint::query_operation::operation! { $kind $name $record {
                name: $id,
                path: "/api/v1/graphql",
                params: <$name as $crate::endpoint::Params>::SPECS,
                paired_defaults: &[],
                rules: &[$( $( $rule ),* )?],
                is_cacheable: $crate::endpoint::operation::is_cacheable!($($attribute)?),
                since: None,
                rpc_method: None,
                page_sizing: $crate::endpoint::operation::PageSizing::Fixed,
                credits: $crate::endpoint::operation::DEFAULT_CREDITS,
                queries: {
                    const NULLS: &[&str] = &[$( $( $null ),* )?];
                    &[$( $crate::endpoint::query::Query::new(stringify!($main), $text, $crate::decode::QueryLayout {
                        kind: $crate::decode::QueryKind::$query_kind,
                        path: &[$( $step ),*],
                        nulls: NULLS,
                    }) ),*]
                },
            } }
        )*

        /// Every GraphQL operation.
        pub(crate) static QUERIES: &[$crate::endpoint::query_operation::QueryOperation] =
            &[$( $crate::endpoint::query_operation::reference!($kind $name) ),*];

        /// Every GraphQL operation with its documentation, for the generator.
        pub(crate) const DESCRIBED_QUERIES: &[$crate::endpoint::query_operation::DescribedQuery] =
            &[$( $crate::endpoint::query_operation::DescribedQuery {
                params_name: stringify!($name),
                method: $method,
                operation: $crate::endpoint::query_operation::reference!($kind $name),
                docs: <$name as $crate::endpoint::Params>::DOCS,
                types: <$name as $crate::endpoint::Params>::TYPES,
                value: {
                    #[allow(unused_mut, unused_assignments, reason = "only values assign it")]
                    let mut value: Option<fn() -> String> = None;
                    $( value = Some(<$value as $crate::record::Value>::typescript); )?
                    value
                },
            } ),*];
    };
}

/// Declares the list or action of an operation.
macro_rules! operation {
    (list $name:ident $record:ident { $( $member:tt )* }) => {
        impl $crate::endpoint::ListParams for $name {
            type Item = $crate::types::$record;
            type Envelope = $crate::types::ItemsOnly;
            const LIST: &'static $crate::endpoint::List = {
                static LIST: $crate::endpoint::List = $crate::endpoint::List {
                    operation: $crate::endpoint::Operation { $( $member )* },
                    layout: $crate::decode::Layout::list(
                        <$crate::types::$record as $crate::record::Record>::TABLE,
                        <$crate::types::ItemsOnly as $crate::record::Record>::TABLE,
                    ),
                    keyset: None,
                };
                &LIST
            };
        }
    };
    ($kind:ident $name:ident $record:ident { $( $member:tt )* }) => {
        impl $crate::endpoint::ActionParams for $name {
            const ACTION: &'static $crate::endpoint::Action = {
                static ACTION: $crate::endpoint::Action = $crate::endpoint::Action {
                    module: "graphql",
                    operation: $crate::endpoint::Operation { $( $member )* },
                    kind: $crate::endpoint::action::kind!($kind),
                    layout: $crate::endpoint::action::layout!($kind $record),
                };
                &ACTION
            };
        }

        $crate::endpoint::action::result_type!($kind $name $record);
    };
}

/// The declaration of an operation.
macro_rules! reference {
    (list $name:ident) => {
        $crate::endpoint::query_operation::QueryOperation::List(<$name as $crate::endpoint::ListParams>::LIST)
    };
    ($kind:ident $name:ident) => {
        $crate::endpoint::query_operation::QueryOperation::Action(<$name as $crate::endpoint::ActionParams>::ACTION)
    };
}

pub(crate) use {operation, queries, reference};
