//! Failures that the version of the instance explains.

use address_query::client::{Client, RetryPolicy};
use address_query::endpoint::{
    AddressBeaconDepositsParams, AddressInternalTransactionsParams, AddressLogsParams, BalanceParams,
    InternalTransactionsParams, Token1155TxParams,
};
use address_query::error::{Error, ErrorCode};

use super::instance::{Route, UNKNOWN_ACTION, V11, VERSION, replace, serve};
use super::{BASE, client, client_with, retrying_client};
use crate::support::HASH_A;
use crate::test_runtime::{ConcurrentTasks, MockResponse, TestRuntime};

fn version(body: &'static str) -> Route {
    ("/config/backend-version", 200, body)
}

fn beacon_deposits() -> AddressBeaconDepositsParams {
    AddressBeaconDepositsParams::new(HASH_A.parse().unwrap())
}

/// Reads the beacon deposits, which exist since version 9.1.0. Returns the error.
fn deposits_error(runtime: &TestRuntime, client: &Client<TestRuntime>) -> Error {
    runtime.block_on(client.page(&beacon_deposits())).unwrap_err()
}

#[test]
fn missing_operation_is_explained_by_the_version() {
    for status in [400, 404, 422] {
        let runtime = serve([version(r#"{"backend_version":"v8.0.2-beta"}"#), ("/deposits", status, UNKNOWN_ACTION)]);
        let error = deposits_error(&runtime, &client(&runtime));
        assert_explained(&error, status, "addressBeaconDeposits", None, ("9.1.0", "8.0.2"));
        let expected = "addressBeaconDeposits requires backend version 9.1.0 or later, and the instance has 8.0.2; use a newer \
                        instance";
        assert_eq!(error.message, expected);
        let url = format!("{BASE}/api/v2/addresses/{HASH_A}/beacon/deposits");
        assert_eq!((error.url.as_deref(), error.attempts), (Some(&*url), Some(1)));
        assert_eq!(runtime.take_urls(), [&*url, VERSION]);
    }
}

/// Asserts that the error names the operation, its parameter, and the required and the present version.
#[track_caller]
fn assert_explained(error: &Error, status: u16, operation: &str, parameter: Option<&str>, versions: (&str, &str)) {
    assert_eq!((error.code, error.status), (ErrorCode::UnsupportedVersion, Some(status)));
    assert_eq!((error.operation.as_deref(), error.parameter.as_deref()), (Some(operation), parameter));
    let (since, present) = versions;
    assert_eq!((error.since_version.as_deref(), error.backend_version.as_deref()), (Some(since), Some(present)));
}

#[test]
fn missing_parameter_is_explained_by_the_version() {
    let unexpected = r#"{"errors":[{"title":"Invalid value","source":{"pointer":"/include_zero_value"},"detail":"Unexpected field: include_zero_value"}]}"#;
    let runtime = serve([version(r#"{"backend_version":"v11.2.7"}"#), ("include_zero_value=true", 422, unexpected)]);
    let client = client(&runtime);
    let of_address = AddressInternalTransactionsParams::new(HASH_A.parse().unwrap()).include_zero_value(true);
    let all = InternalTransactionsParams::default().include_zero_value(true);
    for (error, operation) in [
        (runtime.block_on(client.page(&of_address)).unwrap_err(), "addressInternalTransactions"),
        (runtime.block_on(client.page(&all)).unwrap_err(), "internalTransactions"),
    ] {
        assert_explained(&error, 422, operation, Some("include_zero_value"), ("12.0.0", "11.2.7"));
        let beginning = format!("include_zero_value of {operation} requires");
        assert!(error.message.starts_with(&beginning), "{error}");
    }
}

#[test]
fn missing_action_is_explained_by_the_version() {
    let unknown = r#"{"message":"Unknown action","result":null,"status":"0"}"#;
    let runtime = serve([version(r#"{"backend_version":"v8.1.2"}"#), ("/api", 400, unknown)]);
    let params = Token1155TxParams::default().address(HASH_A.parse().unwrap());
    let client = client(&runtime);
    let error = runtime.block_on(client.rows(&params)).unwrap_err();
    assert_eq!((error.code, error.operation.as_deref()), (ErrorCode::UnsupportedVersion, Some("token1155Tx")));
    let error = runtime.block_on(client.all_rows(&params).unwrap().next()).unwrap_err();
    assert_eq!((error.code, error.since_version.as_deref()), (ErrorCode::UnsupportedVersion, Some("9.0.0")));
    // The version is cached.
    assert_eq!(runtime.take_urls().iter().filter(|url| *url == VERSION).count(), 1);
}

#[test]
fn failure_is_unchanged_if_the_version_is_not_known_or_does_not_explain_it() {
    for (status, body) in [
        (200, r#"{"backend_version":"v9.1.0"}"#),
        (200, r#"{"backend_version":"11.0.0-alpha"}"#),
        (200, r#"{"backend_version":null}"#),
        (200, r#"{"backend_version":"master"}"#),
        (200, r#"{"backend_version":true}"#),
        (200, "<html>"),
        (404, UNKNOWN_ACTION),
        (429, UNKNOWN_ACTION),
        (500, UNKNOWN_ACTION),
        (0, "connection reset"),
    ] {
        let runtime = serve([("/config/backend-version", status, body)]);
        let error = deposits_error(&runtime, &retrying_client(&runtime));
        assert_eq!((error.code, error.status), (ErrorCode::HttpStatus, Some(400)), "{status} {body}");
        assert_eq!(error.operation, None, "{status} {body}");
        assert!(error.message.contains("Unknown API v2 action"), "{status} {body}: {error}");
        // The version is requested once, whatever the retry policy.
        assert_eq!(runtime.take_urls().len(), 2, "{status} {body}");
    }
}

#[test]
fn version_that_is_not_known_is_cached_unless_its_request_failed() {
    for (status, requests) in [(404, 1), (200, 1), (500, 2)] {
        let runtime = serve([("/config/backend-version", status, "{}")]);
        let client = client(&runtime);
        deposits_error(&runtime, &client);
        runtime.take_urls();
        deposits_error(&runtime, &client);
        assert_eq!(runtime.take_urls().len(), requests, "{status}");
    }
}

#[test]
fn version_of_a_cached_instance_is_not_requested_again() {
    let runtime = serve(replace(V11, "/config/backend-version", 200, r#"{"backend_version":"v8.0.2"}"#));
    let client = client(&runtime);
    runtime.block_on(client.instance()).unwrap();
    runtime.take_urls();
    assert_eq!(deposits_error(&runtime, &client).code, ErrorCode::UnsupportedVersion);
    assert_eq!(runtime.take_urls().len(), 1);
}

#[test]
fn version_is_requested_only_for_newer_parts_and_failures_that_it_can_explain() {
    let v5 = version(r#"{"backend_version":"v5.0.0"}"#);
    // A request without a newer part.
    let runtime = serve([v5]);
    let client = client(&runtime);
    let address = || HASH_A.parse().unwrap();
    for error in [
        runtime.block_on(client.page(&AddressInternalTransactionsParams::new(address()))).unwrap_err(),
        runtime.block_on(client.page(&AddressLogsParams::new(address()))).unwrap_err(),
        runtime.block_on(client.value(&BalanceParams::new(address()))).unwrap_err(),
    ] {
        assert_eq!(error.code, ErrorCode::HttpStatus);
    }
    assert!(!runtime.take_urls().iter().any(|url| url == VERSION));
    // Other failures, and success.
    for (status, body, code) in [
        (403, UNKNOWN_ACTION, Some(ErrorCode::HttpStatus)),
        (500, UNKNOWN_ACTION, Some(ErrorCode::HttpStatus)),
        (404, r#"{"error":"Network not supported","source":"internal"}"#, Some(ErrorCode::UnsupportedChain)),
        (200, "{}", Some(ErrorCode::Decode)),
        (0, "connection reset", Some(ErrorCode::Network)),
        (200, r#"{"items":[],"next_page_params":null}"#, None),
    ] {
        let runtime = serve([v5, ("/deposits", status, body)]);
        let outcome = runtime.block_on(super::client(&runtime).page(&beacon_deposits()));
        assert_eq!(outcome.err().map(|error| error.code), code, "{status} {body}");
        assert_eq!(runtime.take_urls().len(), 1, "{status} {body}");
    }
}

#[test]
fn version_is_requested_within_the_deadline_of_the_call() {
    let runtime = TestRuntime::with_service(|url| match url {
        VERSION => MockResponse::default().stall(),
        _ => MockResponse::default().wait(3_000).and_head(400, &[]).chunk(UNKNOWN_ACTION),
    });
    let policy = RetryPolicy::default().deadline_ms(5_000);
    let error = deposits_error(&runtime, &client(&runtime).with_retry_policy(policy));
    assert_eq!((error.code, runtime.elapsed_ms()), (ErrorCode::HttpStatus, 5_000));
}

#[test]
fn dropping_the_call_cancels_the_request_of_the_version() {
    let runtime = TestRuntime::with_service(|url| match url {
        VERSION => MockResponse::default().stall(),
        _ => MockResponse::status(400, UNKNOWN_ACTION),
    });
    let (client, params) = (client(&runtime), beacon_deposits());
    let mut tasks = ConcurrentTasks::default();
    tasks.spawn(client.page(&params));
    runtime.block_on(tasks.run_for(&runtime, 100));
    assert_eq!(runtime.take_urls().last().map(String::as_str), Some(VERSION));
    assert_eq!(runtime.open_requests(), 1);
    drop(tasks);
    assert_eq!(runtime.open_requests(), 0);
}

#[test]
fn version_is_requested_through_the_rate_limiter() {
    let runtime = serve([version(r#"{"backend_version":"v8.0.2"}"#)]);
    let client = client_with(&runtime, |options| options.limits.max_per_second = Some(1.0));
    assert_eq!(deposits_error(&runtime, &client).code, ErrorCode::UnsupportedVersion);
    assert!(runtime.elapsed_ms() >= 900, "{} ms", runtime.elapsed_ms());
}

#[test]
fn error_of_a_later_page_keeps_its_resume_token() {
    let next = r#"{"items":[],"next_page_params":{"index":7}}"#;
    let runtime = TestRuntime::with_service(move |url| match url {
        VERSION => MockResponse::ok(r#"{"backend_version":"v8.0.2"}"#),
        url if url.contains("index=7") => MockResponse::status(422, UNKNOWN_ACTION),
        _ => MockResponse::ok(next),
    });
    let mut pager = client(&runtime).pages(&beacon_deposits()).unwrap();
    runtime.block_on(pager.next()).unwrap();
    let error = runtime.block_on(pager.next()).unwrap_err();
    assert_eq!((error.code, error.resume_token.is_some()), (ErrorCode::UnsupportedVersion, true));
}
