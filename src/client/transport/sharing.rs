//! Sends equal requests once: calls that arrive before the response begins share the [`Flight`] of the first one.
//!
//! A request with a single call is read while it arrives. The body of a shared one is buffered, and each call reads a copy. No task owns
//! the work: each call that awaits the response drives it. Dropping the last one aborts the request. Where tasks must not wake one
//! another, no calls share a request.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::rc::{Rc, Weak};
use std::task::Poll;

use futures_util::future::{FutureExt, Shared, WeakShared};
use futures_util::stream::{self, Stream};

use crate::client::rate_limiter::{Permit, Priority};
use crate::client::runtime::Headers;
use crate::endpoint::Query;
use crate::error::Error;

/// The chunks of a body. It ends after an error.
pub(crate) type Chunks = Pin<Box<dyn Stream<Item = Result<Vec<u8>, Error>>>>;

/// The work of a request: it ends when the response begins or, if it is shared, with the end of its body.
type FlightFuture = Pin<Box<dyn Future<Output = SharedResult>>>;
type SharedResult = Result<Rc<SharedResponse>, Error>;

/// Awaits the response. Clones await the same response.
pub(crate) type PendingResponse = Shared<FlightFuture>;

/// A response, for all calls that share it.
pub(crate) struct SharedResponse {
    pub(crate) status: u16,
    pub(crate) headers: Headers,
    pub(super) body: SharedBody,
}

/// The body of a response.
pub(super) enum SharedBody {
    /// It is still arriving, for the only call.
    Arriving(Cell<Option<Chunks>>),
    /// It is complete, or has broken off.
    Buffered(Vec<Result<Vec<u8>, Error>>),
}

impl SharedResponse {
    /// Returns the body for one call.
    pub(crate) fn chunks(self: Rc<Self>) -> Chunks {
        let count = match &self.body {
            SharedBody::Arriving(chunks) => return chunks.take().unwrap_or_else(|| Box::pin(stream::empty())),
            SharedBody::Buffered(chunks) => chunks.len(),
        };
        Box::pin(stream::iter((0..count).filter_map(move |index| match &self.body {
            SharedBody::Buffered(chunks) => chunks.get(index).cloned(),
            SharedBody::Arriving(_) => None,
        })))
    }
}

/// URL, body and properties of a request.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) url: String,
    /// The query, for GraphQL.
    pub(crate) query: Option<&'static Query>,
    /// The JSON of the body, for a POST. Otherwise the request is a GET.
    pub(crate) body: Option<String>,
    /// Whether the response must be newer than the call, and so must not come from an HTTP cache or a request in
    /// flight.
    pub(crate) is_fresh: bool,
    pub(crate) priority: Priority,
    /// The credits that the request costs where requests are charged.
    pub(crate) credits: u32,
}

/// A request in flight: the state that its calls and its work share. Each of them has one reference.
pub(crate) struct Flight {
    pub(super) target: Rc<Target>,
    /// The highest priority of the calls. A call that raises it also polls the work.
    pub(super) priority: Cell<Priority>,
    /// Whether the rate limiter has granted a permit, and the request is sent.
    pub(crate) is_sent: Cell<bool>,
    /// Whether the response has begun, so that no other call can join.
    pub(super) has_response: Cell<bool>,
    /// The permit, while the request is in flight.
    pub(super) permit: Cell<Option<Permit>>,
}

impl Flight {
    /// Whether a call of this target can join.
    fn can_serve(&self, target: &Target) -> bool {
        self.target.url == target.url && self.target.body == target.body && !self.has_response.get()
    }

    /// Whether several calls share the request. Called by its work.
    pub(super) fn is_shared(self: &Rc<Self>) -> bool {
        Rc::strong_count(self) > 2
    }

    /// Records that the request is sent, and wakes its calls: their timeouts start.
    pub(super) async fn on_sent(self: &Rc<Self>) {
        self.is_sent.set(true);
        if self.is_shared() {
            poll_fn(|context| {
                context.waker().wake_by_ref();
                Poll::Ready(())
            })
            .await;
        }
    }

    /// Lets another request start, although the body may still be arriving.
    pub(crate) fn release_permit(&self) {
        drop(self.permit.take());
    }

    /// Renews the permit, if the request has one.
    pub(crate) fn renew_permit(&self, expires_at: u64) {
        self.permit.set(self.permit.take().inspect(|permit| permit.renew(expires_at)));
    }
}

impl fmt::Debug for Flight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Flight").field("target", &self.target).finish_non_exhaustive()
    }
}

/// The requests in flight. An entry lives while it has calls.
#[derive(Default)]
pub(super) struct InFlight(RefCell<Vec<(Weak<Flight>, WeakShared<FlightFuture>)>>);

impl InFlight {
    /// Finds a request whose response has not begun.
    pub(super) fn find(&self, target: &Target) -> Option<(Rc<Flight>, PendingResponse)> {
        self.0.borrow().iter().find_map(|(flight, response)| {
            let flight = flight.upgrade().filter(|flight| flight.can_serve(target))?;
            Some((flight, response.upgrade()?))
        })
    }

    /// Adds a request, and removes those that have ended. `work` sends it.
    pub(super) fn add<F: Future<Output = SharedResult> + 'static>(
        &self,
        target: Rc<Target>,
        work: impl FnOnce(Rc<Flight>) -> F,
    ) -> (Rc<Flight>, PendingResponse) {
        let (priority, is_sent) = (Cell::new(target.priority), Cell::default());
        let flight =
            Rc::new(Flight { target, priority, is_sent, has_response: Cell::default(), permit: Cell::default() });
        let work: FlightFuture = Box::pin(work(Rc::clone(&flight)));
        let response = work.shared();
        let mut flights = self.0.borrow_mut();
        flights.retain(|(flight, _)| flight.strong_count() > 0);
        if let Some(response) = response.downgrade() {
            flights.push((Rc::downgrade(&flight), response));
        }
        (flight, response)
    }
}

#[cfg(test)]
mod tests {
    use std::task::{Context, Waker};

    use super::*;

    type SharedCall = (Rc<Flight>, PendingResponse);

    fn target(url: &str) -> Target {
        let (url, priority) = (url.to_owned(), Priority::Bulk);
        Target { url, query: None, body: None, is_fresh: false, priority, credits: 0 }
    }

    /// A request whose work waits once, and then has a response with one chunk.
    fn start(in_flight: &InFlight, url: &str) -> SharedCall {
        in_flight.add(Rc::new(target(url)), |flight| async move {
            let mut was_polled = false;
            poll_fn(|_| if std::mem::replace(&mut was_polled, true) { Poll::Ready(()) } else { Poll::Pending }).await;
            flight.has_response.set(true);
            let chunk = Ok(vec![u8::from(flight.is_shared())]);
            Ok(Rc::new(SharedResponse {
                status: 200,
                headers: Headers::new(),
                body: SharedBody::Buffered(vec![chunk]),
            }))
        })
    }

    /// Returns the body once it has arrived.
    fn poll((_, response): &mut SharedCall) -> Option<Vec<Vec<u8>>> {
        let context = &mut Context::from_waker(Waker::noop());
        let Poll::Ready(response) = response.poll_unpin(context) else { return None };
        let mut chunks = response.unwrap().chunks();
        let next = || match chunks.as_mut().poll_next(context) {
            Poll::Ready(chunk) => chunk.map(Result::unwrap),
            Poll::Pending => None,
        };
        Some(std::iter::from_fn(next).collect())
    }

    #[test]
    fn request_in_flight_is_found_by_its_key_until_the_response_begins() {
        let in_flight = InFlight::default();
        let mut first = start(&in_flight, "a");
        assert!(in_flight.find(&target("b")).is_none());
        assert_eq!(poll(&mut first), None);
        let mut second = in_flight.find(&target("a")).unwrap();
        assert_eq!(poll(&mut first), Some(vec![vec![1]]));
        assert!(in_flight.find(&target("a")).is_none());
        assert_eq!(poll(&mut second), Some(vec![vec![1]]), "each call reads the whole body");
    }

    #[test]
    fn request_whose_other_calls_have_ended_is_not_shared() {
        let in_flight = InFlight::default();
        let mut first = start(&in_flight, "a");
        let mut second = in_flight.find(&target("a")).unwrap();
        assert_eq!(poll(&mut first), None);
        drop(first);
        assert_eq!(poll(&mut second), Some(vec![vec![0]]), "another call drives the work");
    }

    #[test]
    fn request_without_calls_is_dropped() {
        let in_flight = InFlight::default();
        drop(start(&in_flight, "a"));
        assert!(in_flight.find(&target("a")).is_none());
        for _ in 0..3 {
            drop(start(&in_flight, "b"));
        }
        assert_eq!(in_flight.0.borrow().len(), 1, "only the last one was not removed yet");
    }
}
