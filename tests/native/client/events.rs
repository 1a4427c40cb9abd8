//! Events.

use std::cell::RefCell;
use std::rc::Rc;

use address_query::client::{EventSink, RateLimits};

use super::{WITHDRAWALS, client_with, first_page, first_page_of, page};
use crate::test_runtime::{ConcurrentTasks, MockResponse, TestRuntime};

/// A sink, and the events that it has recorded, as strings.
fn recording_sink() -> (EventSink, Rc<RefCell<Vec<String>>>) {
    let recorded = Rc::new(RefCell::new(Vec::new()));
    let recorder = Rc::clone(&recorded);
    let sink = EventSink::new(move |event| {
        let url = event.url.strip_prefix("https://eth.blockscout.com/api/v2/addresses/").unwrap();
        let address = if event.url == WITHDRAWALS { "A" } else { &url[40..42] };
        let ms = event.ms.map_or(String::new(), |ms| format!(" {ms} ms"));
        let status = event.status.map_or(String::new(), |status| format!(" {status}"));
        let code = event.code.map_or(String::new(), |code| format!(" {}", code.as_str()));
        let credits = event.credits.map_or(String::new(), |credits| format!(" {credits} credits"));
        let (kind, attempt) = (event.kind.as_str(), event.attempt);
        recorder.borrow_mut().push(format!("{kind} {address} {attempt}{ms}{status}{code}{credits}"));
    });
    (sink, recorded)
}

#[test]
fn emits_events_for_each_attempt_and_retry() {
    let runtime = TestRuntime::new([
        MockResponse::default().wait(20).and_head(503, &[]),
        MockResponse::default().wait(5).disconnect("reset"),
        MockResponse::head(429, &[("retry-after", "2")]),
        MockResponse::default().wait(7).and_head(200, &[]).chunk(page(&[1], "null")),
    ]);
    let (sink, recorded) = recording_sink();
    let client = client_with(&runtime, |options| options.on_event = Some(sink));
    runtime.block_on(first_page(client)).unwrap();
    assert_eq!(
        recorded.take(),
        [
            "request A 1",
            "response A 1 20 ms 503",
            "retry A 1 150 ms 503 http_status",
            "request A 2",
            "retry A 2 300 ms network",
            "wait A 3 300 ms",
            "request A 3",
            "response A 3 0 ms 429",
            "retry A 3 2000 ms 429 rate_limited",
            "wait A 4 2000 ms",
            "request A 4",
            "response A 4 7 ms 200",
        ]
    );
}

#[test]
fn emits_wait_for_the_rate_limit() {
    let runtime =
        TestRuntime::new([MockResponse::ok(page(&[1], "null")).wait(10), MockResponse::ok(page(&[1], "null"))]);
    let (sink, recorded) = recording_sink();
    let client = client_with(&runtime, |options| {
        options.on_event = Some(sink);
        options.limits = RateLimits::default().max_per_second(1.0).max_concurrent(1);
    });
    let mut tasks = ConcurrentTasks::default();
    (1..3).for_each(|number| tasks.spawn(first_page_of(client.clone(), number)));
    runtime.block_on(tasks.join());
    assert_eq!(
        recorded.take(),
        ["request 01 1", "response 01 1 0 ms 200", "wait 02 1 1050 ms", "request 02 1", "response 02 1 0 ms 200"]
    );
}

#[test]
fn emits_the_credits_that_a_response_states() {
    for (header, event) in [
        ("99980", Some("credits A 1 99980 credits")),
        (" -40 ", Some("credits A 1 -40 credits")),
        ("12.5", Some("credits A 1 12 credits")),
        ("0", Some("credits A 1 0 credits")),
        ("many", None),
        ("", None),
    ] {
        let response = MockResponse::head(200, &[("x-credits-remaining", header)]).chunk(page(&[1], "null"));
        let runtime = TestRuntime::new([response]);
        let (sink, recorded) = recording_sink();
        let client = client_with(&runtime, |options| options.on_event = Some(sink));
        runtime.block_on(first_page(client)).unwrap();
        let expected: Vec<&str> = ["request A 1", "response A 1 0 ms 200"].into_iter().chain(event).collect();
        assert_eq!(recorded.take(), expected, "{header}");
    }
}
