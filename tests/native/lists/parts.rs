//! The requests of a list whose parts are read in parallel: how many, when, and how long they take.

use std::cell::RefCell;
use std::rc::Rc;

use super::{EMPTY, IGNORED, INEXACT, ListCall, REFUSED, Setup, params, served_items};
use crate::client::named_values;
use crate::range::rng::Rng;
use crate::service::{LOGS, Mark, Row, Schema, Script, Service, TRANSACTIONS};
use crate::test_runtime::{MockResponse, poll_once_and_drop};
use address_query::client::Runtime as _;
use address_query::testing::client::MethodCall;
use address_query::testing::endpoint::ParamValue;

const PAGE_SIZE: usize = 50;

/// Returns the items of this many pages, one in every third block.
fn even_items(pages: u64) -> Vec<Row> {
    (0..pages * PAGE_SIZE as u64).map(|id| Row::new(1_000_000 + 3 * id, 1)).collect()
}

/// Returns the items of this many pages, whose density changes by up to a factor of 400.
fn uneven_items(pages: u64) -> Vec<Row> {
    let mut rng = Rng::new(3);
    let (mut block, mut gap) = (1_000_000, 1);
    let mut next = |id| {
        if id % 150 == 0 {
            gap = rng.pick(&[1, 20, 400]);
        }
        block += rng.between(1, gap);
        Row::new(block, 1)
    };
    (0..pages * PAGE_SIZE as u64).map(&mut next).collect()
}

fn service_of(schema: Schema, items: Vec<Row>) -> Rc<Service> {
    Service::new([(schema, items)], Script::with_page_size(PAGE_SIZE), 1)
}

/// A service that needs 200 ms for a page.
fn slow_pages(items: Vec<Row>) -> Setup {
    Setup::new(service_of(LOGS, items), |_| 200)
}

/// Returns uneven items of this many pages. Each 230th one is a bad record.
fn bad_items(pages: u64) -> Vec<Row> {
    let mut items = uneven_items(pages);
    items.iter_mut().rev().step_by(230).for_each(|item| item.mark = Mark::Bad);
    items
}

/// Reads the list to its end. Returns the number of requests.
fn read(setup: &Setup, concurrency: u32) -> usize {
    assert_eq!(setup.read_pages(concurrency).items, served_items(&setup.service));
    setup.runtime.take_urls().len()
}

#[test]
fn four_requests_at_a_time_need_a_third_of_the_time() {
    let cases = [(even_items(40), "even", 60, 35), (uneven_items(40), "uneven", 65, 45)];
    for (items, name, two_percent, four_percent) in cases {
        let elapsed = |concurrency| {
            let setup = slow_pages(items.clone());
            let requests = read(&setup, concurrency);
            (setup.runtime.elapsed_ms(), requests)
        };
        let ((sequential, pages), two, four) = (elapsed(1), elapsed(2), elapsed(4));
        assert_eq!((sequential, pages), (40 * 200, 40));
        let is_fast = 100 * two.0 <= two_percent * sequential && 100 * four.0 <= four_percent * sequential;
        assert!(is_fast, "{name}: {two:?} and {four:?} of {sequential} ms");
    }
}

/// A change of the schedule shows here. Replace these figures only with better ones.
#[test]
fn the_time_and_the_requests_of_a_schedule_are_known() {
    let (even, uneven, bad) = (&even_items(40), &uneven_items(40), &bad_items(40));
    // The time as a multiple of the latency of a page, and the number of requests: with two and four at a time.
    let accepted = Script::NORMAL.synthesized_cursors;
    let cases = [
        (accepted, "even", even, [(22, 42), (14, 46)]),
        (accepted, "uneven", uneven, [(24, 46), (17, 52)]),
        (accepted, "bad", bad, [(33, 62), (16, 51)]),
        (REFUSED, "even", even, [(40, 41), (40, 43)]),
        (IGNORED, "even", even, [(40, 41), (40, 43)]),
        (EMPTY, "even", even, [(40, 42), (40, 45)]),
        (INEXACT, "even", even, [(40, 48), (40, 71)]),
        (INEXACT, "uneven", uneven, [(40, 41), (40, 44)]),
    ];
    for (synthesized_cursors, name, items, expected) in cases {
        let figures = [2, 4].map(|concurrency| {
            let setup = slow_pages(items.clone());
            setup.service.script.borrow_mut().synthesized_cursors = synthesized_cursors;
            let requests = read(&setup, concurrency);
            (setup.runtime.elapsed_ms() / 200, requests)
        });
        assert_eq!(figures, expected, "{synthesized_cursors:?} {name}");
    }
}

#[test]
fn the_first_page_alone_needs_one_request() {
    let setup = slow_pages(even_items(40));
    let mut call = setup.open(4, None);
    setup.runtime.block_on(call.next()).unwrap();
    setup.runtime.block_on(setup.runtime.sleep(10_000));
    assert_eq!(setup.runtime.take_urls().len(), 1);
}

#[test]
fn a_page_does_not_wait_for_the_next_part() {
    // The pages of the first part are at higher blocks.
    let is_far = |url: &str| {
        let block = url.split("block_number=").nth(1).and_then(|rest| rest.split('&').next()?.parse::<u64>().ok());
        block.is_some_and(|block| block < 1_005_000)
    };
    let service = service_of(LOGS, even_items(40));
    let setup = Setup::new(service, move |url| if is_far(url) { 20_000 } else { 200 });
    let mut call = setup.open(2, None);
    for _ in 0..5 {
        assert!(setup.runtime.block_on(call.next()).unwrap().is_some());
    }
    assert_eq!((setup.runtime.elapsed_ms(), setup.runtime.open_requests()), (5 * 200, 2));
}

#[test]
fn the_number_of_requests_in_flight_is_limited() {
    for concurrency in [2, 4] {
        let setup = slow_pages(uneven_items(40));
        read(&setup, concurrency);
        assert_eq!(setup.runtime.most_open_requests(), concurrency as usize);
    }
}

#[test]
fn a_list_without_parts_has_one_request_which_ends_with_its_future() {
    for (concurrency, sort) in [(1, "block_number"), (4, "value")] {
        let filters: &[_] = if sort == "value" {
            &[("sort", "value"), ("order", "desc")]
        } else {
            &[("sort", "block_number"), ("order", "desc")]
        };
        let sorted = Schema { filters, ..TRANSACTIONS };
        let setup = Setup::new(service_of(sorted, even_items(3)), |_| 200);
        let options = named_values(&[("concurrency", ParamValue::Number(concurrency.into()))]);
        let params = [params(), named_values(&[("sort", ParamValue::String(sort.into()))])].concat();
        let call = MethodCall::new(&setup.client, setup.service.method(), &params, &options, false);
        let mut call = ListCall { call: call.unwrap(), resume_token: None };
        for _ in 0..2 {
            setup.runtime.block_on(call.next()).unwrap();
            poll_once_and_drop(call.next());
            assert_eq!((setup.runtime.most_open_requests(), setup.runtime.open_requests()), (1, 0), "{sort}");
        }
    }
}

#[test]
fn reading_ahead_stops_when_the_buffers_are_full() {
    let setup = slow_pages(even_items(400));
    let mut call = setup.open(4, None);
    for _ in 0..3 {
        setup.runtime.block_on(call.next()).unwrap();
    }
    setup.runtime.block_on(setup.runtime.sleep(1_000_000));
    let requests = setup.runtime.take_urls().len();
    // Three pages, and 40 in the buffers.
    assert_eq!(requests, 43);
}

#[test]
fn a_short_list_needs_few_further_requests() {
    for pages in 1..4 {
        let requests = read(&slow_pages(even_items(pages)), 4);
        assert!(requests <= usize::try_from(pages).unwrap() + 6, "{requests} for {pages}");
    }
    assert_eq!(read(&slow_pages(even_items(1)), 4), 1);
}

#[test]
fn a_request_that_failed_is_sent_again_only_after_its_error() {
    let service = service_of(LOGS, even_items(40));
    let (handler, mut requests) = (service.clone(), 0);
    let setup = Setup::with_handler(service, move |url| {
        requests += 1;
        let response = MockResponse::default().wait(200);
        if requests == 12 { response.and_head(500, &[]).chunk("no") } else { handler.respond(url, 200) }
    });
    let mut call = setup.open(4, None);
    let mut pages = 0;
    while setup.runtime.block_on(call.next()).is_ok() {
        pages += 1;
    }
    let urls = setup.runtime.take_urls();
    assert!(pages > 1 && urls.len() > 12, "{pages} pages, {} requests", urls.len());
    assert_eq!(urls.iter().filter(|url| **url == urls[11]).count(), 1);
}

#[test]
fn dropping_the_call_ends_all_requests() {
    let setup = slow_pages(even_items(40));
    let mut call = setup.open(4, None);
    setup.runtime.block_on(call.next()).unwrap();
    poll_once_and_drop(call.next());
    assert!(setup.runtime.open_requests() > 1);
    drop(call);
    assert_eq!(setup.runtime.open_requests(), 0);
}

#[test]
fn dropping_the_call_ends_its_task() {
    let setup = slow_pages(even_items(10));
    let wait = |ms| setup.runtime.block_on(setup.runtime.sleep(ms));
    // After the wait, the task has nothing to do.
    for (pages, wait_ms) in [(2, 0), (3, 0), (usize::MAX, 0), (2, 100_000)] {
        let mut call = setup.open(4, None);
        (0..pages).find(|_| setup.runtime.block_on(call.next()).unwrap().is_none());
        wait(wait_ms);
        assert_eq!(setup.runtime.background_tasks(), 1);
        drop(call);
        wait(1);
        assert_eq!(setup.runtime.background_tasks(), 0, "after {pages} pages and {wait_ms} ms");
    }
}

#[test]
fn dropping_the_call_in_a_callback_starts_no_further_requests() {
    const LAST_REQUEST: usize = 12;
    let service = service_of(LOGS, even_items(40));
    let held = Rc::new(RefCell::new(None));
    let (handler, calls, mut requests) = (service.clone(), held.clone(), 0);
    let setup = Setup::with_handler(service, move |url| {
        requests += 1;
        if requests == LAST_REQUEST {
            drop(calls.take());
        }
        handler.respond(url, 0)
    });
    let mut call = setup.open(4, None);
    for _ in 0..2 {
        setup.runtime.block_on(call.next()).unwrap();
    }
    *held.borrow_mut() = Some(call);
    setup.runtime.block_on(setup.runtime.sleep(100_000));
    assert!(held.borrow().is_none());
    // Requests that were started together with it are sent, but none after them.
    let sent = setup.runtime.take_urls().len();
    assert!(sent < LAST_REQUEST + 4, "{sent} requests");
}
