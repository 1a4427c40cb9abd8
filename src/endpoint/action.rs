//! Actions of the module/action interface: what an action is, and the language that declares them.

use std::ops::Deref;

use super::Operation;
use super::operation::{Given, Params};
use crate::decode::Layout;
use crate::error::Error;
use crate::record::{Record, Value};
use crate::types::Outcome;

/// An action, as data.
#[derive(Debug)]
pub struct Action {
    /// How it is asked for.
    pub operation: Operation,
    /// What it answers.
    pub layout: Layout,
}

impl Action {
    /// The service's name for it.
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
    /// The action as data.
    const ACTION: &'static Action;
}

/// An action that answers rows.
pub trait RowsAction: ActionParams {
    /// A row.
    type Row: Record + Value;
}

/// An action that answers one value.
pub trait ValueAction: ActionParams {
    /// The answer.
    type Answer: Record + Outcome;
}

/// An action as the generator sees it.
#[derive(Debug, Clone, Copy)]
pub struct DescribedAction {
    /// The Rust name of the parameters.
    pub params_name: &'static str,
    /// The action as data.
    pub action: &'static Action,
    /// What the action is, then what each parameter does.
    pub docs: (&'static str, &'static [&'static str]),
    /// The TypeScript type of each parameter.
    pub types: &'static [&'static str],
    /// The TypeScript type of the value, for actions that answer one.
    pub value: Option<fn() -> String>,
    /// Whether a range reader is offered.
    pub ranged: bool,
}

/// `page` and `offset` stand together.
///
/// # Errors
/// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) for the one that is missing.
pub fn paging(given: &Given<'_>) -> Result<(), Error> {
    match (given.get("page"), given.get("offset")) {
        (Some(_), None) => Err(Error::invalid_parameter("offset", "must be given together with page")),
        (None, Some(_)) => Err(Error::invalid_parameter("page", "must be given together with offset")),
        _ => Ok(()),
    }
}

/// `page` and `offset` reach 10,000 records.
///
/// # Errors
/// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) for a page behind them.
pub fn window(given: &Given<'_>) -> Result<(), Error> {
    match (given.number("page"), given.number("offset")) {
        (Some(page), Some(offset)) if page.saturating_mul(offset) > WINDOW => {
            let rule = "times offset must be at most 10000: no request reaches further";
            Err(Error::invalid_parameter("page", rule))
        }
        _ => Ok(()),
    }
}

/// Records that one request reaches.
pub const WINDOW: u64 = 10_000;

/// A range begins before it ends.
///
/// # Errors
/// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) for the end.
pub fn ranges(given: &Given<'_>) -> Result<(), Error> {
    for (start, end) in [("startblock", "endblock"), ("start_timestamp", "end_timestamp")] {
        if let (Some(first), Some(last)) = (given.number(start), given.number(end))
            && first > last
        {
            return Err(Error::invalid_parameter(end, &["must not be smaller than ", start].concat()));
        }
    }
    Ok(())
}

/// Transfers are those of an address, of a token, or of both.
///
/// # Errors
/// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) for `address` when both are missing.
pub fn holder_or_token(given: &Given<'_>) -> Result<(), Error> {
    if given.get("address").is_none() && given.get("contractaddress").is_none() {
        return Err(Error::invalid_parameter("address", "or contractaddress is required, or both"));
    }
    Ok(())
}

/// Parameters that have an effect only where an address is given.
///
/// # Errors
/// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) for the first of them.
pub fn needs_address(given: &Given<'_>) -> Result<(), Error> {
    let bound = ["sort", "startblock", "endblock", "page", "offset"];
    match bound.into_iter().find(|name| given.get(name).is_some()) {
        Some(name) if given.get("address").is_none() => {
            Err(Error::invalid_parameter(name, "can be used only together with address"))
        }
        _ => Ok(()),
    }
}

/// Declares actions. Per action: what it is, the Rust name of its parameters, the JavaScript method, the service's name, what
/// it answers (`rows Record`, or `value Record` with the value under `result`), whether a range of blocks can be read whole
/// (`ranged`); its parameters; the rules between them.
macro_rules! actions {
    ($(
        $(#[doc = $doc:expr])*
        $name:ident $method:literal $action:literal => $answer:ident $record:ident $(in $value:ty)? $(, $ranged:ident)? {
            $( required { $( $(#[doc = $required_doc:expr])* $required:ident: $required_type:ty ),* $(,)? } )?
            $( optional { $( $(#[doc = $optional_doc:expr])* $optional:ident: $optional_type:ty ),* $(,)? } )?
            $( rules { $( $rule:path ),* $(,)? } )?
        }
    )*) => {
        $(
            $crate::endpoint::operation::params! {
                $(#[doc = $doc])*
                $name
                required { $( $( $(#[doc = $required_doc])* $required: $required_type, )* )? }
                optional { $( $( $(#[doc = $optional_doc])* $optional: $optional_type, )* )? }
            }

            impl $crate::endpoint::ActionParams for $name {
                const ACTION: &'static $crate::endpoint::Action = {
                    static ACTION: $crate::endpoint::Action = $crate::endpoint::Action {
                        operation: $crate::endpoint::Operation {
                            name: $method,
                            path: concat!("/api?module=account&action=", $action),
                            params: <$name as $crate::endpoint::Params>::SPECS,
                            together: &[],
                            rules: &[$( $( $rule ),* )?],
                        },
                        layout: $crate::endpoint::action::layout!($answer $record),
                    };
                    &ACTION
                };
            }

            $crate::endpoint::action::answer!($answer $name $record);
        )*

        /// Every action.
        pub static ACTIONS: &[&$crate::endpoint::Action] =
            &[$( <$name as $crate::endpoint::ActionParams>::ACTION ),*];

        /// Every action with its docs, for the generator.
        pub const DESCRIBED_ACTIONS: &[$crate::endpoint::DescribedAction] = &[$(
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
                ranged: {
                    let ranged: &[&str] = &[$( stringify!($ranged) )?];
                    !ranged.is_empty()
                },
            }
        ),*];
    };
}

macro_rules! layout {
    (rows $record:ident) => {
        $crate::decode::Layout::rows(
            <$crate::types::$record as $crate::record::Record>::TABLE,
            <$crate::types::AccountAnswer as $crate::record::Record>::TABLE,
        )
    };
    (value $record:ident) => {
        $crate::decode::Layout::record(<$crate::types::$record as $crate::record::Record>::TABLE)
    };
}

macro_rules! answer {
    (rows $name:ident $record:ident) => {
        impl $crate::endpoint::RowsAction for $name {
            type Row = $crate::types::$record;
        }
    };
    (value $name:ident $record:ident) => {
        impl $crate::endpoint::ValueAction for $name {
            type Answer = $crate::types::$record;
        }
    };
}

pub(crate) use {actions, answer, layout};
