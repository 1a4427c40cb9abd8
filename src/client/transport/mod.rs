//! Sends requests. [`Transport::subscribe`] avoids a request where an equal one is in flight (`sharing`). `exchange` sends the others when
//! the rate limiter permits it, with the `api_key`. `context` is what they share.

mod api_key;
mod context;
mod exchange;
mod sharing;

use std::borrow::Cow;
use std::rc::Rc;

pub use api_key::{ApiKey, ApiKeyFuture, FOREIGN_KEY, GATEWAY_KEY};
pub(crate) use context::{Transport, TransportOptions};
pub(crate) use exchange::HEAD_BYTES;
pub(crate) use sharing::{Chunks, Flight, PendingResponse};

use self::exchange::Exchange;
use super::rate_limiter::Priority;
use super::runtime::Runtime;
use crate::endpoint::Query;
use crate::endpoint::version::Requirement;

/// What to request.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) url: String,
    /// The query, for GraphQL.
    pub(crate) query: Option<&'static Query>,
    /// The JSON of the body, for a POST. Otherwise the request is a GET.
    pub(crate) body: Option<String>,
    /// Whether the response must be newer than the call: neither that of a request in flight nor that of an HTTP cache.
    pub(crate) is_fresh: bool,
    pub(crate) priority: Priority,
    /// The backend version that the request needs, if old ones cannot respond to it.
    pub(crate) requirement: Option<Requirement>,
    /// The credits that the request costs.
    pub(crate) credits: u32,
}

impl Target {
    /// Returns what identifies the response: the URL, and the body of a POST.
    fn key(&self) -> Cow<'_, str> {
        match &self.body {
            Some(body) => Cow::Owned([&*self.url, " ", body].concat()),
            None => Cow::Borrowed(&self.url),
        }
    }
}

impl<R: Runtime> Transport<R> {
    /// Joins an equal request in flight, or creates a new one, which is sent when its response is awaited. `attempt` is the number of the
    /// attempt, from 1.
    pub(super) fn subscribe(self: &Rc<Self>, target: &Target, attempt: u32) -> (Rc<Flight>, PendingResponse) {
        let key = target.key();
        let is_shareable = !target.is_fresh && self.runtime.check_interval_ms().is_none();
        let shared = if is_shareable { self.in_flight.find(&key) } else { None };
        let (flight, response) = shared.unwrap_or_else(|| {
            self.in_flight.add(&key, |flight| {
                let transport = Rc::clone(self);
                let (url, body, credits) = (target.url.clone(), target.body.clone(), target.credits);
                // A retry must not receive the failure from an HTTP cache.
                let is_fresh = target.is_fresh || attempt > 1;
                Exchange { transport, flight, url, body, attempt, credits, is_fresh }.run()
            })
        });
        flight.raise_priority(target.priority);
        (flight, response)
    }
}
