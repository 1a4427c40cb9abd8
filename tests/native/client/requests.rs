//! Parameters and URLs of lists: what is sent, and what is rejected before a request.

use address_query::client::Client;
use address_query::endpoint::{
    AddressLogsParams, AddressNftParams, AddressTokenTransfersParams, AddressesParams, TokenTransfersParams, params,
};
use address_query::error::Error;
use address_query::testing::endpoint::{
    Allowed, DescribedOperation, ParamRule, ParamValue, Request, described_operations, lists,
};

use super::{assert_invalid_parameter, client, frame_pager, list, serve_two_pages, string, take_list_urls};
use crate::support::HASH_A;
use crate::test_runtime::{MockResponse, TestRuntime};

const TOKEN: &str = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
const TOPIC: &str = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/// The URL below the API.
#[track_caller]
fn url(request: Result<Request, Error>) -> String {
    let url = request.unwrap().url(&"https://x.example".parse().unwrap(), &[]);
    url.strip_prefix("https://x.example/api/v2").unwrap().to_owned()
}

#[test]
fn values_are_sent_in_their_canonical_form() {
    let types = |names: &[&str]| ParamValue::List(names.iter().map(|name| (*name).to_owned()).collect());
    for (method, values, sent) in [
        // The service needs both `sort` and `order`.
        ("addresses", vec![], "addresses"),
        ("addresses", vec![("sort", string("balance"))], "addresses?sort=balance&order=desc"),
        ("addresses", vec![("sort", string("transactions_count"))], "addresses?sort=transactions_count&order=desc"),
        ("addresses", vec![("order", string("asc"))], "addresses?order=asc&sort=balance"),
        ("tokenTransfers", vec![("type", types(&[]))], "token-transfers"),
        ("tokenTransfers", vec![("type", types(&["ERC-721", "erc-1155"]))], "token-transfers?type=ERC-721,ERC-1155"),
    ] {
        assert_eq!(url(Request::new(list(method), &values)), format!("/{sent}"));
    }
}

#[test]
fn every_parameter_rule_states_its_accepted_values() {
    let check = |method: &str, name: &str, rule: &str, value: ParamValue| {
        let list = list(method);
        let mut values = vec![("address_hash", string(HASH_A))];
        values.retain(|(other, _)| *other != name && list.path.contains(other));
        values.push((name, value));
        assert_invalid_parameter(Request::new(list, &values), name, rule);
    };
    let address = "must be an address hash: 0x and 40 hex digits";
    let name_hint = format!("{address}; resolveName of address-query/names returns the address of a name");
    let yes_or_no = "must be true or false";
    let direction = "must be \"to\" or \"from\"";
    let standards = "must be token standards: ERC-20, ERC-721, ERC-1155, ERC-404, ERC-7984, ZRC-2";
    let nft_standards = "must be token standards of NFTs: ERC-721, ERC-1155, ERC-404";
    let unknown = "is not a parameter of addressWithdrawals; valid parameters are address_hash";
    let invalid_hashes = [
        "",
        &HASH_A[2..],
        &format!("{HASH_A} "),
        &HASH_A[..41],
        &format!("{HASH_A}0"),
        &HASH_A.replace('x', "X"),
        &format!("0x{}", "g".repeat(40)),
        &format!("0x{}", "a/".repeat(20)),
    ];
    for (method, name, rule, strings) in [
        ("addressWithdrawals", "address_hash", address, &invalid_hashes[..]),
        ("addressWithdrawals", "address_hash", &name_hint, &["vitalik.eth"]),
        ("addressLogs", "topic", "must be a topic: 0x and 64 hex digits", &[HASH_A]),
        ("addressTokenTransfers", "filter", direction, &["both", "TO"]),
        ("addressTokenTransfers", "token", address, &["USDT"]),
        ("addressInternalTransactions", "include_zero_value", yes_or_no, &["yes"]),
        ("tokenTransfers", "type", standards, &["", "ERC-20,", "[ERC-20]"]),
        ("addressNft", "type", nft_standards, &["ERC-20", "ERC-7984", "ZRC-2", "ERC-721,ERC-20"]),
        ("addressNftCollections", "type", nft_standards, &["ERC-20", "ERC-7984", "ZRC-2", "ERC-721,ERC-20"]),
        ("addresses", "sort", "must be \"balance\" or \"transactions_count\"", &["hash"]),
        ("addresses", "order", "must be \"asc\" or \"desc\"", &["up"]),
    ] {
        for value in strings {
            check(method, name, rule, string(value));
        }
    }
    let list_of_addresses = ParamValue::List(vec![HASH_A.into()]);
    for value in [list_of_addresses, ParamValue::Number(0.0), ParamValue::Boolean(true), ParamValue::Other] {
        check("addressWithdrawals", "address_hash", address, value);
    }
    check("addressInternalTransactions", "include_zero_value", yes_or_no, ParamValue::Number(1.0));
    let list_with_unknown = ParamValue::List(vec!["ERC-20".into(), "ERC20".into()]);
    for value in [list_with_unknown, ParamValue::List(vec![String::new()]), ParamValue::Boolean(true)] {
        check("tokenTransfers", "type", standards, value);
    }
    for name in ["page", "items_count", "apikey", "Address_hash", ""] {
        check("addressWithdrawals", name, unknown, string("1"));
    }
    let none: [(&str, ParamValue); 0] = [];
    let required = "is required: an address hash: 0x and 40 hex digits";
    assert_invalid_parameter(Request::new(list("addressWithdrawals"), &none), "address_hash", required);
}

/// A value that a rule accepts.
#[track_caller]
fn sample(rule: &ParamRule) -> &'static str {
    let samples = [
        HASH_A,
        TOPIC,
        "to",
        "balance",
        "fee",
        "asc",
        "true",
        "ERC-721",
        // Before the number, which is a time, too.
        "2026-01-01T00:00:00.000000Z",
        "1",
        "pending",
        "blob_transaction",
        "uncle",
        "fiat_value",
        "0xa9059cbb",
        "or",
    ];
    let accepted = samples.into_iter().find(|sample| rule.canonicalize(sample).is_some());
    accepted.unwrap_or_else(|| panic!("no sample is {}: add one", rule.must_be))
}

/// Checks all declared lists.
#[test]
fn every_list_validates_its_parameters_and_sends_them_with_every_page() {
    let is_list = |described: &DescribedOperation| lists().any(|list| std::ptr::eq(list, described.operation));
    for DescribedOperation { operation: list, cursor, .. } in described_operations().into_iter().filter(is_list) {
        let all: Vec<(&str, ParamValue)> =
            list.params.iter().map(|param| (param.name, string(sample(param.rule)))).collect();
        let without = |name: &str| all.iter().filter(|(known, _)| *known != name).cloned().collect::<Vec<_>>();
        let (path, filters): (Vec<_>, Vec<_>) =
            list.params.iter().partition(|param| list.path.contains(&format!("{{{}}}", param.name)));
        assert!(path.iter().all(|param| param.required), "{}: its path has holes", list.name);

        for param in list.params {
            let left_out = Request::new(list, &without(param.name));
            if param.required {
                assert_invalid_parameter(left_out, param.name, &format!("is required: {}", param.rule.must_be));
            } else {
                assert!(left_out.is_ok(), "{} without {}", list.name, param.name);
            }
            let takes = |accepts: fn(&Allowed) -> bool| param.rule.allowed.iter().any(accepts);
            let is_text = takes(|allowed| matches!(allowed, Allowed::Text));
            let is_number = is_text
                || takes(|allowed| {
                    matches!(allowed, Allowed::Integer(..) | Allowed::Digits(_) | Allowed::Time | Allowed::Decimal)
                });
            let mut wrong = vec![string(""), ParamValue::Other];
            wrong.extend((!is_text).then(|| string("?")));
            wrong.push(ParamValue::Number(if is_number { 1.5 } else { 1.0 }));
            let one = ParamValue::List(vec![sample(param.rule).into()]);
            for value in wrong.into_iter().chain((!param.rule.is_list).then_some(one)) {
                let values: Vec<_> = without(param.name).into_iter().chain([(param.name, value)]).collect();
                assert_invalid_parameter(
                    Request::new(list, &values),
                    param.name,
                    &format!("must be {}", param.rule.must_be),
                );
            }
        }

        let names: Vec<&str> = list.params.iter().map(|param| param.name).collect();
        let unknown: Vec<_> = all.iter().cloned().chain([("limit", string("1"))]).collect();
        let rule = format!("is not a parameter of {}; valid parameters are {}", list.name, names.join(", "));
        assert_invalid_parameter(Request::new(list, &unknown), "limit", &rule);

        let next: Vec<String> = cursor.iter().map(|(key, _)| format!("\"{key}\":7")).collect();
        let page = |next: &str| format!(r#"{{"items":[],"next_page_params":{next}}}"#);
        let runtime = serve_two_pages(page(&format!("{{{}}}", next.join(","))), page("{}"));
        let mut pager = frame_pager(&runtime, list, &all);
        while runtime.block_on(pager.next()).unwrap().is_some() {}
        let mut expected = format!("https://eth.blockscout.com{}", list.path);
        for param in path {
            expected = expected.replace(&format!("{{{}}}", param.name), sample(param.rule));
        }
        let mut query: Vec<String> =
            filters.iter().map(|param| format!("{}={}", param.name, sample(param.rule))).collect();
        let address =
            |query: &[String]| format!("{expected}{}{}", if query.is_empty() { "" } else { "?" }, query.join("&"));
        let first = address(&query);
        let mut urls = vec![first];
        query.extend(cursor.iter().map(|(key, _)| format!("{key}=7")));
        urls.extend((!cursor.is_empty()).then(|| address(&query)));
        assert_eq!(take_list_urls(&runtime), urls);
        assert!(!expected.contains(['{', '}']), "{expected}");
    }
}

#[test]
fn typed_parameters_are_sent() {
    let address_hash: params::Address = HASH_A.parse().unwrap();
    let transfers = AddressTokenTransfersParams::new(address_hash.clone());
    let filtered = transfers
        .clone()
        .r#type(params::TokenTypes(vec![params::TokenType::Erc20, params::TokenType::Erc404]))
        .filter(params::Direction::From)
        .token(TOKEN.parse().unwrap());
    let nft = AddressNftParams::new(address_hash);
    let sorted = AddressesParams::default().sort(params::AddressSort::TransactionsCount);
    let ascending = AddressesParams::default().order(params::Order::Ascending);
    let logs = AddressLogsParams::new(HASH_A.parse().unwrap()).topic(TOPIC.parse().unwrap());
    for (request, sent) in [
        (Request::from_params(&logs), format!("/addresses/{HASH_A}/logs?topic={TOPIC}")),
        (Request::from_params(&transfers), format!("/addresses/{HASH_A}/token-transfers")),
        (
            Request::from_params(&filtered),
            format!("/addresses/{HASH_A}/token-transfers?type=ERC-20,ERC-404&filter=from&token={TOKEN}"),
        ),
        (
            Request::from_params(&nft.clone().r#type(params::NftTypes(vec![params::NftType::Erc404]))),
            format!("/addresses/{HASH_A}/nft?type=ERC-404"),
        ),
        (Request::from_params(&nft.r#type(params::NftTypes::default())), format!("/addresses/{HASH_A}/nft")),
        (Request::from_params(&sorted), "/addresses?sort=transactions_count&order=desc".into()),
        (Request::from_params(&ascending), "/addresses?order=asc&sort=balance".into()),
        (Request::from_params(&TokenTransfersParams::default()), "/token-transfers".into()),
    ] {
        assert_eq!(url(request), sent);
    }
    assert!("0x12".parse::<params::Address>().is_err());
    assert!(HASH_A.parse::<params::Topic>().is_err());
}

#[test]
fn client_returns_a_typed_page() {
    let log = format!(
        r#"{{"address":{{"hash":"{HASH_A}"}},"block_hash":"{TOPIC}","block_number":1,"transaction_hash":"{TOPIC}","index":5,
        "data":"0x","topics":["{TOPIC}",null,null,null],"decoded":null,"smart_contract":null}}"#
    );
    let runtime = TestRuntime::new([MockResponse::ok(format!(r#"{{"items":[{log}],"next_page_params":null}}"#))]);
    let page = runtime.block_on(client(&runtime).page(&AddressLogsParams::new(HASH_A.parse().unwrap()))).unwrap();
    assert_eq!((page.items[0].index, page.items[0].topics.len(), page.next), (5, 4, None));
}

#[test]
fn requests_go_to_the_base_url() {
    for (base, requested) in [
        ("eth.blockscout.com/api/v2/", "https://eth.blockscout.com/api/v2/token-transfers"),
        ("https://gateway.example/1/api", "https://gateway.example/1/api/v2/token-transfers"),
        ("/proxy", "/proxy/api/v2/token-transfers"),
    ] {
        let runtime = TestRuntime::new([MockResponse::ok(r#"{"items":[]}"#)]);
        let client = Client::new(runtime.clone(), base.parse().unwrap());
        let params = TokenTransfersParams::default();
        assert!(runtime.block_on(client.page(&params)).unwrap().items.is_empty());
        assert_eq!(runtime.take_urls(), [requested]);
    }
}

#[test]
fn parameter_beyond_the_url_length_limit_is_named_in_the_error() {
    let types =
        |count| Request::new(list("tokenTransfers"), &[("type", ParamValue::List(vec!["ERC-20".into(); count]))]);
    // Each name adds a comma, and the parameter adds "type=".
    assert!(types(713).is_ok());
    let rule = "is too long: the service accepts no query string of more than 5000 characters; send several requests";
    assert_invalid_parameter(types(714), "type", rule);
}
