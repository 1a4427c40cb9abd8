//! The URLs of the pages of lists: filters, and cursors as the service sent them.

use super::{frame_pager, list, serve_two_pages, string, take_list_urls};
use crate::support::HASH_A;

const TOKEN: &str = "0xdAC17F958D2ee523a2206206994597C13D831ec7";

/// Reads two pages and compares their URLs, without the base URL and the address. The filters are passed in reverse, to show
/// that they are sent in the declared order.
#[track_caller]
fn assert_urls(name: &str, filters: &str, first: &str, cursor: &str, second: &str) {
    let list = list(name);
    let filters = filters.split('&').filter_map(|filter| filter.split_once('='));
    let mut values: Vec<_> = filters.map(|(name, value)| (name, string(value))).collect();
    if list.path.contains("{address_hash}") {
        values.push(("address_hash", string(HASH_A)));
    }
    values.reverse();
    let rest = if name == "addresses" { r#","exchange_rate":null,"total_supply":null"# } else { "" };
    let page = |next| format!(r#"{{"items":[],"next_page_params":{next}{rest}}}"#);
    let runtime = serve_two_pages(page(cursor), page("null"));
    let mut pager = frame_pager(&runtime, list, &values);
    while runtime.block_on(pager.next()).unwrap().is_some() {}
    let prefix = "https://eth.blockscout.com/api/v2";
    let address = format!("/addresses/{HASH_A}");
    let requested: Vec<String> =
        take_list_urls(&runtime).iter().map(|url| url.replace(prefix, "").replace(&address, "~")).collect();
    assert_eq!(requested, [first, second], "{name}");
}

#[test]
fn filters_are_sent_in_the_declared_order_with_every_page_and_cursors_as_they_came() {
    let id = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
    for (name, path, filters, cursor, position) in [
        (
            "addresses",
            "/addresses",
            "",
            r#"{"fetched_coin_balance":"124355417998347240053","hash":"0x59","items_count":50,"transactions_count":null}"#,
            "fetched_coin_balance=124355417998347240053&hash=0x59&items_count=50&transactions_count=null",
        ),
        (
            "addresses",
            "/addresses",
            "sort=transactions_count&order=asc",
            r#"{"fetched_coin_balance":"0","hash":"0x59","items_count":50,"transactions_count":7}"#,
            "fetched_coin_balance=0&hash=0x59&items_count=50&transactions_count=7",
        ),
        (
            "addressNft",
            "~/nft",
            "type=ERC-721,ERC-1155,ERC-404",
            &format!(
                r#"{{"items_count":50,"token_contract_address_hash":"0xa1","token_id":"{id}","token_type":"ERC-721"}}"#
            ),
            &format!("items_count=50&token_contract_address_hash=0xa1&token_id={id}&token_type=ERC-721"),
        ),
        ("addressNftCollections", "~/nft/collections", "type=ERC-404", r#"{"items_count":50}"#, "items_count=50"),
        (
            "addressTokenTransfers",
            "~/token-transfers",
            &format!("type=ERC-20&filter=to&token={TOKEN}"),
            r#"{"block_number":9,"index":1}"#,
            "block_number=9&index=1",
        ),
    ] {
        let (first, separator) =
            if filters.is_empty() { (path.into(), '?') } else { (format!("{path}?{filters}"), '&') };
        assert_urls(name, filters, &first, cursor, &format!("{first}{separator}{position}"));
    }
}

#[test]
fn value_of_the_cursor_replaces_the_parameter_of_that_name() {
    assert_urls(
        "addressTokenTransfers",
        "type=ERC-20&filter=to",
        "~/token-transfers?type=ERC-20&filter=to",
        r#"{"filter":"from","index":1}"#,
        "~/token-transfers?type=ERC-20&filter=from&index=1",
    );
}

#[test]
fn cursor_values_are_sent_back_unchanged_and_encoded() {
    for (cursor, query) in [
        (
            r#"{"id":12519063346,"big":123456789012345678901234567890,"e":4E+21,"fiat":"0E-20","price":"1.2E-8","no":null}"#,
            "id=12519063346&big=123456789012345678901234567890&e=4000000000000000000000&fiat=0&price=0.000000012&no=null",
        ),
        (
            r#"{"a b&c":"=é/?#%+\"'\u0000😀","plain":"A-z_0.~,:"}"#,
            "a%20b%26c=%3D%C3%A9%2F%3F%23%25%2B%22%27%00%F0%9F%98%80&plain=A-z_0.~,:",
        ),
    ] {
        assert_urls("tokenTransfers", "", "/token-transfers", cursor, &format!("/token-transfers?{query}"));
    }
}
