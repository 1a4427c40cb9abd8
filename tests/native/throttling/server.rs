//! Simulated servers with rate limits or random failures.

use super::LIST_PAGES;
use crate::client::page;
use crate::range::rng::Rng;
use crate::test_runtime::MockResponse;

const PER_SECOND: u32 = 5;

/// Which requests a server refuses or fails.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rule {
    /// A token bucket of five tokens, refilled at five per second.
    Bucket,
    /// Five requests in each second of the server's clock.
    Window,
    /// 300 requests in each minute of the server's clock: the default limit without an API key.
    Minute,
    /// 30 % of the requests fail at random, whatever the rate.
    Random,
}

/// The response to a refused or failed request.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Failure {
    /// A 429. Every response states what remains of the limit.
    RateHeaders,
    /// A 429 that states this wait in milliseconds.
    Stated(u64),
    /// A 429 without headers.
    Bare,
    /// A 429 without CORS headers, or a reset: the browser reports a network failure.
    Network,
    /// A 500.
    Status500,
}

pub struct Server {
    rule: Rule,
    failure: Failure,
    rng: Rng,
    /// Decides whether the nth request fails, for [`Rule::Random`]. Client and plain loop get the same sequence.
    outcomes: Rng,
    phase_ms: u64,
    tokens: f64,
    seen_ms: u64,
    window: (u64, u32),
    requests: u32,
    pub failed: u32,
}

impl Server {
    pub fn new(rule: Rule, failure: Failure, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let phase_ms = rng.between(0, if rule == Rule::Minute { 59_999 } else { 999 });
        Self {
            rule,
            failure,
            rng,
            outcomes: Rng::new(seed + 1000),
            phase_ms,
            tokens: f64::from(PER_SECOND),
            seen_ms: 0,
            window: (0, 0),
            requests: 0,
            failed: 0,
        }
    }

    /// Whether this request is accepted, how many more would be, and the milliseconds until there are more.
    fn accept(&mut self, now: u64) -> (bool, u32, u64) {
        match self.rule {
            Rule::Random => (!self.outcomes.chance(30), 0, 0),
            Rule::Window | Rule::Minute => {
                let (window_ms, limit) = if self.rule == Rule::Window { (1000, PER_SECOND) } else { (60_000, 300) };
                let clock = now + self.phase_ms;
                let number = clock / window_ms;
                let count = if self.window.0 == number { self.window.1 + 1 } else { 1 };
                self.window = (number, count);
                (count <= limit, limit.saturating_sub(count), window_ms - clock % window_ms)
            }
            Rule::Bucket => {
                #[expect(clippy::cast_precision_loss, reason = "a few seconds")]
                let passed = (now - self.seen_ms) as f64;
                self.seen_ms = now;
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
        }
    }

    pub fn response(&mut self, url: &str, now: u64) -> MockResponse {
        self.requests += 1;
        assert!(self.requests < 20_000, "too many requests");
        let (is_accepted, remaining, reset) = self.accept(now);
        let response = MockResponse::default().wait(self.rng.between(20, 40));
        let (remaining, reset) = (remaining.to_string(), reset.to_string());
        let limits = [("x-ratelimit-remaining", &*remaining), ("x-ratelimit-reset", &*reset)];
        let limits = if self.failure == Failure::RateHeaders { &limits[..] } else { &[] };
        if is_accepted {
            let number: u64 = url.rsplit_once("index=").map_or(1, |(_, number)| number.parse().unwrap());
            let next = if number < LIST_PAGES {
                format!(r#"{{"items_count":50,"index":{}}}"#, number + 1)
            } else {
                "null".into()
            };
            return response.and_head(200, limits).chunk(page(&[1], &next));
        }
        self.failed += 1;
        match self.failure {
            Failure::RateHeaders => response.and_head(429, limits),
            Failure::Stated(ms) => response.and_head(429, &[("x-ratelimit-reset", &ms.to_string())]),
            Failure::Bare => response.and_head(429, &[]),
            Failure::Network => response.disconnect("Failed to fetch"),
            Failure::Status500 => response.and_head(500, &[]),
        }
    }
}
