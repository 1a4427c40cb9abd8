//! When the rate limiter sends which request, and what it learns from refusals.

use std::cell::Cell;
use std::rc::Rc;

use address_query::client::{Client, Patience, RateLimiter, RateLimits};
use address_query::error::ErrorCode;

use super::{client_with, first_page_of, page, params_of, patient};
use crate::runtime::{Reply, Script, Together};

fn answer() -> Reply {
    Reply::ok(page(&[1], "null"))
}

fn limited(script: &Script, max_per_second: Option<f64>, max_concurrent: u32) -> Client<Script> {
    client_with(script, |settings| settings.limits = RateLimits { max_per_second, max_concurrent })
}

/// Asks for so many pages at once; when each request was sent.
fn sent_at(script: &Script, client: &Client<Script>, calls: u64) -> Vec<u64> {
    let mut together = Together::default();
    (0..calls).for_each(|number| together.begin(first_page_of(client.clone(), number)));
    for outcome in script.block_on(together.finish()) {
        outcome.unwrap();
    }
    script.take_sent_at()
}

#[test]
fn a_second_has_at_most_max_per_second_requests() {
    let script = Script::new((0..12).map(|_| answer()));
    let sent = sent_at(&script, &limited(&script, Some(5.0), 100), 12);
    assert_eq!(sent, [0, 0, 0, 0, 0, 1050, 1050, 1050, 1050, 1050, 2100, 2100]);
    let script = Script::new((0..3).map(|_| answer()));
    assert_eq!(sent_at(&script, &limited(&script, Some(0.5), 100), 3), [0, 2050, 4100]);
}

#[test]
fn at_most_max_concurrent_requests_are_in_flight() {
    let slow = || Reply::default().wait(100).then_head(200, &[]).wait(100).chunk(page(&[1], "null"));
    let script = Script::new((0..5).map(|_| slow()));
    assert_eq!(sent_at(&script, &limited(&script, None, 2), 5), [0, 0, 200, 200, 400]);
}

#[test]
fn the_stated_remaining_requests_are_not_exceeded() {
    let told = |remaining| {
        let headers =
            [("x-ratelimit-limit", "300"), ("x-ratelimit-remaining", remaining), ("x-ratelimit-reset", "9000")];
        Reply::default().then_head(200, &headers).chunk(page(&[1], "null"))
    };
    let script = Script::new([told("2"), answer(), answer(), answer(), answer()]);
    assert_eq!(sent_at(&script, &limited(&script, None, 1), 5), [0, 0, 0, 9000, 9000]);
    // -1: nothing is limited.
    let headers = [("x-ratelimit-limit", "-1"), ("x-ratelimit-remaining", "-1"), ("x-ratelimit-reset", "-1")];
    let unlimited = Reply::head(200, &headers).chunk(page(&[1], "null"));
    let script = Script::new([unlimited, answer(), answer()]);
    assert_eq!(sent_at(&script, &limited(&script, None, 1), 3), [0, 0, 0]);
    // A window of hours is none of the service's.
    let headers = [("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "7200000")];
    let script = Script::new([Reply::head(200, &headers).chunk(page(&[1], "null")), answer()]);
    assert_eq!(sent_at(&script, &limited(&script, None, 1), 2), [0, 60_000]);
}

/// Sends so many requests at once to a service that answers at once, except that the nth gets `reply`.
fn sent_with_nth(calls: u64, max_concurrent: u32, nth: u64, reply: impl Fn() -> Reply + 'static) -> Vec<u64> {
    let requests = Cell::new(0);
    let script = Script::of(move |_| {
        requests.set(requests.get() + 1);
        if requests.get() == nth { reply() } else { answer() }
    });
    sent_at(&script, &limited(&script, None, max_concurrent), calls)
}

#[test]
fn a_stated_wait_holds_all_requests_exactly_that_long() {
    for (header, value, waited) in [("x-ratelimit-reset", "300", 300), ("retry-after", "4", 4000)] {
        let sent = sent_with_nth(3, 1, 1, move || Reply::head(429, &[(header, value)]));
        assert_eq!(sent, [0, waited, waited, waited]);
    }
}

#[test]
fn one_refusal_of_the_first_request_costs_its_wait_only() {
    let sent = sent_with_nth(140, 6, 1, || Reply::head(429, &[("retry-after", "1")]));
    assert_eq!(sent.last(), Some(&1000));
}

#[test]
fn the_rate_recovers_from_one_refusal_within_seconds() {
    // The service takes 60 requests a second, and refuses one.
    let requests = Cell::new(0);
    let script = Script::of(move |_| {
        requests.set(requests.get() + 1);
        let reply = Reply::default().wait(100);
        if requests.get() == 9 {
            reply.then_head(429, &[])
        } else {
            reply.then_head(200, &[]).chunk(page(&[1], "null"))
        }
    });
    let sent = sent_at(&script, &limited(&script, None, 6), 600);
    let in_second = |second: u64| sent.iter().filter(|at| **at / 1000 == second).count();
    assert!(in_second(1) <= 20 && in_second(7) >= 54, "{sent:?}");
}

#[test]
fn the_rate_falls_when_refusals_return() {
    // Refusals come after 20 requests, and again after 20 at the learned rate.
    let requests = Cell::new(0);
    let script = Script::of(move |_| {
        requests.set(requests.get() + 1);
        if [21, 41].contains(&requests.get()) { Reply::head(429, &[("retry-after", "0")]) } else { answer() }
    });
    let sent = sent_at(&script, &limited(&script, None, 1), 80);
    let in_second = |from: u64| sent.iter().filter(|at| (from..from + 1000).contains(*at)).count();
    // The refused requests are counted too.
    assert_eq!((in_second(0), in_second(1050), in_second(2050)), (21, 20, 19), "{sent:?}");
}

#[test]
fn requests_that_were_refused_together_count_once() {
    let mut replies: Vec<Reply> = (0..20).map(|_| Reply::ok(page(&[1], "null")).wait(1)).collect();
    let refused = || Reply::default().wait(10).then_head(429, &[("retry-after", "0")]);
    replies.extend((0..6).map(|_| refused()));
    replies.extend((0..40).map(|_| answer()));
    let script = Script::new(replies);
    let sent = sent_at(&script, &limited(&script, None, 6), 60);
    // Had each one lowered the rate, three in a second would be left.
    let in_second = sent.iter().filter(|at| (1050..2100).contains(*at)).count();
    assert!(in_second >= 20, "{in_second}: {sent:?}");
}

#[test]
fn network_failures_between_successes_slow_all_requests_down() {
    let requests = Cell::new(0);
    let script = Script::of(move |_| {
        requests.set(requests.get() + 1);
        if requests.get() == 10 { Reply::default().lost("Failed to fetch") } else { answer() }
    });
    let sent = sent_at(&script, &limited(&script, None, 1), 30);
    assert_eq!(sent[9], 0);
    assert!(sent[10..].iter().all(|at| *at >= 250), "{sent:?}");
    assert!(sent[18..].iter().all(|at| *at >= 1050), "nine in a second: {sent:?}");
}

#[test]
fn a_burst_of_network_failures_holds_all_requests() {
    let script = Script::of(|_| Reply::default().lost("Failed to fetch"));
    let client = limited(&script, None, 1).with_patience(Patience { max_attempts: 1, ..Patience::default() });
    let mut together = Together::default();
    (0..5).for_each(|number| together.begin(first_page_of(client.clone(), number)));
    assert!(script.block_on(together.finish()).iter().all(Result::is_err));
    assert_eq!(script.take_sent_at(), [0, 0, 0, 250, 500]);
}

#[test]
fn a_dead_service_gets_at_most_1_3_requests_per_call() {
    let script = Script::of(|_| Reply::default().wait(5).lost("Failed to fetch"));
    // Two clients share the budget of their limiter.
    let limiter = Rc::new(RateLimiter::new(RateLimits::default()));
    let client = || client_with(&script, |settings| settings.rate_limiter = Some(Rc::clone(&limiter)));
    let clients = [client(), client()];
    let mut together = Together::default();
    for (number, client) in (0..500).zip(clients.iter().cycle()) {
        together.begin(first_page_of(client.clone(), number));
    }
    let errors: Vec<_> = script.block_on(together.finish()).into_iter().map(Result::unwrap_err).collect();
    assert!(errors.iter().all(|error| error.code == ErrorCode::Network));
    let requests = script.take_urls().len();
    assert!(requests <= 650, "{requests}");
    assert!(script.elapsed_ms() < 60_000, "{} ms", script.elapsed_ms());
    let message = "; the retry budget is used up: too many requests failed lately. Try again later";
    assert!(errors.last().unwrap().message.ends_with(message), "{}", errors[499]);
    // Successes earn retries again.
    let is_up = Rc::new(Cell::new(true));
    let serves = Rc::clone(&is_up);
    let script = Script::of(move |_| if serves.get() { answer() } else { Reply::status(500, "") });
    let client = || client_with(&script, |settings| settings.rate_limiter = Some(Rc::clone(&limiter)));
    (0..10).for_each(|number| drop(script.block_on(first_page_of(client(), number)).unwrap()));
    is_up.set(false);
    let error = script.block_on(first_page_of(client(), 1)).unwrap_err();
    assert_eq!(error.attempts, Some(3), "{error}");
}

#[test]
fn random_failures_do_not_use_up_the_retry_budget() {
    let requests = Cell::new(0);
    let script = Script::of(move |_| {
        requests.set(requests.get() + 1);
        if requests.get() % 3 == 0 { Reply::status(500, "") } else { answer() }
    });
    let client = patient(&script);
    (0..2000).for_each(|number| drop(script.block_on(first_page_of(client.clone(), number)).unwrap()));
}

#[test]
fn single_calls_go_before_the_requests_of_iterations() {
    let script = Script::of(|url| {
        let number: u64 = url.rsplit_once("index=").map_or(1, |(_, number)| number.parse().unwrap());
        Reply::ok(page(&[1], &format!(r#"{{"index":{}}}"#, number + 1)))
    });
    let client = limited(&script, Some(1.0), 1);
    let mut pagers: Vec<_> = (0..20).map(|number| client.pages(&params_of(number)).unwrap()).collect();
    let mut together = Together::default();
    for pager in &mut pagers {
        together.begin(async {
            for _ in 0..3 {
                pager.next().await.unwrap();
            }
        });
    }
    let urls = script.block_on(async {
        // All first pages are read.
        together.go_on(&script, 26 * 1050).await;
        let calls = client.clone();
        together.begin(async move {
            let mut together = Together::default();
            (100..106).for_each(|number| together.begin(first_page_of(calls.clone(), number)));
            together.finish().await;
        });
        script.take_urls();
        together.finish().await;
        script.take_urls()
    });
    let places: Vec<usize> = (0..urls.len()).filter(|place| !urls[*place].contains("index=")).collect();
    // After four of them one page of an iteration is read.
    assert_eq!(places, [0, 1, 2, 3, 5, 6], "{urls:?}");
}

#[test]
fn clients_can_share_a_rate_limiter() {
    let script = Script::new((0..4).map(|_| answer()));
    let limits = RateLimits { max_per_second: Some(2.0), max_concurrent: 9 };
    let limiter = Rc::new(RateLimiter::new(limits));
    let client = || client_with(&script, |settings| settings.rate_limiter = Some(Rc::clone(&limiter)));
    let mut together = Together::default();
    (0..4).for_each(|number| together.begin(first_page_of(client(), number)));
    script.block_on(together.finish());
    assert_eq!(script.take_sent_at(), [0, 0, 1050, 1050]);
}

#[test]
fn a_dropped_call_leaves_the_queue() {
    let script = Script::new([answer().wait(300), answer(), answer()]);
    let client = limited(&script, None, 1);
    let mut together = Together::default();
    (0..3).for_each(|number| together.begin(first_page_of(client.clone(), number)));
    script.block_on(async {
        together.go_on(&script, 0).await;
        together.drop_one(1);
        assert_eq!(together.finish().await.len(), 2);
    });
    let urls = script.take_urls();
    assert!(urls.len() == 2 && urls[1].contains("0x0000000000000000000000000000000000000002"), "{urls:?}");
}

#[test]
fn the_deadline_covers_the_queue() {
    let script = Script::new([answer().wait(60_000), answer()]);
    let client = limited(&script, None, 1);
    let hasty = client.clone().with_patience(Patience { deadline_ms: 500, ..Patience::default() });
    let mut together = Together::default();
    together.begin(first_page_of(client.with_patience(Patience { timeout_ms: 90_000, ..Patience::default() }), 1));
    together.begin(first_page_of(hasty, 2));
    let outcomes = script.block_on(together.finish());
    let error = outcomes[1].as_ref().unwrap_err();
    assert_eq!((error.code, error.attempts), (ErrorCode::Timeout, Some(1)));
    assert!(error.message.contains("deadlineMs"), "{error}");
    assert_eq!(script.take_urls().len(), 1);
}

#[test]
fn a_hold_beyond_the_deadline_fails_at_once() {
    let headers = [("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "45000")];
    let script = Script::new([Reply::head(200, &headers).chunk(page(&[1], "null"))]);
    let client = patient(&script).with_patience(Patience { deadline_ms: 30_000, ..Patience::default() });
    script.block_on(first_page_of(client.clone(), 1)).unwrap();
    let error = script.block_on(first_page_of(client, 1)).unwrap_err();
    assert_eq!((error.code, error.retry_after_ms, script.elapsed_ms()), (ErrorCode::RateLimited, Some(45_000), 0));
    assert_eq!((error.attempts, script.take_urls().len()), (Some(0), 1));
}

#[test]
fn a_refusal_with_status_200_holds_all_requests() {
    let complaint = || Reply::ok(r#"{"message":"Too many requests"}"#);
    let script = Script::new([complaint(), complaint(), answer()]);
    script.set_chances([0.5; 9]);
    script.block_on(first_page_of(limited(&script, None, 6), 1)).unwrap();
    let sent = script.take_sent_at();
    assert!(sent[1] >= 250 && sent[2] >= sent[1] + 500, "{sent:?}");
}

#[test]
fn a_clock_that_is_set_back_holds_no_request() {
    let script = Script::new((0..4).map(|_| answer()));
    let client = limited(&script, Some(1.0), 1);
    script.skip_ms(100_000);
    script.block_on(first_page_of(client.clone(), 1)).unwrap();
    script.set_back();
    script.block_on(first_page_of(client.clone(), 2)).unwrap();
    script.block_on(first_page_of(client, 3)).unwrap();
    assert_eq!(script.take_sent_at(), [100_000, 0, 1050]);
}
