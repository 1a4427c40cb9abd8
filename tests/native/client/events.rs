//! Events.

use address_query::client::{Event, RateLimits};

use super::{WITHDRAWALS, client_with, first_page, first_page_of, last_page, page, record_events};
use crate::test_runtime::{MockResponse, TestRuntime};

/// Describes an event in a line.
fn describe(event: &Event<'_>) -> String {
    let url = event.url.strip_prefix("https://eth.blockscout.com/api/v2/addresses/").unwrap();
    let address = if event.url == WITHDRAWALS { "A" } else { &url[40..42] };
    let ms = event.ms.map_or(String::new(), |ms| format!(" {ms} ms"));
    let status = event.status.map_or(String::new(), |status| format!(" {status}"));
    let code = event.code.map_or(String::new(), |code| format!(" {}", code.as_str()));
    let credits = event.credits.map_or(String::new(), |credits| format!(" {credits} credits"));
    format!("{} {address} {}{ms}{status}{code}{credits}", event.kind.as_str(), event.attempt)
}

#[test]
fn emits_events_for_each_attempt_and_retry() {
    let runtime = TestRuntime::new([
        MockResponse::head(503, &[]).delay(20),
        MockResponse::default().wait(5).disconnect("reset"),
        MockResponse::head(429, &[("retry-after", "2")]),
        last_page(&[1]).delay(7),
    ]);
    let (sink, recorded) = record_events(describe);
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
    let runtime = TestRuntime::new([last_page(&[1]).wait(10), last_page(&[1])]);
    let (sink, recorded) = record_events(describe);
    let client = client_with(&runtime, |options| {
        options.on_event = Some(sink);
        options.limits = RateLimits::default().max_per_second(1.0).max_concurrent(1);
    });
    runtime.block_on_all([1, 2].map(|number| first_page_of(client.clone(), number)));
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
        let (sink, recorded) = record_events(describe);
        let client = client_with(&runtime, |options| options.on_event = Some(sink));
        runtime.block_on(first_page(client)).unwrap();
        let expected: Vec<&str> = ["request A 1", "response A 1 0 ms 200"].into_iter().chain(event).collect();
        assert_eq!(recorded.take(), expected, "{header}");
    }
}
