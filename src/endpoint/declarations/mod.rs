//! The declarations of all operations: path, parameters, rules, and the record of the response.
//!
//! - `rest`: the lists and lookups of addresses and of the whole chain in the REST API (`/api/v2`). `rest_search`,
//!   `rest_tokens` and `rest_transactions`: its other lists and lookups.
//! - `account_actions`, `token_transfer_actions`, `module_actions`: the actions of the module/action API (`/api?module=…`).
//! - `graphql`: the GraphQL queries (`/api/v1/graphql`).

mod account_actions;
mod graphql;
mod module_actions;
mod rest;
mod rest_search;
mod rest_tokens;
mod rest_transactions;
mod token_transfer_actions;

pub use account_actions::*;
pub use graphql::*;
pub use module_actions::*;
pub use rest::*;
pub use rest_search::*;
pub use rest_tokens::*;
pub use rest_transactions::*;
pub use token_transfer_actions::*;

use super::operation::{DEFAULT_CREDITS, Operation, OperationVisitor};
use crate::strings::split;

/// Every operation, by file.
pub(crate) static OPERATIONS: [&[&Operation]; 8] = [
    rest::OPERATIONS,
    rest_search::OPERATIONS,
    rest_tokens::OPERATIONS,
    rest_transactions::OPERATIONS,
    account_actions::OPERATIONS,
    token_transfer_actions::OPERATIONS,
    module_actions::OPERATIONS,
    graphql::OPERATIONS,
];

/// Visits the parameter type of every operation.
pub(crate) fn visit_operations(visitor: &mut impl OperationVisitor) {
    rest::visit_operations(visitor);
    rest_search::visit_operations(visitor);
    rest_tokens::visit_operations(visitor);
    rest_transactions::visit_operations(visitor);
    account_actions::visit_operations(visitor);
    token_transfer_actions::visit_operations(visitor);
    module_actions::visit_operations(visitor);
    graphql::visit_operations(visitor);
}

/// Every operation.
pub(crate) fn operations() -> impl Iterator<Item = &'static Operation> {
    // Hides the names from the compiler, which would otherwise generate code for each comparison.
    std::hint::black_box(&OPERATIONS).iter().copied().flatten().copied()
}

/// Finds an operation by its path, or by its name, such as `addressLogs` or, for a GraphQL operation, `graphqlTxList`.
pub(crate) fn find_operation(name: &str) -> Option<&'static Operation> {
    operations().find(|operation| operation.is_called(name))
}

/// Finds the credits of a request by the path or the name of its operation.
#[cfg(feature = "js")]
pub(crate) fn find_credits(name: &str) -> u32 {
    find_operation(name).map_or(DEFAULT_CREDITS, |operation| operation.credits)
}

/// Finds the credits of a GET of this path, by the operation that has it.
pub(crate) fn find_path_credits(path: &str) -> u32 {
    let matches = |template: &str| {
        let mut segments = split(path.trim_end_matches('/'), b'/');
        split(template, b'/')
            .all(|part| segments.next().is_some_and(|segment| part.starts_with('{') || part == segment))
            && segments.next().is_none()
    };
    operations().find(|operation| matches(operation.path)).map_or(DEFAULT_CREDITS, |found| found.credits)
}
