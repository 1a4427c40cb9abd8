//! One pace for all clients of an instance with the same key, limits and `fetch`, however many a page makes of them.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use js_sys::Function;

use crate::client::{ApiKey, ClientSettings, RateLimiter, RateLimits};
use crate::endpoint::BaseUrl;

thread_local! {
    static KNOWN: RefCell<Vec<Known>> = const { RefCell::new(Vec::new()) };
}

struct Known {
    fetch: Option<Function>,
    base: BaseUrl,
    api_key: Option<ApiKey>,
    limits: RateLimits,
    pace: Weak<RateLimiter>,
}

impl Known {
    fn is_for(&self, fetch: Option<&Function>, settings: &ClientSettings) -> bool {
        let same_key = match (&self.api_key, &settings.api_key) {
            (Some(one), Some(other)) => one.is_same(other),
            (one, other) => one.is_none() && other.is_none(),
        };
        self.fetch.as_ref() == fetch && same_key && self.base == settings.base && self.limits == settings.limits
    }
}

/// The pace that a client with these settings keeps.
pub(super) fn shared(fetch: Option<&Function>, settings: &ClientSettings) -> Rc<RateLimiter> {
    KNOWN.with_borrow_mut(|known| {
        known.retain(|known| known.pace.strong_count() > 0);
        let found = known.iter().find(|known| known.is_for(fetch, settings)).and_then(|known| known.pace.upgrade());
        found.unwrap_or_else(|| {
            let (base, api_key, limits) = (settings.base.clone(), settings.api_key.clone(), settings.limits);
            let pace = Rc::new(RateLimiter::new(limits));
            known.push(Known { fetch: fetch.cloned(), base, api_key, limits, pace: Rc::downgrade(&pace) });
            pace
        })
    })
}
