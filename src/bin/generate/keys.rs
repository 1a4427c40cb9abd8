//! Generates `keyOf`, the function that returns the natural key of a record.

use std::fmt::Write as _;

use address_query::testing::record::NaturalKey;
use address_query::testing::types::{DescribedRecord, RECORDS};

use crate::NOTICE;
use crate::format::format_comment;

/// The error message for a record without a natural key.
const NO_KEY: &str = "must be a record with a natural key";

/// The records that share a declaration of a natural key, and a field by which they are recognised.
struct KeyedRecords {
    key: NaturalKey,
    records: Vec<&'static DescribedRecord>,
    mark: &'static str,
}

/// Returns all natural keys, in the order in which their marks are tested.
fn keyed_records() -> Vec<KeyedRecords> {
    let mut remaining: Vec<(NaturalKey, Vec<&DescribedRecord>)> = Vec::new();
    for record in RECORDS {
        let Some(key) = record.key else { continue };
        match remaining.iter_mut().find(|(other, _)| *other == key) {
            Some((_, records)) => records.push(record),
            None => remaining.push((key, vec![record])),
        }
    }
    let mut ordered = Vec::new();
    while !remaining.is_empty() {
        let found = (0..remaining.len()).find_map(|index| Some((index, find_mark(&remaining, index)?)));
        let names = remaining.iter().flat_map(|(_, records)| records).map(|record| record.table.name);
        let names = || names.collect::<Vec<_>>().join(", ");
        #[expect(clippy::expect_used, reason = "a mistake in a declaration, which the message names")]
        let (index, mark) =
            found.ok_or_else(names).expect("each of these records lacks a field that the others do not have");
        let (key, records) = remaining.remove(index);
        ordered.push(KeyedRecords { key, records, mark });
    }
    ordered
}

/// Returns a field that all records at `index` have, but no other remaining record and no record without a key.
fn find_mark(remaining: &[(NaturalKey, Vec<&'static DescribedRecord>)], index: usize) -> Option<&'static str> {
    let (own, others): (Vec<_>, Vec<_>) = remaining.iter().enumerate().partition(|(other, _)| *other == index);
    let records = |groups: Vec<(usize, &(_, Vec<&'static DescribedRecord>))>| {
        groups.into_iter().flat_map(|(_, (_, records))| records.clone()).collect::<Vec<_>>()
    };
    let (own, mut others) = (records(own), records(others));
    others.extend(RECORDS.iter().filter(|record| record.key.is_none()));
    let [first, ..] = *own else { return None };
    field_names(first).find(|mark| {
        let has_mark = |record: &&DescribedRecord| field_names(record).any(|name| name == *mark);
        own.iter().all(has_mark) && !others.iter().any(has_mark)
    })
}

fn field_names(record: &DescribedRecord) -> impl Iterator<Item = &'static str> {
    let table = record.table;
    (0..table.fields.len()).map(|field| table.field_name(field))
}

/// Generates `keys.js`: a function that joins the fields of a record's key. It recognises the type of the record by its mark.
pub(crate) fn generate_key_function() -> String {
    let mut out = format!(
        "// Natural keys of records. {NOTICE}\nimport {{ createParameterError }} from \"./errors.js\";\n\n\
         export function keyOf(record) {{\n"
    );
    for KeyedRecords { key, mark, .. } in keyed_records() {
        if key.template.is_none() {
            let _ = writeln!(out, "  if (\"{mark}\" in record) throw createParameterError(\"record\", \"{NO_KEY}\");");
            continue;
        }
        let read = |path: &&str| format!("record.{}", path.replace('.', "?."));
        let fields = key.fields().map(|paths| paths.iter().map(read).collect::<Vec<_>>().join(" ?? "));
        let fields = fields.collect::<Vec<_>>().join(", ");
        let _ = writeln!(out, "  if (\"{mark}\" in record) return joinKey(\"{}\", {fields});", key.prefix());
    }
    let _ = write!(
        out,
        "  throw createParameterError(\"record\", \"{NO_KEY}\");\n}}\n\n\
         /** Joins the parts in lower case, because the letter case of hashes differs between service versions. */\n\
         function joinKey(...parts) {{\n  return parts.join(\":\").toLowerCase();\n}}\n"
    );
    out
}

/// Generates `keys.d.ts`: the records that have keys, and the fields of each key.
pub(crate) fn generate_key_types() -> String {
    let groups = keyed_records();
    let keyed = groups.iter().filter(|group| group.key.template.is_some());
    let names = keyed.flat_map(|group| &group.records).map(|record| record.table.name).collect::<Vec<_>>();
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
    for KeyedRecords { key, records, .. } in &groups {
        let records = records.iter().map(|record| format!("`{}`", record.table.name)).collect::<Vec<_>>().join(", ");
        let remarks = key.remarks;
        if key.template.is_none() {
            let _ = writeln!(doc, "- {records}: no key. {remarks} The type excludes them.");
            continue;
        }
        let fields = key.fields().map(|paths| format!("`{}`", paths.join("` or `"))).collect::<Vec<_>>();
        let _ = writeln!(doc, "- {records}: `{}` with {}. {remarks}", key.prefix(), fields.join(", "));
    }
    doc.push_str(
        "\n@example\n```ts\nconst rows = new Map(page.items.map((log) => [keyOf(log), log]));\n```\n\
         @throws {AddressQueryError} `invalid_parameter` for an object without a natural key.",
    );
    let _ = writeln!(out, "{}export declare function keyOf(record: KeyedRecord): string;", format_comment(&doc, ""));
    out
}
