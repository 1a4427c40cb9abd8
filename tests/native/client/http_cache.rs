//! HTTP caches between the client and the service.

use address_query::client::RetryPolicy;
use address_query::testing::endpoint::operations;

use super::{client_with, first_page, page};
use crate::test_runtime::{MockResponse, TestRuntime};

#[test]
fn operations_with_balances_are_declared_uncached() {
    // A number of balances is not a balance.
    let is_balance = |name: &str| name.to_ascii_lowercase().replace("balances_count", "").contains("balance");
    for operation in operations() {
        let row = operation.layout.row;
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
            "{name} returns balances: declare it `uncached`, and no other operation"
        );
    }
}

#[test]
fn only_fresh_reads_and_retries_bypass_http_caches() {
    let [first, second] = [1, 2].map(|index| MockResponse::ok(page(&[index], "null")));
    let runtime = TestRuntime::new([MockResponse::status(502, ""), MockResponse::ok("null"), first, second]);
    let client = client_with(&runtime, |options| options.retry_policy = RetryPolicy::default());
    assert_eq!(runtime.block_on(first_page(client.clone())), Ok(vec![1]));
    assert_eq!(runtime.take_fresh(), [false, true, true]);
    assert_eq!(runtime.block_on(first_page(client.with_fresh_responses(true))), Ok(vec![2]));
    assert_eq!(runtime.take_fresh(), [true]);
}
