//! What is tried again, how often, and after how long.

use crate::error::{Error, ErrorCode};

/// The longest pause after a first failure, in milliseconds; each next one is twice as long.
const FIRST_PAUSE_MS: u64 = 500;

/// No pause of our own choice is longer.
const LONGEST_PAUSE_MS: u64 = 20_000;

/// How often an answer is asked for, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// How long one attempt may take, from sending the request to the end of its body.
    pub timeout_ms: u64,
    /// How long everything may take: waiting for one's turn, all attempts, the pauses between them.
    pub deadline_ms: u64,
    /// How many times a request is sent at most.
    pub max_attempts: u32,
    /// The longest wait that the service can ask for.
    pub max_wait_ms: u64,
    /// Whether a request that the service is too slow for is sent again.
    pub repeats_slow: bool,
}

impl Default for Patience {
    fn default() -> Self {
        Self { timeout_ms: 30_000, deadline_ms: 120_000, max_attempts: 5, max_wait_ms: 60_000, repeats_slow: true }
    }
}

impl Patience {
    /// Whether a request that failed so after so many attempts is sent once more.
    #[must_use]
    pub fn tries_again(&self, error: &Error, attempts: u32) -> bool {
        attempts < self.max_attempts && is_retryable(error) && (self.repeats_slow || !is_too_slow(error))
    }

    /// The wait before the next attempt: what the service stated, or else a backoff.
    #[must_use]
    pub fn pause_ms(&self, error: &Error, attempts: u32, random: f64) -> u64 {
        self.stated_wait_ms(error).unwrap_or_else(|| backoff_ms(attempts, random))
    }

    /// The wait that the service stated, up to `max_wait_ms`.
    pub(super) fn stated_wait_ms(&self, error: &Error) -> Option<u64> {
        error.retry_after_ms.map(|ms| ms.min(self.max_wait_ms))
    }
}

/// A random part of a pause that doubles with each failure (full jitter: clients that failed together do not retry together).
pub(super) fn backoff_ms(failures: u32, random: f64) -> u64 {
    let longest = FIRST_PAUSE_MS.saturating_mul(1 << failures.saturating_sub(1).min(16)).min(LONGEST_PAUSE_MS);
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a few seconds, not negative"
    )]
    let pause = (longest as f64 * random) as u64;
    pause
}

/// Whether the same request may succeed later. This is the one rule of what is retried.
#[must_use]
pub fn is_retryable(error: &Error) -> bool {
    match error.code {
        ErrorCode::Network | ErrorCode::RateLimited | ErrorCode::Timeout => true,
        // 501 and 505 are about the request. 520 to 530 are Cloudflare's.
        ErrorCode::HttpStatus => matches!(error.status, Some(408 | 500 | 502..=504 | 506..=599)),
        ErrorCode::Decode => error.garbled,
        _ => false,
    }
}

/// Whether asking for less may help.
#[must_use]
pub(crate) fn is_too_slow(error: &Error) -> bool {
    error.code == ErrorCode::Timeout || matches!(error.status, Some(500 | 502 | 503 | 504))
}
