//! Performs an [`Exchange`]: sends a request, and passes on the response, or buffers it for several calls.

use std::borrow::Cow;
use std::cell::Cell;
use std::rc::Rc;

use futures_util::stream::{self, StreamExt};

use super::api_key::add_to_url;
use super::context::Transport;
use super::sharing::{Chunks, Flight, SharedBody, SharedResponse, Target};
use crate::client::event::{Event, EventKind};
use crate::client::runtime::{HttpRequest, NetworkError, Response, Runtime};
use crate::endpoint::base_url::GATEWAY;
use crate::error::{Error, ErrorCode, option_name};

/// Size of the beginning of a body that is kept for error messages, in bytes.
pub(crate) const HEAD_BYTES: usize = 4096;

/// A request and its response.
pub(super) struct Exchange<R: Runtime> {
    pub(super) transport: Rc<Transport<R>>,
    pub(super) flight: Rc<Flight>,
    /// Number of the attempt, for events and the rate limiter.
    pub(super) attempt: u32,
}

impl<R: Runtime> Exchange<R> {
    /// Sends the request. Reads the body to its end if several calls wait for it.
    pub(super) async fn run(self) -> Result<Rc<SharedResponse>, Error> {
        let Response { status, headers, body } = self.send().await?;
        let is_shared = self.flight.is_shared();
        let flight = Rc::clone(&self.flight);
        flight.has_response.set(true);
        let max_bytes =
            if (200..300).contains(&status) { self.transport.options.max_response_bytes } else { HEAD_BYTES };
        let mut chunks = self.read(body);
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

    /// Returns the chunks of a body.
    fn read(self, body: R::Body) -> Chunks {
        Box::pin(stream::try_unfold((self, body), async |(exchange, mut body)| {
            let chunk = exchange.transport.runtime.chunk(&mut body).await;
            let chunk = chunk.map_err(|reason| exchange.network_error(reason))?;
            Ok(chunk.map(|chunk| (chunk, (exchange, body))))
        }))
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
