//! Requests a target until it succeeds or may not be retried: [`fetch_with_retries`]. It performs what the other files
//! decide: `attempt` interprets the parts of a response, `response_error` creates the error for a response, `policy`
//! decides which errors are retried, and `schedule` whether and when the next attempt follows. [`Transport`] sends the
//! requests.

mod attempt;
mod policy;
pub(crate) mod response_error;
mod schedule;

use std::fmt;
use std::future::poll_fn;
use std::pin::pin;
use std::rc::Rc;
use std::task::Poll;

use futures_util::stream::StreamExt;

pub use policy::RetryPolicy;
pub(crate) use policy::{is_permanent_500, is_too_slow};
pub(crate) use schedule::{RetryDelay, spend_retry};

use self::attempt::{Attempt, TimeLimits};
use self::schedule::RetrySchedule;
use super::event::{Event, EventKind};
use super::rate_limiter::lease_end;
use super::runtime::{MAX_CHUNK_BYTES, Runtime};
use super::transport::{Chunks, Flight, PendingResponse, Target, Transport};
use crate::decode::{FrameDecoder, FramePage};
use crate::error::{Error, ErrorCode, option_name};
use crate::strings::format_u64;

/// Decoding yields to the event loop after this many milliseconds. (The clock has a resolution of one millisecond. Garbage
/// collection takes additional time.)
const YIELD_AFTER_MS: u64 = 2;

/// Checks a decoded page or batch, given the beginning of its body. `None` accepts all of them.
pub(crate) type Validator<'a> = Option<&'a dyn Fn(&FramePage, &[u8]) -> Result<(), Error>>;

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
    flight: Rc<Flight>,
    limits: TimeLimits,
    reader: ResponseReader,
}

/// Reads a response.
struct ResponseReader {
    response: PendingResponse,
    /// The rest of the body, once the response has begun.
    chunks: Option<Chunks>,
    attempt: Attempt,
    /// When the event loop last ran.
    yielded_at: u64,
}

impl fmt::Debug for ResponseReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ResponseReader")
    }
}

/// How a fetch starts.
#[derive(Debug, Default)]
pub(crate) enum FetchStart {
    /// With a request.
    #[default]
    Request,
    /// With a request that replaces a failed one, after a delay.
    Delayed(RetryDelay),
    /// With the failure of the first attempt.
    Failed(Error),
    /// With a response that is still arriving.
    Streaming(Box<StreamingResponse>),
}

/// Fetches a target, decodes the response and validates it. Returns the page, or a batch if the decoder delivers batches.
///
/// Failed attempts are retried. The rest of a response is not retried, because its first rows were delivered already.
pub(crate) async fn fetch_with_retries<R: Runtime>(
    transport: &Rc<Transport<R>>,
    policy: RetryPolicy,
    target: Target,
    decoder: &mut FrameDecoder,
    validate: Validator<'_>,
    start: FetchStart,
) -> Result<Fetched, Error> {
    let target = Rc::new(target);
    let mut fetch =
        RetryingFetch { transport, target, schedule: RetrySchedule::new(policy, transport.runtime.now_ms()) };
    let (mut delay, mut streaming) = (None, None);
    match start {
        FetchStart::Request => {}
        FetchStart::Delayed(first_delay) => delay = Some(first_delay),
        FetchStart::Failed(error) => delay = Some(fetch.on_failure(error)?),
        FetchStart::Streaming(response) => streaming = Some(response),
    }
    let is_retryable = streaming.is_none();
    loop {
        if let Some(delay) = delay.take() {
            fetch.wait(&delay).await;
        }
        let response = match streaming.take() {
            Some(response) => response,
            None => fetch.start_attempt()?,
        };
        let number = response.reader.attempt.number;
        match fetch.read_response(response, decoder, validate).await {
            Ok(fetched) => {
                transport.limiter.refund_retries(fetch.schedule.current - 1);
                return Ok(fetched);
            }
            Err(error) if is_retryable => delay = Some(fetch.on_failure(error)?),
            Err(error) => return Err(fetch.add_context(error, number)),
        }
    }
}

/// A fetch of a target, with its retries.
struct RetryingFetch<'a, R: Runtime> {
    transport: &'a Rc<Transport<R>>,
    target: Rc<Target>,
    schedule: RetrySchedule,
}

impl<R: Runtime> RetryingFetch<'_, R> {
    /// Begins the next attempt after a failure. Returns the delay before it.
    fn on_failure(&mut self, error: Error) -> Result<RetryDelay, Error> {
        let Transport { runtime, limiter, .. } = &**self.transport;
        let delay = self.schedule.on_failure(error, limiter, runtime.now_ms(), runtime.random());
        delay.map_err(|error| self.add_context(error, self.schedule.current))
    }

    async fn wait(&self, delay: &RetryDelay) {
        let event = Event::new(EventKind::Retry, &self.target.url, delay.attempt);
        self.transport.emit(&Event { ms: Some(delay.ms), status: delay.status, code: Some(delay.code), ..event });
        if !delay.is_held {
            self.transport.sleep(delay.ms).await;
        }
    }

    /// Creates a request or joins an equal one, if the rate limiter permits a request within the remaining time.
    fn start_attempt(&self) -> Result<Box<StreamingResponse>, Error> {
        let Self { transport, target, schedule } = self;
        let (now, number) = (transport.runtime.now_ms(), schedule.current);
        let limits = TimeLimits { deadline: schedule.deadline, timeout: None, paused_at: now };
        let wait = transport.limiter.expected_wait(now);
        if let Some(wait) = wait.filter(|wait| *wait > limits.time_left_ms(now)) {
            return Err(self.add_context(rate_limit_error(wait), number - 1));
        }
        let (flight, response) = transport.subscribe(target, number);
        let attempt = Attempt {
            number,
            policy: schedule.policy,
            max_response_bytes: transport.options.max_response_bytes,
            has_key: transport.options.api_key.is_some(),
            failed_status: None,
            head: Vec::new(),
            bytes_read: 0,
            query_body: target.query.map(|query| (query, Vec::new())),
        };
        let reader = ResponseReader { response, chunks: None, attempt, yielded_at: now };
        Ok(Box::new(StreamingResponse { flight, limits, reader }))
    }

    /// Reads a response to its end or until a batch is complete, within the remaining time.
    async fn read_response(
        &self,
        mut response: Box<StreamingResponse>,
        decoder: &mut FrameDecoder,
        validate: Validator<'_>,
    ) -> Result<Fetched, Error> {
        let runtime = &self.transport.runtime;
        let StreamingResponse { flight, limits, reader } = &mut *response;
        limits.resume(runtime.now_ms());
        let result = self.race_limits(flight, limits, self.read(reader, decoder)).await;
        let now = runtime.now_ms();
        let (page, is_end) = result.unwrap_or_else(|| Err(reader.attempt.on_timeout(limits, now)))?;
        if let Some(validate) = validate {
            validate(&page, &reader.attempt.head)?;
        }
        // The caller may take long to handle a batch, and send other requests meanwhile.
        flight.release_permit();
        limits.paused_at = runtime.now_ms();
        Ok(Fetched { page, rest: (!is_end).then_some(response) })
    }

    /// Drives the work until it ends. Returns None if a limit passes before.
    async fn race_limits<T>(
        &self,
        flight: &Flight,
        limits: &mut TimeLimits,
        work: impl Future<Output = T>,
    ) -> Option<T> {
        let runtime = &self.transport.runtime;
        let interval = runtime.check_interval_ms();
        let mut work = pin!(work);
        loop {
            let (now, is_sent) = (runtime.now_ms(), flight.is_sent.get());
            if is_sent {
                limits.start_timeout(now, self.schedule.policy.timeout_ms);
            }
            let left = limits.time_left_ms(now);
            let mut timer = self.transport.sleep(interval.map_or(left, |interval| left.min(interval)));
            let result = poll_fn(|context| match work.as_mut().poll(context) {
                Poll::Ready(result) => Poll::Ready(Some(result)),
                // The timeout starts now. Until then only the deadline counts.
                Poll::Pending if flight.is_sent.get() != is_sent => Poll::Ready(None),
                Poll::Pending => timer.as_mut().poll(context).map(|()| None),
            });
            if let Some(result) = result.await {
                return Some(result);
            }
            if interval.is_some() {
                // The next turn of the loop checks whether the request may be sent.
                flight.renew_permit(lease_end(runtime));
            }
            if flight.is_sent.get() == is_sent && (interval.is_none() || limits.time_left_ms(runtime.now_ms()) == 0) {
                return None;
            }
        }
    }

    /// Reads a response to its end or until a batch is complete. Returns the page or batch, and whether it is the end. Yields to the
    /// event loop if decoding has blocked it for too long. (Time spent waiting for data counts too. With fewer yields, large responses
    /// that arrive at once take longer.)
    async fn read(
        &self,
        reader: &mut ResponseReader,
        decoder: &mut FrameDecoder,
    ) -> Result<(Box<FramePage>, bool), Error> {
        let runtime = &self.transport.runtime;
        let ResponseReader { response, chunks, attempt, yielded_at } = reader;
        let chunks = if let Some(chunks) = chunks {
            chunks
        } else {
            let response = response.await?;
            decoder.begin();
            attempt.on_head(response.status, &response.headers)?;
            // The event loop ran while the response was awaited.
            *yielded_at = runtime.now_ms();
            chunks.insert(response.chunks())
        };
        loop {
            let is_due = runtime.now_ms().saturating_sub(*yielded_at) >= YIELD_AFTER_MS;
            if is_due && attempt.bytes_read >= MAX_CHUNK_BYTES as usize {
                runtime.sleep(0).await;
                *yielded_at = runtime.now_ms();
            }
            let chunk = chunks.next().await;
            let now = runtime.now_ms();
            match chunk {
                Some(Ok(bytes)) => {
                    if let Some(batch) = attempt.on_chunk(bytes, decoder, now)? {
                        return Ok((batch, false));
                    }
                }
                Some(Err(error)) => return Err(attempt.on_failure(error, now)),
                None => return Ok((attempt.on_end(decoder, now)?, true)),
            }
        }
    }

    /// Adds the URL and the number of attempts to an error, and redacts the API key.
    fn add_context(&self, mut error: Error, attempt: u32) -> Error {
        error.url = Some(self.target.url.clone());
        // The request was not sent if the error says so, or if the API key is invalid or the credits are used up.
        let sent = attempt - u32::from(matches!(error.code, ErrorCode::InvalidParameter | ErrorCode::CreditLimit));
        error.attempts.get_or_insert(sent);
        error.message = self.transport.redact(std::mem::take(&mut error.message));
        error.path = error.path.take().map(|path| self.transport.redact(path));
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
