//! [`Action`]: an operation of the module/action API (`/api?module=…&action=…`). This module also contains the
//! macro that declares actions. The declarations are in [`declarations`](super::declarations), the rules between parameters in
//! [`action_rules`](super::action_rules).

use std::ops::Deref;

use super::operation::{Operation, Params};
use crate::decode::Layout;
use crate::record::{Record, Value};

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
    Ranged(&'static RangeForm),
    /// Rows, one for each call of JSON-RPC in a POST.
    Called,
    /// Balances of any number of addresses, requested in batches: [`Client::balances`](crate::client::Client::balances).
    Batched,
}

/// How an action selects a range of blocks.
#[derive(Debug, PartialEq, Eq)]
pub struct RangeForm {
    /// Names of the parameters with the first and the last block.
    pub bounds: [&'static str; 2],
    /// The value that means the latest block, if the service requires both parameters.
    pub latest: Option<&'static str>,
    /// The maximum number of rows of a response.
    pub max_rows: u64,
    /// Whether it has the parameters `sort`, `page` and `offset`. Without them the oldest block comes first, and the rows of a block
    /// beyond the maximum are out of reach.
    pub has_pages: bool,
}

/// The range of the actions of the account module.
pub(crate) const ACCOUNT_RANGE: &RangeForm =
    &RangeForm { bounds: ["startblock", "endblock"], latest: None, max_rows: MAX_ROWS, has_pages: true };

/// The maximum number of logs of a response.
pub(crate) const MAX_LOGS: u64 = 1_000;

/// The range of the logs module.
pub(crate) const LOG_RANGE: &RangeForm =
    &RangeForm { bounds: ["fromBlock", "toBlock"], latest: Some("latest"), max_rows: MAX_LOGS, has_pages: false };

impl Action {
    /// How the action selects a range of blocks. `None` if it does not return rows of blocks.
    #[must_use]
    pub const fn range_form(&self) -> Option<&'static RangeForm> {
        if let ActionKind::Ranged(form) = self.kind { Some(form) } else { None }
    }

    /// The service's name of the action, such as `txlist`.
    #[must_use]
    pub fn service_name(&self) -> &'static str {
        if let Some(method) = self.operation.rpc_method {
            return method;
        }
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

/// The parameters of an action of which all rows in a range of blocks can be read.
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
/// The kind ([`ActionKind`]) and the result follow `=>`: `rows Row`, `ranged Row`, `logs Row`, `called Row`, `batched Row`, or `value Body in T` for a
/// value of type `T` under `result`. `uncached` is optional; see [`Operation::is_cacheable`]. `since "9.0.0"` after the service's
/// name or after the name of an optional parameter names the first backend version that has it.
macro_rules! actions {
    ($( module $module:literal { $(
        $(#[doc = $doc:expr])*
        $name:ident $method:literal $action:literal $(since $since:literal)?
            => $kind:ident $record:ident $(in $value:ty)? $(, $attribute:ident)? {
            $( required { $( $(#[doc = $required_doc:expr])* $required:ident $(= $required_name:literal)?: $required_type:ty ),* $(,)? } )?
            $( optional { $( $(#[doc = $optional_doc:expr])* $optional:ident $(since $optional_since:literal)?: $optional_type:ty ),* $(,)? } )?
            $( rules { $( $rule:path ),* $(,)? } )?
        }
    )* } )*) => {
        $( $(
            $crate::endpoint::operation::params! {
                $(#[doc = $doc])*
                $name $method $(since $since)?
                required { $( $( $(#[doc = $required_doc])* $required $(= $required_name)?: $required_type, )* )? }
                optional { $( $( $(#[doc = $optional_doc])* $optional $(since $optional_since)?: $optional_type, )* )? }
            }

            impl $crate::endpoint::ActionParams for $name {
                const ACTION: &'static $crate::endpoint::Action = {
                    static ACTION: $crate::endpoint::Action = $crate::endpoint::Action {
                        module: $module,
                        operation: $crate::endpoint::Operation {
                            name: $method,
                            path: $crate::endpoint::action::action_path!($kind $module $action),
                            params: <$name as $crate::endpoint::Params>::SPECS,
                            paired_defaults: &[],
                            rules: &[$( $( $rule ),* )?],
                            is_cacheable: $crate::endpoint::operation::is_cacheable!($($attribute)?),
                            since: $crate::endpoint::operation::since!($($since)?),
                            queries: &[],
                            rpc_method: $crate::endpoint::action::rpc_method!($kind $action),
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

/// The path of an action.
macro_rules! action_path {
    (called $module:literal $action:literal) => {
        $crate::endpoint::base_url::RPC_PATH
    };
    ($kind:ident $module:literal $action:literal) => {
        concat!("/api?module=", $module, "&action=", $action)
    };
}

/// The method of JSON-RPC of an action, if any.
macro_rules! rpc_method {
    (called $action:literal) => {
        Some($action)
    };
    ($kind:ident $action:literal) => {
        None
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
        $crate::endpoint::ActionKind::Ranged($crate::endpoint::action::ACCOUNT_RANGE)
    };
    (logs) => {
        $crate::endpoint::ActionKind::Ranged($crate::endpoint::action::LOG_RANGE)
    };
    (called) => {
        $crate::endpoint::ActionKind::Called
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
    (called $record:ident) => {
        $crate::decode::Layout {
            accepts_array: true,
            ..$crate::endpoint::action::layout!(rows $record)
        }
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
    (logs $name:ident $record:ident) => {
        $crate::endpoint::action::result_type!(ranged $name $record);
    };
    ($rows:ident $name:ident $record:ident) => {
        impl $crate::endpoint::RowsAction for $name {
            type Row = $crate::types::$record;
        }
    };
}

pub(crate) use {action_path, actions, kind, layout, result_type, rpc_method};
