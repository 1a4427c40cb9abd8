//! Parameters and URLs of lists: what is sent, and what is rejected before a request.

use address_query::client::Client;
use address_query::endpoint::{
    AddressLogsParams, AddressNftParams, AddressTokenTransfersParams, AddressesParams, BaseUrl, ListParams,
    TokenTransfersParams, params,
};
use address_query::testing::endpoint::{Allowed, DESCRIBED_LISTS, DescribedList, List, ParamRule, ParamValue, Request};

use super::{assert_invalid_parameter, client, frame_pager, list, serve_two_pages, string, take_list_urls};
use crate::support::HASH_A;
use crate::test_runtime::{MockResponse, TestRuntime};

const TOKEN: &str = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
const TOPIC: &str = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

fn url(list: &'static List, values: &[(&str, ParamValue)]) -> String {
    Request::new(list, values.iter().cloned()).unwrap().url(&"https://x.example".parse().unwrap(), &[])
}

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

#[test]
fn sort_and_order_are_sent_together() {
    for (values, query) in [
        (vec![], ""),
        (vec![("sort", string("balance"))], "?sort=balance&order=desc"),
        (vec![("sort", string("transactions_count"))], "?sort=transactions_count&order=desc"),
        (vec![("order", string("asc"))], "?order=asc&sort=balance"),
    ] {
        assert_eq!(url(list("addresses"), &values), format!("https://x.example/api/v2/addresses{query}"));
    }
}

#[test]
fn empty_type_filter_is_not_sent() {
    assert_eq!(
        url(list("tokenTransfers"), &[("type", ParamValue::List(vec![]))]),
        "https://x.example/api/v2/token-transfers"
    );
}

#[test]
fn lists_of_nfts_accept_the_token_standards_of_nfts() {
    let with = |value| [("address_hash", string(HASH_A)), ("type", string(value))];
    let standards = "must be token standards of NFTs: ERC-721, ERC-1155, ERC-404";
    for method in ["addressNft", "addressNftCollections"] {
        for wrong in ["ERC-20", "ERC-7984", "ZRC-2", "ERC-721,ERC-20"] {
            assert_invalid_parameter(Request::new(list(method), with(wrong)), "type", standards);
        }
        assert!(Request::new(list(method), with("ERC-721,erc-1155,ERC-404")).is_ok());
    }
}

#[test]
fn every_parameter_rule_states_its_accepted_values() {
    let hash = |digits: &str| string(&format!("0x{digits}"));
    let other =
        |name: &str| format!("is not a parameter of addressWithdrawals; valid parameters are address_hash, not {name}");
    let address = "must be an address hash: 0x and 40 hex digits";
    for wrong in [
        string(""),
        string(&HASH_A[2..]),
        string(&format!("{HASH_A} ")),
        string(&HASH_A[..41]),
        string(&format!("{HASH_A}0")),
        string(&HASH_A.replace('x', "X")),
        hash(&"g".repeat(40)),
        hash(&"a/".repeat(20)),
        string("vitalik.eth"),
        ParamValue::List(vec![HASH_A.into()]),
        ParamValue::Number(0.0),
        ParamValue::Boolean(true),
        ParamValue::Other,
    ] {
        let values = [("address_hash", wrong)];
        assert_invalid_parameter(Request::new(list("addressWithdrawals"), values), "address_hash", address);
    }
    let none: [(&str, ParamValue); 0] = [];
    let required = "is required: an address hash: 0x and 40 hex digits";
    assert_invalid_parameter(Request::new(list("addressWithdrawals"), none), "address_hash", required);

    let with = |name, value| [("address_hash", string(HASH_A)), (name, value)];
    for (method, name, wrong, rule) in [
        ("addressLogs", "topic", hash(&"a".repeat(40)), "must be a topic: 0x and 64 hex digits"),
        ("addressTokenTransfers", "filter", string("both"), "must be \"to\" or \"from\""),
        ("addressTokenTransfers", "filter", string("TO"), "must be \"to\" or \"from\""),
        ("addressTokenTransfers", "token", string("USDT"), address),
        ("addressInternalTransactions", "include_zero_value", string("yes"), "must be true or false"),
        ("addressInternalTransactions", "include_zero_value", ParamValue::Number(1.0), "must be true or false"),
    ] {
        assert_invalid_parameter(Request::new(list(method), with(name, wrong)), name, rule);
    }
    let standards = "must be token standards: ERC-20, ERC-721, ERC-1155, ERC-404, ERC-7984, ZRC-2";
    let lists = [vec!["ERC-20".into(), "ERC20".into()], vec![String::new()]].map(ParamValue::List);
    for wrong in lists.into_iter().chain([string(""), string("ERC-20,"), string("[ERC-20]"), ParamValue::Boolean(true)])
    {
        assert_invalid_parameter(Request::new(list("tokenTransfers"), [("type", wrong)]), "type", standards);
    }
    assert_invalid_parameter(
        Request::new(list("addresses"), [("sort", string("hash"))]),
        "sort",
        "must be \"balance\" or \"transactions_count\"",
    );
    assert_invalid_parameter(
        Request::new(list("addresses"), [("order", string("up"))]),
        "order",
        "must be \"asc\" or \"desc\"",
    );
    for unknown in ["page", "items_count", "apikey", "Address_hash", ""] {
        let rule = other(unknown).split(", not").next().unwrap().to_owned();
        assert_invalid_parameter(Request::new(list("addressWithdrawals"), with(unknown, string("1"))), unknown, &rule);
    }
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
        "1",
        "pending",
        "blob_transaction",
        "uncle",
        "fiat_value",
    ];
    let accepted = samples.into_iter().find(|sample| rule.canonicalize(sample).is_some());
    accepted.unwrap_or_else(|| panic!("no sample is {}: add one", rule.must_be))
}

/// Checks all declared lists.
#[test]
fn every_list_validates_its_parameters_and_sends_them_with_every_page() {
    for DescribedList { list, cursor, .. } in DESCRIBED_LISTS {
        let all: Vec<(&str, ParamValue)> =
            list.params.iter().map(|param| (param.name, string(sample(param.rule)))).collect();
        let without = |name: &str| all.iter().filter(|(known, _)| *known != name).cloned().collect::<Vec<_>>();
        let (path, filters): (Vec<_>, Vec<_>) =
            list.params.iter().partition(|param| list.path.contains(&format!("{{{}}}", param.name)));
        assert!(path.iter().all(|param| param.required), "{}: its path has holes", list.name);

        for param in list.params {
            let left_out = Request::new(list, without(param.name));
            if param.required {
                assert_invalid_parameter(left_out, param.name, &format!("is required: {}", param.rule.must_be));
            } else {
                assert!(left_out.is_ok(), "{} without {}", list.name, param.name);
            }
            let takes = |accepts: fn(&Allowed) -> bool| param.rule.allowed.iter().any(accepts);
            let is_text = takes(|allowed| matches!(allowed, Allowed::Text));
            let is_number = is_text || takes(|allowed| matches!(allowed, Allowed::Integer(..) | Allowed::Digits(_)));
            let mut wrong = vec![string(""), ParamValue::Other];
            wrong.extend((!is_text).then(|| string("?")));
            wrong.push(ParamValue::Number(if is_number { 1.5 } else { 1.0 }));
            let one = ParamValue::List(vec![sample(param.rule).into()]);
            for value in wrong.into_iter().chain((!param.rule.is_list).then_some(one)) {
                let values = without(param.name).into_iter().chain([(param.name, value)]);
                assert_invalid_parameter(
                    Request::new(list, values),
                    param.name,
                    &format!("must be {}", param.rule.must_be),
                );
            }
        }

        let names: Vec<&str> = list.params.iter().map(|param| param.name).collect();
        let unknown = all.iter().cloned().chain([("limit", string("1"))]);
        let rule = format!("is not a parameter of {}; valid parameters are {}", list.name, names.join(", "));
        assert_invalid_parameter(Request::new(list, unknown), "limit", &rule);

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
fn typed_and_named_parameters_send_the_same_request() {
    let address_hash: params::Address = HASH_A.parse().unwrap();
    let standards = || params::TokenTypes(vec![params::TokenType::Erc20, params::TokenType::Erc404]);
    let base: BaseUrl = "https://x.example".parse().unwrap();
    let typed = |request: Result<Request, _>| request.unwrap().url(&base, &[]).replace("https://x.example/api/v2", "");
    let transfers = AddressTokenTransfersParams::new(address_hash.clone())
        .r#type(standards())
        .filter(params::Direction::From)
        .token(TOKEN.parse().unwrap());
    assert_eq!(
        typed(Request::from_params(&transfers)),
        format!("/addresses/{HASH_A}/token-transfers?type=ERC-20,ERC-404&filter=from&token={TOKEN}")
    );
    let sorted = AddressesParams::default().sort(params::AddressSort::TransactionsCount);
    assert_eq!(typed(Request::from_params(&sorted)), "/addresses?sort=transactions_count&order=desc");
    let nft = AddressNftParams::new(address_hash).r#type(params::NftTypes(vec![params::NftType::Erc404]));
    assert_eq!(typed(Request::from_params(&nft)), format!("/addresses/{HASH_A}/nft?type=ERC-404"));
    let nft = nft.r#type(params::NftTypes::default());
    assert_eq!(typed(Request::from_params(&nft)), format!("/addresses/{HASH_A}/nft"));
    assert!("0x12".parse::<params::Address>().is_err());
    assert!(HASH_A.parse::<params::Topic>().is_err());
}

#[test]
fn parameters_are_created_from_the_required_ones() {
    let address_hash: params::Address = HASH_A.parse().unwrap();
    let base: BaseUrl = "https://x.example".parse().unwrap();
    let url = |request: Result<Request, _>| request.unwrap().url(&base, &[]).replace("https://x.example/api/v2", "");
    let all = AddressTokenTransfersParams::new(address_hash);
    assert_eq!(url(Request::from_params(&all)), format!("/addresses/{HASH_A}/token-transfers"));
    let nfts = params::TokenTypes(vec![params::TokenType::Erc721]);
    let filtered = all.r#type(nfts);
    assert_eq!(url(Request::from_params(&filtered)), format!("/addresses/{HASH_A}/token-transfers?type=ERC-721"));
    let ascending = AddressesParams::default().order(params::Order::Ascending);
    assert_eq!(url(Request::from_params(&ascending)), "/addresses?order=asc&sort=balance");
    assert_eq!(url(Request::from_params(&TokenTransfersParams::default())), "/token-transfers");
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
fn client_returns_a_typed_page() {
    let log = format!(
        r#"{{"address":{{"hash":"{HASH_A}"}},"block_hash":"{TOPIC}","block_number":1,"transaction_hash":"{TOPIC}","index":5,
        "data":"0x","topics":["{TOPIC}",null,null,null],"decoded":null,"smart_contract":null}}"#
    );
    let runtime = TestRuntime::new([MockResponse::ok(format!(r#"{{"items":[{log}],"next_page_params":null}}"#))]);
    let params = AddressLogsParams::new(HASH_A.parse().unwrap()).topic(TOPIC.parse().unwrap());
    let page = runtime.block_on(client(&runtime).page(&params)).unwrap();
    assert_eq!((page.items[0].index, page.items[0].topics.len(), page.next), (5, 4, None));
    assert_eq!(
        runtime.take_urls(),
        [format!("https://eth.blockscout.com/api/v2/addresses/{HASH_A}/logs?topic={TOPIC}")]
    );
    assert_eq!(AddressLogsParams::LIST.name, "addressLogs");
}

#[test]
fn parameter_beyond_the_url_length_limit_is_named_in_the_error() {
    let list = list("tokenTransfers");
    let types = |count| ParamValue::List(vec!["ERC-20".into(); count]);
    // Each name adds a comma, and the parameter adds "type=".
    assert!(Request::new(list, [("type", types(713))]).is_ok());
    assert_invalid_parameter(
        Request::new(list, [("type", types(714))]),
        "type",
        "is too long: the service accepts no query string of more than 5000 characters; send several requests",
    );
}
