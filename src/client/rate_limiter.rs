//! Rate limiter: decides when each request to an instance may be sent, and how many retries are left. Clients with the same
//! instance and key share one.
//!
//! Requests wait in a queue. Single calls go before the requests of iterations and ranges (`Priority`). A request is sent
//! when all of these allow it:
//!
//! - the caller's own limits ([`RateLimits`]),
//! - the limit that the last response stated (`x-ratelimit-remaining`),
//! - the wait that the last refusal stated, or a backoff where it stated none,
//! - the learned rate, once the service has refused a request.
//!
//! The learned rate starts at the number of requests that were accepted in the second before the refusal. It falls by 30%
//! when refusals return, and recovers within seconds along a cubic curve. It rises slowly near the refused rate, then faster,
//! until it no longer limits anything. Each further refusal makes the curve flatter, so that a constant limit is probed rarely.
//!
//! A caller that sends one request at a time waits after each refusal and cannot flood the service. For such a caller the
//! rate falls only if refusals follow many requests. Refusals after few requests have another cause.
//!
//! Browsers report a 429 without CORS headers as a network failure. Such failures count as refusals when other requests
//! succeeded within the last minute, or when several come in a row.
//!
//! The retry budget is shared too. Retries spend it; a successful call refunds its retries and a little more. The budget
//! stops retries when no request succeeds any more.

use std::cell::RefCell;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Poll, Waker};

use super::retry::backoff_ms;
use super::runtime::{Headers, Runtime};
use crate::strings::{parse_u64, trim};

/// Default limit of requests in flight. Browsers open six HTTP/1.1 connections to a host.
pub const DEFAULT_CONCURRENT: u32 = 6;

/// Added to each window, because network delays vary.
const MARGIN_MS: f64 = 50.0;

/// The learned rate is never lower, in requests per second.
const MIN_RATE: f64 = 0.2;

/// A learned rate above this is dropped.
const MAX_RATE: f64 = 500.0;

/// The first learned rate is never lower: one refusal after few requests says little.
const FIRST_RATE: f64 = 5.0;

/// Factor for the learned rate when refusals return.
const DECREASE: f64 = 0.7;

/// Initial recovery time: how long the learned rate takes to recover from a decrease.
const RECOVERY_MS: f64 = 2000.0;

/// Factor for the recovery time, applied at each decrease.
const RECOVERY_GROWTH: f64 = 1.5;

/// Maximum recovery time.
const MAX_RECOVERY_MS: f64 = 5000.0;

/// A refusal is *crowded* if many requests were accepted in the second before it: at least this share of the maximum so far.
/// The maximum decays by the same factor with each refusal.
const FADE: f64 = 0.9;

/// The rate is the cause of refusals if at least this share of the recent ones was crowded.
const CROWDED_SHARE: f64 = 0.6;

/// The initial share. A single refusal that is not crowded takes it below [`CROWDED_SHARE`].
const FIRST_CROWDED_SHARE: f64 = 0.75;

/// How long sent requests are remembered.
const HISTORY_MS: u64 = 4000;

/// Network failures count as refusals for this long after a success.
const SUCCESS_MS: u64 = 60_000;

/// This many consecutive network failures count as refusals even without a success.
const BURST: u32 = 3;

/// After this many consecutive interactive requests, one bulk request is sent, so that bulk requests do not starve.
const INTERACTIVE_RUN: u32 = 4;

/// Size of the retry budget.
const RETRY_BUDGET: u32 = 500;

/// What a retry costs of the budget.
const RETRY_COST: u32 = 5;

/// The limits that the caller sets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RateLimits {
    /// Maximum number of requests per second. None: as many as the service accepts.
    pub max_per_second: Option<f64>,
    /// Maximum number of requests in flight.
    pub max_concurrent: u32,
}

impl Default for RateLimits {
    fn default() -> Self {
        Self { max_per_second: None, max_concurrent: DEFAULT_CONCURRENT }
    }
}

/// Priority in the queue.
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
    state: RefCell<State>,
}

#[derive(Debug, Default)]
struct State {
    /// In the order of arrival.
    queue: Vec<Waiter>,
    last_id: u64,
    interactive_run: u32,
    in_flight: u32,
    /// Requests of the last seconds, oldest first, without those that were refused.
    sent: Vec<Sent>,
    learned: Option<LearnedRate>,
    /// Maximum number of requests accepted in the second before a refusal. It decays by [`FADE`].
    most_accepted: f64,
    /// The share of crowded refusals: a moving average over about four.
    crowded_share: f64,
    /// When the last refusal arrived. Refusals of requests that were sent before then do not count again.
    refused_at: u64,
    /// Refusals and network failures since the last success.
    refusals: u32,
    network_failures: u32,
    succeeded_at: Option<u64>,
    /// No request is sent before this time.
    hold_until: u64,
    /// Number of requests that the service still accepts, and when that limit resets, according to its last response.
    remaining: Option<(u64, u64)>,
    /// The latest time seen.
    last_now: u64,
    /// What retries have spent of the budget.
    retries_spent: u32,
}

#[derive(Debug)]
struct Waiter {
    id: u64,
    priority: Priority,
    waker: Waker,
}

#[derive(Debug)]
struct Sent {
    id: u64,
    at: u64,
}

/// A rate on a cubic curve over time.
#[derive(Debug, Clone, Copy)]
struct LearnedRate {
    /// The rate at which the curve is flat: the last one that was refused.
    plateau: f64,
    /// When the curve is flat.
    plateau_at: u64,
    /// The time from the decreased rate to the plateau.
    recovery_ms: f64,
}

impl LearnedRate {
    /// The rate after the service refused requests at this one.
    fn decreased(self, rate: f64, now: u64) -> Self {
        let recovery_ms = (self.recovery_ms * RECOVERY_GROWTH).min(MAX_RECOVERY_MS);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few seconds")]
        let plateau_at = now + recovery_ms as u64;
        Self { plateau: rate, plateau_at, recovery_ms }
    }

    fn at(self, now: u64) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "milliseconds since 1970 have 41 bits")]
        let x = ((now as f64 - self.plateau_at as f64) / self.recovery_ms).max(-1.0);
        (self.plateau * (1.0 + (1.0 - DECREASE) * x * x * x)).max(MIN_RATE)
    }
}

impl State {
    fn learned_rate(&self, now: u64) -> Option<f64> {
        self.learned.map(|rate| rate.at(now)).filter(|rate| *rate <= MAX_RATE)
    }

    /// Whether a request succeeded lately.
    fn has_succeeded(&self, now: u64) -> bool {
        self.succeeded_at.is_some_and(|at| now < at.saturating_add(SUCCESS_MS))
    }

    /// The waiter that is granted the next permit.
    fn next(&self) -> Option<&Waiter> {
        let first = |priority| self.queue.iter().find(|waiter| waiter.priority == priority);
        let (interactive, bulk) = (first(Priority::Interactive), first(Priority::Bulk));
        if self.interactive_run < INTERACTIVE_RUN { interactive.or(bulk) } else { bulk.or(interactive) }
    }

    /// Adapts the rate after the service refused a request. Refusals of requests that were in flight together count once.
    fn on_refusal(&mut self, id: u64, now: u64) {
        let Some(index) = self.sent.iter().position(|sent| sent.id == id) else { return };
        let Sent { at, .. } = self.sent.remove(index);
        if at < self.refused_at {
            return;
        }
        self.refused_at = now;
        self.refusals += 1;
        let before = self.sent.iter().filter(|sent| sent.id < id && sent.at + 1000 > at).count();
        let accepted = f64::from(u32::try_from(before).unwrap_or(u32::MAX));
        self.most_accepted = accepted.max(self.most_accepted * FADE);
        let is_crowded = accepted + 1.0 >= FIRST_RATE && accepted >= self.most_accepted * FADE;
        self.crowded_share += (f64::from(u8::from(is_crowded)) - self.crowded_share) / 4.0;
        if self.queue.is_empty() && self.in_flight <= 1 {
            if self.crowded_share < CROWDED_SHARE {
                self.learned = None;
                return;
            }
            if !is_crowded {
                return;
            }
        }
        // If no request was accepted, the rate is not the cause. A learned rate that was never reached means nothing.
        if before > 0 {
            let rate = self.learned_rate(now).filter(|rate| *rate <= 2.0 * (accepted + 1.0));
            self.learned = Some(match (self.learned, rate) {
                (Some(learned), Some(rate)) => learned.decreased(rate, now),
                _ => LearnedRate { plateau: accepted.max(FIRST_RATE), plateau_at: now, recovery_ms: RECOVERY_MS },
            });
        }
    }

    /// Holds all requests after a refusal: for the stated wait, or a backoff. Returns how long.
    fn hold(&mut self, now: u64, stated_ms: Option<u64>, attempts: u32, random: f64) -> u64 {
        let wait = match stated_ms {
            Some(ms) => ms,
            None if self.hold_until > now => 0,
            // Later attempts wait for at least half of the backoff: a few short waits in a row would use them all up.
            None if attempts > 2 => backoff_ms(attempts, f64::midpoint(random, 1.0)),
            None => backoff_ms(attempts, random),
        };
        self.hold_until = self.hold_until.max(now.saturating_add(wait));
        self.hold_until - now
    }
}

impl RateLimiter {
    /// A limiter within these limits.
    #[must_use]
    pub fn new(limits: RateLimits) -> Self {
        Self { limits, state: RefCell::new(State { crowded_share: FIRST_CROWDED_SHARE, ..State::default() }) }
    }

    /// Waits until a request may be sent. Dropping the permit lets the next request start.
    pub(crate) async fn acquire<R: Runtime>(self: &Rc<Self>, runtime: &R, priority: Priority) -> Permit {
        let ticket = self.enqueue(priority);
        loop {
            poll_fn(|context| ticket.poll_next(context.waker())).await;
            match self.wait_ms(runtime.now_ms()) {
                0 => return ticket.grant(runtime.now_ms()),
                ms => runtime.sleep(ms).await,
            }
        }
    }

    /// The shortest time that a new request has to wait. None if it can be sent at once.
    pub(crate) fn expected_wait(&self, now: u64) -> Option<u64> {
        let state = self.state.borrow();
        let is_free = state.queue.is_empty() && state.in_flight < self.limits.max_concurrent;
        drop(state);
        let wait = self.wait_ms(now);
        (wait > 0 || !is_free).then_some(wait)
    }

    /// Stores the limit that the headers of a response state, for up to `max_wait_ms`. (A reset of -1 means no limit.)
    pub(crate) fn observe_headers(&self, headers: &Headers, now: u64, max_wait_ms: u64) {
        let number = |name: &str| {
            let (_, value) = headers.iter().find(|(known, _)| *known == name)?;
            parse_u64(trim(value))
        };
        if let (Some(remaining), Some(reset)) = (number("x-ratelimit-remaining"), number("x-ratelimit-reset")) {
            let mut state = self.state.borrow_mut();
            // The service has not counted the other requests in flight yet.
            let others = u64::from(state.in_flight.saturating_sub(1));
            state.remaining = Some((remaining.saturating_sub(others), now.saturating_add(reset.min(max_wait_ms))));
        }
    }

    /// Records a response that is not a refusal.
    pub(crate) fn on_success(&self, now: u64) {
        let mut state = self.state.borrow_mut();
        (state.refusals, state.network_failures, state.succeeded_at) = (0, 0, Some(now));
    }

    /// Records that the service refused a request because of its rate, and adapts the rate. Without an `id`, it was
    /// the last request.
    pub(crate) fn on_rate_limited(&self, id: Option<u64>, now: u64) {
        let mut state = self.state.borrow_mut();
        if let Some(id) = id.or_else(|| Some(state.sent.last()?.id)) {
            state.on_refusal(id, now);
        }
    }

    /// Holds all requests after a refusal. `attempts` counts how often the refused request was sent. Returns how long, in
    /// milliseconds.
    pub(crate) fn hold(&self, now: u64, stated_ms: Option<u64>, attempts: u32, random: f64) -> u64 {
        let mut state = self.state.borrow_mut();
        let attempts = attempts.max(state.refusals);
        state.hold(now, stated_ms, attempts, random)
    }

    /// How long all requests are still held, in milliseconds.
    pub(crate) fn held_ms(&self, now: u64) -> u64 {
        self.state.borrow().hold_until.saturating_sub(now)
    }

    /// Records a request without a response. It may be a refusal that the browser hides. `attempts` counts how often the
    /// request was sent.
    pub(crate) fn on_network_failure(&self, id: u64, now: u64, attempts: u32, random: f64) {
        let mut state = self.state.borrow_mut();
        state.network_failures += 1;
        let has_succeeded = state.has_succeeded(now);
        if has_succeeded || state.network_failures >= BURST {
            state.on_refusal(id, now);
            // If no request succeeds, long waits would only delay the error.
            let attempts = if has_succeeded { attempts.max(state.refusals) } else { 1 };
            state.hold(now, None, attempts, random);
        }
    }

    /// Takes a retry from the budget. Returns false if the budget is exhausted.
    pub(crate) fn take_retry(&self) -> bool {
        let mut state = self.state.borrow_mut();
        let spent = state.retries_spent + RETRY_COST;
        let is_left = spent <= RETRY_BUDGET;
        if is_left {
            state.retries_spent = spent;
        }
        is_left
    }

    /// Records a call that succeeded after this many retries: refunds their cost, and a little more.
    pub(crate) fn refund_retries(&self, retries: u32) {
        let mut state = self.state.borrow_mut();
        state.retries_spent = state.retries_spent.saturating_sub(retries * RETRY_COST + 1);
    }

    /// The current limit, in requests per second.
    fn rate(&self, state: &State, now: u64) -> Option<f64> {
        match (self.limits.max_per_second, state.learned_rate(now)) {
            (Some(allowed), Some(learned)) => Some(allowed.min(learned)),
            (allowed, learned) => allowed.or(learned),
        }
    }

    /// How long the next request has to wait, in milliseconds.
    fn wait_ms(&self, now: u64) -> u64 {
        let mut state = self.state.borrow_mut();
        if now < state.last_now {
            // The clock was set back, so all stored times are invalid.
            (state.hold_until, state.refused_at, state.remaining, state.learned) = (0, 0, None, None);
            state.sent.clear();
        }
        state.last_now = now;
        let mut earliest = state.hold_until;
        if let Some((0, reset)) = state.remaining {
            earliest = earliest.max(reset);
        }
        if let Some(rate) = self.rate(&state, now) {
            let (count, window_ms) = window(rate);
            if let Some(oldest) = state.sent.len().checked_sub(count).and_then(|index| state.sent.get(index)) {
                earliest = earliest.max(oldest.at.saturating_add(window_ms));
            }
        }
        earliest.saturating_sub(now)
    }

    fn enqueue(self: &Rc<Self>, priority: Priority) -> Ticket {
        let mut state = self.state.borrow_mut();
        state.last_id += 1;
        let id = state.last_id;
        state.queue.push(Waiter { id, priority, waker: Waker::noop().clone() });
        Ticket { limiter: Rc::clone(self), id }
    }

    fn wake_next(&self) {
        let next = self.state.borrow().next().map(|waiter| waiter.waker.clone());
        if let Some(waker) = next {
            waker.wake();
        }
    }
}

/// Expresses a rate as a number of requests in a window of milliseconds.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between MIN_RATE and MAX_RATE")]
fn window(rate: f64) -> (usize, u64) {
    let count = rate.clamp(1.0, MAX_RATE).floor();
    (count as usize, (count * 1000.0 / rate.max(MIN_RATE) + MARGIN_MS) as u64)
}

/// A place in the queue. Dropping it wakes the next waiter.
struct Ticket {
    limiter: Rc<RateLimiter>,
    id: u64,
}

impl Ticket {
    /// Ready when this waiter is next and the number of requests in flight allows one more.
    fn poll_next(&self, waker: &Waker) -> Poll<()> {
        let mut state = self.limiter.state.borrow_mut();
        // While refusals repeat, requests are sent one at a time, to find out when the refusals end. If no request succeeds at
        // all, that would only delay the errors.
        let is_probing = state.refusals > 1 && state.has_succeeded(state.last_now);
        let has_room = state.in_flight < if is_probing { 1 } else { self.limiter.limits.max_concurrent };
        if has_room && state.next().is_some_and(|next| next.id == self.id) {
            return Poll::Ready(());
        }
        if let Some(waiter) = state.queue.iter_mut().find(|waiter| waiter.id == self.id) {
            waiter.waker.clone_from(waker);
        }
        Poll::Pending
    }

    fn grant(self, now: u64) -> Permit {
        let mut state = self.limiter.state.borrow_mut();
        let is_interactive = state.next().is_some_and(|next| next.priority == Priority::Interactive);
        state.interactive_run = if is_interactive { state.interactive_run + 1 } else { 0 };
        state.in_flight += 1;
        let window_ms = self.limiter.rate(&state, now).map_or(0, |rate| window(rate).1);
        state.sent.push(Sent { id: self.id, at: now });
        let oldest = now.saturating_sub(window_ms.max(HISTORY_MS));
        state.sent.retain(|sent| sent.at >= oldest);
        state.remaining =
            state.remaining.filter(|(_, reset)| *reset > now).map(|(count, reset)| (count.saturating_sub(1), reset));
        Permit { limiter: Rc::clone(&self.limiter), id: self.id }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.limiter.state.borrow_mut().queue.retain(|waiter| waiter.id != self.id);
        self.limiter.wake_next();
    }
}

/// The right to have a request in flight.
#[derive(Debug)]
pub(crate) struct Permit {
    limiter: Rc<RateLimiter>,
    pub(crate) id: u64,
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.limiter.state.borrow_mut().in_flight -= 1;
        self.limiter.wake_next();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rate_decreases_to_seven_tenths_and_recovers_within_seconds() {
        let whole = |rate: f64| rate.round().to_string();
        let first = LearnedRate { plateau: 20.0, plateau_at: 1000, recovery_ms: RECOVERY_MS };
        assert_eq!(whole(first.at(1000)), "20");
        let decreased = first.decreased(20.0, 1000);
        let rates = [0, 1500, 3000, 4500, 6000, 9000].map(|ms| whole(decreased.at(1000 + ms)));
        assert_eq!(rates, ["14", "19", "20", "21", "26", "68"]);
        // Each further decrease makes the curve flatter, up to a limit.
        let second = decreased.decreased(20.0, 1000);
        let third = second.decreased(20.0, 1000);
        assert_eq!([second, third].map(|rate| whole(rate.recovery_ms)), ["4500", "5000"]);
    }

    #[test]
    fn rate_is_a_request_count_per_window() {
        assert_eq!(window(5.0), (5, 1050));
        assert_eq!(window(0.5), (1, 2050));
        assert_eq!(window(3.5), (3, 907));
    }
}
