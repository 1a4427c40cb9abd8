//! The faults that a request can meet. They have the names of the faults of the sample service.

use address_query::error::ErrorCode;

use super::{Content, Query, Service, page_json, string};
use crate::range::rng::Rng;
use crate::test_runtime::MockResponse;

/// Declares the faults: name, and the error of a client that does not retry.
macro_rules! faults {
    ($( $fault:ident $name:literal $($error:ident)?; )*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Fault { $( $fault, )* }

        impl Fault {
            pub const ALL: &'static [Self] = &[$( Self::$fault, )*];

            pub const fn name(self) -> &'static str {
                match self { $( Self::$fault => $name, )* }
            }

            /// The error of a client that does not retry. `None` for faults that do not cause errors.
            pub const fn error(self) -> Option<ErrorCode> {
                match self { $( Self::$fault => faults!(@ $($error)?), )* }
            }
        }
    };
    (@) => { None };
    (@ $error:ident) => { Some(ErrorCode::$error) };
}

faults! {
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

/// The page of a gateway whose upstream failed, which is not a CAPTCHA, or its JSON.
const GATEWAY: [&str; 2] =
    ["<html><head><title>Bad gateway</title></head></html>", r#"{"error":"Bad Gateway","source":"upstream"}"#];

impl Fault {
    /// A range reader requests a narrower window instead of retrying.
    pub const SLOW: &'static [Self] =
        &[Self::Stall, Self::Crash, Self::BadGateway, Self::Unavailable, Self::GatewayTimeout];

    /// The body ends early. A range then returns the rows before the end and requests the rest.
    pub const BREAKS: &'static [Self] = &[Self::Truncated, Self::BrokenStream, Self::StalledBody];

    /// Whether the client retries the request.
    pub fn is_retried(self) -> bool {
        self.error().is_some() && !matches!(self, Self::Forbidden | Self::RepeatedCursor)
    }

    /// Returns the response to a request that meets the fault, and the fault. A fault of the cursor needs a response with a
    /// cursor.
    pub(super) fn respond(
        self,
        service: &Service,
        response: MockResponse,
        url: &str,
        now_ms: u64,
        rng: &mut Rng,
    ) -> (MockResponse, Option<Self>) {
        let gateway = |status| {
            response.clone().and_head(status, &[]).chunk(GATEWAY[usize::from(service.counts().requests.get() % 2 == 1)])
        };
        let limited =
            |headers: &[(&'static str, &str)]| response.clone().and_head(429, headers).chunk(TOO_MANY_REQUESTS);
        let faulty = match self {
            Self::Latency => {
                let response = response.wait(rng.between(1, 2_000));
                service.deliver(response, url, &service.content(url, rng), None)
            }
            Self::Stall => response.stall(),
            Self::Truncated => service.deliver(response, url, &service.content(url, rng), Some(self)),
            Self::StalledBody => service.deliver(response, url, &service.content(url, rng), Some(self)).stall(),
            Self::BrokenStream => {
                service.deliver(response, url, &service.content(url, rng), Some(self)).disconnect("the body broke off")
            }
            Self::Network => response.disconnect("connection reset"),
            Self::LimitedReset => {
                let (low, high) = service.script().reset_ms;
                limited(&[
                    ("x-ratelimit-limit", "300"),
                    ("x-ratelimit-remaining", "0"),
                    ("x-ratelimit-reset", &rng.between(low, high).to_string()),
                ])
            }
            Self::LimitedRetryAfter => limited(&[("retry-after", &rng.between(0, 3).to_string())]),
            Self::LimitedDate => limited(&[("retry-after", &http_date(now_ms + rng.between(0, 3_000)))]),
            Self::LimitedUnlimited => limited(&[("x-ratelimit-limit", "-1"), ("x-ratelimit-reset", "-1")]),
            Self::LimitedBare => response.and_head(429, &[]).chunk("error code: 1015"),
            Self::Crash => response.and_head(500, &[]).chunk(r#""Internal server error""#),
            Self::BadGateway => gateway(502),
            Self::Unavailable => gateway(503),
            Self::GatewayTimeout => gateway(504),
            Self::Html => response.and_head(200, &[]).chunk(HTML_PAGE),
            Self::Forbidden => response.and_head(403, &[]).chunk(HTML_PAGE),
            Self::Null => response.and_head(200, &[]).chunk("null"),
            Self::DuplicateKeys | Self::RepeatedCursor => {
                let content = service.content(url, rng);
                let Some(body) = self.repeat_cursor(&content, rng) else {
                    return (service.deliver(response, url, &content, None), None);
                };
                service.deliver(response, url, &Content::Body(200, body), None)
            }
            Self::Drift => {
                let mut content = service.content(url, rng);
                if let Content::Page { rows, .. } | Content::Rows(rows) = &mut content {
                    for row in rows {
                        *row = add_drift(row);
                    }
                }
                service.deliver(response, url, &content, None)
            }
            Self::NewBlocks => {
                service.grow(false, rng);
                service.deliver(response, url, &service.content(url, rng), None)
            }
        };
        (faulty, Some(self))
    }

    /// Returns a page whose cursor has the values of the request: instead of the next ones, or beside them under duplicate keys. These
    /// are strings after the others, as version 9.0.0 sends them, or first, as versions up to 9.4.2 do.
    fn repeat_cursor(self, content: &Content, rng: &mut Rng) -> Option<String> {
        let Content::Page { rows, next: Some(next), cursor } = content else { return None };
        let is_first = rng.chance(50);
        (!cursor.0.is_empty()).then(|| repeat_keys(rows, next, cursor, self == Self::DuplicateKeys, is_first))
    }
}

/// Returns a page whose cursor also has the values of the request, before the next ones or as strings after them. Without
/// `keeps_next`, it has only these.
pub(super) fn repeat_keys(
    rows: &[String],
    next: &[(&'static str, String)],
    cursor: &Query,
    keeps_next: bool,
    is_first: bool,
) -> String {
    page_json(rows, Some(next), |name, fresh| {
        let typed = |value: &str| if fresh.starts_with('"') { string(value) } else { value.to_owned() };
        match cursor.get(name) {
            None => fresh.to_owned(),
            Some(old) if !keeps_next => typed(old),
            Some(old) if is_first => format!(r#"{},"{name}":{fresh}"#, typed(old)),
            Some(old) => format!(r#"{fresh},"{name}":"{old}""#),
        }
    })
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

/// Formats a time in November 2023, where virtual time starts, as an HTTP date.
fn http_date(ms: u64) -> String {
    /// 1 November 2023, 00:00:00.
    const NOVEMBER: u64 = 1_698_796_800;
    let seconds = ms / 1000 - NOVEMBER;
    let (day, hour, minute, second) = (seconds / 86_400 + 1, seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    assert!(day <= 30, "virtual time ran past November");
    format!("Day, {day:02} Nov 2023 {hour:02}:{minute:02}:{second:02} GMT")
}
