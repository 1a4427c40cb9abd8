//! The limit that the headers of a response state (`x-ratelimit-remaining`, `x-ratelimit-reset`).

use crate::client::runtime::{Headers, find_header};
use crate::strings::parse_u64;

/// Number of requests that the service still accepts, and when that limit resets.
#[derive(Debug, Clone, Copy)]
pub(super) struct StatedLimit {
    remaining: u64,
    reset_at: u64,
}

impl StatedLimit {
    pub(super) const fn new(remaining: u64, reset_at: u64) -> Self {
        Self { remaining, reset_at }
    }

    /// The number of requests that the service still accepts, and when the limit resets.
    pub(super) const fn values(self) -> (u64, u64) {
        (self.remaining, self.reset_at)
    }

    /// Reads the headers of a response. The limit lasts for up to `max_wait_ms`. `others` counts the other requests in flight,
    /// which the service has not counted yet. (A reset of -1 means no limit.)
    pub(super) fn read(headers: &Headers, others: u32, now: u64, max_wait_ms: u64) -> Option<Self> {
        let number = |name: &str| parse_u64(find_header(headers, name)?);
        let (remaining, reset) = (number("x-ratelimit-remaining")?, number("x-ratelimit-reset")?);
        let remaining = remaining.saturating_sub(others.into());
        Some(Self { remaining, reset_at: now.saturating_add(reset.min(max_wait_ms)) })
    }

    /// The limit after another request is sent. None if it has reset.
    pub(super) fn after_request(self, now: u64) -> Option<Self> {
        (self.reset_at > now).then_some(Self { remaining: self.remaining.saturating_sub(1), ..self })
    }

    /// When the next request may be sent.
    pub(super) fn next_at(self) -> u64 {
        if self.remaining == 0 { self.reset_at } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(remaining: u64) -> StatedLimit {
        StatedLimit { remaining, reset_at: 2000 }
    }

    #[test]
    fn headers_are_read_without_the_requests_in_flight() {
        let headers = |reset: &str| vec![("x-ratelimit-remaining", "5".into()), ("x-ratelimit-reset", reset.into())];
        let read = |reset, others| StatedLimit::read(&headers(reset), others, 1000, 60_000);
        let read = |reset, others| read(reset, others).map(|limit| (limit.remaining, limit.reset_at));
        assert_eq!(read(" 300 ", 2), Some((3, 1300)));
        assert_eq!(read("7200000", 9), Some((0, 61_000)));
        assert_eq!(read("-1", 0), None);
    }

    #[test]
    fn requests_wait_for_the_reset_only_when_none_remain() {
        assert_eq!([1, 0].map(|remaining| limit(remaining).next_at()), [0, 2000]);
        assert_eq!(limit(1).after_request(1999).map(StatedLimit::next_at), Some(2000));
        assert!(limit(1).after_request(2000).is_none());
    }
}
