//! Sends requests and delivers the events of their responses. [`Transport::subscribe`] avoids a request where it can: `cache` has
//! the responses of `cacheMs`, and `sharing` the exchanges in flight. `exchange` performs the others when the rate limiter permits
//! it, with the `api_key`. `context` is what they share. `broadcast` passes the events of an exchange to all of its subscribers.

mod api_key;
mod broadcast;
mod cache;
mod context;
mod exchange;
mod sharing;

use std::borrow::Cow;
use std::rc::Rc;

pub use api_key::{ApiKey, ApiKeyFuture};
pub(crate) use broadcast::ExchangeEvent;
pub(crate) use context::{Transport, TransportOptions};
pub(crate) use sharing::Subscriber;

use self::exchange::Exchange;
use self::sharing::SharedExchange;
use super::event::{Event, EventKind};
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
    /// Whether the response may come from the cache, and is stored there.
    pub(crate) is_cacheable: bool,
    /// Whether it is requested again, although the response may be cached or in flight.
    pub(crate) reloads: bool,
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
    /// Subscribes to the cached response of a target, if there is one. `attempt` is the number of the attempt, from 1.
    pub(super) fn subscribe_to_cached(self: &Rc<Self>, target: &Target, attempt: u32) -> Option<Subscriber> {
        let cache = Some(&self.cache).filter(|_| target.is_cacheable && !target.reloads)?;
        let body = cache.borrow_mut().get(&target.key(), self.runtime.now_ms())?;
        self.emit(&Event::new(EventKind::CacheHit, &target.url, 1));
        Some(self.start_exchange(target, attempt, Some(body)).subscribe(target.priority))
    }

    /// Subscribes to an equal exchange in flight, or starts one. `attempt` is the number of the attempt, from 1.
    pub(super) fn subscribe(self: &Rc<Self>, target: &Target, attempt: u32) -> Subscriber {
        let shared = if target.reloads { None } else { self.in_flight.subscribe(&target.key(), target.priority) };
        shared.unwrap_or_else(|| {
            let exchange = self.start_exchange(target, attempt, None);
            self.in_flight.add(&exchange);
            exchange.subscribe(target.priority)
        })
    }

    fn start_exchange(
        self: &Rc<Self>,
        target: &Target,
        attempt: u32,
        cached: Option<Rc<Vec<u8>>>,
    ) -> Rc<SharedExchange> {
        let transport = Rc::clone(self);
        let (url, body) = (target.url.clone(), target.body.clone());
        let credits = target.credits;
        SharedExchange::new(&target.key(), |output| {
            Exchange { transport, output, url, body, attempt, credits }.run(cached)
        })
    }

    /// Caches the body of a response.
    pub(super) fn cache_body(&self, target: &Target, body: Vec<u8>) {
        self.cache.borrow_mut().insert(&target.key(), body, self.runtime.now_ms(), target.reloads);
    }
}
