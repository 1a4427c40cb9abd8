//! Resume tokens: strings that store the position in a list. A token is valid only for the operation, chain or base URL, and
//! parameters that it was created with, and contains no secrets.
//!
//! Format: `aq1.<operation>.<request digest>.<checksum>.<position>`. The position in a list or range is a cursor,
//! encoded as a query string. Histories, watches and approvals have tokens of the same format with other positions:
//! `pkg-template/runtime/resume-token.ts`, which gets the constants from here.

use std::sync::Arc;

use crate::decode::Cursor;
use crate::endpoint::request::{percent_decode, percent_encode};
use crate::endpoint::{BaseUrl, Request};
use crate::error::Error;
use crate::strings::{format_digits, split, split_once};

/// The first part of a token.
pub const VERSION: &str = "aq1";
/// The error for a token that cannot be read.
pub const MALFORMED: &str = "is not a resume token, or is truncated; start without it";
/// The error for a token of another format.
pub const OTHER_VERSION: &str = "is a token of another version of this library; start without it";
/// The error for a token of another chain or base URL, or with other parameters.
pub const OTHER_REQUEST: &str = "belongs to another chain or base URL, or other parameters; pass the same as before";
/// The first value of a digest: FNV-1a of 64 bits.
pub const DIGEST_OFFSET: u64 = 0xCBF2_9CE4_8422_2325;
/// The factor of a digest.
pub const DIGEST_PRIME: u64 = 0x100_0000_01B3;

/// What tokens belong to: the request of a list or range, and the URL that it is read from (`Client::source_url`).
#[derive(Debug)]
pub struct TokenSubject {
    /// The URL.
    pub url: BaseUrl,
    /// The request, without the keys of a cursor.
    pub request: Request,
}

/// A position in a list or range. Its resume token is encoded only when it is read.
#[derive(Debug, Clone)]
pub struct ResumePoint {
    subject: Arc<TokenSubject>,
    cursor: Cursor,
    /// The part of the token after the cursor.
    pub(super) suffix: &'static str,
}

impl ResumePoint {
    /// Creates the position of a cursor.
    #[must_use]
    pub const fn new(subject: Arc<TokenSubject>, cursor: Cursor) -> Self {
        Self { subject, cursor, suffix: "" }
    }

    /// Encodes the resume token.
    #[must_use]
    pub fn token(&self) -> String {
        let TokenSubject { url, request } = &*self.subject;
        let prefix = [VERSION, ".", request.operation().name, ".", &*hex_digest(&request.identity(url)), "."].concat();
        let position = encode_cursor(&self.cursor) + self.suffix;
        let checksum = hex_digest(&[&*prefix, &*position].concat());
        [prefix, checksum, ".".into(), position].concat()
    }
}

impl PartialEq for ResumePoint {
    fn eq(&self, other: &Self) -> bool {
        self.token() == other.token()
    }
}

impl Eq for ResumePoint {}

/// Decodes a token into its position. It is valid for each of `urls`: the source URL, and the base URL, which older versions encoded.
///
/// # Errors
/// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) for `resume` if the token is malformed or belongs to another request.
pub fn decode_token<'a>(token: &'a str, urls: &[&BaseUrl], request: &Request) -> Result<&'a str, Error> {
    let (mut fields, mut position) = ([""; 4], token);
    for field in &mut fields {
        (*field, position) = split_once(position, ".").ok_or_else(malformed)?;
    }
    let [version, operation, request_digest, checksum] = fields;
    if version != VERSION {
        return Err(invalid(OTHER_VERSION));
    }
    if checksum != hex_digest(&[version, ".", operation, ".", request_digest, ".", position].concat()) {
        return Err(malformed());
    }
    if operation != request.operation().name {
        return Err(invalid(&["is a token of ", operation, ", not of ", request.operation().name].concat()));
    }
    if !urls.iter().any(|url| request_digest == hex_digest(&request.identity(url))) {
        return Err(other_request());
    }
    Ok(position)
}

/// Encodes a cursor as a position, a query string. It is empty for the first page.
fn encode_cursor(cursor: &Cursor) -> String {
    let mut query = String::new();
    for (name, value) in cursor.parameters() {
        query.push_str(if query.is_empty() { "" } else { "&" });
        query.push_str(&[&*percent_encode(name), "=", &*percent_encode(value)].concat());
    }
    query
}

/// Decodes a position into a cursor.
///
/// # Errors
/// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) for `resume` if it is not a query string.
pub fn decode_cursor(query: &str) -> Result<Cursor, Error> {
    let mut parameters = Vec::new();
    for pair in split(query, b'&').filter(|_| !query.is_empty()) {
        let parameter = || {
            let (name, value) = split_once(pair, "=")?;
            Some((percent_decode(name)?, percent_decode(value)?))
        };
        parameters.push(parameter().ok_or_else(malformed)?);
    }
    Ok(Cursor::from_parameters(parameters).unwrap_or_default())
}

pub(super) fn other_request() -> Error {
    invalid(OTHER_REQUEST)
}

fn malformed() -> Error {
    invalid(MALFORMED)
}

fn invalid(rule: &str) -> Error {
    Error::invalid_parameter("resume", rule)
}

fn hex_digest(input: &str) -> String {
    format_digits(digest(input.as_bytes()), 16, 16)
}

/// FNV-1a hash. It detects mistakes, not forgery: the service itself rejects forged cursors.
#[must_use]
pub fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(DIGEST_OFFSET, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(DIGEST_PRIME))
}
