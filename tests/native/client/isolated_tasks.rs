//! Tasks that must not wake one another, as on Cloudflare Workers. The runtime fails a test in which a task wakes
//! another.

use std::cell::RefCell;
use std::rc::Rc;

use address_query::client::{Client, Runtime};
use address_query::error::Error;

use super::{first_page_of, page, retrying_client};
use crate::test_runtime::{MockResponse, TestRuntime};

/// The time and the result of a call.
type Outcome = (u64, Result<Vec<i64>, Error>);

/// A runtime with isolated tasks, whose service responds after this time.
fn isolated(response_ms: u64) -> TestRuntime {
    let respond = move |_: &str| MockResponse::default().wait(response_ms).and_head(200, &[]).chunk(page(&[1], "null"));
    let runtime = TestRuntime::with_service(respond);
    runtime.isolate_tasks();
    runtime
}

/// Starts a call in a task for each of these addresses.
fn start(
    client: &Client<TestRuntime>,
    runtime: &TestRuntime,
    numbers: impl IntoIterator<Item = u64>,
) -> Rc<RefCell<Vec<Outcome>>> {
    let outcomes = Rc::<RefCell<Vec<Outcome>>>::default();
    for number in numbers {
        let (client, clock, outcomes) = (client.clone(), runtime.clone(), Rc::clone(&outcomes));
        runtime.spawn(Box::pin(async move {
            let outcome = first_page_of(client, number).await;
            outcomes.borrow_mut().push((clock.elapsed_ms(), outcome));
        }));
    }
    outcomes
}

fn run_for(runtime: &TestRuntime, ms: u64) {
    runtime.block_on(runtime.sleep(ms));
}

#[test]
fn more_calls_than_permits_all_succeed() {
    let runtime = isolated(200);
    let client = retrying_client(&runtime);
    for round in 0..2 {
        let outcomes = start(&client, &runtime, 40 * round..40 * (round + 1));
        run_for(&runtime, 3000);
        assert_eq!(outcomes.take().into_iter().filter(|(_, outcome)| *outcome == Ok(vec![1])).count(), 40);
    }
    assert_eq!(runtime.most_open_requests(), 6);
    assert_eq!((runtime.take_urls().len(), runtime.background_tasks()), (80, 0));
}

#[test]
fn equal_requests_are_sent_by_each_task() {
    let runtime = isolated(200);
    let outcomes = start(&retrying_client(&runtime), &runtime, [7; 3]);
    run_for(&runtime, 1000);
    assert_eq!(outcomes.take(), vec![(200, Ok(vec![1])); 3]);
    assert_eq!(runtime.take_urls().len(), 3);
}

#[test]
fn permits_and_places_of_killed_tasks_return_within_a_second() {
    let runtime = isolated(200);
    let client = retrying_client(&runtime);
    start(&client, &runtime, 0..9);
    run_for(&runtime, 100);
    runtime.kill_background_tasks();
    assert_eq!(runtime.take_urls().len(), 6);
    let outcomes = start(&client, &runtime, 10..22);
    run_for(&runtime, 2000);
    let times: Vec<u64> = outcomes.take().into_iter().map(|(ms, outcome)| outcome.map_or(u64::MAX, |_| ms)).collect();
    assert_eq!(times.len(), 12);
    assert!(times.iter().all(|ms| *ms <= 1600), "{times:?}");
}

#[test]
fn request_that_takes_long_keeps_its_permit() {
    let runtime = isolated(20_000);
    start(&retrying_client(&runtime), &runtime, 0..7);
    run_for(&runtime, 19_900);
    assert_eq!(runtime.take_urls().len(), 6);
    run_for(&runtime, 200);
    assert_eq!(runtime.take_urls().len(), 1);
}

#[test]
fn calls_wait_as_long_as_a_refusal_states() {
    let runtime = isolated(200);
    runtime.queue([MockResponse::head(429, &[("retry-after", "3")])]);
    let outcomes = start(&retrying_client(&runtime), &runtime, 0..12);
    run_for(&runtime, 10_000);
    assert_eq!(outcomes.take().into_iter().filter(|(_, outcome)| *outcome == Ok(vec![1])).count(), 12);
    let sent_at = runtime.take_sent_at();
    assert!(sent_at.iter().all(|ms| *ms == 0 || *ms >= 3000), "{sent_at:?}");
}

#[test]
fn timeout_ends_a_call_at_its_time() {
    let runtime = isolated(200);
    runtime.queue([MockResponse::default().stall()]);
    let client = retrying_client(&runtime);
    let policy = client.retry_policy().max_attempts(1).timeout_ms(730);
    let outcomes = start(&client.with_retry_policy(policy), &runtime, [1]);
    run_for(&runtime, 2000);
    let (ms, outcome) = outcomes.borrow_mut().pop().unwrap();
    assert_eq!((ms, outcome.unwrap_err().message.contains("within 730 ms")), (730, true));
}
