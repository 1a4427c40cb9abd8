//! [`RetrySchedule`]: applies the retry policy, the rate limit and the retry budget to one call.

use super::policy::{RetryPolicy, is_permanent_500};
use crate::client::rate_limiter::RateLimiter;
use crate::error::{Error, ErrorCode};

/// Maximum number of attempts of a call that may fail with [`is_permanent_500`].
const MAX_CRASHES: u32 = 3;

/// The attempts of one call and their deadline. Decides after each failure whether another attempt follows.
#[derive(Debug)]
pub(super) struct RetrySchedule {
    pub(super) policy: RetryPolicy,
    /// Number of the current attempt, starting at 1.
    pub(super) current: u32,
    /// When the call must be complete.
    pub(super) deadline: u64,
    /// Number of attempts that failed with [`is_permanent_500`].
    crashes: u32,
}

/// The delay before a request, and the failure that it follows.
#[derive(Debug)]
pub(crate) struct RetryDelay {
    pub(super) ms: u64,
    /// Whether the rate limiter holds all requests for this time. The retry then waits in the limiter's queue instead
    /// of sleeping.
    pub(super) is_held: bool,
    /// Number of the attempt that failed.
    pub(super) attempt: u32,
    pub(super) status: Option<u16>,
    pub(super) code: ErrorCode,
}

impl RetryDelay {
    /// The delay before a request that replaces a failed one.
    pub(crate) fn new(error: &Error, ms: u64) -> Self {
        Self { ms, is_held: false, attempt: 1, status: error.status, code: error.code }
    }
}

impl RetrySchedule {
    pub(super) const fn new(policy: RetryPolicy, now: u64) -> Self {
        Self { policy, current: 1, deadline: now.saturating_add(policy.deadline_ms), crashes: 0 }
    }

    /// Records that the current attempt failed, and begins the next one. Returns the delay before it.
    ///
    /// # Errors
    /// The error itself, if the attempt is not retried.
    pub(super) fn on_failure(
        &mut self,
        error: Error,
        limiter: &RateLimiter,
        now: u64,
        random: f64,
    ) -> Result<RetryDelay, Error> {
        let held_ms = match error.code {
            ErrorCode::RateLimited => {
                // Some instances refuse with status 200, so the rate limiter has not noticed.
                if error.status != Some(429) {
                    limiter.on_refused_by_body(error.retry_after_ms.is_some(), now);
                }
                Some(limiter.hold(now, self.policy.stated_wait_ms(&error), self.current, random))
            }
            ErrorCode::Network => Some(limiter.held_ms(now)).filter(|ms| *ms > 0),
            _ => None,
        };
        let ms = held_ms.unwrap_or_else(|| self.policy.retry_delay_ms(&error, self.current, random));
        self.crashes += u32::from(is_permanent_500(&error));
        let may_retry =
            self.crashes < MAX_CRASHES && self.policy.should_retry(&error, self.current, limiter.has_responded());
        if !may_retry || ms >= self.deadline.saturating_sub(now) {
            return Err(error);
        }
        let error = spend_retry(limiter, error)?;
        self.current += 1;
        Ok(RetryDelay { is_held: held_ms.is_some(), attempt: self.current - 1, ..RetryDelay::new(&error, ms) })
    }
}

/// Takes a retry after this error from the retry budget.
///
/// # Errors
/// The error itself, if the budget is exhausted. It says so.
pub(crate) fn spend_retry(limiter: &RateLimiter, mut error: Error) -> Result<Error, Error> {
    if limiter.take_retry() {
        return Ok(error);
    }
    error
        .message
        .push_str("; the retry budget is exhausted, because too many requests failed recently; try again later");
    Err(error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::rate_limiter::RateLimits;

    const POLICY: RetryPolicy = RetryPolicy {
        timeout_ms: 100,
        deadline_ms: 5000,
        max_attempts: Some(3),
        max_wait_ms: 900,
        retry_slow_requests: true,
    };

    fn schedule() -> (RetrySchedule, RateLimiter) {
        (RetrySchedule::new(POLICY, 10_000), RateLimiter::new(RateLimits::default()))
    }

    fn error(code: ErrorCode) -> Error {
        Error::new(code, "failed")
    }

    #[test]
    fn attempts_end_at_their_maximum_number() {
        let (mut schedule, limiter) = schedule();
        for (number, ms) in [(1, 150), (2, 300)] {
            let delay = schedule.on_failure(error(ErrorCode::Timeout), &limiter, 10_000, 0.5).unwrap();
            assert_eq!((delay.attempt, delay.ms, delay.is_held, delay.code), (number, ms, false, ErrorCode::Timeout));
        }
        let last = schedule.on_failure(error(ErrorCode::Timeout), &limiter, 10_000, 0.5).unwrap_err();
        assert_eq!((schedule.current, &*last.message), (3, "failed"));
    }

    #[test]
    fn failure_that_a_retry_cannot_cure_ends_the_schedule() {
        let (mut schedule, limiter) = schedule();
        schedule.on_failure(error(ErrorCode::Refused), &limiter, 10_000, 0.5).unwrap_err();
        assert_eq!(schedule.current, 1);
    }

    #[test]
    fn retry_begins_before_the_deadline_or_not_at_all() {
        let (mut schedule, limiter) = schedule();
        schedule.on_failure(error(ErrorCode::Timeout), &limiter, 14_850, 0.5).unwrap_err();
        schedule.on_failure(error(ErrorCode::Timeout), &limiter, 14_849, 0.5).unwrap();
    }

    #[test]
    fn refusal_holds_all_requests_for_the_stated_wait() {
        let (mut schedule, limiter) = schedule();
        let mut refused = error(ErrorCode::RateLimited);
        refused.retry_after_ms = Some(60_000);
        let delay = schedule.on_failure(refused, &limiter, 10_000, 0.5).unwrap();
        assert_eq!((delay.ms, delay.is_held, limiter.held_ms(10_100)), (900, true, 800));
        // After a network failure, the retry waits in the same queue.
        let delay = schedule.on_failure(error(ErrorCode::Network), &limiter, 10_100, 0.5).unwrap();
        assert_eq!((delay.ms, delay.is_held), (800, true));
    }

    #[test]
    fn network_failure_without_a_refusal_is_followed_by_a_backoff() {
        let (mut schedule, limiter) = schedule();
        let delay = schedule.on_failure(error(ErrorCode::Network), &limiter, 10_000, 0.5).unwrap();
        assert_eq!((delay.ms, delay.is_held), (150, false));
    }

    #[test]
    fn exhausted_budget_is_named_in_the_error() {
        let (_, limiter) = schedule();
        while limiter.take_retry() {}
        let mut schedule = RetrySchedule::new(POLICY, 10_000);
        let error = schedule.on_failure(error(ErrorCode::Timeout), &limiter, 10_000, 0.5).unwrap_err();
        assert!(error.message.contains("retry budget"), "{error}");
    }
}
