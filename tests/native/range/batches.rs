//! Ranges as Rust structs.

use address_query::client::Client;
use address_query::endpoint::TokenTxParams;
use address_query::endpoint::params::Order;
use address_query::testing::endpoint::actions;
use address_query::testing::record::Kind;

use super::{RangeQuery, Setup, one_row_per_block, transfer};
use crate::service::Script;
use crate::support::HASH_A;
use crate::test_runtime::{MockResponse, TestRuntime};

fn ascending() -> TokenTxParams {
    TokenTxParams::default().address(HASH_A.parse().unwrap()).sort(Order::Ascending)
}

#[test]
fn returns_structs_in_batches_and_continues_from_a_token() {
    let setup = Setup::new(one_row_per_block(1..25_001), Script::NORMAL, RangeQuery::ALL);
    let client = setup.client();
    let mut reader = client.all_rows(&ascending()).unwrap();
    let mut rows = setup.runtime.block_on(reader.next()).unwrap().unwrap();
    assert!(!reader.report().complete);
    let token = reader.resume_token().unwrap();
    let mut reader = client.resume_all_rows(&ascending(), &token).unwrap();
    while let Some(next) = setup.runtime.block_on(reader.next()).unwrap() {
        rows.extend(next);
    }
    assert!(reader.report().complete);
    assert_eq!(reader.resume_token(), None);
    let blocks: Vec<u64> = rows.iter().map(|row| row.block_number.parse().unwrap()).collect();
    assert_eq!(blocks, (1..25_001).collect::<Vec<_>>());
}

#[test]
fn returns_the_first_rows_while_the_response_arrives() {
    let rows: Vec<String> = (1..4).map(transfer).collect();
    let head = MockResponse::default().wait(10).and_head(200, &[]);
    let first = head.chunk(format!(r#"{{"message":"OK","result":[{},{},"#, rows[0], rows[1]));
    let runtime = TestRuntime::new([first.wait(1_000).chunk(format!(r#"{}],"status":"1"}}"#, rows[2]))]);
    let client = Client::new(runtime.clone(), "https://eth.blockscout.com".parse().unwrap());
    let mut reader = client.all_rows(&ascending()).unwrap();
    let batch = runtime.block_on(reader.next()).unwrap().unwrap();
    assert_eq!((&*batch[0].block_number, batch.len(), runtime.elapsed_ms()), ("1", 1, 10));
}

#[test]
fn rows_of_ranges_have_only_strings_and_lists() {
    for action in actions().filter(|action| action.range_form().is_some()) {
        let fields = action.layout.row.fields;
        assert!(
            fields.iter().all(|field| matches!(field.value_type.kind, Kind::String(_) | Kind::List(_))),
            "{}",
            action.name
        );
    }
}
