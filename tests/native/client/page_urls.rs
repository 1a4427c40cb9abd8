//! The URLs of the pages of lists: filters, and cursors as the service sent them.

use address_query::testing::endpoint::ParamValue;

use super::{frame_pager, list, serve_two_pages, string, take_list_urls};
use crate::support::HASH_A;

const TOKEN: &str = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
const TOPIC: &str = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/// Reads two pages and compares their URLs, without the base URL.
#[track_caller]
fn assert_urls(name: &str, values: &[(&str, ParamValue)], first: &str, cursor: &str, second: &str) {
    let rest = if name == "addresses" { r#","exchange_rate":null,"total_supply":null"# } else { "" };
    let page = |next| format!(r#"{{"items":[],"next_page_params":{next}{rest}}}"#);
    let runtime = serve_two_pages(page(cursor), page("null"));
    let mut pager = frame_pager(&runtime, list(name), values);
    while runtime.block_on(pager.next()).unwrap().is_some() {}
    let prefix = "https://eth.blockscout.com/api/v2";
    let address = format!("/addresses/{HASH_A}");
    let requested: Vec<String> =
        take_list_urls(&runtime).iter().map(|url| url.replace(prefix, "").replace(&address, "~")).collect();
    assert_eq!(requested, [first, second]);
}

#[test]
fn every_list_of_the_chain_sends_its_filters_with_the_first_page_and_with_the_cursor() {
    assert_urls(
        "addresses",
        &[],
        "/addresses",
        r#"{"fetched_coin_balance":"124355417998347240053","hash":"0x59","items_count":50,"transactions_count":null}"#,
        "/addresses?fetched_coin_balance=124355417998347240053&hash=0x59&items_count=50&transactions_count=null",
    );
    assert_urls(
        "addresses",
        &[("sort", string("transactions_count")), ("order", string("asc"))],
        "/addresses?sort=transactions_count&order=asc",
        r#"{"fetched_coin_balance":"0","hash":"0x59","items_count":50,"transactions_count":7}"#,
        "/addresses?sort=transactions_count&order=asc&fetched_coin_balance=0&hash=0x59&items_count=50&transactions_count=7",
    );
    assert_urls(
        "tokenTransfers",
        &[("type", string("ERC-20"))],
        "/token-transfers?type=ERC-20",
        r#"{"batch_block_hash":"0xb1","batch_log_index":3,"index_in_batch":49}"#,
        "/token-transfers?type=ERC-20&batch_block_hash=0xb1&batch_log_index=3&index_in_batch=49",
    );
}

#[test]
fn every_list_of_an_address_sends_its_filters_with_the_first_page_and_with_the_cursor() {
    let address = ("address_hash", string(HASH_A));
    let id = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
    assert_urls(
        "addressNft",
        &[address.clone(), ("type", ParamValue::List(vec!["ERC-721".into(), "erc-1155".into()]))],
        "~/nft?type=ERC-721,ERC-1155",
        &format!(
            r#"{{"items_count":50,"token_contract_address_hash":"0xa1","token_id":"{id}","token_type":"ERC-721"}}"#
        ),
        &format!(
            "~/nft?type=ERC-721,ERC-1155&items_count=50&token_contract_address_hash=0xa1&token_id={id}&token_type=ERC-721"
        ),
    );
    assert_urls(
        "addressLogs",
        &[address.clone(), ("topic", string(TOPIC))],
        &format!("~/logs?topic={TOPIC}"),
        r#"{"block_number":23705399,"index":12,"items_count":50}"#,
        &format!("~/logs?topic={TOPIC}&block_number=23705399&index=12&items_count=50"),
    );
    assert_urls(
        "addressCoinBalanceHistory",
        std::slice::from_ref(&address),
        "~/coin-balance-history",
        r#"{"block_number":1,"items_count":50}"#,
        "~/coin-balance-history?block_number=1&items_count=50",
    );
    assert_urls(
        "addressInternalTransactions",
        &[address.clone(), ("filter", string("from")), ("include_zero_value", ParamValue::Boolean(false))],
        "~/internal-transactions?filter=from&include_zero_value=false",
        r#"{"block_number":9,"index":1,"items_count":50,"transaction_index":0}"#,
        "~/internal-transactions?filter=from&include_zero_value=false&block_number=9&index=1&items_count=50&transaction_index=0",
    );
    assert_urls(
        "addressTokenTransfers",
        &[
            ("token", string(TOKEN)),
            ("filter", string("to")),
            ("type", ParamValue::List(vec!["ERC-20".into()])),
            address.clone(),
        ],
        &format!("~/token-transfers?type=ERC-20&filter=to&token={TOKEN}"),
        r#"{"block_number":9,"index":1}"#,
        &format!("~/token-transfers?type=ERC-20&filter=to&token={TOKEN}&block_number=9&index=1"),
    );
    assert_urls(
        "addressWithdrawals",
        &[address],
        "~/withdrawals",
        r#"{"index":90,"items_count":50}"#,
        "~/withdrawals?index=90&items_count=50",
    );
}

#[test]
fn value_of_the_cursor_replaces_the_parameter_of_that_name() {
    assert_urls(
        "addressTokenTransfers",
        &[("address_hash", string(HASH_A)), ("filter", string("to")), ("type", string("ERC-20"))],
        "~/token-transfers?type=ERC-20&filter=to",
        r#"{"filter":"from","index":1}"#,
        "~/token-transfers?type=ERC-20&filter=from&index=1",
    );
}

#[test]
fn cursor_numbers_are_sent_back_unchanged() {
    assert_urls(
        "tokenTransfers",
        &[],
        "/token-transfers",
        r#"{"id":12519063346,"big":123456789012345678901234567890,"e":4E+21,"fiat":"0E-20","price":"1.2E-8","no":null}"#,
        "/token-transfers?id=12519063346&big=123456789012345678901234567890&e=4000000000000000000000&fiat=0\
         &price=0.000000012&no=null",
    );
    assert_urls(
        "tokenTransfers",
        &[],
        "/token-transfers",
        r#"{"a b&c":"=é/?#%+\"'\u0000😀","plain":"A-z_0.~,:"}"#,
        "/token-transfers?a%20b%26c=%3D%C3%A9%2F%3F%23%25%2B%22%27%00%F0%9F%98%80&plain=A-z_0.~,:",
    );
}
