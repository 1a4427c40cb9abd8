//! Failing statuses, unexpected and truncated bodies, connection failures and timeouts. Decoding of large responses yields.

use address_query::client::{ApiKey, Client, MAX_CHUNK_BYTES, RetryPolicy};
use address_query::error::ErrorCode;

use super::{client_with, failure, first_page, last_page, page, read, withdrawals};
use crate::test_runtime::{MockResponse, TestRuntime};

const UNEXPECTED: &str =
    r#"{"errors":[{"title":"Invalid value","source":{"pointer":"/page"},"detail":"Unexpected field: page"}]}"#;
const HTML: &str = "<html>\n<head><title>504 Gateway Time-out</title></head>\n<body>nginx</body></html>";

const ADDRESS: &str = "the address is restricted on this instance, or a firewall refused the request";
const BUSY: &str = "try again later; for a busy address narrow the query";
const CRASH: &str = "try again later; for a busy address narrow the query; if only this page fails, this list cannot be continued after it";
const BLOCKED: &str = "a firewall or CDN in front of the service refused the request; use another network, or read through a proxy on \
     your server (address-query/proxy)";
const CREDITS: &str = "the API key has no credits left; wait until its plan renews them (the free plan at 00:00 UTC), or choose a larger \
     plan";
const CHAIN: &str =
    "the gateway does not serve this chain; check chain_id, or set base_url to an instance of the chain";
const NEEDS_KEY: &str = "the service requires an API key: create one at https://dev.blockscout.com and pass it as api_key; if \
     base_url is a proxy, check its key";
const PARAMETER: &str =
    "the service does not accept one of the parameters; the instance may be older than the parameter";
const PATH: &str = "check base_url: this path may not exist in the instance's version";

#[test]
fn errors_of_failing_statuses_quote_the_service_and_advise() {
    for (status, body, message, advice) in [
        (422, UNEXPECTED, ": \"page: Unexpected field: page\"", PARAMETER),
        (422, r#"{"message":"Invalid parameter(s)"}"#, ": \"Invalid parameter(s)\"", PARAMETER),
        (403, r#"{"message":"Restricted access"}"#, ": \"Restricted access\"", ADDRESS),
        (403, "error code: 1010", ": \"error code: 1010\"", BLOCKED),
        (403, "", " without a message", BLOCKED),
        (403, "<title>Just a moment...</title>", ": \"Just a moment...\"", BLOCKED),
        (503, "<title>Just a moment...</title>", ": \"Just a moment...\"", BLOCKED),
        (404, "\"Page not found\"", ": \"Page not found\"", PATH),
        (400, r#"{"message":"Unknown API v2 action"}"#, ": \"Unknown API v2 action\"", PATH),
        (401, r#"{"message":"Unauthorized"}"#, ": \"Unauthorized\"", NEEDS_KEY),
        (402, r#"{"error":"Out of credits","source":"internal"}"#, ": \"Out of credits\"", CREDITS),
        (402, r#"{"x402Version":1,"accepts":[]}"#, " without a message", NEEDS_KEY),
        (402, "", " without a message", NEEDS_KEY),
        (404, r#"{"error":"Unsupported network","source":"internal"}"#, ": \"Unsupported network\"", CHAIN),
        (404, r#"{"error":"Not found","source":"upstream"}"#, ": \"Not found\"", PATH),
        (404, r#"{"message":"Not found"}"#, ": \"Not found\"", PATH),
        (
            429,
            r#"{"message":"Too many requests"}"#,
            ": \"Too many requests\"",
            "send fewer requests, or use an API key; a service may refuse an IP address without a key for up to 15 minutes",
        ),
        (500, "\"Internal server error\"", ": \"Internal server error\"", BUSY),
        (502, r#"{"error":"Bad gateway","source":"internal"}"#, ": \"Bad gateway\"", BUSY),
        (504, r#"{"error":"Gateway timeout","source":"upstream"}"#, ": \"Gateway timeout\"", BUSY),
        (502, r#"{"error":{"code":-32603,"message":"upstream"}}"#, ": \"upstream\"", BUSY),
        (503, "", " without a message", BUSY),
        (504, HTML, ": \"504 Gateway Time-out nginx\"", BUSY),
        (304, "", " without a message", "check base_url"),
        (414, "<h1>414 Request-URI Too Large</h1>", ": \"414 Request-URI Too Large\"", "check base_url"),
        (500, r#"{"items":[],"next_page_params":null}"#, " without a message", CRASH),
    ] {
        let error = failure(&MockResponse::status(status, body));
        assert_eq!(error.message, format!("the service responded with status {status}{message}; {advice}"));
        let code = match advice {
            NEEDS_KEY => ErrorCode::ApiKeyRequired,
            CREDITS => ErrorCode::OutOfCredits,
            BLOCKED => ErrorCode::Blocked,
            CHAIN => ErrorCode::UnsupportedChain,
            _ if status == 429 => ErrorCode::RateLimited,
            _ => ErrorCode::HttpStatus,
        };
        assert_eq!((error.code, error.status, error.retry_after_ms), (code, Some(status), None));
    }
}

#[test]
fn refusals_of_a_key_advise_on_the_key() {
    const REJECTED: &str = "the service does not accept the API key; check api_key";
    for (status, headers, body, code, advice) in [
        (401, &[][..], r#"{"message":"Unauthorized"}"#, ErrorCode::ApiKeyRejected, REJECTED),
        (200, &[], r#"{"message":"Invalid API Key"}"#, ErrorCode::ApiKeyRejected, REJECTED),
        (402, &[], r#"{"error":"Out of credits"}"#, ErrorCode::OutOfCredits, CREDITS),
        (402, &[], r#"{"x402Version":1,"accepts":[]}"#, ErrorCode::OutOfCredits, CREDITS),
        (402, &[], "", ErrorCode::OutOfCredits, CREDITS),
        (402, &[("payment-required", "eyJ4")], "", ErrorCode::ApiKeyRequired, NEEDS_KEY),
        (
            403,
            &[],
            r#"{"message":"API key not configured on the server"}"#,
            ErrorCode::HttpStatus,
            "the address is restricted on this instance, the API key is not valid, or a firewall refused the request",
        ),
        (429, &[], "", ErrorCode::RateLimited, "send fewer requests"),
        (200, &[], r#"{"message":"rate limit reached"}"#, ErrorCode::RateLimited, "send fewer requests"),
    ] {
        let runtime = TestRuntime::new([MockResponse::head(status, headers).chunk(body)]);
        let client = client_with(&runtime, |options| {
            options.api_key = Some(ApiKey::new("proapi_s3cret").unwrap());
            if code == ErrorCode::RateLimited {
                options.retry_policy.max_attempts = Some(1);
            }
        });
        let error = runtime.block_on(first_page(client)).unwrap_err();
        assert_eq!((error.code, error.status), (code, Some(status).filter(|status| *status != 200)));
        assert_eq!(error.attempts, Some(1), "{error}");
        assert_eq!(error.is_retryable(), code == ErrorCode::RateLimited, "{error}");
        assert!(error.message.ends_with(&["; ", advice].concat()), "{error}");
    }
}

#[test]
fn lost_connection_to_the_gateway_names_the_proxy() {
    let advice = "; from a web page read the gateway through a proxy on your server (address-query/proxy)";
    for (url, is_gateway) in [("https://api.blockscout.com/1", true), ("https://proxy.example/1", false)] {
        let runtime = TestRuntime::new([MockResponse::default().disconnect("Failed to fetch")]);
        let client = Client::new(runtime.clone(), url.parse().unwrap());
        let once = client.with_retry_policy(RetryPolicy::default().max_attempts(1));
        let error = runtime.block_on(first_page(once)).unwrap_err();
        assert_eq!((error.code, error.message.ends_with(advice)), (ErrorCode::Network, is_gateway), "{error}");
    }
}

#[test]
fn failing_status_with_a_truncated_body_is_reported() {
    let broken =
        MockResponse::head(429, &[("x-ratelimit-reset", "1500")]).chunk(r#"{"message":"Too many"#).disconnect("reset");
    let error = failure(&broken);
    assert_eq!((error.code, error.status, error.retry_after_ms), (ErrorCode::RateLimited, Some(429), Some(1500)));
}

#[test]
fn classifies_unexpected_bodies_of_successful_responses() {
    use ErrorCode::{Blocked, Decode, Refused};
    let web_page = "\n<!DOCTYPE html><title>Explorer</title>";
    let titled = "expected JSON, found a web page (\"Explorer\"); check base_url, or try again later";
    let untitled = "expected JSON, found a web page; check base_url, or try again later";
    let refusal = r#"{"message":"Unknown module","result":null,"status":"0"}"#;
    let error_object = r#"{"error":"Out of credits","source":"internal"}"#;
    let skip = "skip_bad_records omits such records";
    let whole = page(&[9, 8], "null");
    for (body, code, path, message) in [
        (web_page, Decode, None, titled),
        ("\n<!DOCTYPE html><title>Just a moment...</title>", Blocked, None, BLOCKED),
        ("<html lang=\"es\"><title>Un momento…</title>", Blocked, None, BLOCKED),
        ("<title>请稍候…</title><script>window._cf_chl_opt = {}</script>", Blocked, None, BLOCKED),
        ("<title>Explorer</title><p>Try again in a moment</p>", Decode, None, "found a web page"),
        ("<p></p>", Decode, None, untitled),
        (refusal, Refused, None, "the service refused the request: \"Unknown module\""),
        (error_object, Refused, None, "the service refused the request: \"Out of credits\""),
        ("{}", Decode, Some("items"), "items: expected a list, found nothing"),
        (r#"{"items":{}}"#, Decode, Some("items"), "items: expected a list, found an object"),
        (r#"{"items":[null]}"#, Decode, Some("items[0]"), skip),
        (&whole[..60], Decode, None, "truncated"),
        (&whole[..whole.len() - 1], Decode, None, ""),
        ("null", Decode, None, ""),
        ("[]", Decode, None, ""),
        ("\"Internal server error\"", Decode, None, ""),
        ("", Decode, None, "truncated"),
        ("   \n", Decode, None, ""),
        ("tea time", Decode, None, ""),
    ] {
        let error = failure(&MockResponse::ok(body));
        assert_eq!((error.code, error.status), (code, None), "{body:?}: {error}");
        assert!(error.message.contains(message), "{body:?}: {error}");
        assert_eq!(error.message.contains("skip_bad_records"), message == skip, "{body:?}: {error}");
        if path.is_some() {
            assert_eq!(error.path.as_deref(), path, "{body:?}: {error}");
        }
    }
}

#[test]
fn failed_connection_is_a_network_error_with_the_reason_of_the_browser() {
    for response in [
        MockResponse::default().disconnect("Failed to fetch"),
        MockResponse::head(200, &[]).disconnect("Failed to fetch"),
        MockResponse::head(200, &[]).chunk(r#"{"items":["#).disconnect("Failed to fetch"),
    ] {
        let error = failure(&response);
        assert_eq!((error.code, error.status), (ErrorCode::Network, None));
        assert_eq!(
            error.message,
            "no response (Failed to fetch); check the connection and base_url. A page of another origin must be allowed by CORS, \
             and a CDN that blocks a request or limits its rate looks like this too"
        );
    }
}

#[test]
fn timeout_covers_head_and_body() {
    for response in [
        MockResponse::default().stall(),
        last_page(&[1]).delay(30_001),
        MockResponse::head(200, &[]).chunk(r#"{"items":["#).stall(),
        MockResponse::head(200, &[]).wait(10_001).chunk(page(&[1], "null")).delay(20_000),
    ] {
        let runtime = TestRuntime::new([response]);
        let error = read(&runtime, &mut withdrawals(&runtime)).unwrap_err();
        assert_eq!(error.code, ErrorCode::Timeout, "{error}");
        assert_eq!(error.message, "no complete response within 30000 ms; try again or raise timeout_ms");
        assert_eq!((runtime.elapsed_ms(), runtime.take_sleeps()), (30_000, vec![30_000]));
        assert_eq!(runtime.open_requests(), 0);
    }
}

#[test]
fn failing_status_is_reported_without_the_end_of_its_body() {
    let message = r#"{"message":"No"#.to_owned();
    for (status, body, ms) in
        [(403, &message, 30_000), (422, &message, 30_000), (500, &message, 30_000), (500, &" ".repeat(6000), 0)]
    {
        let runtime = TestRuntime::new([MockResponse::head(status, &[]).chunk(body).stall()]);
        let error = read(&runtime, &mut withdrawals(&runtime)).unwrap_err();
        assert_eq!((error.code, error.status), (ErrorCode::HttpStatus, Some(status)));
        assert_eq!((runtime.elapsed_ms(), runtime.open_requests()), (ms, 0), "{status} {body}");
    }
}

#[test]
fn timeout_applies_to_each_page() {
    let slow = |next| MockResponse::default().wait(20_000).and_head(200, &[]).wait(9_999).chunk(page(&[1], next));
    let runtime = TestRuntime::new([slow(r#"{"index":1}"#), slow("null")]);
    assert_eq!(super::read_all(&runtime, &mut withdrawals(&runtime)), [[1], [1]]);
    assert_eq!((runtime.elapsed_ms(), runtime.take_sleeps()), (59_998, vec![30_000, 30_000]));
}

#[test]
fn decoding_a_large_response_yields_to_the_event_loop() {
    let yields = |chunks: usize, work_ms| {
        let chunk = || vec![b' '; MAX_CHUNK_BYTES as usize - 1000];
        let large = (0..chunks).fold(MockResponse::head(200, &[]), |response, _| response.chunk(chunk()).busy(work_ms));
        let runtime = TestRuntime::new([large.chunk(page(&[1], "null"))]);
        assert_eq!(read(&runtime, &mut withdrawals(&runtime)).unwrap(), Some(vec![1]));
        runtime.take_sleeps().iter().filter(|ms| **ms == 0).count()
    };
    // Data that has already arrived is read without a wait.
    assert_eq!(yields(5, 0), 0);
    assert_eq!(yields(5, 3), 5);
    assert_eq!(yields(1, 3), 0, "a page of the usual size");
}

#[test]
fn error_messages_are_short_and_printable() {
    let body = format!(r#"{{"message":"\u001b[31m{}"}}"#, "x".repeat(3000));
    let error = failure(&MockResponse::status(500, body));
    assert!(error.message.chars().count() < 500 && !error.message.contains('\u{1b}'), "{error}");
}
