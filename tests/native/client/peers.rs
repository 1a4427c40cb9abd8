//! Rate limiters of several tabs that exchange events.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use address_query::client::{Client, PeerEvent, RateLimiter, RateLimits, Runtime};

use super::{client_with, first_page_of, last_page};
use crate::range::rng::Rng;
use crate::test_runtime::{MockResponse, START_MS, TestRuntime};

const TABS: u64 = 3;
const CALLS: u64 = 40;

/// How long an event takes to another tab.
const DELIVERY_MS: u64 = 4;

/// Creates a client for each tab. If they are connected, each limiter receives the events of the others.
pub fn create_tabs(
    runtime: &TestRuntime,
    tabs: u64,
    limits: RateLimits,
    is_connected: bool,
) -> Vec<Client<TestRuntime>> {
    let limiters: Vec<Rc<RateLimiter>> = (0..tabs).map(|_| Rc::new(RateLimiter::new(limits))).collect();
    for limiter in limiters.iter().filter(|_| is_connected) {
        let others = limiters.iter().filter(|other| !Rc::ptr_eq(other, limiter)).map(Rc::downgrade);
        let (others, runtime): (Vec<_>, _) = (others.collect(), runtime.clone());
        limiter.connect(move |event| {
            for other in &others {
                let (other, clock, message) = (other.clone(), runtime.clone(), event.to_message());
                runtime.spawn(Box::pin(async move {
                    clock.sleep(DELIVERY_MS).await;
                    let event = PeerEvent::from_message(message, clock.now_ms()).unwrap();
                    other.upgrade().inspect(|other| other.receive(event, clock.now_ms()));
                }));
            }
        });
    }
    let mut rng = Rng::new(1);
    #[expect(clippy::cast_precision_loss, reason = "at most 1,000")]
    runtime.queue_random((0..10_000).map(|_| rng.between(0, 999) as f64 / 1_000.0));
    let create = |limiter| {
        client_with(runtime, |options| {
            options.rate_limiter = Some(limiter);
            options.retry_policy.max_attempts = Some(20);
        })
    };
    limiters.into_iter().map(create).collect()
}

/// Makes the calls of all tabs concurrently, but one at a time in each tab. The service accepts five requests a second,
/// and states a limit if `is_stated`. Returns the number of refused requests, and the time.
fn read_in_tabs(is_connected: bool, is_stated: bool) -> (u32, u64) {
    let refused = Rc::new(Cell::new(0));
    let (mut second, mut count) = (0, 0);
    let refused_by_service = Rc::clone(&refused);
    let runtime = TestRuntime::with_timed_service(move |_, now| {
        count = if second == now / 1000 { count + 1 } else { 1 };
        second = now / 1000;
        let (remaining, reset) = (5_u64.saturating_sub(count).to_string(), (1000 - now % 1000).to_string());
        let headers = [("x-ratelimit-remaining", remaining), ("x-ratelimit-reset", reset)];
        let is_refused = count > 5;
        refused_by_service.set(refused_by_service.get() + u32::from(is_refused));
        let response = if is_refused { MockResponse::head(429, &[]) } else { last_page(&[1]) };
        response.delay(30).add_headers(if is_stated { &headers } else { &[] })
    });
    let clients = create_tabs(&runtime, TABS, RateLimits::default(), is_connected);
    runtime.block_on_all(clients.into_iter().map(async |client| {
        for number in 0..CALLS {
            first_page_of(client.clone(), number).await.unwrap();
        }
    }));
    (refused.get(), runtime.elapsed_ms())
}

#[test]
fn connected_tabs_are_refused_less_often() {
    for is_stated in [false, true] {
        let (alone, alone_ms) = read_in_tabs(false, is_stated);
        let (connected, connected_ms) = read_in_tabs(true, is_stated);
        println!("stated: {is_stated}: {alone} refused in {alone_ms} ms, {connected} refused in {connected_ms} ms");
        assert!(2 * connected < alone, "{connected} of {alone} refused");
        assert!(connected_ms <= alone_ms + alone_ms / 4, "{connected_ms} of {alone_ms} ms");
    }
}

#[test]
fn a_limit_of_the_caller_counts_the_requests_of_connected_tabs() {
    let runtime = TestRuntime::with_service(|_| last_page(&[1]));
    let limits = RateLimits::default().max_per_second(5.0);
    let tabs = create_tabs(&runtime, TABS, limits, true);
    runtime.block_on_all((0..15).map(async |call: usize| {
        let (tab, number) = (call / 5, call % 5);
        runtime.sleep(10 * tab as u64).await;
        first_page_of(tabs[tab].clone(), number as u64).await
    }));
    let sent = runtime.take_sent_at();
    assert_eq!(sent.len(), 15);
    // Requests of two tabs may start before the events of one reach the other.
    assert!(sent.windows(11).all(|sent| sent[10] >= sent[0] + 1_000), "{sent:?}");
}

/// A client that shares this limiter.
fn limited_by(runtime: &TestRuntime, limiter: &Rc<RateLimiter>) -> Client<TestRuntime> {
    client_with(runtime, |options| options.rate_limiter = Some(Rc::clone(limiter)))
}

#[test]
fn a_hold_is_announced_with_the_time_at_which_it_ends() {
    // The service states a wait, or the browser hides a refusal, after a request that succeeded.
    for (name, failure) in [
        ("stated", MockResponse::head(429, &[("retry-after", "3")])),
        ("hidden", MockResponse::default().disconnect("Failed to fetch")),
    ] {
        let runtime = TestRuntime::new([last_page(&[1]), failure, last_page(&[1])]);
        let limiter = Rc::new(RateLimiter::new(RateLimits::default()));
        let announced = Rc::<RefCell<Vec<_>>>::default();
        let log = Rc::clone(&announced);
        limiter.connect(move |event| log.borrow_mut().push(event));
        let client = limited_by(&runtime, &limiter);
        for number in 0..2 {
            runtime.block_on(first_page_of(client.clone(), number)).unwrap();
        }
        let events = announced.take();
        let held = events.iter().find_map(|event| if let PeerEvent::Held(until) = event { Some(*until) } else { None });
        let sent_at = runtime.take_sent_at();
        assert_eq!(held, Some(START_MS + sent_at[2]), "{name}: {events:?}");
        assert!(sent_at[2] > sent_at[1], "{name}: {sent_at:?}");
    }
}

#[test]
fn connected_tabs_wait_a_random_time_longer_than_stated() {
    let runtime = TestRuntime::new([last_page(&[1])]);
    let limiter = Rc::new(RateLimiter::new(RateLimits::default()));
    for event in [PeerEvent::Sent(START_MS), PeerEvent::Stated(0, START_MS + 1_000)] {
        limiter.receive(event, START_MS);
    }
    runtime.block_on(first_page_of(limited_by(&runtime, &limiter), 1)).unwrap();
    let sent_at = runtime.take_sent_at();
    assert!(sent_at[0] >= 1_050, "{sent_at:?}: half of the longest random wait");
}

#[test]
fn messages_are_checked() {
    #[expect(clippy::cast_precision_loss, reason = "a time")]
    let now = START_MS as f64;
    let stated = PeerEvent::Stated(7, START_MS + 5);
    for event in [PeerEvent::Sent(START_MS), PeerEvent::Refused(START_MS - 1), PeerEvent::Held(START_MS + 60_000)] {
        assert_eq!(PeerEvent::from_message(event.to_message(), START_MS), Some(event));
    }
    for (message, event) in [
        ([3.0, now + 5.0, 7.0], Some(stated)),
        ([0.0, now + 9.0, 0.0], Some(PeerEvent::Sent(START_MS))),
        ([4.0, now, 0.0], None),
        ([0.0, now - 60_001.0, 0.0], None),
        ([2.0, now + 60_001.0, 0.0], None),
    ] {
        assert_eq!(PeerEvent::from_message(message, START_MS), event, "{message:?}");
    }
    // A message with one member that is not an integer, or negative, is ignored whole.
    let valid = [PeerEvent::Sent(START_MS), PeerEvent::Refused(START_MS), PeerEvent::Held(START_MS), stated];
    for valid in valid.map(PeerEvent::to_message) {
        for (index, member) in valid.into_iter().enumerate() {
            for invalid in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, -0.5, member + 0.5] {
                let mut message = valid;
                message[index] = invalid;
                assert_eq!(PeerEvent::from_message(message, START_MS), None, "{message:?}");
            }
        }
    }
}

#[test]
fn hostile_messages_delay_requests_for_a_minute_at_most() {
    let runtime = TestRuntime::new([last_page(&[1])]);
    let limiter = Rc::new(RateLimiter::new(RateLimits::default().max_per_second(100.0)));
    for number in 0..100_000 {
        let time = START_MS + number % 60_000;
        let stated = PeerEvent::Stated(0, time);
        for event in [PeerEvent::Sent(START_MS), PeerEvent::Refused(START_MS), PeerEvent::Held(time), stated] {
            limiter.receive(event, START_MS);
        }
    }
    runtime.block_on(first_page_of(limited_by(&runtime, &limiter), 1)).unwrap();
    assert!(runtime.elapsed_ms() <= 121_000, "{} ms", runtime.elapsed_ms());
}
