//! Parameters and URLs of lists: what is sent, and what is rejected before a request.

use address_query::client::Client;
use address_query::endpoint::{
    AddressLogsParams, AddressNftParams, AddressTokenTransfersParams, AddressesParams, BaseUrl, TokenTransfersParams,
    params,
};
use address_query::testing::endpoint::{
    Allowed, DescribedOperation, Operation, ParamRule, ParamValue, Params as _, Request, described_operations, lists,
};

use super::{assert_invalid_parameter, client, frame_pager, list, serve_two_pages, string, take_list_urls};
use crate::support::HASH_A;
use crate::test_runtime::{MockResponse, TestRuntime};

const TOKEN: &str = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
const TOPIC: &str = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

fn url(list: &'static Operation, values: &[(&str, ParamValue)]) -> String {
    Request::new(list, values).unwrap().url(&"https://x.example".parse().unwrap(), &[])
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
            assert_invalid_parameter(Request::new(list(method), &with(wrong)), "type", standards);
        }
        assert!(Request::new(list(method), &with("ERC-721,erc-1155,ERC-404")).is_ok());
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
        ParamValue::List(vec![HASH_A.into()]),
        ParamValue::Number(0.0),
        ParamValue::Boolean(true),
        ParamValue::Other,
    ] {
        let values = [("address_hash", wrong)];
        assert_invalid_parameter(Request::new(list("addressWithdrawals"), &values), "address_hash", address);
    }
    let named = [("address_hash", string("vitalik.eth"))];
    let hint = format!("{address}; resolveName of address-query/names returns the address of a name");
    assert_invalid_parameter(Request::new(list("addressWithdrawals"), &named), "address_hash", &hint);
    let none: [(&str, ParamValue); 0] = [];
    let required = "is required: an address hash: 0x and 40 hex digits";
    assert_invalid_parameter(Request::new(list("addressWithdrawals"), &none), "address_hash", required);

    let with = |name, value| [("address_hash", string(HASH_A)), (name, value)];
    for (method, name, wrong, rule) in [
        ("addressLogs", "topic", hash(&"a".repeat(40)), "must be a topic: 0x and 64 hex digits"),
        ("addressTokenTransfers", "filter", string("both"), "must be \"to\" or \"from\""),
        ("addressTokenTransfers", "filter", string("TO"), "must be \"to\" or \"from\""),
        ("addressTokenTransfers", "token", string("USDT"), address),
        ("addressInternalTransactions", "include_zero_value", string("yes"), "must be true or false"),
        ("addressInternalTransactions", "include_zero_value", ParamValue::Number(1.0), "must be true or false"),
    ] {
        assert_invalid_parameter(Request::new(list(method), &with(name, wrong)), name, rule);
    }
    let standards = "must be token standards: ERC-20, ERC-721, ERC-1155, ERC-404, ERC-7984, ZRC-2";
    let lists = [vec!["ERC-20".into(), "ERC20".into()], vec![String::new()]].map(ParamValue::List);
    for wrong in lists.into_iter().chain([string(""), string("ERC-20,"), string("[ERC-20]"), ParamValue::Boolean(true)])
    {
        assert_invalid_parameter(Request::new(list("tokenTransfers"), &[("type", wrong)]), "type", standards);
    }
    assert_invalid_parameter(
        Request::new(list("addresses"), &[("sort", string("hash"))]),
        "sort",
        "must be \"balance\" or \"transactions_count\"",
    );
    assert_invalid_parameter(
        Request::new(list("addresses"), &[("order", string("up"))]),
        "order",
        "must be \"asc\" or \"desc\"",
    );
    for unknown in ["page", "items_count", "apikey", "Address_hash", ""] {
        let rule = other(unknown).split(", not").next().unwrap().to_owned();
        assert_invalid_parameter(Request::new(list("addressWithdrawals"), &with(unknown, string("1"))), unknown, &rule);
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
    assert_eq!(AddressLogsParams::OPERATION.name, "addressLogs");
}

#[test]
fn parameter_beyond_the_url_length_limit_is_named_in_the_error() {
    let list = list("tokenTransfers");
    let types = |count| ParamValue::List(vec!["ERC-20".into(); count]);
    // Each name adds a comma, and the parameter adds "type=".
    assert!(Request::new(list, &[("type", types(713))]).is_ok());
    assert_invalid_parameter(
        Request::new(list, &[("type", types(714))]),
        "type",
        "is too long: the service accepts no query string of more than 5000 characters; send several requests",
    );
}
