//! Generates the TypeScript declarations of methods, codes, objects and options.

use std::fmt::Write as _;

use address_query::client::{Credits, Event, EventKind, IncompleteBlock, InstanceInfo, RangeReport, UnprocessedRange};
use address_query::error::{Details, ErrorCode};
use address_query::testing::client::{Accepted, BatchState, OPTION_SETS, OptionSpec};
use address_query::testing::decode::{BadRecord, Drift, DriftKind, Omitted, OmittedPlace};
use address_query::testing::endpoint::{
    DescribedOperation, Operation, ParamSpec, ResponseKind, TOKEN_STANDARDS, Version, requires_page_and_offset,
};
use address_query::testing::object::{MemberSpec, Object as _, ObjectSpec};

use crate::format::{format_comment, format_property, join_lines};
use crate::{Group, NOTICE, call_name, described_operations, method_name, module_class_name, modules};

/// Generates `endpoints.d.ts`: the types of parameters, cursors and methods.
pub(crate) fn generate_method_types() -> String {
    let all = described_operations();
    let select = |groups: &'static [Group]| all.iter().filter(|one| groups.contains(&Group::of(one.operation)));
    let mut items = vec!["ClosestBlock", "Hex"];
    for DescribedOperation { operation, .. } in all.iter().filter(|one| one.value.is_none()) {
        items.push(operation.layout.row.name);
        if operation.kind == ResponseKind::List {
            items.push(operation.layout.envelope.name);
        }
    }
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
    out.extend(select(&[Group::Lists, Group::Lookups]).map(format_params_type));
    out.push_str(&format_class("Endpoints", "operation of the REST API", select(&[Group::Lists, Group::Lookups])));
    out.push_str(ROWS_PAGE);
    out.extend(select(&[Group::Actions]).map(format_params_type));
    for module in modules() {
        let actions = select(&[Group::Actions]).filter(|one| one.operation.module() == Some(module));
        out.push_str(&format_class(&module_class_name(module), &format!("action of the {module} module"), actions));
    }
    out.extend(select(&[Group::Graphql]).map(format_params_type));
    out.push_str(
        "\n/** The cursor of a GraphQL list, for information. To continue the list, use `resumeToken`. */\n\
         export interface GraphqlCursor {\n  after: string;\n  [key: string]: string | number | boolean | null | undefined;\n}\n",
    );
    out.push_str(&format_class("GraphqlQueries", "GraphQL operation", select(&[Group::Graphql])));
    out
}

/// Generates a class with methods.
fn format_class<'a>(name: &str, about: &str, methods: impl Iterator<Item = &'a DescribedOperation>) -> String {
    let methods: String = methods.map(format_method).collect();
    format!(
        "\n/** One method per {about}. */\nexport declare class {name} {{\n  protected constructor(...dependencies: unknown[]);\n\n{}\n}}\n",
        methods.trim_end()
    )
}

/// Generates a method, or the property with the methods of a ranged action.
fn format_method(described: &DescribedOperation) -> String {
    let DescribedOperation { params_name, operation, docs, value, .. } = described;
    let (name, call, arguments) =
        (method_name(operation), call_name(operation), format_example_arguments(operation.params));
    let is_action = Group::of(operation) == Group::Actions;
    let row = operation.layout.row.name;
    let params = format_params(params_name, operation.params);
    let result = match operation.kind {
        ResponseKind::Batched if is_action => "balances",
        ResponseKind::Rows | ResponseKind::Ranged(_) => "{ items }",
        _ => "result",
    };
    let mut example = format!("const {result} = await client.{call}({arguments});");
    let signature = match operation.kind {
        ResponseKind::List => {
            example = format!(
                "const page = await client.{call}({arguments});\nfor await (const item of client.{call}({arguments})) {{ … }}"
            );
            let (cursor, envelope) = (cursor_type_name(described), operation.layout.envelope.name);
            format!("{name}(\n    {params},\n    options?: ListOptions,\n  ): ListCall<{row}, {cursor}, {envelope}>")
        }
        ResponseKind::Ranged(_) => format!("readonly {name}: RangedAction<{params_name}, {row}>"),
        ResponseKind::Batched if is_action => format!("{name}({params}, options?: BalancesOptions): Promise<{row}[]>"),
        kind => {
            let promised = match (kind, value) {
                (_, Some(value)) => value(),
                (ResponseKind::Rows, _) => format!("Rows<{row}>"),
                (ResponseKind::Batched, _) => format!("{row}[]"),
                _ => row.to_owned(),
            };
            format!("{name}({params}, options?: ActionOptions): Promise<{promised}>")
        }
    };
    let options = describe_list_options(operation).map_or_else(String::new, |options| format!("\n\n{options}"));
    let doc = format!(
        "{}{options}\n\n`{} {}`\n\n@example\n```ts\n{example}\n```",
        format_operation_doc(docs.0, operation),
        operation.http_method(),
        operation.path
    );
    format!("{}  {signature};\n\n", format_comment(&doc, "  "))
}

/// Describes the options that depend on the order of a list. `None` if there are none.
pub(crate) fn describe_list_options(operation: &Operation) -> Option<&'static str> {
    const BOTH: &str =
        "The option `concurrency` reads several parts concurrently, `order: \"asc\"` reads it oldest first.";
    let order = operation.is_sorted_by_block.then_some("The option `order: \"asc\"` reads it oldest first.");
    operation.keyset.map(|_| BOTH).or(order)
}

/// Returns the declaration of the parameter `params` of a method.
fn format_params(params_name: &str, params: &[ParamSpec]) -> String {
    let optional = if params.iter().any(|param| param.required) { "" } else { "?" };
    let name = if params.is_empty() { "Record<string, never>" } else { params_name };
    format!("params{optional}: {name}")
}

/// The type of the parameters that must be passed together or not at all.
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

/// Generates the type of the parameters of an operation, and the type of its cursor. Where the action rejects `page`
/// without `offset`, so does the compiler.
fn format_params_type(described: &DescribedOperation) -> String {
    let DescribedOperation { params_name: name, operation, docs, types, cursor, .. } = described;
    let call = if Group::of(operation) == Group::Graphql { call_name(operation) } else { operation.name.to_owned() };
    let members = |without| format_members(operation.params, docs.1, types, without);
    let mut out = String::new();
    if requires_page_and_offset(operation) {
        let members = members(&["page", "offset"]);
        let _ = write!(out, "\n/** Parameters of `{call}`. */\nexport type {name} = RowsPage & {{\n{members}}};\n");
    } else if !operation.params.is_empty() {
        let _ = write!(out, "\n/** Parameters of `{call}`. */\nexport interface {name} {{\n{}}}\n", members(&[]));
    }
    if cursor.is_empty() {
        return out;
    }
    let _ = write!(
        out,
        "\n/** The cursor of `{call}`, for information. To continue the list, use `resumeToken`. */\n\
         export interface {} {{\n",
        cursor_type_name(described)
    );
    for (key, kind) in *cursor {
        let _ = match kind.strip_suffix(" | undefined") {
            Some(kind) => writeln!(out, "  {key}?: {kind};"),
            None => writeln!(out, "  {key}: {kind};"),
        };
    }
    out.push_str("  [key: string]: string | number | boolean | null | undefined;\n}\n");
    out
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

/// Returns the documentation of an operation, with the first version that has it.
fn format_operation_doc(doc: &str, operation: &Operation) -> String {
    format!("{}{}", doc.trim_end(), format_since(operation.since))
}

/// Returns the sentence about the first version that has an operation or parameter, if older versions lack it.
fn format_since(since: Option<Version>) -> String {
    since.map(|since| format!(" Since backend version {}.", since.format())).unwrap_or_default()
}

/// Returns the arguments of a call in an example: the required parameters, and the address if there is one.
pub(crate) fn format_example_arguments(params: &[ParamSpec]) -> String {
    let is_used = |param: &&ParamSpec| param.required || param.name == "address";
    let names: Vec<&str> = params.iter().filter(is_used).map(|param| param.name).collect();
    if names.is_empty() { String::new() } else { format!("{{ {} }}", names.join(", ")) }
}

/// Returns the name of the cursor type of a list. GraphQL lists share one, and lists of one page have none.
fn cursor_type_name(DescribedOperation { params_name, operation, cursor, .. }: &DescribedOperation) -> String {
    match Group::of(operation) {
        Group::Graphql => "GraphqlCursor".into(),
        _ if cursor.is_empty() => "never".into(),
        _ => format!("{}Cursor", params_name.trim_end_matches("Params")),
    }
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
