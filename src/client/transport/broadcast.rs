//! The events of an exchange, and how far each of its subscribers has read them. Each subscriber reads all events in order. An
//! event is discarded when all have read it.

use std::task::Waker;

use crate::client::runtime::Headers;
use crate::error::Error;

/// Progress of an exchange: sent, head, any number of chunks, then end or failure.
#[derive(Debug, Clone)]
pub(crate) enum ExchangeEvent {
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
pub(super) struct Broadcast {
    /// Events that the slowest subscriber has not read yet, to which the exchange appends new ones. Their size is limited by
    /// the maximum size of a response.
    pub(super) events: Vec<ExchangeEvent>,
    /// Number of events that were discarded.
    discarded: usize,
    subscriptions: Vec<Subscription>,
    last_id: usize,
}

#[derive(Debug)]
struct Subscription {
    id: usize,
    /// Index of the next event to read, counted from the first event of the exchange.
    next: usize,
    waker: Waker,
}

impl Broadcast {
    /// Whether another subscriber can still read all events: the response has not begun.
    pub(super) fn can_subscribe(&self) -> bool {
        self.discarded == 0 && matches!(*self.events, [] | [ExchangeEvent::Sent])
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

    /// The next event for this subscriber. The last subscriber to read an event gets it without a copy.
    pub(super) fn next(&mut self, id: usize) -> Option<ExchangeEvent> {
        let subscription = self.subscriptions.iter_mut().find(|subscription| subscription.id == id)?;
        let index = subscription.next;
        let event = self.events.get_mut(index - self.discarded)?;
        subscription.next += 1;
        let is_last = self.subscriptions.iter().all(|subscription| subscription.next > index);
        // `Sent` is only a placeholder: the next statement discards it.
        let event = if is_last { std::mem::replace(event, ExchangeEvent::Sent) } else { event.clone() };
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::task::Wake;

    use super::*;

    fn chunk(byte: u8) -> ExchangeEvent {
        ExchangeEvent::Chunk(vec![byte])
    }

    /// Reads all events that have arrived for this subscriber. Returns the bytes of their chunks.
    fn read(log: &mut Broadcast, id: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        while let Some(event) = log.next(id) {
            if let ExchangeEvent::Chunk(chunk) = event {
                bytes.extend(chunk);
            }
        }
        bytes
    }

    #[test]
    fn each_subscriber_reads_all_events_in_order() {
        let mut log = Broadcast::default();
        let fast = log.subscribe();
        log.events.push(ExchangeEvent::Sent);
        assert!(matches!(log.next(fast), Some(ExchangeEvent::Sent)));
        let slow = log.subscribe();
        for event in [chunk(1), chunk(2)] {
            log.events.push(event);
        }
        assert_eq!(read(&mut log, fast), [1, 2]);
        log.events.push(chunk(3));
        assert!(matches!(log.next(slow), Some(ExchangeEvent::Sent)));
        assert_eq!((read(&mut log, slow), read(&mut log, fast)), (vec![1, 2, 3], vec![3]));
    }

    #[test]
    fn events_are_discarded_when_the_slowest_subscriber_has_read_them() {
        let mut log = Broadcast::default();
        let (fast, slow) = (log.subscribe(), log.subscribe());
        log.events.push(ExchangeEvent::Sent);
        log.events.push(ExchangeEvent::Head(200, Headers::new()));
        read(&mut log, fast);
        assert_eq!(log.events.len(), 2);
        log.next(slow);
        assert_eq!(log.events.len(), 1);
        log.unsubscribe(slow);
        assert_eq!((log.events.len(), log.discarded), (0, 2));
    }

    #[test]
    fn response_that_has_begun_accepts_no_subscribers() {
        let mut log = Broadcast::default();
        let id = log.subscribe();
        assert!(log.can_subscribe());
        log.events.push(ExchangeEvent::Sent);
        read(&mut log, id);
        assert!(log.can_subscribe(), "the request is in flight");
        log.events.push(ExchangeEvent::Head(200, Headers::new()));
        assert!(!log.can_subscribe());
        read(&mut log, id);
        assert!(!log.can_subscribe(), "its events were discarded");
    }

    #[test]
    fn all_other_subscribers_are_woken() {
        struct Counter(AtomicU32);
        impl Wake for Counter {
            fn wake(self: Arc<Self>) {
                self.0.fetch_add(1, Ordering::Relaxed);
            }
        }
        let mut log = Broadcast::default();
        let counters = [0; 3].map(|_| Arc::new(Counter(AtomicU32::new(0))));
        let ids = counters.each_ref().map(|counter| {
            let id = log.subscribe();
            log.set_waker(id, &Waker::from(Arc::clone(counter)));
            id
        });
        log.wake_others(ids[1]);
        assert_eq!(counters.map(|counter| counter.0.load(Ordering::Relaxed)), [1, 0, 1]);
    }
}
