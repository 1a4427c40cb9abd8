//! What the client tells of its work.

use std::cell::RefCell;
use std::rc::Rc;

use address_query::client::{EventSink, RateLimits};

use super::{WITHDRAWALS, client_with, first_page, first_page_of, page};
use crate::runtime::{Reply, Script, Together};

fn told() -> (EventSink, Rc<RefCell<Vec<String>>>) {
    let told = Rc::new(RefCell::new(Vec::new()));
    let hears = Rc::clone(&told);
    let sink = EventSink::new(move |event| {
        let url = event.url.strip_prefix("https://eth.blockscout.com/api/v2/addresses/").unwrap();
        let address = if event.url == WITHDRAWALS { "A" } else { &url[40..42] };
        let ms = event.ms.map_or(String::new(), |ms| format!(" {ms} ms"));
        let status = event.status.map_or(String::new(), |status| format!(" {status}"));
        let code = event.code.map_or(String::new(), |code| format!(" {}", code.as_str()));
        let (kind, attempt) = (event.kind.as_str(), event.attempt);
        hears.borrow_mut().push(format!("{kind} {address} {attempt}{ms}{status}{code}"));
    });
    (sink, told)
}

#[test]
fn each_attempt_and_each_wait_is_told() {
    let script = Script::new([
        Reply::default().wait(20).then_head(503, &[]),
        Reply::default().wait(5).lost("reset"),
        Reply::head(429, &[("retry-after", "2")]),
        Reply::default().wait(7).then_head(200, &[]).chunk(page(&[1], "null")),
    ]);
    let (sink, told) = told();
    let client = client_with(&script, |settings| settings.on_event = Some(sink));
    script.block_on(first_page(client)).unwrap();
    assert_eq!(
        told.take(),
        [
            "request A 1",
            "response A 1 20 ms 503",
            "retry A 1 250 ms 503 http_status",
            "request A 2",
            "retry A 2 500 ms network",
            "wait A 3 500 ms",
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
fn waiting_for_one_s_turn_is_told() {
    let script = Script::new([Reply::ok(page(&[1], "null")).wait(10), Reply::ok(page(&[1], "null"))]);
    let (sink, told) = told();
    let client = client_with(&script, |settings| {
        settings.on_event = Some(sink);
        settings.limits = RateLimits { max_per_second: Some(1.0), max_concurrent: 1 };
    });
    let mut together = Together::default();
    (1..3).for_each(|number| together.begin(first_page_of(client.clone(), number)));
    script.block_on(together.finish());
    assert_eq!(
        told.take(),
        ["request 01 1", "response 01 1 0 ms 200", "wait 02 1 1050 ms", "request 02 1", "response 02 1 0 ms 200"]
    );
}

#[test]
fn emits_cache_hit_for_a_cached_response() {
    let script = Script::new([Reply::ok(page(&[1], "null"))]);
    let (sink, told) = told();
    let client = client_with(&script, |settings| {
        settings.on_event = Some(sink);
        settings.keep_ms = 1000;
    });
    script.block_on(first_page(client.clone())).unwrap();
    script.block_on(first_page(client)).unwrap();
    assert_eq!(told.take(), ["request A 1", "response A 1 0 ms 200", "cache_hit A 1"]);
}
