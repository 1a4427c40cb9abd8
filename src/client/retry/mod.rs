//! Requests a target until it succeeds or may not be retried: [`fetch_with_retries`]. It performs what the other files decide:
//! `attempt` says what the events of an exchange mean, `response_error` which error a response is, `policy` which errors are retried,
//! and `schedule` whether and when the next attempt follows. [`Transport`] sends the requests.

mod attempt;
mod policy;
pub(crate) mod response_error;
mod schedule;

use std::rc::Rc;

pub use policy::RetryPolicy;
pub(crate) use policy::{is_permanent_500, is_too_slow};
pub(crate) use schedule::{RetryDelay, spend_retry};

use self::attempt::{Attempt, Progress};
use self::schedule::RetrySchedule;
use super::event::{Event, EventKind};
use super::rate_limiter::lease_end;
use super::runtime::{Either, Runtime, race};
use super::transport::{Subscriber, Target, Transport};
use crate::decode::{FrameDecoder, FramePage};
use crate::error::{Error, ErrorCode, option_name};
use crate::strings::format_u64;

/// Checks a decoded page or batch, given the beginning of its body.
pub(crate) type Validator<'a> = &'a mut dyn FnMut(&FramePage, &[u8]) -> Result<(), Error>;

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

/// Fetches a target, decodes the response and validates it. Returns the page, or a batch if the decoder delivers batches.
///
/// Failed attempts are retried. The rest of a response is not, because its first rows were delivered already.
pub(crate) async fn fetch_with_retries<R: Runtime>(
    transport: &Rc<Transport<R>>,
    policy: RetryPolicy,
    target: &Target,
    decoder: &mut FrameDecoder,
    validate: Validator<'_>,
    start: FetchStart,
) -> Result<Fetched, Error> {
    let mut call = Call { transport, target, schedule: RetrySchedule::new(policy, transport.runtime.now_ms()) };
    let (mut delay, mut streaming) = (None, None);
    match start {
        FetchStart::Request => {}
        FetchStart::Delayed(first_delay) => delay = Some(first_delay),
        FetchStart::Failed(error) => delay = Some(call.on_failure(error)?),
        FetchStart::Streaming(response) => streaming = Some(response),
    }
    let is_retryable = streaming.is_none();
    loop {
        if let Some(delay) = delay.take() {
            call.wait(&delay).await;
        }
        let response = match streaming.take() {
            Some(response) => response,
            None => call.start_attempt()?,
        };
        let number = response.attempt.number;
        match call.read_response(response, decoder, validate).await {
            Ok(fetched) => {
                transport.limiter.refund_retries(call.schedule.current - 1);
                return Ok(fetched);
            }
            Err(error) if is_retryable => delay = Some(call.on_failure(error)?),
            Err(error) => return Err(call.add_context(error, number)),
        }
    }
}

/// A target that is being fetched.
struct Call<'a, R: Runtime> {
    transport: &'a Rc<Transport<R>>,
    target: &'a Target,
    schedule: RetrySchedule,
}

impl<R: Runtime> Call<'_, R> {
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

    /// Subscribes to an exchange, unless the rate limiter permits no request within the time that is left.
    fn start_attempt(&self) -> Result<Box<StreamingResponse>, Error> {
        let Self { transport, target, schedule } = self;
        let (now, number) = (transport.runtime.now_ms(), schedule.current);
        let left = schedule.time_left_ms(now);
        if let Some(wait) = transport.limiter.expected_wait(now).filter(|wait| *wait > left) {
            return Err(self.add_context(rate_limit_error(wait), number - 1));
        }
        let subscriber = transport.subscribe(target, number);
        let (max_bytes, has_key) = (transport.options.max_response_bytes, transport.options.api_key.is_some());
        let attempt = Attempt::new(number, schedule.policy, max_bytes, has_key, left, target.query);
        Ok(Box::new(StreamingResponse { subscriber, attempt }))
    }

    /// Reads a response to its end or until a batch is complete, within the time that is left.
    async fn read_response(
        &self,
        mut response: Box<StreamingResponse>,
        decoder: &mut FrameDecoder,
        validate: Validator<'_>,
    ) -> Result<Fetched, Error> {
        let Transport { runtime, .. } = &**self.transport;
        let StreamingResponse { subscriber, attempt } = &mut *response;
        attempt.resume(runtime.now_ms());
        let interval = runtime.check_interval_ms();
        let sleep = |ms: u64| self.transport.sleep(ms.min(interval.unwrap_or(u64::MAX)));
        let mut time_limit = sleep(attempt.time_left_ms());
        let (page, is_end) = loop {
            let event = match race(subscriber.next_event(), &mut time_limit).await {
                Either::Left(event) => event,
                Either::Right(()) => {
                    let now = runtime.now_ms();
                    let left = attempt.time_left_at(now);
                    if interval.is_none() || left == 0 {
                        return Err(attempt.on_timeout(now));
                    }
                    // The next turn of the loop checks whether the request may be sent.
                    subscriber.renew_permit(lease_end(runtime));
                    time_limit = sleep(left);
                    continue;
                }
            };
            match attempt.on_event(event, decoder, runtime.now_ms())? {
                Progress::Pending => {}
                Progress::TimeoutStarted => time_limit = sleep(attempt.time_left_ms()),
                Progress::Batch(page) => break (page, false),
                Progress::Complete(page) => break (page, true),
            }
        };
        validate(&page, attempt.head())?;
        if is_end {
            return Ok(Fetched { page, rest: None });
        }
        // The caller may take long to handle a batch, and send other requests meanwhile.
        subscriber.release_permit();
        attempt.pause(runtime.now_ms());
        Ok(Fetched { page, rest: Some(response) })
    }

    /// Adds the URL and the number of attempts to an error, and redacts the API key.
    fn add_context(&self, mut error: Error, attempt: u32) -> Error {
        error.url = Some(self.target.url.clone());
        // Without a valid API key or credits the request was not sent. Nor was it if the error says so.
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
