//! What is tried again, how often, after how long; and what never is.

use address_query::client::runtime::HEADERS;
use address_query::client::{ApiKey, Client, Patience};
use address_query::error::{Error, ErrorCode};

use super::{client_with, first_page, page, patient, read, read_all, withdrawals};
use crate::runtime::{Reply, START_MS, Script};

const OK: &str = r#"{"items":[],"next_page_params":null}"#;

fn run(script: &Script, client: &Client<Script>) -> Result<Vec<i64>, Error> {
    script.block_on(first_page(client.clone()))
}

/// Sleeps that are no deadlines.
fn pauses(script: &Script) -> Vec<u64> {
    script.take_sleeps().into_iter().filter(|ms| *ms < Patience::default().timeout_ms).collect()
}

#[test]
fn what_may_pass_is_tried_again() {
    for (name, failing) in [
        ("lost before the answer", Reply::default().lost("reset")),
        ("lost in the body", Reply::head(200, &[]).chunk(r#"{"items":["#).lost("reset")),
        ("408", Reply::status(408, "")),
        ("429", Reply::status(429, r#"{"message":"Too many requests"}"#)),
        ("500", Reply::status(500, "\"Internal server error\"")),
        ("502", Reply::status(502, "<html>Bad gateway</html>")),
        ("503", Reply::status(503, "")),
        ("504", Reply::status(504, "")),
        ("a web page", Reply::ok("<!DOCTYPE html><title>One moment</title>")),
        ("null", Reply::ok("null")),
        ("nothing", Reply::ok("")),
        ("breaks off", Reply::ok(r#"{"items":[{"index":1"#)),
        ("no JSON", Reply::ok("upstream connect error")),
        ("a refusal with status 200", Reply::ok(r#"{"status":"0","message":"Max rate limit reached","result":null}"#)),
        ("no answer in time", Reply::default().stall()),
        ("no body in time", Reply::head(200, &[]).stall()),
    ] {
        let script = Script::new([failing, Reply::ok(page(&[1, 2], "null"))]);
        assert_eq!(run(&script, &patient(&script)).as_deref(), Ok(&[1, 2][..]), "{name}");
        assert_eq!(script.take_urls().len(), 2, "{name}");
        assert_eq!(script.open_requests(), 0, "{name}");
    }
}

#[test]
fn retries_every_5xx_status_but_501_and_505() {
    for status in 500..=599 {
        let script = Script::new([Reply::status(status, ""), Reply::ok(page(&[1], "null"))]);
        let retried = run(&script, &patient(&script)).is_ok();
        assert_eq!(retried, !matches!(status, 501 | 505), "{status}");
    }
}

#[test]
fn a_redirect_that_is_not_followed_is_not_retried() {
    // A browser hides its status.
    for status in [0, 301, 302, 303, 307, 308] {
        let script = Script::new([Reply::status(status, "")]);
        let client = client_with(&script, |settings| {
            settings.patience = Patience::default();
            settings.api_key = Some(ApiKey::text("proapi_s3cret").unwrap());
        });
        let error = run(&script, &client).unwrap_err();
        assert_eq!((error.code, error.status, error.attempts), (ErrorCode::HttpStatus, Some(status), Some(1)));
        assert!(error.message.contains("set baseUrl to the address that it leads to"), "{error}");
    }
}

#[test]
fn what_the_service_means_is_not_tried_again() {
    for (answer, code) in [
        (Reply::status(400, ""), ErrorCode::HttpStatus),
        (Reply::status(401, ""), ErrorCode::HttpStatus),
        (Reply::status(402, ""), ErrorCode::HttpStatus),
        (Reply::status(403, "<html>Forbidden</html>"), ErrorCode::HttpStatus),
        (Reply::status(404, ""), ErrorCode::HttpStatus),
        (Reply::status(406, ""), ErrorCode::HttpStatus),
        (Reply::status(422, r#"{"errors":[{"detail":"Unexpected field: x"}]}"#), ErrorCode::HttpStatus),
        (Reply::status(501, ""), ErrorCode::HttpStatus),
        (Reply::ok(r#"{"items":[{"index":"x"}],"next_page_params":null}"#), ErrorCode::Decode),
        (Reply::ok(r#"{"status":"0","message":"Invalid address","result":null}"#), ErrorCode::Refused),
    ] {
        let script = Script::new([answer]);
        let error = run(&script, &patient(&script)).unwrap_err();
        assert_eq!((error.code, error.attempts), (code, Some(1)), "{error}");
        assert!(pauses(&script).is_empty(), "{error}");
    }
}

#[test]
fn a_refusal_for_the_rate_is_tried_again_in_the_module_action_interface_too() {
    use address_query::endpoint::BalanceParams;
    let script = Script::new([
        Reply::ok(r#"{"status":"0","message":"NOTOK","result":"Max rate limit reached"}"#),
        Reply::ok(r#"{"message":"OK","result":"7","status":"1"}"#),
    ]);
    let params = BalanceParams { address: crate::support::HASH_A.parse().unwrap() };
    let answer = script.block_on(patient(&script).value(&params)).unwrap();
    assert_eq!(answer.result.unwrap().to_string(), "7");
}

#[test]
fn attempts_are_bounded() {
    let failing = || Reply::status(503, "");
    let script = Script::new((0..5).map(|_| failing()));
    let error = run(&script, &patient(&script)).unwrap_err();
    assert_eq!((error.status, error.attempts), (Some(503), Some(5)));
    let script = Script::new((0..2).map(|_| failing()));
    let twice = Patience { max_attempts: 2, ..Patience::default() };
    let error = run(&script, &patient(&script).with_patience(twice)).unwrap_err();
    assert_eq!((error.status, error.attempts), (Some(503), Some(2)));
}

#[test]
fn pauses_are_a_random_part_of_a_growing_one() {
    let patience = Patience { max_attempts: 9, ..Patience::default() };
    for (chance, expected) in [
        (0.0, [0, 0, 0, 0, 0, 0, 0, 0]),
        (0.5, [250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000]),
        (0.999, [499, 999, 1998, 3996, 7992, 15_984, 19_980, 19_980]),
    ] {
        let script = Script::new((0..9).map(|_| Reply::status(500, "")));
        script.set_chances([chance; 9]);
        run(&script, &patient(&script).with_patience(patience)).unwrap_err();
        assert_eq!(pauses(&script), expected);
    }
}

#[test]
fn the_wait_that_the_service_asks_for_comes_first() {
    const TWO_MINUTES: &str = "Tue, 14 Nov 2023 22:15:20 GMT";
    assert_eq!(START_MS, 1_700_000_000_000);
    for (header, value, waited) in [
        ("x-ratelimit-reset", "1500", 1500),
        ("x-ratelimit-reset", "-1", 250),
        ("x-ratelimit-reset", "600000", 60_000),
        ("retry-after", "3", 3000),
        ("retry-after", "0", 0),
        ("retry-after", "3600", 60_000),
        ("retry-after", TWO_MINUTES, 60_000),
        ("retry-after", "Tue, 14 Nov 2023 22:13:25 GMT", 5000),
        ("retry-after", "soon", 250),
    ] {
        let header = HEADERS.into_iter().find(|known| *known == header).unwrap();
        for status in [429, 503] {
            // The limits stand on every answer: only after 429 they are a wait.
            let is_limit = status == 503 && header == "x-ratelimit-reset";
            let waited = if is_limit { 250 } else { waited };
            let script = Script::new([Reply::head(status, &[(header, value)]), Reply::ok(OK)]);
            assert_eq!(run(&script, &patient(&script)), Ok(vec![]));
            assert_eq!(script.elapsed_ms(), waited, "{status} {header}: {value}");
        }
    }
}

#[test]
fn the_longest_wait_can_be_chosen() {
    let script = Script::new([Reply::head(429, &[("retry-after", "100")]), Reply::ok(OK)]);
    let client = patient(&script).with_patience(Patience { max_wait_ms: 7000, ..Patience::default() });
    assert_eq!(run(&script, &client), Ok(vec![]));
    assert_eq!(script.elapsed_ms(), 7000);
    let limits = [("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "50000")];
    let script = Script::new([Reply::head(429, &limits), Reply::ok(OK)]);
    let client = client_with(&script, |settings| settings.patience.max_wait_ms = 7000);
    assert_eq!(run(&script, &client), Ok(vec![]));
    assert_eq!(script.elapsed_ms(), 7000);
    // The pace is everybody's: one call changes nothing in it.
    let script = Script::new([Reply::head(200, &limits).chunk(OK), Reply::ok(OK)]);
    let hasty = patient(&script).with_patience(Patience { max_wait_ms: 1, ..Patience::default() });
    assert_eq!(run(&script, &hasty), Ok(vec![]));
    assert_eq!(run(&script, &hasty), Ok(vec![]));
    assert_eq!(script.elapsed_ms(), 50_000);
}

#[test]
fn the_deadline_bounds_all_attempts() {
    // Each attempt takes its 30 s.
    let script = Script::new((0..5).map(|_| Reply::default().stall()));
    let error = run(&script, &patient(&script)).unwrap_err();
    assert_eq!((error.code, error.attempts, script.elapsed_ms()), (ErrorCode::Timeout, Some(4), 120_000));
    assert_eq!(error.message, "no complete answer within 120000 ms; try again or raise deadlineMs");
    assert_eq!(script.open_requests(), 0);
}

#[test]
fn a_wait_beyond_the_deadline_is_not_begun() {
    let script = Script::new([Reply::head(429, &[("retry-after", "50")])]);
    let client = patient(&script).with_patience(Patience { deadline_ms: 20_000, ..Patience::default() });
    let error = run(&script, &client).unwrap_err();
    assert_eq!((error.code, error.retry_after_ms), (ErrorCode::RateLimited, Some(50_000)));
    assert_eq!((error.attempts, script.elapsed_ms()), (Some(1), 0));
}

#[test]
fn nothing_is_lost_or_doubled_by_attempts_in_the_middle_of_a_list() {
    let script = Script::new([
        Reply::ok(page(&[1, 2], r#"{"index":2}"#)),
        Reply::head(200, &[]).chunk(page(&[3, 4], "null").split_at(90).0).lost("reset"),
        Reply::status(500, ""),
        Reply::ok(page(&[3, 4], r#"{"index":4}"#)),
        Reply::ok("null"),
        Reply::ok(page(&[5], "null")),
    ]);
    let mut pager = patient(&script).pages(&super::params()).unwrap();
    assert_eq!(read_all(&script, &mut pager), [vec![1, 2], vec![3, 4], vec![5]]);
}

#[test]
fn what_failed_for_good_can_be_resumed() {
    let script = Script::new([Reply::ok(page(&[1], r#"{"index":1}"#)), Reply::status(403, "")]);
    let mut pager = withdrawals(&script);
    assert_eq!(read(&script, &mut pager), Ok(Some(vec![1])));
    let error = read(&script, &mut pager).unwrap_err();
    script.queue([Reply::ok(page(&[2], "null"))]);
    let client = client_with(&script, |_| {});
    let mut resumed = client.pages_after(&super::params(), error.resume_token.as_deref().unwrap()).unwrap();
    assert_eq!(read_all(&script, &mut resumed), [[2]]);
}

#[test]
fn an_answer_over_the_limit_is_refused_while_it_arrives() {
    let script = Script::new([Reply::head(200, &[]).chunk([b' '; 1500]).chunk([b' '; 600]).stall()]);
    let client = client_with(&script, |settings| settings.max_response_bytes = 2048);
    let error = run(&script, &client).unwrap_err();
    assert_eq!((error.code, error.attempts, script.elapsed_ms()), (ErrorCode::Decode, Some(1), 0));
    assert_eq!(error.message, "the answer is larger than 2048 bytes; narrow the query or raise maxResponseBytes");
    assert_eq!(script.open_requests(), 0);
}

#[test]
fn refuses_a_content_length_over_the_limit_before_the_body_arrives() {
    let client = |script: &Script| {
        client_with(script, |settings| {
            settings.patience = Patience::default();
            settings.max_response_bytes = 2048;
        })
    };
    let script = Script::new([Reply::head(200, &[("content-length", " 2049 ")]).stall()]);
    let error = run(&script, &client(&script)).unwrap_err();
    assert_eq!((error.code, error.attempts, script.elapsed_ms()), (ErrorCode::Decode, Some(1), 0));
    assert_eq!(error.message, "the answer is larger than 2048 bytes; narrow the query or raise maxResponseBytes");
    assert_eq!(script.open_requests(), 0);
    for length in ["2048", "-1", "much", "2049, 2049"] {
        let script = Script::new([Reply::head(200, &[("content-length", length)]).chunk(OK)]);
        assert_eq!(run(&script, &client(&script)), Ok(vec![]), "{length}");
    }
    // Of a failing response only the beginning is read.
    let script = Script::new([Reply::head(403, &[("content-length", "2049")]).chunk("")]);
    assert_eq!(run(&script, &client(&script)).unwrap_err().status, Some(403));
}
