//! The pace of all requests to one instance with one key: whose turn it is, how many are under way, how many in a second.
//!
//! Requests go in the order they came (a long iteration has one or two of them waiting, so a single call is never far
//! behind). The pace is what the caller allows, and what the service tells: its remaining requests are not overdrawn; after
//! a 429 everybody waits, then goes on half as fast, and faster again with each answer.

use std::cell::RefCell;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Poll, Waker};

use super::runtime::{Headers, Runtime};
use crate::text::{parsed, trimmed};

/// Requests under way at once, unless the caller says otherwise: browsers open six connections to a host.
pub const DEFAULT_CONCURRENT: u32 = 6;

/// The network does not keep distances: a second of ours is longer by this than one of the service.
const AIR_MS: f64 = 50.0;

/// The pace never gets slower than this many requests in a second.
const SLOWEST: f64 = 0.2;

/// A pace above this many requests in a second is none.
const FASTEST: f64 = 500.0;

/// What the caller allows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PaceLimits {
    /// Requests in a second; nothing: as many as the service takes.
    pub max_per_second: Option<f64>,
    /// Requests under way at once.
    pub max_concurrent: u32,
}

impl Default for PaceLimits {
    fn default() -> Self {
        Self { max_per_second: None, max_concurrent: DEFAULT_CONCURRENT }
    }
}

/// The pace of requests. Shared by all clients of one instance with one key.
#[derive(Debug)]
pub struct Pace {
    limits: PaceLimits,
    state: RefCell<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Who waits, in the order of coming; the first one watches the clock.
    queue: Vec<Waiting>,
    last_ticket: u64,
    under_way: u32,
    /// When the last requests were sent, as far back as the pace looks.
    sent: Vec<u64>,
    /// Requests in a second that the service bears, once it has complained.
    learned: Option<f64>,
    /// Nobody sends before.
    hold_until: u64,
    /// Requests that the service still takes, and until when: as its last answer told.
    left: Option<(u64, u64)>,
    /// The latest time that was seen.
    last_seen: u64,
}

#[derive(Debug)]
struct Waiting {
    ticket: u64,
    waker: Waker,
}

impl Pace {
    /// A pace within these limits.
    #[must_use]
    pub fn new(limits: PaceLimits) -> Self {
        Self { limits, state: RefCell::default() }
    }

    /// Waits for one's turn. Dropping the permit makes room for the next one.
    pub(crate) async fn enter<R: Runtime>(self: &Rc<Self>, runtime: &R) -> Permit {
        let place = self.line_up();
        loop {
            poll_fn(|context| place.poll_front(context.waker())).await;
            match self.wait_ms(runtime.now_ms()) {
                0 => return place.step_in(runtime.now_ms()),
                ms => runtime.sleep(ms).await,
            }
        }
    }

    /// How long a request that comes now has to wait at least; nothing when it need not.
    pub(crate) fn expected_wait(&self, now: u64) -> Option<u64> {
        let state = self.state.borrow();
        let is_free = state.queue.is_empty() && state.under_way < self.limits.max_concurrent;
        drop(state);
        let wait = self.wait_ms(now);
        (wait > 0 || !is_free).then_some(wait)
    }

    /// What an answer's headers tell; they are not believed beyond this wait. (A reset of -1 means that nothing is limited.)
    pub(crate) fn learn(&self, headers: &Headers, now: u64, max_wait_ms: u64) {
        let number = |name: &str| {
            let (_, value) = headers.iter().find(|(known, _)| *known == name)?;
            parsed(trimmed(value))
        };
        if let (Some(remaining), Some(reset)) = (number("x-ratelimit-remaining"), number("x-ratelimit-reset")) {
            let mut state = self.state.borrow_mut();
            // Those that were sent since are not counted in it.
            let others = u64::from(state.under_way.saturating_sub(1));
            state.left = Some((remaining.saturating_sub(others), now.saturating_add(reset.min(max_wait_ms))));
        }
    }

    /// The service complained: everybody waits so long, then goes on half as fast.
    pub(crate) fn slow_down(&self, now: u64, wait_ms: u64) {
        let mut state = self.state.borrow_mut();
        // Answers to requests that were sent together complain together.
        if now >= state.hold_until {
            let in_a_second = state.sent.iter().filter(|at| **at + 1000 > now).count();
            let in_a_second = f64::from(u32::try_from(in_a_second).unwrap_or(u32::MAX));
            // A first complaint to few requests is about more than this second: they go on one by one.
            let rate = state.learned.unwrap_or(in_a_second.max(2.0));
            state.learned = Some((rate / 2.0).max(SLOWEST));
        }
        state.hold_until = state.hold_until.max(now.saturating_add(wait_ms));
    }

    /// An answer came without a complaint: one more in a second, for each second of answers.
    pub(crate) fn speed_up(&self) {
        let mut state = self.state.borrow_mut();
        state.learned = state.learned.map(|rate| rate + 1.0 / rate.max(1.0)).filter(|rate| *rate <= FASTEST);
    }

    /// Requests in a second.
    fn rate(&self, state: &State) -> Option<f64> {
        match (self.limits.max_per_second, state.learned) {
            (Some(allowed), Some(learned)) => Some(allowed.min(learned)),
            (allowed, learned) => allowed.or(learned),
        }
    }

    /// How long the first in line waits.
    fn wait_ms(&self, now: u64) -> u64 {
        let mut state = self.state.borrow_mut();
        if now < state.last_seen {
            // The clock was set back: times of before mean nothing now.
            (state.hold_until, state.left) = (0, None);
            state.sent.clear();
        }
        state.last_seen = now;
        let mut from = state.hold_until;
        if let Some((0, reset)) = state.left {
            from = from.max(reset);
        }
        if let Some(rate) = self.rate(&state) {
            let (many, in_ms) = window(rate);
            if let Some(oldest) = state.sent.len().checked_sub(many).and_then(|index| state.sent.get(index)) {
                from = from.max(oldest.saturating_add(in_ms));
            }
        }
        from.saturating_sub(now)
    }

    fn line_up(self: &Rc<Self>) -> Place {
        let mut state = self.state.borrow_mut();
        state.last_ticket += 1;
        let ticket = state.last_ticket;
        state.queue.push(Waiting { ticket, waker: Waker::noop().clone() });
        Place { pace: Rc::clone(self), ticket }
    }

    fn wake_front(&self) {
        let front = self.state.borrow().queue.first().map(|waiting| waiting.waker.clone());
        if let Some(waker) = front {
            waker.wake();
        }
    }
}

/// So many requests in so many milliseconds make this rate.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between SLOWEST and FASTEST")]
fn window(rate: f64) -> (usize, u64) {
    let many = rate.clamp(1.0, FASTEST).floor();
    (many as usize, (many * 1000.0 / rate.max(SLOWEST) + AIR_MS) as u64)
}

/// A place in the line. Dropping it lets the next one come forward.
struct Place {
    pace: Rc<Pace>,
    ticket: u64,
}

impl Place {
    /// Ready when this is the first in line, and there is room for one more.
    fn poll_front(&self, waker: &Waker) -> Poll<()> {
        let mut state = self.pace.state.borrow_mut();
        let has_room = state.under_way < self.pace.limits.max_concurrent;
        let is_first = state.queue.first().is_some_and(|first| first.ticket == self.ticket);
        if is_first && has_room {
            return Poll::Ready(());
        }
        if let Some(waiting) = state.queue.iter_mut().find(|waiting| waiting.ticket == self.ticket) {
            waiting.waker.clone_from(waker);
        }
        Poll::Pending
    }

    fn step_in(self, now: u64) -> Permit {
        let mut state = self.pace.state.borrow_mut();
        state.under_way += 1;
        let rate = self.pace.rate(&state).unwrap_or(FASTEST);
        state.sent.push(now);
        // A complaint asks how many were sent in the last second.
        let horizon = now.saturating_sub(window(rate).1.max(1000));
        state.sent.retain(|at| *at >= horizon);
        state.left = state.left.filter(|(_, reset)| *reset > now).map(|(left, reset)| (left.saturating_sub(1), reset));
        Permit(Rc::clone(&self.pace))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.pace.state.borrow_mut().queue.retain(|waiting| waiting.ticket != self.ticket);
        self.pace.wake_front();
    }
}

/// A request that is under way.
#[derive(Debug)]
pub(crate) struct Permit(Rc<Pace>);

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.state.borrow_mut().under_way -= 1;
        self.0.wake_front();
    }
}
