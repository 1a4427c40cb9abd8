//! Every operation that is declared: its path, parameters, rules, and the record of its response.
//!
//! - `rest`: the lists and lookups of addresses and of the whole chain, `rest_search`, `rest_tokens` and `rest_transactions` the others
//!   of the REST API (`/api/v2`).
//! - `module_actions`: the actions of the module/action API (`/api?module=…`).
//! - `graphql`: the GraphQL queries (`/api/v1/graphql`).

mod graphql;
mod module_actions;
mod rest;
mod rest_search;
mod rest_tokens;
mod rest_transactions;

pub use graphql::*;
pub use module_actions::*;
pub use rest::*;
pub use rest_search::*;
pub use rest_tokens::*;
pub use rest_transactions::*;

use super::action::Action;
use super::list::{List, join_declarations};
use super::lookup::Lookup;
use super::query_operation::QueryOperation;
use crate::strings::split;

join_declarations! { rest, rest_search, rest_tokens, rest_transactions }

/// Finds an action by its path, or by its name, such as `txList` or, for a GraphQL operation, `graphqlBalance`.
pub(crate) fn find_action(name: &str) -> Option<&'static Action> {
    let queries = QUERIES.iter().filter_map(|query| match query {
        QueryOperation::Action(action) => Some(*action),
        QueryOperation::List(_) => None,
    });
    ACTIONS.iter().copied().chain(queries).find(|action| action.is_called(name))
}

/// Finds a list by its path, or by its name, such as `addressLogs` or, for a GraphQL operation, `graphqlTxList`.
pub(crate) fn find_list(name: &str) -> Option<&'static List> {
    // Hides the names from the compiler, which would otherwise generate code for each comparison.
    let queries = QUERIES.iter().filter_map(|query| match query {
        QueryOperation::List(list) => Some(*list),
        QueryOperation::Action(_) => None,
    });
    std::hint::black_box(LISTS).iter().copied().chain(queries).find(|list| list.is_called(name))
}

/// Finds the credits of a request by the path or the name of its operation.
#[cfg(feature = "js")]
pub(crate) fn find_credits(name: &str) -> u32 {
    let list = find_list(name).map(|list| list.credits);
    list.or_else(|| find_lookup(name).map(|lookup| lookup.credits)).unwrap_or(super::operation::DEFAULT_CREDITS)
}

/// Finds the credits of a GET of this path, by the operation that has it.
pub(crate) fn find_path_credits(path: &str) -> u32 {
    let lists = std::hint::black_box(LISTS).iter().map(|list| &list.operation);
    let mut operations = lists.chain(std::hint::black_box(LOOKUPS).iter().map(|lookup| &lookup.operation));
    let matches = |template: &str| {
        let mut segments = split(path.trim_end_matches('/'), b'/');
        split(template, b'/')
            .all(|part| segments.next().is_some_and(|segment| part.starts_with('{') || part == segment))
            && segments.next().is_none()
    };
    operations
        .find(|operation| matches(operation.path))
        .map_or(super::operation::DEFAULT_CREDITS, |found| found.credits)
}

/// Finds a lookup by its path, or by its JavaScript name, such as `transaction`.
pub(crate) fn find_lookup(name: &str) -> Option<&'static Lookup> {
    std::hint::black_box(LOOKUPS).iter().copied().find(|lookup| lookup.is_called(name))
}
