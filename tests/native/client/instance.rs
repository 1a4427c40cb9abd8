//! Tests of `Client::instance`.

use address_query::error::ErrorCode;
use address_query::testing::object::to_json;

use super::client;
use crate::test_runtime::{MockResponse, TestRuntime};

pub const VERSION: &str = "https://eth.blockscout.com/api/v2/config/backend-version";
const STATUS: &str = "https://eth.blockscout.com/api/v2/main-page/indexing-status";
const CONFIG: &str = "https://eth.blockscout.com/api/v2/config/backend";

pub const UNKNOWN_ACTION: &str = r#"{"message":"Unknown API v2 action"}"#;

/// A status and a body per path.
pub type Route = (&'static str, u16, &'static str);

pub const V11: [Route; 3] = [
    ("/config/backend-version", 200, r#"{"backend_version":"v11.2.7"}"#),
    (
        "/main-page/indexing-status",
        200,
        r#"{"finished_indexing":false,"finished_indexing_blocks":true,"indexed_blocks_ratio":1,"indexed_internal_transactions_ratio":"0.9900"}"#,
    ),
    ("/config/backend", 200, r#"{"chain_type":"ethereum","openapi_spec_folder_name":"ethereum"}"#),
];

/// A runtime that responds by the end of the path. Other paths do not exist.
pub fn serve(routes: impl IntoIterator<Item = Route>) -> TestRuntime {
    let routes: Vec<Route> = routes.into_iter().collect();
    TestRuntime::with_service(move |url| {
        let path = url.split('?').next().unwrap_or_default();
        match routes.iter().find(|(end, ..)| path.ends_with(end) || url.ends_with(end)) {
            Some((_, 0, reason)) => MockResponse::default().disconnect(reason),
            Some((_, status, body)) => MockResponse::status(*status, body),
            None => MockResponse::status(400, UNKNOWN_ACTION),
        }
    })
}

/// Replaces the response of a path.
pub fn replace(routes: [Route; 3], path: &str, status: u16, body: &'static str) -> [Route; 3] {
    routes.map(|route| if route.0 == path { (route.0, status, body) } else { route })
}

#[test]
fn instance_combines_three_responses() {
    let runtime = serve(V11);
    let info = runtime.block_on(client(&runtime).instance()).unwrap();
    assert_eq!(info.backend_version.as_deref(), Some("v11.2.7"));
    assert_eq!(info.chain_type.as_deref(), Some("ethereum"));
    assert_eq!((info.finished_indexing, info.finished_indexing_blocks), (Some(false), Some(true)));
    let ratio = info.indexed_internal_transactions_ratio.as_ref().unwrap();
    assert_eq!((ratio.as_json(), ratio.to_f64()), ("0.99", 0.99));
    assert_eq!(
        to_json(&info),
        r#"{"backendVersion":"v11.2.7","chainType":"ethereum","finishedIndexing":false,"finishedIndexingBlocks":true,"indexedBlocksRatio":1,"indexedInternalTransactionsRatio":0.99}"#
    );
    let mut urls = runtime.take_urls();
    urls.sort();
    assert_eq!(urls, [CONFIG, VERSION, STATUS]);
}

#[test]
fn requests_of_an_instance_are_in_flight_together() {
    let response = |body| MockResponse::default().wait(1_000).and_head(200, &[]).chunk(body);
    let runtime = TestRuntime::with_service(move |_| response("{}"));
    runtime.block_on(client(&runtime).instance()).unwrap();
    assert_eq!(runtime.elapsed_ms(), 1_000);
}

#[test]
fn missing_endpoints_give_null() {
    for status in [400, 404, 422] {
        let runtime = serve(replace(V11, "/config/backend", status, UNKNOWN_ACTION));
        let info = runtime.block_on(client(&runtime).instance()).unwrap();
        assert_eq!((info.backend_version.as_deref(), info.chain_type), (Some("v11.2.7"), None));
    }
    let runtime = serve([V11[1]]);
    let info = runtime.block_on(client(&runtime).instance()).unwrap();
    assert_eq!((info.backend_version, info.finished_indexing_blocks), (None, Some(true)));
}

#[test]
fn values_that_are_not_sent_are_null() {
    let nulls = V11.map(|(path, ..)| (path, 200, "{}"));
    let runtime = serve(nulls);
    let info = runtime.block_on(client(&runtime).instance()).unwrap();
    assert!(!to_json(&info).replace(":null", "").contains(':'), "{info:?}");
    let hostile = replace(V11, "/config/backend-version", 200, r#"{"backend_version":"<b>\"\u0000😀"}"#);
    let runtime = serve(hostile);
    let info = runtime.block_on(client(&runtime).instance()).unwrap();
    assert_eq!(info.backend_version.as_deref(), Some("<b>\"\0😀"));
}

#[test]
fn instance_fails_if_no_request_succeeds() {
    let runtime = serve([]);
    let client_of_no_instance = client(&runtime);
    for _ in 0..2 {
        let error = runtime.block_on(client_of_no_instance.instance()).unwrap_err();
        assert_eq!((error.code, error.status, error.url.as_deref()), (ErrorCode::HttpStatus, Some(400), Some(VERSION)));
    }
    let runtime = serve(V11.map(|(path, ..)| (path, 0, "offline")));
    let error = runtime.block_on(client(&runtime).instance()).unwrap_err();
    assert_eq!(error.code, ErrorCode::Network);
}

#[test]
fn instance_is_cached_for_five_minutes() {
    let runtime = serve(V11);
    let client = client(&runtime);
    let first = runtime.block_on(client.instance());
    runtime.advance_ms(299_999);
    assert_eq!(runtime.block_on(client.clone().instance()), first);
    assert_eq!(runtime.take_urls().len(), 3);
    runtime.advance_ms(1);
    assert_eq!(runtime.block_on(client.instance()), first);
    assert_eq!(runtime.take_urls().len(), 3);
}

#[test]
fn missing_endpoints_are_cached_but_other_failures_are_not() {
    for (status, requests) in [(404, 0), (500, 3), (403, 3)] {
        let runtime = serve(replace(V11, "/main-page/indexing-status", status, UNKNOWN_ACTION));
        let client = client(&runtime);
        runtime.block_on(client.instance()).unwrap();
        runtime.take_urls();
        let info = runtime.block_on(client.instance()).unwrap();
        assert_eq!((info.finished_indexing, runtime.take_urls().len()), (None, requests), "{status}");
    }
}
