//! Resume tokens: strings that store the position in a list. A token is valid only for the operation, base URL and
//! parameters that it was created with, and contains no secrets.
//!
//! Format: `aq1.<operation>.<request digest>.<checksum>.<cursor as query string>`

use crate::decode::Cursor;
use crate::endpoint::request::{percent_decode, percent_encode};
use crate::endpoint::{BaseUrl, Request};
use crate::error::Error;
use crate::strings::{format_digits, split, split_once};

const VERSION: &str = "aq1";

/// Encodes the token of the page that this cursor requests.
#[must_use]
pub fn encode_token(base_url: &BaseUrl, request: &Request, cursor: &Cursor) -> String {
    let mut query = String::new();
    for (name, value) in cursor.parameters() {
        query.push_str(if query.is_empty() { "" } else { "&" });
        query.push_str(&[&*percent_encode(name), "=", &*percent_encode(value)].concat());
    }
    let prefix = [VERSION, ".", request.operation().name, ".", &*hex_digest(&request.identity(base_url))].concat();
    let checksum = hex_digest(&[&*prefix, ".", &*query].concat());
    [&*prefix, ".", &*checksum, ".", &*query].concat()
}

/// Decodes a token into its cursor.
///
/// # Errors
/// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) for `resume` if the token is malformed or belongs to another request.
pub fn decode_token(token: &str, base_url: &BaseUrl, request: &Request) -> Result<Cursor, Error> {
    let invalid = |rule: &str| Error::invalid_parameter("resume", rule);
    let malformed = || invalid("is not a resume token, or is truncated; start without it");
    let (mut fields, mut query) = ([""; 4], token);
    for field in &mut fields {
        (*field, query) = split_once(query, ".").ok_or_else(malformed)?;
    }
    let [version, operation, request_digest, checksum] = fields;
    if version != VERSION {
        return Err(invalid("is a token of another version of this library; start without it"));
    }
    if checksum != hex_digest(&[version, ".", operation, ".", request_digest, ".", query].concat()) {
        return Err(malformed());
    }
    if operation != request.operation().name {
        return Err(invalid(&["is a token of ", operation, ", not of ", request.operation().name].concat()));
    }
    if request_digest != hex_digest(&request.identity(base_url)) {
        return Err(invalid("belongs to another base URL or other parameters; pass the same as before"));
    }
    let mut parameters = Vec::new();
    // An empty query is the position of the first page.
    for pair in split(query, b'&').filter(|_| !query.is_empty()) {
        let parameter = || {
            let (name, value) = split_once(pair, "=")?;
            Some((percent_decode(name)?, percent_decode(value)?))
        };
        parameters.push(parameter().ok_or_else(malformed)?);
    }
    Ok(Cursor::from_parameters(parameters).unwrap_or_default())
}

fn hex_digest(input: &str) -> String {
    format_digits(digest(input.as_bytes()), 16, 16)
}

/// FNV-1a hash. It detects mistakes, not forgery: the service itself rejects forged cursors.
#[must_use]
pub fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01B3))
}
