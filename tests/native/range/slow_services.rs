//! Services that are too slow for wide windows.

use std::cell::Cell;

use address_query::client::{Client, ClientOptions, Event, EventKind, EventSink};
use address_query::endpoint::TxListInternalParams;
use address_query::testing::client::RangeReader;

use super::invariants::assert_invariants;
use super::rng::Rng;
use super::{RangeQuery, Setup, one_row_per_block, open_action, open_mocked_reader};
use crate::service::{Clamp, Query, Row, SHORT_TRANSFERS, Script, Service};
use crate::support::HASH_A;
use crate::test_runtime::{MockResponse, TestRuntime};

#[test]
fn an_empty_range_of_a_slow_service_ends_after_two_requests() {
    for newest_first in [false, true] {
        let query = RangeQuery { start: Some(100), end: None, newest_first };
        let script = Script { fail_wider_than: 1, ..Script::with_page_limit(10) };
        let setup = Setup::new(one_row_per_block(0..50), script, query);
        let outcome = setup.read_all(&mut Rng::new(0), 0);
        assert_invariants(&setup, &outcome);
        assert_eq!((outcome.rows.len(), outcome.report.requests), (0, 2));
    }
}

#[test]
fn skips_empty_blocks_of_a_slow_service_in_growing_windows() {
    for newest_first in [false, true] {
        // Windows of half of the chain are too wide.
        let rows = vec![Row::new(1, 1), Row::new(1_000_000, 2)];
        let script = Script { fail_wider_than: 0, ..Script::with_page_limit(10) };
        let mut setup = Setup::new(rows, script, RangeQuery { newest_first, ..RangeQuery::ALL });
        let service = setup.service.clone();
        setup.runtime = TestRuntime::with_service(move |url| {
            // The first windows fail whatever their width.
            if service.requests.borrow().len() == 11 {
                service.script.borrow_mut().fail_wider_than = 600_000;
            }
            service.respond(url, 0)
        });
        let outcome = setup.read_all(&mut Rng::new(0), 0);
        assert_invariants(&setup, &outcome);
        assert!(outcome.report.requests < 40, "{} requests", outcome.report.requests);
    }
}

#[test]
fn a_response_without_the_known_newest_row_reveals_a_limit() {
    // The window from block 19 ends after the newest row, but its response is shorter than the one before.
    let clamp: Clamp =
        |rows, limit, _| if rows.first().is_some_and(|row| row.block == 19) { limit } else { rows.len() };
    let script = Script { fail_wider_than: 40, clamp, max_rows: 10, ..Script::with_page_limit(100) };
    let setup = Setup::new(one_row_per_block(0..41), script, RangeQuery::ALL);
    let outcome = setup.read_all(&mut Rng::new(0), 0);
    assert_invariants(&setup, &outcome);
    assert_eq!((outcome.rows.len(), outcome.report.response_limit), (41, Some(10)));
}

#[test]
fn a_service_that_stays_too_slow_fails_each_call_within_its_deadline() {
    let runtime = TestRuntime::with_service(|_| MockResponse::head(503, &[("retry-after", "30")]));
    let client = Client::new(runtime.clone(), "https://eth.blockscout.com".parse().unwrap());
    let mut reader = open_action::<TxListInternalParams>(client, &[("address", HASH_A)]).unwrap();
    for ends_at in [90_000, 180_000, 270_000, 360_000, 450_000, 540_000] {
        assert_eq!(runtime.block_on(reader.next()).unwrap_err().status, Some(503));
        assert_eq!(runtime.elapsed_ms(), ends_at);
    }
}

#[test]
fn waits_before_it_narrows_a_window_that_was_too_slow() {
    for (headers, least) in [(&[("retry-after", "30")][..], 30_000), (&[], 190)] {
        let busy = Cell::new(3_u32);
        let runtime = TestRuntime::with_service(move |_| {
            let left = busy.replace(busy.get().saturating_sub(1));
            let row = r#"{"message":"OK","result":[],"status":"1"}"#;
            if left > 0 { MockResponse::head(503, headers) } else { MockResponse::ok(row) }
        });
        runtime.queue_random([0.9; 9]);
        let values = [("address", HASH_A), ("startblock", "0"), ("endblock", "100")];
        let client = Client::new(runtime.clone(), "https://eth.blockscout.com".parse().unwrap());
        let mut reader = open_action::<TxListInternalParams>(client, &values).unwrap();
        while runtime.block_on(reader.next()).unwrap().is_some() {}
        let sent = runtime.take_sent_at();
        let gaps: Vec<u64> = sent.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let (busy, well) = gaps.split_at(3);
        assert!(busy.is_sorted() && busy.iter().all(|gap| *gap >= least), "{gaps:?}");
        assert!(!well.is_empty() && well.iter().all(|gap| *gap == 0), "{gaps:?}");
    }
}

/// A service with one transfer in every 1,000th block up to 20,000,000. A request takes one second. If its window has more
/// blocks than `limit` allows at its first block, it takes twenty seconds and returns status 504.
fn slow_service(limit: impl Fn(u64) -> u64 + 'static) -> TestRuntime {
    const HEAD: u64 = 20_000_000;
    let rows = (0..=HEAD / 1_000).map(|number| Row::new(1_000 * number, number)).collect();
    let service = Service::new([(SHORT_TRANSFERS, rows)], Script::NORMAL, 1);
    TestRuntime::with_service(move |url| {
        let params = Query::parse(url);
        let (low, high) =
            (params.number("startblock").unwrap_or(0), params.number("endblock").unwrap_or(HEAD).min(HEAD));
        if params.get("offset") != Some("1") && (high + 1).saturating_sub(low) > limit(low) {
            return MockResponse::default().wait(20_000).and_head(504, &[]);
        }
        service.respond(url, 1_000)
    })
}

/// Reads that service to its end. Returns the numbers of failed requests and of all requests.
fn count_failed_requests(runtime: &TestRuntime) -> (u32, u32) {
    let failed = std::rc::Rc::new(Cell::new(0));
    let counter = std::rc::Rc::clone(&failed);
    let on_event = EventSink::new(move |event: &Event<'_>| {
        let is_failure = event.kind == EventKind::Response && event.status == Some(504);
        counter.set(counter.get() + u32::from(is_failure));
    });
    let settings = ClientOptions::new("https://eth.blockscout.com".parse().unwrap()).on_event(on_event);
    let mut reader = open_mocked_reader(Client::with_options(runtime.clone(), settings));
    while runtime.block_on(reader.next()).unwrap().is_some() {}
    let report = reader.report();
    assert_eq!((report.records, report.next_block), (20_001, None));
    (failed.get(), report.requests)
}

#[test]
fn few_windows_are_too_wide_for_a_slow_service() {
    for limit in [600_000, 100_000, 30_000] {
        let (failed, requests) = count_failed_requests(&slow_service(move |_| limit));
        assert!(100 * failed < 15 * requests, "{failed} of {requests} failed, {limit} blocks at most");
        let fewest = u32::try_from(20_000_000 / limit).unwrap();
        assert!(requests < 3 * fewest, "{requests} requests where {fewest} would do");
    }
}

#[test]
fn the_window_width_adapts_to_the_service() {
    for (name, limits) in [("sparse, then dense", [3_000_000, 50_000]), ("dense, then sparse", [50_000, 3_000_000])] {
        let [first, second] = limits;
        let runtime = slow_service(move |low| if low < 10_000_000 { first } else { second });
        let (failed, requests) = count_failed_requests(&runtime);
        assert!(100 * failed < 15 * requests, "{name}: {failed} of {requests} failed");
        // The minimum is 200 windows of 50,000 blocks and four of 3,000,000. Each window starts with the last block of the
        // previous one.
        assert!(requests < 550, "{name}: {requests} requests");
    }
}

/// Opens a range of 2^30 blocks. Requests are not retried, only narrowed.
fn open_wide_range(client: &Client<TestRuntime>) -> RangeReader<TestRuntime> {
    let values = [("address", HASH_A), ("sort", "asc"), ("endblock", "1073741823")];
    let client = client.clone().with_retry_policy(client.retry_policy().max_attempts(1).deadline_ms(u64::MAX));
    open_action::<TxListInternalParams>(client, &values).unwrap()
}

#[test]
fn narrower_windows_use_up_the_retry_budget_of_a_dead_service() {
    let runtime = TestRuntime::with_service(|_| MockResponse::status(504, ""));
    let client = Client::new(runtime.clone(), "https://eth.blockscout.com".parse().unwrap());
    let mut requests = Vec::new();
    let mut read = || {
        let error = runtime.block_on(open_wide_range(&client).next()).unwrap_err();
        requests.push(runtime.take_urls().len());
        error
    };
    let errors = [read(), read(), read(), read(), read()];
    // Each range halves its window 30 times. The budget allows 100 retries.
    assert_eq!(requests, [31, 31, 31, 11, 1]);
    assert!(errors[4].message.contains("the retry budget is exhausted"), "{}", errors[4]);
}

#[test]
fn a_narrower_window_that_succeeds_refunds_the_retry_budget() {
    let runtime = TestRuntime::with_service(|url| {
        let end: u64 = url.rsplit_once("endblock=").unwrap().1.split('&').next().unwrap().parse().unwrap();
        let is_wide = !url.contains("startblock=") && end > 1_000;
        if is_wide {
            MockResponse::status(504, "")
        } else {
            MockResponse::ok(r#"{"message":"OK","result":[],"status":"1"}"#)
        }
    });
    let client = Client::new(runtime.clone(), "https://eth.blockscout.com".parse().unwrap());
    for _ in 0..20 {
        assert_eq!(runtime.block_on(open_wide_range(&client).next()).map(drop), Ok(()));
    }
}

#[test]
fn gateway_statuses_narrow_the_window() {
    for status in [500, 502, 503, 504, 520, 522, 524, 530] {
        let failures = Cell::new(1_u32);
        let runtime = TestRuntime::with_service(move |_| match failures.take() {
            0 => MockResponse::ok(r#"{"message":"OK","result":[],"status":"1"}"#),
            _ => MockResponse::status(status, ""),
        });
        let client = Client::new(runtime.clone(), "https://eth.blockscout.com".parse().unwrap());
        runtime.block_on(open_wide_range(&client).next()).unwrap();
        let urls = runtime.take_urls();
        assert!(urls[1].contains("&endblock=536870911&"), "{status}: {urls:?}");
    }
}
