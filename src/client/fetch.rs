//! Fetches a URL and decodes the response: starts each attempt, passes its events and the time to the decoder, and retries.
//!
//! Start at [`Client::fetch`]. It performs what the other modules decide: [`super::attempt`] what an event means,
//! [`super::attempts`] what follows a failure, [`super::response_cache`] and [`super::shared_fetch`] whether a request is
//! needed. [`super::exchange`] sends it.

use std::borrow::Cow;
use std::rc::Rc;

use super::attempt::{Attempt, Progress};
use super::attempts::{Attempts, RetryDelay};
use super::event::{Event, EventKind};
use super::exchange::Exchange;
use super::rate_limiter::Priority;

use super::runtime::{Either, Runtime, race};
use super::shared_fetch::{SharedFetch, Subscriber};
use super::{Client, FrameDecoder, Inner};
use crate::decode::FramePage;
use crate::endpoint::version::Requirement;
use crate::endpoint::{Query, Request};
use crate::error::{Error, ErrorCode, option_name};
use crate::strings::format_u64;

/// Checks a decoded page or batch, given the beginning of its body.
pub(crate) type Validator<'a> = &'a mut dyn FnMut(&FramePage, &[u8]) -> Result<(), Error>;

/// What to fetch.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) url: String,
    /// The query, and the body of its request, for GraphQL. Otherwise the request is a GET.
    pub(crate) query: Option<(&'static Query, String)>,
    /// Whether the response may come from the cache, and is stored there.
    pub(crate) is_cacheable: bool,
    pub(crate) priority: Priority,
    /// The backend version that the request needs, if old ones cannot respond to it.
    pub(crate) requirement: Option<Requirement>,
}

impl Target {
    /// Returns what identifies the response: the URL, and the body of a POST.
    fn key(&self) -> Cow<'_, str> {
        match &self.query {
            Some((_, body)) => Cow::Owned([&*self.url, " ", body].concat()),
            None => Cow::Borrowed(&self.url),
        }
    }
}

/// A page, or a batch of its rows with the rest of the response.
#[derive(Debug)]
pub(crate) struct Fetched {
    pub(crate) page: Box<FramePage>,
    /// None if the response was read to its end.
    pub(crate) rest: Option<Box<StreamingResponse>>,
}

/// A response that has not been read to its end.
#[derive(Debug)]
pub(crate) struct StreamingResponse {
    subscriber: Subscriber,
    attempt: Attempt,
}

/// How a fetch starts.
#[derive(Debug, Default)]
pub(crate) enum FetchStart {
    /// With a request.
    #[default]
    Request,
    /// With a request that replaces one that failed, after a delay.
    Delayed(RetryDelay),
    /// With the failure of the first attempt.
    Failed(Error),
    /// With a response that is still arriving.
    Streaming(Box<StreamingResponse>),
}

impl<R: Runtime> Client<R> {
    /// The target of a request with additional query parameters or variables, and with the priority of a single call.
    pub(crate) fn target(&self, request: &Request, additional: &[(&str, &str)]) -> Target {
        Target {
            url: request.url(self.base_url(), additional),
            query: request.query(additional),
            is_cacheable: request.operation().is_cacheable && self.inner.response_cache.borrow().is_enabled(),
            priority: Priority::Interactive,
            requirement: request.requirement(),
        }
    }

    /// Fetches a target, decodes the response and validates it. Returns the page, or a batch if the decoder delivers batches.
    ///
    /// Failed attempts are retried. The rest of a response is not, because its first rows were delivered already.
    pub(crate) async fn fetch(
        &self,
        target: &Target,
        decoder: &mut FrameDecoder,
        validate: Validator<'_>,
        start: FetchStart,
    ) -> Result<Fetched, Error> {
        let mut attempts = Attempts::new(self.retry_policy, self.runtime().now_ms());
        let (mut delay, mut streaming) = (None, None);
        match start {
            FetchStart::Request => {}
            FetchStart::Delayed(first_delay) => delay = Some(first_delay),
            FetchStart::Failed(error) => delay = Some(self.on_failure(&mut attempts, error, target)?),
            FetchStart::Streaming(response) => streaming = Some(response),
        }
        let is_retryable = streaming.is_none();
        loop {
            if let Some(delay) = delay.take() {
                self.wait_for_retry(&delay, &target.url).await;
            }
            let response = match streaming.take() {
                Some(response) => response,
                None => self.start_attempt(target, &attempts)?,
            };
            let number = response.attempt.number;
            match self.read_response(response, target, decoder, validate).await {
                Ok(fetched) => {
                    self.inner.limiter.refund_retries(attempts.current - 1);
                    return Ok(fetched);
                }
                Err(error) if is_retryable => delay = Some(self.on_failure(&mut attempts, error, target)?),
                Err(error) => return Err(self.add_context(error, &target.url, number)),
            }
        }
    }

    /// Begins the next attempt after a failure. Returns the delay before it.
    fn on_failure(&self, attempts: &mut Attempts, error: Error, target: &Target) -> Result<RetryDelay, Error> {
        let Inner { runtime, limiter, .. } = &*self.inner;
        let delay = attempts.on_failure(error, limiter, runtime.now_ms(), runtime.random());
        delay.map_err(|error| self.add_context(error, &target.url, attempts.current))
    }

    async fn wait_for_retry(&self, delay: &RetryDelay, url: &str) {
        let event = Event::new(EventKind::Retry, url, delay.attempt);
        self.inner.emit(&Event { ms: Some(delay.ms), status: delay.status, code: Some(delay.code), ..event });
        if !delay.is_held {
            self.inner.sleep(delay.ms).await;
        }
    }

    /// Serves the response from the cache, subscribes to the same fetch in flight, or starts one.
    fn start_attempt(&self, target: &Target, attempts: &Attempts) -> Result<Box<StreamingResponse>, Error> {
        let Inner { runtime, options, limiter, response_cache, in_flight, .. } = &*self.inner;
        let Target { url, query, is_cacheable, priority, .. } = target;
        let (key, now) = (target.key(), runtime.now_ms());
        let (number, left) = (attempts.current, attempts.time_left_ms(now));
        let cached = if *is_cacheable { response_cache.borrow_mut().get(&key, now) } else { None };
        let is_new = cached.is_none();
        let subscriber = if let Some(body) = cached {
            self.inner.emit(&Event::new(EventKind::CacheHit, url, 1));
            self.start_fetch(target, number, Some(body)).subscribe(*priority)
        } else {
            if let Some(wait) = limiter.expected_wait(now).filter(|wait| *wait > left) {
                return Err(self.add_context(rate_limit_error(wait), url, number - 1));
            }
            in_flight.subscribe(&key, *priority).unwrap_or_else(|| {
                let fetch = self.start_fetch(target, number, None);
                in_flight.add(&fetch);
                fetch.subscribe(*priority)
            })
        };
        let query = query.as_ref().map(|(query, _)| *query);
        let is_kept = *is_cacheable && is_new;
        let (max_bytes, has_key) = (options.max_response_bytes, options.api_key.is_some());
        let attempt = Attempt::new(number, attempts.policy, max_bytes, has_key, left, is_kept, query);
        Ok(Box::new(StreamingResponse { subscriber, attempt }))
    }

    fn start_fetch(&self, target: &Target, attempt: u32, cached: Option<Rc<Vec<u8>>>) -> Rc<SharedFetch> {
        let client = Rc::clone(&self.inner);
        let (url, body) = (target.url.clone(), target.query.as_ref().map(|(_, body)| body.clone()));
        SharedFetch::new(&target.key(), |output| Exchange { client, output, url, body, attempt }.run(cached))
    }

    /// Reads a response to its end or until a batch is complete, within the time that is left. Caches a complete response.
    async fn read_response(
        &self,
        mut response: Box<StreamingResponse>,
        target: &Target,
        decoder: &mut FrameDecoder,
        validate: Validator<'_>,
    ) -> Result<Fetched, Error> {
        let Inner { runtime, response_cache, .. } = &*self.inner;
        let StreamingResponse { subscriber, attempt } = &mut *response;
        attempt.resume(runtime.now_ms());
        let mut time_limit = self.inner.sleep(attempt.time_left_ms());
        let (page, is_end) = loop {
            let event = match race(subscriber.next_event(), &mut time_limit).await {
                Either::Left(event) => event,
                Either::Right(()) => return Err(attempt.on_timeout(runtime.now_ms())),
            };
            match attempt.on_event(event, decoder, runtime.now_ms())? {
                Progress::Pending => {}
                Progress::TimeoutStarted => time_limit = self.inner.sleep(attempt.time_left_ms()),
                Progress::Batch(page) => break (page, false),
                Progress::Complete(page) => break (page, true),
            }
        };
        validate(&page, attempt.head())?;
        if is_end {
            if let Some(body) = attempt.take_cacheable_body() {
                response_cache.borrow_mut().insert(&target.key(), body, runtime.now_ms());
            }
            return Ok(Fetched { page, rest: None });
        }
        // The caller may take long to handle a batch, and send other requests meanwhile.
        subscriber.release_permit();
        attempt.pause(runtime.now_ms());
        Ok(Fetched { page, rest: Some(response) })
    }

    /// Adds the URL and the number of attempts to an error, and redacts the API key.
    fn add_context(&self, mut error: Error, url: &str, attempt: u32) -> Error {
        error.url = Some(url.to_owned());
        // Without a valid API key the request was not sent. Nor was it if the error says so.
        let sent = attempt - u32::from(error.code == ErrorCode::InvalidParameter);
        error.attempts.get_or_insert(sent);
        error.message = self.inner.redact(std::mem::take(&mut error.message));
        error.path = error.path.take().map(|path| self.inner.redact(path));
        error
    }
}

/// The error if the rate limit requires a wait beyond the deadline.
fn rate_limit_error(wait_ms: u64) -> Error {
    let wait = format_u64(wait_ms);
    let message = [
        "the service accepts no more requests for ",
        &*wait,
        concat!(" ms; try again after that, or raise ", option_name!(deadline_ms)),
    ]
    .concat();
    let mut error = Error::new(ErrorCode::RateLimited, message);
    error.retry_after_ms = Some(wait_ms);
    error
}
