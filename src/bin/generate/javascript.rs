//! Generates the JavaScript files.

use std::fmt::Write as _;

use address_query::client::options::{OPTION_SETS, OptionSet, OptionSpec};
use address_query::endpoint::{ActionKind, DESCRIBED_ACTIONS, DESCRIBED_LISTS, DescribedList};
use address_query::record::{Format, Kind};
use address_query::types::key::{NATURAL_KEYS, NaturalKey};
use address_query::types::{Described, RECORDS};

use crate::NOTICE;
use crate::format::format_property;

/// Generates `constructors.js`: a constructor function per record, which creates an object literal from the slots of a
/// frame.
pub(crate) fn generate_constructors() -> String {
    let mut out = format!(
        "// Constructors of all records, from the slots of a frame (see frame.ts). {NOTICE}\n\
         import {{ addExtra, extras, readBoolean, readInteger, readJson, readList, readString }} from \"./frame.js\";\n"
    );
    for Described { table, .. } in RECORDS {
        let _ = write!(out, "\nfunction {}(slots, strings, at) {{\n  const record = {{\n", table.name);
        for (index, field) in table.fields.iter().enumerate() {
            let slot = if index == 0 { "slots[at]".into() } else { format!("slots[at + {index}]") };
            let _ = writeln!(
                out,
                "    {}: {},",
                format_property(table.field_name(index)),
                format_slot_expression(field.value_type.kind, &slot)
            );
        }
        out.push_str("  };\n  if (extras !== null) addExtra(record, at);\n  return record;\n}\n");
    }
    let names: Vec<&str> = RECORDS.iter().map(|record| record.table.name).collect();
    let _ = write!(
        out,
        "\n/** The constructors, by number of the record. */\nexport const constructors = [{}];\n",
        names.join(", ")
    );
    out
}

/// Returns the JavaScript expression that reads a slot.
fn format_slot_expression(kind: Kind, slot: &str) -> String {
    match kind {
        // Strings of these formats are always too long to be stored as short strings.
        Kind::String(Format::Address | Format::Hash | Format::Timestamp) => format!("strings[{slot} >>> 1]"),
        Kind::String(_) => format!("readString(strings, {slot})"),
        Kind::Integer => format!("readInteger({slot})"),
        Kind::Boolean => format!("readBoolean({slot})"),
        Kind::Json | Kind::JsonObject | Kind::Number => format!("readJson({slot})"),
        Kind::Record(table) => format!("{slot} === 0 ? null : {}(slots, strings, {slot} - 1)", table.name),
        Kind::List(element) => {
            format!(
                "{slot} === 0 ? [] : readList(slots, {slot}, (slot) => {})",
                format_slot_expression(element.kind, "slot")
            )
        }
    }
}

/// Generates `endpoints.js`: a method per list and action.
pub(crate) fn generate_methods() -> String {
    let mut out = format!(
        "// The methods of a client. {NOTICE}\nimport {{ LazyListCall }} from \"./list.js\";\n\
         import {{ balancesOptions }} from \"./option-table.js\";\n\n\
         export class Endpoints {{\n  #session;\n\n  constructor(session) {{\n    this.#session = session;\n  }}\n"
    );
    for DescribedList { list, .. } in DESCRIBED_LISTS {
        let _ = write!(
            out,
            "\n  {name}(params, options) {{\n    return new LazyListCall(this.#session, \"{name}\", params, options);\n  }}\n",
            name = list.name
        );
    }
    out.push_str("}\n\nexport class AccountActions {\n  #callAction;\n\n  constructor(callAction, createRange) {\n    this.#callAction = callAction;\n");
    for action in DESCRIBED_ACTIONS.iter().filter(|action| action.action.kind == ActionKind::Ranged) {
        let name = action.action.name;
        let _ = write!(
            out,
            "    this.{name} = Object.assign((params, options) => callAction(\"{name}\", params, options), {{\n      \
             all: (params, options) => createRange(\"{name}\", params, options),\n    }});\n"
        );
    }
    out.push_str("  }\n");
    for action in DESCRIBED_ACTIONS.iter().filter(|action| action.action.kind != ActionKind::Ranged) {
        let name = action.action.name;
        let table = if action.action.kind == ActionKind::Batched { ", balancesOptions" } else { "" };
        let _ = write!(
            out,
            "\n  {name}(params, options) {{\n    return this.#callAction(\"{name}\", params, options{table});\n  }}\n"
        );
    }
    out.push_str("}\n");
    out
}

/// Generates `option-table.js`: an object per set of options, which `check-options.ts` uses to validate them.
pub(crate) fn generate_option_table() -> String {
    let mut out = format!("// The options and the values that each accepts (see check-options.ts). {NOTICE}\n");
    for set in OPTION_SETS {
        let _ = write!(out, "\nexport const {} = {{\n", option_table_name(set));
        if let Some(base) = set.base {
            let _ = writeln!(out, "  ...{},", option_table_name(base));
        }
        for OptionSpec { name, accepted, .. } in set.options {
            let _ = writeln!(out, "  {name}: {{ {}, rule: {:?} }},", accepted.condition(), accepted.rule());
        }
        out.push_str("};\n");
    }
    out
}

/// Returns the name of the constant for a set of options in `option-table.js`.
fn option_table_name(set: &OptionSet) -> String {
    let (first, rest) = set.interface.split_at(1);
    first.to_lowercase() + rest
}

/// Generates `keys.js`: a function that joins the fields of a record's key. It recognizes the type of the record by a
/// field that only this type has.
pub(crate) fn generate_key_function() -> String {
    let mut out = format!(
        "// Natural keys of records. {NOTICE}\nimport {{ createParameterError }} from \"./errors.js\";\n\n\
         export function keyOf(record) {{\n"
    );
    for NaturalKey { mark, prefix, fields, .. } in NATURAL_KEYS {
        if fields.is_empty() {
            let _ = writeln!(out, "  if (\"{mark}\" in record) throw createParameterError(\"record\", \"{NO_KEY}\");");
            continue;
        }
        let read = |path: &str| format!("record.{}", path.replace('.', "?."));
        let fields = fields.iter().map(|field| field.split('|').map(read).collect::<Vec<_>>().join(" ?? "));
        let fields = fields.collect::<Vec<_>>().join(", ");
        let _ = writeln!(out, "  if (\"{mark}\" in record) return joinKey(\"{prefix}\", {fields});");
    }
    let _ = write!(
        out,
        "  throw createParameterError(\"record\", \"{NO_KEY}\");\n}}\n\n\
         /** Joins the parts in lower case, because the letter case of hashes differs between service versions. */\n\
         function joinKey(...parts) {{\n  return parts.join(\":\").toLowerCase();\n}}\n"
    );
    out
}

/// The error message for a record without a natural key.
const NO_KEY: &str = "must be a record with a natural key";
