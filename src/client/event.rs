//! Events that the client emits for logs and metrics: requests, responses, waits and retries.

use std::fmt;
use std::rc::Rc;

use crate::error::ErrorCode;
use crate::object::{object, string_enum};

string_enum! {
    /// Kind of an [`Event`].
    EventKind {
        /// A request waits at least `ms` for the rate limit or for a free slot in flight.
        Wait = "wait",
        /// A request is sent. It costs `credits`.
        Request = "request",
        /// The status and headers of a response arrived, `ms` after the request was sent.
        Response = "response",
        /// A response stated that `credits` of the API key's plan remain. Browsers hide this header unless the service exposes it.
        Credits = "credits",
        /// An attempt failed with `code`. The next one follows in `ms`, or later if other requests are queued before
        /// it. `all()` may then request a smaller window.
        Retry = "retry",
    }
}

object! {
    /// An event of a client, for logs and metrics.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    Event<'a> "ClientEvent" {
        /// The kind of event.
        kind: EventKind,
        /// The URL, without the API key.
        url: &'a str,
        /// The number of the attempt, from 1.
        attempt: u32,
        /// A duration in milliseconds: of the wait, until the headers arrived, or until the next attempt. See
        /// `EventKind`.
        ms @optional: Option<u64>,
        /// HTTP status of the response. 0 if the browser hides it, as for a redirect that is not followed.
        status @optional: Option<u16>,
        /// Why the attempt failed.
        code @optional: Option<ErrorCode>,
        /// Credits of the API key's plan: the cost of a request, or the remaining credits, which are negative if more
        /// were used. See `EventKind`. An instance read by its URL charges none.
        credits @optional: Option<i64>,
    }
}

impl<'a> Event<'a> {
    pub(crate) const fn new(kind: EventKind, url: &'a str, attempt: u32) -> Self {
        Self { kind, url, attempt, ms: None, status: None, code: None, credits: None }
    }
}

/// A callback for events. Clones call the same function.
///
/// ```
/// use address_query::client::{ClientOptions, EventKind, EventSink};
///
/// let options = ClientOptions::new("https://eth.blockscout.com".parse()?).on_event(EventSink::new(|event| {
///     if event.kind == EventKind::Retry {
///         println!("{} failed: {:?}", event.url, event.code);
///     }
/// }));
/// # Ok::<(), address_query::error::Error>(())
/// ```
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
