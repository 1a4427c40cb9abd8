//! Generates `proxy/table.js`: the requests that a client can send, for the entry `address-query/proxy`.
//!
//! A line is a path below `/{chain_id}/api/v2` with the names of the query parameters, such as `/blocks?type`. `{}` stands for a segment
//! of the path. A line that begins with `?` has the parameters of `/{chain_id}/api`. A parameter with a value is required to have that value. `*` stands for the parameters of a list with a cursor. A
//! `=` at the beginning stands for `?module=account&action=`.

use address_query::client::HEADERS;
use address_query::testing::endpoint::{
    DescribedOperation, GATEWAY_RPC_PATH, MAX_CALLS, Operation, RPC_PATH, operations, queries,
};

use crate::{NOTICE, described_operations};

/// The parameters of a list with a cursor: the service chooses the keys of the cursor, and adds keys to the documented ones.
const ANY_PARAMS: &str = "?*";
/// The beginning of most lines of actions, and its abbreviation.
const ACCOUNT_ACTION: (&str, &str) = ("/api?module=account&action=", "=");

/// Generates `proxy/table.js`. The build replaces `queries` with `queryHashes`.
pub(crate) fn generate_table() -> String {
    let described = described_operations();
    let format_lines = |is_cacheable: bool| {
        let operations = described.iter().filter(|DescribedOperation { operation, .. }| {
            operation.http_method() == "GET" && operation.is_cacheable == is_cacheable
        });
        let mut lines: Vec<String> = operations
            .map(|DescribedOperation { operation, cursor, .. }| format_line(operation, !cursor.is_empty()))
            .collect();
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
         export const maxCalls = {MAX_CALLS};\n\
         export const instanceRpcPath = \"{RPC_PATH}\";\n\
         export const clientHeaders = {headers:?};\n",
        env!("CARGO_PKG_VERSION"),
        format_lines(true),
        format_lines(false),
        format_queries(),
        operations().filter_map(|operation| operation.rpc_method).collect::<Vec<_>>(),
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
    let path = queries().next().map_or("", |operation| operation.path);
    let texts = queries().flat_map(|operation| operation.queries).map(|query| query.text);
    let texts: Vec<&str> = texts.collect();
    format!("export const graphql = \"POST /{{chain_id}}{path}\";\nexport const queries = {texts:?};\n")
}
