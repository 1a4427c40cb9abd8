//! Retry policy: which errors are retried, how often, and the backoff between attempts. [`super::schedule`] applies it to one call.

use crate::builder::builder_methods;
use crate::client::rate_limiter::backoff_ms;
use crate::error::{Error, ErrorCode};

/// How often a request is attempted, and how long attempts and waits may take.
///
/// ```
/// use address_query::client::{Client, RetryPolicy, Runtime};
///
/// /// Returns a client for an input field: it shares everything with `client`, but fails soon.
/// fn interactive<R: Runtime>(client: &Client<R>) -> Client<R> {
///     let policy = client.retry_policy().max_attempts(2).deadline_ms(10_000);
///     client.clone().with_retry_policy(policy)
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct RetryPolicy {
    /// Maximum duration of one attempt in milliseconds, from sending the request to the end of the body.
    pub timeout_ms: u64,
    /// Maximum duration of a call in milliseconds, including waits for the rate limit, all attempts and backoff.
    pub deadline_ms: u64,
    /// Maximum number of attempts per request, including the first. `None`: 10, but 5 until the service has responded once.
    pub max_attempts: Option<u32>,
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
            max_attempts: None,
            max_wait_ms: 60_000,
            retry_slow_requests: true,
        }
    }
}

impl RetryPolicy {
    builder_methods! {
        timeout_ms: u64,
        deadline_ms: u64,
        max_attempts: u32,
        max_wait_ms: u64,
        retry_slow_requests: bool,
    }

    /// Whether to retry a request that failed with this error, after this many attempts. `has_responded` is whether the service has
    /// ever responded: without a network, a page should soon show an error.
    #[must_use]
    pub(crate) fn should_retry(&self, error: &Error, attempts: u32, has_responded: bool) -> bool {
        let max_attempts = self.max_attempts.unwrap_or(if has_responded { 10 } else { 5 });
        attempts < max_attempts && error.is_retryable() && (self.retry_slow_requests || !is_too_slow(error))
    }

    /// The delay before the next attempt in milliseconds: the wait that the service stated, or a backoff.
    #[must_use]
    pub(crate) fn retry_delay_ms(&self, error: &Error, attempts: u32, random: f64) -> u64 {
        self.stated_wait_ms(error).unwrap_or_else(|| backoff_ms(attempts, random))
    }

    /// The wait that the service stated in milliseconds, limited to `max_wait_ms`.
    pub(super) fn stated_wait_ms(&self, error: &Error) -> Option<u64> {
        error.retry_after_ms.map(|ms| ms.min(self.max_wait_ms))
    }
}

impl Error {
    /// Whether the same request may succeed later, after the attempts that [`RetryPolicy`] allows.
    ///
    /// ```
    /// use address_query::error::{Error, ErrorCode};
    ///
    /// assert!(Error::new(ErrorCode::Network, "offline").is_retryable());
    /// assert!(!Error::invalid_parameter("page", "must be at least 1").is_retryable());
    /// ```
    // The only place that decides which errors are retried.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        match self.code {
            ErrorCode::Network | ErrorCode::RateLimited | ErrorCode::Timeout => true,
            ErrorCode::HttpStatus => self.status.is_some_and(|status| status == 408 || is_server_failure(status)),
            ErrorCode::Blocked | ErrorCode::Decode => self.is_transient,
            _ => false,
        }
    }
}

/// Whether a smaller request may succeed where this one failed.
#[must_use]
pub(crate) fn is_too_slow(error: &Error) -> bool {
    error.code == ErrorCode::Timeout
        || error.code == ErrorCode::HttpStatus && error.status.is_some_and(is_server_failure)
}

/// Whether the error looks like the permanent failure of a service that cannot format one of the records.
pub(crate) fn is_permanent_500(error: &Error) -> bool {
    error.code == ErrorCode::HttpStatus && error.status == Some(500) && !error.is_transient
}

/// Whether the service failed temporarily, perhaps because the request was too slow for it. 501 and 505 concern the
/// request itself. 520 to 530 come from Cloudflare.
const fn is_server_failure(status: u16) -> bool {
    matches!(status, 500 | 502..=504 | 506..=599)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_of_the_service_are_retried_and_call_for_smaller_requests() {
        let failed = |status| {
            let mut error = Error::new(ErrorCode::HttpStatus, "");
            error.status = Some(status);
            (error.is_retryable(), is_too_slow(&error))
        };
        for status in [500, 502, 503, 504, 507, 520, 522, 524, 530] {
            assert_eq!(failed(status), (true, true), "{status}");
        }
        assert_eq!(failed(408), (true, false));
        for status in [400, 403, 404, 422, 501, 505, 600] {
            assert_eq!(failed(status), (false, false), "{status}");
        }
        let mut challenge = Error::new(ErrorCode::Blocked, "");
        challenge.status = Some(503);
        assert!(!is_too_slow(&challenge));
    }

    #[test]
    fn slow_requests_are_retried_unless_smaller_ones_replace_them() {
        let retried = |code, retry_slow_requests| {
            RetryPolicy { retry_slow_requests, ..RetryPolicy::default() }.should_retry(&Error::new(code, ""), 1, true)
        };
        assert_eq!([true, false].map(|slow| retried(ErrorCode::Timeout, slow)), [true, false]);
        assert_eq!([true, false].map(|slow| retried(ErrorCode::Network, slow)), [true, true]);
    }

    #[test]
    fn only_transient_decode_errors_are_retried() {
        let retried = |is_transient| {
            let mut error = Error::new(ErrorCode::Decode, "");
            error.is_transient = is_transient;
            error.is_retryable()
        };
        assert_eq!([true, false].map(retried), [true, false]);
    }
}
