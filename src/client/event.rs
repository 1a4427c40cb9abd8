//! Events that the client emits for logs and metrics: requests, responses, waits, retries and cache hits.

use std::fmt;
use std::rc::Rc;

use crate::error::ErrorCode;
use crate::strings::string_enum;

string_enum! {
    /// Kind of an [`Event`].
    EventKind {
        /// A request waits at least `ms` for the rate limit or for a free slot in flight.
        Wait = "wait",
        /// A request is sent.
        Request = "request",
        /// The status and headers of a response arrived, `ms` after the request was sent.
        Response = "response",
        /// A response stated that `credits` of the API key's plan remain. Browsers hide this header unless the service exposes it.
        Credits = "credits",
        /// An attempt failed with `code`. The next one follows in `ms`, or later if other requests are queued before it.
        /// `all()` may request a smaller window then.
        Retry = "retry",
        /// A response was served from the cache (`cacheMs`); nothing was sent.
        CacheHit = "cache_hit",
    }
}

/// Something that the client did or is about to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event<'a> {
    /// Kind of event. It determines what the other fields mean.
    pub kind: EventKind,
    /// The URL, without the API key.
    pub url: &'a str,
    /// Number of the attempt, starting at 1.
    pub attempt: u32,
    /// A duration in milliseconds; see [`EventKind`].
    pub ms: Option<u64>,
    /// HTTP status of the response.
    pub status: Option<u16>,
    /// Error code of the failed attempt.
    pub code: Option<ErrorCode>,
    /// Credits that remain. Negative if more were used.
    pub credits: Option<i64>,
}

impl<'a> Event<'a> {
    pub(crate) const fn new(kind: EventKind, url: &'a str, attempt: u32) -> Self {
        Self { kind, url, attempt, ms: None, status: None, code: None, credits: None }
    }
}

/// A callback for events. Clones call the same function.
#[derive(Clone)]
pub struct EventSink(Rc<dyn Fn(&Event<'_>)>);

impl EventSink {
    /// A sink that calls this function with each event.
    pub fn new(callback: impl Fn(&Event<'_>) + 'static) -> Self {
        Self(Rc::new(callback))
    }

    pub(crate) fn emit(&self, event: &Event<'_>) {
        (self.0)(event);
    }
}

impl fmt::Debug for EventSink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EventSink")
    }
}
