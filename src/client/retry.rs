//! Retry policy: which errors are retried, how often, and the backoff between attempts. `Attempts` applies it to one call.

use super::rate_limiter::RateLimiter;
use crate::error::{Error, ErrorCode};

/// Maximum backoff after the first failure, in milliseconds. It doubles with each further failure.
const FIRST_BACKOFF_MS: u64 = 500;

/// Upper limit of the backoff, in milliseconds.
const MAX_BACKOFF_MS: u64 = 20_000;

/// Completes the error message when the retry budget is exhausted.
pub(super) const BUDGET_EXHAUSTED: &str =
    "; the retry budget is exhausted, because too many requests failed recently; try again later";

/// How often a request is attempted, and how long attempts and waits may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryPolicy {
    /// Maximum duration of one attempt in milliseconds, from sending the request to the end of the body.
    pub timeout_ms: u64,
    /// Maximum duration of a call in milliseconds, including waits for the rate limit, all attempts and backoff.
    pub deadline_ms: u64,
    /// Maximum number of attempts per request, including the first.
    pub max_attempts: u32,
    /// Maximum wait to accept from the service, in milliseconds.
    pub max_wait_ms: u64,
    /// Whether to retry requests that are too slow for the service: timeouts, and statuses such as 504.
    pub retry_slow_requests: bool,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            timeout_ms: 30_000,
            deadline_ms: 120_000,
            max_attempts: 5,
            max_wait_ms: 60_000,
            retry_slow_requests: true,
        }
    }
}

impl RetryPolicy {
    /// Whether to retry a request that failed with this error, after this many attempts.
    #[must_use]
    pub fn should_retry(&self, error: &Error, attempts: u32) -> bool {
        attempts < self.max_attempts && is_retryable(error) && (self.retry_slow_requests || !is_too_slow(error))
    }

    /// The delay before the next attempt in milliseconds: the wait that the service stated, or a backoff.
    #[must_use]
    pub fn retry_delay_ms(&self, error: &Error, attempts: u32, random: f64) -> u64 {
        self.stated_wait_ms(error).unwrap_or_else(|| backoff_ms(attempts, random))
    }

    /// The wait that the service stated in milliseconds, limited to `max_wait_ms`.
    pub(super) fn stated_wait_ms(&self, error: &Error) -> Option<u64> {
        error.retry_after_ms.map(|ms| ms.min(self.max_wait_ms))
    }
}

/// Exponential backoff with full jitter, in milliseconds. `random` is in `0.0..1.0`: without jitter, clients that failed
/// together would retry together.
pub(super) fn backoff_ms(failures: u32, random: f64) -> u64 {
    let max = FIRST_BACKOFF_MS.saturating_mul(1 << failures.saturating_sub(1).min(16)).min(MAX_BACKOFF_MS);
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a few seconds, not negative"
    )]
    let backoff = (max as f64 * random) as u64;
    backoff
}

/// Whether the same request may succeed later. Nothing else decides which errors are retried.
#[must_use]
pub fn is_retryable(error: &Error) -> bool {
    match error.code {
        ErrorCode::Network | ErrorCode::RateLimited | ErrorCode::Timeout => true,
        ErrorCode::HttpStatus => error.status.is_some_and(|status| status == 408 || is_server_failure(status)),
        ErrorCode::Decode => error.is_transient,
        _ => false,
    }
}

/// Whether a smaller request may succeed where this one failed.
#[must_use]
pub(crate) fn is_too_slow(error: &Error) -> bool {
    error.code == ErrorCode::Timeout || error.status.is_some_and(is_server_failure)
}

/// Whether the service failed for now, perhaps because the request was too slow for it. 501 and 505 concern the request
/// itself. 520 to 530 come from Cloudflare.
const fn is_server_failure(status: u16) -> bool {
    matches!(status, 500 | 502..=504 | 506..=599)
}

/// The attempts of one call: decides after each failure whether there is another one.
#[derive(Debug)]
pub(super) struct Attempts {
    pub(super) policy: RetryPolicy,
    /// Number of the current attempt, starting at 1.
    pub(super) current: u32,
    /// When the call must be complete.
    deadline: u64,
}

/// The delay before a request, and the failure that it follows.
#[derive(Debug)]
pub(crate) struct RetryDelay {
    pub(super) ms: u64,
    /// Whether the rate limiter holds all requests for this time. The retry then waits in its queue, not by itself.
    pub(super) is_held: bool,
    /// Number of the attempt that failed.
    pub(super) attempt: u32,
    pub(super) status: Option<u16>,
    pub(super) code: ErrorCode,
}

impl RetryDelay {
    /// The delay before a request that replaces one that failed.
    pub(crate) fn new(error: &Error, ms: u64) -> Self {
        Self { ms, is_held: false, attempt: 1, status: error.status, code: error.code }
    }
}

impl Attempts {
    pub(super) const fn new(policy: RetryPolicy, now: u64) -> Self {
        Self { policy, current: 1, deadline: now.saturating_add(policy.deadline_ms) }
    }

    /// How long the call may still take, in milliseconds.
    pub(super) const fn time_left_ms(&self, now: u64) -> u64 {
        self.deadline.saturating_sub(now)
    }

    /// Records that the current attempt failed, and begins the next one. Returns the delay before it.
    ///
    /// # Errors
    /// The error itself, if the attempt is not retried.
    pub(super) fn on_failure(
        &mut self,
        mut error: Error,
        limiter: &RateLimiter,
        now: u64,
        random: f64,
    ) -> Result<RetryDelay, Error> {
        let held_ms = match error.code {
            ErrorCode::RateLimited => {
                // Some instances refuse with status 200, so the rate limiter has not noticed.
                if error.status != Some(429) {
                    limiter.on_rate_limited(None, now);
                }
                Some(limiter.hold(now, self.policy.stated_wait_ms(&error), self.current, random))
            }
            ErrorCode::Network => Some(limiter.held_ms(now)).filter(|ms| *ms > 0),
            _ => None,
        };
        let ms = held_ms.unwrap_or_else(|| self.policy.retry_delay_ms(&error, self.current, random));
        if !self.policy.should_retry(&error, self.current) || ms >= self.time_left_ms(now) {
            return Err(error);
        }
        if !limiter.take_retry() {
            error.message.push_str(BUDGET_EXHAUSTED);
            return Err(error);
        }
        self.current += 1;
        Ok(RetryDelay { is_held: held_ms.is_some(), attempt: self.current - 1, ..RetryDelay::new(&error, ms) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::RateLimits;

    const POLICY: RetryPolicy = RetryPolicy {
        timeout_ms: 100,
        deadline_ms: 5000,
        max_attempts: 3,
        max_wait_ms: 900,
        retry_slow_requests: true,
    };

    fn attempts() -> (Attempts, RateLimiter) {
        (Attempts::new(POLICY, 10_000), RateLimiter::new(RateLimits::default()))
    }

    fn error(code: ErrorCode) -> Error {
        Error::new(code, "failed")
    }

    #[test]
    fn attempts_end_at_their_maximum_number() {
        let (mut attempts, limiter) = attempts();
        for (number, ms) in [(1, 250), (2, 500)] {
            let delay = attempts.on_failure(error(ErrorCode::Timeout), &limiter, 10_000, 0.5).unwrap();
            assert_eq!((delay.attempt, delay.ms, delay.is_held, delay.code), (number, ms, false, ErrorCode::Timeout));
        }
        let last = attempts.on_failure(error(ErrorCode::Timeout), &limiter, 10_000, 0.5).unwrap_err();
        assert_eq!((attempts.current, &*last.message), (3, "failed"));
    }

    #[test]
    fn failure_that_a_retry_cannot_cure_ends_the_attempts() {
        let (mut attempts, limiter) = attempts();
        attempts.on_failure(error(ErrorCode::Refused), &limiter, 10_000, 0.5).unwrap_err();
        assert_eq!(attempts.current, 1);
    }

    #[test]
    fn retry_begins_before_the_deadline_or_not_at_all() {
        let (mut attempts, limiter) = attempts();
        assert_eq!(attempts.time_left_ms(14_750), 250);
        attempts.on_failure(error(ErrorCode::Timeout), &limiter, 14_750, 0.5).unwrap_err();
        attempts.on_failure(error(ErrorCode::Timeout), &limiter, 14_749, 0.5).unwrap();
    }

    #[test]
    fn refusal_holds_all_requests_for_the_stated_wait() {
        let (mut attempts, limiter) = attempts();
        let mut refused = error(ErrorCode::RateLimited);
        refused.retry_after_ms = Some(60_000);
        let delay = attempts.on_failure(refused, &limiter, 10_000, 0.5).unwrap();
        assert_eq!((delay.ms, delay.is_held, limiter.held_ms(10_100)), (900, true, 800));
        // A network failure meanwhile waits in the same queue.
        let delay = attempts.on_failure(error(ErrorCode::Network), &limiter, 10_100, 0.5).unwrap();
        assert_eq!((delay.ms, delay.is_held), (800, true));
    }

    #[test]
    fn exhausted_budget_is_named_in_the_error() {
        let (_, limiter) = attempts();
        while limiter.take_retry() {}
        let mut attempts = Attempts::new(POLICY, 10_000);
        let error = attempts.on_failure(error(ErrorCode::Timeout), &limiter, 10_000, 0.5).unwrap_err();
        assert!(error.message.contains("retry budget"), "{error}");
    }

    #[test]
    fn failures_of_the_service_are_retried_and_call_for_smaller_requests() {
        let failed = |status| {
            let mut error = Error::new(ErrorCode::HttpStatus, "");
            error.status = Some(status);
            (is_retryable(&error), is_too_slow(&error))
        };
        for status in [500, 502, 503, 504, 507, 520, 522, 524, 530] {
            assert_eq!(failed(status), (true, true), "{status}");
        }
        assert_eq!(failed(408), (true, false));
        for status in [400, 403, 404, 422, 501, 505, 600] {
            assert_eq!(failed(status), (false, false), "{status}");
        }
    }
}
