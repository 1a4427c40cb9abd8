//! Concurrent requests for the same URL share one fetch.

use address_query::client::{RetryPolicy, Runtime as _};
use address_query::error::ErrorCode;

use super::{first_page, last_page, page, retrying_client};
use crate::test_runtime::{ConcurrentTasks, MockResponse, TestRuntime};

/// A response in chunks, with a delay before each.
fn slow() -> MockResponse {
    let body = page(&[1, 2], "null");
    let (beginning, end) = body.split_at(40);
    MockResponse::default().wait(100).and_head(200, &[]).wait(100).chunk(beginning).wait(100).chunk(end)
}

#[test]
fn equal_requests_in_flight_share_a_fetch_with_its_failures_and_retries() {
    for failures in [0, 1] {
        let lost = MockResponse::default().wait(10).disconnect("reset");
        let runtime = TestRuntime::new(vec![lost; failures].into_iter().chain([slow()]));
        let client = retrying_client(&runtime);
        let outcomes = runtime.block_on_all((0..3).map(|_| first_page(client.clone())));
        assert_eq!(outcomes, vec![Ok(vec![1, 2]); 3], "{failures} failures");
        assert_eq!((runtime.take_urls().len(), runtime.open_requests()), (1 + failures, 0));
    }
}

#[test]
fn response_that_has_begun_is_not_shared() {
    let runtime = TestRuntime::new([slow(), slow()]);
    let client = retrying_client(&runtime);
    let mut tasks = ConcurrentTasks::default();
    tasks.spawn(first_page(client.clone()));
    tasks.spawn(async {
        runtime.sleep(150).await;
        first_page(client.clone()).await
    });
    assert_eq!(runtime.block_on(tasks.join()), [Ok(vec![1, 2]), Ok(vec![1, 2])]);
    assert_eq!(runtime.take_urls().len(), 2);
}

#[test]
fn dropping_a_subscriber_does_not_abort_the_fetch_of_the_others() {
    // The dropped subscriber may be the one that drives the work, at any step.
    for leaves_at in [0, 50, 150, 250] {
        for leaver in 0..3 {
            let runtime = TestRuntime::new([slow()]);
            let client = retrying_client(&runtime);
            let mut tasks = ConcurrentTasks::default();
            (0..3).for_each(|_| tasks.spawn(first_page(client.clone())));
            let left = runtime.block_on(async {
                tasks.run_for(&runtime, leaves_at).await;
                tasks.cancel(leaver);
                tasks.join().await
            });
            assert_eq!(left, [Ok(vec![1, 2]), Ok(vec![1, 2])], "{leaver} at {leaves_at}");
            assert_eq!((runtime.take_urls().len(), runtime.open_requests()), (1, 0));
        }
    }
}

#[test]
fn dropping_all_subscribers_aborts_the_request() {
    let runtime = TestRuntime::new([slow()]);
    let client = retrying_client(&runtime);
    let mut tasks = ConcurrentTasks::default();
    (0..2).for_each(|_| tasks.spawn(first_page(client.clone())));
    runtime.block_on(async {
        tasks.run_for(&runtime, 0).await;
        assert_eq!(runtime.open_requests(), 1);
        tasks.cancel(0);
        assert_eq!(runtime.open_requests(), 1);
        tasks.cancel(1);
        assert_eq!(runtime.open_requests(), 0);
    });
}

#[test]
fn each_subscriber_has_its_own_timeout() {
    let runtime = TestRuntime::new([slow()]);
    let client = retrying_client(&runtime);
    let hasty = client.clone().with_retry_policy(RetryPolicy::default().timeout_ms(150).max_attempts(1));
    let outcomes = runtime.block_on_all([first_page(hasty), first_page(client)]);
    assert_eq!(outcomes[0].as_ref().unwrap_err().code, ErrorCode::Timeout);
    assert_eq!(outcomes[1], Ok(vec![1, 2]));
    assert_eq!(runtime.take_urls().len(), 1);
}

#[test]
fn fresh_read_subscribes_to_no_fetch_in_flight() {
    let runtime = TestRuntime::new([slow(), last_page(&[3])]);
    let client = retrying_client(&runtime);
    let calls = [first_page(client.clone()), first_page(client.with_fresh_responses(true))];
    assert_eq!(runtime.block_on_all(calls), [Ok(vec![1, 2]), Ok(vec![3])]);
    assert_eq!(runtime.take_urls().len(), 2);
}
