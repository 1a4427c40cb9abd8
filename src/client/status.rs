//! What a failing answer means: status, headers and body in, the typed error out.

use std::ops::Range;

use crate::decode::Fail;
use crate::decode::error_body::{error_message, is_markup, refusal};
use crate::error::{Error, ErrorCode};
use crate::text::{has_any, lowercase, number, parsed, split_once, trimmed};

/// The error for an answer whose status is a failure. `body` may be only its beginning.
#[must_use]
pub fn failing_status(status: u16, headers: &[(&'static str, String)], body: &[u8], now_ms: u64) -> Error {
    let code = if status == 429 { ErrorCode::RateLimited } else { ErrorCode::HttpStatus };
    let said =
        error_message(body).map_or_else(|| "without a message".into(), |message| ["\"", &*message, "\""].concat());
    let message = ["the service answered ", &*number(status.into()), ", ", &*said, "; ", advice(status)].concat();
    let mut error = Error::new(code, message);
    error.status = Some(status);
    error.retry_after_ms = server_wait(status, headers, now_ms);
    error
}

const fn advice(status: u16) -> &'static str {
    match status {
        // The browser hides the status of a redirect that is not followed.
        0 | 301..=303 | 307 | 308 => {
            "a redirect is not followed with an API key; set baseUrl to the address that it leads to"
        }
        400 | 404 => "check baseUrl: this path may not exist in the instance's version",
        401 | 402 => "check the API key and its plan",
        403 => "the address is restricted on this instance, or a firewall refused the request",
        422 => "the service does not take one of the parameters; its version may be older than the parameter",
        429 => "ask more slowly, or use an API key",
        501 | 505 => "this instance does not offer what was asked for",
        500..=599 => "try again later; for a busy address narrow the query",
        _ => "check baseUrl",
    }
}

/// How long the service asked to wait: `Retry-After` is seconds or a date; `x-ratelimit-reset` is **milliseconds until reset**
/// (-1: unlimited), and stands on every answer: with another status than 429 it asks for nothing.
fn server_wait(status: u16, headers: &[(&'static str, String)], now_ms: u64) -> Option<u64> {
    let header = |name| headers.iter().find(|(known, _)| *known == name).map(|(_, value)| trimmed(value));
    let retry_after = header("retry-after").and_then(|value| {
        let seconds = parsed(value).map(|seconds| seconds.saturating_mul(1000));
        seconds.or_else(|| Some(http_date(value)?.saturating_sub(now_ms)))
    });
    retry_after.or_else(|| parsed(header("x-ratelimit-reset").filter(|_| status == 429)?))
}

/// `Wed, 21 Oct 2015 07:28:00 GMT` in milliseconds since 1970.
fn http_date(text: &str) -> Option<u64> {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let month = text.get(8..11)?;
    let month = MONTHS.iter().zip(1u64..).find(|(name, _)| **name == month)?.1;
    let number = |place: Range<usize>, least: u64, most: u64| {
        parsed(text.get(place)?).filter(|value| (least..=most).contains(value))
    };
    let (day, year) = (number(5..7, 1, 31)?, number(12..16, 1970, 9999)?);
    let (hour, minute, second) = (number(17..19, 0, 23)?, number(20..22, 0, 59)?, number(23..25, 0, 60)?);
    // Days since 1970, counting years from March so that the leap day comes last.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day.checked_sub(1)?;
    let days = days.checked_sub(719_468)?;
    Some((((days * 24 + hour) * 60 + minute) * 60 + second) * 1000)
}

/// The error for a refusal in the service's words. Some instances answer 200 where others answer 429.
#[must_use]
pub fn refused(message: &str) -> Error {
    let lower = lowercase(message);
    if ["rate limit", "too many requests"].iter().any(|complaint| split_once(&lower, complaint).is_some()) {
        let message = ["the service asks to slow down: \"", message, "\"; ask more slowly, or use an API key"].concat();
        return Error::new(ErrorCode::RateLimited, message);
    }
    let message = ["the service refused the request: \"", message, "\"; check the parameters"].concat();
    Error::new(ErrorCode::Refused, message)
}

/// The error for an answer with a good status that cannot be read. `head` is the beginning of the body.
#[must_use]
pub fn unreadable(fail: &Fail, head: &[u8]) -> Error {
    if is_markup(head) {
        let said = error_message(head).map_or_else(String::new, |message| [" (\"", &*message, "\")"].concat());
        return garbled(["the answer is a web page, not JSON", &*said, "; check baseUrl, or try again later"].concat());
    }
    if let (Fail::Shape(_), Some(refused)) = (fail, refusal(head)) {
        return self::refused(&refused);
    }
    let (code, garbled, mismatch, advice) = match fail {
        Fail::More => return garbled("the answer breaks off; try again".into()),
        Fail::Syntax(mismatch) => {
            (ErrorCode::Decode, true, mismatch, "; the answer is no JSON or breaks off; try again")
        }
        Fail::Shape(mismatch) if mismatch.path.is_empty() && mismatch.found == "null" => {
            (ErrorCode::Decode, true, mismatch, "; the answer is empty; try again")
        }
        Fail::Shape(mismatch) if has_any(&mismatch.path, b"[") => (
            ErrorCode::Decode,
            false,
            mismatch,
            "; the answer differs from what is documented; badRecords: \"skip\" reads the rest",
        ),
        Fail::Shape(mismatch) => {
            (ErrorCode::Decode, false, mismatch, "; the answer differs from what is documented; check baseUrl")
        }
        Fail::Cursor(mismatch) => (ErrorCode::Cursor, false, mismatch, "; the list cannot be followed further"),
    };
    let mut error = Error::new(code, mismatch.in_words() + advice);
    error.garbled = garbled;
    error.path = Some(mismatch.path.clone());
    error
}

/// The error for an answer that is no whole document of the service.
fn garbled(message: String) -> Error {
    let mut error = Error::new(ErrorCode::Decode, message);
    error.garbled = true;
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_server_says_how_long_to_wait() {
        let wait = |name, value: &str| server_wait(429, &[(name, value.to_owned())], 1_445_412_400_000);
        assert_eq!(wait("x-ratelimit-reset", "1500"), Some(1500));
        assert_eq!(wait("x-ratelimit-reset", "-1"), None);
        assert_eq!(wait("x-ratelimit-reset", "soon"), None);
        assert_eq!(server_wait(500, &[("x-ratelimit-reset", "1500".into())], 0), None);
        assert_eq!(server_wait(500, &[("retry-after", "3".into())], 0), Some(3000));
        assert_eq!(wait("retry-after", "3"), Some(3000));
        assert_eq!(wait("retry-after", "Wed, 21 Oct 2015 07:28:00 GMT"), Some(80_000));
        assert_eq!(wait("retry-after", "Wed, 21 Oct 2015 07:00:00 GMT"), Some(0));
        assert_eq!(wait("retry-after", "Wed, 21 Foo 2015 07:00:00 GMT"), None);
        assert_eq!(wait("retry-after", "Wed, 18446744073709551615 Oct 2015 07:00:00 GMT"), None);
    }

    #[test]
    fn dates_are_counted_across_leap_years() {
        assert_eq!(http_date("Thu, 01 Jan 1970 00:00:00 GMT"), Some(0));
        assert_eq!(http_date("Thu, 29 Feb 2024 12:00:00 GMT"), Some(1_709_208_000_000));
        assert_eq!(http_date("Fri, 01 Mar 2024 00:00:00 GMT"), Some(1_709_251_200_000));
    }

    #[test]
    fn a_failing_status_is_a_typed_error_with_the_service_s_message() {
        let error =
            failing_status(429, &[("x-ratelimit-reset", "900".into())], br#"{"message":"Too many requests"}"#, 0);
        assert_eq!((error.code, error.status, error.retry_after_ms), (ErrorCode::RateLimited, Some(429), Some(900)));
        assert!(error.message.contains("\"Too many requests\""), "{error}");
        let error = failing_status(500, &[], b"\"Internal server error\"", 0);
        assert_eq!((error.code, error.status), (ErrorCode::HttpStatus, Some(500)));
        assert!(error.message.contains("try again later"), "{error}");
        assert!(failing_status(502, &[], b"", 0).message.contains("without a message"));
    }
}
