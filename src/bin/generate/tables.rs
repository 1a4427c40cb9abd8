//! Generates the tables of the package's README.

use std::fmt::Write as _;

use address_query::client::options::OPTION_SETS;
use address_query::endpoint::{
    ActionKind, DESCRIBED_ACTIONS, DESCRIBED_LISTS, DescribedAction, DescribedList, ParamSpec,
};
use address_query::error::ErrorCode;
use address_query::types::Described;

use crate::format::join_lines;
use crate::public_records;

/// Generates `FIELDS.md`: tables of options, lists, actions, error codes and records.
pub(crate) fn generate_tables() -> String {
    let mut out = String::from("## Options\n");
    write_options(&mut out);
    write_operations(&mut out);
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
    out.push_str("\n## API reference\n\n### Lists\n\n| Method | Path | Parameters | Items |\n|---|---|---|---|\n");
    for DescribedList { list, .. } in DESCRIBED_LISTS {
        let item = list.layout.row.name;
        let anchor = item.to_lowercase();
        let _ = writeln!(
            out,
            "| `{}` | `{}` | {} | [{item}](#{anchor}) |",
            list.name,
            list.path,
            format_param_names(list.params)
        );
    }
    out.push_str("\n### Actions\n\n| Method of `client.account` | Action | Parameters | Result |\n|---|---|---|---|\n");
    for DescribedAction { action, value, .. } in DESCRIBED_ACTIONS {
        let result = match value {
            Some(value) => format!("`{}`", value().replace('|', "\\|")),
            None => format!("[{0}](#{1}) rows", action.layout.row.name, action.layout.row.name.to_lowercase()),
        };
        let service_name = action.service_name();
        let all = if action.kind == ActionKind::Ranged { ", `.all()`" } else { "" };
        let _ = writeln!(
            out,
            "| `{}`{all} | `{service_name}` | {} | {result} |",
            action.name,
            format_param_names(action.params)
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
    for Described { table, docs, typescript } in public_records() {
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

/// Returns the names of parameters for a table cell, with `?` after each optional one.
fn format_param_names(params: &[ParamSpec]) -> String {
    let names = params.iter().map(|param| format!("`{}`{}", param.name, if param.required { "" } else { "?" }));
    names.collect::<Vec<_>>().join(", ")
}
