//! The order in which requests of single calls and of bulk reads are sent.

use address_query::client::RateLimits;
use address_query::endpoint::TxListParams;

use super::{client_with, first_page_of, page, params_of};
use crate::test_runtime::{ConcurrentTasks, MockResponse, TestRuntime};

#[test]
fn single_calls_go_before_the_requests_of_ranges() {
    let runtime = TestRuntime::with_service(|url| {
        let no_rows = r#"{"status":"0","message":"No transactions found","result":[]}"#.to_owned();
        MockResponse::ok(if url.contains("module=account") { no_rows } else { page(&[1], "null") })
    });
    let limits = RateLimits::default().max_per_second(1.0).max_concurrent(1);
    let client = client_with(&runtime, |options| options.limits = limits);
    let mut tasks = ConcurrentTasks::default();
    for number in 0..5 {
        let params = TxListParams::new(params_of(number).address_hash);
        let mut reader = client.all_rows(&params).unwrap();
        tasks.spawn(async move { reader.next().await.map(|_| ()) });
    }
    let urls = runtime.block_on(async {
        tasks.run_for(&runtime, 0).await;
        tasks.spawn(async { first_page_of(client.clone(), 9).await.map(|_| ()) });
        tasks.join().await;
        runtime.take_urls()
    });
    let position = urls.iter().position(|url| !url.contains("module=account"));
    assert!(position.is_some_and(|position| position <= 1), "{urls:?}");
    assert!(urls.len() > 5, "{urls:?}");
}
