//! The faults that a request can meet. They have the names of the faults of the sample service.

use address_query::error::ErrorCode;
use serde_json::{Value as Json, json};

use super::{Query, string};
use crate::range::rng::Rng;
use crate::test_runtime::MockResponse;

/// Declares the faults by the error of a client that does not retry, if there is one.
macro_rules! faults {
    ($( $($error:ident)?: $($fault:ident)*; )*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Fault { $( $( $fault, )* )* }

        impl Fault {
            pub const ALL: &'static [Self] = &[$( $( Self::$fault, )* )*];

            /// The error of a client that does not retry. `None` for faults that do not cause errors.
            pub const fn error(self) -> Option<ErrorCode> {
                match self { $( $( Self::$fault )|* => faults!(@ $($error)?), )* }
            }
        }
    };
    (@) => { None };
    (@ $error:ident) => { Some(ErrorCode::$error) };
}

faults! {
    : Latency DuplicateCursorKeys SchemaDrift NewBlocks;
    Timeout: NoResponse StalledBody;
    Network: NetworkError ConnectionResetInBody;
    RateLimited: RateLimitedReset RateLimitedRetryAfter RateLimitedRetryDate RateLimitedNoReset RateLimitedNoHeaders;
    HttpStatus: InternalServerError BadGateway ServiceUnavailable GatewayTimeout;
    Blocked: HtmlChallengePage HtmlForbiddenPage;
    Decode: TruncatedBody NullBody;
    Cursor: RepeatedCursor;
}

const TOO_MANY_REQUESTS: &str = r#"{"message":"Too many requests. Increase limits now at https://dev.blockscout.com"}"#;
const HTML_PAGE: &str = "<!DOCTYPE html><html><head><title>Just a moment...</title></head><body></body></html>";

/// The page of a gateway whose upstream failed, which is not a CAPTCHA, or its JSON.
const GATEWAY: [&str; 2] =
    ["<html><head><title>Bad gateway</title></head></html>", r#"{"error":"Bad Gateway","source":"upstream"}"#];

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

    /// Whether the client retries the request.
    pub fn is_retried(self) -> bool {
        self.error().is_some() && !matches!(self, Self::HtmlForbiddenPage | Self::RepeatedCursor)
    }

    /// Changes the body of the response to a URL. Returns false for a fault of the cursor if the body has none.
    pub(super) fn change_body(self, body: &mut String, url: &str, rng: &mut Rng) -> bool {
        let changed = match self {
            Self::DuplicateCursorKeys | Self::RepeatedCursor => self.repeat_cursor(body, url, rng),
            Self::SchemaDrift => Some(add_drift(body)),
            _ => return true,
        };
        changed.map(|changed| *body = changed).is_some()
    }

    /// Returns the response to a request that meets the fault. `deliver` adds the head and the body, or only the beginning of it.
    pub(super) fn respond(
        self,
        response: MockResponse,
        now_ms: u64,
        rng: &mut Rng,
        deliver: impl FnOnce(MockResponse, bool) -> MockResponse,
    ) -> MockResponse {
        let send = |status, body: &str| response.clone().and_head(status, &[]).chunk(body);
        let gateway = |status| send(status, GATEWAY[usize::from(now_ms % 2 == 1)]);
        let limited =
            |headers: &[(&'static str, &str)]| response.clone().and_head(429, headers).chunk(TOO_MANY_REQUESTS);
        match self {
            Self::DuplicateCursorKeys | Self::RepeatedCursor | Self::SchemaDrift | Self::NewBlocks => {
                deliver(response, false)
            }
            Self::Latency => deliver(response.wait(rng.between(1, 2_000)), false),
            Self::NoResponse => response.stall(),
            Self::TruncatedBody => deliver(response, true),
            Self::StalledBody => deliver(response, true).stall(),
            Self::ConnectionResetInBody => deliver(response, true).disconnect("the body broke off"),
            Self::NetworkError => response.disconnect("connection reset"),
            Self::RateLimitedReset => limited(&[
                ("x-ratelimit-limit", "300"),
                ("x-ratelimit-remaining", "0"),
                ("x-ratelimit-reset", &rng.between(1, 5_000).to_string()),
            ]),
            Self::RateLimitedRetryAfter => limited(&[("retry-after", &rng.between(0, 3).to_string())]),
            Self::RateLimitedRetryDate => limited(&[("retry-after", &http_date(now_ms + rng.between(0, 3_000)))]),
            Self::RateLimitedNoReset => limited(&[("x-ratelimit-limit", "-1"), ("x-ratelimit-reset", "-1")]),
            Self::RateLimitedNoHeaders => send(429, "error code: 1015"),
            Self::InternalServerError => send(500, r#""Internal server error""#),
            Self::BadGateway => gateway(502),
            Self::ServiceUnavailable => gateway(503),
            Self::GatewayTimeout => gateway(504),
            Self::HtmlChallengePage => send(200, HTML_PAGE),
            Self::HtmlForbiddenPage => send(403, HTML_PAGE),
            Self::NullBody => send(200, "null"),
        }
    }

    /// Returns a page whose cursor has the values of the request: instead of the next ones, or beside them under duplicate keys. These
    /// are strings after the others, as version 9.0.0 sends them, or first, as versions up to 9.4.2 do.
    fn repeat_cursor(self, body: &str, url: &str, rng: &mut Rng) -> Option<String> {
        let (request, is_first) = (Query::parse(url), rng.chance(50));
        let (items, next) = body.strip_suffix("}}")?.split_once(r#""next_page_params":{"#)?;
        let mut has_cursor = false;
        let mut repeat = |member: &str| {
            let (name, fresh) = member.split_once(':').unwrap();
            let old = request.get(name.trim_matches('"')).filter(|_| name != r#""items_count""#);
            has_cursor |= old.is_some();
            let typed = |old: &str| if fresh.starts_with('"') { string(old) } else { old.to_owned() };
            match old {
                None => member.to_owned(),
                Some(old) if self == Self::RepeatedCursor => format!("{name}:{}", typed(old)),
                Some(old) if is_first => format!("{name}:{},{member}", typed(old)),
                Some(old) => format!(r#"{member},{name}:"{old}""#),
            }
        };
        let next: Vec<String> = next.split(',').map(&mut repeat).collect();
        has_cursor.then(|| format!(r#"{items}"next_page_params":{{{}}}}}"#, next.join(",")))
    }
}

/// The suffix of unknown values, with the closing quote.
const UNKNOWN_SUFFIX: &str = "-next\"";

/// Changes the records of a response as a newer version of the service may: unknown values of open enums, and an unknown field.
fn add_drift(body: &str) -> String {
    let mut body: Json = serde_json::from_str(body).unwrap();
    let name = if body.get("items").is_some() { "items" } else { "result" };
    for row in body.get_mut(name).and_then(Json::as_array_mut).into_iter().flatten() {
        for field in ["type", "token_type", "proxy_type"] {
            if let Some(value) = row[field].as_str() {
                row[field] = format!("{value}-next").into();
            } else if row[field].is_null() {
                row.as_object_mut().unwrap().remove(field);
            }
        }
        row["next_field"] = json!({ "of": ["yet", null, 1e3] });
    }
    body.to_string()
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
