//! [`Action`]: an operation of the module/action API (`/api?module=…&action=…`). This module also contains the
//! rules between parameters, and the macro that declares actions. The declarations are in [`actions`](super::actions).

use std::ops::Deref;

use super::operation::{Operation, Params, QueryParams};
use crate::decode::Layout;
use crate::error::Error;
use crate::record::{Record, Value};
use crate::strings::split;

/// The maximum number of rows that the service returns for one range of blocks, over all its pages.
pub const MAX_ROWS: u64 = 10_000;

/// The declaration of an action, as data.
#[derive(Debug)]
pub struct Action {
    /// The module, such as `account`: its methods are those of `client.account` in JavaScript.
    pub module: &'static str,
    /// Name, path and parameters.
    pub operation: Operation,
    /// What the action returns, and how it is requested.
    pub kind: ActionKind,
    /// The layout of the response body.
    pub layout: Layout,
}

/// What an action returns, and how it is requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActionKind {
    /// A single value.
    Value,
    /// Rows.
    Rows,
    /// Rows. [`Client::all_rows`](crate::client::Client::all_rows) reads more of them than one response has: `all()` in JavaScript.
    Ranged,
    /// Balances of any number of addresses, requested in batches: [`Client::balances`](crate::client::Client::balances).
    Batched,
}

impl Action {
    /// The service's name of the action, such as `txlist`.
    #[must_use]
    pub fn service_name(&self) -> &'static str {
        self.operation.path.rsplit('=').next().unwrap_or_default()
    }
}

impl Deref for Action {
    type Target = Operation;
    fn deref(&self) -> &Operation {
        &self.operation
    }
}

/// The parameters of an action.
pub trait ActionParams: Params {
    /// The action that takes these parameters.
    const ACTION: &'static Action;
}

/// The parameters of an action that returns rows.
pub trait RowsAction: ActionParams {
    /// One row of the result.
    type Row: Record + Value;
}

/// The parameters of an action of which all rows in a range of blocks can be read. All fields of its rows are strings.
pub trait RangedAction: RowsAction {}

/// The parameters of an action that returns a single value.
pub trait ValueAction: ActionParams {
    /// The response body, with the value under `result`.
    type Response: Record;
}

/// An action with its documentation and TypeScript types, for the generator of the npm package.
#[derive(Debug, Clone, Copy)]
pub struct DescribedAction {
    /// Name of the parameter struct in Rust.
    pub params_name: &'static str,
    /// The action.
    pub action: &'static Action,
    /// Documentation of the action, and of each parameter.
    pub docs: (&'static str, &'static [&'static str]),
    /// TypeScript type of each parameter.
    pub types: &'static [&'static str],
    /// TypeScript type of the value. `None` for actions that return rows.
    pub value: Option<fn() -> String>,
}

/// Requires `page` and `offset` to be given together.
///
/// # Errors
/// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) that names the missing one.
pub(crate) fn require_page_and_offset(params: &QueryParams<'_>) -> Result<(), Error> {
    match (params.get("page"), params.get("offset")) {
        (Some(_), None) => Err(Error::invalid_parameter("offset", "must be given together with page")),
        (None, Some(_)) => Err(Error::invalid_parameter("page", "must be given together with offset")),
        _ => Ok(()),
    }
}

/// Requires `page` × `offset` to be at most [`MAX_ROWS`].
///
/// # Errors
/// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) that names `page`.
pub(crate) fn check_result_window(params: &QueryParams<'_>) -> Result<(), Error> {
    match (params.get_number("page"), params.get_number("offset")) {
        (Some(page), Some(offset)) if page.saturating_mul(offset) > MAX_ROWS => {
            let rule = "page times offset must be at most 10000, the number of rows that the service returns";
            Err(Error::invalid_parameter("page", rule))
        }
        _ => Ok(()),
    }
}

/// Requires the start of a range of blocks or times to be at or before its end.
///
/// # Errors
/// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) that names the end of the range.
pub(crate) fn check_range_order(params: &QueryParams<'_>) -> Result<(), Error> {
    for (start, end) in [("startblock", "endblock"), ("start_timestamp", "end_timestamp")] {
        if let (Some(first), Some(last)) = (params.get_number(start), params.get_number(end))
            && first > last
        {
            return Err(Error::invalid_parameter(end, &["must not be smaller than ", start].concat()));
        }
    }
    Ok(())
}

/// Requires `address`, `contractaddress` or both.
///
/// # Errors
/// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) that names `address`.
pub(crate) fn require_address_or_contract(params: &QueryParams<'_>) -> Result<(), Error> {
    if params.get("address").is_none() && params.get("contractaddress").is_none() {
        return Err(Error::invalid_parameter("address", "either address or contractaddress is required"));
    }
    Ok(())
}

/// The most contracts whose creations one request returns. The service ignores the others.
pub const MAX_CONTRACTS: usize = 10;

/// Requires at most [`MAX_CONTRACTS`] in `contractaddresses`.
///
/// # Errors
/// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) that names `contractaddresses`.
pub(crate) fn check_contract_count(params: &QueryParams<'_>) -> Result<(), Error> {
    const NAME: &str = "contractaddresses";
    if params.get(NAME).is_some_and(|addresses| split(addresses, b',').count() > MAX_CONTRACTS) {
        return Err(Error::invalid_parameter(
            NAME,
            "must be at most 10 addresses, because the service ignores the others",
        ));
    }
    Ok(())
}

/// Requires `address` if another parameter is given that the service ignores without `address`.
///
/// # Errors
/// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) that names the first such parameter.
pub(crate) fn require_address(params: &QueryParams<'_>) -> Result<(), Error> {
    let dependents = ["sort", "startblock", "endblock", "page", "offset"];
    match dependents.into_iter().find(|name| params.get(name).is_some()) {
        Some(name) if params.get("address").is_none() => {
            Err(Error::invalid_parameter(name, "can be used only together with address"))
        }
        _ => Ok(()),
    }
}

/// Declares actions.
///
/// ```text
/// actions! {
///     module "account" {
///         /// Documentation of the action.
///         TxListParams "txList" "txlist" => ranged AccountTransaction {     // struct, JavaScript name, service's name
///             required { /** Documentation. */ address: Address }
///             optional { /** Documentation. */ sort: Order }
///             rules { require_page_and_offset }                             // between parameters
///         }
///     }
/// }
/// ```
///
/// The kind ([`ActionKind`]) and the result follow `=>`: `rows Row`, `ranged Row`, `batched Row`, or `value Body in T` for a
/// value of type `T` under `result`. `uncached` is optional; see [`Operation::is_cacheable`]. `since "9.0.0"` after the service's
/// name or after the name of an optional parameter names the first backend version that has it.
macro_rules! actions {
    ($( module $module:literal { $(
        $(#[doc = $doc:expr])*
        $name:ident $method:literal $action:literal $(since $since:literal)?
            => $kind:ident $record:ident $(in $value:ty)? $(, $attribute:ident)? {
            $( required { $( $(#[doc = $required_doc:expr])* $required:ident: $required_type:ty ),* $(,)? } )?
            $( optional { $( $(#[doc = $optional_doc:expr])* $optional:ident $(since $optional_since:literal)?: $optional_type:ty ),* $(,)? } )?
            $( rules { $( $rule:path ),* $(,)? } )?
        }
    )* } )*) => {
        $( $(
            $crate::endpoint::operation::params! {
                $(#[doc = $doc])*
                $name $method $(since $since)?
                required { $( $( $(#[doc = $required_doc])* $required: $required_type, )* )? }
                optional { $( $( $(#[doc = $optional_doc])* $optional $(since $optional_since)?: $optional_type, )* )? }
            }

            impl $crate::endpoint::ActionParams for $name {
                const ACTION: &'static $crate::endpoint::Action = {
                    static ACTION: $crate::endpoint::Action = $crate::endpoint::Action {
                        module: $module,
                        operation: $crate::endpoint::Operation {
                            name: $method,
                            path: concat!("/api?module=", $module, "&action=", $action),
                            params: <$name as $crate::endpoint::Params>::SPECS,
                            paired_defaults: &[],
                            rules: &[$( $( $rule ),* )?],
                            is_cacheable: $crate::endpoint::operation::is_cacheable!($($attribute)?),
                            since: $crate::endpoint::operation::since!($($since)?),
                            queries: &[],
                            page_sizing: $crate::endpoint::operation::PageSizing::Fixed,
                            credits: $crate::endpoint::operation::DEFAULT_CREDITS,
                        },
                        kind: $crate::endpoint::action::kind!($kind),
                        layout: $crate::endpoint::action::layout!($kind $record),
                    };
                    &ACTION
                };
            }

            $crate::endpoint::action::result_type!($kind $name $record);
        )* )*

        /// Every action.
        pub(crate) static ACTIONS: &[&$crate::endpoint::Action] =
            &[$( $( <$name as $crate::endpoint::ActionParams>::ACTION ),* ),*];

        /// Every action with its documentation, for the generator.
        pub(crate) const DESCRIBED_ACTIONS: &[$crate::endpoint::DescribedAction] = &[$( $(
            $crate::endpoint::DescribedAction {
                params_name: stringify!($name),
                action: <$name as $crate::endpoint::ActionParams>::ACTION,
                docs: <$name as $crate::endpoint::Params>::DOCS,
                types: <$name as $crate::endpoint::Params>::TYPES,
                value: {
                    #[allow(unused_mut, unused_assignments, reason = "only value actions assign it")]
                    let mut value: Option<fn() -> String> = None;
                    $( value = Some(<$value as $crate::record::Value>::typescript); )?
                    value
                },
            }
        ),* ),*];
    };
}

/// The [`ActionKind`] of a keyword.
macro_rules! kind {
    (value) => {
        $crate::endpoint::ActionKind::Value
    };
    (rows) => {
        $crate::endpoint::ActionKind::Rows
    };
    (ranged) => {
        $crate::endpoint::ActionKind::Ranged
    };
    (batched) => {
        $crate::endpoint::ActionKind::Batched
    };
}

/// The layout of a response body.
macro_rules! layout {
    (value $record:ident) => {
        $crate::decode::Layout::record(<$crate::types::$record as $crate::record::Record>::TABLE)
    };
    ($rows:ident $record:ident) => {
        $crate::decode::Layout::rows(
            <$crate::types::$record as $crate::record::Record>::TABLE,
            <$crate::types::RowsEnvelope as $crate::record::Record>::TABLE,
        )
    };
}

/// Implements the traits that name the kind and the type of the result.
macro_rules! result_type {
    (value $name:ident $record:ident) => {
        impl $crate::endpoint::ValueAction for $name {
            type Response = $crate::types::$record;
        }
    };
    (ranged $name:ident $record:ident) => {
        $crate::endpoint::action::result_type!(rows $name $record);
        impl $crate::endpoint::RangedAction for $name {}
    };
    ($rows:ident $name:ident $record:ident) => {
        impl $crate::endpoint::RowsAction for $name {
            type Row = $crate::types::$record;
        }
    };
}

pub(crate) use {actions, kind, layout, result_type};
