//! The rate limiter: when it sends which request, and how it adapts to refusals.

use std::cell::Cell;
use std::rc::Rc;

use address_query::client::{Client, RateLimiter, RateLimits, RetryPolicy};
use address_query::endpoint::TxListParams;
use address_query::error::ErrorCode;

use super::{client_with, first_page_of, last_page, page, params_of, retrying_client};
use crate::test_runtime::{ConcurrentTasks, MockResponse, TestRuntime};

fn limited(runtime: &TestRuntime, max_per_second: Option<f64>, max_concurrent: u32) -> Client<TestRuntime> {
    client_with(runtime, |options| {
        options.limits = RateLimits::default().max_per_second(max_per_second).max_concurrent(max_concurrent);
    })
}

/// Makes this many calls at once. Returns when each request was sent.
fn sent_at(runtime: &TestRuntime, client: &Client<TestRuntime>, calls: u64) -> Vec<u64> {
    let outcomes = runtime.block_on_all((0..calls).map(|number| first_page_of(client.clone(), number)));
    assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
    runtime.take_sent_at()
}

#[test]
fn a_second_has_at_most_max_per_second_requests() {
    let runtime = TestRuntime::new((0..12).map(|_| last_page(&[1])));
    let sent = sent_at(&runtime, &limited(&runtime, Some(5.0), 100), 12);
    assert_eq!(sent, [0, 0, 0, 0, 0, 1050, 1050, 1050, 1050, 1050, 2100, 2100]);
    let runtime = TestRuntime::new((0..3).map(|_| last_page(&[1])));
    assert_eq!(sent_at(&runtime, &limited(&runtime, Some(0.5), 100), 3), [0, 2050, 4100]);
}

#[test]
fn at_most_max_concurrent_requests_are_in_flight() {
    let slow = || MockResponse::default().wait(100).and_head(200, &[]).wait(100).chunk(page(&[1], "null"));
    let runtime = TestRuntime::new((0..5).map(|_| slow()));
    assert_eq!(sent_at(&runtime, &limited(&runtime, None, 2), 5), [0, 0, 200, 200, 400]);
}

#[test]
fn the_stated_remaining_requests_are_not_exceeded() {
    for (limit, remaining, reset, expected) in [
        ("300", "2", "9000", &[0, 0, 0, 9000, 9000][..]),
        // -1: no limit.
        ("-1", "-1", "-1", &[0, 0, 0]),
        // The service has no windows of hours, so the stated reset is limited.
        ("300", "0", "7200000", &[0, 60_000]),
    ] {
        let headers =
            [("x-ratelimit-limit", limit), ("x-ratelimit-remaining", remaining), ("x-ratelimit-reset", reset)];
        let stated = move || MockResponse::head(200, &headers).chunk(page(&[1], "null"));
        assert_eq!(sent_with_nth(expected.len() as u64, 1, 1, stated), expected, "{remaining} until {reset}");
    }
}

/// Makes this many calls at once. The service responds without delay; the nth request gets `response`. Returns when each
/// request was sent.
fn sent_with_nth(calls: u64, max_concurrent: u32, nth: u64, response: impl Fn() -> MockResponse + 'static) -> Vec<u64> {
    let respond = move |number| if number == nth { response() } else { last_page(&[1]) };
    let runtime = TestRuntime::with_numbered_service(respond);
    sent_at(&runtime, &limited(&runtime, None, max_concurrent), calls)
}

#[test]
fn a_stated_wait_holds_all_requests_exactly_that_long() {
    for (header, value, waited) in [("x-ratelimit-reset", "300", 300), ("retry-after", "4", 4000)] {
        let sent = sent_with_nth(3, 1, 1, move || MockResponse::head(429, &[(header, value)]));
        assert_eq!(sent, [0, waited, waited, waited]);
    }
}

#[test]
fn one_refusal_of_the_first_request_costs_its_wait_only() {
    let sent = sent_with_nth(140, 6, 1, || MockResponse::head(429, &[("retry-after", "1")]));
    assert_eq!(sent.last(), Some(&1000));
}

#[test]
fn the_rate_recovers_from_one_refusal_within_seconds() {
    // The service accepts 60 requests per second, and refuses one.
    let runtime = TestRuntime::with_numbered_service(|number| {
        let response = if number == 9 { MockResponse::head(429, &[]) } else { last_page(&[1]) };
        response.delay(100)
    });
    let sent = sent_at(&runtime, &limited(&runtime, None, 6), 600);
    let in_second = |second: u64| sent.iter().filter(|at| **at / 1000 == second).count();
    assert!(in_second(1) <= 20 && in_second(7) >= 54, "{sent:?}");
}

#[test]
fn the_rate_falls_when_refusals_return() {
    // The service refuses after 20 requests, and again after 20 at the learned rate.
    let runtime = TestRuntime::with_numbered_service(|number| {
        let refused = || MockResponse::head(429, &[("retry-after", "0")]).delay(1);
        if [21, 41].contains(&number) { refused() } else { last_page(&[1]).wait(1) }
    });
    let sent = sent_at(&runtime, &limited(&runtime, None, 1), 80);
    let gap = |index: usize| sent[index + 1] - sent[index];
    // The refused requests are counted too.
    assert_eq!(sent[20], 20);
    assert!((21..39).all(|index| (48..=50).contains(&gap(index))), "20 per second: {sent:?}");
    assert!(gap(40) >= 65, "14 per second: {sent:?}");
    assert!(gap(70) <= 50, "recovered: {sent:?}");
}

#[test]
fn requests_that_were_refused_together_count_once() {
    let runtime = TestRuntime::with_numbered_service(|number| match number {
        1..=20 => last_page(&[1]).wait(1),
        21..=26 => MockResponse::head(429, &[("retry-after", "0")]).delay(10),
        _ => last_page(&[1]),
    });
    let sent = sent_at(&runtime, &limited(&runtime, None, 6), 60);
    // If each one had lowered the rate, only three requests per second would remain.
    let in_second = sent.iter().filter(|at| (1000..2000).contains(*at)).count();
    assert!(in_second >= 20, "{in_second}: {sent:?}");
}

#[test]
fn network_failures_between_successes_slow_all_requests_down() {
    let sent = sent_with_nth(30, 1, 10, || MockResponse::default().disconnect("Failed to fetch"));
    assert_eq!(sent[9], 0);
    assert!(sent[10..].iter().all(|at| *at >= 150), "{sent:?}");
    assert!(sent[11..=20].windows(2).all(|pair| pair[1] - pair[0] >= 100), "nine per second: {sent:?}");
}

#[test]
fn a_burst_of_network_failures_holds_all_requests() {
    let runtime = TestRuntime::with_service(|_| MockResponse::default().disconnect("Failed to fetch"));
    let client = limited(&runtime, None, 1).with_retry_policy(RetryPolicy::default().max_attempts(1));
    let outcomes = runtime.block_on_all((0..5).map(|number| first_page_of(client.clone(), number)));
    assert!(outcomes.iter().all(Result::is_err));
    assert_eq!(runtime.take_sent_at(), [0, 0, 0, 150, 350]);
}

#[test]
fn a_dead_service_gets_at_most_1_3_requests_per_call() {
    let runtime = TestRuntime::with_service(|_| MockResponse::default().wait(5).disconnect("Failed to fetch"));
    // Two clients share the budget of their limiter.
    let limiter = Rc::new(RateLimiter::new(RateLimits::default()));
    let client = || client_with(&runtime, |options| options.rate_limiter = Some(Rc::clone(&limiter)));
    let clients = [client(), client()];
    let calls = (0..500).zip(clients.iter().cycle()).map(|(number, client)| first_page_of(client.clone(), number));
    let errors: Vec<_> = runtime.block_on_all(calls).into_iter().map(Result::unwrap_err).collect();
    assert!(errors.iter().all(|error| error.code == ErrorCode::Network));
    let requests = runtime.take_urls().len();
    assert!(requests <= 650, "{requests}");
    assert!(runtime.elapsed_ms() < 60_000, "{} ms", runtime.elapsed_ms());
    let message = "; the retry budget is exhausted, because too many requests failed recently; try again later";
    assert!(errors.last().unwrap().message.ends_with(message), "{}", errors[499]);
    // Successes refund retries.
    let is_up = Rc::new(Cell::new(true));
    let serves = Rc::clone(&is_up);
    let runtime =
        TestRuntime::with_service(move |_| if serves.get() { last_page(&[1]) } else { MockResponse::status(500, "") });
    let client = || client_with(&runtime, |options| options.rate_limiter = Some(Rc::clone(&limiter)));
    (0..10).for_each(|number| drop(runtime.block_on(first_page_of(client(), number)).unwrap()));
    is_up.set(false);
    let error = runtime.block_on(first_page_of(client(), 1)).unwrap_err();
    assert_eq!(error.attempts, Some(3), "{error}");
}

#[test]
fn random_failures_do_not_use_up_the_retry_budget() {
    let respond = |number| if number % 3 == 0 { MockResponse::status(500, "") } else { last_page(&[1]) };
    let runtime = TestRuntime::with_numbered_service(respond);
    let client = retrying_client(&runtime);
    (0..2000).for_each(|number| drop(runtime.block_on(first_page_of(client.clone(), number)).unwrap()));
}

/// A list in which each page has one row and a cursor to the next.
fn endless_list() -> TestRuntime {
    TestRuntime::with_service(|url| {
        let number: u64 = url.rsplit_once("index=").map_or(1, |(_, number)| number.parse().unwrap());
        MockResponse::ok(page(&[1], &format!(r#"{{"items_count":50,"index":{}}}"#, number + 1)))
    })
}

/// Queues the second pages of this many of three lists, and then the same page of the third list after its resume token. Returns the
/// URLs that are sent, and the address of the third list.
fn resume_behind_pages(count: usize) -> (Vec<String>, String) {
    let runtime = endless_list();
    let client = limited(&runtime, Some(1.0), 1);
    let mut pagers: Vec<_> = (0..3).map(|number| client.pages(&params_of(number)).unwrap()).collect();
    let urls = runtime.block_on(async {
        for pager in &mut pagers {
            pager.next().await.unwrap();
        }
        let token = pagers[2].resume_token().unwrap();
        let mut resumed = client.resume_pages(&params_of(2), &token).unwrap();
        let mut tasks = ConcurrentTasks::default();
        for pager in &mut pagers[..count] {
            tasks.spawn(async { pager.next().await.unwrap() });
        }
        tasks.run_for(&runtime, 0).await;
        runtime.take_urls();
        tasks.spawn(async { resumed.next().await.unwrap() });
        tasks.join().await;
        runtime.take_urls()
    });
    (urls, params_of(2).address_hash.to_string())
}

#[test]
fn the_first_page_after_a_resume_token_goes_before_further_pages() {
    let (urls, address) = resume_behind_pages(2);
    assert!(urls[0].contains(&address) && urls.len() == 3, "{urls:?}");
}

#[test]
fn a_single_call_raises_the_priority_of_the_queued_request_that_it_shares() {
    let (urls, address) = resume_behind_pages(3);
    assert!(urls[0].contains(&address) && urls.len() == 3, "{urls:?}");
}

#[test]
fn single_calls_go_before_the_requests_of_iterations() {
    let runtime = endless_list();
    let client = limited(&runtime, Some(1.0), 1);
    let mut pagers: Vec<_> = (0..20).map(|number| client.pages(&params_of(number)).unwrap()).collect();
    let mut tasks = ConcurrentTasks::default();
    for pager in &mut pagers {
        tasks.spawn(async {
            for _ in 0..3 {
                pager.next().await.unwrap();
            }
        });
    }
    let urls = runtime.block_on(async {
        // Read all first pages.
        tasks.run_for(&runtime, 26 * 1050).await;
        let calls = client.clone();
        tasks.spawn(async move {
            let mut tasks = ConcurrentTasks::default();
            (100..106).for_each(|number| tasks.spawn(first_page_of(calls.clone(), number)));
            tasks.join().await;
        });
        runtime.take_urls();
        tasks.join().await;
        runtime.take_urls()
    });
    let positions: Vec<usize> = (0..urls.len()).filter(|index| !urls[*index].contains("index=")).collect();
    // One page of an iteration is read after four of them.
    assert_eq!(positions, [0, 1, 2, 3, 5, 6], "{urls:?}");
}

#[test]
fn single_calls_go_before_the_requests_of_ranges() {
    let runtime = TestRuntime::with_service(|url| {
        let no_rows = || MockResponse::ok(r#"{"status":"0","message":"No transactions found","result":[]}"#);
        if url.contains("module=account") { no_rows() } else { last_page(&[1]) }
    });
    let client = limited(&runtime, Some(1.0), 1);
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

#[test]
fn clients_can_share_a_rate_limiter() {
    let runtime = TestRuntime::new((0..4).map(|_| last_page(&[1])));
    let limits = RateLimits::default().max_per_second(2.0).max_concurrent(9);
    let limiter = Rc::new(RateLimiter::new(limits));
    let client = || client_with(&runtime, |options| options.rate_limiter = Some(Rc::clone(&limiter)));
    runtime.block_on_all((0..4).map(|number| first_page_of(client(), number)));
    assert_eq!(runtime.take_sent_at(), [0, 0, 1050, 1050]);
}

#[test]
fn a_dropped_call_leaves_the_queue() {
    let runtime = TestRuntime::new([last_page(&[1]).wait(300), last_page(&[1]), last_page(&[1])]);
    let client = limited(&runtime, None, 1);
    let mut tasks = ConcurrentTasks::default();
    (0..3).for_each(|number| tasks.spawn(first_page_of(client.clone(), number)));
    runtime.block_on(async {
        tasks.run_for(&runtime, 0).await;
        tasks.cancel(1);
        assert_eq!(tasks.join().await.len(), 2);
    });
    let urls = runtime.take_urls();
    assert!(urls.len() == 2 && urls[1].contains("0x0000000000000000000000000000000000000002"), "{urls:?}");
}

#[test]
fn the_deadline_covers_the_queue() {
    let runtime = TestRuntime::new([last_page(&[1]).wait(60_000), last_page(&[1])]);
    let client = limited(&runtime, None, 1);
    let hasty = client.clone().with_retry_policy(RetryPolicy::default().deadline_ms(500));
    let slow = client.with_retry_policy(RetryPolicy::default().timeout_ms(90_000));
    let outcomes = runtime.block_on_all([first_page_of(slow, 1), first_page_of(hasty, 2)]);
    let error = outcomes[1].as_ref().unwrap_err();
    assert_eq!((error.code, error.attempts), (ErrorCode::Timeout, Some(0)));
    let message = "the request was not sent within 500 ms, because it waited for the rate limit, earlier requests or the \
                   API key; try again or raise deadline_ms";
    assert_eq!(error.message, message);
    assert_eq!(runtime.take_urls().len(), 1);
}

#[test]
fn the_deadline_covers_a_retry_in_the_queue() {
    // The refusal of the second call holds both. Its retry goes first, and takes long.
    let refused = MockResponse::head(429, &[("retry-after", "1")]);
    let runtime =
        TestRuntime::new([MockResponse::status(500, ""), refused, last_page(&[1]).wait(60_000), last_page(&[1])]);
    let client = limited(&runtime, None, 1);
    let hasty = client.clone().with_retry_policy(RetryPolicy::default().deadline_ms(5_000));
    let slow = client.with_retry_policy(RetryPolicy::default().timeout_ms(90_000));
    let outcomes = runtime.block_on_all([first_page_of(hasty, 1), first_page_of(slow, 2)]);
    let error = outcomes[0].as_ref().unwrap_err();
    assert_eq!((error.code, error.attempts), (ErrorCode::Timeout, Some(1)));
    assert!(error.message.starts_with("the retry was not sent within 5000 ms"), "{error}");
    assert!(outcomes[1].is_ok());
}

#[test]
fn a_hold_beyond_the_deadline_fails_at_once() {
    let headers = [("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "45000")];
    let runtime = TestRuntime::new([MockResponse::head(200, &headers).chunk(page(&[1], "null"))]);
    let client = retrying_client(&runtime).with_retry_policy(RetryPolicy::default().deadline_ms(30_000));
    runtime.block_on(first_page_of(client.clone(), 1)).unwrap();
    let error = runtime.block_on(first_page_of(client, 1)).unwrap_err();
    assert_eq!((error.code, error.retry_after_ms, runtime.elapsed_ms()), (ErrorCode::RateLimited, Some(45_000), 0));
    assert_eq!((error.attempts, runtime.take_urls().len()), (Some(0), 1));
}

fn complaint() -> MockResponse {
    MockResponse::ok(r#"{"message":"Too many requests"}"#)
}

#[test]
fn a_refusal_with_status_200_limits_the_rate() {
    let sent = sent_with_nth(40, 1, 21, complaint);
    assert_eq!(sent[20], 0);
    assert!(sent[22..36].windows(2).all(|pair| (48..=50).contains(&(pair[1] - pair[0]))), "20 per second: {sent:?}");
}

#[test]
fn a_refusal_with_status_200_holds_all_requests() {
    let runtime = TestRuntime::new([complaint(), complaint(), last_page(&[1])]);
    runtime.queue_random([0.5; 9]);
    runtime.block_on(first_page_of(limited(&runtime, None, 6), 1)).unwrap();
    let sent = runtime.take_sent_at();
    assert!(sent[1] >= 150 && sent[2] >= sent[1] + 300, "{sent:?}");
}

#[test]
fn a_clock_that_is_set_back_holds_no_request() {
    let runtime = TestRuntime::new((0..4).map(|_| last_page(&[1])));
    let client = limited(&runtime, Some(1.0), 1);
    runtime.advance_ms(100_000);
    runtime.block_on(first_page_of(client.clone(), 1)).unwrap();
    runtime.reset_clock();
    runtime.block_on(first_page_of(client.clone(), 2)).unwrap();
    runtime.block_on(first_page_of(client, 3)).unwrap();
    assert_eq!(runtime.take_sent_at(), [100_000, 0, 1050]);
}
