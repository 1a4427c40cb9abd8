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

#[test]
fn omitted_parameters_are_not_sent() {
    let params = TxListInternalParams::default();
    assert_eq!(rows_query(&params), "txlistinternal");
    assert_eq!(rows_query(&ListAccountsParams::default()), "listaccounts");
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
fn numbers_may_be_strings_and_are_sent_as_plain_digits() {
    let account = ("address", string(HASH_A));
    for (values, plain) in [
        (ParamValue::Number(7.0), "7"),
        (string("7"), "7"),
        (string("007"), "7"),
        (string("0"), "0"),
        (ParamValue::Number(2_147_483_647.0), "2147483647"),
    ] {
        let url = sent("txList", &[account.clone(), ("startblock", values)]);
        assert_eq!(url, format!("txlist&address={HASH_A}&startblock={plain}"));
    }
    for (values, plain) in [
        (string("latest"), "latest"),
        (string("earliest"), "earliest"),
        (string("pending"), "pending"),
        (string("012"), "12"),
        (ParamValue::Number(0.0), "0"),
    ] {
        let url = sent("ethGetBalance", &[account.clone(), ("block", values)]);
        assert_eq!(url, format!("eth_get_balance&address={HASH_A}&block={plain}"));
    }
    let url = sent("txListInternal", &[("include_zero_value", ParamValue::Boolean(false))]);
    assert_eq!(url, "txlistinternal&include_zero_value=false");
    let url = sent("txListInternal", &[("txhash", string(TX)), ("include_zero_value", string("true"))]);
    assert_eq!(url, format!("txlistinternal&txhash={TX}&include_zero_value=true"));
    let url = sent("txList", &[account.clone(), ("page", ParamValue::Number(10_000.0)), ("offset", string("1"))]);
    assert_eq!(url, format!("txlist&address={HASH_A}&page=10000&offset=1"));
}

const BLOCK: &str = "must be a block number from 0 to 2147483647";
const PAGE: &str = "must be a page number from 1 to 2147483647";
const SIZE: &str = "must be a number of records from 1 to 10000";
const TIME: &str = "must be a Unix time in seconds";
const HASH: &str = "must be an address hash: 0x and 40 hex digits";
const TAG: &str = "must be a block number, \"latest\", \"earliest\" or \"pending\"";
const WITH_ADDRESS: &str = "can be used only together with address";
const TOO_FAR: &str = "page times offset must be at most 10000, the number of rows that the service returns";

/// Asserts that creating the request fails with this parameter and rule.
#[track_caller]
fn assert_invalid_parameter(name: &str, values: &[(&str, ParamValue)], parameter: &str, rule: &str) {
    let error = Request::new(action(name), values).map(drop).expect_err("is sent");
    assert_eq!(error.message, format!("{parameter}: {rule}"));
    assert_eq!((error.code, error.parameter.as_deref()), (ErrorCode::InvalidParameter, Some(parameter)));
}

#[test]
fn invalid_values_are_rejected() {
    let number = ParamValue::Number;
    for (name, rule, values) in [
        ("startblock", BLOCK, &[number(-1.0), number(1.5), number(2_147_483_648.0), number(f64::NAN), string("")][..]),
        (
            "endblock",
            BLOCK,
            &[string("-1"), string("1.5"), string("2147483648"), string("latest"), string("0x10"), string("1e3")],
        ),
        ("startblock", BLOCK, &[ParamValue::Boolean(true), ParamValue::Other, ParamValue::List(vec!["1".into()])]),
        ("startblock", BLOCK, &[string(" 1"), string("+1"), string("99999999999999999999"), number(f64::INFINITY)]),
        ("page", PAGE, &[number(0.0), number(2_147_483_648.0), number(-1.0), number(0.5), string("two")]),
        ("offset", SIZE, &[number(0.0), number(10_001.0), number(-1.0), string("")]),
        ("start_timestamp", TIME, &[number(-1.0), string("2026-01-01"), number(253_402_300_800.0), number(0.1)]),
        ("end_timestamp", TIME, &[string("now"), number(1e16)]),
        ("sort", "must be \"asc\" or \"desc\"", &[string("ASC"), string("newest"), string(""), number(1.0)]),
        ("filter_by", "must be \"to\" or \"from\"", &[string("both"), string("To"), ParamValue::Boolean(true)]),
        (
            "address",
            HASH,
            &[string("0x12"), string(""), string(TX), string("vitalik"), ParamValue::List(vec![HASH_A.into()])],
        ),
    ] {
        for value in values {
            let mut values = vec![("address", string(HASH_A))];
            values.retain(|(known, _)| *known != name);
            values.push((name, value.clone()));
            assert_invalid_parameter("txList", &values, name, rule);
        }
    }
    for value in [string("0x10"), string("safe"), string("Latest"), string(""), number(-1.0), number(2_147_483_648.0)] {
        assert_invalid_parameter("ethGetBalance", &[("address", string(HASH_A)), ("block", value)], "block", TAG);
    }
    for value in [number(1.0), string("1"), string("yes"), ParamValue::Other] {
        assert_invalid_parameter(
            "txListInternal",
            &[("include_zero_value", value)],
            "include_zero_value",
            "must be true or false",
        );
    }
    let rule = "must be a transaction hash: 0x and 64 hex digits";
    assert_invalid_parameter("txListInternal", &[("txhash", string(HASH_A))], "txhash", rule);
    assert_invalid_parameter("tokenTx", &[("contractaddress", string("USDC"))], "contractaddress", HASH);
    let rule = "is not a parameter of tokenList; valid parameters are address";
    assert_invalid_parameter("tokenList", &[("address", string(HASH_A)), ("page", string("1"))], "page", rule);
}

#[test]
fn missing_required_parameters_are_rejected() {
    let rule = format!("is required: {}", HASH.strip_prefix("must be ").unwrap());
    for name in ["ethGetBalance", "balance", "pendingTxList", "txList", "tokenList", "getMinedBlocks"] {
        assert_invalid_parameter(name, &[], "address", &rule);
    }
    assert_invalid_parameter("tokenBalance", &[("contractaddress", string(TOKEN))], "address", &rule);
    assert_invalid_parameter("tokenBalance", &[("address", string(HASH_A))], "contractaddress", &rule);
    let many = "is required: address hashes: 0x and 40 hex digits each";
    assert_invalid_parameter("balanceMulti", &[], "address", many);
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
        assert_invalid_parameter(name, &with(Some(1.0), None), "offset", "must be given together with page");
        assert_invalid_parameter(name, &with(None, Some(1.0)), "page", "must be given together with offset");
        // The service has no limit for this action.
        if name == "getMinedBlocks" {
            Request::new(action, &with(Some(20_000.0), Some(10_000.0))).unwrap();
        } else {
            assert_invalid_parameter(name, &with(Some(2.0), Some(5_001.0)), "page", TOO_FAR);
            assert_invalid_parameter(name, &with(Some(10_000.0), Some(10_000.0)), "page", TOO_FAR);
        }
        for (page, offset) in [(2.0, 5_000.0), (1.0, 10_000.0), (10_000.0, 1.0)] {
            Request::new(action, &with(Some(page), Some(offset))).unwrap();
        }
    }
}

#[test]
fn transfers_require_an_address_or_a_token() {
    for name in ["tokenTx", "tokenNftTx", "token1155Tx", "token404Tx"] {
        assert_invalid_parameter(name, &[], "address", "either address or contractaddress is required");
        assert_invalid_parameter(
            name,
            &[("sort", string("asc"))],
            "address",
            "either address or contractaddress is required",
        );
        assert!(sent(name, &[("contractaddress", string(TOKEN))]).ends_with(&format!("&contractaddress={TOKEN}")));
        assert!(sent(name, &[("address", string(HASH_A))]).ends_with(&format!("&address={HASH_A}")));
    }
}

#[test]
fn internal_transactions_accept_most_parameters_only_with_an_address() {
    let one = ParamValue::Number(1.0);
    for (name, value) in [("sort", string("asc")), ("startblock", one.clone()), ("endblock", one.clone())] {
        assert_invalid_parameter("txListInternal", &[(name, value.clone())], name, WITH_ADDRESS);
        assert_invalid_parameter(
            "txListInternal",
            &[("txhash", string(TX)), (name, value.clone())],
            name,
            WITH_ADDRESS,
        );
        sent("txListInternal", &[("address", string(HASH_A)), (name, value)]);
    }
    let paged = [("page", one.clone()), ("offset", one.clone())];
    assert_invalid_parameter("txListInternal", &paged, "page", WITH_ADDRESS);
    assert_invalid_parameter("txListInternal", &[("offset", one)], "offset", WITH_ADDRESS);
}

#[test]
fn start_of_a_range_must_not_follow_its_end() {
    let with = |start: &'static str, end: &'static str| {
        let number = ParamValue::Number;
        [("address", string(HASH_A)), (start, number(10.0)), (end, number(9.0))]
    };
    for name in ["txList", "txListInternal", "tokenTx", "tokenNftTx", "token1155Tx", "token404Tx"] {
        assert_invalid_parameter(
            name,
            &with("startblock", "endblock"),
            "endblock",
            "must not be smaller than startblock",
        );
    }
    let rule = "must not be smaller than start_timestamp";
    assert_invalid_parameter("txList", &with("start_timestamp", "end_timestamp"), "end_timestamp", rule);
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
