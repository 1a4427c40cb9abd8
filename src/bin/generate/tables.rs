//! Generates the tables of the package's README.

use std::fmt::Write as _;

use address_query::error::ErrorCode;
use address_query::testing::client::OPTION_SETS;
use address_query::testing::endpoint::{
    ActionKind, DESCRIBED_ACTIONS, DESCRIBED_LISTS, DESCRIBED_LOOKUPS, DESCRIBED_QUERIES, DescribedAction,
    DescribedList, DescribedLookup, DescribedQuery, Operation, ParamSpec, QueryOperation, Version,
};
use address_query::testing::types::Described;

use crate::format::join_lines;
use crate::public_records;

/// Generates `FIELDS.md`: tables of options, lists, actions, error codes and records.
pub(crate) fn generate_tables() -> String {
    let mut out = String::from("## Options\n");
    write_options(&mut out);
    write_operations(&mut out);
    write_queries(&mut out);
    write_error_codes(&mut out);
    write_records(&mut out);
    out
}

fn write_options(out: &mut String) {
    for set in OPTION_SETS {
        let base = set.base.map(|base| format!(" Includes `{}`.", base.interface)).unwrap_or_default();
        let _ = write!(
            out,
            "\n### {}\n\n{}{base}\n\n| Option | Type | Default | Meaning |\n|---|---|---|---|\n",
            set.interface,
            join_lines(set.doc)
        );
        for option in set.options {
            let default = option.default().map(|default| format!("`{default}`")).unwrap_or_default();
            let kind = option.typescript().replace('|', "\\|");
            let _ = writeln!(out, "| `{}` | `{kind}` | {default} | {} |", option.name, join_lines(option.doc));
        }
    }
}

fn write_operations(out: &mut String) {
    out.push_str("\n## API reference\n\n\"since\" names the first backend version that has an operation or parameter. \"Credits\" are those that the gateway charges for a request: of a list, for each page.\n\n### Lists\n\n| Method | Path | Parameters | Items | Credits |\n|---|---|---|---|---|\n");
    for DescribedList { list, .. } in DESCRIBED_LISTS {
        let _ = writeln!(
            out,
            "| `{}`{} | `{}` | {} | {} | {} |",
            list.name,
            format_since(list.since),
            list.path,
            format_param_names(list.params),
            format_record_link(list.layout.row.name),
            list.credits
        );
    }
    out.push_str("\n### Lookups\n\n| Method | Path | Parameters | Result | Credits |\n|---|---|---|---|---|\n");
    for DescribedLookup { lookup, .. } in DESCRIBED_LOOKUPS {
        let _ = writeln!(
            out,
            "| `{}`{} | `{}` | {} | {} | {} |",
            lookup.name,
            format_since(lookup.since),
            lookup.path,
            format_param_names(lookup.params),
            format_record_link(lookup.layout.row.name),
            lookup.credits
        );
    }
    out.push_str(
        "\n### Actions\n\n| Method | Module and action | Parameters | Result | Credits |\n|---|---|---|---|---|\n",
    );
    for DescribedAction { action, value, .. } in DESCRIBED_ACTIONS {
        let result = match value {
            Some(value) => format!("`{}`", value().replace('|', "\\|")),
            None => format!("{} rows", format_record_link(action.layout.row.name)),
        };
        let (module, service_name) = (action.module, action.service_name());
        let all = if action.kind == ActionKind::Ranged { ", `.all()`" } else { "" };
        let _ = writeln!(
            out,
            "| `client.{module}.{}`{all}{} | `{module}`, `{service_name}` | {} | {result} | {} |",
            action.name,
            format_since(action.since),
            format_param_names(action.params),
            action.credits
        );
    }
}

fn write_queries(out: &mut String) {
    out.push_str("\n### GraphQL\n\n| Method | Parameters | Result | Credits |\n|---|---|---|---|\n");
    for DescribedQuery { method, operation, value, .. } in DESCRIBED_QUERIES {
        let (operation, result): (&Operation, _) = match operation {
            QueryOperation::List(list) => (list, format!("list of {}", format_record_link(list.layout.row.name))),
            QueryOperation::Action(action) => (
                action,
                value.map_or_else(
                    || format!("{} records", format_record_link(action.layout.row.name)),
                    |value| format!("`{}`", value().replace('|', "\\|")),
                ),
            ),
        };
        let _ = writeln!(
            out,
            "| `client.graphql.{method}` | {} | {result} | {} |",
            format_param_names(operation.params),
            operation.credits
        );
    }
}

fn write_error_codes(out: &mut String) {
    out.push_str("\n### Error codes\n\n| Code | Meaning |\n|---|---|\n");
    for (code, doc) in ErrorCode::ALL {
        let _ = writeln!(out, "| `{code}` | {} |", join_lines(doc));
    }
}

fn write_records(out: &mut String) {
    for Described { table, docs, typescript, .. } in public_records() {
        if table.fields.is_empty() {
            continue;
        }
        let _ = write!(
            out,
            "\n### {}\n\n{}\n\n| Field | Type | Meaning |\n|---|---|---|\n",
            table.name,
            join_lines(docs.0)
        );
        for ((field, doc), kind) in (0..table.fields.len()).zip(docs.1).zip(typescript()) {
            let kind = kind.replace('|', "\\|");
            let _ = writeln!(out, "| `{}` | `{kind}` | {} |", table.field_name(field), join_lines(doc));
        }
    }
}

/// Returns a link to the section of a record.
fn format_record_link(name: &str) -> String {
    format!("[{name}](#{})", name.to_lowercase())
}

/// Returns the names of parameters for a table cell, with `?` after each optional one.
fn format_param_names(params: &[ParamSpec]) -> String {
    let names = params
        .iter()
        .map(|param| format!("`{}`{}{}", param.name, if param.required { "" } else { "?" }, format_since(param.since)));
    names.collect::<Vec<_>>().join(", ")
}

/// Returns the note about the first version that has an operation or parameter, if older ones do not.
fn format_since(since: Option<Version>) -> String {
    since.map(|since| format!(" (since {})", since.format())).unwrap_or_default()
}
