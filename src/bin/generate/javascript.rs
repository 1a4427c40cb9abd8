//! Generates the JavaScript files.

use std::fmt::Write as _;

use address_query::endpoint::params::Address;
use address_query::error::ErrorCode;
use address_query::testing::client::{
    DEFAULT_CONCURRENCY, DEFAULT_PAGE_SIZE, FOREIGN_KEY, GATEWAY_KEY, MAX_PAGE_SIZE, OPTION_SETS, OptionSet,
    OptionSpec, PART_PAGES, resume,
};
use address_query::testing::decode::MAX_PLACES;
use address_query::testing::endpoint::{
    Allowed, MAX_CALLS, MAX_CONTRACTS, MAX_ROWS, Operation, ParamType, ResponseKind,
};
use address_query::testing::record::{Format, Kind, ValueType};
use address_query::testing::types::{DescribedRecord, RECORDS};

use crate::format::format_property;
use crate::requests::describe_first_request;
use crate::{Group, NOTICE, described_operations, method_name, module_class_name, modules};

/// Generates `constructors.js`: a constructor function per record, which creates an object literal from the slots of a
/// frame. Its last argument is the slot of the record: 0 for null, or one more than the position of its fields.
pub(crate) fn generate_constructors() -> String {
    let mut out = format!(
        "// Constructors of all records, from the slots of a frame (see frame.ts). {NOTICE}\n\
         import {{ addExtra, readBoolean, readInteger, readJson, readList, readString }} from \"./frame.js\";\n"
    );
    for DescribedRecord { table, .. } in RECORDS {
        let _ =
            write!(out, "\nfunction {}(slots, strings, at) {{\n  return --at < 0 ? null : addExtra({{\n", table.name);
        for (index, field) in table.fields.iter().enumerate() {
            let slot = if index == 0 { "slots[at]".into() } else { format!("slots[at + {index}]") };
            let is_variant = table.variants.as_ref().is_some_and(|variants| variants.field == index);
            let _ = writeln!(
                out,
                "    {}: {}{},",
                format_property(table.field_name(index)),
                format_slot_expression(field.value_type.kind, &slot),
                if is_variant { " ?? \"unknown\"" } else { "" }
            );
        }
        out.push_str("  }, at);\n}\n");
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
        Kind::Integer | Kind::Unsigned => format!("readInteger(strings, {slot})"),
        Kind::Boolean => format!("readBoolean({slot})"),
        Kind::Json | Kind::JsonObject | Kind::Number => format!("readJson({slot})"),
        Kind::Record(table) => format!("{}(slots, strings, {slot})", table.name),
        Kind::List(ValueType { kind: Kind::Record(table), .. }) => {
            format!("readList(slots, strings, {slot}, {})", table.name)
        }
        Kind::List(element) => {
            format!(
                "readList(slots, strings, {slot}, (slots, strings, slot) => {})",
                format_slot_expression(element.kind, "slot")
            )
        }
    }
}

/// Generates `endpoints.js`: a class with a method per list and lookup, one with a method per GraphQL operation, and a class
/// per module with a method per action.
pub(crate) fn generate_methods() -> String {
    let mut out = format!(
        "// The methods of a client. {NOTICE}\nimport {{ callMethod }} from \"./method.js\";\nimport {{ LazyListCall }} from \"./list.js\";\n\
         import {{ balancesOptions }} from \"./option-table.js\";\nimport {{ BlockRangeCall }} from \"./range.js\";\n\
         import {{ getSession, setSession }} from \"./session.js\";\n"
    );
    let all = described_operations();
    let select = |groups: &'static [Group]| {
        all.iter().map(|described| described.operation).filter(|operation| groups.contains(&Group::of(operation)))
    };
    out.push_str(&format_class("Endpoints", "", select(&[Group::Lists, Group::Lookups]).map(format_method)));
    out.push_str(&format_class("GraphqlQueries", "", select(&[Group::Graphql]).map(format_method)));
    for module in modules() {
        let (ranged, others): (Vec<_>, Vec<_>) = select(&[Group::Actions])
            .filter(|action| action.module() == Some(module))
            .partition(|action| action.range_form().is_some());
        let ranged = ranged.into_iter().map(|action| {
            format!(
                "    this.{name} = Object.assign((params, options) => callMethod(session, \"{request}\", params, options), {{\n      \
                 all: (params, options) => new BlockRangeCall(session, \"{name}\", params, options),\n    }});\n",
                name = action.name,
                request = describe_first_request(action)
            )
        });
        let others = others.into_iter().map(format_method);
        out.push_str(&format_class(&module_class_name(module), &ranged.collect::<String>(), others));
    }
    out
}

/// Generates a class that has a session. `fields` are additional statements for its constructor.
fn format_class(name: &str, fields: &str, methods: impl Iterator<Item = String>) -> String {
    let mut out =
        format!("\nexport class {name} {{\n  constructor(session) {{\n    setSession(this, session);\n{fields}  }}\n");
    for method in methods {
        let _ = write!(out, "\n  {method}\n");
    }
    out.push_str("}\n");
    out
}

/// Generates a method. The method of a list returns a list call, any other a promise of the result.
fn format_method(operation: &'static Operation) -> String {
    let (name, request) = (method_name(operation), describe_first_request(operation));
    if operation.kind == ResponseKind::List {
        return format!(
            "{name}(params, options) {{\n    return new LazyListCall(getSession(this), \"{request}\", params, options);\n  }}"
        );
    }
    // Whether it accepts options that other calls do not.
    let accepts_more = operation.kind == ResponseKind::Batched && Group::of(operation) == Group::Actions;
    let table = if accepts_more { ", balancesOptions" } else { "" };
    format!(
        "{name}(params, options) {{\n    return callMethod(getSession(this), \"{request}\", params, options{table});\n  }}"
    )
}

/// Generates `user-messages.js`: a sentence for users, for each error code.
pub(crate) fn generate_user_messages() -> String {
    let lines = ErrorCode::SENTENCES.iter().map(|(code, sentence)| format!("  {code}: {sentence:?},\n"));
    format!("// {NOTICE}\nexport const userMessages = {{\n{}}};\n", lines.collect::<String>())
}

/// Generates `option-table.js`: an object per set of options, which `arguments.ts` uses to validate them.
pub(crate) fn generate_option_table() -> String {
    let mut out = format!("// The options and the values that each accepts (see arguments.ts). {NOTICE}\n");
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

/// Generates `limits.js`: the limits and the format of resume tokens that TypeScript and Rust share.
pub(crate) fn generate_limits() -> String {
    let [Allowed::Hex(digits)] = Address::RULE.allowed else { unreachable!("an address hash has one form") };
    let limits = [
        ("DEFAULT_CONCURRENCY", u64::from(DEFAULT_CONCURRENCY)),
        ("DEFAULT_PAGE_SIZE", DEFAULT_PAGE_SIZE.into()),
        ("HELD_PAGES", 2 * PART_PAGES as u64),
        ("MAX_CALLS", MAX_CALLS as u64),
        ("MAX_CONTRACTS", MAX_CONTRACTS as u64),
        ("MAX_PAGE_SIZE", MAX_PAGE_SIZE.into()),
        ("MAX_PLACES", MAX_PLACES as u64),
        ("MAX_ROWS", MAX_ROWS),
    ];
    let rules = [
        ("FOREIGN_KEY", FOREIGN_KEY),
        ("GATEWAY_KEY", GATEWAY_KEY),
        ("MALFORMED_TOKEN", resume::MALFORMED),
        ("OTHER_REQUEST", resume::OTHER_REQUEST),
        ("OTHER_TOKEN_VERSION", resume::OTHER_VERSION),
        ("PROXY_PAGE", concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/www/guide/pages/proxy.md")),
        ("TOKEN_VERSION", resume::VERSION),
    ];
    let digest = [("DIGEST_OFFSET", resume::DIGEST_OFFSET), ("DIGEST_PRIME", resume::DIGEST_PRIME)];
    let lines = limits.map(|(name, value)| format!("export const {name} = {value};\n"));
    let digest = digest.map(|(name, value)| format!("export const {name} = {value:#x}n;\n"));
    let rules = rules.map(|(name, text)| format!("export const {name} = {text:?};\n"));
    format!(
        "// {NOTICE}\n\
         export const ADDRESS = /^0x[\\da-fA-F]{{{digits}}}$/;\n\
         {}{}{}",
        lines.concat(),
        digest.concat(),
        rules.concat()
    )
}

/// Returns the name of the constant for a set of options in `option-table.js`.
fn option_table_name(set: &OptionSet) -> String {
    let (first, rest) = set.interface.split_at(1);
    first.to_lowercase() + rest
}
