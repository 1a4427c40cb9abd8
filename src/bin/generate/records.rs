//! Generates the TypeScript declarations of records.

use std::fmt::Write as _;

use address_query::testing::record::{Format, Kind, Table, Variants};
use address_query::testing::types::DescribedRecord;

use crate::format::{format_comment, format_property};
use crate::{NOTICE, public_records};

/// Generates `records.d.ts`: an interface per record, and a type per open enum.
pub(crate) fn generate() -> String {
    let mut out = format!("// The records that the service returns. {NOTICE}\n\n{}", include_str!("values.d.ts"));
    let mut enums: Vec<(String, &[&str])> = Vec::new();
    for DescribedRecord { table, docs, typescript, .. } in public_records() {
        let interface = match table.variants {
            Some(_) => format!("{}Fields", table.name),
            None => table.name.to_owned(),
        };
        let _ = write!(out, "\n{}export interface {interface} {{\n", format_comment(docs.0, ""));
        for (((index, field), doc), kind) in table.fields.iter().enumerate().zip(docs.1).zip(typescript()) {
            let element = if let Kind::List(element) = field.value_type.kind { *element } else { field.value_type };
            if let Kind::String(Format::OpenEnum(known)) = element.kind {
                let name = kind.trim_end_matches(" | null").trim_end_matches("[]").to_owned();
                if !enums.iter().any(|(known_name, _)| *known_name == name) {
                    enums.push((name, known));
                }
            }
            if table.variants.as_ref().is_some_and(|variants| variants.field == index) {
                continue;
            }
            let _ =
                writeln!(out, "{}  {}: {kind};", format_comment(doc, "  "), format_property(table.field_name(index)));
        }
        out.push_str("  /** Fields that are not documented. Present only with the option `keepExtra: true`. */\n  extra?: JsonObject;\n}\n");
        if let Some(variants) = &table.variants {
            out.push_str(&format_variants(table, docs.0, variants, &typescript()));
        }
    }
    for (name, known) in enums {
        let known: Vec<String> = known.iter().map(|value| format!("\"{value}\"")).collect();
        let _ = write!(
            out,
            "\n/** An open enum with its known values. Newer service versions may send others. */\nexport type {name} = {} | (string & {{}});\n",
            known.join(" | ")
        );
    }
    out
}

/// Generates the union of the kinds of a record. A kind that was not sent is `"unknown"`. `types` are the TypeScript types of its fields.
fn format_variants(table: &Table, doc: &str, variants: &Variants, types: &[String]) -> String {
    let (name, kind) = (table.name, table.field_name(variants.field));
    let mut out = format!("\n{}export type {name} =\n", format_comment(doc, ""));
    for (kinds, needed) in variants.cases {
        let kinds = kinds.iter().map(|kind| format!("\"{kind}\"")).collect::<Vec<_>>().join(" | ");
        let mut members = format!("{kind}: {kinds}");
        for field in *needed {
            let typescript = types.get(*field).map_or("", |kind| kind.trim_end_matches(" | null"));
            let _ = write!(members, "; {}: {typescript}", table.field_name(*field));
        }
        let _ = writeln!(out, "  | ({name}Fields & {{ {members} }})");
    }
    let _ = writeln!(out, "  | ({name}Fields & {{ {kind}: \"unknown\" | OtherValue }});");
    out
}
