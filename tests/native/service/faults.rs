//! The faults that a request can meet. They have the names of the faults of the sample service.

use address_query::error::ErrorCode;
use serde_json::{Value as Json, json};

use super::schemas::Fields;
use super::{Query, string};
use crate::range::rng::Rng;
use crate::test_runtime::MockResponse;

/// 20 seconds after virtual time starts.
const RETRY_DATE: &str = "Tue, 14 Nov 2023 22:13:40 GMT";
const TOO_MANY: &str = r#"{"message":"Too many requests. Increase limits now at https://dev.blockscout.com"}"#;
const CAPTCHA: &str = "<!DOCTYPE html><html><head><title>Just a moment...</title></head><body></body></html>";
/// The page of a gateway whose upstream failed, which is not a CAPTCHA.
const GATEWAY: &str = "<html><head><title>Bad gateway</title></head></html>";

/// Declares the faults by the error of a client that does not retry, if there is one.
macro_rules! faults {
    ($( $error:expr => $( $fault:ident )*; )*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Fault { $( $( $fault, )* )* }

        impl Fault {
            pub const ALL: &'static [Self] = &[$( $( Self::$fault, )* )*];

            /// The error of a client that does not retry. `None` for faults that do not cause errors.
            pub const fn error(self) -> Option<ErrorCode> {
                match self { $( $( Self::$fault )|* => $error, )* }
            }
        }
    };
}

faults! {
    None => Latency DuplicateCursorKeys SchemaDrift NewBlocks;
    Some(ErrorCode::Timeout) => NoResponse StalledBody;
    Some(ErrorCode::Network) => NetworkError ConnectionResetInBody;
    Some(ErrorCode::RateLimited) =>
        RateLimitedReset RateLimitedRetryAfter RateLimitedRetryDate RateLimitedNoReset RateLimitedNoHeaders;
    Some(ErrorCode::HttpStatus) => InternalServerError BadGateway ServiceUnavailable GatewayTimeout;
    Some(ErrorCode::Blocked) => HtmlChallengePage HtmlForbiddenPage;
    Some(ErrorCode::Decode) => TruncatedBody NullBody;
    Some(ErrorCode::Cursor) => RepeatedCursor;
}

impl Fault {
    /// A range reader requests a narrower window instead of retrying.
    pub const SLOW: &'static [Self] = &[
        Self::NoResponse,
        Self::InternalServerError,
        Self::BadGateway,
        Self::ServiceUnavailable,
        Self::GatewayTimeout,
    ];

    /// The body ends early. A range then returns the rows before the end and requests the rest.
    pub const BREAKS: &'static [Self] = &[Self::TruncatedBody, Self::ConnectionResetInBody, Self::StalledBody];

    /// Returns the response to a request that meets the fault. `deliver` adds the head and the body, or only the beginning of it.
    pub(super) fn respond(
        self,
        response: MockResponse,
        rng: &mut Rng,
        deliver: impl FnOnce(MockResponse, bool) -> MockResponse,
    ) -> MockResponse {
        let send =
            |status, headers: &[(&'static str, &str)], body| response.clone().and_head(status, headers).chunk(body);
        let limited = |header, value: u64| send(429, &[(header, &*value.to_string())], TOO_MANY);
        match self {
            Self::Latency => deliver(response.wait(rng.between(1, 2_000)), false),
            Self::NoResponse => response.stall(),
            Self::StalledBody => deliver(response, true).stall(),
            Self::NetworkError => response.disconnect("connection reset"),
            Self::ConnectionResetInBody => deliver(response, true).disconnect("the body broke off"),
            Self::RateLimitedReset => limited("x-ratelimit-reset", rng.between(1, 5_000)),
            Self::RateLimitedRetryAfter => limited("retry-after", rng.between(0, 3)),
            Self::RateLimitedRetryDate => send(429, &[("retry-after", RETRY_DATE)], TOO_MANY),
            Self::RateLimitedNoReset => {
                send(429, &[("x-ratelimit-limit", "-1"), ("x-ratelimit-reset", "-1")], TOO_MANY)
            }
            Self::RateLimitedNoHeaders => send(429, &[], "error code: 1015"),
            Self::InternalServerError => send(500, &[], r#""Internal server error""#),
            Self::BadGateway => send(502, &[], GATEWAY),
            Self::ServiceUnavailable => send(503, &[], r#"{"error":"Bad Gateway","source":"upstream"}"#),
            Self::GatewayTimeout => send(504, &[], GATEWAY),
            Self::HtmlChallengePage => send(200, &[], CAPTCHA),
            Self::HtmlForbiddenPage => send(403, &[], CAPTCHA),
            Self::TruncatedBody => deliver(response, true),
            Self::NullBody => send(200, &[], "null"),
            // The body has the fault.
            _ => deliver(response, false),
        }
    }

    /// Adds the values of a request's cursor to the next cursor, instead of the next values or beside them under duplicate keys. These
    /// are strings after the others, as version 9.0.0 sends them, or first, as versions up to 9.4.2 do. Returns false without a cursor.
    pub(super) fn repeat(self, next: &mut Fields, request: &Query, rng: &mut Rng) -> bool {
        let (is_first, mut has_cursor) = (rng.chance(50), false);
        for (name, value) in std::mem::take(next) {
            let old = request.get(name);
            has_cursor |= old.is_some();
            match old.map(|old| (string(old), if value.starts_with('"') { string(old) } else { old.to_owned() })) {
                None => next.push((name, value)),
                Some((_, typed)) if self == Self::RepeatedCursor => next.push((name, typed)),
                Some((_, typed)) if is_first => next.extend([(name, typed), (name, value)]),
                Some((string, _)) => next.extend([(name, value), (name, string)]),
            }
        }
        has_cursor
    }
}

/// Changes the records of a response as a newer version of the service may: unknown values of open enums, and an unknown field.
pub(super) fn add_drift(body: &str) -> String {
    let mut body: Json = serde_json::from_str(body).unwrap();
    for row in body.as_object_mut().unwrap().values_mut().filter_map(Json::as_array_mut).flatten() {
        for field in ["type", "token_type", "proxy_type"] {
            match &mut row[field] {
                Json::String(value) => value.push_str("-next"),
                Json::Null => drop(row.as_object_mut().unwrap().remove(field)),
                _ => {}
            }
        }
        row["next_field"] = json!({ "of": ["yet", null, 1e3] });
    }
    body.to_string()
}
