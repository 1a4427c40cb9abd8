//! Lookups: operations that return a single record.

use address_query::endpoint::params::Closest;
use address_query::endpoint::{
    AddressCoinBalanceHistoryByDayParams, AddressCountersParams, GetBlockNoByTimeParams, params,
};
use address_query::error::ErrorCode;

use super::{client, retrying_client};
use crate::support::HASH_A;
use crate::test_runtime::{MockResponse, TestRuntime};

const COUNTERS: &str = r#"{"transactions_count":"8474","token_transfers_count":"1","gas_usage_count":"247479698","validations_count":"0"}"#;

fn counters_params() -> AddressCountersParams {
    AddressCountersParams::new(HASH_A.parse().unwrap())
}

#[test]
fn a_lookup_returns_its_record() {
    let runtime = TestRuntime::new([MockResponse::ok(COUNTERS)]);
    let counters = runtime.block_on(client(&runtime).lookup(&counters_params())).unwrap();
    assert_eq!(counters.gas_usage_count.as_deref(), Some("247479698"));
    assert_eq!(runtime.take_urls(), [format!("https://eth.blockscout.com/api/v2/addresses/{HASH_A}/counters")]);
}

#[test]
fn a_lookup_is_retried_after_an_invalid_body() {
    let runtime = TestRuntime::new([MockResponse::ok("{\"transactions_count\":"), MockResponse::ok(COUNTERS)]);
    let counters = runtime.block_on(retrying_client(&runtime).lookup(&counters_params())).unwrap();
    assert_eq!(counters.transactions_count.as_deref(), Some("8474"));
    assert_eq!(runtime.take_urls().len(), 2);
}

#[test]
fn an_error_body_is_not_a_record() {
    let runtime = TestRuntime::new([MockResponse::ok(r#"{"message":"Restricted access"}"#)]);
    let error = runtime.block_on(client(&runtime).lookup(&counters_params())).unwrap_err();
    assert_eq!(error.code, ErrorCode::Refused, "{error}");
}

#[test]
fn a_list_of_one_page_may_be_an_array() {
    let body = r#"[{"date":"2026-04-30","value":"5"}]"#;
    let runtime = TestRuntime::new([MockResponse::ok(body)]);
    let params = AddressCoinBalanceHistoryByDayParams::new(HASH_A.parse().unwrap());
    let page = runtime.block_on(client(&runtime).page(&params)).unwrap();
    assert_eq!((&*page.items[0].date, page.envelope.days), ("2026-04-30", None));
}

#[test]
fn get_block_no_by_time_returns_the_block_or_is_refused() {
    let runtime = TestRuntime::new([
        MockResponse::ok(r#"{"status":"1","message":"OK","result":{"blockNumber":"22546398"}}"#),
        MockResponse::ok(r#"{"status":"0","message":"Block does not exist","result":null}"#),
    ]);
    let client = client(&runtime);
    let params = GetBlockNoByTimeParams::new(params::UnixSeconds(1_750_000_000), Closest::After);
    let response = runtime.block_on(client.value(&params)).unwrap();
    assert_eq!(&*response.result.unwrap().block_number, "22546398");
    let error = runtime.block_on(client.value(&params)).unwrap_err();
    assert_eq!(error.code, ErrorCode::Refused);
    let query = "module=block&action=getblocknobytime&timestamp=1750000000&closest=after";
    assert_eq!(runtime.take_urls()[0], format!("https://eth.blockscout.com/api?{query}"));
}
