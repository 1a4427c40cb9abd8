//! Generates `request-table.js`: the requests that TypeScript can build before the module is loaded, and the values that are sent
//! as they are.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use address_query::testing::endpoint::{
    ActionKind, Allowed, DESCRIBED_ACTIONS, DESCRIBED_LISTS, DESCRIBED_LOOKUPS, GATEWAY, Operation, ParamRule,
    ParamSpec,
};

use crate::NOTICE;

/// Generates `request-table.js`.
pub(crate) fn generate_request_table() -> String {
    let values = choose_values();
    let mut requests = String::new();
    for operation in operations() {
        let is_plain = |param: &&ParamSpec| {
            plain_pattern(param.rule).is_some_and(|pattern| values.get(param.name) == Some(&pattern))
        };
        let (required, optional): (Vec<_>, Vec<_>) = operation.params.iter().partition(|param| param.required);
        let has_rules = !operation.rules.is_empty();
        // Rules without a required parameter demand an optional one.
        if !required.iter().all(is_plain) || has_rules && required.is_empty() {
            continue;
        }
        let mut request = operation.path.to_owned();
        for ParamSpec { name, .. } in required {
            let placeholder = format!("{{{name}}}");
            if !request.contains(&placeholder) {
                let _ = write!(request, "&{name}={placeholder}");
            }
        }
        let is_paired = |name: &str| operation.paired_defaults.iter().any(|(paired, _)| *paired == name);
        for param in optional.iter().filter(|param| is_plain(param) && !is_paired(param.name) && !has_rules) {
            let _ = write!(request, " {}", param.name);
        }
        let _ = writeln!(requests, "  {}: \"{request}\",", operation.name);
    }
    let mut plain_values = String::new();
    for (name, pattern) in &values {
        let _ = writeln!(plain_values, "  {name}: {pattern},");
    }
    format!(
        "// The requests that can be built before the module is loaded (see early-requests.ts). {NOTICE}\n\
         export const gateway = \"{GATEWAY}\";\n\n\
         export const requestTable = {{\n{requests}}};\n\n\
         export const plainValues = {{\n{plain_values}}};\n"
    )
}

/// Chooses the values of each name: those of most of its parameters. Parameters of the same name with other values are left out.
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

/// The operations that begin with a single GET request.
fn operations() -> impl Iterator<Item = &'static Operation> {
    let lists = DESCRIBED_LISTS.iter().map(|described| &described.list.operation);
    let lookups = DESCRIBED_LOOKUPS.iter().map(|described| &described.lookup.operation);
    let actions = DESCRIBED_ACTIONS.iter().map(|described| described.action);
    let actions = actions.filter(|action| action.kind != ActionKind::Batched).map(|action| &action.operation);
    lists.chain(lookups).chain(actions)
}

/// Returns a regular expression for the values that are sent as they are, in brackets for a list. `None` if numbers are allowed: they
/// have many forms.
fn plain_pattern(rule: &ParamRule) -> Option<String> {
    let pattern = |allowed: &Allowed| match allowed {
        Allowed::Hex(digits) => Some(format!("0x[\\da-fA-F]{{{digits}}}")),
        Allowed::OneOf(values) | Allowed::OneOfIgnoreCase(values) => Some(values.join("|")),
        Allowed::Integer(..) => None,
    };
    let patterns: Option<Vec<_>> = rule.allowed.iter().map(pattern).collect();
    let pattern = format!("/^({})$/", patterns?.join("|"));
    Some(if rule.is_list { format!("[{pattern}]") } else { pattern })
}
