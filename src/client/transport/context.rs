//! [`Transport`]: the state that the exchanges of a client share.

use std::fmt;
use std::pin::Pin;
use std::rc::Rc;

use super::api_key::ApiKey;
use super::sharing::InFlight;
use crate::client::credits::CreditCounter;
use crate::client::event::{Event, EventKind, EventSink};
use crate::client::rate_limiter::RateLimiter;
use crate::client::runtime::Runtime;
use crate::error::Error;

/// A future that completes after a delay. Boxed, because the compiler would otherwise repeat its code at each use.
type Sleep<'a> = Pin<Box<dyn Future<Output = ()> + 'a>>;

/// The client options that a transport needs.
pub(crate) struct TransportOptions {
    pub(in crate::client) api_key: Option<ApiKey>,
    /// Whether the base URL ends with the id of a chain, at the gateway or a proxy for it.
    pub(in crate::client) is_gateway: bool,
    /// Whether the base URL is the instance of a known chain, which must not receive a key of the gateway.
    pub(in crate::client) refuses_gateway_key: bool,
    pub(in crate::client) on_event: Option<EventSink>,
    pub(in crate::client) max_response_bytes: usize,
    /// Maximum wait to accept from rate limit headers, in milliseconds. It is an option of the client, not of a call, because
    /// calls share the rate limiter.
    pub(in crate::client) max_rate_limit_wait_ms: u64,
    pub(in crate::client) max_credits: Option<u64>,
    pub(in crate::client) show_scam_tokens: bool,
}

/// Sends the requests of a client.
pub(crate) struct Transport<R: Runtime> {
    pub(in crate::client) runtime: R,
    pub(in crate::client) limiter: Rc<RateLimiter>,
    pub(in crate::client) options: TransportOptions,
    pub(in crate::client) credits: CreditCounter,
    pub(super) in_flight: InFlight,
}

impl<R: Runtime> fmt::Debug for Transport<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Transport")
    }
}

impl<R: Runtime> Transport<R> {
    pub(in crate::client) fn new(runtime: R, limiter: Rc<RateLimiter>, options: TransportOptions) -> Self {
        let credits = CreditCounter::new(options.max_credits);
        Self { runtime, limiter, options, credits, in_flight: InFlight::default() }
    }

    pub(in crate::client) fn sleep(&self, ms: u64) -> Sleep<'_> {
        Box::pin(self.runtime.sleep(ms))
    }

    /// Counts the credits of a request that is about to be sent, and emits it.
    ///
    /// # Errors
    /// [`ErrorCode::CreditLimit`](crate::error::ErrorCode::CreditLimit): the request must not be sent.
    pub(in crate::client) fn emit_request(&self, url: &str, attempt: u32, credits: u32) -> Result<(), Error> {
        self.credits.spend(credits.into())?;
        let credits = (credits > 0).then_some(credits.into());
        self.emit(&Event { credits, ..Event::new(EventKind::Request, url, attempt) });
        Ok(())
    }

    /// Passes an event to `onEvent`.
    pub(in crate::client) fn emit(&self, event: &Event<'_>) {
        if let Some(sink) = &self.options.on_event {
            sink.emit(event);
        }
    }

    /// Removes the API key from a string, because a service may echo the request.
    pub(in crate::client) fn redact(&self, string: String) -> String {
        match &self.options.api_key {
            Some(key) => key.redact(&string),
            None => string,
        }
    }
}
