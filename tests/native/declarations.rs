//! Rules for the declarations of records, operations and natural keys.

use std::collections::BTreeSet;

use address_query::error::ErrorCode;
use address_query::testing::endpoint::{ANY_PATH, described_operations, find_operation, operations};
use address_query::testing::record::{FieldName, Kind, NaturalKey, Table, ValueType};
use address_query::testing::types::RECORDS;

/// Returns the table of the record in a value or in a list.
fn find_nested_table(value_type: ValueType) -> Option<&'static Table> {
    match value_type.kind {
        Kind::Record(table) => Some(table),
        Kind::List(element) => find_nested_table(*element),
        _ => None,
    }
}

#[test]
fn no_two_fields_share_a_name() {
    for table in RECORDS.iter().map(|record| record.table) {
        let mut names = BTreeSet::new();
        // A derived field has the name of its source field among its older names.
        let derived_from = table.derived_field.map(|(from, _)| table.field_name(from));
        for name in (0..table.fields.len()).flat_map(|field| table.field_names(field)) {
            assert!(names.insert(name) || derived_from == Some(name), "{} has two fields named {name}", table.name);
        }
        assert!(
            !names.iter().any(|name| name.contains('#')),
            "{}: a raw identifier needs an arm in `name!`",
            table.name
        );
        assert!(!names.contains("extra"), "{}: `extra` is reserved for unknown fields", table.name);
    }
}

#[test]
fn no_two_operations_share_a_name() {
    let mut names = BTreeSet::new();
    for operation in operations() {
        assert!(names.insert(operation.name), "{} is declared twice", operation.name);
    }
}

#[test]
fn no_two_operations_share_a_path_by_which_they_are_called() {
    let mut paths = BTreeSet::new();
    for operation in operations().filter(|operation| operation.queries.is_empty()) {
        assert!(paths.insert(operation.path), "{} is declared twice", operation.path);
    }
}

#[test]
fn no_value_of_a_parameter_leaves_its_segment_of_the_path() {
    let mut in_path = 0;
    for operation in operations() {
        for param in operation.params.iter().filter(|param| operation.path.contains(&format!("{{{}}}", param.name))) {
            in_path += 1;
            for value in
                ["", ".", "..", "//evil.example", "a/b", "\\evil", "?x=1", "#x", "%2e%2e", "a b", "@evil.example"]
            {
                assert_eq!(param.rule.canonicalize(value), None, "{} {}: {value:?}", operation.name, param.name);
            }
        }
    }
    assert!(in_path > 30, "{in_path} parameters");
}

#[test]
fn no_parameter_has_the_name_of_a_raw_identifier() {
    for param in operations().flat_map(|operation| operation.params) {
        assert!(!param.name.contains('#'), "{}: a raw identifier needs an arm in `name!`", param.name);
    }
}

#[test]
fn record_names_are_unique_and_every_field_is_documented() {
    let mut names = BTreeSet::new();
    for record in RECORDS {
        assert!(names.insert(record.table.name), "{} is declared twice", record.table.name);
        assert!(!record.docs.0.trim().is_empty(), "{}", record.table.name);
        let fields = record.table.fields.len();
        assert_eq!((record.docs.1.len(), (record.typescript)().len()), (fields, fields), "{}", record.table.name);
        assert!(record.docs.1.iter().all(|doc| !doc.trim().is_empty()), "{}", record.table.name);
    }
}

#[test]
fn records_lists_exactly_the_records_of_responses() {
    let mut pending: Vec<&Table> =
        operations().flat_map(|operation| [operation.layout.row, operation.layout.envelope]).collect();
    pending.push(ANY_PATH.layout.envelope);
    let mut reached = Vec::<&Table>::new();
    while let Some(table) = pending.pop() {
        if reached.iter().any(|known| std::ptr::eq(*known, table)) {
            continue;
        }
        reached.push(table);
        pending.extend(table.fields.iter().filter_map(|field| find_nested_table(field.value_type)));
    }
    for table in &reached {
        assert!(
            RECORDS.iter().any(|record| std::ptr::eq(record.table, *table)),
            "{} is not in RECORDS (src/types/mod.rs)",
            table.name
        );
    }
    for record in RECORDS {
        assert!(
            reached.iter().any(|table| std::ptr::eq(*table, record.table)),
            "{} is part of no response",
            record.table.name
        );
    }
}

#[test]
fn flattened_fields_have_the_type_of_the_list_member() {
    for table in RECORDS.iter().map(|record| record.table) {
        let Some(flattened) = &table.flattened else { continue };
        let element = find_nested_table(table.fields[flattened.list].value_type).expect("a list of records");
        for &(own, member) in flattened.pairs {
            let name = table.field_name(own);
            let (own, member) = (&table.fields[own], &element.fields[member]);
            assert_eq!(format!("{:?}", own.value_type.kind), format!("{:?}", member.value_type.kind), "{name}");
            assert!(own.value_type.nullable, "{name}: only a null field is filled");
        }
    }
}

#[test]
fn the_documentation_of_nullable_fields_explains_null() {
    for record in RECORDS {
        for ((index, field), doc) in record.table.fields.iter().enumerate().zip(record.docs.1) {
            let name = format!("{}.{}", record.table.name, record.table.field_name(index));
            assert!(doc.trim().ends_with(['.', '`']), "the documentation of {name} does not end a sentence: {doc}");
            assert_eq!(field.value_type.nullable, doc.contains("Null:"), "{name}: {doc}");
        }
    }
}

#[test]
fn each_error_code_has_a_sentence_for_users() {
    let codes: Vec<&str> = ErrorCode::ALL.iter().map(|(code, _)| *code).collect();
    assert_eq!(codes, ErrorCode::SENTENCES.iter().map(|(code, _)| *code).collect::<Vec<_>>());
    assert!(ErrorCode::SENTENCES.iter().all(|(_, sentence)| sentence.ends_with('.')));
    assert_eq!(ErrorCode::RateLimited.user_message(), "The service is busy.");
}

#[test]
fn the_documentation_of_native_amounts_names_wei() {
    for name in ["coin_balance", "delta", "amount"] {
        // Next to a token, an amount is in the units of the token.
        for record in RECORDS.iter().filter(|record| record.table.find_field(b"token").is_none()) {
            for (field, doc) in (0..record.table.fields.len()).zip(record.docs.1) {
                assert!(
                    record.table.field_name(field) != name || doc.contains("wei"),
                    "{}.{name}: {doc}",
                    record.table.name
                );
            }
        }
    }
}

/// Returns the type of a field, which must exist under this documented name.
fn find_field<'a>(table: &'a Table, name: &str) -> &'a ValueType {
    let FieldName { field, rank } =
        table.find_field(name.as_bytes()).unwrap_or_else(|| panic!("{}.{name}", table.name));
    assert_eq!(rank, 0, "{}.{name} is the name of older service versions", table.name);
    &table.fields[field].value_type
}

#[test]
fn natural_keys_name_fields_that_exist() {
    for (record, key) in RECORDS.iter().filter_map(|record| Some((record, record.key?))) {
        assert_eq!(key.template.is_some(), key.fields().count() > 0, "{}", record.table.name);
        for path in key.fields().flatten() {
            let mut table = record.table;
            let mut parts = path.split('.').peekable();
            while let Some(part) = parts.next() {
                let value_type = find_field(table, part);
                if parts.peek().is_some() {
                    table = find_nested_table(*value_type).unwrap_or_else(|| panic!("{}.{path}", record.table.name));
                }
            }
        }
    }
}

/// A value that anyone can write must not change the key of a record. Search results are the exception: all of their
/// values are such text.
#[test]
fn the_fields_of_natural_keys_are_essential() {
    let mut ornaments = Vec::new();
    for record in RECORDS.iter().filter(|record| record.table.name != "SearchItem") {
        for alternatives in record.key.iter().flat_map(NaturalKey::fields) {
            let path = alternatives[0];
            let mut table = record.table;
            for part in path.split('.') {
                let field = &table.fields[table.find_field(part.as_bytes()).unwrap().field];
                if !field.is_essential {
                    ornaments.push(format!("{}: {path}", record.table.name));
                }
                table = find_nested_table(field.value_type).unwrap_or(table);
            }
        }
    }
    // The row already has eight essential fields, the maximum.
    assert_eq!(ornaments, ["AdvancedFilterRow: token_transfer_batch_index"]);
}

#[test]
fn every_item_and_row_declares_its_natural_key_or_none() {
    for table in operations().filter(|operation| operation.layout.rows.is_some()).map(|operation| operation.layout.row)
    {
        let record = RECORDS.iter().find(|record| record.table.name == table.name).unwrap();
        assert!(record.key.is_some(), "the declaration of {} needs `key` after its fields", table.name);
    }
}

#[test]
fn token_transfer_actions_refer_to_the_lists_with_erc_7984() {
    for name in ["tokenTx", "tokenNftTx", "token1155Tx", "token404Tx"] {
        let described = described_operations().into_iter().find(|described| described.operation.name == name).unwrap();
        for word in ["ERC-7984", "addressTokenTransfers", "tokenTransfers"] {
            assert!(described.docs.0.contains(word), "{name} does not name {word}");
        }
    }
    for name in ["addressTokenTransfers", "tokenTransfers"] {
        let kind = find_operation(name).unwrap().params.iter().find(|param| param.name == "type").unwrap();
        assert!(kind.rule.must_be.contains("ERC-7984"), "{name}");
    }
}

#[test]
fn operations_with_balances_are_declared_uncached() {
    // A number of balances is not a balance.
    let is_balance = |name: &str| name.to_ascii_lowercase().replace("balances_count", "").contains("balance");
    for operation in operations() {
        let row = operation.layout.row;
        // The value of a holder is a balance.
        let has_balances =
            [operation.name, row.name, row.names].into_iter().any(is_balance) || row.name == "TokenHolder";
        let name = operation.name;
        if operation.rpc_method.is_some() {
            assert!(!operation.is_cacheable, "{name} reads the state of contracts, which can be balances");
            continue;
        }
        assert_eq!(
            operation.is_cacheable, !has_balances,
            "{name} returns balances: declare it `uncached`, and no other operation"
        );
    }
}
