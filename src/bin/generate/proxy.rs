//! Generates `proxy-table.js`: the requests that a client can send, for the entry `address-query/proxy`.
//!
//! A line is a path of the gateway with the names of the query parameters, such as `/{chain_id}/api/v2/addresses?sort&order&*`. A
//! parameter with a value is required to have that value. `*` stands for the keys of a cursor.

use std::fmt::Write as _;

use address_query::client::HEADERS;
use address_query::testing::endpoint::{
    ACTIONS, DESCRIBED_LISTS, DESCRIBED_QUERIES, DescribedList, DescribedQuery, LOOKUPS, Operation, QueryOperation,
};

use crate::NOTICE;

/// The keys of a cursor. The service chooses them, and adds keys to the documented ones.
const CURSOR_KEYS: &str = "*";

/// Generates `proxy-table.js`.
pub(crate) fn generate_table() -> String {
    let (mut cacheable, mut uncacheable) = (String::new(), String::new());
    let mut add = |operation: &Operation, additional: Option<&str>| {
        let lines = if operation.is_cacheable { &mut cacheable } else { &mut uncacheable };
        let _ = writeln!(lines, "  \"/{{chain_id}}{}\",", format_line(operation, additional));
    };
    for DescribedList { list, cursor, .. } in DESCRIBED_LISTS {
        add(list, (!cursor.is_empty()).then_some(CURSOR_KEYS));
    }
    for lookup in LOOKUPS {
        add(lookup, None);
    }
    for action in ACTIONS {
        add(action, None);
    }
    // The proxy may change the length of a body.
    let headers: Vec<&str> = HEADERS.into_iter().filter(|name| *name != "content-length").collect();
    format!(
        "// The requests that a client can send, and the response headers that it reads. {NOTICE}\n\
         export const version = \"{}\";\n\
         export const cacheable = [\n{cacheable}];\n\
         export const uncacheable = [\n{uncacheable}];\n{}\
         export const clientHeaders = {headers:?};\n",
        env!("CARGO_PKG_VERSION"),
        format_queries()
    )
}

/// Returns the path of an operation, followed by the names of its query parameters and an additional one.
fn format_line(operation: &Operation, additional: Option<&str>) -> String {
    let mut line = operation.path.to_owned();
    let params = operation.params.iter().map(|param| param.name);
    for name in params.filter(|name| !operation.path.contains(&format!("{{{name}}}"))).chain(additional) {
        line.push(if line.contains('?') { '&' } else { '?' });
        line.push_str(name);
    }
    line
}

/// Returns the path of GraphQL, and the text of each query.
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
    let lines: String = texts.map(|text| format!("  {text:?},\n")).collect();
    format!("export const graphql = \"POST /{{chain_id}}{path}\";\nexport const queries = [\n{lines}];\n")
}
