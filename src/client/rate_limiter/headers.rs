//! Reads rate limits from response headers: the number of remaining requests (`x-ratelimit-remaining`,
//! `x-ratelimit-reset`), and how long to wait after a refusal (`retry-after`, `x-ratelimit-reset`).

use std::ops::Range;

use crate::client::runtime::{Headers, find_header};
use crate::record::days_since_epoch;
use crate::strings::parse_u64;

/// Number of requests that the service still accepts, and when that limit resets.
#[derive(Debug, Clone, Copy)]
pub(super) struct StatedLimit {
    pub(super) remaining: u64,
    pub(super) reset_at: u64,
}

impl StatedLimit {
    /// Reads the headers of a response. The limit lasts for up to `max_wait_ms`. `others` counts the other requests in flight,
    /// which the service has not counted yet. (A reset of -1 means no limit.)
    pub(super) fn read(headers: &Headers, others: u64, now: u64, max_wait_ms: u64) -> Option<Self> {
        let number = |name: &str| parse_u64(find_header(headers, name)?);
        let (remaining, reset) = (number("x-ratelimit-remaining")?, number("x-ratelimit-reset")?);
        let remaining = remaining.saturating_sub(others);
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

/// The wait that the service states, in milliseconds. `Retry-After` is in seconds or a date. `x-ratelimit-reset` is **the
/// number of milliseconds until the reset** (-1: no limit). Every response has it, but it states a wait only with status 429.
pub(crate) fn stated_wait_ms(status: u16, headers: &[(&'static str, String)], now_ms: u64) -> Option<u64> {
    let retry_after = find_header(headers, "retry-after").and_then(|value| {
        let seconds = parse_u64(value).map(|seconds| seconds.saturating_mul(1000));
        seconds.or_else(|| Some(parse_http_date(value)?.saturating_sub(now_ms)))
    });
    retry_after.or_else(|| parse_u64(find_header(headers, "x-ratelimit-reset").filter(|_| status == 429)?))
}

/// Parses a date such as `Wed, 21 Oct 2015 07:28:00 GMT`. Returns milliseconds since 1970.
fn parse_http_date(date: &str) -> Option<u64> {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let month = date.get(8..11)?;
    let month = MONTHS.iter().zip(1u64..).find(|(name, _)| **name == month)?.1;
    let number = |range: Range<usize>, min: u64, max: u64| {
        parse_u64(date.get(range)?).filter(|value| (min..=max).contains(value))
    };
    let (day, year) = (number(5..7, 1, 31)?, number(12..16, 1970, 9999)?);
    let (hour, minute, second) = (number(17..19, 0, 23)?, number(20..22, 0, 59)?, number(23..25, 0, 60)?);
    let days = days_since_epoch(year, month, day)?;
    Some((((days * 24 + hour) * 60 + minute) * 60 + second) * 1000)
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

    #[test]
    fn wait_is_read_from_headers() {
        let wait = |name, value: &str| stated_wait_ms(429, &[(name, value.to_owned())], 1_445_412_400_000);
        assert_eq!(wait("x-ratelimit-reset", "1500"), Some(1500));
        assert_eq!(wait("x-ratelimit-reset", "-1"), None);
        assert_eq!(wait("x-ratelimit-reset", "soon"), None);
        assert_eq!(stated_wait_ms(500, &[("x-ratelimit-reset", "1500".into())], 0), None);
        assert_eq!(stated_wait_ms(500, &[("retry-after", "3".into())], 0), Some(3000));
        assert_eq!(wait("retry-after", "3"), Some(3000));
        assert_eq!(wait("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT"), Some(80_000));
        assert_eq!(wait("retry-after", "Wed, 21 Oct 2015 07:00:00 GMT"), Some(0));
        assert_eq!(wait("retry-after", "Wed, 21 Foo 2015 07:00:00 GMT"), None);
        assert_eq!(wait("retry-after", "Wed, 18446744073709551615 Oct 2015 07:00:00 GMT"), None);
    }

    #[test]
    fn http_dates_count_leap_days() {
        assert_eq!(parse_http_date("Thu, 01 Jan 1970 00:00:00 GMT"), Some(0));
        assert_eq!(parse_http_date("Thu, 29 Feb 2024 12:00:00 GMT"), Some(1_709_208_000_000));
        assert_eq!(parse_http_date("Fri, 01 Mar 2024 00:00:00 GMT"), Some(1_709_251_200_000));
    }
}
