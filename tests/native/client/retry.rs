//! Retries: which failures are retried, how often, and after which delay.

use address_query::client::HEADERS;
use address_query::client::{ApiKey, Client, RetryPolicy};
use address_query::error::{Error, ErrorCode};

use super::{client_with, first_page, page, read, read_all, retrying_client, withdrawals};
use crate::test_runtime::{MockResponse, START_MS, TestRuntime};

const OK: &str = r#"{"items":[],"next_page_params":null}"#;

/// Reads the first page.
fn run(runtime: &TestRuntime, client: &Client<TestRuntime>) -> Result<Vec<i64>, Error> {
    runtime.block_on(first_page(client.clone()))
}

/// The delays between attempts, without the sleeps of timeouts.
fn delays(runtime: &TestRuntime) -> Vec<u64> {
    runtime.take_sleeps().into_iter().filter(|ms| *ms < RetryPolicy::default().timeout_ms).collect()
}

#[test]
fn retries_temporary_failures() {
    for (name, failing) in [
        ("no response", MockResponse::default().disconnect("reset")),
        ("lost in the body", MockResponse::head(200, &[]).chunk(r#"{"items":["#).disconnect("reset")),
        ("408", MockResponse::status(408, "")),
        ("429", MockResponse::status(429, r#"{"message":"Too many requests"}"#)),
        ("500", MockResponse::status(500, "\"Internal server error\"")),
        ("502", MockResponse::status(502, "<html>Bad gateway</html>")),
        ("502 of a gateway", MockResponse::status(502, r#"{"error":"Bad gateway","source":"internal"}"#)),
        ("504 behind a gateway", MockResponse::status(504, r#"{"error":"Gateway timeout","source":"upstream"}"#)),
        ("503", MockResponse::status(503, "")),
        ("504", MockResponse::status(504, "")),
        ("a web page", MockResponse::ok("<!DOCTYPE html><title>One moment</title>")),
        ("null", MockResponse::ok("null")),
        ("empty", MockResponse::ok("")),
        ("truncated", MockResponse::ok(r#"{"items":[{"index":1"#)),
        ("not JSON", MockResponse::ok("upstream connect error")),
        (
            "a refusal with status 200",
            MockResponse::ok(r#"{"status":"0","message":"Max rate limit reached","result":null}"#),
        ),
        ("no response in time", MockResponse::default().stall()),
        ("no body in time", MockResponse::head(200, &[]).stall()),
    ] {
        let runtime = TestRuntime::new([failing, MockResponse::ok(page(&[1, 2], "null"))]);
        assert_eq!(run(&runtime, &retrying_client(&runtime)).as_deref(), Ok(&[1, 2][..]), "{name}");
        assert_eq!(runtime.take_urls().len(), 2, "{name}");
        assert_eq!(runtime.open_requests(), 0, "{name}");
    }
}

#[test]
fn retries_every_5xx_status_except_501_and_505() {
    for status in 500..=599 {
        let runtime = TestRuntime::new([MockResponse::status(status, ""), MockResponse::ok(page(&[1], "null"))]);
        let retried = run(&runtime, &retrying_client(&runtime)).is_ok();
        assert_eq!(retried, !matches!(status, 501 | 505), "{status}");
    }
}

#[test]
fn redirect_that_is_not_followed_is_not_retried() {
    // A browser hides its status.
    for status in [0, 301, 302, 303, 307, 308] {
        let runtime = TestRuntime::new([MockResponse::status(status, "")]);
        let client = client_with(&runtime, |options| {
            options.retry_policy = RetryPolicy::default();
            options.api_key = Some(ApiKey::new("proapi_s3cret").unwrap());
        });
        let error = run(&runtime, &client).unwrap_err();
        assert_eq!((error.code, error.status, error.attempts), (ErrorCode::HttpStatus, Some(status), Some(1)));
        assert!(error.message.contains("set base_url to the target of the redirect"), "{error}");
    }
}

#[test]
fn does_not_retry_permanent_failures() {
    for (response, code) in [
        (MockResponse::status(400, ""), ErrorCode::HttpStatus),
        (MockResponse::status(401, ""), ErrorCode::ApiKeyRequired),
        (MockResponse::status(402, r#"{"error":"Out of credits","source":"internal"}"#), ErrorCode::OutOfCredits),
        (
            MockResponse::status(404, r#"{"error":"Unsupported network","source":"internal"}"#),
            ErrorCode::UnsupportedChain,
        ),
        (MockResponse::status(403, "<html>Forbidden</html>"), ErrorCode::Blocked),
        (MockResponse::head(202, &[("x-amzn-waf-action", "challenge")]), ErrorCode::Blocked),
        (MockResponse::head(429, &[("x-amzn-waf-action", "captcha")]), ErrorCode::Blocked),
        (
            MockResponse::head(503, &[("cf-mitigated", "challenge")]).chunk("<title>Un momento…</title>"),
            ErrorCode::Blocked,
        ),
        (MockResponse::head(200, &[("cf-mitigated", "challenge")]).chunk("<p></p>"), ErrorCode::Blocked),
        (MockResponse::ok("<title>请稍候…</title><script>window._cf_chl_opt = {}</script>"), ErrorCode::Blocked),
        (MockResponse::status(503, "<title>Un momento…</title><script>_cf_chl_opt</script>"), ErrorCode::Blocked),
        (MockResponse::status(404, ""), ErrorCode::HttpStatus),
        (MockResponse::status(406, ""), ErrorCode::HttpStatus),
        (MockResponse::status(422, r#"{"errors":[{"detail":"Unexpected field: x"}]}"#), ErrorCode::HttpStatus),
        (MockResponse::status(501, ""), ErrorCode::HttpStatus),
        (MockResponse::ok(r#"{"items":[{"index":"x"}],"next_page_params":null}"#), ErrorCode::Decode),
        (MockResponse::ok(r#"{"status":"0","message":"Invalid address","result":null}"#), ErrorCode::Refused),
    ] {
        let runtime = TestRuntime::new([response]);
        let error = run(&runtime, &retrying_client(&runtime)).unwrap_err();
        assert_eq!((error.code, error.attempts), (code, Some(1)), "{error}");
        assert!(delays(&runtime).is_empty(), "{error}");
    }
}

#[test]
fn retries_rate_limit_refusals_of_actions() {
    use address_query::endpoint::BalanceParams;
    let runtime = TestRuntime::new([
        MockResponse::ok(r#"{"status":"0","message":"NOTOK","result":"Max rate limit reached"}"#),
        MockResponse::ok(r#"{"message":"OK","result":"7","status":"1"}"#),
    ]);
    let params = BalanceParams::new(crate::support::HASH_A.parse().unwrap());
    let response = runtime.block_on(retrying_client(&runtime).value(&params)).unwrap();
    assert_eq!(response.result.unwrap().to_string(), "7");
}

#[test]
fn sends_at_most_max_attempts() {
    let failing = || MockResponse::status(503, "");
    let runtime = TestRuntime::new((0..10).map(|_| failing()));
    let error = run(&runtime, &retrying_client(&runtime)).unwrap_err();
    assert_eq!((error.status, error.attempts), (Some(503), Some(10)));
    let runtime = TestRuntime::new((0..2).map(|_| failing()));
    let twice = RetryPolicy::default().max_attempts(2);
    let error = run(&runtime, &retrying_client(&runtime).with_retry_policy(twice)).unwrap_err();
    assert_eq!((error.status, error.attempts), (Some(503), Some(2)));
}

#[test]
fn unreachable_service_is_attempted_five_times_until_it_has_responded() {
    let offline = || MockResponse::default().disconnect("offline");
    let runtime = TestRuntime::new((0..5).map(|_| offline()));
    let client = retrying_client(&runtime);
    let error = run(&runtime, &client).unwrap_err();
    assert_eq!((error.code, error.attempts), (ErrorCode::Network, Some(5)));
    assert!(runtime.elapsed_ms() < 3000);
    // The caller's number wins.
    runtime.queue((0..6).map(|_| offline()));
    let six = client.clone().with_retry_policy(client.retry_policy().max_attempts(6));
    assert_eq!(run(&runtime, &six).unwrap_err().attempts, Some(6));
    // Any response counts, even a failure.
    runtime.queue([MockResponse::status(404, "")]);
    run(&runtime, &client).unwrap_err();
    runtime.queue((0..10).map(|_| offline()));
    assert_eq!(run(&runtime, &client).unwrap_err().attempts, Some(10));
}

#[test]
fn failure_that_may_be_permanent_is_attempted_three_times() {
    for (body, attempts) in
        [(r#" {"message":"Something went wrong."}"#, 3), ("\"Internal server error\"", 10), ("", 10)]
    {
        let runtime = TestRuntime::new((0..attempts).map(|_| MockResponse::status(500, body)));
        let error = run(&runtime, &retrying_client(&runtime)).unwrap_err();
        assert_eq!((error.attempts, error.is_retryable()), (Some(attempts), true), "{body}");
    }
    let crash = || MockResponse::status(500, r#"{"message":"Something went wrong."}"#);
    let served = MockResponse::ok(page(&[1], "null"));
    let runtime = TestRuntime::new([crash(), MockResponse::status(503, ""), crash(), served]);
    assert_eq!(run(&runtime, &retrying_client(&runtime)), Ok(vec![1]));
}

#[test]
fn backoff_is_exponential_with_half_jitter() {
    let retry_policy = RetryPolicy::default().max_attempts(9);
    for (chance, expected) in [
        (0.0, [100, 200, 400, 800, 1600, 3200, 5000, 5000]),
        (0.5, [150, 300, 600, 1200, 2400, 4800, 7500, 7500]),
        (0.999, [199, 399, 799, 1599, 3198, 6396, 9995, 9995]),
    ] {
        let runtime = TestRuntime::new((0..9).map(|_| MockResponse::status(500, "")));
        runtime.queue_random([chance; 9]);
        run(&runtime, &retrying_client(&runtime).with_retry_policy(retry_policy)).unwrap_err();
        assert_eq!(delays(&runtime), expected);
    }
}

#[test]
fn stated_wait_replaces_the_backoff() {
    const TWO_MINUTES: &str = "Tue, 14 Nov 2023 22:15:20 GMT";
    assert_eq!(START_MS, 1_700_000_000_000);
    for (header, value, waited) in [
        ("x-ratelimit-reset", "1500", 1500),
        ("x-ratelimit-reset", "-1", 150),
        ("x-ratelimit-reset", "600000", 60_000),
        ("retry-after", "3", 3000),
        ("retry-after", "0", 0),
        ("retry-after", "3600", 60_000),
        ("retry-after", TWO_MINUTES, 60_000),
        ("retry-after", "Tue, 14 Nov 2023 22:13:25 GMT", 5000),
        ("retry-after", "soon", 150),
    ] {
        let header = HEADERS.into_iter().find(|known| *known == header).unwrap();
        for status in [429, 503] {
            // Every response has the rate limit headers. Only with status 429 they state a wait.
            let is_limit = status == 503 && header == "x-ratelimit-reset";
            let waited = if is_limit { 150 } else { waited };
            let runtime = TestRuntime::new([MockResponse::head(status, &[(header, value)]), MockResponse::ok(OK)]);
            assert_eq!(run(&runtime, &retrying_client(&runtime)), Ok(vec![]));
            assert_eq!(runtime.elapsed_ms(), waited, "{status} {header}: {value}");
        }
    }
}

#[test]
fn max_wait_ms_is_an_option() {
    let runtime = TestRuntime::new([MockResponse::head(429, &[("retry-after", "100")]), MockResponse::ok(OK)]);
    let client = retrying_client(&runtime).with_retry_policy(RetryPolicy::default().max_wait_ms(7000));
    assert_eq!(run(&runtime, &client), Ok(vec![]));
    assert_eq!(runtime.elapsed_ms(), 7000);
    let limits = [("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "50000")];
    let runtime = TestRuntime::new([MockResponse::head(429, &limits), MockResponse::ok(OK)]);
    let client = client_with(&runtime, |options| options.retry_policy.max_wait_ms = 7000);
    assert_eq!(run(&runtime, &client), Ok(vec![]));
    assert_eq!(runtime.elapsed_ms(), 7000);
    // Calls share the rate limiter, so the option of a single call does not affect it.
    let runtime = TestRuntime::new([MockResponse::head(200, &limits).chunk(OK), MockResponse::ok(OK)]);
    let hasty = retrying_client(&runtime).with_retry_policy(RetryPolicy::default().max_wait_ms(1));
    assert_eq!(run(&runtime, &hasty), Ok(vec![]));
    assert_eq!(run(&runtime, &hasty), Ok(vec![]));
    assert_eq!(runtime.elapsed_ms(), 50_000);
}

#[test]
fn deadline_covers_all_attempts() {
    // Each attempt takes the full timeout of 30 s.
    let runtime = TestRuntime::new((0..5).map(|_| MockResponse::default().stall()));
    let error = run(&runtime, &retrying_client(&runtime)).unwrap_err();
    assert_eq!((error.code, error.attempts, runtime.elapsed_ms()), (ErrorCode::Timeout, Some(4), 120_000));
    assert_eq!(error.message, "no complete response within 120000 ms; try again or raise deadline_ms");
    assert_eq!(runtime.open_requests(), 0);
}

#[test]
fn wait_beyond_the_deadline_is_not_started() {
    let runtime = TestRuntime::new([MockResponse::head(429, &[("retry-after", "50")])]);
    let client = retrying_client(&runtime).with_retry_policy(RetryPolicy::default().deadline_ms(20_000));
    let error = run(&runtime, &client).unwrap_err();
    assert_eq!((error.code, error.retry_after_ms), (ErrorCode::RateLimited, Some(50_000)));
    assert_eq!((error.attempts, runtime.elapsed_ms()), (Some(1), 0));
}

#[test]
fn retries_within_a_list_neither_lose_nor_repeat_records() {
    let runtime = TestRuntime::new([
        MockResponse::ok(page(&[1, 2], r#"{"index":2}"#)),
        MockResponse::head(200, &[]).chunk(page(&[3, 4], "null").split_at(90).0).disconnect("reset"),
        MockResponse::status(500, ""),
        MockResponse::ok(page(&[3, 4], r#"{"index":4}"#)),
        MockResponse::ok("null"),
        MockResponse::ok(page(&[5], "null")),
    ]);
    let mut pager = retrying_client(&runtime).pages(&super::params()).unwrap();
    assert_eq!(read_all(&runtime, &mut pager), [vec![1, 2], vec![3, 4], vec![5]]);
}

#[test]
fn failed_list_can_be_resumed() {
    let runtime = TestRuntime::new([MockResponse::ok(page(&[1], r#"{"index":1}"#)), MockResponse::status(403, "")]);
    let mut pager = withdrawals(&runtime);
    assert_eq!(read(&runtime, &mut pager), Ok(Some(vec![1])));
    let error = read(&runtime, &mut pager).unwrap_err();
    runtime.queue([MockResponse::ok(page(&[2], "null"))]);
    let client = client_with(&runtime, |_| {});
    let mut resumed = client.resume_pages(&super::params(), error.resume_token.as_deref().unwrap()).unwrap();
    assert_eq!(read_all(&runtime, &mut resumed), [[2]]);
}

#[test]
fn body_beyond_the_size_limit_is_rejected_while_it_arrives() {
    let runtime = TestRuntime::new([MockResponse::head(200, &[]).chunk([b' '; 1500]).chunk([b' '; 600]).stall()]);
    let client = client_with(&runtime, |options| options.max_response_bytes = 2048);
    let error = run(&runtime, &client).unwrap_err();
    assert_eq!((error.code, error.attempts, runtime.elapsed_ms()), (ErrorCode::Decode, Some(1), 0));
    assert_eq!(error.message, "the response is larger than 2048 bytes; narrow the query or raise max_response_bytes");
    assert_eq!(runtime.open_requests(), 0);
}

#[test]
fn content_length_beyond_the_size_limit_is_rejected_before_the_body() {
    let client = |runtime: &TestRuntime| {
        client_with(runtime, |options| {
            options.retry_policy = RetryPolicy::default();
            options.max_response_bytes = 2048;
        })
    };
    let runtime = TestRuntime::new([MockResponse::head(200, &[("content-length", " 2049 ")]).stall()]);
    let error = run(&runtime, &client(&runtime)).unwrap_err();
    assert_eq!((error.code, error.attempts, runtime.elapsed_ms()), (ErrorCode::Decode, Some(1), 0));
    assert_eq!(error.message, "the response is larger than 2048 bytes; narrow the query or raise max_response_bytes");
    assert_eq!(runtime.open_requests(), 0);
    for length in ["2048", "-1", "much", "2049, 2049"] {
        let runtime = TestRuntime::new([MockResponse::head(200, &[("content-length", length)]).chunk(OK)]);
        assert_eq!(run(&runtime, &client(&runtime)), Ok(vec![]), "{length}");
    }
    // The limit does not apply to failing responses: only their beginning is read.
    let runtime = TestRuntime::new([MockResponse::head(403, &[("content-length", "2049")]).chunk("")]);
    assert_eq!(run(&runtime, &client(&runtime)).unwrap_err().status, Some(403));
}
