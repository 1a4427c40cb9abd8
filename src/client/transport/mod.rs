//! Sends requests. [`Transport::subscribe`] joins an equal request in flight (`sharing`), or creates a new one.
//! [`Exchange`] sends it when the rate limiter permits it, with the `api_key`.

mod api_key;
mod sharing;

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;
use std::pin::Pin;
use std::rc::Rc;

use futures_util::stream::{self, StreamExt};

pub use api_key::{ApiKey, ApiKeyFuture, FOREIGN_KEY, GATEWAY_KEY};
pub(crate) use sharing::{Chunks, Flight, PendingResponse, Target};

use self::api_key::add_to_url;
use self::sharing::{InFlight, SharedBody, SharedResponse};
use super::credits::CreditCounter;
use super::event::{Event, EventKind, EventSink};
use super::rate_limiter::{Priority, RateLimiter};
use super::runtime::{HttpRequest, NetworkError, Response, Runtime};
use crate::endpoint::base_url::GATEWAY;
use crate::error::{Error, ErrorCode, option_name};

/// Size of the beginning of a body that is kept for error messages, in bytes.
pub(crate) const HEAD_BYTES: usize = 4096;

/// A future that completes after a delay. Boxed, because the compiler would otherwise repeat its code at each use.
type Sleep<'a> = Pin<Box<dyn Future<Output = ()> + 'a>>;

/// The client options that a transport needs.
pub(crate) struct TransportOptions {
    pub(super) api_key: Option<ApiKey>,
    /// Whether the base URL ends with the id of a chain, at the gateway or a proxy for it.
    pub(super) is_gateway: bool,
    /// Whether the base URL is the instance of a known chain, which must not receive a key of the gateway.
    pub(super) refuses_gateway_key: bool,
    pub(super) on_event: Option<EventSink>,
    pub(super) max_response_bytes: usize,
    /// Maximum wait to accept from rate limit headers, in milliseconds. It is an option of the client, not of a call, because
    /// calls share the rate limiter.
    pub(super) max_rate_limit_wait_ms: u64,
    pub(super) max_credits: Option<u64>,
    pub(super) show_scam_tokens: bool,
}

/// Sends the requests of a client.
pub(crate) struct Transport<R: Runtime> {
    pub(super) runtime: R,
    pub(super) limiter: Rc<RateLimiter>,
    pub(super) options: TransportOptions,
    pub(super) credits: CreditCounter,
    in_flight: InFlight,
}

impl<R: Runtime> fmt::Debug for Transport<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Transport")
    }
}

impl<R: Runtime> Transport<R> {
    pub(super) fn new(runtime: R, limiter: Rc<RateLimiter>, options: TransportOptions) -> Self {
        let credits = CreditCounter::new(options.max_credits);
        Self { runtime, limiter, options, credits, in_flight: InFlight::default() }
    }

    /// Joins an equal request in flight, or creates a new one, which is sent when its response is awaited. `attempt` is the number of the
    /// attempt, from 1.
    pub(super) fn subscribe(self: &Rc<Self>, target: &Rc<Target>, attempt: u32) -> (Rc<Flight>, PendingResponse) {
        let is_shareable = !target.is_fresh && self.runtime.check_interval_ms().is_none();
        let shared = if is_shareable { self.in_flight.find(target) } else { None };
        let (flight, response) = if let Some(shared) = shared {
            shared
        } else {
            let transport = Rc::clone(self);
            self.in_flight.add(Rc::clone(target), |flight| Exchange { transport, flight, attempt }.run())
        };
        if target.priority == Priority::Interactive {
            flight.priority.set(Priority::Interactive);
        }
        (flight, response)
    }

    pub(super) fn sleep(&self, ms: u64) -> Sleep<'_> {
        Box::pin(self.runtime.sleep(ms))
    }

    /// Counts the credits of a request that is about to be sent, if the instance charges any, and emits it.
    ///
    /// # Errors
    /// [`ErrorCode::CreditLimit`](crate::error::ErrorCode::CreditLimit): the request must not be sent.
    pub(super) fn emit_request(&self, url: &str, attempt: u32, credits: u32) -> Result<(), Error> {
        let credits = if self.options.is_gateway { credits } else { 0 };
        self.credits.spend(credits.into())?;
        let credits = (credits > 0).then_some(credits.into());
        self.emit(&Event { credits, ..Event::new(EventKind::Request, url, attempt) });
        Ok(())
    }

    /// Passes an event to `onEvent`.
    pub(super) fn emit(&self, event: &Event<'_>) {
        if let Some(sink) = &self.options.on_event {
            sink.emit(event);
        }
    }

    /// Removes the API key from a string, because a service may echo the request.
    pub(super) fn redact(&self, string: String) -> String {
        match &self.options.api_key {
            Some(key) => key.redact(&string),
            None => string,
        }
    }
}

/// A request and its response.
struct Exchange<R: Runtime> {
    transport: Rc<Transport<R>>,
    flight: Rc<Flight>,
    /// Number of the attempt, for events and the rate limiter.
    attempt: u32,
}

impl<R: Runtime> Exchange<R> {
    /// Sends the request. Reads the body to its end if several calls wait for it.
    async fn run(self) -> Result<Rc<SharedResponse>, Error> {
        let Response { status, headers, body } = self.send().await?;
        let is_shared = self.flight.is_shared();
        let flight = Rc::clone(&self.flight);
        flight.has_response.set(true);
        let max_bytes =
            if (200..300).contains(&status) { self.transport.options.max_response_bytes } else { HEAD_BYTES };
        let mut chunks: Chunks = Box::pin(stream::try_unfold((self, body), async |(exchange, mut body)| {
            let chunk = exchange.transport.runtime.chunk(&mut body).await;
            let chunk = chunk.map_err(|reason| exchange.network_error(reason))?;
            Ok(chunk.map(|chunk| (chunk, (exchange, body))))
        }));
        let body = if is_shared {
            let (mut buffered, mut bytes) = (Vec::new(), 0);
            while let Some(chunk) = chunks.next().await {
                bytes += chunk.as_ref().map_or(0, Vec::len);
                buffered.push(chunk);
                // The calls reject larger bodies.
                if bytes > max_bytes {
                    break;
                }
            }
            flight.release_permit();
            SharedBody::Buffered(buffered)
        } else {
            SharedBody::Arriving(Cell::new(Some(chunks)))
        };
        Ok(Rc::new(SharedResponse { status, headers, body }))
    }

    /// Waits for a permit and sends the request. Reports its outcome to the rate limiter.
    async fn send(&self) -> Result<Response<R::Body>, Error> {
        let Transport { runtime, limiter, options, .. } = &*self.transport;
        let Target { url, body, is_fresh, credits, .. } = &*self.flight.target;
        if let Some(wait) = limiter.expected_wait(runtime.now_ms()) {
            self.transport.emit(&Event { ms: Some(wait), ..self.event(EventKind::Wait) });
        }
        let permit = limiter.acquire(runtime, &self.flight.priority).await;
        let permit_id = permit.id;
        self.flight.permit.set(Some(permit));
        let key = match &options.api_key {
            Some(key) => Some(key.get(options.refuses_gateway_key).await?),
            None => None,
        };
        self.transport.emit_request(url, self.attempt, *credits)?;
        self.flight.on_sent().await;
        let sent_at = runtime.now_ms();
        // The key must reach only the base URL. A redirect could send it to another host.
        let follow_redirects = key.is_none();
        let (mut url, mut headers) = (Cow::Borrowed(&**url), Vec::new());
        let (name, scheme) = if options.is_gateway { ("authorization", "Bearer ") } else { ("x-api-key", "") };
        let credential = [scheme, key.as_deref().unwrap_or_default()].concat();
        if let Some(key) = &key {
            if runtime.has_cors() {
                url = Cow::Owned(add_to_url(&url, key));
            } else {
                headers.push((name, &*credential));
            }
        }
        if body.is_some() {
            headers.push(("content-type", "application/json"));
        }
        if options.show_scam_tokens {
            headers.push(("show-scam-tokens", "true"));
        }
        // A retry must not be answered with the cached failure.
        let is_fresh = *is_fresh || self.attempt > 1;
        let request = HttpRequest { url: &url, headers: &headers, body: body.as_deref(), follow_redirects, is_fresh };
        let response = runtime.send(request).await;
        let now = runtime.now_ms();
        let Response { status, headers, body } = response.map_err(|reason| {
            limiter.on_network_failure(permit_id, now, self.attempt, runtime.random());
            self.network_error(reason)
        })?;
        limiter.on_response(permit_id, status, &headers, now, options.max_rate_limit_wait_ms);
        let ms = Some(now.saturating_sub(sent_at));
        self.transport.emit(&Event { ms, status: Some(status), ..self.event(EventKind::Response) });
        let credits = self.transport.credits.observe_headers(&headers);
        if credits.is_some() {
            self.transport.emit(&Event { credits, ..self.event(EventKind::Credits) });
        }
        Ok(Response { status, headers, body })
    }

    fn event(&self, kind: EventKind) -> Event<'_> {
        Event::new(kind, &self.flight.target.url, self.attempt)
    }

    /// The error for a request without a response. A browser does not reveal the reason, and hides responses without
    /// CORS headers.
    fn network_error(&self, NetworkError(reason): NetworkError) -> Error {
        let proxy = if self.flight.target.url.starts_with(GATEWAY) {
            "; from a web page read the gateway through a proxy on your server (address-query/proxy)"
        } else {
            ""
        };
        let advice = concat!(
            "); check the connection and ",
            option_name!(base_url),
            ". A page of another origin must be allowed by CORS, and a CDN that blocks a request or limits its rate looks like this too"
        );
        Error::new(ErrorCode::Network, ["no response (", &*reason, advice, proxy].concat())
    }
}
