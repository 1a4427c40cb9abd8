//! The response cache.

use address_query::client::RetryPolicy;
use address_query::endpoint::BalanceParams;
use address_query::testing::endpoint::{ACTIONS, LISTS, LOOKUPS};

use super::{client_with, first_page, first_page_of, page};
use crate::test_runtime::{MockResponse, TestRuntime};

fn ok_page(index: i64) -> MockResponse {
    MockResponse::ok(page(&[index], "null"))
}

#[test]
fn cache_is_disabled_by_default() {
    let runtime = TestRuntime::new([ok_page(1), ok_page(2)]);
    let client = client_with(&runtime, |_| {});
    assert_eq!(runtime.block_on(first_page(client.clone())), Ok(vec![1]));
    assert_eq!(runtime.block_on(first_page(client)), Ok(vec![2]));
}

#[test]
fn successful_response_is_cached_until_it_expires() {
    let runtime = TestRuntime::new([ok_page(1), ok_page(9), ok_page(2)]);
    let client = client_with(&runtime, |options| options.cache_ms = 1000);
    let read = || runtime.block_on(first_page(client.clone()));
    assert_eq!(read(), Ok(vec![1]));
    runtime.advance_ms(999);
    assert_eq!(read(), Ok(vec![1]));
    assert_eq!(runtime.block_on(first_page_of(client.clone(), 7)), Ok(vec![9]));
    runtime.advance_ms(1);
    assert_eq!(read(), Ok(vec![2]));
}

#[test]
fn cached_response_needs_no_permit_of_the_rate_limiter() {
    let refused = MockResponse::head(429, &[("retry-after", "60")]);
    let runtime = TestRuntime::new([ok_page(1), refused]);
    let client = client_with(&runtime, |options| options.cache_ms = 1000);
    let policy = RetryPolicy::default().deadline_ms(10);
    let client = client.with_retry_policy(policy);
    assert_eq!(runtime.block_on(first_page(client.clone())), Ok(vec![1]));
    runtime.block_on(first_page_of(client.clone(), 7)).unwrap_err();
    assert_eq!(runtime.block_on(first_page(client)), Ok(vec![1]));
}

#[test]
fn entries_expire_if_the_clock_is_set_back() {
    let runtime = TestRuntime::new([ok_page(1), ok_page(2)]);
    let client = client_with(&runtime, |options| options.cache_ms = 1000);
    runtime.advance_ms(100_000);
    assert_eq!(runtime.block_on(first_page(client.clone())), Ok(vec![1]));
    runtime.reset_clock();
    assert_eq!(runtime.block_on(first_page(client)), Ok(vec![2]));
}

#[test]
fn failures_are_not_cached() {
    let runtime = TestRuntime::new([MockResponse::status(403, ""), MockResponse::ok(r#"{"items":[{}]}"#), ok_page(1)]);
    let client = client_with(&runtime, |options| options.cache_ms = 1000);
    let read = || runtime.block_on(first_page(client.clone()));
    read().unwrap_err();
    read().unwrap_err();
    assert_eq!(read(), Ok(vec![1]));
}

#[test]
fn responses_with_balances_are_not_cached() {
    let body = |wei: u64| MockResponse::ok(format!(r#"{{"message":"OK","result":"{wei}","status":"1"}}"#));
    let runtime = TestRuntime::new([body(1), body(2)]);
    let client = client_with(&runtime, |options| options.cache_ms = 1000);
    let params = BalanceParams::new(crate::support::HASH_A.parse().unwrap());
    for wei in ["1", "2"] {
        let response = runtime.block_on(client.value(&params)).unwrap();
        assert_eq!(response.result.unwrap().to_string(), wei);
    }
}

#[test]
fn operations_with_balances_are_declared_uncached() {
    // A number of balances is not a balance.
    let is_balance = |name: &str| name.to_ascii_lowercase().replace("balances_count", "").contains("balance");
    let lists = LISTS.iter().map(|list| (&list.operation, list.layout.row));
    let actions = ACTIONS.iter().map(|action| (&action.operation, action.layout.row));
    let lookups = LOOKUPS.iter().map(|lookup| (&lookup.operation, lookup.layout.row));
    for (operation, row) in lists.chain(actions).chain(lookups) {
        // The value of a holder is a balance.
        let has_balances =
            [operation.name, row.name, row.names].into_iter().any(is_balance) || row.name == "TokenHolder";
        let name = operation.name;
        if operation.rpc_method.is_some() {
            assert!(!operation.is_cacheable, "{name} reads the state of contracts, which can be balances");
            continue;
        }
        assert_eq!(
            operation.is_cacheable, !has_balances,
            "{name} returns balances: declare it `uncached`, and only such ones"
        );
    }
}

#[test]
fn evicts_the_oldest_beyond_the_size_limit() {
    // A row has about 60 bytes, so each response has more than a megabyte.
    let rows: Vec<i64> = (0..20_000).collect();
    let runtime = TestRuntime::new((0..7).map(|_| MockResponse::ok(page(&rows, "null"))));
    let client = client_with(&runtime, |options| options.cache_ms = 1000);
    for number in [1, 2, 3, 4, 5, 5, 1, 1] {
        runtime.block_on(first_page_of(client.clone(), number)).unwrap();
    }
    // Only the first response was evicted, and fetched again.
    assert_eq!(runtime.take_urls().len(), 6);
}

#[test]
fn reload_takes_no_cached_response_and_replaces_it() {
    let runtime = TestRuntime::new([ok_page(1), ok_page(2)]);
    let client = client_with(&runtime, |options| options.cache_ms = 1000);
    let reloading = client.clone().with_reload(true);
    assert_eq!(runtime.block_on(first_page(client.clone())), Ok(vec![1]));
    assert_eq!(runtime.block_on(first_page(reloading)), Ok(vec![2]));
    assert_eq!(runtime.block_on(first_page(client)), Ok(vec![2]));
}

#[test]
fn only_reloads_and_retries_bypass_http_caches() {
    let runtime = TestRuntime::new([MockResponse::status(502, ""), MockResponse::ok("null"), ok_page(1), ok_page(2)]);
    let client = client_with(&runtime, |options| options.retry_policy = RetryPolicy::default());
    assert_eq!(runtime.block_on(first_page(client.clone())), Ok(vec![1]));
    assert_eq!(runtime.take_fresh(), [false, true, true]);
    assert_eq!(runtime.block_on(first_page(client.with_reload(true))), Ok(vec![2]));
    assert_eq!(runtime.take_fresh(), [true]);
}
