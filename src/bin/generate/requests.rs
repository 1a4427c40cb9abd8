//! Generates what TypeScript needs to build requests before the module is loaded: a description of each request,
//! `plain-values.js` (the values that need no encoding) and `estimate/prices.js` (the credits per request).

use std::collections::BTreeMap;
use std::fmt::Write as _;

use address_query::testing::endpoint::{
    Allowed, DEFAULT_CREDITS, GATEWAY, Operation, ParamRule, ParamSpec, ResponseKind,
};

use crate::{NOTICE, described_operations};

/// Generates `plain-values.js`.
pub(crate) fn generate_plain_values() -> String {
    let values = choose_values();
    let requests: Vec<String> = operations().map(describe_first_request).collect();
    let is_used = |name: &str| {
        let placeholder = format!("{{{name}}}");
        requests
            .iter()
            .any(|request| request.contains(&placeholder) || request.split(' ').skip(1).any(|used| used == name))
    };
    let mut plain_values = String::new();
    for (name, pattern) in values.iter().filter(|(name, _)| is_used(name)) {
        let _ = writeln!(plain_values, "  {name}: {pattern},");
    }
    format!(
        "// The values that need no encoding (see early-requests.ts). {NOTICE}\n\
         export const gateway = \"{GATEWAY}\";\n\n\
         export const plainValues = {{\n{plain_values}}};\n"
    )
}

/// Generates `estimate/prices.js`: the credits per request of each method that differs from the default, by the path or name of
/// the call.
pub(crate) fn generate_prices() -> String {
    let is_special = |operation: &&Operation| operation.credits != DEFAULT_CREDITS;
    let describe = |operation: &'static Operation| {
        let request = describe_first_request(operation);
        let name = request.split(' ').next().unwrap_or_default();
        format!("  \"{name}\": {},\n", operation.credits)
    };
    format!(
        "// The credits that the gateway charges for a request of a method. {NOTICE}\n\
         export const DEFAULT_CREDITS = {DEFAULT_CREDITS};\n\n\
         export const credits = {{\n{}}};\n",
        operations().filter(is_special).map(describe).collect::<String>()
    )
}

/// Describes the first request of an operation: the path, and the names of parameters of the query, such as
/// `"/api/v2/addresses/{address_hash}/logs topic"`. If the path has a query, they are required, otherwise optional. Returns the name of the
/// operation if no request is plain.
pub(crate) fn describe_first_request(operation: &'static Operation) -> String {
    if !begins_with_get(operation) {
        return operation.name.to_owned();
    }
    let values = choose_values();
    let is_plain =
        |param: &&ParamSpec| plain_pattern(param.rule).is_some_and(|pattern| values.get(param.name) == Some(&pattern));
    let (required, optional): (Vec<_>, Vec<_>) = operation.params.iter().partition(|param| param.required);
    let has_rules = !operation.rules.is_empty();
    let has_query = operation.path.contains('?');
    let in_query = required.iter().filter(|param| !operation.path.contains(&format!("{{{}}}", param.name)));
    let mut names: Vec<&str> = in_query.map(|param| param.name).collect();
    // Rules without a required parameter demand an optional one.
    if !required.iter().all(is_plain) || has_rules && required.is_empty() || !has_query && !names.is_empty() {
        return operation.name.to_owned();
    }
    if !has_query && !has_rules {
        let is_paired = |name: &str| operation.paired_defaults.iter().any(|(paired, _)| *paired == name);
        let optional = optional.into_iter().filter(|param| is_plain(param) && !is_paired(param.name));
        names.extend(optional.map(|param| param.name));
    }
    names.insert(0, operation.path);
    names.join(" ")
}

/// Chooses the values for each parameter name: the ones that most parameters of that name accept. The others are left
/// out.
fn choose_values() -> BTreeMap<&'static str, String> {
    let mut counts: BTreeMap<&str, BTreeMap<String, usize>> = BTreeMap::new();
    for param in operations().flat_map(|operation| operation.params) {
        if let Some(pattern) = plain_pattern(param.rule) {
            *counts.entry(param.name).or_default().entry(pattern).or_default() += 1;
        }
    }
    let most_frequent = |patterns: BTreeMap<String, usize>| patterns.into_iter().max_by_key(|(_, count)| *count);
    counts.into_iter().filter_map(|(name, patterns)| Some((name, most_frequent(patterns)?.0))).collect()
}

/// Whether the first request of an operation is a GET of its declared path.
fn begins_with_get(operation: &Operation) -> bool {
    operation.queries.is_empty() && operation.kind != ResponseKind::Batched
}

/// The operations that begin with such a request.
fn operations() -> impl Iterator<Item = &'static Operation> {
    let operations = described_operations().into_iter().map(|described| described.operation);
    operations.filter(|operation| begins_with_get(operation))
}

/// Returns a regular expression for the JSON of the values that need no encoding. `None` if numbers are allowed, which
/// have many forms, or any characters, which have to be encoded.
fn plain_pattern(rule: &ParamRule) -> Option<String> {
    let pattern = |allowed: &Allowed| match allowed {
        Allowed::Hex(digits) => Some(format!("\"0x[\\da-fA-F]{{{digits}}}\"")),
        // Booleans have no quotes.
        Allowed::OneOf(["true", "false"]) => Some("(true|false)".into()),
        Allowed::OneOf(values) | Allowed::OneOfIgnoreCase(values) => Some(format!("\"({})\"", values.join("|"))),
        Allowed::Digits(max) => Some(format!("\"\\d{{1,{max}}}\"")),
        Allowed::HexData | Allowed::Integer(..) | Allowed::Text | Allowed::Time | Allowed::Decimal => None,
    };
    let patterns: Option<Vec<_>> = rule.allowed.iter().map(pattern).collect();
    // Patterns side by side need a group.
    let patterns = patterns?;
    let pattern = if let [pattern] = &*patterns { pattern.clone() } else { format!("({})", patterns.join("|")) };
    // The only commas in the JSON separate the items.
    Some(if rule.is_list { format!("/^\\[?({pattern},?)+]?$/") } else { format!("/^{pattern}$/") })
}
