//! Resume tokens: where a list goes on, as text that can be stored. A token is bound to the list, the base URL and the
//! filters it was made with, and holds no secrets.
//!
//! `aq1.<list>.<binding>.<check>.<cursor as query>`

use crate::decode::Cursor;
use crate::endpoint::request::{percent_decode, percent_encode};
use crate::endpoint::{BaseUrl, Request};
use crate::error::Error;
use crate::text::{digits, parts, split_once};

const VERSION: &str = "aq1";

/// The token for the page after this cursor.
#[must_use]
pub fn token(base: &BaseUrl, request: &Request, cursor: &Cursor) -> String {
    let mut query = String::new();
    for (name, value) in cursor.parameters() {
        query.push_str(if query.is_empty() { "" } else { "&" });
        query.push_str(&[&*percent_encode(name), "=", &*percent_encode(value)].concat());
    }
    let bound = [VERSION, ".", request.operation().name, ".", &*hex_digest(&request.identity(base))].concat();
    let check = hex_digest(&[&*bound, ".", &*query].concat());
    [&*bound, &*check, &*query].join(".")
}

/// The cursor that a token holds.
///
/// # Errors
/// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) for `resume` when the token is broken or was made elsewhere.
pub fn cursor(token: &str, base: &BaseUrl, request: &Request) -> Result<Cursor, Error> {
    let refuse = |rule: &str| Error::invalid_parameter("resume", rule);
    let broken = || refuse("is no resume token, or not a whole one; start without it");
    let (mut before, mut query) = ([""; 4], token);
    for part in &mut before {
        (*part, query) = split_once(query, ".").ok_or_else(broken)?;
    }
    let [version, list, binding, check] = before;
    if version != VERSION {
        return Err(refuse("is a token of another version of this library; start without it"));
    }
    if check != hex_digest(&[version, list, binding, query].join(".")) {
        return Err(broken());
    }
    if list != request.operation().name {
        return Err(refuse(&["is a token of ", list, ", not of ", request.operation().name].concat()));
    }
    if binding != hex_digest(&request.identity(base)) {
        return Err(refuse("was made for another base URL, address or filter; give the same again"));
    }
    let mut parameters = Vec::new();
    // Without a query it is the place of the first page.
    for pair in parts(query, b'&').filter(|_| !query.is_empty()) {
        let parameter = || {
            let (name, value) = split_once(pair, "=")?;
            Some((percent_decode(name)?, percent_decode(value)?))
        };
        parameters.push(parameter().ok_or_else(broken)?);
    }
    Ok(Cursor::from_parameters(parameters).unwrap_or_default())
}

fn hex_digest(text: &str) -> String {
    digits(digest(text.as_bytes()), 16, 16)
}

/// FNV-1a: tells apart what was mixed up, not what was forged; a forged cursor is the service's to refuse.
#[must_use]
pub fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01B3))
}
