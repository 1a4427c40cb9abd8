//! The declarations themselves.

use std::collections::BTreeSet;

use address_query::endpoint::{ACTIONS, DESCRIBED_ACTIONS, LISTS};
use address_query::record::{Kind, Slot, Table};
use address_query::types::RECORDS;
use address_query::types::key::NATURAL_KEYS;

use crate::support::CASES;

fn nested(slot: Slot) -> Option<&'static Table> {
    match slot.kind {
        Kind::Record(table) => Some(table),
        Kind::List(element) => nested(*element),
        _ => None,
    }
}

#[test]
fn the_decoder_has_a_bit_for_every_field() {
    for record in RECORDS {
        assert!(record.table.fields.len() <= 64, "{} has {} fields", record.table.name, record.table.fields.len());
    }
}

#[test]
fn no_two_fields_share_a_name() {
    for table in RECORDS.iter().map(|record| record.table) {
        let mut names = BTreeSet::new();
        // A field may be given a second time in another spelling.
        let respelt = table.respelt.map(|(from, _)| table.name_of(from));
        for name in (0..table.fields.len()).flat_map(|field| table.names_of(field)) {
            assert!(names.insert(name) || respelt == Some(name), "{} has {name} twice", table.name);
        }
        assert!(
            !names.iter().any(|name| name.contains('#')),
            "{}: a raw identifier needs an arm in `name!`",
            table.name
        );
        assert!(!names.contains("extra"), "{}: `extra` is where unknown fields are kept", table.name);
    }
}

#[test]
fn no_parameter_has_the_name_of_a_raw_identifier() {
    let operations = LISTS.iter().map(|list| &list.operation).chain(ACTIONS.iter().map(|action| &action.operation));
    for param in operations.flat_map(|operation| operation.params) {
        assert!(!param.name.contains('#'), "{}: a raw identifier needs an arm in `name!`", param.name);
    }
}

#[test]
fn no_two_records_share_a_name_and_each_is_described() {
    let mut names = BTreeSet::new();
    for record in RECORDS {
        assert!(names.insert(record.table.name), "{} is there twice", record.table.name);
        assert!(!record.docs.0.trim().is_empty(), "{}", record.table.name);
        let fields = record.table.fields.len();
        assert_eq!((record.docs.1.len(), (record.typescript)().len()), (fields, fields), "{}", record.table.name);
        assert!(record.docs.1.iter().all(|doc| !doc.trim().is_empty()), "{}", record.table.name);
    }
}

#[test]
fn every_record_of_an_answer_is_described() {
    let mut open: Vec<&Table> = LISTS.iter().flat_map(|list| [list.item, list.envelope]).collect();
    open.extend(ACTIONS.iter().flat_map(|action| [action.layout.row, action.layout.envelope]));
    let mut reached = Vec::<&Table>::new();
    while let Some(table) = open.pop() {
        if reached.iter().any(|known| std::ptr::eq(*known, table)) {
            continue;
        }
        reached.push(table);
        open.extend(table.fields.iter().filter_map(|field| nested(field.slot)));
    }
    for table in &reached {
        assert!(RECORDS.iter().any(|record| std::ptr::eq(record.table, *table)), "{} is not described", table.name);
    }
    for record in RECORDS {
        // The embedded address is reached through other records; no record stands alone.
        assert!(
            reached.iter().any(|table| std::ptr::eq(*table, record.table)),
            "{} is in no answer",
            record.table.name
        );
    }
}

#[test]
fn every_list_is_tested() {
    for list in LISTS {
        let tested = CASES
            .iter()
            .any(|case| std::ptr::eq(case.layout.row, list.item) && std::ptr::eq(case.layout.envelope, list.envelope));
        assert!(tested, "{} has no case", list.name);
    }
}

#[test]
fn own_fields_and_the_elements_they_repeat_hold_the_same() {
    for table in RECORDS.iter().map(|record| record.table) {
        let Some(mirror) = &table.mirror else { continue };
        let element = nested(table.fields[mirror.list].slot).expect("a list of records");
        for &(own, member) in mirror.pairs {
            let name = table.name_of(own);
            let (own, member) = (&table.fields[own], &element.fields[member]);
            assert_eq!(format!("{:?}", own.slot.kind), format!("{:?}", member.slot.kind), "{name}");
            assert!(own.slot.nullable, "{name}: filled only where it is null");
        }
    }
}

#[test]
fn every_field_says_what_it_means_and_what_null_means() {
    for record in RECORDS {
        for ((index, field), doc) in record.table.fields.iter().enumerate().zip(record.docs.1) {
            let name = format!("{}.{}", record.table.name, record.table.name_of(index));
            assert!(doc.trim().ends_with(['.', '`']), "{name} has no sentence: {doc}");
            assert_eq!(field.slot.nullable, doc.contains("Null:"), "{name}: {doc}");
        }
    }
}

#[test]
fn every_amount_of_the_native_coin_says_that_it_is_wei() {
    for name in ["coin_balance", "delta", "amount"] {
        for record in RECORDS {
            for (field, doc) in (0..record.table.fields.len()).zip(record.docs.1) {
                assert!(
                    record.table.name_of(field) != name || doc.contains("wei"),
                    "{}.{name}: {doc}",
                    record.table.name
                );
            }
        }
    }
}

fn table_named(name: &str) -> &'static Table {
    RECORDS.iter().map(|record| record.table).find(|table| table.name == name).expect(name)
}

/// The table of the record in a field, which must exist.
fn field_of<'a>(table: &'a Table, name: &str) -> &'a Slot {
    let (field, rank) = table.field_named(name.as_bytes()).unwrap_or_else(|| panic!("{}.{name}", table.name));
    assert_eq!(rank, 0, "{}.{name} is an older name", table.name);
    &table.fields[field].slot
}

#[test]
fn natural_keys_name_fields_that_exist() {
    for key in NATURAL_KEYS {
        for name in key.records {
            field_of(table_named(name), key.mark);
            for path in key.fields.iter().flat_map(|field| field.split('|')) {
                let mut table = table_named(name);
                let mut parts = path.split('.').peekable();
                while let Some(part) = parts.next() {
                    let slot = field_of(table, part);
                    if parts.peek().is_some() {
                        table = nested(*slot).unwrap_or_else(|| panic!("{name}.{path}"));
                    }
                }
            }
        }
    }
}

#[test]
fn each_record_is_recognised_as_the_one_with_its_key() {
    for table in RECORDS.iter().map(|record| record.table) {
        let names = || (0..table.fields.len()).map(|field| table.name_of(field));
        let matched = NATURAL_KEYS.iter().find(|key| names().any(|name| name == key.mark));
        let own = NATURAL_KEYS.iter().find(|key| key.records.contains(&table.name));
        assert_eq!(matched.map(|key| key.records), own.map(|key| key.records), "{}", table.name);
    }
}

#[test]
fn each_record_of_a_list_or_an_action_has_a_key_or_is_known_to_have_none() {
    let items = LISTS.iter().map(|list| list.item);
    let rows = ACTIONS.iter().filter(|action| action.layout.rows.is_some()).map(|action| action.layout.row);
    for table in items.chain(rows) {
        assert!(NATURAL_KEYS.iter().any(|key| key.records.contains(&table.name)), "{}", table.name);
    }
}

#[test]
fn token_transfer_actions_say_which_list_has_erc_7984() {
    for name in ["tokenTx", "tokenNftTx", "token1155Tx", "token404Tx"] {
        let described = DESCRIBED_ACTIONS.iter().find(|described| described.action.name == name).unwrap();
        for word in ["ERC-7984", "addressTokenTransfers", "tokenTransfers"] {
            assert!(described.docs.0.contains(word), "{name} does not name {word}");
        }
    }
    for name in ["addressTokenTransfers", "tokenTransfers"] {
        let list = LISTS.iter().find(|list| list.operation.name == name).unwrap();
        let kind = list.operation.params.iter().find(|param| param.name == "type").unwrap();
        assert!(kind.rule.must_be.contains("ERC-7984"), "{name}");
    }
}
