//! Rate limiter: decides when each request to an origin may be sent, and how many retries are left. Clients with the
//! same origin and key share one, even for different chains of a gateway.
//!
//! Requests wait in the order of arrival. Single calls go before the requests of iterations and ranges (`Priority`). A request is sent
//! when all of these allow it:
//!
//! - the caller's own limits ([`RateLimits`]),
//! - the limit that the last response stated (`headers`),
//! - the wait that the last refusal stated, or a backoff where it stated none (`hold`),
//! - the learned rate, once the service has refused a request without stating a wait (`adaptive_rate`). While requests
//!   fail at any rate, they are sent one at a time instead.
//!
//! Where tasks must not wake one another ([`Runtime::check_interval_ms`]), waiters and permits expire unless they are renewed.
//!
//! The retry budget is shared too. Rate limiters of other tabs and workers take part through events (`peers`).

mod adaptive_rate;
mod backoff;
mod headers;
mod hold;
mod limits;
mod peers;
#[cfg(test)]
mod tests;

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Poll, Waker};

use self::adaptive_rate::AdaptiveRate;
pub(crate) use self::backoff::backoff_ms;
use self::headers::StatedLimit;
pub(crate) use self::headers::stated_wait_ms;
use self::hold::Hold;
use self::limits::DEFAULT_CONCURRENT;
pub use self::limits::RateLimits;
pub use self::peers::PeerEvent;
use super::diagnostics::Sink;
use super::runtime::{Headers, Runtime};

/// Added to each window of the caller's limit, because network delays vary.
const MARGIN_MS: f64 = 50.0;

/// How long sent requests are remembered at least.
const HISTORY_MS: u64 = 4000;

/// Times in the events of other limiters must be this close to the current time. It is the longest time window of the
/// service's rate limits.
const MAX_PEER_WAIT_MS: u64 = 60_000;

/// How long a waiter or a permit counts after it was renewed, where it expires.
const LEASE_MS: u64 = 1000;

/// Maximum random delay between the requests of different tabs that wait for the same time.
const MAX_JITTER_MS: u64 = 100;

/// After this many consecutive interactive requests, one bulk request is sent, so that bulk requests do not starve.
const INTERACTIVE_RUN: u32 = 4;

/// Size of the retry budget.
const RETRY_BUDGET: u32 = 500;

/// Cost of a retry.
const RETRY_COST: u32 = 5;

/// Priority of a request that waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Priority {
    /// A single call, or the first page of a list.
    Interactive,
    /// Further pages of a list, and all requests of a range.
    Bulk,
}

/// Limits the rate of requests. Shared by all clients of one instance with one key.
#[derive(Debug)]
pub struct RateLimiter {
    limits: RateLimits,
    state: RefCell<LimiterState>,
    /// Sends events to other limiters.
    announce: RefCell<Option<Sink<PeerEvent>>>,
}

#[derive(Debug, Default)]
struct LimiterState {
    /// The requests that wait, in the order of arrival.
    waiters: Vec<Waiter>,
    /// The last id of a request. Ids ascend.
    last_id: u64,
    /// How many interactive requests were sent since the last bulk one.
    interactive_run: u32,
    in_flight: Vec<PermitHolder>,
    /// Requests of the last seconds, oldest first, without those that were refused.
    sent: Vec<Sent>,
    stated_limit: Option<StatedLimit>,
    hold: Hold,
    adaptive_rate: AdaptiveRate,
    /// The part of the retry budget that was spent.
    spent_on_retries: u32,
    /// Whether the service has ever responded.
    has_responded: bool,
    /// The latest time seen.
    last_now: u64,
}

/// A request that waits for a permit.
#[derive(Debug)]
struct Waiter {
    id: u64,
    priority: Priority,
    waker: Waker,
    /// The waiter is removed at this time unless it is renewed.
    expires_at: u64,
}

/// A request that has a permit.
#[derive(Debug)]
struct PermitHolder {
    id: u64,
    /// The permit expires at this time unless it is renewed.
    expires_at: u64,
}

#[derive(Debug)]
struct Sent {
    id: u64,
    at: u64,
    /// Whether this limiter sent it.
    is_own: bool,
}

impl LimiterState {
    /// Returns an id for a request.
    const fn next_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }

    /// The waiter that is granted the next permit.
    fn next_waiter(&self) -> Option<&Waiter> {
        let preferred = if self.interactive_run < INTERACTIVE_RUN { Priority::Interactive } else { Priority::Bulk };
        self.waiters.iter().find(|waiter| waiter.priority == preferred).or_else(|| self.waiters.first())
    }

    /// Handles the refusal of a request because of the rate. `is_stated` is whether the service stated how long to
    /// wait.
    fn on_refusal(&mut self, id: u64, is_stated: bool, now: u64) {
        let Some(index) = self.sent.iter().position(|sent| sent.id == id) else { return };
        let Sent { at, is_own, .. } = self.sent.remove(index);
        if self.hold.on_refusal(at, now, is_own) {
            let accepted = self.sent.iter().filter(|sent| sent.id < id && sent.at + 1000 > at).count();
            // Another tab may have as many in flight as it is allowed.
            let of_peers = if self.has_peers() { DEFAULT_CONCURRENT as usize } else { 0 };
            let others = self.waiters.len() + self.in_flight.len().saturating_sub(1) + of_peers;
            let [accepted, others] = [accepted, others].map(|count| u32::try_from(count).unwrap_or(u32::MAX));
            let is_paced = is_stated || self.hold.refusals > 1;
            self.adaptive_rate.on_refusal(accepted.into(), others, is_paced, ms_as_f64(now));
        }
    }

    /// Whether other tabs have sent requests lately.
    fn has_peers(&self) -> bool {
        self.sent.iter().any(|sent| !sent.is_own)
    }

    /// Records a request. `at` is the current time, or a little earlier for the request of another limiter.
    fn on_sent(&mut self, sent: Sent) {
        let at = sent.at;
        self.sent.push(sent);
        self.adaptive_rate.on_sent(ms_as_f64(at));
        self.stated_limit = self.stated_limit.and_then(|limit| limit.after_request(at));
    }

    /// Discards all stored times if the clock was set back.
    fn check_clock(&mut self, now: u64) {
        if now < self.last_now {
            self.hold.reset();
            self.adaptive_rate = AdaptiveRate::default();
            self.stated_limit = None;
            self.sent.clear();
        }
        self.last_now = now;
    }

    /// When the service is expected to accept the next request.
    fn next_accepted_at(&self, now: u64) -> u64 {
        let stated = self.stated_limit.map_or(0, StatedLimit::next_at);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "milliseconds since 1970")]
        let learned = self.adaptive_rate.next_at(ms_as_f64(now)).map_or(0, |at| at as u64);
        self.hold.until.max(stated).max(learned)
    }
}

impl RateLimiter {
    /// A limiter within these limits.
    #[must_use]
    pub fn new(limits: RateLimits) -> Self {
        Self { limits, state: RefCell::default(), announce: RefCell::default() }
    }

    /// Maximum number of requests in flight.
    pub(crate) const fn max_concurrent(&self) -> u32 {
        self.limits.max_concurrent
    }

    /// Sets the function that sends events to other limiters.
    pub fn connect(&self, announce: impl Fn(PeerEvent) + 'static) {
        self.announce.replace(Some(Sink::new(move |event| announce(*event))));
    }

    fn announce(&self, event: PeerEvent) {
        if let Some(Sink(announce)) = &*self.announce.borrow() {
            announce(&event);
        }
    }

    /// Processes an event of another limiter.
    pub fn receive(&self, event: PeerEvent, now: u64) {
        // It stays borrowed after a crash of the WebAssembly instance.
        if let Ok(mut state) = self.state.try_borrow_mut() {
            state.check_clock(now);
            state.on_peer_event(event, now);
        }
    }

    /// Counts a request that was sent without a permit, as if it were sent now.
    #[cfg(any(test, feature = "js"))]
    pub(crate) fn count(&self, now: u64) {
        let id = self.state.borrow_mut().next_id();
        self.on_sent(id, now);
    }

    /// Records a request that is sent now, and announces it.
    fn on_sent(&self, id: u64, now: u64) {
        let window_ms = self.limits.max_per_second.map_or(0, |rate| window(rate).1);
        let oldest = now.saturating_sub(window_ms.max(HISTORY_MS));
        let mut state = self.state.borrow_mut();
        state.sent.retain(|sent| sent.at >= oldest);
        state.on_sent(Sent { id, at: now, is_own: true });
        drop(state);
        self.announce(PeerEvent::Sent(now));
    }

    /// Waits until a request may be sent. The task is polled when its priority is raised. Dropping the permit lets the next request
    /// start.
    pub(crate) async fn acquire<R: Runtime>(self: &Rc<Self>, runtime: &R, priority: &Cell<Priority>) -> Permit {
        let id = self.state.borrow_mut().next_id();
        let ticket = Ticket { limiter: Rc::clone(self), id };
        let interval = runtime.check_interval_ms();
        loop {
            poll_fn(|context| {
                let waker = if interval.is_some() { Waker::noop() } else { context.waker() };
                ticket.poll_next(priority.get(), waker, runtime.now_ms(), lease_end(runtime))
            })
            .await;
            match self.wait_ms(runtime.now_ms()) {
                0 => return ticket.grant(priority.get(), runtime.now_ms(), lease_end(runtime)),
                ms => runtime.sleep((ms + self.jitter_ms(ms, runtime)).min(interval.unwrap_or(u64::MAX))).await,
            }
        }
    }

    /// A random delay after a wait of `wait_ms`, if other tabs are sending requests. They wait for the same time, and the event
    /// of the first request takes a moment to reach the others.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 100")]
    fn jitter_ms<R: Runtime>(&self, wait_ms: u64, runtime: &R) -> u64 {
        if self.state.borrow().has_peers() {
            (runtime.random() * ms_as_f64(wait_ms.min(MAX_JITTER_MS))) as u64
        } else {
            0
        }
    }

    /// The shortest time that a new request has to wait. None if it can be sent at once.
    pub(crate) fn expected_wait(&self, now: u64) -> Option<u64> {
        let state = self.state.borrow();
        let is_free = state.waiters.is_empty() && state.in_flight.len() < self.limits.max_concurrent as usize;
        drop(state);
        let wait = self.wait_ms(now);
        (wait > 0 || !is_free).then_some(wait)
    }

    /// Records a response: whether it is a refusal, and the limit that its headers state, for up to `max_wait_ms`.
    pub(crate) fn on_response(&self, id: u64, status: u16, headers: &Headers, now: u64, max_wait_ms: u64) {
        let is_refusal = status == 429;
        let mut state = self.state.borrow_mut();
        state.has_responded = true;
        if !is_refusal {
            state.hold.on_success(now);
        }
        let others = state.in_flight.len().saturating_sub(1) as u64;
        let stated = StatedLimit::read(headers, others, now, max_wait_ms);
        state.stated_limit = stated.or(state.stated_limit);
        drop(state);
        if let Some(limit) = stated {
            self.announce(PeerEvent::Stated(limit.remaining, limit.reset_at));
        }
        if is_refusal {
            self.on_refusal(id, stated_wait_ms(status, headers, now).is_some(), now);
        }
    }

    /// Whether the service has ever responded to a request of a client that shares the limiter.
    pub(crate) fn has_responded(&self) -> bool {
        self.state.borrow().has_responded
    }

    /// Records that the service refused the last request because of its rate, with a status of success. `is_stated` is whether it
    /// stated how long to wait.
    pub(crate) fn on_refused_by_body(&self, is_stated: bool, now: u64) {
        let last = self.state.borrow().sent.iter().rfind(|sent| sent.is_own).map(|sent| sent.id);
        if let Some(id) = last {
            self.on_refusal(id, is_stated, now);
        }
    }

    /// Records the refusal of this request, and announces it.
    fn on_refusal(&self, id: u64, is_stated: bool, now: u64) {
        let mut state = self.state.borrow_mut();
        let sent_at = state.sent.iter().find(|sent| sent.id == id).map(|sent| sent.at);
        state.on_refusal(id, is_stated, now);
        drop(state);
        if let Some(at) = sent_at {
            self.announce(PeerEvent::Refused(at));
        }
    }

    /// Holds all requests after a refusal. `attempts` counts how often the refused request was sent. Returns how long, in
    /// milliseconds.
    pub(crate) fn hold(&self, now: u64, stated_ms: Option<u64>, attempts: u32, random: f64) -> u64 {
        let wait = self.state.borrow_mut().hold.start(now, stated_ms, attempts, random);
        self.announce(PeerEvent::Held(now + wait));
        wait
    }

    /// How long all requests are still held, in milliseconds.
    pub(crate) fn held_ms(&self, now: u64) -> u64 {
        self.state.borrow().hold.until.saturating_sub(now)
    }

    /// Records a request without a response. It may be a refusal that the browser hides. `attempts` counts how often the
    /// request was sent.
    pub(crate) fn on_network_failure(&self, id: u64, now: u64, attempts: u32, random: f64) {
        let is_refusal = self.state.borrow_mut().hold.on_network_failure(now);
        if is_refusal {
            self.on_refusal(id, false, now);
            self.state.borrow_mut().hold.start_after_network_failure(now, attempts, random);
            self.announce(PeerEvent::Held(now + self.held_ms(now)));
        }
    }

    /// Takes a retry from the budget. Returns false if the budget is exhausted.
    pub(crate) fn take_retry(&self) -> bool {
        let mut state = self.state.borrow_mut();
        let spent = state.spent_on_retries + RETRY_COST;
        let is_left = spent <= RETRY_BUDGET;
        if is_left {
            state.spent_on_retries = spent;
        }
        is_left
    }

    /// Records a call that succeeded after this many retries. This refunds them and a little more, so that the budget stops retries
    /// only when hardly any request succeeds.
    pub(crate) fn refund_retries(&self, retries: u32) {
        let mut state = self.state.borrow_mut();
        state.spent_on_retries = state.spent_on_retries.saturating_sub(retries * RETRY_COST + 1);
    }

    /// How long the next request has to wait, in milliseconds.
    fn wait_ms(&self, now: u64) -> u64 {
        let mut state = self.state.borrow_mut();
        state.check_clock(now);
        let allowed = self.limits.max_per_second.and_then(|rate| {
            let (count, window_ms) = window(rate);
            let index = state.sent.len().checked_sub(count)?;
            Some(state.sent.get(index)?.at.saturating_add(window_ms))
        });
        state.next_accepted_at(now).max(allowed.unwrap_or(0)).saturating_sub(now)
    }

    fn wake_next(&self) {
        let next = self.state.borrow().next_waiter().map(|next| next.waker.clone());
        if let Some(waker) = next {
            waker.wake();
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "milliseconds since 1970 have 41 bits")]
fn ms_as_f64(ms: u64) -> f64 {
    ms as f64
}

/// When a waiter or a permit that is renewed now expires.
pub(crate) fn lease_end<R: Runtime>(runtime: &R) -> u64 {
    runtime.check_interval_ms().map_or(u64::MAX, |_| runtime.now_ms() + LEASE_MS)
}

/// Expresses a rate as a number of requests in a window of milliseconds.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a rate is positive")]
fn window(rate: f64) -> (usize, u64) {
    let count = rate.max(1.0).floor();
    (count as usize, (count * 1000.0 / rate + MARGIN_MS) as u64)
}

/// A place in the queue, from the first poll on. Dropping it wakes the next waiter.
struct Ticket {
    limiter: Rc<RateLimiter>,
    id: u64,
}

impl Ticket {
    /// Ready when this waiter is next and the number of requests in flight allows one more.
    fn poll_next(&self, priority: Priority, waker: &Waker, now: u64, expires_at: u64) -> Poll<()> {
        let mut state = self.limiter.state.borrow_mut();
        state.waiters.retain(|waiter| waiter.id != self.id && waiter.expires_at > now);
        let index = state.waiters.partition_point(|waiter| waiter.id < self.id);
        state.waiters.insert(index, Waiter { id: self.id, priority, waker: waker.clone(), expires_at });
        state.in_flight.retain(|request| request.expires_at > now);
        let last_now = state.last_now;
        let is_sequential =
            state.hold.is_probing(last_now) || state.adaptive_rate.has_random_failures(ms_as_f64(last_now));
        let max_concurrent = if is_sequential { 1 } else { self.limiter.limits.max_concurrent };
        let is_next = state.next_waiter().is_some_and(|next| next.id == self.id);
        if is_next && state.in_flight.len() < max_concurrent as usize { Poll::Ready(()) } else { Poll::Pending }
    }

    fn grant(self, priority: Priority, now: u64, expires_at: u64) -> Permit {
        let mut state = self.limiter.state.borrow_mut();
        state.interactive_run = if priority == Priority::Interactive { state.interactive_run + 1 } else { 0 };
        state.in_flight.push(PermitHolder { id: self.id, expires_at });
        drop(state);
        self.limiter.on_sent(self.id, now);
        Permit { limiter: Rc::clone(&self.limiter), id: self.id }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.limiter.state.borrow_mut().waiters.retain(|waiter| waiter.id != self.id);
        self.limiter.wake_next();
    }
}

/// The right to have a request in flight.
#[derive(Debug)]
pub(crate) struct Permit {
    limiter: Rc<RateLimiter>,
    pub(crate) id: u64,
}

impl Permit {
    /// Renews the permit, even if it has expired.
    pub(crate) fn renew(&self, expires_at: u64) {
        let mut state = self.limiter.state.borrow_mut();
        state.in_flight.retain(|request| request.id != self.id);
        state.in_flight.push(PermitHolder { id: self.id, expires_at });
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.limiter.state.borrow_mut().in_flight.retain(|request| request.id != self.id);
        self.limiter.wake_next();
    }
}
