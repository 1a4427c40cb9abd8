//! Performs a fetch and emits its events: an HTTP exchange, or the replay of a cached body.

use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;

use super::Inner;
use super::event::{Event, EventKind};
use super::event_log::FetchEvent;
use super::runtime::{Either, Headers, MAX_CHUNK_BYTES, NetworkError, Response, Runtime, race};
use super::shared_fetch::FetchOutput;
use crate::error::{Error, ErrorCode};

/// Decoding yields to the event loop after this many milliseconds. (The clock has a resolution of one millisecond. Garbage
/// collection takes additional time.)
const YIELD_AFTER_MS: u64 = 2;

/// An HTTP exchange: the wait for a permit, the request and its response.
pub(super) struct Exchange<R: Runtime> {
    pub(super) client: Rc<Inner<R>>,
    pub(super) output: Rc<FetchOutput>,
    pub(super) url: String,
    /// Number of the attempt, for events and the rate limiter.
    pub(super) attempt: u32,
}

impl<R: Runtime> Exchange<R> {
    /// Waits for a permit, sends the request and reads the response.
    pub(super) async fn run(self) {
        let Inner { runtime, limiter, .. } = &*self.client;
        if let Some(wait) = limiter.expected_wait(runtime.now_ms()) {
            self.client.emit(&Event { ms: Some(wait), ..self.event(EventKind::Wait) });
        }
        let permit = loop {
            let priority = self.output.priority();
            let is_raised =
                poll_fn(|_| if self.output.priority() == priority { Poll::Pending } else { Poll::Ready(()) });
            if let Either::Left(permit) = race(limiter.acquire(runtime, priority), is_raised).await {
                break permit;
            }
        };
        let permit_id = permit.id;
        self.output.hold_permit(permit);
        self.output.finish(match self.send(permit_id).await {
            Ok(()) => FetchEvent::End,
            Err(error) => FetchEvent::Failed(error),
        });
    }

    /// Sends the request, and reports its outcome to the rate limiter. Reads the response.
    async fn send(&self, permit_id: u64) -> Result<(), Error> {
        let Inner { runtime, limiter, api_key, .. } = &*self.client;
        let key = match api_key {
            Some(key) => Some(key.get().await?),
            None => None,
        };
        self.client.emit(&self.event(EventKind::Request));
        self.output.emit(FetchEvent::Sent).await;
        let sent_at = runtime.now_ms();
        // The key must reach only the base URL. A redirect could send it to another host.
        let follow_redirects = key.is_none();
        let url = key.map_or_else(|| self.url.clone(), |key| super::api_key::add_to_url(&self.url, &key));
        let response = runtime.send(&url, follow_redirects).await;
        let now = runtime.now_ms();
        let Response { status, headers, mut body } = response.map_err(|reason| {
            limiter.on_network_failure(permit_id, now, self.attempt, runtime.random());
            network_error(reason)
        })?;
        limiter.observe_headers(&headers, now, self.client.max_wait_ms);
        if status == 429 {
            limiter.on_rate_limited(Some(permit_id), now);
        } else {
            limiter.on_success(now);
        }
        let ms = Some(now.saturating_sub(sent_at));
        self.client.emit(&Event { ms, status: Some(status), ..self.event(EventKind::Response) });
        self.output.emit(FetchEvent::Head(status, headers)).await;
        let mut pacer = Pacer::new(runtime);
        while let Some(chunk) = runtime.chunk(&mut body).await.map_err(network_error)? {
            pacer.emit_chunk(&self.output, chunk).await;
        }
        Ok(())
    }

    fn event(&self, kind: EventKind) -> Event<'_> {
        Event::new(kind, &self.url, self.attempt)
    }
}

/// Replays a cached body like a response that arrives.
pub(super) async fn replay<R: Runtime>(client: Rc<Inner<R>>, output: Rc<FetchOutput>, body: Rc<Vec<u8>>) {
    output.emit(FetchEvent::Sent).await;
    output.emit(FetchEvent::Head(200, Headers::new())).await;
    let mut pacer = Pacer::new(&client.runtime);
    for chunk in body.chunks(MAX_CHUNK_BYTES as usize) {
        pacer.emit_chunk(&output, chunk.to_vec()).await;
    }
    output.finish(FetchEvent::End);
}

/// Emits the chunks of a body. Yields to the event loop if decoding them has blocked it for too long.
struct Pacer<'a, R> {
    runtime: &'a R,
    bytes: usize,
    /// When the event loop last ran.
    yielded_at: u64,
}

impl<'a, R: Runtime> Pacer<'a, R> {
    fn new(runtime: &'a R) -> Self {
        Self { runtime, bytes: 0, yielded_at: runtime.now_ms() }
    }

    /// Emits a chunk, and waits until it is decoded and the event loop has run if necessary. (Time spent waiting for data
    /// counts too. With fewer yields, large responses that arrive at once take longer.)
    async fn emit_chunk(&mut self, output: &FetchOutput, chunk: Vec<u8>) {
        self.bytes += chunk.len();
        output.emit(FetchEvent::Chunk(chunk)).await;
        let is_due = self.runtime.now_ms().saturating_sub(self.yielded_at) >= YIELD_AFTER_MS;
        if is_due && self.bytes >= MAX_CHUNK_BYTES as usize {
            self.runtime.sleep(0).await;
            self.yielded_at = self.runtime.now_ms();
        }
    }
}

fn network_error(NetworkError(reason): NetworkError) -> Error {
    let advice = "); check the connection and baseUrl. A page of another origin must be allowed by CORS, and errors of \
                  a CDN in front of the service look like this too";
    Error::new(ErrorCode::Network, ["no response (", &*reason, advice].concat())
}
