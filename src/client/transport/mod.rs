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

pub use api_key::{ApiKey, ApiKeyFuture, FOREIGN_KEY, GATEWAY_KEY};
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
    /// Whether it is requested again, although the response may be in flight, or cached by the client or on the way.
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
    /// Returns the cached body of the response to a target, if there is one.
    pub(super) fn find_cached(&self, target: &Target) -> Option<Rc<Vec<u8>>> {
        let cache = Some(&self.cache).filter(|_| target.is_cacheable && !target.reloads)?;
        let body = cache.borrow_mut().get(&target.key(), self.runtime.now_ms())?;
        self.emit(&Event::new(EventKind::CacheHit, &target.url, 1));
        Some(body)
    }

    /// Subscribes to an exchange: one that replays the cached body, if there is one, an equal one in flight, or a new one. `attempt` is
    /// the number of the attempt, from 1.
    pub(super) fn subscribe(self: &Rc<Self>, target: &Target, attempt: u32, cached: Option<Rc<Vec<u8>>>) -> Subscriber {
        let (key, is_cached) = (target.key(), cached.is_some());
        let is_shareable = !target.reloads && !is_cached && self.runtime.check_interval_ms().is_none();
        let shared = if is_shareable { self.in_flight.find(&key) } else { None };
        let exchange = shared.unwrap_or_else(|| {
            let transport = Rc::clone(self);
            let (url, body, credits) = (target.url.clone(), target.body.clone(), target.credits);
            // A retry must not receive the failure from an HTTP cache.
            let is_fresh = target.reloads || attempt > 1;
            let exchange = SharedExchange::new(&key, |output| {
                Exchange { transport, output, url, body, attempt, credits, is_fresh }.run(cached)
            });
            if !is_cached {
                self.in_flight.add(&exchange);
            }
            exchange
        });
        exchange.subscribe(target.priority)
    }

    /// Caches the body of a response.
    pub(super) fn cache_body(&self, target: &Target, body: Vec<u8>) {
        self.cache.borrow_mut().insert(&target.key(), body, self.runtime.now_ms(), target.reloads);
    }
}
