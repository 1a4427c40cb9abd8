//! The faults that a request can meet. They have the names of the faults of the sample service.

use address_query::error::ErrorCode;

use super::service::{Content, Service, cursor_json, page_json};
use crate::range::rng::Rng;
use crate::test_runtime::MockResponse;

/// Declares the kinds of faults: name, and the error of a client that does not retry.
macro_rules! kinds {
    ($( $kind:ident $name:literal $($error:ident)?; )*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum FaultKind { $( $kind, )* }

        impl FaultKind {
            pub const ALL: &'static [Self] = &[$( Self::$kind, )*];

            pub const fn name(self) -> &'static str {
                match self { $( Self::$kind => $name, )* }
            }

            /// The error of a client that does not retry. `None` for faults that do not cause errors.
            pub const fn error(self) -> Option<ErrorCode> {
                match self { $( Self::$kind => kinds!(@ $($error)?), )* }
            }
        }
    };
    (@) => { None };
    (@ $error:ident) => { Some(ErrorCode::$error) };
}

kinds! {
    Latency "latency";
    Stall "no_response" Timeout;
    StalledBody "stalled_body" Timeout;
    Network "network_error" Network;
    LimitedReset "rate_limited_reset" RateLimited;
    LimitedRetryAfter "rate_limited_retry_after" RateLimited;
    LimitedDate "rate_limited_retry_date" RateLimited;
    LimitedUnlimited "rate_limited_no_reset" RateLimited;
    LimitedBare "rate_limited_no_headers" RateLimited;
    Crash "internal_server_error" HttpStatus;
    BadGateway "bad_gateway" HttpStatus;
    Unavailable "service_unavailable" HttpStatus;
    GatewayTimeout "gateway_timeout" HttpStatus;
    Html "html_challenge_page" Blocked;
    Forbidden "html_forbidden_page" Blocked;
    Truncated "truncated_body" Decode;
    BrokenStream "connection_reset_in_body" Network;
    Null "null_body" Decode;
    DuplicateKeys "duplicate_cursor_keys";
    RepeatedCursor "repeated_cursor" Cursor;
    Drift "schema_drift";
    NewBlocks "new_blocks";
}

const TOO_MANY_REQUESTS: &str = r#"{"message":"Too many requests. Increase limits now at https://dev.blockscout.com"}"#;
const HTML_PAGE: &str = "<!DOCTYPE html><html><head><title>Just a moment...</title></head><body></body></html>";

/// The page of a gateway whose upstream failed. It is not a CAPTCHA.
const GATEWAY_PAGE: &str = "<html><head><title>Bad gateway</title></head></html>";

impl FaultKind {
    /// Whether the client retries the request.
    pub fn is_retried(self) -> bool {
        self.error().is_some() && !matches!(self, Self::Forbidden | Self::RepeatedCursor)
    }

    /// Whether the body ends early. A range then returns the rows before the end and requests the rest.
    pub const fn breaks_off(self) -> bool {
        matches!(self, Self::Truncated | Self::BrokenStream)
    }

    /// Whether a range reader requests a narrower window instead of retrying.
    pub const fn is_too_slow(self) -> bool {
        use FaultKind::{BadGateway, Crash, GatewayTimeout, Stall, StalledBody, Unavailable};
        matches!(self, Stall | StalledBody | Crash | BadGateway | Unavailable | GatewayTimeout)
    }

    /// Returns the response to a request that meets the fault, and whether it has the fault. A fault of the cursor needs a
    /// response with a cursor.
    pub fn respond(self, service: &mut Service, url: &str, now_ms: u64, rng: &mut Rng) -> (MockResponse, bool) {
        let limited = |headers: &[(&'static str, &str)]| MockResponse::head(429, headers).chunk(TOO_MANY_REQUESTS);
        let gateway = |status, rng: &mut Rng| {
            MockResponse::status(
                status,
                if rng.chance(50) { GATEWAY_PAGE } else { r#"{"error":"Bad Gateway","source":"upstream"}"# },
            )
        };
        let response = match self {
            Self::Latency => {
                with_body(MockResponse::default().wait(rng.between(1, 2_000)), &service.respond(url).to_json(), rng)
            }
            Self::Stall => MockResponse::default().stall(),
            Self::StalledBody => truncated_response(service, url, rng).stall(),
            Self::Network => MockResponse::default().wait(rng.between(0, 50)).disconnect("connection reset"),
            Self::LimitedReset => {
                let reset = rng.between(1, 5_000).to_string();
                limited(&[("x-ratelimit-limit", "300"), ("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", &reset)])
            }
            Self::LimitedRetryAfter => limited(&[("retry-after", &rng.between(0, 3).to_string())]),
            Self::LimitedDate => limited(&[("retry-after", &http_date(now_ms + rng.between(0, 3_000)))]),
            Self::LimitedUnlimited => limited(&[("x-ratelimit-limit", "-1"), ("x-ratelimit-reset", "-1")]),
            Self::LimitedBare => MockResponse::status(429, "error code: 1015"),
            Self::Crash => MockResponse::status(500, r#""Internal server error""#),
            Self::BadGateway => gateway(502, rng),
            Self::Unavailable => gateway(503, rng),
            Self::GatewayTimeout => gateway(504, rng),
            Self::Html => MockResponse::ok(HTML_PAGE),
            Self::Forbidden => MockResponse::status(403, HTML_PAGE),
            Self::Truncated => {
                let body = service.respond(url).to_json();
                let end = usize::try_from(rng.between(0, body.len() as u64 - 1)).unwrap();
                MockResponse::ok(&body.as_bytes()[..end])
            }
            Self::BrokenStream => truncated_response(service, url, rng).disconnect("the body broke off"),
            Self::Null => MockResponse::ok("null"),
            Self::DuplicateKeys | Self::RepeatedCursor => return self.respond_with_cursor(&service.respond(url), rng),
            Self::Drift => {
                let mut content = service.respond(url);
                if let Content::Page { rows, .. } | Content::Rows(rows) = &mut content {
                    for row in rows {
                        *row = add_drift(row);
                    }
                }
                deliver(&content, rng)
            }
            Self::NewBlocks => {
                service.grow(rng);
                deliver(&service.respond(url), rng)
            }
        };
        (response, true)
    }

    /// Returns a page with a fault of its cursor, and whether it has the fault.
    fn respond_with_cursor(self, content: &Content, rng: &mut Rng) -> (MockResponse, bool) {
        match content {
            Content::Page { rows, next: Some(next), cursor } if !cursor.is_empty() => {
                let next = match self {
                    Self::DuplicateKeys => cursor_json(next, cursor, rng.chance(50)),
                    _ => repeat_cursor(next, cursor),
                };
                (with_body(MockResponse::default(), &page_json(rows, Some(next)), rng), true)
            }
            _ => (deliver(content, rng), false),
        }
    }
}

/// Returns the cursor of the request as the next one. `items_count` is not part of `sent`.
fn repeat_cursor(next: &[(&'static str, String)], sent: &[(String, String)]) -> String {
    let value = |(name, next): &(&'static str, String)| {
        let sent = sent.iter().find(|(other, _)| other == name);
        (*name, sent.map_or(next, |(_, value)| value).clone())
    };
    cursor_json(&next.iter().map(value).collect::<Vec<_>>(), &[], false)
}

/// Fields with an open enum.
const OPEN_ENUMS: [&str; 3] = ["type", "token_type", "proxy_type"];
/// The suffix of unknown values, with the closing quote.
const UNKNOWN_SUFFIX: &str = "-next\"";

/// Changes a record as a newer version of the service may: unknown values and an unknown field.
fn add_drift(row: &str) -> String {
    let mut row: serde_json::Value = serde_json::from_str(row).unwrap();
    for field in OPEN_ENUMS {
        if let Some(value) = row[field].as_str() {
            row[field] = format!("{value}-next").into();
        } else if row[field].is_null() {
            row.as_object_mut().unwrap().remove(field);
        }
    }
    row["next_field"] = serde_json::json!({ "of": ["yet", null, 1e3] });
    row.to_string()
}

/// Removes the unknown values of [`add_drift`] from a decoded record.
pub fn remove_drift(row: &str) -> String {
    row.replace(UNKNOWN_SUFFIX, "\"")
}

/// Returns a response without a fault.
pub fn deliver(content: &Content, rng: &mut Rng) -> MockResponse {
    with_body(MockResponse::default().wait(rng.between(0, 40)), &content.to_json(), rng)
}

/// Adds status 200 and a body in random chunks to a response.
fn with_body(response: MockResponse, body: &str, rng: &mut Rng) -> MockResponse {
    add_chunks(response.and_head(200, &[]), body.as_bytes(), rng)
}

fn truncated_response(service: &Service, url: &str, rng: &mut Rng) -> MockResponse {
    let body = service.respond(url).to_json();
    let end = usize::try_from(rng.between(0, body.len() as u64 - 1)).unwrap();
    add_chunks(MockResponse::head(200, &[]), &body.as_bytes()[..end], rng)
}

fn add_chunks(mut response: MockResponse, mut bytes: &[u8], rng: &mut Rng) -> MockResponse {
    for _ in 0..rng.between(0, 3) {
        let (chunk, rest) = bytes.split_at(usize::try_from(rng.between(0, bytes.len() as u64)).unwrap());
        response = response.chunk(chunk).wait(rng.between(0, 10));
        bytes = rest;
    }
    response.chunk(bytes)
}

/// Formats a time in November 2023, where virtual time starts, as an HTTP date.
fn http_date(ms: u64) -> String {
    /// 1 November 2023, 00:00:00.
    const NOVEMBER: u64 = 1_698_796_800;
    let seconds = ms / 1000 - NOVEMBER;
    let (day, hour, minute, second) = (seconds / 86_400 + 1, seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    assert!(day <= 30, "virtual time ran past November");
    format!("Day, {day:02} Nov 2023 {hour:02}:{minute:02}:{second:02} GMT")
}
