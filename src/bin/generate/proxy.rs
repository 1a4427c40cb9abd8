//! Generates `proxy-table.js`: the requests that a client can send, for the entry `address-query/proxy`.
//!
//! A line is a path below `/{chain_id}/api/v2` with the names of the query parameters, such as `/blocks?type`. `{}` stands for a segment
//! of the path. A line that begins with `?` has the parameters of `/{chain_id}/api`. A parameter with a value is required to have that value. `*` stands for the parameters of a list with a cursor. A
//! `=` at the beginning stands for `?module=account&action=`.

use address_query::client::HEADERS;
use address_query::testing::endpoint::{
    ACTIONS, DESCRIBED_LISTS, DESCRIBED_QUERIES, DescribedList, DescribedQuery, GATEWAY_RPC_PATH, LOOKUPS, Operation,
    QueryOperation, RPC_PATH,
};

use crate::NOTICE;

/// The parameters of a list with a cursor: the service chooses the keys of the cursor, and adds keys to the documented ones.
const ANY_PARAMS: &str = "?*";
/// The beginning of most lines of actions, and its abbreviation.
const ACCOUNT_ACTION: (&str, &str) = ("/api?module=account&action=", "=");

/// Generates `proxy-table.js`. The build replaces `queries` by `queryHashes`.
pub(crate) fn generate_table() -> String {
    let lists = DESCRIBED_LISTS
        .iter()
        .map(|DescribedList { list, cursor, .. }| -> (&Operation, bool) { (list, !cursor.is_empty()) });
    let lookups = LOOKUPS.iter().map(|lookup| -> (&Operation, bool) { (lookup, false) });
    let actions = ACTIONS.iter().filter(|action| action.rpc_method.is_none());
    let actions = actions.map(|action| -> (&Operation, bool) { (action, false) });
    let operations: Vec<(&Operation, bool)> = lists.chain(lookups).chain(actions).collect();
    let format_lines = |is_cacheable: bool| {
        let operations = operations.iter().filter(|(operation, _)| operation.is_cacheable == is_cacheable);
        let mut lines: Vec<String> =
            operations.map(|(operation, has_cursor)| format_line(operation, *has_cursor)).collect();
        // Similar lines compress better side by side.
        lines.sort_unstable();
        lines.join(" ")
    };
    // The proxy may change the length of a body.
    let headers: Vec<&str> = HEADERS.into_iter().filter(|name| *name != "content-length").collect();
    format!(
        "// The requests that a client can send, and the response headers that it reads. {NOTICE}\n\
         export const version = \"{}\";\n\
         export const cacheable = {:?};\n\
         export const uncacheable = {:?};\n{}\
         export const rpc = \"POST /{{chain_id}}{GATEWAY_RPC_PATH}\";\n\
         export const rpcMethods = {:?};\n\
         export const instanceRpcPath = \"{RPC_PATH}\";\n\
         export const clientHeaders = {headers:?};\n",
        env!("CARGO_PKG_VERSION"),
        format_lines(true),
        format_lines(false),
        format_queries(),
        ACTIONS.iter().filter_map(|action| action.rpc_method).collect::<Vec<_>>(),
    )
}

/// Returns the line of an operation.
fn format_line(operation: &Operation, has_cursor: bool) -> String {
    let (prefix, abbreviation) = ACCOUNT_ACTION;
    let mut line = match operation.path.strip_prefix(prefix) {
        Some(action) => format!("{abbreviation}{action}"),
        None => operation.path.trim_start_matches("/api/v2").trim_start_matches("/api").to_owned(),
    };
    if has_cursor {
        line.push_str(ANY_PARAMS);
    }
    for param in operation.params {
        let segment = format!("{{{}}}", param.name);
        if line.contains(&segment) {
            line = line.replace(&segment, "{}");
        } else if !has_cursor {
            line.push(if operation.path.contains('?') { '&' } else { '?' });
            line.push_str(param.name);
        }
    }
    line
}

/// Returns the request line of GraphQL, and the text of each query.
fn format_queries() -> String {
    let operations = DESCRIBED_QUERIES.iter().map(|DescribedQuery { operation, .. }| -> &Operation {
        match operation {
            QueryOperation::List(list) => list,
            QueryOperation::Action(action) => action,
        }
    });
    let operations: Vec<&Operation> = operations.collect();
    let path = operations.first().map_or("", |operation| operation.path);
    let texts = operations.iter().flat_map(|operation| operation.queries).map(|query| query.text);
    let texts: Vec<&str> = texts.collect();
    format!("export const graphql = \"POST /{{chain_id}}{path}\";\nexport const queries = {texts:?};\n")
}
