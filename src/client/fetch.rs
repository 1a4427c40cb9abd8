//! Fetches a URL and decodes the response: from the cache, from a fetch in flight, or with a new request. Waits for the rate
//! limiter, enforces timeouts, and retries.
//!
//! Start at [`Client::fetch`]. [`super::retry`] decides which errors are retried. [`super::shared_fetch`] shares a fetch
//! between callers.

use std::future::poll_fn;
use std::rc::{Rc, Weak};
use std::task::Poll;

use super::event::{Event, EventKind};
use super::rate_limiter::Priority;
use super::response_cache::NEVER_CACHED;
use super::retry::BUDGET_EXHAUSTED;
use super::runtime::{Headers, MAX_CHUNK_BYTES, NetworkError, Response, Runtime};
use super::shared_fetch::{EventLog, FetchEvent, SharedFetch, Subscriber, wait_for_demand};
use super::{Client, DecodedPage, Inner, PageReader, Sleep, response_error};
use crate::decode::Cursor;
use crate::endpoint::Request;
use crate::endpoint::request::percent_encode;
use crate::error::{Error, ErrorCode};
use crate::strings::{ELLIPSIS, contains_any, format_u64, parse_u64, trim};

/// Size of the beginning of a body that is kept for error messages, in bytes.
const HEAD_BYTES: usize = 4096;

/// Decoding yields to the event loop after this many milliseconds. (The clock has a resolution of one millisecond. Garbage
/// collection takes additional time.)
const YIELD_AFTER_MS: u64 = 2;

/// Checks a decoded page or batch, given the beginning of its body.
pub(crate) type Validator<'a, P> = &'a mut dyn FnMut(&mut P, &[u8]) -> Result<(), Error>;

/// What to fetch.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) url: String,
    /// Whether the response may come from the cache, and is stored there.
    is_cacheable: bool,
    priority: Priority,
}

/// A page, or a batch of its rows with the rest of the response.
#[derive(Debug)]
pub(crate) struct Fetched<P> {
    pub(crate) decoded: DecodedPage<P>,
    /// None if the response was read to its end.
    pub(crate) rest: Option<Box<StreamingResponse>>,
}

/// A response that has not been read to its end.
#[derive(Debug)]
pub(crate) struct StreamingResponse {
    subscriber: Subscriber,
    attempt: u32,
    /// Status and headers, if the status is a failure.
    failed_status: Option<(u16, Headers)>,
    /// The beginning of the body.
    head: Vec<u8>,
    /// Number of bytes read.
    bytes_read: usize,
    /// The body so far, if the response is to be cached.
    cacheable_body: Option<Vec<u8>>,
    /// Time left for this attempt, in milliseconds. Only time in which the call waits for data counts.
    timeout_left_ms: u64,
    /// Time left for the call, in milliseconds, counted in the same way.
    deadline_left_ms: u64,
    /// When the call began to wait.
    waiting_since: u64,
    /// When the event loop last ran.
    yielded_at: u64,
}

impl StreamingResponse {
    /// Subtracts the time that the call has waited from the time left.
    fn subtract_waited_time(&mut self, now: u64) {
        let waited = now.saturating_sub(self.waiting_since);
        self.timeout_left_ms = self.timeout_left_ms.saturating_sub(waited);
        self.deadline_left_ms = self.deadline_left_ms.saturating_sub(waited);
        self.waiting_since = now;
    }
}

/// What a fetch continues from: a failed attempt, or a response that is still arriving. The default starts a new request.
#[derive(Debug, Default)]
pub(crate) struct Resumed {
    pub(crate) failed: Option<Error>,
    pub(crate) rest: Option<Box<StreamingResponse>>,
    /// The delay before this request, if it replaces one that failed.
    pub(crate) delay: Option<RetryDelay>,
}

/// The delay before a retry, and the failure that it follows.
#[derive(Debug)]
pub(crate) struct RetryDelay {
    ms: u64,
    status: Option<u16>,
    code: ErrorCode,
}

impl RetryDelay {
    pub(crate) fn new(error: &Error, ms: u64) -> Self {
        Self { ms, status: error.status, code: error.code }
    }
}

/// A page or batch if one is complete, and whether the response has ended.
type Progress<P> = Result<Option<(DecodedPage<P>, bool)>, Error>;

impl<R: Runtime> Client<R> {
    /// The target for the page that this cursor requests, or for the first page.
    pub(crate) fn target(&self, request: &Request, cursor: Option<&Cursor>) -> Target {
        let priority = if cursor.is_some() { Priority::Bulk } else { Priority::Interactive };
        Target { priority, ..self.target_for_url(request, request.url(self.base_url(), cursor)) }
    }

    /// The target for a URL of this request, with the priority of further pages.
    pub(crate) fn target_for_url(&self, request: &Request, url: String) -> Target {
        let is_cacheable = self.inner.cache_ms > 0 && !NEVER_CACHED.contains(&request.operation().name);
        Target { url, is_cacheable, priority: Priority::Bulk }
    }

    /// Fetches a target, decodes the response and validates it. Returns the page, or a batch if `reader` delivers batches.
    ///
    /// Failed attempts are retried. The rest of a response is not, because its first rows were delivered already.
    pub(crate) async fn fetch<P: PageReader>(
        &self,
        target: &Target,
        reader: &mut P,
        validate: Validator<'_, P::Page>,
        mut resumed: Resumed,
    ) -> Result<Fetched<P::Page>, Error> {
        let deadline = self.runtime().now_ms().saturating_add(self.retry_policy.deadline_ms);
        let is_rest = resumed.rest.is_some();
        let mut attempt = 1;
        let mut delay_ms = resumed.delay.take().map(|delay| self.emit_retry(&delay, &target.url, attempt));
        loop {
            if let Some(ms) = delay_ms.take() {
                self.inner.sleep(ms).await;
            }
            let started = match (resumed.failed.take(), resumed.rest.take()) {
                (Some(error), _) => Err(error),
                (None, Some(rest)) => Ok(rest),
                (None, None) => Ok(self.start_fetch(target, attempt, deadline)?),
            };
            let outcome = match started {
                Ok(response) => self.read_response(response, reader, validate).await,
                Err(error) => Err(error),
            };
            let error = match outcome {
                Err(error) if !is_rest => error,
                outcome => {
                    if outcome.is_ok() {
                        self.inner.limiter.refund_retries(attempt - 1);
                    }
                    return outcome;
                }
            };
            delay_ms = self.after_failed_attempt(error, &target.url, attempt, deadline)?;
            attempt += 1;
        }
    }

    /// Decides what follows a failed attempt: the error, or a retry after the returned delay. The delay is None while the rate
    /// limiter holds all requests after a refusal, because the retry then waits in its queue.
    fn after_failed_attempt(
        &self,
        mut error: Error,
        url: &str,
        attempt: u32,
        deadline: u64,
    ) -> Result<Option<u64>, Error> {
        let Inner { runtime, limiter, .. } = &*self.inner;
        let (now, random) = (runtime.now_ms(), runtime.random());
        let held = match error.code {
            ErrorCode::RateLimited => {
                // Some instances refuse with status 200, so the rate limiter has not noticed.
                if error.status != Some(429) {
                    limiter.on_rate_limited(None, now);
                }
                Some(limiter.hold(now, self.retry_policy.stated_wait_ms(&error), attempt, random))
            }
            ErrorCode::Network => Some(limiter.held_ms(now)).filter(|ms| *ms > 0),
            _ => None,
        };
        let delay_ms = held.unwrap_or_else(|| self.retry_policy.retry_delay_ms(&error, attempt, random));
        if !self.retry_policy.should_retry(&error, attempt) || now.saturating_add(delay_ms) >= deadline {
            return Err(self.add_context(error, url, attempt));
        }
        if !limiter.take_retry() {
            error.message.push_str(BUDGET_EXHAUSTED);
            return Err(self.add_context(error, url, attempt));
        }
        let delay_ms = self.emit_retry(&RetryDelay::new(&error, delay_ms), url, attempt);
        Ok(held.is_none().then_some(delay_ms))
    }

    /// Emits a retry event, and returns the delay.
    fn emit_retry(&self, &RetryDelay { ms, status, code }: &RetryDelay, url: &str, attempt: u32) -> u64 {
        let event = Event::new(EventKind::Retry, url, attempt);
        self.inner.emit(&Event { ms: Some(ms), status, code: Some(code), ..event });
        ms
    }

    /// Reads a response to its end or until a batch is complete, within the time that is left.
    async fn read_response<P: PageReader>(
        &self,
        mut response: Box<StreamingResponse>,
        reader: &mut P,
        validate: Validator<'_, P::Page>,
    ) -> Result<Fetched<P::Page>, Error> {
        response.waiting_since = self.runtime().now_ms();
        let mut time_limit = self.time_limit(&response);
        let page = loop {
            let mut pending_yield = self.yield_if_due(&response);
            let event = poll_fn(|context| {
                if let Some(sleep) = &mut pending_yield {
                    if sleep.as_mut().poll(context).is_pending() {
                        return time_limit.as_mut().poll(context).map(|()| None);
                    }
                    pending_yield = None;
                    response.yielded_at = self.runtime().now_ms();
                }
                match response.subscriber.poll(context) {
                    Poll::Ready(event) => Poll::Ready(Some(event)),
                    Poll::Pending => time_limit.as_mut().poll(context).map(|()| None),
                }
            })
            .await;
            let is_sent = matches!(event, Some(FetchEvent::Sent));
            match self.handle_event(event, &mut response, reader).transpose() {
                Some(page) => break page,
                None if is_sent => time_limit = self.time_limit(&response),
                None => {}
            }
        };
        self.finish_read(page, response, validate)
    }

    /// Sleeps for the time that is left for the response.
    fn time_limit(&self, response: &StreamingResponse) -> Sleep<'_> {
        self.inner.sleep(response.timeout_left_ms.min(response.deadline_left_ms))
    }

    /// Yields to the event loop if decoding has blocked it for too long. Reads of data that has already arrived do not yield.
    /// (Time spent waiting for data counts too. With fewer yields, large responses that arrive at once take longer.)
    fn yield_if_due(&self, response: &StreamingResponse) -> Option<Sleep<'_>> {
        let is_due = response.bytes_read >= MAX_CHUNK_BYTES as usize
            && self.runtime().now_ms().saturating_sub(response.yielded_at) >= YIELD_AFTER_MS;
        is_due.then(|| self.inner.sleep(0))
    }

    /// Handles an event of the fetch. None means that the time is up.
    fn handle_event<P: PageReader>(
        &self,
        event: Option<FetchEvent>,
        response: &mut StreamingResponse,
        reader: &mut P,
    ) -> Progress<P::Page> {
        let runtime = self.runtime();
        match event {
            None if response.failed_status.is_none() => return Err(self.timeout_error(response)),
            Some(FetchEvent::Sent) => {
                reader.begin();
                response.subtract_waited_time(runtime.now_ms());
                response.timeout_left_ms = self.retry_policy.timeout_ms;
                return Ok(None);
            }
            Some(FetchEvent::Head(status, headers)) => {
                if (200..300).contains(&status) && exceeds_limit(&headers, self.inner.max_response_bytes) {
                    return Err(too_large_error(self.inner.max_response_bytes));
                }
                response.failed_status = (!(200..300).contains(&status)).then_some((status, headers));
                // The event loop ran while the response was awaited.
                response.yielded_at = runtime.now_ms();
                return Ok(None);
            }
            Some(FetchEvent::Chunk(bytes)) => {
                let room = HEAD_BYTES.saturating_sub(response.head.len()).min(bytes.len());
                response.head.extend_from_slice(bytes.get(..room).unwrap_or_default());
                if response.failed_status.is_none() {
                    return self.feed(bytes, response, reader);
                }
                if response.head.len() < HEAD_BYTES {
                    return Ok(None);
                }
            }
            Some(FetchEvent::Failed(error)) if response.failed_status.is_none() => return Err(error),
            Some(FetchEvent::End) => {}
            // Report the failing status, although its body is truncated.
            None | Some(FetchEvent::Failed(_)) => response.head.extend_from_slice(ELLIPSIS.as_bytes()),
        }
        if let Some((status, headers)) = &response.failed_status {
            return Err(response_error::http_status_error(*status, headers, &response.head, runtime.now_ms()));
        }
        match reader.finish() {
            Ok(mut decoded) => {
                if let Some(key) = &self.inner.api_key {
                    key.remove_from_cursor(&mut decoded.next);
                    if let Some(next) = P::next_cursor_mut(&mut decoded.page) {
                        next.clone_from(&decoded.next);
                    }
                }
                Ok(Some((decoded, true)))
            }
            Err(error) => Err(response_error::decode_error(&error, &response.head)),
        }
    }

    /// Decodes a chunk. Returns a batch if one is complete.
    fn feed<P: PageReader>(
        &self,
        bytes: Vec<u8>,
        response: &mut StreamingResponse,
        reader: &mut P,
    ) -> Progress<P::Page> {
        response.bytes_read += bytes.len();
        if response.bytes_read > self.inner.max_response_bytes {
            return Err(too_large_error(self.inner.max_response_bytes));
        }
        if let Some(body) = &mut response.cacheable_body {
            body.extend_from_slice(&bytes);
        }
        reader.feed(bytes).map_err(|error| response_error::decode_error(&error, &response.head))?;
        Ok(reader.take_batch().map(|batch| (batch, false)))
    }

    /// Validates a page or batch, and caches the body of a complete response.
    fn finish_read<P>(
        &self,
        page: Result<(DecodedPage<P>, bool), Error>,
        mut response: Box<StreamingResponse>,
        validate: Validator<'_, P>,
    ) -> Result<Fetched<P>, Error> {
        let validated = page.and_then(|(mut decoded, is_end)| {
            validate(&mut decoded.page, &response.head)?;
            Ok((decoded, is_end))
        });
        let url = response.subscriber.url();
        let (decoded, is_end) = validated.map_err(|error| self.add_context(error, url, response.attempt))?;
        let now = self.runtime().now_ms();
        if is_end {
            if let Some(body) = response.cacheable_body.take() {
                self.inner.response_cache.borrow_mut().insert(url, body, now.saturating_add(self.inner.cache_ms));
            }
            return Ok(Fetched { decoded, rest: None });
        }
        // The caller may take long to handle a batch, and send other requests meanwhile.
        response.subscriber.release_permit();
        response.subtract_waited_time(now);
        Ok(Fetched { decoded, rest: Some(response) })
    }

    /// Serves the response from the cache, joins a fetch of the same URL in flight, or starts one.
    fn start_fetch(
        &self,
        Target { url, is_cacheable, priority }: &Target,
        attempt: u32,
        deadline: u64,
    ) -> Result<Box<StreamingResponse>, Error> {
        let Inner { runtime, limiter, response_cache, .. } = &*self.inner;
        let now = runtime.now_ms();
        let left = deadline.saturating_sub(now);
        if let Some(wait) = limiter.expected_wait(now).filter(|wait| *wait > left) {
            return Err(self.add_context(rate_limit_error(wait), url, attempt - 1));
        }
        let body = if *is_cacheable { response_cache.borrow_mut().get(url, now, self.inner.cache_ms) } else { None };
        let cacheable_body = (*is_cacheable && body.is_none()).then(Vec::new);
        let subscriber = match body {
            Some(body) => self.replay_cached(url, &body),
            None => self.subscribe_to_fetch(url, *priority, attempt),
        };
        Ok(Box::new(StreamingResponse {
            subscriber,
            attempt,
            failed_status: None,
            head: Vec::new(),
            bytes_read: 0,
            cacheable_body,
            // The timeout starts when the request is sent. Until then only the deadline counts.
            timeout_left_ms: u64::MAX,
            deadline_left_ms: left,
            waiting_since: now,
            yielded_at: now,
        }))
    }

    fn timeout_error(&self, response: &StreamingResponse) -> Error {
        let (limit, option) = if response.deadline_left_ms <= response.timeout_left_ms {
            (self.retry_policy.deadline_ms, "deadlineMs")
        } else {
            (self.retry_policy.timeout_ms, "timeoutMs")
        };
        let message =
            ["no complete response within ", &*format_u64(limit), " ms; try again or raise ", option].concat();
        Error::new(ErrorCode::Timeout, message)
    }

    /// Adds the URL and the number of attempts to an error, and redacts the API key.
    fn add_context(&self, mut error: Error, url: &str, attempt: u32) -> Error {
        error.url = Some(url.to_owned());
        // Without a valid API key the request was not sent.
        error.attempts = Some(attempt - u32::from(error.code == ErrorCode::InvalidParameter));
        if let Some(key) = &self.inner.api_key {
            error.message = key.redact(&error.message);
            error.path = error.path.take().map(|path| key.redact(&path));
        }
        error
    }

    /// Subscribes to the fetch of this URL in flight, or starts one.
    fn subscribe_to_fetch(&self, url: &str, priority: Priority, attempt: u32) -> Subscriber {
        let mut in_flight = self.inner.in_flight.borrow_mut();
        in_flight.retain(|fetch| fetch.strong_count() > 0);
        if let Some(fetch) = in_flight.iter().filter_map(Weak::upgrade).find(|fetch| fetch.can_subscribe(url)) {
            return fetch.subscribe();
        }
        let log = Rc::<EventLog>::default();
        let work = run_fetch(Rc::clone(&self.inner), Rc::clone(&log), url.to_owned(), priority, attempt);
        let fetch = SharedFetch::new(url, log, Some(Box::pin(work)));
        in_flight.push(Rc::downgrade(&fetch));
        fetch.subscribe()
    }

    /// Replays a cached body like a response that has arrived.
    fn replay_cached(&self, url: &str, body: &[u8]) -> Subscriber {
        self.inner.emit(&Event::new(EventKind::CacheHit, url, 1));
        let log = Rc::<EventLog>::default();
        log.add(FetchEvent::Sent);
        log.add(FetchEvent::Head(200, Headers::new()));
        for chunk in body.chunks(MAX_CHUNK_BYTES as usize) {
            log.add(FetchEvent::Chunk(chunk.to_vec()));
        }
        log.add(FetchEvent::End);
        SharedFetch::new(url, log, None).subscribe()
    }
}

/// Waits for a permit, sends the request and reads the response. Adds each step to the log.
async fn run_fetch<R: Runtime>(inner: Rc<Inner<R>>, log: Rc<EventLog>, url: String, priority: Priority, attempt: u32) {
    let Inner { runtime, limiter, .. } = &*inner;
    let event = Event::new(EventKind::Wait, &url, attempt);
    if let Some(wait) = limiter.expected_wait(runtime.now_ms()) {
        inner.emit(&Event { ms: Some(wait), ..event });
    }
    let permit = limiter.acquire(runtime, priority).await;
    let id = permit.id;
    log.permit.set(Some(permit));
    log.add(match inner.send_request(&log, event, id).await {
        Ok(()) => FetchEvent::End,
        Err(error) => FetchEvent::Failed(error),
    });
    log.permit.take();
}

impl<R: Runtime> Inner<R> {
    /// Sends the request, and reports its outcome to the rate limiter.
    async fn send_request(&self, log: &EventLog, event: Event<'_>, id: u64) -> Result<(), Error> {
        let Inner { runtime, limiter, .. } = self;
        let key = match &self.api_key {
            Some(key) => Some(key.get().await?),
            None => None,
        };
        self.emit(&Event { kind: EventKind::Request, ..event });
        log.add(FetchEvent::Sent);
        wait_for_demand().await;
        let sent_at = runtime.now_ms();
        // The key must reach only the base URL. A redirect could send it to another host.
        let follow_redirects = key.is_none();
        let url = key.map_or_else(|| event.url.to_owned(), |key| url_with_key(event.url, &key));
        let response = runtime.send(&url, follow_redirects).await;
        let now = runtime.now_ms();
        let Response { status, headers, mut body } = response.map_err(|reason| {
            limiter.on_network_failure(id, now, event.attempt, runtime.random());
            network_error(reason)
        })?;
        limiter.observe_headers(&headers, now, self.max_wait_ms);
        if status == 429 {
            limiter.on_rate_limited(Some(id), now);
        } else {
            limiter.on_success(now);
        }
        let ms = Some(now.saturating_sub(sent_at));
        self.emit(&Event { kind: EventKind::Response, ms, status: Some(status), ..event });
        log.add(FetchEvent::Head(status, headers));
        loop {
            wait_for_demand().await;
            match runtime.chunk(&mut body).await {
                Ok(Some(chunk)) => log.add(FetchEvent::Chunk(chunk)),
                Ok(None) => return Ok(()),
                Err(reason) => return Err(network_error(reason)),
            }
        }
    }
}

fn network_error(NetworkError(reason): NetworkError) -> Error {
    let advice = "); check the connection and baseUrl. A page of another origin must be allowed by CORS, and errors of \
                  a CDN in front of the service look like this too";
    Error::new(ErrorCode::Network, ["no response (", &*reason, advice].concat())
}

fn url_with_key(url: &str, key: &str) -> String {
    let separator = if contains_any(url, b"?") { "&" } else { "?" };
    [url, separator, "apikey=", &*percent_encode(key)].concat()
}

/// The error if the rate limit requires a wait beyond the deadline.
fn rate_limit_error(wait_ms: u64) -> Error {
    let wait = format_u64(wait_ms);
    let message =
        ["the service accepts no more requests for ", &*wait, " ms; try again after that, or raise deadlineMs"]
            .concat();
    let mut error = Error::new(ErrorCode::RateLimited, message);
    error.retry_after_ms = Some(wait_ms);
    error
}

/// Whether `Content-Length` exceeds the limit. It may be the length of the compressed body, which is never longer.
fn exceeds_limit(headers: &Headers, limit: usize) -> bool {
    let length = headers.iter().find(|(name, _)| *name == "content-length");
    length.and_then(|(_, length)| parse_u64(trim(length))).is_some_and(|length| length > limit as u64)
}

fn too_large_error(limit: usize) -> Error {
    let limit = format_u64(limit as u64);
    let message =
        ["the response is larger than ", &*limit, " bytes; narrow the query or raise maxResponseBytes"].concat();
    Error::new(ErrorCode::Decode, message)
}
