//! Describes the methods of a client for their pages in the guide.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use address_query::testing::endpoint::{Allowed, DescribedOperation, Operation, ResponseKind};
use address_query::testing::record::Table;

use crate::typescript::{describe_list_options, format_example_arguments};
use crate::{Group, call_name, described_operations};

/// The headings of the page with all methods, each with the prefixes of its calls. A call belongs to the first heading
/// that matches.
const GROUPS: [(&str, &[&str]); 7] = [
    ("Lists of the whole chain", &["addresses", "tokenTransfers", "transactions"]),
    ("One address", &["address", "smartContract"]),
    ("One transaction or block", &["transaction", "blockDetails", "blockTransactions", "blockWithdrawals"]),
    ("Tokens and NFTs", &["token", "transfersOfToken"]),
    ("Search and filters", &["search", "advancedFilters"]),
    ("Etherscan-compatible actions", &["account.", "block.", "contract.", "logs.", "rpc."]),
    ("GraphQL", &["graphql."]),
];

/// The heading for methods that belong to no group.
const OTHER: &str = "The chain and its instance";

/// The order of the headings: the most used first.
pub(crate) const HEADINGS: [&str; 8] = [
    "One address",
    "One transaction or block",
    "Tokens and NFTs",
    "Search and filters",
    "Lists of the whole chain",
    OTHER,
    "Etherscan-compatible actions",
    "GraphQL",
];

/// The page of the guide about what a method is for, by the prefix of its call.
const TASKS: [(&str, &str); 11] = [
    ("account.balance", "[Show the balances of many addresses](./balances.md)"),
    ("account.", "[Read more than 10,000 transactions](./block-ranges.md)"),
    ("addressTokens", "[Show a portfolio](./portfolio.md)"),
    ("addressTokenBalances", "[Show a portfolio](./portfolio.md)"),
    ("addressNft", "[Show a portfolio](./portfolio.md)"),
    ("search", "[Look anything up](./look-up.md)"),
    ("smartContract", "[Look anything up](./look-up.md#show-a-contract)"),
    ("contract.", "[Look anything up](./look-up.md#show-a-contract)"),
    ("advancedFilters", "[Look anything up](./look-up.md#filter-everything)"),
    ("logs.", "[List approvals](./approvals.md#read-logs-and-call-contracts)"),
    ("rpc.", "[List approvals](./approvals.md#read-logs-and-call-contracts)"),
];

/// A method of a client.
pub(crate) struct Method {
    /// What follows `client.` in a call: `account.txList`.
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
    /// A further note, as Markdown.
    pub(crate) note: Option<&'static str>,
}

impl Method {
    /// The heading of the method on the page with all methods.
    pub(crate) fn heading(&self) -> &'static str {
        let fits = |(_, prefixes): &&(_, &[&str])| prefixes.iter().any(|prefix| self.call.starts_with(prefix));
        GROUPS.iter().find(fits).map_or(OTHER, |(heading, _)| heading)
    }

    /// The pages of the guide that use the method, as Markdown.
    pub(crate) fn tasks(&self) -> Vec<&'static str> {
        let is_list = self.options.contains(&"ListOptions");
        let task = TASKS.iter().find(|(prefix, _)| self.call.starts_with(prefix)).map(|(_, link)| *link);
        task.into_iter().chain(is_list.then_some("[Paginate](./paginate.md)")).collect()
    }

    /// The name of its page.
    pub(crate) fn page(&self) -> String {
        format!("api-{}", self.call.replace('.', "-"))
    }
}

/// Lists all methods, by group.
pub(crate) fn list_methods() -> Vec<Method> {
    described_operations().iter().map(describe_method).collect()
}

fn describe_method(&DescribedOperation { operation, docs, types, value, .. }: &DescribedOperation) -> Method {
    let (group, call, record) = (Group::of(operation), call_name(operation), operation.layout.row);
    let row = link_record(record.name);
    let is_list = operation.kind == ResponseKind::List;
    let is_ranged = operation.range_form().is_some();
    let mut example = if is_list { show_items(&call, operation) } else { show_result(&call, operation) };
    if is_ranged {
        let all = wrap(format!("for await (const row of client.{call}.all({}))", format_arguments(operation)));
        let _ = write!(example, "\n\n// Every row, even if one response cannot hold them.\n{all}\n  save(row);");
    }
    let note = match group {
        Group::Graphql => Some("[What GraphQL does not provide](./graphql.md)."),
        _ if is_ranged => Some("`.all()` reads [more rows than one response can hold](./block-ranges.md)."),
        _ => describe_list_options(operation),
    };
    Method {
        operation,
        docs,
        types,
        request: format!("`{} {}`", operation.http_method(), operation.path),
        result: match (operation.kind, value) {
            (_, Some(value)) => format_value(&value()),
            (ResponseKind::List, _) => format!("list of {row}"),
            (ResponseKind::Single, _) => row,
            _ if group == Group::Graphql => format!("{row} records"),
            _ => format!("{row} rows"),
        },
        record,
        options: match operation.kind {
            ResponseKind::List => &["ListOptions"],
            ResponseKind::Ranged(_) => &["ActionOptions", "RangeOptions"],
            ResponseKind::Batched if group == Group::Actions => &["BalancesOptions"],
            _ => &["ActionOptions"],
        },
        example,
        note,
        call,
    }
}

/// Returns an example that shows the first page of a list, a page with a filter, the next page, and the newest records.
fn show_items(call: &str, operation: &Operation) -> String {
    let arguments = format_arguments(operation);
    let mut out = wrap(format!("const page = await client.{call}({arguments});")) + "\nshow(page.items);";
    let filter = operation.params.iter().find_map(|param| match param.rule.allowed.first()? {
        // Older services ignore the others.
        Allowed::OneOf(values) if !param.required && param.since.is_none() => {
            values.first().map(|value| match *value {
                "true" | "false" => format!("{}: {value}", param.name),
                _ => format!("{}: {value:?}", param.name),
            })
        }
        _ => None,
    });
    if let Some(filter) = filter {
        let filtered = add_argument(&arguments, &filter);
        out += "\n\n// With a filter.\n";
        out += &wrap(format!("const filtered = await client.{call}({filtered});"));
        out += "\nshow(filtered.items.length);";
    }
    let options = if arguments.is_empty() { "{}, { resume }" } else { "{ resume }" };
    let next = [arguments.as_str(), options].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
    let _ = write!(
        out,
        "\n\n// The next page.\nconst resume = page.resumeToken;\nif (resume !== null) {{\n{}\n  show(next.items);\n}}",
        indent(&wrap(format!("const next = await client.{call}({next});"))),
    );
    let _ = write!(
        out,
        "\n\n// The first 200 records, from as many pages as they need.\n{}\nshow((await list.toArray({{ limit: 200 }})).length);",
        wrap(format!("const list = client.{call}({arguments});")),
    );
    out
}

/// Returns an example that shows a result.
fn show_result(call: &str, operation: &Operation) -> String {
    wrap(format!("show(await client.{call}({}));", format_arguments(operation)))
}

/// Adds a member to an object, as code.
fn add_argument(arguments: &str, member: &str) -> String {
    match arguments.strip_suffix(" }") {
        Some(members) => format!("{members}, {member} }}"),
        None => format!("{{ {member} }}"),
    }
}

/// Breaks the first object of a statement into lines if the statement exceeds the line length of the guide.
fn wrap(code: String) -> String {
    if code.len() <= 76 {
        return code;
    }
    let object = code.split_once("{ ").and_then(|(before, rest)| Some((before, rest.split_once(" }")?)));
    let Some((before, (members, after))) = object else { return code };
    format!("{before}{{\n  {},\n}}{after}", members.replace(", ", ",\n  "))
}

fn indent(code: &str) -> String {
    format!("  {}", code.replace('\n', "\n  "))
}

/// Returns the arguments of a call in an example. The address of a token or contract is not the one that most examples read.
fn format_arguments(operation: &Operation) -> String {
    let arguments = format_example_arguments(operation.params);
    if ["/tokens/{address_hash}", "/smart-contracts/"].iter().any(|part| operation.path.contains(part)) {
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

/// Generates `values.json`: the first kind of value that each required parameter accepts, by name. The examples take
/// their values from it.
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
