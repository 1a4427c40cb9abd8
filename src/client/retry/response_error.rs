//! Creates the errors for responses: from a failing status, from a refusal, and from a body that cannot be decoded.

use crate::client::rate_limiter::stated_wait_ms;
use crate::client::runtime::{PAYMENT_HEADER, find_header, has_challenge};
use crate::decode::error_body::{
    error_message, has_challenge_script, is_challenge, is_gateway_error, is_json, is_markup, refusal_message,
};
use crate::decode::{DecodeError, QueryFailure};
use crate::error::{Error, ErrorCode, option_name};
use crate::strings::{contains_any, format_u64, split_once, to_lowercase};

/// The error for a response with a failing status, or with a challenge. `body` may be truncated. `has_key` is whether the client has an API key.
#[must_use]
pub fn http_status_error(
    status: u16,
    headers: &[(&'static str, String)],
    body: &[u8],
    now_ms: u64,
    has_key: bool,
) -> Error {
    let message = error_message(body);
    // 402 is also the refusal of a request without a key. A proxy may add a key that has no credits left, or remove the client's.
    let has_terms = || find_header(headers, PAYMENT_HEADER).is_some();
    let mentions_credits = || message.as_deref().is_some_and(|message| split_once(message, "credits").is_some());
    let has_challenge = has_challenge(headers);
    let code = match status {
        _ if has_challenge => ErrorCode::Blocked,
        429 => ErrorCode::RateLimited,
        402 if mentions_credits() || has_key && !has_terms() => ErrorCode::OutOfCredits,
        401 | 402 => key_error_code(has_key && status == 401),
        404 if is_gateway_error(body) => ErrorCode::UnsupportedChain,
        403 if !is_json(body) => ErrorCode::Blocked,
        _ if is_challenge(body) => ErrorCode::Blocked,
        _ => ErrorCode::HttpStatus,
    };
    let reason = message.map_or_else(|| " without a message".into(), |message| [": \"", &*message, "\""].concat());
    let status_code = format_u64(status.into());
    let advice = advice(code, status, has_key);
    let message = ["the service responded with status ", &*status_code, &*reason, "; ", advice].concat();
    let mut error = Error::new(code, message);
    error.status = Some(status);
    error.retry_after_ms = stated_wait_ms(status, headers, now_ms);
    // A body that merely looks like a challenge may be the error page of a busy service. A service that cannot format a
    // record responds with an object. The plain text "Internal server error" may mean a timeout of the database.
    let is_crash = status == 500 && body.trim_ascii_start().starts_with(b"{");
    error.is_transient = status != 403 && !has_challenge && !has_challenge_script(body) && !is_crash;
    error
}

/// Advice for a failing status. Completes the error message.
const fn advice(code: ErrorCode, status: u16, has_key: bool) -> &'static str {
    match code {
        ErrorCode::UnsupportedChain => {
            return concat!(
                "the gateway does not serve this chain; check ",
                option_name!(chain_id),
                ", or set ",
                option_name!(base_url),
                " to an instance of the chain"
            );
        }
        ErrorCode::ApiKeyRequired | ErrorCode::ApiKeyRejected => return key_advice(code),
        ErrorCode::OutOfCredits => {
            return "the API key has no credits left; wait until its plan renews them (the free plan at 00:00 UTC), or choose a \
                    larger plan";
        }
        ErrorCode::Blocked => return BLOCKED,
        _ => {}
    }
    match status {
        // The browser hides the status of a redirect that is not followed.
        0 | 301..=303 | 307 | 308 => {
            concat!(
                "redirects are not followed with an API key; set ",
                option_name!(base_url),
                " to the target of the redirect"
            )
        }
        400 | 404 => concat!("check ", option_name!(base_url), ": this path may not exist in the instance's version"),
        403 if has_key => {
            "the address is restricted on this instance, the API key is not valid, or a firewall refused the request"
        }
        403 => "the address is restricted on this instance, or a firewall refused the request",
        422 => "the service does not accept one of the parameters; the instance may be older than the parameter",
        429 => rate_advice(has_key),
        501 | 505 => "this instance does not support the operation",
        500..=599 => "try again later; for a busy address narrow the query",
        _ => concat!("check ", option_name!(base_url)),
    }
}

/// Advice for a rate limit.
const fn rate_advice(has_key: bool) -> &'static str {
    if has_key {
        "send fewer requests"
    } else {
        "send fewer requests, or use an API key; a service may refuse an IP address without a key for up to 15 minutes"
    }
}

/// Advice for a refusal by a firewall or CDN.
const BLOCKED: &str = "a firewall or CDN in front of the service refused the request; use another network, or read through a proxy on \
                       your server (address-query/proxy)";

/// The code for a refusal because the key is missing or not accepted.
const fn key_error_code(is_rejected: bool) -> ErrorCode {
    if is_rejected { ErrorCode::ApiKeyRejected } else { ErrorCode::ApiKeyRequired }
}

/// Advice for a refusal because the key is missing or not accepted.
const fn key_advice(code: ErrorCode) -> &'static str {
    match code {
        ErrorCode::ApiKeyRejected => concat!("the service does not accept the API key; check ", option_name!(api_key)),
        _ => concat!(
            "the service requires an API key: create one at https://dev.blockscout.com and pass it as ",
            option_name!(api_key),
            "; if ",
            option_name!(base_url),
            " is a proxy, check its key"
        ),
    }
}

/// The error for a request that the service refused with this message. Some instances refuse with status 200 instead of 429.
#[must_use]
pub(crate) fn refusal_error(message: &str, has_key: bool) -> Error {
    let lower = to_lowercase(message);
    if ["rate limit", "too many requests"].iter().any(|phrase| split_once(&lower, phrase).is_some()) {
        let message = ["the service limits the rate of requests: \"", message, "\"; ", rate_advice(has_key)].concat();
        return Error::new(ErrorCode::RateLimited, message);
    }
    let is_about_key = ["unauthorized", "api key"].iter().any(|phrase| split_once(&lower, phrase).is_some());
    let (code, advice) = if is_about_key {
        let code = key_error_code(has_key);
        (code, key_advice(code))
    } else {
        (ErrorCode::Refused, "check the parameters")
    };
    Error::new(code, ["the service refused the request: \"", message, "\"; ", advice].concat())
}

/// The error for a response to a GraphQL query that has no result. `head` is the beginning of the body.
#[must_use]
pub(crate) fn query_error(failure: QueryFailure, head: &[u8], has_key: bool) -> Error {
    let message = match failure {
        QueryFailure::Decode(error) => return decode_error(&error, head, has_key),
        QueryFailure::Refused(message) => message,
    };
    let (code, reason) = if split_once(&message, "too complex").is_some() {
        (ErrorCode::TooComplex, "the instance accepts only less complex queries")
    } else if split_once(&message, "disabled").is_some() {
        (ErrorCode::Disabled, "the instance has switched GraphQL off")
    } else {
        return refusal_error(&message, has_key);
    };
    Error::new(code, [reason, ": \"", &*message, "\"; use the methods of client.account"].concat())
}

/// The error for a successful response that cannot be decoded. `head` is the beginning of the body.
#[must_use]
pub fn decode_error(error: &DecodeError, head: &[u8], has_key: bool) -> Error {
    if is_challenge(head) {
        let mut error = transient_error(ErrorCode::Blocked, BLOCKED.into());
        error.is_transient = !has_challenge_script(head);
        return error;
    }
    if is_markup(head) {
        let excerpt = error_message(head).map_or_else(String::new, |message| [" (\"", &*message, "\")"].concat());
        return transient_error(
            ErrorCode::Decode,
            [
                "expected JSON, found a web page",
                &*excerpt,
                concat!("; check ", option_name!(base_url), ", or try again later"),
            ]
            .concat(),
        );
    }
    // A body with a record in which something deep does not match is not a refusal, although a record can have a `message` or `error`.
    if let DecodeError::Mismatch(mismatch) = error
        && !contains_any(&mismatch.path, b".[")
        && let Some(message) = refusal_message(head)
    {
        return refusal_error(&message, has_key);
    }
    let (code, is_transient, mismatch, advice) = match error {
        DecodeError::Incomplete => {
            return transient_error(ErrorCode::Decode, "the response is truncated; try again".into());
        }
        DecodeError::Syntax(mismatch) => {
            (ErrorCode::Decode, true, mismatch, "; the response is truncated or not JSON; try again")
        }
        DecodeError::Mismatch(mismatch) if mismatch.path.is_empty() && mismatch.found == "null" => {
            (ErrorCode::Decode, true, mismatch, "; the response is empty; try again")
        }
        DecodeError::Mismatch(mismatch) if is_in_row(&mismatch.path) => (
            ErrorCode::Decode,
            false,
            mismatch,
            concat!(
                "; the response does not match the documentation; ",
                option_name!(skip_bad_records),
                " omits such records"
            ),
        ),
        DecodeError::Mismatch(mismatch) => (
            ErrorCode::Decode,
            false,
            mismatch,
            concat!("; the response does not match the documentation; check ", option_name!(base_url)),
        ),
        DecodeError::Cursor(mismatch) => (ErrorCode::Cursor, false, mismatch, "; the list cannot be continued"),
    };
    let mut error = Error::new(code, mismatch.to_message() + advice);
    error.is_transient = is_transient;
    error.path = Some(mismatch.path.clone());
    error
}

/// Whether the value at this path of a response is in a row: of a list, or of an action.
fn is_in_row(path: &str) -> bool {
    path.starts_with("items[") || path.starts_with("result[")
}

/// The error for a body that is not a complete JSON document. Such a request is retried.
fn transient_error(code: ErrorCode, message: String) -> Error {
    let mut error = Error::new(code, message);
    error.is_transient = true;
    error
}

/// The error for a record that was decoded with another declaration. Not reachable, because requests state their
/// layout.
pub(crate) fn frame_error() -> Error {
    Error::new(ErrorCode::Internal, "a decoded record does not match its declaration")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn status_error_has_code_and_message_of_the_service() {
        let error = http_status_error(
            429,
            &[("x-ratelimit-reset", "900".into())],
            br#"{"message":"Too many requests"}"#,
            0,
            false,
        );
        assert_eq!((error.code, error.status, error.retry_after_ms), (ErrorCode::RateLimited, Some(429), Some(900)));
        assert!(error.message.contains("\"Too many requests\""), "{error}");
        let error = http_status_error(500, &[], b"\"Internal server error\"", 0, false);
        assert_eq!((error.code, error.status), (ErrorCode::HttpStatus, Some(500)));
        assert!(error.message.contains("try again later"), "{error}");
        assert!(http_status_error(502, &[], b"", 0, false).message.contains("without a message"));
    }
}
