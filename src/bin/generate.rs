//! Generates files of the npm package from the declarations of records, operations and options. The files contain
//! constructors, methods, type declarations and the tables of the README.
//!
//! `cargo run --bin generate -- FOLDER` writes the files to the folder. `main` lists them.

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::ptr;

use address_query::client::EventKind;
use address_query::client::options::{Accepted, OPTION_SETS, OptionSet, OptionSpec};
use address_query::decode::DriftKind;
use address_query::endpoint::{
    DESCRIBED_ACTIONS, DESCRIBED_LISTS, DescribedAction, DescribedList, Operation, ParamSpec,
};
use address_query::error::ErrorCode;
use address_query::record::{Format, Kind};
use address_query::types::key::{NATURAL_KEYS, NaturalKey};
use address_query::types::{Described, RECORDS};

/// The notice at the top of every generated file.
const NOTICE: &str = "Generated from the declarations in src/; edit those.";

fn main() -> ExitCode {
    let Some(folder) = std::env::args().nth(1) else {
        eprintln!("usage: generate FOLDER");
        return ExitCode::FAILURE;
    };
    let files = [
        ("records.js", generate_constructors()),
        ("records.d.ts", generate_record_types()),
        ("endpoints.js", generate_methods()),
        ("endpoints.d.ts", generate_method_types()),
        ("codes.d.ts", generate_code_types()),
        ("option-table.js", generate_option_table()),
        ("options.d.ts", generate_option_types()),
        ("keys.js", generate_key_function()),
        ("keys.d.ts", generate_key_types()),
        ("FIELDS.md", generate_tables()),
    ];
    for (name, content) in files {
        let path = Path::new(&folder).join(name);
        if let Err(error) = std::fs::write(&path, content) {
            eprintln!("{}: {error}", path.display());
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// Generates `records.js`: a constructor function per record, which creates an object literal from the slots of a
/// frame.
fn generate_constructors() -> String {
    let mut out = format!(
        "// Constructors of all records, from the slots of a frame (see frame.js). {NOTICE}\n\
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
        Kind::Json | Kind::JsonObject => format!("readJson({slot})"),
        Kind::Record(table) => format!("{slot} === 0 ? null : {}(slots, strings, {slot} - 1)", table.name),
        Kind::List(element) => {
            format!(
                "{slot} === 0 ? [] : readList(slots, {slot}, (slot) => {})",
                format_slot_expression(element.kind, "slot")
            )
        }
    }
}

/// Iterates over the records that callers receive: all but the envelopes of actions.
fn public_records() -> impl Iterator<Item = &'static Described> {
    let is_envelope =
        |table| DESCRIBED_ACTIONS.iter().any(|described| ptr::eq(described.action.layout.envelope, table));
    RECORDS.iter().filter(move |described| !is_envelope(described.table))
}

/// Generates `records.d.ts`: an interface per record, and a type per open enum.
fn generate_record_types() -> String {
    let mut out =
        format!("// The records that the service returns. {NOTICE}\n\n{}", include_str!("generate/values.d.ts"));
    let mut enums: Vec<(String, &[&str])> = Vec::new();
    for Described { table, docs, typescript } in public_records() {
        let _ = write!(out, "\n{}export interface {} {{\n", format_comment(docs.0, ""), table.name);
        for (((index, field), doc), kind) in table.fields.iter().enumerate().zip(docs.1).zip(typescript()) {
            if let Kind::String(Format::OpenEnum(known)) = field.value_type.kind {
                let name = kind.trim_end_matches(" | null").to_owned();
                if !enums.iter().any(|(known_name, _)| *known_name == name) {
                    enums.push((name, known));
                }
            }
            let _ =
                writeln!(out, "{}  {}: {kind};", format_comment(doc, "  "), format_property(table.field_name(index)));
        }
        out.push_str("  /** Fields that are not documented. Present only with the option `keepExtra: true`. */\n  extra?: JsonObject;\n}\n");
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

/// Generates `endpoints.js`: a method per list and action.
fn generate_methods() -> String {
    let mut out = format!(
        "// The methods of a client. {NOTICE}\nimport {{ ListCall }} from \"./list.js\";\n\n\
         export class Endpoints {{\n  #openList;\n\n  constructor(openList) {{\n    this.#openList = openList;\n  }}\n"
    );
    for DescribedList { list, .. } in DESCRIBED_LISTS {
        let _ = write!(
            out,
            "\n  {name}(params, options) {{\n    return new ListCall(this.#openList, \"{name}\", params, options);\n  }}\n",
            name = list.name
        );
    }
    out.push_str("}\n\nexport class AccountActions {\n  #callAction;\n\n  constructor(callAction, createRange) {\n    this.#callAction = callAction;\n");
    for action in DESCRIBED_ACTIONS.iter().filter(|action| action.ranged) {
        let name = action.action.name;
        let _ = write!(
            out,
            "    this.{name} = Object.assign((params, options) => callAction(\"{name}\", params, options), {{\n      \
             all: (params, options) => createRange(\"{name}\", params, options),\n    }});\n"
        );
    }
    out.push_str("  }\n");
    for action in DESCRIBED_ACTIONS.iter().filter(|action| !action.ranged) {
        let name = action.action.name;
        let _ = write!(
            out,
            "\n  {name}(params, options) {{\n    return this.#callAction(\"{name}\", params, options);\n  }}\n"
        );
    }
    out.push_str("}\n");
    out
}

/// Generates `endpoints.d.ts`: the types of parameters, cursors and methods.
fn generate_method_types() -> String {
    let mut items: Vec<&str> =
        DESCRIBED_LISTS.iter().flat_map(|described| [described.list.item.name, described.list.envelope.name]).collect();
    items.extend(DESCRIBED_ACTIONS.iter().filter(|action| action.value.is_none()).map(|a| a.action.layout.row.name));
    items.push("Hex");
    items.sort_unstable();
    items.dedup();
    let mut out = format!(
        "// The methods of a client. {NOTICE}\nimport type {{ ActionOptions, BalancesOptions, ListCall, ListOptions, RangedAction, Rows, TokenStandardFilter }} from \"./index.js\";\n\
         import type {{ {} }} from \"./records.js\";\n",
        items.join(", ")
    );
    for described in DESCRIBED_LISTS {
        let DescribedList { params_name, list, docs, types, cursor } = described;
        if !list.params.is_empty() {
            out.push_str(&format_params_type(params_name, list, docs.1, types));
        }
        let _ = write!(
            out,
            "\n/** The cursor of `{}`, for information. To continue the list, use `resumeToken`. */\n\
             export interface {} {{\n",
            list.name,
            cursor_type_name(params_name)
        );
        for (key, kind) in *cursor {
            match kind.strip_suffix(" | undefined") {
                Some(kind) => writeln!(out, "  {key}?: {kind};"),
                None => writeln!(out, "  {key}: {kind};"),
            }
            .unwrap_or_default();
        }
        out.push_str("  [key: string]: string | number | boolean | null | undefined;\n}\n");
    }
    out.push_str("\n/** One method per list of the REST API. */\nexport declare class Endpoints {\n");
    for described in DESCRIBED_LISTS {
        let DescribedList { params_name, list, docs, .. } = described;
        let doc = format!(
            "{}\n\n`GET {}`\n\n@example\n```ts\nconst page = await client.{}({});\nfor await (const item of client.{}({})) {{ … }}\n```",
            docs.0.trim_end(),
            list.path,
            list.name,
            format_example_arguments(list.params),
            list.name,
            format_example_arguments(list.params),
        );
        let optional = if list.params.iter().any(|param| param.required) { "" } else { "?" };
        let _ = write!(
            out,
            "{}  {}(\n    params{optional}: {params_name},\n    options?: ListOptions,\n  ): ListCall<{}, {}, {}>;\n\n",
            format_comment(&doc, "  "),
            list.name,
            list.item.name,
            cursor_type_name(params_name),
            list.envelope.name,
        );
    }
    out.truncate(out.trim_end().len());
    out.push_str("\n}\n");
    out.push_str(&format_action_types());
    out
}

/// Generates the interface of the parameters of an operation.
fn format_params_type(name: &str, operation: &Operation, docs: &[&str], types: &[&str]) -> String {
    let mut out = format!("\n/** Parameters of `{}`. */\nexport interface {name} {{\n", operation.name);
    for ((param, doc), kind) in operation.params.iter().zip(docs).zip(types) {
        let doc = format!("{doc}Must be {}.", param.rule.must_be);
        let (optional, undefined) = if param.required { ("", "") } else { ("?", " | undefined") };
        let _ = writeln!(
            out,
            "{}  {}{optional}: {kind}{undefined};",
            format_comment(&doc, "  "),
            format_property(param.name)
        );
    }
    out.push_str("}\n");
    out
}

/// Generates the parameters of the actions, and the class `AccountActions` with a method per action.
fn format_action_types() -> String {
    let mut out = String::new();
    for DescribedAction { params_name, action, docs, types, .. } in DESCRIBED_ACTIONS {
        out.push_str(&format_params_type(params_name, action, docs.1, types));
    }
    out.push_str("\n/** One method per action of the account module. */\nexport declare class AccountActions {\n");
    for DescribedAction { params_name, action, docs, value, ranged, .. } in DESCRIBED_ACTIONS {
        let name = action.name;
        let result = match value {
            Some(_) => "balance",
            None if name == "balanceMulti" => "balances",
            None => "{ items }",
        };
        let doc = format!(
            "{}\n\n`GET {}`\n\n@example\n```ts\nconst {result} = await client.account.{name}({});\n```",
            docs.0.trim_end(),
            action.path,
            format_action_arguments(action.params),
        );
        out.push_str(&format_comment(&doc, "  "));
        let optional = if action.params.iter().any(|param| param.required) { "" } else { "?" };
        let row = action.layout.row.name;
        let _ = match value {
            _ if *ranged => writeln!(out, "  readonly {name}: RangedAction<{params_name}, {row}>;"),
            Some(value) => {
                writeln!(
                    out,
                    "  {name}(params{optional}: {params_name}, options?: ActionOptions): Promise<{}>;",
                    value()
                )
            }
            None if name == "balanceMulti" => {
                writeln!(out, "  {name}(params: {params_name}, options?: BalancesOptions): Promise<{row}[]>;")
            }
            None => {
                writeln!(
                    out,
                    "  {name}(params{optional}: {params_name}, options?: ActionOptions): Promise<Rows<{row}>>;"
                )
            }
        };
        out.push('\n');
    }
    out.truncate(out.trim_end().len());
    out.push_str("\n}\n");
    out
}

/// Returns the arguments of a list call in an example.
fn format_example_arguments(params: &[ParamSpec]) -> &'static str {
    if params.iter().any(|param| param.required) { "{ address_hash }" } else { "" }
}

/// Returns the arguments of an action call in an example: the required parameters, and the address if there is one.
fn format_action_arguments(params: &[ParamSpec]) -> String {
    let is_used = |param: &&ParamSpec| param.required || param.name == "address";
    let names: Vec<&str> = params.iter().filter(is_used).map(|param| param.name).collect();
    if names.is_empty() { String::new() } else { format!("{{ {} }}", names.join(", ")) }
}

/// Returns the name of the cursor type of a list.
fn cursor_type_name(params_name: &str) -> String {
    format!("{}Cursor", params_name.trim_end_matches("Params"))
}

/// Generates `codes.d.ts`: error codes, kinds of drift and kinds of events.
fn generate_code_types() -> String {
    let mut out = format!("// Error codes, kinds of drift and kinds of events. {NOTICE}\n");
    for (name, about, codes) in [
        ("ErrorCode", "The code of an error.", ErrorCode::ALL),
        (
            "DriftKind",
            "The kind of drift. Drift is a difference between a response and its documentation that the client tolerates.",
            DriftKind::ALL,
        ),
        ("EventKind", "The kind of an event.", EventKind::ALL),
    ] {
        let _ = write!(out, "\n/**\n * {about}\n *\n");
        for (code, doc) in codes {
            let _ = writeln!(out, " * - `{code}`: {}", join_lines(doc));
        }
        let codes: Vec<String> = codes.iter().map(|(code, _)| format!("\"{code}\"")).collect();
        let _ = write!(out, " */\nexport type {name} = {};\n", codes.join(" | "));
    }
    out
}

/// Generates `option-table.js`: an object per set of options, which `options.js` uses to validate them.
fn generate_option_table() -> String {
    let mut out = format!("// The options and the values that each accepts (see options.js). {NOTICE}\n");
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

/// Generates `options.d.ts`: an interface per set of options.
fn generate_option_types() -> String {
    let mut out = format!(
        "// The options of a client and of its calls. {NOTICE}\n\
         import type {{ BadRecord, ClientEvent, Drift, RangeReport }} from \"./index.js\";\n\
         import type {{ AbortSignalLike, FetchRequest, FetchResponse }} from \"./platform.js\";\n"
    );
    for set in OPTION_SETS {
        let base = set.base.map(|base| format!(" extends {}", base.interface)).unwrap_or_default();
        let _ = write!(out, "\n{}export interface {}{base} {{\n", format_comment(set.doc, ""), set.interface);
        for option in set.options {
            let OptionSpec { name, accepted, .. } = option;
            let mut doc = option.doc.to_owned();
            if let Accepted::Number(..) | Accepted::Integer(..) | Accepted::Milliseconds(_) = accepted {
                let rule = accepted.rule();
                let _ = writeln!(doc, "{}.", rule.replacen("must be a", "A", 1));
            }
            if let Some(default) = option.default() {
                let _ = writeln!(doc, "@defaultValue `{default}`");
            }
            let kind = option.typescript();
            let member = match accepted {
                Accepted::RequiredString(_) => format!("{name}: {kind}"),
                Accepted::Function => format!("{name}?: ({kind}) | undefined"),
                _ => format!("{name}?: {kind} | undefined"),
            };
            let _ = writeln!(out, "{}  {member};", format_comment(&doc, "  "));
        }
        out.push_str("}\n");
    }
    out
}

/// Generates `keys.js`: a function that joins the fields of a record's key. It recognizes the type of the record by a
/// field that only this type has.
fn generate_key_function() -> String {
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

/// Generates `keys.d.ts`: the records that have keys, and the fields of each key.
fn generate_key_types() -> String {
    let keyed = || NATURAL_KEYS.iter().filter(|key| !key.fields.is_empty());
    let names: Vec<&str> = keyed().flat_map(|key| key.records).copied().collect();
    let mut out = format!(
        "// Natural keys of records. {NOTICE}\nimport type {{ {} }} from \"./records.js\";\n\n\
         /** A record with a natural key. */\nexport type KeyedRecord = {};\n\n",
        names.join(", "),
        names.join(" | ")
    );
    let mut doc = String::from(
        "Returns the natural key of a record: the same string whenever the record is read, from any page, session or version of\n\
         the service. Use it as a key in lists of a user interface and in databases.\n\n@remarks\nKeys are unique within one chain, with these limits:\n\n",
    );
    for NaturalKey { records, prefix, fields, unique, .. } in NATURAL_KEYS {
        let records = records.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        if fields.is_empty() {
            let _ = writeln!(doc, "- {records}: no key. {unique} The type excludes them.");
            continue;
        }
        let fields = fields.iter().map(|field| format!("`{}`", field.replace('|', "` or `"))).collect::<Vec<_>>();
        let _ = writeln!(doc, "- {records}: `{prefix}` with {}. {unique}", fields.join(", "));
    }
    doc.push_str(
        "\n@example\n```ts\nconst rows = new Map(page.items.map((log) => [keyOf(log), log]));\n```\n\
         @throws {AddressQueryError} `invalid_parameter` for an object without a natural key.",
    );
    let _ = writeln!(out, "{}export declare function keyOf(record: KeyedRecord): string;", format_comment(&doc, ""));
    out
}

/// Generates `FIELDS.md`: tables of options, lists, actions, error codes and records.
fn generate_tables() -> String {
    let mut out = String::from("## Options\n");
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
    out.push_str("\n## API reference\n\n### Lists\n\n| Method | Path | Parameters | Items |\n|---|---|---|---|\n");
    for DescribedList { list, .. } in DESCRIBED_LISTS {
        let item = list.item.name;
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
    for DescribedAction { action, value, ranged, .. } in DESCRIBED_ACTIONS {
        let result = match value {
            Some(value) => format!("`{}`", value().replace('|', "\\|")),
            None => format!("[{0}](#{1}) rows", action.layout.row.name, action.layout.row.name.to_lowercase()),
        };
        let service_name = action.service_name();
        let all = if *ranged { ", `.all()`" } else { "" };
        let _ = writeln!(
            out,
            "| `{}`{all} | `{service_name}` | {} | {result} |",
            action.name,
            format_param_names(action.params)
        );
    }
    out.push_str("\n### Error codes\n\n| Code | Meaning |\n|---|---|\n");
    for (code, doc) in ErrorCode::ALL {
        let _ = writeln!(out, "| `{code}` | {} |", join_lines(doc));
    }
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
    out
}

/// Returns the names of parameters for a table cell, with `?` after each optional one.
fn format_param_names(params: &[ParamSpec]) -> String {
    let names = params.iter().map(|param| format!("`{}`{}", param.name, if param.required { "" } else { "?" }));
    names.collect::<Vec<_>>().join(", ")
}

/// Returns the name of a property, quoted where JavaScript requires it.
fn format_property(name: &str) -> String {
    let plain =
        name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !name.starts_with(|c: char| c.is_ascii_digit());
    if plain { name.into() } else { format!("\"{name}\"") }
}

/// Joins the lines of a doc comment.
fn join_lines(doc: &str) -> String {
    doc.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Formats the text of a Rust doc comment as a `JSDoc` comment.
fn format_comment(doc: &str, indent: &str) -> String {
    let lines: Vec<&str> = doc.trim().lines().map(str::trim_start).collect();
    match lines.as_slice() {
        [line] => format!("{indent}/** {line} */\n"),
        lines => {
            let body: String =
                lines.iter().map(|line| format!("{indent} * {line}").trim_end().to_owned() + "\n").collect();
            format!("{indent}/**\n{body}{indent} */\n")
        }
    }
}
