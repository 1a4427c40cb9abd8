//! Shares one rate limiter among all clients that have the same origin, API key, limits and `fetch`. A page may create many
//! clients, and the service limits them together. A gateway serves many chains, and limits the key for all of them.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use wasm_bindgen::JsValue;

use crate::client::{ClientOptions, RateLimiter, RateLimits};

thread_local! {
    static SHARED: RefCell<Vec<SharedLimiter>> = const { RefCell::new(Vec::new()) };
}

struct SharedLimiter {
    origin: String,
    /// The options `apiKey` and `fetch`, or undefined. The same function gives the same key.
    api_key: JsValue,
    fetch: JsValue,
    limits: RateLimits,
    limiter: Weak<RateLimiter>,
}

/// Returns the rate limiter for a client with these options. Creates one if no other client has a matching one.
pub(super) fn find_or_create(options: &ClientOptions, api_key: JsValue, fetch: JsValue) -> Rc<RateLimiter> {
    let (origin, limits) = (options.base_url.origin(), options.limits);
    SHARED.with_borrow_mut(|shared| {
        shared.retain(|entry| entry.limiter.strong_count() > 0);
        let found = shared.iter().find(|entry| {
            entry.origin == origin && entry.api_key == api_key && entry.fetch == fetch && entry.limits == limits
        });
        found.and_then(|entry| entry.limiter.upgrade()).unwrap_or_else(|| {
            let limiter = Rc::new(RateLimiter::new(limits));
            let (origin, weak) = (origin.to_owned(), Rc::downgrade(&limiter));
            shared.push(SharedLimiter { origin, api_key, fetch, limits, limiter: weak });
            limiter
        })
    })
}
