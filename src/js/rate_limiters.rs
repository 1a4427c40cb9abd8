//! Shares one rate limiter among all clients that have the same instance, API key, limits and `fetch`. A page may create many
//! clients, and the service limits them together.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use js_sys::Function;

use crate::client::{ApiKey, ClientOptions, RateLimiter, RateLimits};
use crate::endpoint::BaseUrl;

thread_local! {
    static SHARED: RefCell<Vec<SharedLimiter>> = const { RefCell::new(Vec::new()) };
}

struct SharedLimiter {
    fetch: Option<Function>,
    base: BaseUrl,
    api_key: Option<ApiKey>,
    limits: RateLimits,
    limiter: Weak<RateLimiter>,
}

impl SharedLimiter {
    fn matches(&self, fetch: Option<&Function>, options: &ClientOptions) -> bool {
        let same_key = match (&self.api_key, &options.api_key) {
            (Some(one), Some(other)) => one.is_same(other),
            (one, other) => one.is_none() && other.is_none(),
        };
        self.fetch.as_ref() == fetch && same_key && self.base == options.base_url && self.limits == options.limits
    }
}

/// Returns the rate limiter for a client with these options. Creates one if no other client has a matching one.
pub(super) fn find_or_create(fetch: Option<&Function>, options: &ClientOptions) -> Rc<RateLimiter> {
    SHARED.with_borrow_mut(|shared| {
        shared.retain(|entry| entry.limiter.strong_count() > 0);
        let found = shared.iter().find(|entry| entry.matches(fetch, options)).and_then(|entry| entry.limiter.upgrade());
        found.unwrap_or_else(|| {
            let (base, api_key, limits) = (options.base_url.clone(), options.api_key.clone(), options.limits);
            let limiter = Rc::new(RateLimiter::new(limits));
            shared.push(SharedLimiter {
                fetch: fetch.cloned(),
                base,
                api_key,
                limits,
                limiter: Rc::downgrade(&limiter),
            });
            limiter
        })
    })
}
