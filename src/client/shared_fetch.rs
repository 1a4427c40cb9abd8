//! Deduplicates concurrent fetches of the same URL: callers that arrive before the response begins subscribe to the fetch in
//! flight. A [`SharedFetch`] lasts from the wait for the rate limiter to the end of the body.
//!
//! No task owns the work: each subscriber that polls for the next event drives it. If a subscriber is dropped, the others are
//! woken, so that one of them continues. Dropping the last one aborts the request.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use super::rate_limiter::Permit;
use super::runtime::Headers;
use crate::error::Error;

/// Progress of a fetch: sent, head, any number of chunks, then end or failure.
#[derive(Debug, Clone)]
pub(crate) enum FetchEvent {
    /// The rate limiter granted a permit, and the request is about to be sent.
    Sent,
    /// The status and headers of the response.
    Head(u16, Headers),
    /// A chunk of the body.
    Chunk(Vec<u8>),
    /// The body ended.
    End,
    /// The request failed without a response, or the body was truncated.
    Failed(Error),
}

/// The future that performs a fetch. It suspends after each event until a subscriber polls for the next one.
type Work = Pin<Box<dyn Future<Output = ()>>>;

/// A fetch in flight.
pub(crate) struct SharedFetch {
    url: String,
    /// None while it is polled, and after its end.
    work: Cell<Option<Work>>,
    log: Rc<EventLog>,
}

/// The events of a fetch, and its subscribers.
#[derive(Default)]
pub(crate) struct EventLog {
    state: RefCell<State>,
    /// The permit for the request. Released early if the subscriber stops reading for a while.
    pub(crate) permit: Cell<Option<Permit>>,
}

#[derive(Default)]
struct State {
    /// Events that the slowest subscriber has not read yet. Their size is limited by the maximum size of a response.
    events: Vec<FetchEvent>,
    /// Number of events that were discarded, because all subscribers have read them.
    discarded: usize,
    subscribers: Vec<Subscription>,
    last_id: usize,
}

struct Subscription {
    id: usize,
    /// Index of the next event to read, counted from the first event of the fetch.
    next: usize,
    waker: Waker,
}

impl SharedFetch {
    pub(crate) fn new(url: &str, log: Rc<EventLog>, work: Option<Work>) -> Rc<Self> {
        Rc::new(Self { url: url.to_owned(), work: Cell::new(work), log })
    }

    /// Whether a caller can subscribe: the URL is the same, and the response has not begun.
    pub(crate) fn can_subscribe(&self, url: &str) -> bool {
        self.url == url && self.log.state.borrow().can_subscribe()
    }

    pub(crate) fn subscribe(self: &Rc<Self>) -> Subscriber {
        let mut state = self.log.state.borrow_mut();
        state.last_id += 1;
        let id = state.last_id;
        state.subscribers.push(Subscription { id, next: 0, waker: Waker::noop().clone() });
        Subscriber { fetch: Rc::clone(self), id }
    }
}

impl EventLog {
    /// Adds an event. The work then [waits for demand](wait_for_demand).
    pub(crate) fn add(&self, event: FetchEvent) {
        self.state.borrow_mut().events.push(event);
    }

    /// The next event for this subscriber. The last subscriber to read it gets it without a copy.
    fn next(&self, id: usize) -> Option<FetchEvent> {
        let mut state = self.state.borrow_mut();
        let State { events, discarded, subscribers, .. } = &mut *state;
        let subscription = subscribers.iter_mut().find(|subscription| subscription.id == id)?;
        let index = subscription.next;
        let event = events.get_mut(index - *discarded)?;
        subscription.next += 1;
        let is_last = subscribers.iter().all(|subscription| subscription.next > index);
        // `Sent` is only a placeholder: the next statement discards it.
        let event = if is_last { std::mem::replace(event, FetchEvent::Sent) } else { event.clone() };
        state.discard_read();
        Some(event)
    }

    fn wake_others(&self, id: usize) {
        for subscription in self.state.borrow().subscribers.iter().filter(|subscription| subscription.id != id) {
            subscription.waker.wake_by_ref();
        }
    }
}

impl State {
    fn can_subscribe(&self) -> bool {
        self.discarded == 0 && matches!(*self.events, [] | [FetchEvent::Sent])
    }

    /// Discards the events that all subscribers have read.
    fn discard_read(&mut self) {
        // A new subscriber reads all events from the beginning.
        if self.can_subscribe() {
            return;
        }
        let read_by_all = self.subscribers.iter().map(|subscription| subscription.next).min().unwrap_or(self.discarded);
        self.events.drain(..read_by_all - self.discarded);
        self.discarded = read_by_all;
    }
}

/// Suspends the work until a subscriber polls for the next event.
pub(crate) fn wait_for_demand() -> impl Future<Output = ()> {
    let mut was_polled = false;
    poll_fn(move |_| if std::mem::replace(&mut was_polled, true) { Poll::Ready(()) } else { Poll::Pending })
}

/// A subscription to a fetch. Dropping the last one aborts the request.
#[derive(Debug)]
pub(crate) struct Subscriber {
    fetch: Rc<SharedFetch>,
    id: usize,
}

impl Subscriber {
    pub(crate) fn url(&self) -> &str {
        &self.fetch.url
    }

    /// Lets another request start, although the body is still arriving.
    pub(crate) fn release_permit(&self) {
        drop(self.fetch.log.permit.take());
    }

    /// Polls for the next event. Without one it drives the work until there is one, or until the work itself has to wait.
    pub(crate) fn poll(&self, context: &mut Context<'_>) -> Poll<FetchEvent> {
        let SharedFetch { work, log, .. } = &*self.fetch;
        if let Some(event) = log.next(self.id) {
            return Poll::Ready(event);
        }
        if let Some(own) = log.state.borrow_mut().subscribers.iter_mut().find(|other| other.id == self.id) {
            own.waker.clone_from(context.waker());
        }
        // The work may call user callbacks that start fetches themselves, so nothing may be borrowed while it is polled.
        let Some(mut future) = work.take() else { return Poll::Pending };
        if future.as_mut().poll(context).is_pending() {
            work.set(Some(future));
        }
        match log.next(self.id) {
            Some(event) => {
                log.wake_others(self.id);
                Poll::Ready(event)
            }
            None => Poll::Pending,
        }
    }
}

impl Drop for Subscriber {
    fn drop(&mut self) {
        let log = &self.fetch.log;
        let mut state = log.state.borrow_mut();
        state.subscribers.retain(|subscription| subscription.id != self.id);
        state.discard_read();
        drop(state);
        log.wake_others(self.id);
    }
}

impl fmt::Debug for SharedFetch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedFetch").field("url", &self.url).finish_non_exhaustive()
    }
}
