//! Answers that are none: statuses, bodies, broken connections, deadlines; and large ones, which let others have their turn.

use address_query::client::runtime::PIECE;
use address_query::client::{ClientSettings, Patience};
use address_query::error::{Error, ErrorCode};

use super::{WITHDRAWALS, client, page, params, read, text, withdrawal_frames, withdrawals};
use crate::runtime::{Reply, START_MS, Script};

/// The error that an answer leads to, which must be the same for structs and for frames.
#[track_caller]
fn failure(reply: &Reply) -> Error {
    let script = Script::new([reply.clone(), reply.clone()]);
    let typed = read(&script, &mut withdrawals(&script)).expect_err("typed");
    let framed = script.block_on(withdrawal_frames(&script).next()).expect_err("framed");
    let known = |error: &Error| (error.code, error.status, error.retry_after_ms, error.path.clone());
    assert_eq!(known(&typed), known(&framed), "{typed}\n{framed}");
    assert_eq!(typed.url.as_deref(), Some(WITHDRAWALS));
    assert_eq!(typed.attempts, Some(1));
    assert_eq!(typed.resume_token, None);
    assert_eq!(script.open_requests(), 0, "a request is left open");
    framed
}

const UNEXPECTED: &str =
    r#"{"errors":[{"title":"Invalid value","source":{"pointer":"/page"},"detail":"Unexpected field: page"}]}"#;
const HTML: &str = "<html>\n<head><title>504 Gateway Time-out</title></head>\n<body>nginx</body></html>";

const ADDRESS: &str = "the address is restricted on this instance, or a firewall refused the request";
const BUSY: &str = "try again later; for a busy address narrow the query";
const KEY: &str = "check the API key and its plan";
const PARAMETER: &str = "the service does not take one of the parameters; its version may be older than the parameter";
const PATH: &str = "check baseUrl: this path may not exist in the instance's version";

#[test]
fn every_failing_status_says_what_the_service_said_and_what_to_do() {
    for (status, body, said, advice) in [
        (422, UNEXPECTED, "\"page: Unexpected field: page\"", PARAMETER),
        (422, r#"{"message":"Invalid parameter(s)"}"#, "\"Invalid parameter(s)\"", PARAMETER),
        (403, r#"{"message":"Restricted access"}"#, "\"Restricted access\"", ADDRESS),
        (403, "error code: 1010", "\"error code: 1010\"", ADDRESS),
        (404, "\"Page not found\"", "\"Page not found\"", PATH),
        (400, r#"{"message":"Unknown API v2 action"}"#, "\"Unknown API v2 action\"", PATH),
        (401, r#"{"message":"Unauthorized"}"#, "\"Unauthorized\"", KEY),
        (402, r#"{"error":"Out of credits","source":"internal"}"#, "\"Out of credits\"", KEY),
        (429, r#"{"message":"Too many requests"}"#, "\"Too many requests\"", "ask more slowly, or use an API key"),
        (500, "\"Internal server error\"", "\"Internal server error\"", BUSY),
        (502, r#"{"error":{"code":-32603,"message":"upstream"}}"#, "\"upstream\"", BUSY),
        (503, "", "without a message", BUSY),
        (504, HTML, "\"504 Gateway Time-out nginx\"", BUSY),
        (304, "", "without a message", "check baseUrl"),
        (414, "<h1>414 Request-URI Too Large</h1>", "\"414 Request-URI Too Large\"", "check baseUrl"),
        (500, r#"{"items":[],"next_page_params":null}"#, "without a message", BUSY),
    ] {
        let error = failure(&Reply::status(status, body));
        assert_eq!(error.message, format!("the service answered {status}, {said}; {advice}"));
        let code = if status == 429 { ErrorCode::RateLimited } else { ErrorCode::HttpStatus };
        assert_eq!((error.code, error.status, error.retry_after_ms), (code, Some(status), None));
    }
}

#[test]
fn the_service_says_how_long_to_wait() {
    // START_MS is Tue, 14 Nov 2023 22:13:20 GMT.
    assert_eq!(START_MS, 1_700_000_000_000);
    for (status, headers, wait) in [
        (429, &[("x-ratelimit-reset", "1500")][..], Some(1500)),
        (429, &[("x-ratelimit-reset", "-1")], None),
        (429, &[("x-ratelimit-reset", "soon")], None),
        (429, &[("retry-after", "Tue, 14 Nov 2023 22:13:50 GMT")], Some(30_000)),
        (429, &[("x-ratelimit-reset", "9"), ("retry-after", "2")], Some(2000)),
        (503, &[("retry-after", "2")], Some(2000)),
        (503, &[("retry-after", "18446744073709551615")], Some(u64::MAX)),
    ] {
        assert_eq!(failure(&Reply::head(status, headers)).retry_after_ms, wait, "{headers:?}");
    }
}

#[test]
fn a_failing_answer_is_not_read_to_its_end() {
    let endless = Reply::head(500, &[]).chunk([b' '; 3000]).chunk([b' '; 3000]).stall();
    assert_eq!(failure(&endless).code, ErrorCode::HttpStatus);
}

#[test]
fn a_failing_status_counts_although_its_body_breaks_off() {
    let broken = Reply::head(429, &[("x-ratelimit-reset", "1500")]).chunk(r#"{"message":"Too many"#).lost("reset");
    let error = failure(&broken);
    assert_eq!((error.code, error.status, error.retry_after_ms), (ErrorCode::RateLimited, Some(429), Some(1500)));
}

#[test]
fn a_good_status_with_something_else_in_it_is_told_apart() {
    use ErrorCode::{Decode, Refused};
    let page_of_proxy = "\n<!DOCTYPE html><title>Just a moment...</title>";
    let refusal = r#"{"message":"Unknown module","result":null,"status":"0"}"#;
    let error_object = r#"{"error":"Out of credits","source":"internal"}"#;
    let advice = "badRecords: \"skip\" reads the rest";
    let whole = page(&[9, 8], "null");
    for (body, code, path, said) in [
        (
            page_of_proxy,
            Decode,
            None,
            "the answer is a web page, not JSON (\"Just a moment...\"); check baseUrl, or try again later",
        ),
        ("<p></p>", Decode, None, "the answer is a web page, not JSON; check baseUrl, or try again later"),
        (refusal, Refused, None, "the service refused the request: \"Unknown module\""),
        (error_object, Refused, None, "the service refused the request: \"Out of credits\""),
        ("{}", Decode, Some("items"), "items: expected a list, found nothing"),
        (r#"{"items":{}}"#, Decode, Some("items"), "items: expected a list, found an object"),
        (r#"{"items":[null]}"#, Decode, Some("items[0]"), advice),
        (&whole[..60], Decode, None, ""),
        (&whole[..whole.len() - 1], Decode, None, ""),
        ("null", Decode, None, ""),
        ("[]", Decode, None, ""),
        ("\"Internal server error\"", Decode, None, ""),
        ("", Decode, None, ""),
        ("   \n", Decode, None, ""),
        ("tea time", Decode, None, ""),
    ] {
        let script = Script::new([Reply::ok(body), Reply::ok(body)]);
        let typed = read(&script, &mut withdrawals(&script)).unwrap_err();
        let framed = script.block_on(withdrawal_frames(&script).next()).unwrap_err();
        for error in [typed, framed] {
            assert_eq!(error.code, code, "{body:?}: {error}");
            assert!(error.message.contains(said), "{body:?}: {error}");
            assert_eq!(error.status, None);
            if path.is_some() {
                assert_eq!(error.path.as_deref(), path, "{body:?}: {error}");
            }
        }
    }
}

#[test]
fn skipping_is_advised_only_where_it_helps() {
    for (body, helps) in [
        (r#"{"items":[null]}"#, true),
        ("{}", false),
        (r#"{"items":{}}"#, false),
        ("null", false),
        ("\"Internal server error\"", false),
    ] {
        let script = Script::new([Reply::ok(body)]);
        let error = script.block_on(withdrawal_frames(&script).next()).unwrap_err();
        assert_eq!(error.message.contains("badRecords"), helps, "{body}: {error}");
    }
}

#[test]
fn an_answer_that_breaks_off_says_so() {
    for body in ["", &page(&[9, 8], "null")[..60]] {
        let error = failure(&Reply::ok(body));
        assert!(error.message.contains("breaks off; try again"), "{body:?}: {error}");
    }
}

#[test]
fn a_connection_that_fails_is_a_network_error_in_the_browser_s_words() {
    for reply in [
        Reply::default().lost("Failed to fetch"),
        Reply::head(200, &[]).lost("Failed to fetch"),
        Reply::head(200, &[]).chunk(r#"{"items":["#).lost("Failed to fetch"),
    ] {
        let error = failure(&reply);
        assert_eq!((error.code, error.status), (ErrorCode::Network, None));
        assert_eq!(
            error.message,
            "no answer (Failed to fetch); check the connection and baseUrl. A page of another origin must be allowed by CORS, \
             and errors of a CDN in front of the service look like this too"
        );
    }
}

#[test]
fn the_deadline_covers_head_and_body() {
    for reply in [
        Reply::default().stall(),
        Reply::default().wait(30_001).then_head(200, &[]).chunk(page(&[1], "null")),
        Reply::head(200, &[]).chunk(r#"{"items":["#).stall(),
        Reply::default().wait(20_000).then_head(200, &[]).wait(10_001).chunk(page(&[1], "null")),
    ] {
        let script = Script::new([reply]);
        let error = read(&script, &mut withdrawals(&script)).unwrap_err();
        assert_eq!(error.code, ErrorCode::Timeout, "{error}");
        assert_eq!(error.message, "no complete answer within 30000 ms; try again or raise timeoutMs");
        assert_eq!((script.elapsed_ms(), script.take_sleeps()), (30_000, vec![30_000]));
        assert_eq!(script.open_requests(), 0);
    }
}

#[test]
fn a_failing_status_says_enough_where_its_body_never_ends() {
    for status in [403, 422, 500] {
        let script = Script::new([Reply::head(status, &[]).chunk(r#"{"message":"No"#).stall()]);
        let error = read(&script, &mut withdrawals(&script)).unwrap_err();
        assert_eq!((error.code, error.status), (ErrorCode::HttpStatus, Some(status)));
        assert_eq!((script.elapsed_ms(), script.open_requests()), (30_000, 0));
    }
}

#[test]
fn each_page_has_a_deadline_of_its_own() {
    let slow = |next| Reply::default().wait(20_000).then_head(200, &[]).wait(9_999).chunk(page(&[1], next));
    let script = Script::new([slow(r#"{"index":1}"#), slow("null")]);
    assert_eq!(super::read_all(&script, &mut withdrawals(&script)), [[1], [1]]);
    assert_eq!((script.elapsed_ms(), script.take_sleeps()), (59_998, vec![30_000, 30_000]));
}

#[test]
fn the_deadline_can_be_chosen() {
    let settings = ClientSettings::read(&vec![
        ("baseUrl".into(), text(super::BASE)),
        ("timeoutMs".into(), address_query::endpoint::ParamValue::Number(5.0)),
    ]);
    let script = Script::new([Reply::default().stall()]);
    let patience = Patience { max_attempts: 1, ..settings.unwrap().patience };
    let mut pager = client(&script).with_patience(patience).pages(&params()).unwrap();
    let error = read(&script, &mut pager).unwrap_err();
    assert_eq!((error.code, script.elapsed_ms()), (ErrorCode::Timeout, 5));
    assert!(error.message.starts_with("no complete answer within 5 ms"), "{error}");
}

#[test]
fn a_large_answer_lets_the_event_loop_have_its_turn() {
    let turns = |chunks: usize, work_ms| {
        let chunk = || vec![b' '; PIECE as usize - 1000];
        let large = (0..chunks).fold(Reply::head(200, &[]), |reply, _| reply.chunk(chunk()).work(work_ms));
        let script = Script::new([large.chunk(page(&[1], "null"))]);
        assert_eq!(read(&script, &mut withdrawals(&script)).unwrap(), Some(vec![1]));
        script.take_sleeps().iter().filter(|ms| **ms == 0).count()
    };
    // What has come already waits for nothing.
    assert_eq!(turns(5, 0), 0);
    assert_eq!(turns(5, 3), 5);
    assert_eq!(turns(1, 3), 0, "a page of the usual size");
}

#[test]
fn what_is_told_about_a_failure_is_short_and_printable() {
    let body = format!(r#"{{"message":"\u001b[31m{}"}}"#, "x".repeat(3000));
    let error = failure(&Reply::status(500, body));
    assert!(error.message.chars().count() < 500 && !error.message.contains('\u{1b}'), "{error}");
}
