//! What the client tells of its work: each request, each answer, each wait.

use std::fmt;
use std::rc::Rc;

use crate::error::ErrorCode;
use crate::text::codes;

codes! {
    /// What an [`Event`] tells of.
    EventKind {
        /// A request waits for its turn, `ms` or longer: the pace is kept, or the service asked for a pause.
        Wait = "wait",
        /// A request is sent.
        Request = "request",
        /// The head of an answer came, `ms` after its request was sent.
        Response = "response",
        /// An attempt failed with `code`; the next one follows in `ms`, or later if others come first. `all()` may ask for less then.
        Retry = "retry",
        /// A response was served from the cache (`cacheMs`); nothing was sent.
        CacheHit = "cache_hit",
    }
}

/// Something the client does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event<'a> {
    /// What it does.
    pub kind: EventKind,
    /// The URL, without the API key.
    pub url: &'a str,
    /// Which attempt it is, from 1.
    pub attempt: u32,
    /// A time in milliseconds, as the kind says.
    pub ms: Option<u64>,
    /// HTTP status of the answer.
    pub status: Option<u16>,
    /// Why the attempt failed.
    pub code: Option<ErrorCode>,
}

impl<'a> Event<'a> {
    pub(crate) const fn new(kind: EventKind, url: &'a str, attempt: u32) -> Self {
        Self { kind, url, attempt, ms: None, status: None, code: None }
    }
}

/// Who hears of events.
#[derive(Clone)]
pub struct EventSink(Rc<dyn Fn(&Event<'_>)>);

impl EventSink {
    /// Calls this function with each event.
    pub fn new(hear: impl Fn(&Event<'_>) + 'static) -> Self {
        Self(Rc::new(hear))
    }

    pub(crate) fn tell(&self, event: &Event<'_>) {
        (self.0)(event);
    }
}

impl fmt::Debug for EventSink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("EventSink")
    }
}
