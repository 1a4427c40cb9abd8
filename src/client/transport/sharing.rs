//! Sends equal requests once: callers that arrive before the response begins subscribe to the exchange in flight. A [`SharedExchange`] lasts from the wait for the rate limiter to the end of the body.
//!
//! No task owns the work: each subscriber that polls for the next event drives it. If a subscriber is dropped, the others are
//! woken, so that one of them continues. Dropping the last one aborts the request. Where tasks must not wake one another, each
//! exchange has one subscriber.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::rc::{Rc, Weak};
use std::task::Poll;

use super::broadcast::{Broadcast, ExchangeEvent};
use crate::client::rate_limiter::{Permit, Priority};

/// The future that performs an exchange. It suspends after each event until a subscriber polls for the next one.
type Work = Pin<Box<dyn Future<Output = ()>>>;

/// An exchange in flight.
pub(super) struct SharedExchange {
    url: String,
    /// None while it is polled, and after its end.
    work: Cell<Option<Work>>,
    output: Rc<ExchangeOutput>,
}

/// What the work of an exchange produces.
#[derive(Default)]
pub(super) struct ExchangeOutput {
    log: RefCell<Broadcast>,
    /// Whether an interactive call has subscribed.
    is_interactive: Cell<bool>,
    /// The permit for the request.
    permit: Cell<Option<Permit>>,
}

impl ExchangeOutput {
    /// Emits the last event.
    pub(super) fn finish(&self, event: ExchangeEvent) {
        self.log.borrow_mut().events.push(event);
        self.release_permit();
    }

    /// Emits an event, and suspends the work until a subscriber polls for the next one.
    pub(super) fn emit(&self, event: ExchangeEvent) -> impl Future<Output = ()> + use<> {
        self.log.borrow_mut().events.push(event);
        let mut was_polled = false;
        poll_fn(move |_| if std::mem::replace(&mut was_polled, true) { Poll::Ready(()) } else { Poll::Pending })
    }

    /// The highest priority of the subscribers. A caller that raises it also polls the work.
    pub(super) fn priority(&self) -> Priority {
        if self.is_interactive.get() { Priority::Interactive } else { Priority::Bulk }
    }

    /// Keeps the permit while the request is in flight.
    pub(super) fn hold_permit(&self, permit: Permit) {
        self.permit.set(Some(permit));
    }

    /// Lets another request start.
    pub(super) fn release_permit(&self) {
        drop(self.permit.take());
    }
}

impl SharedExchange {
    /// Creates an exchange. `work` performs it.
    pub(super) fn new<F: Future<Output = ()> + 'static>(
        url: &str,
        work: impl FnOnce(Rc<ExchangeOutput>) -> F,
    ) -> Rc<Self> {
        let output = Rc::<ExchangeOutput>::default();
        let work: Work = Box::pin(work(Rc::clone(&output)));
        Rc::new(Self { url: url.to_owned(), work: Cell::new(Some(work)), output })
    }

    pub(super) fn subscribe(self: &Rc<Self>, priority: Priority) -> Subscriber {
        if priority == Priority::Interactive {
            self.output.is_interactive.set(true);
        }
        let id = self.output.log.borrow_mut().subscribe();
        Subscriber { exchange: Rc::clone(self), id }
    }
}

/// The exchanges in flight. An entry lives while it has subscribers.
#[derive(Debug, Default)]
pub(super) struct InFlight(RefCell<Vec<Weak<SharedExchange>>>);

impl InFlight {
    /// Finds an exchange for this URL whose response has not begun.
    pub(super) fn find(&self, url: &str) -> Option<Rc<SharedExchange>> {
        let can_subscribe =
            |exchange: &Rc<SharedExchange>| exchange.url == url && exchange.output.log.borrow().can_subscribe();
        self.0.borrow().iter().filter_map(Weak::upgrade).find(can_subscribe)
    }

    /// Adds an exchange, and removes those that have ended.
    pub(super) fn add(&self, exchange: &Rc<SharedExchange>) {
        let mut exchanges = self.0.borrow_mut();
        exchanges.retain(|exchange| exchange.strong_count() > 0);
        exchanges.push(Rc::downgrade(exchange));
    }
}

/// A subscription to an exchange. Dropping the last one aborts the request.
#[derive(Debug)]
pub(crate) struct Subscriber {
    exchange: Rc<SharedExchange>,
    id: usize,
}

impl Subscriber {
    /// Waits for the next event. Dropping the future loses no event. Without an event it drives the work until there is one,
    /// or until the work itself has to wait.
    pub(crate) fn next_event(&self) -> impl Future<Output = ExchangeEvent> {
        let SharedExchange { work, output, .. } = &*self.exchange;
        poll_fn(move |context| {
            let mut log = output.log.borrow_mut();
            if let Some(event) = log.next(self.id) {
                return Poll::Ready(event);
            }
            log.set_waker(self.id, context.waker());
            // The work may call user callbacks that send requests themselves, so nothing may be borrowed while it is polled.
            drop(log);
            let Some(mut future) = work.take() else { return Poll::Pending };
            if future.as_mut().poll(context).is_pending() {
                work.set(Some(future));
            }
            let mut log = output.log.borrow_mut();
            let Some(event) = log.next(self.id) else { return Poll::Pending };
            log.wake_others(self.id);
            Poll::Ready(event)
        })
    }

    /// Lets another request start, although the body is still arriving.
    pub(crate) fn release_permit(&self) {
        self.exchange.output.release_permit();
    }

    /// Renews the permit, if the request has one.
    pub(crate) fn renew_permit(&self, expires_at: u64) {
        let permit = &self.exchange.output.permit;
        permit.set(permit.take().inspect(|permit| permit.renew(expires_at)));
    }
}

impl Drop for Subscriber {
    fn drop(&mut self) {
        let mut log = self.exchange.output.log.borrow_mut();
        log.unsubscribe(self.id);
        log.wake_others(self.id);
    }
}

impl fmt::Debug for SharedExchange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedExchange").field("url", &self.url).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Waker};

    use super::*;

    /// An exchange whose work emits `Sent`, a chunk and the end.
    fn start(in_flight: &InFlight, url: &str) -> Subscriber {
        let exchange = SharedExchange::new(url, |output| async move {
            output.emit(ExchangeEvent::Sent).await;
            output.emit(ExchangeEvent::Chunk(vec![1])).await;
            output.finish(ExchangeEvent::End);
        });
        in_flight.add(&exchange);
        exchange.subscribe(Priority::Bulk)
    }

    fn poll(subscriber: &Subscriber) -> Option<ExchangeEvent> {
        match pin!(subscriber.next_event()).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(event) => Some(event),
            Poll::Pending => None,
        }
    }

    #[test]
    fn exchange_in_flight_is_found_by_its_url_until_the_response_begins() {
        let in_flight = InFlight::default();
        let first = start(&in_flight, "a");
        assert!(in_flight.find("b").is_none());
        assert!(matches!(poll(&first), Some(ExchangeEvent::Sent)));
        let second = in_flight.find("a").unwrap().subscribe(Priority::Bulk);
        assert!(matches!(poll(&first), Some(ExchangeEvent::Chunk(_))));
        assert!(in_flight.find("a").is_none());
        assert!(matches!(poll(&second), Some(ExchangeEvent::Sent)));
    }

    #[test]
    fn exchange_without_subscribers_is_dropped() {
        let in_flight = InFlight::default();
        drop(start(&in_flight, "a"));
        assert!(in_flight.find("a").is_none());
        for _ in 0..3 {
            drop(start(&in_flight, "b"));
        }
        assert_eq!(in_flight.0.borrow().len(), 1, "only the last one was not removed yet");
    }

    #[test]
    fn work_suspends_after_each_event_until_the_next_one_is_polled_for() {
        let in_flight = InFlight::default();
        let (first, second) = (start(&in_flight, "a"), in_flight.find("a").unwrap().subscribe(Priority::Bulk));
        poll(&first);
        assert!(matches!(poll(&second), Some(ExchangeEvent::Sent)), "the event is read from the log");
        // Whoever polls next drives the work.
        assert!(matches!(poll(&second), Some(ExchangeEvent::Chunk(_))));
        drop(second);
        assert!(matches!(poll(&first), Some(ExchangeEvent::Chunk(_))));
        assert!(matches!(poll(&first), Some(ExchangeEvent::End)));
        assert!(poll(&first).is_none());
    }
}
