//! The events of a fetch, and how far each of its subscribers has read them. Each subscriber reads all events in order. An
//! event is discarded when all have read it.

use std::task::Waker;

use super::runtime::Headers;
use crate::error::Error;

/// Progress of a fetch: sent, head, any number of chunks, then end or failure.
#[derive(Debug, Clone)]
pub(super) enum FetchEvent {
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

/// Events and subscriptions.
#[derive(Debug, Default)]
pub(super) struct EventLog {
    /// Events that the slowest subscriber has not read yet. Their size is limited by the maximum size of a response.
    events: Vec<FetchEvent>,
    /// Number of events that were discarded.
    discarded: usize,
    subscriptions: Vec<Subscription>,
    last_id: usize,
}

#[derive(Debug)]
struct Subscription {
    id: usize,
    /// Index of the next event to read, counted from the first event of the fetch.
    next: usize,
    waker: Waker,
}

impl EventLog {
    /// Whether another subscriber can still read all events: the response has not begun.
    pub(super) fn can_subscribe(&self) -> bool {
        self.discarded == 0 && matches!(*self.events, [] | [FetchEvent::Sent])
    }

    /// Adds a subscriber, which reads from the first event. Returns its id.
    pub(super) fn subscribe(&mut self) -> usize {
        self.last_id += 1;
        self.subscriptions.push(Subscription { id: self.last_id, next: 0, waker: Waker::noop().clone() });
        self.last_id
    }

    /// Removes a subscriber.
    pub(super) fn unsubscribe(&mut self, id: usize) {
        self.subscriptions.retain(|subscription| subscription.id != id);
        self.discard_read();
    }

    /// Adds an event.
    pub(super) fn push(&mut self, event: FetchEvent) {
        self.events.push(event);
    }

    /// The next event for this subscriber. The last subscriber to read an event gets it without a copy.
    pub(super) fn next(&mut self, id: usize) -> Option<FetchEvent> {
        let subscription = self.subscriptions.iter_mut().find(|subscription| subscription.id == id)?;
        let index = subscription.next;
        let event = self.events.get_mut(index - self.discarded)?;
        subscription.next += 1;
        let is_last = self.subscriptions.iter().all(|subscription| subscription.next > index);
        // `Sent` is only a placeholder: the next statement discards it.
        let event = if is_last { std::mem::replace(event, FetchEvent::Sent) } else { event.clone() };
        self.discard_read();
        Some(event)
    }

    /// Sets the waker of a subscriber.
    pub(super) fn set_waker(&mut self, id: usize, waker: &Waker) {
        if let Some(subscription) = self.subscriptions.iter_mut().find(|subscription| subscription.id == id) {
            subscription.waker.clone_from(waker);
        }
    }

    /// Wakes all subscribers but this one.
    pub(super) fn wake_others(&self, id: usize) {
        for subscription in self.subscriptions.iter().filter(|subscription| subscription.id != id) {
            subscription.waker.wake_by_ref();
        }
    }

    /// Discards the events that all subscribers have read.
    fn discard_read(&mut self) {
        // A new subscriber reads all events from the beginning.
        if self.can_subscribe() {
            return;
        }
        let read_by_all =
            self.subscriptions.iter().map(|subscription| subscription.next).min().unwrap_or(self.discarded);
        self.events.drain(..read_by_all - self.discarded);
        self.discarded = read_by_all;
    }
}
