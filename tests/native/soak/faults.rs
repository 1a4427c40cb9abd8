//! What goes wrong on the way, one kind at a time; the names are those of the sample service's `faults`.

use address_query::error::ErrorCode;

use super::service::{Answer, Service, cursor, page};
use crate::range::dice::Dice;
use crate::runtime::Reply;

/// Declares the kinds: name, and the error that a caller sees who does not try again.
macro_rules! kinds {
    ($( $kind:ident $name:literal $($error:ident)?; )*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Kind { $( $kind, )* }

        impl Kind {
            pub const ALL: &'static [Self] = &[$( Self::$kind, )*];

            pub const fn name(self) -> &'static str {
                match self { $( Self::$kind => $name, )* }
            }

            /// Nothing for those that an answer can be read through.
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
    Html "html_challenge_page" Decode;
    Forbidden "html_forbidden_page" HttpStatus;
    Truncated "truncated_body" Decode;
    BrokenStream "connection_reset_in_body" Network;
    Null "null_body" Decode;
    DuplicateKeys "duplicate_cursor_keys";
    RepeatedCursor "repeated_cursor" Cursor;
    Drift "schema_drift";
    NewBlocks "new_blocks";
}

const TOO_MANY: &str = r#"{"message":"Too many requests. Increase limits now at https://dev.blockscout.com"}"#;
const PAGE: &str = "<!DOCTYPE html><html><head><title>Just a moment...</title></head><body></body></html>";

impl Kind {
    /// Whether the client asks again by itself.
    pub fn is_retried(self) -> bool {
        self.error().is_some() && !matches!(self, Self::Forbidden | Self::RepeatedCursor)
    }

    /// Whether a body ends early: what came of a range before is given out, and the rest of it asked for.
    pub const fn breaks_off(self) -> bool {
        matches!(self, Self::Truncated | Self::BrokenStream)
    }

    /// Whether a reader of ranges asks for less instead of the same again.
    pub const fn is_too_slow(self) -> bool {
        use Kind::{BadGateway, Crash, GatewayTimeout, Stall, StalledBody, Unavailable};
        matches!(self, Stall | StalledBody | Crash | BadGateway | Unavailable | GatewayTimeout)
    }

    /// The answer to a request that is hit, and whether it was: there may be no cursor to spoil.
    pub fn reply(self, service: &mut Service, url: &str, now_ms: u64, dice: &mut Dice) -> (Reply, bool) {
        let limited = |headers: &[(&'static str, &str)]| Reply::head(429, headers).chunk(TOO_MANY);
        let gateway = |status, dice: &mut Dice| {
            Reply::status(
                status,
                if dice.percent(50) { PAGE } else { r#"{"error":"Bad Gateway","source":"upstream"}"# },
            )
        };
        let reply = match self {
            Self::Latency => delivered(Reply::default().wait(dice.roll(1, 2_000)), &service.answer(url).text(), dice),
            Self::Stall => Reply::default().stall(),
            Self::StalledBody => half(service, url, dice).stall(),
            Self::Network => Reply::default().wait(dice.roll(0, 50)).lost("connection reset"),
            Self::LimitedReset => {
                let reset = dice.roll(1, 5_000).to_string();
                limited(&[("x-ratelimit-limit", "300"), ("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", &reset)])
            }
            Self::LimitedRetryAfter => limited(&[("retry-after", &dice.roll(0, 3).to_string())]),
            Self::LimitedDate => limited(&[("retry-after", &date(now_ms + dice.roll(0, 3_000)))]),
            Self::LimitedUnlimited => limited(&[("x-ratelimit-limit", "-1"), ("x-ratelimit-reset", "-1")]),
            Self::LimitedBare => Reply::status(429, "error code: 1015"),
            Self::Crash => Reply::status(500, r#""Internal server error""#),
            Self::BadGateway => gateway(502, dice),
            Self::Unavailable => gateway(503, dice),
            Self::GatewayTimeout => gateway(504, dice),
            Self::Html => Reply::ok(PAGE),
            Self::Forbidden => Reply::status(403, PAGE),
            Self::Truncated => {
                let text = service.answer(url).text();
                let end = usize::try_from(dice.roll(0, text.len() as u64 - 1)).unwrap();
                Reply::ok(&text.as_bytes()[..end])
            }
            Self::BrokenStream => half(service, url, dice).lost("the body broke off"),
            Self::Null => Reply::ok("null"),
            Self::DuplicateKeys | Self::RepeatedCursor => {
                let answer = service.answer(url);
                let Answer::Page { rows, next: Some(next), keys } = &answer else {
                    return (plain(&answer, dice), false);
                };
                if keys.is_empty() {
                    return (plain(&answer, dice), false);
                }
                let next = if self == Self::DuplicateKeys { cursor(next, keys) } else { repeated(next, keys) };
                delivered(Reply::default(), &page(rows, Some(next)), dice)
            }
            Self::Drift => {
                let mut answer = service.answer(url);
                if let Answer::Page { rows, .. } | Answer::Rows(rows) = &mut answer {
                    for row in rows {
                        *row = drifted(row);
                    }
                }
                plain(&answer, dice)
            }
            Self::NewBlocks => {
                service.grow(dice);
                plain(&service.answer(url), dice)
            }
        };
        (reply, true)
    }
}

/// The cursor that came with the request, in place of the next one.
fn repeated(next: &[(&'static str, String)], keys: &[(String, String)]) -> String {
    let own = |name: &str| keys.iter().find(|(known, _)| known == name).unwrap().1.clone();
    cursor(&next.iter().map(|&(name, _)| (name, own(name))).collect::<Vec<_>>(), &[])
}

const LABELS: [&str; 3] = ["type", "token_type", "proxy_type"];
/// What a label that nobody has heard of ends in.
const NEXT: &str = "-next\"";

/// A record as the next version may send it.
fn drifted(row: &str) -> String {
    let mut row: serde_json::Value = serde_json::from_str(row).unwrap();
    for label in LABELS {
        if let Some(text) = row[label].as_str() {
            row[label] = format!("{text}-next").into();
        } else if row[label].is_null() {
            row.as_object_mut().unwrap().remove(label);
        }
    }
    row["unheard_of"] = serde_json::json!({ "of": ["yet", null, 1e3] });
    row.to_string()
}

/// A record as it was before it drifted.
pub fn undrifted(row: &str) -> String {
    row.replace(NEXT, "\"")
}

/// An answer as it should be.
pub fn plain(answer: &Answer, dice: &mut Dice) -> Reply {
    delivered(Reply::default().wait(dice.roll(0, 40)), &answer.text(), dice)
}

/// Status 200, and the body in pieces.
fn delivered(reply: Reply, text: &str, dice: &mut Dice) -> Reply {
    pieces(reply.then_head(200, &[]), text.as_bytes(), dice)
}

fn half(service: &Service, url: &str, dice: &mut Dice) -> Reply {
    let text = service.answer(url).text();
    let end = usize::try_from(dice.roll(0, text.len() as u64 - 1)).unwrap();
    pieces(Reply::head(200, &[]), &text.as_bytes()[..end], dice)
}

fn pieces(mut reply: Reply, mut bytes: &[u8], dice: &mut Dice) -> Reply {
    for _ in 0..dice.roll(0, 3) {
        let (piece, rest) = bytes.split_at(usize::try_from(dice.roll(0, bytes.len() as u64)).unwrap());
        reply = reply.chunk(piece).wait(dice.roll(0, 10));
        bytes = rest;
    }
    reply.chunk(bytes)
}

/// A moment of November 2023, where virtual time begins, as HTTP spells it.
fn date(ms: u64) -> String {
    /// 1 November 2023, 00:00:00.
    const NOVEMBER: u64 = 1_698_796_800;
    let seconds = ms / 1000 - NOVEMBER;
    let (day, hour, minute, second) = (seconds / 86_400 + 1, seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    assert!(day <= 30, "virtual time ran past November");
    format!("Day, {day:02} Nov 2023 {hour:02}:{minute:02}:{second:02} GMT")
}
