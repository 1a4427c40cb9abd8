//! Envelopes of responses: rows, values, refusals and incomplete results.

use address_query::endpoint::params::{BlockNumber, BlockTag, LastBlock, PageNumber, PageSize};
use address_query::endpoint::{
    BalanceParams, EthGetBalanceParams, GetLogsParams, GetMinedBlocksParams, TokenListParams, TxListInternalParams,
};
use address_query::error::{Error, ErrorCode};
use serde_json::json;

use super::{HASH_A, MockResponse, RowsResult, rows, value};

const URL: &str =
    "https://eth.blockscout.com/api?module=account&action=tokenlist&address=0x00000000219ab540356cBB839Cbe05303d7705Fa";
const PATH: &str = "check base_url: this path may not exist in the instance's version";

fn holdings() -> TokenListParams {
    TokenListParams::new(HASH_A.parse().unwrap())
}

fn balance() -> BalanceParams {
    BalanceParams::new(HASH_A.parse().unwrap())
}

fn eth_balance() -> EthGetBalanceParams {
    EthGetBalanceParams::new(HASH_A.parse().unwrap()).block(BlockTag::Latest)
}

fn internal() -> TxListInternalParams {
    TxListInternalParams::default().address(HASH_A.parse().unwrap())
}

#[track_caller]
fn refusal(body: &str) -> Error {
    rows(&holdings(), &MockResponse::ok(body)).expect_err(body)
}

#[test]
fn rows_are_returned_with_an_ok_envelope() {
    let holding =
        format!(r#"{{"balance":"5","contractAddress":"{HASH_A}","decimals":"18","name":"Foo","symbol":"FOO"}}"#);
    for status in [r#","status":"1""#, r#","status":1"#, r#","message":null,"status":null"#, ""] {
        let body = format!(r#"{{"result":[{holding}]{status}}}"#);
        let (items, incomplete, message) = rows(&holdings(), &MockResponse::ok(&body)).unwrap();
        assert_eq!(items[0]["balance"], "5", "{body}");
        assert_eq!((items.as_array().unwrap().len(), incomplete, message), (1, false, None));
    }
}

#[test]
fn nothing_found_is_an_empty_list() {
    for body in [
        r#"{"message":"No tokens found","result":[],"status":"0"}"#,
        r#"{"message":"OK","result":[],"status":"1"}"#,
        r#"{"result":[]}"#,
        r#"{"message":"OK","result":null,"status":"1"}"#,
    ] {
        assert_eq!(rows(&holdings(), &MockResponse::ok(body)).unwrap(), (json!([]), false, None), "{body}");
    }
}

#[test]
fn refusal_quotes_the_message_of_the_service() {
    for (body, message) in [
        (r#"{"message":"Invalid address format","result":null,"status":"0"}"#, "Invalid address format"),
        (r#"{"status":"0","message":"Invalid \"x\"\n format"}"#, "Invalid \"x\" format"),
        (r#"{"message":"Something","result":null}"#, "Something"),
        (r#"{"jsonrpc":"2.0","error":"Invalid block","id":0}"#, "Invalid block"),
        (r#"{"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid params"},"id":0}"#, "Invalid params"),
        (r#"{"status":"0","result":null}"#, "no reason given"),
        ("{}", "no reason given"),
    ] {
        let error = refusal(body);
        assert_eq!(error.message, format!("the service refused the request: \"{message}\"; check the parameters"));
        assert_eq!((error.code, error.status, error.url.as_deref()), (ErrorCode::Refused, Some(200), Some(URL)));
    }
}

#[test]
fn status_2_marks_rows_as_incomplete() {
    let pending = "Some internal transactions within this block range have not yet been processed";
    let row = format!(r#"{{"blockNumber":"1","from":"{HASH_A}","value":"1","hash":"0x{:064x}"}}"#, 5);
    for (result, count) in [(row.as_str(), 1), ("", 0)] {
        let body = format!(r#"{{"message":"{pending}","result":[{result}],"status":"2"}}"#);
        let (items, incomplete, message) = rows(&internal(), &MockResponse::ok(body)).unwrap();
        assert_eq!((items.as_array().unwrap().len(), incomplete, message.as_deref()), (count, true, Some(pending)));
    }
}

#[test]
fn a_response_with_the_maximum_number_of_rows_is_incomplete() {
    let read = |count: usize, row: &str| MockResponse::ok(format!(r#"{{"result":[{}]}}"#, vec![row; count].join(",")));
    let holding = format!(r#"{{"balance":"5","contractAddress":"{HASH_A}"}}"#);
    let calls = format!(r#"{{"blockNumber":"1","from":"{HASH_A}","value":"1","hash":"0x{:064x}"}}"#, 5);
    let log = format!(r#"{{"address":"{HASH_A}","blockNumber":"0x1","transactionHash":"0x{:064x}","topics":[]}}"#, 5);
    let address = || HASH_A.parse().unwrap();
    let incomplete = |result: RowsResult| (result.1, result.2);
    let mined = |response| incomplete(rows(&GetMinedBlocksParams::new(address()), &response).unwrap());
    let logs = |response| {
        incomplete(rows(&GetLogsParams::new(BlockNumber(0), LastBlock::Latest).address(address()), &response).unwrap())
    };
    let page = internal().page(PageNumber(1)).offset(PageSize(10_000));
    let full = "the service returns at most 10000 rows, so that more may exist";
    let (more, full_logs) = (format!("{full}; all() reads them"), full.replace("10000", "1000"));
    assert_eq!(incomplete(rows(&internal(), &read(9_999, &calls)).unwrap()), (false, None));
    assert_eq!(incomplete(rows(&internal(), &read(10_000, &calls)).unwrap()), (true, Some(more.clone())));
    assert_eq!(incomplete(rows(&page, &read(10_000, &calls)).unwrap()), (true, Some(more)), "the last page");
    assert_eq!(logs(read(999, &log)), (false, None));
    assert_eq!(logs(read(1_000, &log)), (true, Some(format!("{full_logs}; all() reads them"))));
    assert_eq!(mined(read(10_000, r#"{"blockNumber":"1"}"#)), (true, Some(full.into())));
    let paged = GetMinedBlocksParams::new(address()).page(PageNumber(1)).offset(PageSize(10_000));
    let response = read(10_000, r#"{"blockNumber":"1"}"#);
    assert_eq!(incomplete(rows(&paged, &response).unwrap()), (false, None), "another page may follow");
    assert_eq!(incomplete(rows(&holdings(), &read(10_001, &holding)).unwrap()), (false, None), "without a limit");
}

#[test]
fn format_characters_in_messages_are_escaped() {
    let error = refusal(r#"{"message":"\u202eno\u2066 result","result":null,"status":"0"}"#);
    assert_eq!(error.message, "the service refused the request: \"\u{fffd}no\u{fffd} result\"; check the parameters");
    let body = r#"{"message":"not\u202eyet","result":[],"status":"2"}"#;
    assert_eq!(rows(&internal(), &MockResponse::ok(body)).unwrap().2.as_deref(), Some("not\u{fffd}yet"));
}

const LIMITED: &str =
    "send fewer requests, or use an API key; a service may refuse an IP address without a key for up to 15 minutes";

#[test]
fn rate_limit_refusal_with_status_200_is_rate_limited() {
    for message in ["Too many requests. Set your API key.", "Max rate limit reached", "TOO MANY REQUESTS"] {
        let error = refusal(&format!(r#"{{"message":"{message}","result":null,"status":"0"}}"#));
        assert_eq!(error.message, format!("the service limits the rate of requests: \"{message}\"; {LIMITED}"));
        assert_eq!((error.code, error.status), (ErrorCode::RateLimited, Some(200)));
    }
}

#[test]
fn failing_statuses_have_messages_in_both_body_shapes() {
    for (status, body, message, advice) in [
        (400, r#"{"message":"Unknown action","result":null,"status":"0"}"#, "Unknown action", PATH),
        (400, r#"{"jsonrpc":"2.0","error":"Invalid address hash","id":0}"#, "Invalid address hash", PATH),
        (404, r#"{"message":"Not found","result":null,"status":"0"}"#, "Not found", PATH),
        (
            404,
            r#"{"jsonrpc":"2.0","error":{"code":-1,"message":"Balance not found"},"id":0}"#,
            "Balance not found",
            PATH,
        ),
        (
            500,
            r#"{"message":"Something went wrong.","result":null,"status":"0"}"#,
            "Something went wrong.",
            "try again later; for a busy address narrow the query",
        ),
        (429, r#"{"message":"Too Many Requests","result":null,"status":"0"}"#, "Too Many Requests", LIMITED),
    ] {
        let code = if status == 429 { ErrorCode::RateLimited } else { ErrorCode::HttpStatus };
        let response = MockResponse::status(status, body);
        for error in [
            rows(&holdings(), &response).map(drop).unwrap_err(),
            value(&balance(), &response).map(drop).unwrap_err(),
            value(&eth_balance(), &response).map(drop).unwrap_err(),
        ] {
            assert_eq!(error.message, format!("the service responded with status {status}: \"{message}\"; {advice}"));
            assert_eq!((error.code, error.status), (code, Some(status)));
        }
    }
}

#[test]
fn result_of_a_wrong_type_with_a_message_is_a_refusal() {
    for result in [r#""""#, "{}", "0", "false"] {
        let error = refusal(&format!(r#"{{"message":"Invalid address format","result":{result},"status":"0"}}"#));
        assert_eq!(error.code, ErrorCode::Refused, "{result}");
        assert!(error.message.contains("\"Invalid address format\""), "{error}");
    }
    let error = refusal(r#"{"result":{"a":1},"status":"1"}"#);
    assert_eq!((error.code, error.path.as_deref()), (ErrorCode::Decode, Some("result")));
    let error = refusal(r#"{"message":"OK","result":[{"balance":"5"}],"status":"1"}"#);
    assert_eq!((error.code, error.path.as_deref()), (ErrorCode::Decode, Some("result[0].contractAddress")));
    assert_eq!(refusal(r#"{"message":"OK","result":["#).code, ErrorCode::Decode);
    assert_eq!(refusal("<html><title>Wait</title></html>").code, ErrorCode::Decode);
}

#[test]
fn value_envelope_is_a_value_or_null_or_a_refusal() {
    let call = |body: &str| value(&balance(), &MockResponse::ok(body));
    assert_eq!(call(r#"{"message":"OK","result":"1500000000000000000","status":"1"}"#).unwrap(), "1500000000000000000");
    assert_eq!(call(r#"{"message":"OK","result":0,"status":"1"}"#).unwrap(), "0");
    assert_eq!(call(r#"{"result":"7"}"#).unwrap(), "7");
    assert_eq!(call(r#"{"message":"OK","result":null,"status":"1"}"#).unwrap(), json!(null));
    assert_eq!(call(r#"{"message":"OK","result":"","status":"1"}"#).unwrap(), json!(null));
    for body in [
        r#"{"message":"Invalid address hash","result":null,"status":"0"}"#,
        r#"{"message":"Invalid address hash","status":"0"}"#,
        r#"{"message":"Invalid address hash"}"#,
    ] {
        let error = call(body).unwrap_err();
        let message = "the service refused the request: \"Invalid address hash\"; check the parameters";
        assert_eq!((error.code, error.message.as_str(), error.status), (ErrorCode::Refused, message, Some(200)));
    }
    let error = call(r#"{"message":"Rate limit reached","result":null,"status":"0"}"#).unwrap_err();
    assert_eq!(error.code, ErrorCode::RateLimited);
}

#[test]
fn json_rpc_response_has_no_envelope() {
    let call = |body: &str| value(&eth_balance(), &MockResponse::ok(body));
    assert_eq!(call(r#"{"jsonrpc":"2.0","result":"0x64","id":0}"#).unwrap(), "0x64");
    assert_eq!(call(r#"{"jsonrpc":"2.0","result":"0x0","error":null,"id":0}"#).unwrap(), "0x0");
    for (body, message) in [
        (r#"{"jsonrpc":"2.0","error":"Invalid block","id":0}"#, "Invalid block"),
        (
            r#"{"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid block"},"result":null,"id":0}"#,
            "Invalid block",
        ),
        (r#"{"message":"Something went wrong.","result":null,"status":"0"}"#, "Something went wrong."),
        ("{}", "no reason given"),
    ] {
        let error = call(body).unwrap_err();
        assert_eq!(error.message, format!("the service refused the request: \"{message}\"; check the parameters"));
        assert_eq!(error.code, ErrorCode::Refused);
    }
    assert_eq!(call(r#"{"foo":1}"#).unwrap_err().code, ErrorCode::Decode);
}
