//! URLs of the fourteen actions of the account module and of the contract module, and the parameters that are rejected before a request.

use address_query::client::RetryPolicy;
use address_query::endpoint::params::{
    Address, Addresses, BlockNumber, BlockTag, Direction, Order, PageNumber, PageSize, UnixSeconds,
};
use address_query::endpoint::{
    BalanceMultiParams, BalanceParams, EthGetBalanceParams, GetContractCreationParams, GetMinedBlocksParams,
    ListAccountsParams, PendingTxListParams, RowsAction, Token404TxParams, Token1155TxParams, TokenBalanceParams,
    TokenListParams, TokenNftTxParams, TokenTxParams, TxListInternalParams, TxListParams, ValueAction,
};
use address_query::error::ErrorCode;
use address_query::testing::client::{CallOptions, RangeReader, call_action};
use address_query::testing::decode::DecodeOptions;
use address_query::testing::endpoint::{ParamValue, Params, Request, actions};

use super::{NO_ROWS, TOKEN, TX, VALUE_ONE, action, client, string};
use crate::client::assert_invalid_parameter;
use crate::support::HASH_A;
use crate::test_runtime::{MockResponse, TestRuntime};

fn address(hash: &str) -> Address {
    hash.parse().unwrap()
}

/// The URL after the base URL and the module.
fn query(runtime: &TestRuntime) -> String {
    let url = runtime.take_urls().concat();
    url.strip_prefix("https://eth.blockscout.com/api?module=account&action=").unwrap().to_owned()
}

fn rows_query<A: RowsAction>(params: &A) -> String {
    let runtime = TestRuntime::new([MockResponse::ok(NO_ROWS)]);
    runtime.block_on(client(&runtime).rows(params)).unwrap();
    query(&runtime)
}

fn value_query<A: ValueAction>(params: &A, body: &str) -> String {
    let runtime = TestRuntime::new([MockResponse::ok(body)]);
    runtime.block_on(client(&runtime).value(params)).unwrap();
    query(&runtime)
}

#[test]
fn every_action_of_balances_sends_all_its_parameters() {
    let (a, t) = (format!("address={HASH_A}"), TOKEN);
    let eth = r#"{"jsonrpc":"2.0","result":"0x64","id":0}"#;
    let params = EthGetBalanceParams::new(address(HASH_A)).block(BlockTag::Number(BlockNumber(16)));
    assert_eq!(value_query(&params, eth), format!("eth_get_balance&{a}&block=16"));
    assert_eq!(value_query(&BalanceParams::new(address(HASH_A)), VALUE_ONE), format!("balance&{a}"));
    let params = TokenBalanceParams::new(address(TOKEN), address(HASH_A));
    assert_eq!(value_query(&params, VALUE_ONE), format!("tokenbalance&contractaddress={t}&{a}"));
    let params = BalanceMultiParams::new(Addresses(vec![address(HASH_A), address(TOKEN)]));
    assert_eq!(rows_query(&params), format!("balancemulti&{a},{t}"));
}

#[test]
fn every_action_with_rows_sends_all_its_parameters() {
    let (page, offset) = (PageNumber(2), PageSize(5_000));
    let (startblock, endblock) = (BlockNumber(0), BlockNumber(2_147_483_647));
    let (a, t) = (format!("address={HASH_A}"), TOKEN);
    let paged = "page=2&offset=5000";
    let transfers = format!("{a}&contractaddress={t}&sort=desc&startblock=0&endblock=2147483647&{paged}");

    let params = PendingTxListParams::new(address(HASH_A)).page(page).offset(offset);
    assert_eq!(rows_query(&params), format!("pendingtxlist&{a}&{paged}"));
    let params = TxListParams::new(address(HASH_A))
        .sort(Order::Ascending)
        .startblock(startblock)
        .endblock(endblock)
        .page(page)
        .offset(offset)
        .filter_by(Direction::From)
        .start_timestamp(UnixSeconds(1))
        .end_timestamp(UnixSeconds(1_700_000_000));
    assert_eq!(
        rows_query(&params),
        format!(
            "txlist&{a}&sort=asc&startblock=0&endblock=2147483647&{paged}&filter_by=from&start_timestamp=1&\
             end_timestamp=1700000000"
        )
    );
    let params = TxListInternalParams::default()
        .txhash(TX.parse().unwrap())
        .address(address(HASH_A))
        .include_zero_value(true)
        .sort(Order::Ascending)
        .startblock(startblock)
        .endblock(endblock)
        .page(page)
        .offset(offset);
    assert_eq!(
        rows_query(&params),
        format!(
            "txlistinternal&txhash={TX}&{a}&include_zero_value=true&sort=asc&startblock=0&endblock=2147483647&{paged}"
        )
    );
    macro_rules! transfers {
        ($( $params:ident $action:literal )*) => { $(
            let params = $params::default()
                .address(address(HASH_A))
                .contractaddress(address(TOKEN))
                .sort(Order::Descending)
                .startblock(startblock)
                .endblock(endblock)
                .page(page)
                .offset(offset);
            assert_eq!(rows_query(&params), format!("{}&{transfers}", $action));
        )* };
    }
    transfers! {
        TokenTxParams "tokentx" TokenNftTxParams "tokennfttx" Token1155TxParams "token1155tx"
        Token404TxParams "token404tx"
    }
    assert_eq!(rows_query(&TokenListParams::new(address(HASH_A))), format!("tokenlist&{a}"));
    let params = GetMinedBlocksParams::new(address(HASH_A)).page(page).offset(offset);
    assert_eq!(rows_query(&params), format!("getminedblocks&{a}&{paged}"));
    assert_eq!(rows_query(&ListAccountsParams::default().page(page).offset(offset)), format!("listaccounts&{paged}"));
    assert_eq!(actions().filter(|action| action.module() == Some("account")).count(), 14);
}

#[test]
fn omitted_parameters_are_not_sent() {
    let params = TxListInternalParams::default();
    assert_eq!(rows_query(&params), "txlistinternal");
    assert_eq!(rows_query(&ListAccountsParams::default()), "listaccounts");
}

#[test]
fn the_creations_of_ten_contracts_are_one_request() {
    let contracts = |count| Addresses(vec![address(HASH_A); count]);
    let request = |count| {
        let params = GetContractCreationParams::new(contracts(count));
        Request::new(GetContractCreationParams::OPERATION, &params.to_values())
    };
    let url = request(10).unwrap().url(&"https://x.example".parse().unwrap(), &[]);
    let list = [HASH_A; 10].join(",");
    assert_eq!(
        url,
        format!("https://x.example/api?module=contract&action=getcontractcreation&contractaddresses={list}")
    );
    let error = request(11).unwrap_err();
    assert_eq!(error.parameter.as_deref(), Some("contractaddresses"));
}

/// The query of an action that is called with named values, as JavaScript does.
fn sent(name: &str, values: &[(&str, ParamValue)]) -> String {
    let runtime =
        TestRuntime::new([MockResponse::ok(if name == "ethGetBalance" { r#"{"result":"0x1"}"# } else { NO_ROWS })]);
    let request = Request::new(action(name), values).unwrap();
    drop(runtime.block_on(call_action(&client(&runtime), action(name), &request, DecodeOptions::default())));
    query(&runtime)
}

#[test]
fn values_may_be_strings_and_are_sent_in_their_canonical_form() {
    let number = ParamValue::Number;
    for (method, name, value, plain) in [
        ("txList", "startblock", number(7.0), "7"),
        ("txList", "startblock", string("7"), "7"),
        ("txList", "startblock", string("007"), "7"),
        ("txList", "startblock", string("0"), "0"),
        ("txList", "startblock", number(2_147_483_647.0), "2147483647"),
        ("ethGetBalance", "block", string("latest"), "latest"),
        ("ethGetBalance", "block", string("earliest"), "earliest"),
        ("ethGetBalance", "block", string("pending"), "pending"),
        ("ethGetBalance", "block", string("012"), "12"),
        ("ethGetBalance", "block", number(0.0), "0"),
        ("txListInternal", "include_zero_value", string("true"), "true"),
    ] {
        let query = sent(method, &[("address", string(HASH_A)), (name, value)]);
        assert!(query.ends_with(&format!("&address={HASH_A}&{name}={plain}")), "{query}");
    }
    let url = sent("txListInternal", &[("include_zero_value", ParamValue::Boolean(false))]);
    assert_eq!(url, "txlistinternal&include_zero_value=false");
    let paged = [("address", string(HASH_A)), ("page", number(10_000.0)), ("offset", string("1"))];
    assert_eq!(sent("txList", &paged), format!("txlist&address={HASH_A}&page=10000&offset=1"));
}

const BLOCK: &str = "must be a block number from 0 to 2147483647";
const PAGE: &str = "must be a page number from 1 to 2147483647";
const SIZE: &str = "must be a number of records from 1 to 10000";
const TIME: &str = "must be a Unix time in seconds";
const HASH: &str = "must be an address hash: 0x and 40 hex digits";
const TAG: &str = "must be a block number, \"latest\", \"earliest\" or \"pending\"";
const YES_OR_NO: &str = "must be true or false";
const WITH_ADDRESS: &str = "can be used only together with address";
const TOO_FAR: &str = "page times offset must be at most 10000, the number of rows that the service returns";

/// Asserts that creating the request fails with this parameter and rule.
#[track_caller]
fn assert_invalid(name: &str, values: &[(&str, ParamValue)], parameter: &str, rule: &str) {
    assert_invalid_parameter(Request::new(action(name), values), parameter, rule);
}

#[test]
fn invalid_values_are_rejected() {
    let order = "must be \"asc\" or \"desc\"";
    let direction = "must be \"to\" or \"from\"";
    let transaction = "must be a transaction hash: 0x and 64 hex digits";
    let unknown = "is not a parameter of tokenList; valid parameters are address";
    let check = |method: &str, name: &str, rule: &str, value: ParamValue| {
        let mut values = vec![(name, value)];
        if name != "address" {
            values.push(("address", string(HASH_A)));
        }
        assert_invalid(method, &values, name, rule);
    };
    for (method, name, rule, strings, numbers) in [
        (
            "txList",
            "startblock",
            BLOCK,
            &["", " 1", "+1", "99999999999999999999"][..],
            &[-1.0, 1.5, 2_147_483_648.0, f64::NAN, f64::INFINITY][..],
        ),
        ("txList", "endblock", BLOCK, &["-1", "1.5", "2147483648", "latest", "0x10", "1e3"], &[]),
        ("txList", "page", PAGE, &["two"], &[0.0, 2_147_483_648.0, -1.0, 0.5]),
        ("txList", "offset", SIZE, &[""], &[0.0, 10_001.0, -1.0]),
        ("txList", "start_timestamp", TIME, &["2026-01-01"], &[-1.0, 253_402_300_800.0, 0.1]),
        ("txList", "end_timestamp", TIME, &["now"], &[1e16]),
        ("txList", "sort", order, &["ASC", "newest", ""], &[1.0]),
        ("txList", "filter_by", direction, &["both", "To"], &[]),
        ("txList", "address", HASH, &["0x12", "", TX, "vitalik"], &[]),
        ("ethGetBalance", "block", TAG, &["0x10", "safe", "Latest", ""], &[-1.0, 2_147_483_648.0]),
        ("txListInternal", "include_zero_value", YES_OR_NO, &["1", "yes"], &[1.0]),
        ("txListInternal", "txhash", transaction, &[HASH_A], &[]),
        ("tokenTx", "contractaddress", HASH, &["USDC"], &[]),
        ("tokenList", "page", unknown, &["1"], &[]),
    ] {
        let numbers = numbers.iter().map(|number| ParamValue::Number(*number));
        for value in strings.iter().map(|value| string(value)).chain(numbers) {
            check(method, name, rule, value);
        }
    }
    check("txList", "startblock", BLOCK, ParamValue::Boolean(true));
    check("txList", "startblock", BLOCK, ParamValue::Other);
    check("txList", "startblock", BLOCK, ParamValue::List(vec!["1".into()]));
    check("txList", "filter_by", direction, ParamValue::Boolean(true));
    check("txList", "address", HASH, ParamValue::List(vec![HASH_A.into()]));
    check("txListInternal", "include_zero_value", YES_OR_NO, ParamValue::Other);
}

#[test]
fn missing_required_parameters_are_rejected() {
    let rule = format!("is required: {}", HASH.strip_prefix("must be ").unwrap());
    for name in ["ethGetBalance", "balance", "pendingTxList", "txList", "tokenList", "getMinedBlocks"] {
        assert_invalid(name, &[], "address", &rule);
    }
    assert_invalid("tokenBalance", &[("contractaddress", string(TOKEN))], "address", &rule);
    assert_invalid("tokenBalance", &[("address", string(HASH_A))], "contractaddress", &rule);
    let many = "is required: address hashes: 0x and 40 hex digits each";
    assert_invalid("balanceMulti", &[], "address", many);
}

#[test]
fn page_and_offset_belong_together_and_reach_ten_thousand_rows() {
    for action in actions().filter(|action| action.params.iter().any(|param| param.name == "page")) {
        let with = |page: Option<f64>, offset: Option<f64>| {
            let mut values = vec![("address", string(HASH_A))];
            values.retain(|(name, _)| action.params.iter().any(|param| param.name == *name));
            values.extend(page.map(|number| ("page", ParamValue::Number(number))));
            values.extend(offset.map(|number| ("offset", ParamValue::Number(number))));
            values
        };
        let name = action.name;
        assert_invalid(name, &with(Some(1.0), None), "offset", "must be given together with page");
        assert_invalid(name, &with(None, Some(1.0)), "page", "must be given together with offset");
        // The service has no limit for this action.
        if name == "getMinedBlocks" {
            Request::new(action, &with(Some(20_000.0), Some(10_000.0))).unwrap();
        } else {
            assert_invalid(name, &with(Some(2.0), Some(5_001.0)), "page", TOO_FAR);
            assert_invalid(name, &with(Some(10_000.0), Some(10_000.0)), "page", TOO_FAR);
        }
        for (page, offset) in [(2.0, 5_000.0), (1.0, 10_000.0), (10_000.0, 1.0)] {
            Request::new(action, &with(Some(page), Some(offset))).unwrap();
        }
    }
}

#[test]
fn transfers_require_an_address_or_a_token() {
    let rule = "either address or contractaddress is required";
    for name in ["tokenTx", "tokenNftTx", "token1155Tx", "token404Tx"] {
        assert_invalid(name, &[], "address", rule);
        assert_invalid(name, &[("sort", string("asc"))], "address", rule);
        assert!(sent(name, &[("contractaddress", string(TOKEN))]).ends_with(&format!("&contractaddress={TOKEN}")));
        assert!(sent(name, &[("address", string(HASH_A))]).ends_with(&format!("&address={HASH_A}")));
    }
}

#[test]
fn internal_transactions_accept_most_parameters_only_with_an_address() {
    let one = || ParamValue::Number(1.0);
    for (name, value) in [("sort", string("asc")), ("startblock", one()), ("endblock", one())] {
        assert_invalid("txListInternal", &[(name, value.clone())], name, WITH_ADDRESS);
        assert_invalid("txListInternal", &[("txhash", string(TX)), (name, value.clone())], name, WITH_ADDRESS);
        sent("txListInternal", &[("address", string(HASH_A)), (name, value)]);
    }
    assert_invalid("txListInternal", &[("page", one()), ("offset", one())], "page", WITH_ADDRESS);
    assert_invalid("txListInternal", &[("offset", one())], "offset", WITH_ADDRESS);
}

#[test]
fn start_of_a_range_must_not_follow_its_end() {
    let with = |start: &'static str, end: &'static str| {
        let number = ParamValue::Number;
        [("address", string(HASH_A)), (start, number(10.0)), (end, number(9.0))]
    };
    for name in ["txList", "txListInternal", "tokenTx", "tokenNftTx", "token1155Tx", "token404Tx"] {
        let blocks = with("startblock", "endblock");
        assert_invalid(name, &blocks, "endblock", "must not be smaller than startblock");
    }
    let times = with("start_timestamp", "end_timestamp");
    assert_invalid("txList", &times, "end_timestamp", "must not be smaller than start_timestamp");
    sent("txList", &[("address", string(HASH_A)), ("startblock", string("9")), ("endblock", string("9"))]);
}

#[test]
fn invalid_calls_send_no_request() {
    let runtime = TestRuntime::new([]);
    let client = client(&runtime);
    let params = TokenTxParams::default();
    let error = runtime.block_on(client.rows(&params)).map(drop).unwrap_err();
    assert_eq!((error.code, error.parameter.as_deref()), (ErrorCode::InvalidParameter, Some("address")));
    assert_eq!((&error.url, error.attempts, error.status), (&None, None, None));
    let error = runtime.block_on(client.balances(&[], None)).unwrap_err();
    assert_eq!(error.parameter.as_deref(), Some("address"));
    let request =
        Request::new(action("txList"), &[("address", string(HASH_A)), ("page", string("1")), ("offset", string("1"))]);
    let made = RangeReader::new(client, request.unwrap(), None);
    assert_eq!(made.map(drop).unwrap_err().parameter.as_deref(), Some("page"));
    assert!(runtime.take_urls().is_empty());
}

#[test]
fn options_of_balances_are_read() {
    let read = |name: &str, value| CallOptions::read(&vec![(name.to_owned(), value)], RetryPolicy::default());
    assert!(read("until", string("fresh")).until_fresh);
    assert_eq!(read("freshWithinMs", ParamValue::Number(5.0)).fresh_within_ms, 5);
}
