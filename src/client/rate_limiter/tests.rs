//! Tests the rate limiter without a client: it is given requests, refusals and times, and returns waits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Wake;

use super::*;

/// A state after requests that were sent at these times, with ids from 0.
fn state_after(times: impl IntoIterator<Item = u64>) -> LimiterState {
    let sent = times.into_iter().zip(0..).map(|(at, id)| Sent { id, at, is_own: true }).collect();
    LimiterState { sent, ..LimiterState::default() }
}

/// Requests that have permits, with ids from 0.
fn in_flight(count: u64) -> Vec<PermitHolder> {
    (0..count).map(|id| PermitHolder { id, expires_at: u64::MAX }).collect()
}

#[test]
fn refusal_limits_the_rate_to_the_requests_of_the_second_before() {
    let mut state = state_after([1000, 1001, 1002, 1003, 1004, 1005, 2000, 2000, 2000]);
    state.in_flight = in_flight(3);
    // Of the requests before the refused one, the first was sent a second earlier.
    state.on_refusal(7, false, 2100);
    assert_eq!(state.next_accepted_at(2100), 1000 / 6);
    assert_eq!(state.sent.iter().map(|sent| sent.id).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 5, 6, 8]);
    // An unknown request was refused long ago.
    state.on_refusal(7, false, 2200);
    assert_eq!((state.next_accepted_at(2200), state.sent.len()), (1000 / 6, 8));
}

#[test]
fn refusal_after_few_requests_limits_only_concurrent_callers() {
    for (count, has_waiter, next_at) in [(1, false, 0), (2, false, 200), (1, true, 200)] {
        let mut state = state_after([1000, 1000, 1000, 1000]);
        state.in_flight = in_flight(count);
        if has_waiter {
            let waker = Waker::noop().clone();
            state.waiters.push(Waiter { id: 9, priority: Priority::Bulk, waker, expires_at: u64::MAX });
        }
        state.on_refusal(3, false, 1100);
        assert_eq!(state.next_accepted_at(1100), next_at, "{count} in flight, {has_waiter}");
    }
}

#[test]
fn clock_that_is_set_back_discards_all_times() {
    let mut state = state_after([1000]);
    state.stated_limit = StatedLimit::read(&stated("0"), 0, 1000, 60_000);
    state.hold.start(1000, Some(9000), 1, 0.5);
    for now in [1000, 1001, 1001] {
        state.check_clock(now);
        assert_eq!((state.sent.len(), state.next_accepted_at(now)), (1, 10_000), "{now}");
    }
    state.check_clock(1000);
    assert_eq!((state.sent.len(), state.next_accepted_at(1000), state.last_now), (0, 0, 1000));
}

fn limiter(max_per_second: Option<f64>, max_concurrent: u32) -> Rc<RateLimiter> {
    Rc::new(RateLimiter::new(RateLimits { max_per_second, max_concurrent }))
}

/// A place in the queue that has been polled.
fn enqueue_as(limiter: &Rc<RateLimiter>, priority: Priority) -> Ticket {
    let id = limiter.state.borrow_mut().next_id();
    let ticket = Ticket { limiter: Rc::clone(limiter), id };
    let _ = ticket.poll_next(priority, Waker::noop(), 1000, u64::MAX);
    ticket
}

fn enqueue(limiter: &Rc<RateLimiter>) -> Ticket {
    enqueue_as(limiter, Priority::Bulk)
}

fn grant(limiter: &Rc<RateLimiter>, now: u64) -> Permit {
    enqueue(limiter).grant(Priority::Bulk, now, u64::MAX)
}

#[test]
fn one_bulk_request_follows_four_interactive_requests() {
    let limiter = limiter(None, 99);
    let enqueue = |priority, count: usize| -> Vec<_> { (0..count).map(|_| enqueue_as(&limiter, priority)).collect() };
    let (bulk, interactive) = (enqueue(Priority::Bulk, 2), enqueue(Priority::Interactive, 6));
    let ids = |tickets: &[Ticket]| tickets.iter().map(|ticket| ticket.id).collect::<Vec<_>>();
    let expected = [ids(&interactive[..4]), ids(&bulk[..1]), ids(&interactive[4..]), ids(&bulk[1..])].concat();
    let mut tickets: Vec<Ticket> = bulk.into_iter().chain(interactive).collect();
    let order: Vec<u64> = std::iter::from_fn(|| {
        let (id, priority) = limiter.state.borrow().next_waiter().map(|next| (next.id, next.priority))?;
        let index = tickets.iter().position(|ticket| ticket.id == id)?;
        drop(tickets.remove(index).grant(priority, 1000, u64::MAX));
        Some(id)
    })
    .collect();
    assert_eq!(order, expected);
}

/// Headers that state a limit for five seconds.
fn stated(remaining: &str) -> Headers {
    vec![("x-ratelimit-remaining", remaining.into()), ("x-ratelimit-reset", "5000".into())]
}

#[test]
fn expected_wait_is_known_before_a_request_waits() {
    let limiter = limiter(None, 2);
    let first = grant(&limiter, 1000);
    assert_eq!(limiter.expected_wait(1000), None);
    let second = grant(&limiter, 1000);
    assert_eq!(limiter.expected_wait(1000), Some(0), "all permits are in use");
    drop((first, second));
    let waiter = enqueue(&limiter);
    assert_eq!(limiter.expected_wait(1000), Some(0), "another request waits");
    drop(waiter);
    assert_eq!(limiter.expected_wait(1000), None);
    limiter.hold(1000, Some(300), 1, 0.5);
    assert_eq!((limiter.expected_wait(1100), limiter.expected_wait(1300)), (Some(200), None));
}

#[test]
fn requests_in_flight_count_against_the_stated_limit() {
    let limiter = limiter(None, 9);
    let mut permits: Vec<Permit> = (0..3).map(|_| grant(&limiter, 1000)).collect();
    limiter.on_response(0, 200, &stated("4"), 1000, 60_000);
    for remaining in [2, 1] {
        assert_eq!(limiter.wait_ms(1000), 0, "{remaining} requests remain");
        permits.push(grant(&limiter, 1000));
    }
    assert_eq!(limiter.wait_ms(1000), 5000);
    limiter.on_response(0, 200, &Vec::new(), 1000, 60_000);
    assert_eq!(limiter.wait_ms(1000), 5000, "a response without a limit changes nothing");
}

#[test]
fn sent_requests_are_remembered_for_the_longest_window() {
    for (max_per_second, remembered_ms) in [(None, 4000), (Some(5.0), 4000), (Some(0.1), 10_050)] {
        let limiter = limiter(max_per_second, 9);
        let remembered = [0, remembered_ms, remembered_ms + 1].map(|passed| {
            drop(grant(&limiter, 1000 + passed));
            limiter.state.borrow().sent.len()
        });
        assert_eq!(remembered, [1, 2, 2], "{max_per_second:?}");
    }
}

#[test]
fn requests_without_a_permit_are_counted_and_announced() {
    let limiter = limiter(Some(2.0), 9);
    let announced = Rc::new(RefCell::new(Vec::new()));
    let events = Rc::clone(&announced);
    limiter.connect(move |event| events.borrow_mut().push(event));
    limiter.count(1000);
    assert_eq!((limiter.wait_ms(1000), limiter.state.borrow().in_flight.len()), (0, 0));
    limiter.count(1010);
    assert_eq!(limiter.wait_ms(1010), 1040);
    assert_eq!(*announced.borrow(), [PeerEvent::Sent(1000), PeerEvent::Sent(1010)]);
}

#[test]
fn permits_are_granted_in_order_and_one_at_a_time_while_refusals_repeat() {
    let limiter = limiter(None, 2);
    let [first, second] = [(); 2].map(|()| enqueue(&limiter));
    let is_ready = |ticket: &Ticket| ticket.poll_next(Priority::Bulk, Waker::noop(), 1000, u64::MAX).is_ready();
    assert_eq!((is_ready(&first), is_ready(&second)), (true, false));
    let permit = first.grant(Priority::Bulk, 1000, u64::MAX);
    assert!(is_ready(&second));
    let other = grant(&limiter, 1000);
    assert!(!is_ready(&second), "two are in flight");
    drop(other);
    limiter.wait_ms(1000);
    limiter.on_response(0, 200, &Vec::new(), 1000, 60_000);
    (0..2).for_each(|_| assert!(limiter.state.borrow_mut().hold.on_refusal(1000, 1000, true)));
    assert!(!is_ready(&second), "the first request probes");
    drop(permit);
    assert!(is_ready(&second));
}

#[test]
fn rate_is_a_request_count_per_window() {
    assert_eq!(window(5.0), (5, 1050));
    assert_eq!(window(0.5), (1, 2050));
    assert_eq!(window(3.5), (3, 907));
}

/// Records that a task was woken.
#[derive(Default)]
struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[test]
fn next_request_is_woken_when_a_permit_is_released() {
    let limiter = limiter(None, 1);
    let permit = grant(&limiter, 1000);
    let tickets = [(); 2].map(|()| enqueue(&limiter));
    let wakers = [(); 2].map(|()| Arc::new(Woken::default()));
    for (ticket, waker) in tickets.iter().zip(&wakers) {
        assert!(ticket.poll_next(Priority::Bulk, &Arc::clone(waker).into(), 1000, u64::MAX).is_pending());
    }
    let woken = || wakers.each_ref().map(|waker| waker.0.load(Ordering::Relaxed));
    drop(permit);
    assert_eq!(woken(), [true, false]);
    let [first, _second] = tickets;
    drop(first);
    assert_eq!(woken(), [true, true]);
}

#[test]
fn waiter_and_permit_that_are_not_renewed_expire() {
    let limiter = limiter(None, 1);
    let poll = |ticket: &Ticket, now| ticket.poll_next(Priority::Bulk, Waker::noop(), now, now + LEASE_MS).is_ready();
    let [first, second] = [(); 2].map(|()| enqueue(&limiter));
    assert!(poll(&first, 1000));
    assert!(!poll(&second, 1999), "the first waiter may still return");
    assert!(poll(&second, 2000));
    let permit = second.grant(Priority::Bulk, 2000, 5000);
    let third = enqueue(&limiter);
    assert!(!poll(&third, 4999));
    permit.renew(6000);
    assert!(!poll(&third, 5999));
    assert!(poll(&third, 6000));
    // The owners return.
    permit.renew(8000);
    assert!(!poll(&first, 6000), "the permit counts again");
    drop(permit);
    assert!(!poll(&third, 6000), "the first waiter has its place again");
    assert!(poll(&first, 6000));
}

#[test]
fn refusal_limits_the_rate_from_then_on() {
    let limiter = limiter(None, 99);
    let _permits: Vec<Permit> = (0..21).map(|_| grant(&limiter, 10_000)).collect();
    limiter.on_refused_by_body(false, 10_000);
    assert_eq!((limiter.wait_ms(10_000), limiter.wait_ms(10_050)), (50, 0));
}

#[test]
fn network_failure_after_a_success_holds_requests() {
    let limiter = limiter(None, 9);
    let permit = grant(&limiter, 1000);
    limiter.on_response(0, 200, &Vec::new(), 1000, 60_000);
    limiter.on_network_failure(permit.id, 2000, 1, 0.5);
    assert_eq!((limiter.held_ms(2000), limiter.held_ms(2150)), (150, 0));
}

#[test]
fn calls_that_succeed_refund_their_retries_and_a_fifth_of_another() {
    let limiter = limiter(None, 9);
    let count_retries = || (0..200).filter(|_| limiter.take_retry()).count();
    assert_eq!(count_retries(), 100);
    limiter.refund_retries(3);
    assert_eq!(count_retries(), 3);
    (0..5).for_each(|_| limiter.refund_retries(0));
    assert_eq!(count_retries(), 1);
}

#[test]
fn requests_of_other_tabs_are_remembered_up_to_a_limit_and_not_while_the_next_one_is_far_ahead() {
    const NOW: u64 = 5000;
    let mut state = LimiterState::default();
    for _ in 0..1500 {
        state.on_peer_event(PeerEvent::Sent(NOW), NOW);
    }
    assert_eq!(state.sent.len(), 1000);
    for (next_at, remembered) in [(NOW + MAX_PEER_WAIT_MS, 1), (NOW + MAX_PEER_WAIT_MS + 1, 0)] {
        let mut state = LimiterState::default();
        state.hold.until = next_at;
        state.on_peer_event(PeerEvent::Sent(NOW), NOW);
        assert_eq!(state.sent.len(), remembered, "{next_at}");
    }
}
