//! The methods of a client, with what their pages in the guide state.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use address_query::testing::endpoint::{
    ActionKind, Allowed, DESCRIBED_ACTIONS, DESCRIBED_LISTS, DESCRIBED_LOOKUPS, DESCRIBED_QUERIES, DescribedAction,
    DescribedList, DescribedLookup, DescribedQuery, Operation, QueryOperation,
};
use address_query::testing::record::Table;

use crate::typescript::format_example_arguments;

/// A group of methods.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Group {
    Lists,
    Lookups,
    Actions,
    Graphql,
}

impl Group {
    pub(crate) const ALL: [Self; 4] = [Self::Lists, Self::Lookups, Self::Actions, Self::Graphql];

    /// The heading of the group.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Lists => "Lists",
            Self::Lookups => "Lookups",
            Self::Actions => "Actions",
            Self::Graphql => "GraphQL",
        }
    }
}

/// A method of a client.
pub(crate) struct Method {
    pub(crate) group: Group,
    /// The method, as it follows `client.`: `account.txList`.
    pub(crate) call: String,
    pub(crate) operation: &'static Operation,
    /// Documentation of the method, and of each parameter.
    pub(crate) docs: (&'static str, &'static [&'static str]),
    /// TypeScript type of each parameter.
    pub(crate) types: &'static [&'static str],
    /// The request, as Markdown.
    pub(crate) request: String,
    /// The result, as Markdown.
    pub(crate) result: String,
    /// The record of a list, lookup or action.
    pub(crate) record: &'static Table,
    /// The interfaces of its options.
    pub(crate) options: &'static [&'static str],
    /// An example that shows the result.
    pub(crate) example: String,
    /// What else is to be known, as Markdown.
    pub(crate) note: Option<&'static str>,
}

impl Method {
    /// The name of its page.
    pub(crate) fn page(&self) -> String {
        format!("api-{}", self.call.replace('.', "-"))
    }
}

/// Lists all methods, in the order of their declarations.
pub(crate) fn list_methods() -> Vec<Method> {
    let lists = DESCRIBED_LISTS.iter().map(describe_list);
    let lookups = DESCRIBED_LOOKUPS.iter().map(describe_lookup);
    let actions = DESCRIBED_ACTIONS.iter().map(describe_action);
    let queries = DESCRIBED_QUERIES.iter().map(describe_query);
    lists.chain(lookups).chain(actions).chain(queries).collect()
}

fn describe_list(DescribedList { list, docs, types, .. }: &'static DescribedList) -> Method {
    let has_parts = list.keyset.is_some();
    Method {
        group: Group::Lists,
        call: list.name.into(),
        operation: &list.operation,
        docs: *docs,
        types,
        request: format!("`GET {}`", list.path),
        result: format!("list of {}", link_record(list.layout.row.name)),
        record: list.layout.row,
        options: &["ListOptions"],
        example: show_items(list.name, list),
        note: has_parts.then_some("The option `concurrency` reads several parts at the same time."),
    }
}

fn describe_lookup(DescribedLookup { lookup, docs, types, .. }: &'static DescribedLookup) -> Method {
    Method {
        group: Group::Lookups,
        call: lookup.name.into(),
        operation: &lookup.operation,
        docs: *docs,
        types,
        request: format!("`GET {}`", lookup.path),
        result: link_record(lookup.layout.row.name),
        record: lookup.layout.row,
        options: &["ActionOptions"],
        example: show_result(lookup.name, lookup),
        note: None,
    }
}

fn describe_action(DescribedAction { action, docs, types, value, .. }: &'static DescribedAction) -> Method {
    let call = format!("{}.{}", action.module, action.name);
    let row = link_record(action.layout.row.name);
    let example = show_result(&call, action);
    let arguments = format_arguments(action);
    Method {
        group: Group::Actions,
        operation: &action.operation,
        docs: *docs,
        types,
        request: format!("`{} {}`", action.http_method(), action.path),
        result: value.map_or_else(|| format!("{row} rows"), |value| format_value(&value())),
        record: action.layout.row,
        options: match action.kind {
            ActionKind::Ranged(_) => &["ActionOptions", "RangeOptions"],
            ActionKind::Batched => &["BalancesOptions"],
            ActionKind::Rows | ActionKind::Called | ActionKind::Value => &["ActionOptions"],
        },
        example: match action.kind {
            ActionKind::Ranged(_) => {
                format!(
                    "{example}\n\n// Every row, also more than one response has.\nfor await (const row of client.{call}.all({arguments})) save(row);"
                )
            }
            _ => example,
        },
        note: action.range_form().map(|_| "`.all()` reads [more rows than one response has](./block-ranges.md)."),
        call,
    }
}

fn describe_query(DescribedQuery { method, operation, docs, types, value, .. }: &'static DescribedQuery) -> Method {
    let call = format!("graphql.{method}");
    let (operation, layout, result, options, example): (&Operation, _, _, &[&str], _) = match operation {
        QueryOperation::List(list) => {
            let result = format!("list of {}", link_record(list.layout.row.name));
            (list, &list.layout, result, &["ListOptions"], show_items(&call, list))
        }
        QueryOperation::Action(action) => {
            let result = value.map_or_else(
                || format!("{} records", link_record(action.layout.row.name)),
                |value| format_value(&value()),
            );
            (action, &action.layout, result, &["ActionOptions"], show_result(&call, action))
        }
    };
    Method {
        group: Group::Graphql,
        operation,
        docs: *docs,
        types,
        request: format!("`POST {}`", operation.path),
        result,
        record: layout.row,
        options,
        example,
        note: Some("[What GraphQL does not provide](./graphql.md)."),
        call,
    }
}

/// Returns an example that shows the first page of a list.
fn show_items(call: &str, operation: &Operation) -> String {
    let arguments = format_arguments(operation);
    format!("const page = await client.{call}({arguments});\nshow(page.items);")
}

/// Returns an example that shows a result.
fn show_result(call: &str, operation: &Operation) -> String {
    format!("show(await client.{call}({}));", format_arguments(operation))
}

/// Returns the arguments of a call in an example. The address of a token is that of its contract.
fn format_arguments(operation: &Operation) -> String {
    let arguments = format_example_arguments(operation.params);
    if operation.path.contains("/tokens/{address_hash}") {
        return arguments.replace("address_hash", "address_hash: contractaddress");
    }
    arguments
}

/// Returns a link to the section of a record.
fn link_record(name: &str) -> String {
    format!("[{name}](./records.md#{})", name.to_lowercase())
}

/// Returns a TypeScript type as code.
fn format_value(typescript: &str) -> String {
    format!("`{}`", typescript.replace('|', "\\|"))
}

/// Generates `values.json`: the first kind of values that each required parameter accepts, by name, so that the examples have values.
pub(crate) fn generate_values(methods: &[Method]) -> String {
    let required = methods.iter().flat_map(|method| method.operation.params).filter(|param| param.required);
    let values: BTreeMap<_, _> = required
        .filter_map(|param| {
            let value = match param.rule.allowed.first()? {
                Allowed::Hex(digits) => format!("{{ \"hex\": {digits} }}"),
                // Only parameters that may be omitted.
                Allowed::Time | Allowed::Decimal => return None,
                Allowed::HexData => "{ \"hexData\": true }".into(),
                Allowed::Digits(digits) => format!("{{ \"digits\": {digits} }}"),
                Allowed::Text => "{ \"text\": true }".into(),
                Allowed::Integer(min, max) => format!("{{ \"integer\": [{min}, {max}] }}"),
                Allowed::OneOf(values) | Allowed::OneOfIgnoreCase(values) => format!("{{ \"oneOf\": {values:?} }}"),
            };
            Some((param.name, value))
        })
        .collect();
    let mut out = String::new();
    for (name, value) in values {
        let separator = if out.is_empty() { "" } else { ",\n" };
        let _ = write!(out, "{separator}  \"{name}\": {value}");
    }
    format!("{{\n{out}\n}}\n")
}
