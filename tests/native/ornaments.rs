//! Property test: the fields that can fail a page are exactly the essential ones of the declarations. Whatever the value of another
//! field, the page is delivered with all its records.

use std::collections::BTreeSet;
use std::path::Path;

use address_query::testing::decode::{DecodeOptions, FrameDecoder, FramePage, Layout};
use address_query::testing::endpoint::{actions, lists, lookups};
use address_query::testing::record::{FieldName, Format, Kind, Table, ValueType, Variants, normalize_document};
use serde_json::{Value as Json, json};

use crate::support::{CASES, HASH_A, read_fixtures};

/// Replaces each field in turn. `absent` removes it.
const VALUES: [&str; 11] = ["null", "{}", "[]", "true", "1.5", "-1", "\"\"", "\"text\"", "{digits}", "1e30", "absent"];

/// How many random values replace each field, and how many in `make soak`.
const RANDOM_VALUES: [usize; 2] = [3, 20];

/// Stands for the replaced value in a document.
const PLACEHOLDER: &str = "@replaced@";

/// A field in a document: where it is, and whether the page may fail with it.
struct Place {
    pointer: String,
    /// The record and the name of the field.
    field: (&'static str, &'static str),
    role: Role,
}

/// The effect of a field on its page.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    /// The field is essential, and all records around it are in essential fields.
    Essential,
    /// The same, but some variants of its record do not require it, or a record around it.
    EssentialToVariant,
    Ornament,
}

#[test]
fn exactly_the_essential_fields_can_fail_a_page() {
    let (mut failing, mut essential) = (BTreeSet::new(), BTreeSet::new());
    let random_values = RANDOM_VALUES[usize::from(std::env::var("SEEDS").is_ok())];
    let mut state: u64 = 1;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % below
    };
    let mut seen = BTreeSet::new();
    for (name, layout, document) in documents() {
        let rows = decode(layout, &document.to_string()).unwrap_or_else(|| panic!("{name} is valid")).rows.len();
        for place in find_places(layout, &document) {
            // Created documents have the same record in several lists, and the same fields.
            let is_created = name == layout.row.name;
            if is_created && !seen.insert((layout.row.name, layout.envelope.name, place.pointer.clone())) {
                continue;
            }
            let (before, after) = split_at(&document, &place.pointer);
            let random: Vec<_> = (0..random_values).map(|_| random_json(&mut next, 3)).collect();
            for value in VALUES.map(|value| value.replace("{digits}", &"7".repeat(78))).into_iter().chain(random) {
                let changed = match value.as_str() {
                    "absent" => remove(&document, &place.pointer),
                    value => [&before, value, &after].concat(),
                };
                match decode(layout, &changed) {
                    Some(page) => assert_eq!(page.rows.len(), rows, "{name}{} = {value}", place.pointer),
                    None if place.role != Role::Ornament => drop(failing.insert(place.field)),
                    None => {
                        panic!("{name}{} = {value} fails the page, but {:?} is an ornament", place.pointer, place.field)
                    }
                }
            }
            if place.role == Role::Essential {
                essential.insert(place.field);
            }
        }
    }
    let harmless: Vec<_> = essential.difference(&failing).collect();
    assert!(harmless.is_empty(), "essential fields that no value fails: {harmless:?}");
    assert!(essential.len() > 100, "{}", essential.len());
}

/// The documents to change: all fixtures in parts, and for each layout documents that together have every field.
fn documents() -> Vec<(String, Layout, Json)> {
    let mut documents = Vec::new();
    let mut add = |name: String, layout: Layout, json: &[u8]| {
        documents.extend(split(layout, parse(json)).into_iter().map(|part| (name.clone(), layout, part)));
    };
    for case in CASES.iter() {
        for (name, json) in read_fixtures(case.name) {
            add(name, case.layout, &json);
        }
    }
    for action in actions() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/rpc").join(action.service_name());
        for file in std::fs::read_dir(&folder).into_iter().flatten() {
            let json = std::fs::read(file.unwrap().path()).unwrap();
            add(action.service_name().into(), action.layout, &json);
        }
    }
    let layouts = lists().map(|list| list.layout).chain(lookups().map(|lookup| lookup.layout));
    for layout in layouts.chain(actions().map(|action| action.layout)).filter(|layout| !layout.is_any_json) {
        let envelopes = create_records(layout.envelope);
        let Some((name, _)) = layout.rows else {
            documents.extend(envelopes.into_iter().map(|record| (layout.row.name.into(), layout, record)));
            continue;
        };
        let rows = create_records(layout.row);
        let first = rows.iter().map(|row| (&envelopes[0], row));
        for (envelope, row) in first.chain(envelopes[1..].iter().map(|envelope| (envelope, &rows[0]))) {
            let mut document = envelope.clone();
            document[name] = json!([row, row]);
            documents.push((layout.row.name.into(), layout, document));
        }
    }
    documents
}

/// Splits a page into pages of two rows: one that changes, and one that must be delivered with it. Decoding the other rows for each
/// value would take most of the time.
fn split(layout: Layout, mut page: Json) -> Vec<Json> {
    let (name, _) = layout.rows.unwrap_or_default();
    let rows = if page.is_array() { Some(&mut page) } else { page.get_mut(name) };
    let Some(rows) = rows.filter(|_| layout.rows.is_some()).and_then(Json::as_array_mut).map(std::mem::take) else {
        return vec![page];
    };
    let part = |rows: &[Json]| {
        if page.is_array() {
            return rows.into();
        }
        let mut part = page.clone();
        part[name] = rows.into();
        part
    };
    if rows.is_empty() { vec![page] } else { rows.chunks(2).map(part).collect() }
}

fn parse(json: &[u8]) -> Json {
    serde_json::from_str(&normalize_document(json)).unwrap()
}

/// Creates records that together have all fields. Each has at most one ornament with members, since a record with all of them, and
/// with all of theirs, would be so long that decoding it for each value would take most of the time.
fn create_records(table: &Table) -> Vec<Json> {
    let (mut base, mut additions) = (serde_json::Map::new(), Vec::new());
    for (index, field) in table.fields.iter().enumerate() {
        let name = table.field_name(index);
        let mut values = create_values(field.value_type);
        if field.is_essential || is_needed(table, index) || !has_members(field.value_type) {
            base.insert(name.to_owned(), values.remove(0));
        }
        additions.extend(values.into_iter().map(|value| (name.to_owned(), value)));
    }
    let with = |(name, value): (String, Json)| {
        let mut record = base.clone();
        record.insert(name, value);
        record.into()
    };
    let additions: Vec<Json> = additions.into_iter().map(with).collect();
    [vec![base.into()], additions].concat()
}

/// Whether these values contain records.
fn has_members(value_type: ValueType) -> bool {
    match value_type.kind {
        Kind::Record(_) => true,
        Kind::List(element) => has_members(*element),
        _ => false,
    }
}

fn create_values(value_type: ValueType) -> Vec<Json> {
    match value_type.kind {
        Kind::Record(table) => create_records(table),
        Kind::List(element) => create_values(*element).into_iter().map(|value| json!([value])).collect(),
        _ => vec![create_scalar(value_type.kind)],
    }
}

fn create_scalar(kind: Kind) -> Json {
    match kind {
        Kind::String(format) => match format {
            Format::Address => json!(HASH_A),
            Format::Hash => json!(format!("0x{}", "ab".repeat(32))),
            Format::HexData | Format::Bytes | Format::Bytecode => json!("0xab"),
            Format::Selector => json!("ddf252ad"),
            Format::Quantity | Format::HexUint => json!("0x1"),
            Format::Uint | Format::ChainId | Format::StrictUint | Format::Int | Format::Decimal => json!("1"),
            Format::Timestamp => json!("2026-05-01T10:00:11.123456Z"),
            Format::Date => json!("2026-05-01"),
            Format::Free => json!("text"),
            Format::OpenEnum(known) => json!(known.first().unwrap_or(&"other")),
        },
        Kind::Integer | Kind::Unsigned | Kind::Number => json!(1),
        Kind::Boolean => json!(true),
        _ => json!({}),
    }
}

/// Finds all declared fields in a document.
fn find_places(layout: Layout, document: &Json) -> Vec<Place> {
    let mut places = Vec::new();
    let (rows, _) = layout.rows.unwrap_or_default();
    find_fields(layout.envelope, document, "", Role::Essential, &mut places);
    let items = if document.is_array() { Some(document) } else { document.get(rows) };
    let prefix = if document.is_array() { String::new() } else { format!("/{rows}") };
    for (index, row) in
        items.and_then(Json::as_array).into_iter().flatten().enumerate().filter(|_| layout.rows.is_some())
    {
        find_fields(layout.row, row, &format!("{prefix}/{index}"), Role::Essential, &mut places);
    }
    places
}

fn find_fields(table: &'static Table, record: &Json, pointer: &str, role: Role, places: &mut Vec<Place>) {
    for (key, value) in record.as_object().into_iter().flatten() {
        let Some(FieldName { field: index, .. }) = table.find_field(key.as_bytes()) else { continue };
        let field = &table.fields[index];
        let role = match role {
            Role::Ornament => role,
            _ if field.is_essential => role,
            _ if is_needed(table, index) => Role::EssentialToVariant,
            _ => Role::Ornament,
        };
        let pointer = format!("{pointer}/{key}");
        find_values(field.value_type, value, &pointer, role, places);
        places.push(Place { pointer, field: (table.name, table.field_name(index)), role });
    }
}

/// Whether a variant of the record requires the field.
fn is_needed(table: &Table, index: usize) -> bool {
    let requires = |variants: &Variants| variants.cases.iter().any(|(_, needed)| needed.contains(&index));
    table.variants.as_ref().is_some_and(requires)
}

fn find_values(value_type: ValueType, value: &Json, pointer: &str, role: Role, places: &mut Vec<Place>) {
    match value_type.kind {
        Kind::Record(table) => find_fields(table, value, pointer, role, places),
        Kind::List(element) => {
            for (index, value) in value.as_array().into_iter().flatten().enumerate() {
                find_values(*element, value, &format!("{pointer}/{index}"), role, places);
            }
        }
        _ => {}
    }
}

/// The JSON before and after a value in a document.
fn split_at(document: &Json, pointer: &str) -> (String, String) {
    let mut changed = document.clone();
    *changed.pointer_mut(pointer).unwrap() = json!(PLACEHOLDER);
    let json = changed.to_string();
    let (before, after) = json.split_once(&format!("\"{PLACEHOLDER}\"")).unwrap();
    (before.to_owned(), after.to_owned())
}

/// The document without a member.
fn remove(document: &Json, pointer: &str) -> String {
    let mut changed = document.clone();
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    changed.pointer_mut(parent).unwrap().as_object_mut().unwrap().remove(key);
    changed.to_string()
}

fn decode(layout: Layout, document: &str) -> Option<FramePage> {
    let mut decoder = FrameDecoder::new(layout, DecodeOptions::default());
    decoder.begin();
    decoder.feed(document.as_bytes().to_vec()).ok()?;
    decoder.finish().ok().map(|page| *page)
}

/// A random JSON value. `next` returns a random number below its argument.
fn random_json(next: &mut impl FnMut(usize) -> usize, depth: usize) -> String {
    match next(if depth == 0 { 8 } else { 12 }) {
        0 => format!("\"0x{}\"", "a".repeat(next(70))),
        1 => next(usize::MAX).to_string(),
        2 => format!("-{}e{}", next(99), next(400)),
        3 => "\"\\ud800\\u0000<script>\"".into(),
        4 => format!("{}{}", "[".repeat(200), "]".repeat(200)),
        5 => format!("\"20{}-02-30T00:00:00.000000Z\"", 10 + next(89)),
        6 => "false".into(),
        7 => format!("\"{}\"", "9".repeat(1 + next(300))),
        8 | 9 => format!("[{},null]", random_json(next, depth - 1)),
        10 => format!("{{\"hash\":{}}}", random_json(next, depth - 1)),
        _ => format!("{{\"value\":{},\"type\":{}}}", random_json(next, depth - 1), random_json(next, depth - 1)),
    }
}
