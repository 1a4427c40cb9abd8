//! Shares one rate limiter among all clients that have the same origin, API key, limits and `fetch`. A page may create many
//! clients, and the service limits them together. A gateway serves many chains, and limits the key for all of them.
//!
//! Limiters of other tabs and workers are connected (`tabs`), unless a function provides the key or the responses: whether two
//! functions of different tabs are the same is unknown.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use wasm_bindgen::JsValue;

use super::tabs;
use crate::client::resume::digest;
use crate::client::{ClientOptions, RateLimiter, RateLimits};
use crate::strings::format_digits;

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
            if fetch.is_undefined() && (api_key.is_undefined() || api_key.is_string()) {
                tabs::connect(&limiter, &channel_name(origin, &api_key, limits));
            }
            let (origin, weak) = (origin.to_owned(), Rc::downgrade(&limiter));
            shared.push(SharedLimiter { origin, api_key, fetch, limits, limiter: weak });
            limiter
        })
    })
}

/// The name of the channel for these options. It has a digest of the API key, because every script of the page's origin can see
/// it.
fn channel_name(origin: &str, api_key: &JsValue, limits: RateLimits) -> String {
    let mut bytes = api_key.as_string().unwrap_or_default().into_bytes();
    bytes.extend(limits.max_per_second.unwrap_or(0.0).to_le_bytes());
    bytes.extend(limits.max_concurrent.to_le_bytes());
    ["address-query ", origin, " ", &*format_digits(digest(&bytes), 16, 16)].concat()
}
