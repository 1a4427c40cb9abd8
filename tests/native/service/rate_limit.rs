//! Rate limits of the service.

use crate::range::rng::Rng;

const PER_SECOND: u32 = 5;

/// Which requests the service refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RateLimit {
    None,
    /// A token bucket of five tokens, refilled at five per second.
    Bucket,
    /// Five requests in each second of the service's clock.
    Window,
    /// 300 requests in each minute of the service's clock: the default limit without an API key.
    Minute,
}

/// What is left of a limit.
pub struct RateState {
    phase_ms: u64,
    tokens: f64,
    seen_ms: u64,
    window: (u64, u32),
}

impl RateState {
    pub fn new(seed: u64) -> Self {
        let phase_ms = Rng::new(seed).between(0, 59_999);
        Self { phase_ms, tokens: f64::from(PER_SECOND), seen_ms: 0, window: (0, 0) }
    }

    /// Returns whether a request is accepted, and the headers with what remains of the limit.
    pub fn accept(&mut self, limit: RateLimit, now_ms: u64) -> (bool, [(&'static str, String); 2]) {
        let (is_accepted, remaining, reset_ms) = match limit {
            RateLimit::None => (true, 0, 0),
            RateLimit::Window | RateLimit::Minute => {
                let (window_ms, limit) = if limit == RateLimit::Window { (1_000, PER_SECOND) } else { (60_000, 300) };
                let clock = now_ms + self.phase_ms;
                let number = clock / window_ms;
                let count = if self.window.0 == number { self.window.1 + 1 } else { 1 };
                self.window = (number, count);
                (count <= limit, limit.saturating_sub(count), window_ms - clock % window_ms)
            }
            RateLimit::Bucket => {
                #[expect(clippy::cast_precision_loss, reason = "a few seconds")]
                let passed = (now_ms - self.seen_ms) as f64;
                self.seen_ms = now_ms;
                let capacity = f64::from(PER_SECOND);
                self.tokens = (self.tokens + passed * capacity / 1000.0).min(capacity);
                let is_accepted = self.tokens >= 1.0;
                if is_accepted {
                    self.tokens -= 1.0;
                }
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 5")]
                let remaining = self.tokens as u32;
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most a second")]
                let reset = ((1.0 - self.tokens).max(0.0) * 1000.0 / capacity).ceil() as u64;
                (is_accepted, remaining, reset)
            }
        };
        (is_accepted, [("x-ratelimit-remaining", remaining.to_string()), ("x-ratelimit-reset", reset_ms.to_string())])
    }
}
