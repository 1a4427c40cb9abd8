//! Prints the declarations of all records as JSON. The schemas of the contenders are derived from them.

use address_query::testing::record::{Format, Kind, Table, ValueType};
use address_query::testing::types::{DescribedRecord, RECORDS};
use serde_json::{Value, json};

fn main() {
    let records: serde_json::Map<String, Value> =
        RECORDS.iter().map(|DescribedRecord { table, .. }| (table.name.to_owned(), fields(table))).collect();
    println!("{}", Value::Object(records));
}

fn fields(table: &Table) -> Value {
    let names = |field| table.field_names(field).collect::<Vec<_>>();
    table
        .fields
        .iter()
        .enumerate()
        .map(|(at, field)| json!({ "names": names(at), "slot": value_type(field.value_type) }))
        .collect()
}

/// The type of a field. `kind` is `string`, `integer`, `number`, `boolean`, `json`, `object`, `record` or `list`.
fn value_type(ValueType { kind, nullable }: ValueType) -> Value {
    let mut json = match kind {
        Kind::String(format) => json!({ "kind": "string", "format": name(format) }),
        Kind::Integer | Kind::Unsigned => json!({ "kind": "integer" }),
        Kind::Number => json!({ "kind": "number" }),
        Kind::Boolean => json!({ "kind": "boolean" }),
        Kind::Json => json!({ "kind": "json" }),
        Kind::JsonObject => json!({ "kind": "object" }),
        Kind::Record(table) => json!({ "kind": "record", "record": table.name }),
        Kind::List(element) => json!({ "kind": "list", "element": self::value_type(*element) }),
    };
    json["nullable"] = nullable.into();
    json
}

/// The name of a format. An open enum has the format of a free string, because any value is valid.
fn name(format: Format) -> &'static str {
    match format {
        Format::Address => "address",
        Format::Hash => "hash",
        Format::HexData | Format::Bytes => "hexData",
        Format::Bytecode => "bytecode",
        Format::Selector => "selector",
        Format::Quantity => "quantity",
        Format::HexUint => "hexUint",
        Format::Uint | Format::ChainId | Format::StrictUint => "uint",
        Format::Int => "int",
        Format::Decimal => "decimal",
        Format::Timestamp => "timestamp",
        Format::Date => "date",
        Format::Free | Format::OpenEnum(_) => "free",
    }
}
