//! The pauses of a range after requests that were too slow for the service.

use crate::client::retry::RetryPolicy;
use crate::error::{Error, ErrorCode};

/// The pause stops growing after this many slow requests, because a window may have to be halved thirty times.
const MAX_BACKOFF_STEPS: u32 = 3;

/// The pauses after consecutive requests that were too slow for the service.
#[derive(Debug, Default)]
pub(super) struct Backoff {
    slow_requests: u32,
    /// Total pause, in milliseconds.
    pub(super) paused_ms: u64,
}

impl Backoff {
    /// Adds a pause, and returns it in milliseconds. A timeout adds none: the wait was long enough.
    pub(super) fn add_pause(&mut self, error: &Error, policy: &RetryPolicy, random: f64) -> Option<u64> {
        if error.code == ErrorCode::Timeout {
            return None;
        }
        self.slow_requests = (self.slow_requests + 1).min(MAX_BACKOFF_STEPS);
        let ms = policy.retry_delay_ms(error, self.slow_requests, random);
        self.paused_ms += ms;
        Some(ms)
    }
}
