//! What the envelope of an answer means.

use address_query::endpoint::params::BlockTag;
use address_query::endpoint::{
    BalanceParams, EthGetBalanceParams, TokenListParams, TxListInternalParams, TxListParams,
};
use address_query::error::{Error, ErrorCode};
use serde_json::json;

use super::{HASH_A, Reply, rows, value};

const URL: &str =
    "https://eth.blockscout.com/api?module=account&action=tokenlist&address=0x00000000219ab540356cBB839Cbe05303d7705Fa";
const PATH: &str = "check baseUrl: this path may not exist in the instance's version";

fn holdings() -> TokenListParams {
    TokenListParams { address: HASH_A.parse().unwrap() }
}

fn balance() -> BalanceParams {
    BalanceParams { address: HASH_A.parse().unwrap() }
}

fn eth_balance() -> EthGetBalanceParams {
    EthGetBalanceParams { address: HASH_A.parse().unwrap(), block: Some(BlockTag::Latest) }
}

fn internal() -> TxListInternalParams {
    TxListInternalParams {
        txhash: None,
        address: Some(HASH_A.parse().unwrap()),
        include_zero_value: None,
        sort: None,
        startblock: None,
        endblock: None,
        page: None,
        offset: None,
    }
}

#[track_caller]
fn refusal(body: &str) -> Error {
    rows(&holdings(), &Reply::ok(body)).expect_err(body)
}

#[test]
fn rows_are_rows() {
    let holding =
        format!(r#"{{"balance":"5","contractAddress":"{HASH_A}","decimals":"18","name":"Foo","symbol":"FOO"}}"#);
    for status in [r#","status":"1""#, r#","status":1"#, r#","message":null,"status":null"#, ""] {
        let body = format!(r#"{{"result":[{holding}]{status}}}"#);
        let (items, incomplete, message) = rows(&holdings(), &Reply::ok(&body)).unwrap();
        assert_eq!(items[0]["balance"], "5", "{body}");
        assert_eq!((items.as_array().unwrap().len(), incomplete, message), (1, false, None));
    }
}

#[test]
fn nothing_found_is_no_failure() {
    for body in [
        r#"{"message":"No tokens found","result":[],"status":"0"}"#,
        r#"{"message":"OK","result":[],"status":"1"}"#,
        r#"{"result":[]}"#,
        r#"{"message":"OK","result":null,"status":"1"}"#,
    ] {
        assert_eq!(rows(&holdings(), &Reply::ok(body)).unwrap(), (json!([]), false, None), "{body}");
    }
}

#[test]
fn a_refusal_is_in_the_service_s_words() {
    for (body, said) in [
        (r#"{"message":"Invalid address format","result":null,"status":"0"}"#, "Invalid address format"),
        (r#"{"status":"0","message":"Invalid \"x\"\n format"}"#, "Invalid \"x\" format"),
        (r#"{"message":"Something","result":null}"#, "Something"),
        (r#"{"jsonrpc":"2.0","error":"Invalid block","id":0}"#, "Invalid block"),
        (r#"{"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid params"},"id":0}"#, "Invalid params"),
        (r#"{"status":"0","result":null}"#, "no reason given"),
        ("{}", "no reason given"),
    ] {
        let error = refusal(body);
        assert_eq!(error.message, format!("the service refused the request: \"{said}\"; check the parameters"));
        assert_eq!((error.code, error.status, error.url.as_deref()), (ErrorCode::Refused, Some(200), Some(URL)));
    }
}

#[test]
fn what_is_not_processed_yet_is_told() {
    let message = "Some internal transactions within this block range have not yet been processed";
    let row = format!(r#"{{"blockNumber":"1","from":"{HASH_A}","value":"1","hash":"0x{:064x}"}}"#, 5);
    for (result, count) in [(row.as_str(), 1), ("", 0)] {
        let body = format!(r#"{{"message":"{message}","result":[{result}],"status":"2"}}"#);
        let (items, incomplete, said) = rows(&internal(), &Reply::ok(body)).unwrap();
        assert_eq!((items.as_array().unwrap().len(), incomplete, said.as_deref()), (count, true, Some(message)));
    }
}

#[test]
fn format_characters_in_messages_are_escaped() {
    let error = refusal(r#"{"message":"\u202eno\u2066 result","result":null,"status":"0"}"#);
    assert_eq!(error.message, "the service refused the request: \"\u{fffd}no\u{fffd} result\"; check the parameters");
    let body = r#"{"message":"not\u202eyet","result":[],"status":"2"}"#;
    assert_eq!(rows(&internal(), &Reply::ok(body)).unwrap().2.as_deref(), Some("not\u{fffd}yet"));
}

#[test]
fn a_rate_limit_in_a_good_answer_is_one() {
    for said in ["Too many requests. Set your API key.", "Max rate limit reached", "TOO MANY REQUESTS"] {
        let error = refusal(&format!(r#"{{"message":"{said}","result":null,"status":"0"}}"#));
        assert_eq!(
            error.message,
            format!("the service asks to slow down: \"{said}\"; ask more slowly, or use an API key")
        );
        assert_eq!((error.code, error.status), (ErrorCode::RateLimited, Some(200)));
    }
}

#[test]
fn failing_statuses_speak_in_both_shapes() {
    for (status, body, said, advice) in [
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
        (
            429,
            r#"{"message":"Too Many Requests","result":null,"status":"0"}"#,
            "Too Many Requests",
            "ask more slowly, or use an API key",
        ),
    ] {
        let code = if status == 429 { ErrorCode::RateLimited } else { ErrorCode::HttpStatus };
        let reply = Reply::status(status, body);
        for error in [
            rows(&holdings(), &reply).map(drop).unwrap_err(),
            value(&balance(), &reply).map(drop).unwrap_err(),
            value(&eth_balance(), &reply).map(drop).unwrap_err(),
        ] {
            assert_eq!(error.message, format!("the service answered {status}, \"{said}\"; {advice}"));
            assert_eq!((error.code, error.status), (code, Some(status)));
        }
    }
}

#[test]
fn a_result_of_a_wrong_type_is_a_refusal_where_a_reason_is_given() {
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
fn one_value_is_a_value_unknown_or_a_refusal() {
    let answer = |body: &str| value(&balance(), &Reply::ok(body));
    assert_eq!(
        answer(r#"{"message":"OK","result":"1500000000000000000","status":"1"}"#).unwrap(),
        "1500000000000000000"
    );
    assert_eq!(answer(r#"{"message":"OK","result":0,"status":"1"}"#).unwrap(), "0");
    assert_eq!(answer(r#"{"result":"7"}"#).unwrap(), "7");
    assert_eq!(answer(r#"{"message":"OK","result":null,"status":"1"}"#).unwrap(), json!(null));
    assert_eq!(answer(r#"{"message":"OK","result":"","status":"1"}"#).unwrap(), json!(null));
    for body in [
        r#"{"message":"Invalid address hash","result":null,"status":"0"}"#,
        r#"{"message":"Invalid address hash","status":"0"}"#,
        r#"{"message":"Invalid address hash"}"#,
    ] {
        let error = answer(body).unwrap_err();
        let message = "the service refused the request: \"Invalid address hash\"; check the parameters";
        assert_eq!((error.code, error.message.as_str(), error.status), (ErrorCode::Refused, message, Some(200)));
    }
    let error = answer(r#"{"message":"Rate limit reached","result":null,"status":"0"}"#).unwrap_err();
    assert_eq!(error.code, ErrorCode::RateLimited);
}

#[test]
fn a_node_s_answer_has_no_envelope() {
    let answer = |body: &str| value(&eth_balance(), &Reply::ok(body));
    assert_eq!(answer(r#"{"jsonrpc":"2.0","result":"0x64","id":0}"#).unwrap(), "0x64");
    assert_eq!(answer(r#"{"jsonrpc":"2.0","result":"0x0","error":null,"id":0}"#).unwrap(), "0x0");
    for (body, said) in [
        (r#"{"jsonrpc":"2.0","error":"Invalid block","id":0}"#, "Invalid block"),
        (
            r#"{"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid block"},"result":null,"id":0}"#,
            "Invalid block",
        ),
        (r#"{"message":"Something went wrong.","result":null,"status":"0"}"#, "Something went wrong."),
        ("{}", "no reason given"),
    ] {
        let error = answer(body).unwrap_err();
        assert_eq!(error.message, format!("the service refused the request: \"{said}\"; check the parameters"));
        assert_eq!(error.code, ErrorCode::Refused);
    }
}

#[test]
fn structs_of_transactions_and_frames_of_them_are_the_same() {
    let params = TxListParams {
        address: HASH_A.parse().unwrap(),
        sort: None,
        startblock: None,
        endblock: None,
        page: None,
        offset: None,
        filter_by: None,
        start_timestamp: None,
        end_timestamp: None,
    };
    let row = format!(
        r#"{{"blockNumber":"19000000","hash":"0x{:064x}","from":"{HASH_A}","to":"{HASH_A}","value":"0","l1Fee":"3"}}"#,
        1
    );
    let chunks = format!(r#"{{"message":"OK","result":[{row},{row}],"status":"1"}}"#);
    let reply = chunks.as_bytes().chunks(7).fold(Reply::head(200, &[]), Reply::chunk);
    let (items, ..) = rows(&params, &reply).unwrap();
    assert_eq!(items[0], items[1]);
}
