//! Resume tokens: where a list goes on, as text that can be stored. A token is bound to the list, the base URL and the
//! filters it was made with, and holds no secrets.
//!
//! `aq1.<list>.<binding>.<check>.<cursor as query>`

use crate::decode::Cursor;
use crate::endpoint::request::{percent_decoded, percent_encoded};
use crate::endpoint::{BaseUrl, Request};
use crate::error::Error;

const VERSION: &str = "aq1";

/// The token for the page after this cursor.
#[must_use]
pub fn token(base: &BaseUrl, request: &Request, cursor: &Cursor) -> String {
    let parameters: Vec<String> = cursor
        .parameters()
        .map(|(name, value)| format!("{}={}", percent_encoded(name), percent_encoded(value)))
        .collect();
    let query = parameters.join("&");
    let bound = format!("{VERSION}.{}.{:016x}", request.operation().name, digest(&request.identity(base)));
    let check = digest(&format!("{bound}.{query}"));
    format!("{bound}.{check:016x}.{query}")
}

/// The cursor that a token holds.
///
/// # Errors
/// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) for `resume` when the token is broken or was made elsewhere.
pub fn cursor(token: &str, base: &BaseUrl, request: &Request) -> Result<Cursor, Error> {
    let refuse = |rule: &str| Error::invalid_parameter("resume", rule);
    let broken = || refuse("is no resume token, or not a whole one; start without it");
    let parts: Vec<&str> = token.splitn(5, '.').collect();
    let [version, list, binding, check, query] = parts.as_slice() else { return Err(broken()) };
    if *version != VERSION {
        return Err(refuse("is a token of another version of this library; start without it"));
    }
    if *check != format!("{:016x}", digest(&format!("{version}.{list}.{binding}.{query}"))) {
        return Err(broken());
    }
    if *list != request.operation().name {
        return Err(refuse(&format!("is a token of {list}, not of {}", request.operation().name)));
    }
    if *binding != format!("{:016x}", digest(&request.identity(base))) {
        return Err(refuse("was made for another base URL, address or filter; give the same again"));
    }
    let parameter = |pair: &str| {
        let (name, value) = pair.split_once('=')?;
        Some((percent_decoded(name)?, percent_decoded(value)?))
    };
    let parameters: Option<Vec<_>> = query.split('&').map(parameter).collect();
    parameters.and_then(Cursor::from_parameters).ok_or_else(broken)
}

/// FNV-1a: tells apart what was mixed up, not what was forged; a forged cursor is the service's to refuse.
#[must_use]
pub fn digest(text: &str) -> u64 {
    text.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3))
}
