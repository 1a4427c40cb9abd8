//! Resume tokens: where a list goes on, as text that can be stored. A token is bound to the list, the base URL and the
//! filters it was made with, and holds no secrets.
//!
//! `aq1.<list>.<binding>.<check>.<cursor as query>`

use crate::decode::Cursor;
use crate::endpoint::request::{percent_decoded, percent_encoded};
use crate::endpoint::{BaseUrl, Request};
use crate::error::Error;
use crate::text::{digits, split_once};

const VERSION: &str = "aq1";

/// The token for the page after this cursor.
#[must_use]
pub fn token(base: &BaseUrl, request: &Request, cursor: &Cursor) -> String {
    let mut query = String::new();
    for (name, value) in cursor.parameters() {
        if !query.is_empty() {
            query.push('&');
        }
        query.push_str(&percent_encoded(name));
        query.push('=');
        query.push_str(&percent_encoded(value));
    }
    let list = request.operation().name;
    let binding = hex(&[&request.identity(base)]);
    let check = hex(&[VERSION, ".", list, ".", &binding, ".", &query]);
    [VERSION, list, &binding, &check, &query].join(".")
}

/// The cursor that a token holds.
///
/// # Errors
/// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) for `resume` when the token is broken or was made elsewhere.
pub fn cursor(token: &str, base: &BaseUrl, request: &Request) -> Result<Cursor, Error> {
    let refuse = |rule: &str| Error::invalid_parameter("resume", rule);
    let broken = || refuse("is no resume token, or not a whole one; start without it");
    let mut parts = token.splitn(5, '.');
    let mut part = || parts.next().unwrap_or_default();
    let (version, list, binding, check, query) = (part(), part(), part(), part(), part());
    if query.is_empty() {
        return Err(broken());
    }
    if version != VERSION {
        return Err(refuse("is a token of another version of this library; start without it"));
    }
    if check != hex(&[version, ".", list, ".", binding, ".", query]) {
        return Err(broken());
    }
    let own = request.operation().name;
    if list != own {
        return Err(refuse(&["is a token of ", list, ", not of ", own].concat()));
    }
    if binding != hex(&[&request.identity(base)]) {
        return Err(refuse("was made for another base URL, address or filter; give the same again"));
    }
    let mut parameters = Vec::new();
    for pair in query.split('&') {
        let (name, value) = split_once(pair, "=").ok_or_else(broken)?;
        let (Some(name), Some(value)) = (percent_decoded(name), percent_decoded(value)) else { return Err(broken()) };
        parameters.push((name, value));
    }
    Cursor::from_parameters(parameters).ok_or_else(broken)
}

/// The digest of these texts, one behind the other, in 16 digits.
fn hex(texts: &[&str]) -> String {
    digits(digest(texts.concat().as_bytes()), 16, 16)
}

/// FNV-1a: tells apart what was mixed up, not what was forged; a forged cursor is the service's to refuse.
#[must_use]
pub fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01B3))
}
