//! Generates the TypeScript declarations of methods, codes, objects and options.

use std::fmt::Write as _;

use address_query::client::{Credits, Event, EventKind, IncompleteBlock, InstanceInfo, RangeReport, UnprocessedRange};
use address_query::error::{Details, ErrorCode};
use address_query::testing::client::{Accepted, BatchState, OPTION_SETS, OptionSpec};
use address_query::testing::decode::{BadRecord, Drift, DriftKind, Omitted, OmittedPlace};
use address_query::testing::endpoint::{
    ActionKind, DESCRIBED_ACTIONS, DESCRIBED_LISTS, DESCRIBED_LOOKUPS, DescribedAction, DescribedList, DescribedLookup,
    Operation, ParamSpec, TOKEN_STANDARDS, Version, requires_page_and_offset,
};
use address_query::testing::object::{MemberSpec, Object as _, ObjectSpec};

use crate::format::{format_comment, format_property, join_lines};
use crate::{NOTICE, module_class_name, modules};

/// Generates `endpoints.d.ts`, without GraphQL: the types of parameters, cursors and methods.
pub(crate) fn generate_method_types() -> String {
    let mut items: Vec<&str> = DESCRIBED_LISTS
        .iter()
        .flat_map(|described| [described.list.layout.row.name, described.list.layout.envelope.name])
        .collect();
    items.extend(DESCRIBED_ACTIONS.iter().filter(|action| action.value.is_none()).map(|a| a.action.layout.row.name));
    items.extend(DESCRIBED_LOOKUPS.iter().map(|described| described.lookup.layout.row.name));
    items.extend(["ClosestBlock", "Hex"]);
    items.sort_unstable();
    items.dedup();
    let mut out = format!(
        "// The methods of a client. {NOTICE}\nimport type {{ ActionOptions, BalancesOptions, ListCall, ListOptions, RangedAction, Rows }} from \"./index.js\";\n\
         import type {{ {} }} from \"./records.js\";\n",
        items.join(", ")
    );
    for (name, doc, standards) in TOKEN_STANDARDS {
        let doc = format_comment(&[doc.trim_end_matches('.'), " to filter by."].concat(), "");
        let _ = write!(out, "\n{doc}export type {name} = \"{}\";\n", standards.join("\" | \""));
    }
    for described in DESCRIBED_LISTS {
        let DescribedList { params_name, list, docs, types, cursor } = described;
        if !list.params.is_empty() {
            out.push_str(&format_params_type(params_name, list.name, list.params, docs.1, types));
        }
        if cursor.is_empty() {
            continue;
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
    for DescribedLookup { params_name, lookup, docs, types } in DESCRIBED_LOOKUPS {
        if !lookup.params.is_empty() {
            out.push_str(&format_params_type(params_name, lookup.name, lookup.params, docs.1, types));
        }
    }
    out.push_str(&format_rest_methods());
    out.push_str(ROWS_PAGE);
    out.extend(DESCRIBED_ACTIONS.iter().map(format_action_params_type));
    for module in modules() {
        out.push_str(&format_action_methods(module));
    }
    out
}

/// Generates the class `Endpoints` with a method per list and lookup.
fn format_rest_methods() -> String {
    let mut out = String::new();
    out.push_str("\n/** One method per operation of the REST API. */\nexport declare class Endpoints {\n  protected constructor(...dependencies: unknown[]);\n\n");
    for described in DESCRIBED_LISTS {
        let DescribedList { params_name, list, docs, cursor, .. } = described;
        let parts = if list.keyset.is_some() {
            "\n\nThe option `concurrency` reads several parts at the same time."
        } else {
            ""
        };
        let doc = format!(
            "{}{parts}\n\n`GET {}`\n\n@example\n```ts\nconst page = await client.{}({});\nfor await (const item of client.{}({})) {{ … }}\n```",
            format_operation_doc(docs.0, list),
            list.path,
            list.name,
            format_example_arguments(list.params),
            list.name,
            format_example_arguments(list.params),
        );
        let _ = write!(
            out,
            "{}  {}(\n    {},\n    options?: ListOptions,\n  ): ListCall<{}, {}, {}>;\n\n",
            format_comment(&doc, "  "),
            list.name,
            format_params(params_name, list.params),
            list.layout.row.name,
            if cursor.is_empty() { "never".into() } else { cursor_type_name(params_name) },
            list.layout.envelope.name,
        );
    }
    for DescribedLookup { params_name, lookup, docs, .. } in DESCRIBED_LOOKUPS {
        let doc = format!(
            "{}\n\n`GET {}`\n\n@example\n```ts\nconst result = await client.{name}({});\n```",
            format_operation_doc(docs.0, lookup),
            lookup.path,
            format_example_arguments(lookup.params),
            name = lookup.name,
        );
        let _ = write!(
            out,
            "{}  {}({}, options?: ActionOptions): Promise<{}>;\n\n",
            format_comment(&doc, "  "),
            lookup.name,
            format_params(params_name, lookup.params),
            lookup.layout.row.name,
        );
    }
    out.truncate(out.trim_end().len());
    out.push_str("\n}\n");
    out
}

/// Returns the declaration of the parameter `params` of a method.
pub(crate) fn format_params(params_name: &str, params: &[ParamSpec]) -> String {
    let optional = if params.iter().any(|param| param.required) { "" } else { "?" };
    let name = if params.is_empty() { "Record<string, never>" } else { params_name };
    format!("params{optional}: {name}")
}

/// The type of the parameters that are given together or not at all.
const ROWS_PAGE: &str = "
/** A page of rows: both parameters, or none. */
export type RowsPage =
  | {
      /** The page number, from 1. */
      page: number;
      /** The maximum number of rows per page: 1 to 10,000. */
      offset: number;
    }
  | { page?: undefined; offset?: undefined };
";

/// Generates the interface of the parameters of an operation.
pub(crate) fn format_params_type(
    name: &str,
    method: &str,
    params: &[ParamSpec],
    docs: &[&str],
    types: &[&str],
) -> String {
    let members = format_members(params, docs, types, &[]);
    format!("\n/** Parameters of `{method}`. */\nexport interface {name} {{\n{members}}}\n")
}

/// Generates the type of the parameters of an action. `page` without `offset` is an error of the compiler where it is one of the action.
fn format_action_params_type(described: &DescribedAction) -> String {
    let DescribedAction { params_name, action, docs, types, .. } = described;
    if !requires_page_and_offset(action) {
        return format_params_type(params_name, action.name, action.params, docs.1, types);
    }
    let members = format_members(action.params, docs.1, types, &["page", "offset"]);
    format!(
        "\n/** Parameters of `{}`. */\n\
         export type {params_name} = RowsPage & {{\n{members}}};\n",
        action.name
    )
}

/// Generates the members of a type of parameters, without some of them.
fn format_members(params: &[ParamSpec], docs: &[&str], types: &[&str], without: &[&str]) -> String {
    let mut out = String::new();
    for ((param, doc), kind) in
        params.iter().zip(docs).zip(types).filter(|((param, _), _)| !without.contains(&param.name))
    {
        let doc = format!("{doc}Must be {}.{}", param.rule.must_be, format_since(param.since));
        let (optional, undefined) = if param.required { ("", "") } else { ("?", " | undefined") };
        let _ = writeln!(
            out,
            "{}  {}{optional}: {kind}{undefined};",
            format_comment(&doc, "  "),
            format_property(param.name)
        );
    }
    out
}

/// Generates the class of a module with a method per action.
fn format_action_methods(module: &str) -> String {
    let mut out = format!(
        "\n/** One method per action of the {module} module. */\nexport declare class {} {{\n  protected constructor(...dependencies: unknown[]);\n\n",
        module_class_name(module)
    );
    for DescribedAction { params_name, action, docs, value, .. } in
        DESCRIBED_ACTIONS.iter().filter(|described| described.action.module == module)
    {
        let name = action.name;
        let result = match action.kind {
            ActionKind::Value => "result",
            ActionKind::Batched => "balances",
            ActionKind::Rows | ActionKind::Called | ActionKind::Ranged(_) => "{ items }",
        };
        let doc = format!(
            "{}\n\n`{} {}`\n\n@example\n```ts\nconst {result} = await client.{module}.{name}({});\n```",
            format_operation_doc(docs.0, action),
            action.http_method(),
            action.path,
            format_example_arguments(action.params),
        );
        out.push_str(&format_comment(&doc, "  "));
        let row = action.layout.row.name;
        let params = format_params(params_name, action.params);
        let _ = match action.kind {
            ActionKind::Value => {
                let value = value.map(|value| value()).unwrap_or_default();
                writeln!(out, "  {name}({params}, options?: ActionOptions): Promise<{value}>;")
            }
            ActionKind::Rows | ActionKind::Called => {
                writeln!(out, "  {name}({params}, options?: ActionOptions): Promise<Rows<{row}>>;")
            }
            ActionKind::Ranged(_) => writeln!(out, "  readonly {name}: RangedAction<{params_name}, {row}>;"),
            ActionKind::Batched => writeln!(out, "  {name}({params}, options?: BalancesOptions): Promise<{row}[]>;"),
        };
        out.push('\n');
    }
    out.truncate(out.trim_end().len());
    out.push_str("\n}\n");
    out
}

/// Returns the documentation of an operation, with the first version that has it.
pub(crate) fn format_operation_doc(doc: &str, operation: &Operation) -> String {
    format!("{}{}", doc.trim_end(), format_since(operation.since))
}

/// Returns the sentence about the first version that has an operation or parameter, if older ones do not.
fn format_since(since: Option<Version>) -> String {
    since.map(|since| format!(" Since backend version {}.", since.format())).unwrap_or_default()
}

/// Returns the arguments of a call in an example: the required parameters, and the address if there is one.
pub(crate) fn format_example_arguments(params: &[ParamSpec]) -> String {
    let is_used = |param: &&ParamSpec| param.required || param.name == "address";
    let names: Vec<&str> = params.iter().filter(is_used).map(|param| param.name).collect();
    if names.is_empty() { String::new() } else { format!("{{ {} }}", names.join(", ")) }
}

/// Returns the name of the cursor type of a list.
fn cursor_type_name(params_name: &str) -> String {
    format!("{}Cursor", params_name.trim_end_matches("Params"))
}

/// Generates `codes.d.ts`: error codes, kinds of drift and kinds of events.
pub(crate) fn generate_code_types() -> String {
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

/// Generates `objects.d.ts`: an interface per object.
pub(crate) fn generate_object_types() -> String {
    let mut out = format!(
        "// Reports, events, details of errors, and other objects that are not records. {NOTICE}\n\
         import type {{ DriftKind, ErrorCode, EventKind }} from \"./codes.js\";\n"
    );
    for ObjectSpec { interface, doc, members } in [
        RangeReport::spec(),
        IncompleteBlock::spec(),
        UnprocessedRange::spec(),
        Omitted::spec(),
        OmittedPlace::spec(),
        BatchState::spec(),
        InstanceInfo::spec(),
        Details::spec(),
        Event::spec(),
        Credits::spec(),
        Drift::spec(),
        BadRecord::spec(),
    ] {
        let _ = write!(out, "\n{}export interface {interface} {{\n", format_comment(doc, ""));
        for MemberSpec { name, doc, is_optional, typescript } in members {
            let member = match typescript.strip_suffix(" | null") {
                Some(typescript) if is_optional => format!("{name}?: {typescript}"),
                _ => format!("{name}: {typescript}"),
            };
            let _ = writeln!(out, "{}  {member};", format_comment(doc, "  "));
        }
        out.push_str("}\n");
    }
    out
}

/// Generates `options.d.ts`: an interface per set of options.
pub(crate) fn generate_option_types() -> String {
    let mut out = format!(
        "// The options of a client and of its calls. {NOTICE}\n\
         import type {{ BadRecord, ClientEvent, Drift, RangeReport }} from \"./index.js\";\n\
         import type {{ ChainLike }} from \"./chain.js\";\n\
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
                Accepted::Function | Accepted::Callback(_) => format!("{name}?: ({kind}) | undefined"),
                _ => format!("{name}?: {kind} | undefined"),
            };
            let _ = writeln!(out, "{}  {member};", format_comment(&doc, "  "));
        }
        out.push_str("}\n");
    }
    out
}
