//! Retries: which failures are retried, how often, and after which delay.

use address_query::client::{ApiKey, Client, HEADERS, RetryPolicy};
use address_query::endpoint::BalanceParams;
use address_query::error::{Error, ErrorCode};

use super::{client_with, failure, first_page, last_page, ok_page, page, read_all, retrying_client};
use crate::support::HASH_A;
use crate::test_runtime::{MockResponse, START_MS, TestRuntime};

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
        let runtime = TestRuntime::new([failing, last_page(&[1, 2])]);
        assert_eq!(run(&runtime, &retrying_client(&runtime)).as_deref(), Ok(&[1, 2][..]), "{name}");
        assert_eq!(runtime.take_urls().len(), 2, "{name}");
        assert_eq!(runtime.open_requests(), 0, "{name}");
    }
}

#[test]
fn retries_every_5xx_status_except_501_and_505() {
    for status in 500..=599 {
        let runtime = TestRuntime::new([MockResponse::status(status, ""), last_page(&[1])]);
        let retried = run(&runtime, &retrying_client(&runtime)).is_ok();
        assert_eq!(retried, !matches!(status, 501 | 505), "{status}");
    }
}

#[test]
fn redirect_that_is_not_followed_is_not_retried() {
    // A browser hides its status.
    for status in [0, 301, 302, 303, 307, 308] {
        let runtime = TestRuntime::new([MockResponse::status(status, "")]);
        let key = ApiKey::new("proapi_s3cret").unwrap();
        let error = run(&runtime, &client_with(&runtime, |options| options.api_key = Some(key))).unwrap_err();
        assert_eq!((error.code, error.status, error.attempts), (ErrorCode::HttpStatus, Some(status), Some(1)));
        assert!(error.message.contains("set base_url to the target of the redirect"), "{error}");
    }
}

#[test]
fn does_not_retry_permanent_failures() {
    for (response, code) in [
        (MockResponse::status(400, ""), ErrorCode::HttpStatus),
        (MockResponse::status(401, ""), ErrorCode::ApiKeyRequired),
        (MockResponse::status(402, ""), ErrorCode::ApiKeyRequired),
        (MockResponse::head(402, &[("payment-required", "eyJ4")]), ErrorCode::ApiKeyRequired),
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
        (MockResponse::ok(r#"{"items":[{"index":"x"}],"next_page_params":null}"#), ErrorCode::Decode),
        (MockResponse::ok(r#"{"status":"0","message":"Invalid address","result":null}"#), ErrorCode::Refused),
        (MockResponse::ok(r#"{"status":"0","message":"Unauthorized","result":null}"#), ErrorCode::ApiKeyRequired),
    ] {
        let runtime = TestRuntime::new([response]);
        let error = run(&runtime, &retrying_client(&runtime)).unwrap_err();
        assert_eq!((error.code, error.attempts), (code, Some(1)), "{error}");
        assert!(delays(&runtime).is_empty(), "{error}");
    }
}

#[test]
fn retries_rate_limit_refusals_of_actions() {
    let runtime = TestRuntime::new([
        MockResponse::ok(r#"{"status":"0","message":"NOTOK","result":"Max rate limit reached"}"#),
        MockResponse::ok(r#"{"message":"OK","result":"7","status":"1"}"#),
    ]);
    let params = BalanceParams::new(HASH_A.parse().unwrap());
    let response = runtime.block_on(retrying_client(&runtime).value(&params)).unwrap();
    assert_eq!(response.result.unwrap().to_string(), "7");
}

#[test]
fn sends_at_most_max_attempts() {
    for (policy, attempts) in [(RetryPolicy::default(), 10), (RetryPolicy::default().max_attempts(2), 2)] {
        let runtime = TestRuntime::with_service(|_| MockResponse::status(503, ""));
        let error = run(&runtime, &retrying_client(&runtime).with_retry_policy(policy)).unwrap_err();
        assert_eq!((error.status, error.attempts), (Some(503), Some(attempts)));
        assert_eq!(runtime.take_urls().len(), attempts as usize);
    }
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
    let served = last_page(&[1]);
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
fn stated_wait_is_reported_and_replaces_the_backoff() {
    // START_MS is Tue, 14 Nov 2023 22:13:20 GMT.
    assert_eq!(START_MS, 1_700_000_000_000);
    for (statuses, headers, stated) in [
        (&[429][..], &[("x-ratelimit-reset", "1500")][..], Some(1500)),
        (&[429], &[("x-ratelimit-reset", "-1")], None),
        (&[429], &[("x-ratelimit-reset", "soon")], None),
        (&[429], &[("x-ratelimit-reset", "600000")], Some(600_000)),
        // Every response has the rate limit headers. Only with status 429 they state a wait.
        (&[503], &[("x-ratelimit-reset", "1500")], None),
        (&[429, 503], &[("x-ratelimit-reset", "9"), ("retry-after", "2")], Some(2000)),
        (&[429, 503], &[("retry-after", "3")], Some(3000)),
        (&[429, 503], &[("retry-after", "0")], Some(0)),
        (&[429, 503], &[("retry-after", "3600")], Some(3_600_000)),
        (&[429, 503], &[("retry-after", "18446744073709551615")], Some(u64::MAX)),
        (&[429, 503], &[("retry-after", "Tue, 14 Nov 2023 22:13:25 GMT")], Some(5000)),
        (&[429, 503], &[("retry-after", "Tue, 14 Nov 2023 22:15:20 GMT")], Some(120_000)),
        (&[429, 503], &[("retry-after", "soon")], None),
    ] {
        assert!(headers.iter().all(|(name, _)| HEADERS.contains(name)), "a browser reads only the headers in HEADERS");
        for &status in statuses {
            let response = MockResponse::head(status, headers);
            assert_eq!(failure(&response).retry_after_ms, stated, "{status} {headers:?}");
            let runtime = TestRuntime::new([response, last_page(&[])]);
            assert_eq!(run(&runtime, &retrying_client(&runtime)), Ok(vec![]));
            assert_eq!(runtime.elapsed_ms(), stated.map_or(150, |ms| ms.min(60_000)), "{status} {headers:?}");
        }
    }
}

#[test]
fn max_wait_ms_is_an_option() {
    let limits = [("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "50000")];
    for headers in [&[("retry-after", "100")][..], &limits] {
        let runtime = TestRuntime::new([MockResponse::head(429, headers), last_page(&[])]);
        let client = client_with(&runtime, |options| options.retry_policy.max_wait_ms = 7000);
        assert_eq!(run(&runtime, &client), Ok(vec![]));
        assert_eq!(runtime.elapsed_ms(), 7000, "{headers:?}");
    }
    let runtime = TestRuntime::new([MockResponse::head(429, &[("retry-after", "100")]), last_page(&[])]);
    let client = retrying_client(&runtime).with_retry_policy(RetryPolicy::default().max_wait_ms(7000));
    assert_eq!(run(&runtime, &client), Ok(vec![]));
    assert_eq!(runtime.elapsed_ms(), 7000);
    // Calls share the rate limiter, so the option of a single call does not affect it.
    let first = MockResponse::head(200, &limits).chunk(page(&[], "null"));
    let runtime = TestRuntime::new([first, last_page(&[])]);
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
        ok_page(&[1, 2], r#"{"index":2}"#),
        MockResponse::head(200, &[]).chunk(page(&[3, 4], "null").split_at(90).0).disconnect("reset"),
        MockResponse::status(500, ""),
        ok_page(&[3, 4], r#"{"index":4}"#),
        MockResponse::ok("null"),
        last_page(&[5]),
    ]);
    let mut pager = retrying_client(&runtime).pages(&super::params()).unwrap();
    assert_eq!(read_all(&runtime, &mut pager), [vec![1, 2], vec![3, 4], vec![5]]);
}

#[test]
fn response_beyond_the_size_limit_is_rejected_as_soon_as_its_size_is_known() {
    let limited = |response: &MockResponse| {
        let runtime = TestRuntime::new([response.clone()]);
        let outcome = run(&runtime, &client_with(&runtime, |options| options.max_response_bytes = 2048));
        assert_eq!((runtime.elapsed_ms(), runtime.open_requests()), (0, 0), "{response:?}");
        outcome
    };
    for response in [
        MockResponse::head(200, &[]).chunk([b' '; 1500]).chunk([b' '; 600]).stall(),
        MockResponse::head(200, &[("content-length", " 2049 ")]).stall(),
    ] {
        let error = limited(&response).unwrap_err();
        assert_eq!((error.code, error.attempts), (ErrorCode::Decode, Some(1)));
        let message = "the response is larger than 2048 bytes; narrow the query or raise max_response_bytes";
        assert_eq!(error.message, message);
    }
    for length in ["2048", "-1", "much", "2049, 2049"] {
        let response = MockResponse::head(200, &[("content-length", length)]).chunk(page(&[], "null"));
        assert_eq!(limited(&response), Ok(vec![]), "{length}");
    }
    // The limit does not apply to failing responses: only their beginning is read.
    let failing = MockResponse::head(403, &[("content-length", "2049")]).chunk("");
    assert_eq!(limited(&failing).unwrap_err().status, Some(403));
}

#[test]
fn only_fresh_reads_and_retries_bypass_http_caches() {
    let [first, second] = [1, 2].map(|index| last_page(&[index]));
    let runtime = TestRuntime::new([MockResponse::status(502, ""), MockResponse::ok("null"), first, second]);
    let client = retrying_client(&runtime);
    assert_eq!(run(&runtime, &client), Ok(vec![1]));
    assert_eq!(runtime.take_fresh(), [false, true, true]);
    assert_eq!(run(&runtime, &client.with_fresh_responses(true)), Ok(vec![2]));
    assert_eq!(runtime.take_fresh(), [true]);
}
