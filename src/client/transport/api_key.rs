//! The API key: sent with every request, and redacted from every string that leaves the client.

use std::cell::RefCell;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;

use crate::decode::Cursor;
use crate::endpoint::request::percent_encode;
use crate::error::{Error, option_name};
use crate::strings::{ELLIPSIS, contains_any, split_once};

/// Replaces the key in redacted strings.
const PLACEHOLDER: &str = "***";

/// Prefix of the gateway's keys.
pub const GATEWAY_KEY: &str = "proapi_";
/// The error for a key of the gateway that is used with an instance.
pub const FOREIGN_KEY: &str = "is a key of the gateway, but the requests go to the instance of the chain; pass only chainId to read through the gateway";

/// A string with this many leading characters of the key counts as an occurrence of the key.
const PREFIX_LENGTH: usize = 6;

/// Number of keys that are remembered for redaction. A function may return a new key at any time.
const MAX_KNOWN_KEYS: usize = 16;

/// The key that a function returns.
pub type ApiKeyFuture = Pin<Box<dyn Future<Output = Result<String, Error>>>>;

/// An API key, or a function that returns it. Clones share the remembered keys.
///
/// ```
/// use address_query::client::{ApiKey, ClientOptions};
///
/// let options = ClientOptions::new("https://eth.blockscout.com".parse()?).api_key(ApiKey::new("3f2504e0-4f89-11d3-9a0c")?);
/// // Or, for keys that expire:
/// let options = options.api_key(ApiKey::from_fn(|| Box::pin(async { Ok("3f2504e0-4f89-11d3-9a0c".to_owned()) })));
/// # Ok::<(), address_query::error::Error>(())
/// ```
#[derive(Clone)]
pub struct ApiKey(Rc<ApiKeyInner>);

struct ApiKeyInner {
    source: KeySource,
    /// The last keys, each plain and percent-encoded.
    known: RefCell<Vec<String>>,
}

enum KeySource {
    Fixed(String),
    Callback(Box<dyn Fn() -> ApiKeyFuture>),
}

impl ApiKey {
    /// Creates a constant key.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) for `apiKey` if it is not 8 to 512
    /// printable ASCII characters without spaces.
    pub fn new(key: &str) -> Result<Self, Error> {
        let key = validate_key(key)?;
        let known = RefCell::new(Vec::new());
        let api_key = Self(Rc::new(ApiKeyInner { source: KeySource::Fixed(key.to_owned()), known }));
        api_key.remember(key);
        Ok(api_key)
    }

    /// Creates a key from a function that returns it. The client calls the function before each attempt.
    pub fn from_fn(callback: impl Fn() -> ApiKeyFuture + 'static) -> Self {
        Self(Rc::new(ApiKeyInner { source: KeySource::Callback(Box::new(callback)), known: RefCell::default() }))
    }

    /// The key for a request.
    ///
    /// # Errors
    /// The failure of the function, an invalid key, or a key of the gateway that `refuses_gateway_key`.
    pub(crate) async fn get(&self, refuses_gateway_key: bool) -> Result<String, Error> {
        let key = match &self.0.source {
            KeySource::Fixed(key) => key.clone(),
            KeySource::Callback(callback) => {
                let key = callback().await?;
                self.remember(validate_key(&key)?);
                key
            }
        };
        if refuses_gateway_key && key.starts_with(GATEWAY_KEY) {
            return Err(Error::invalid_parameter(option_name!(api_key), FOREIGN_KEY));
        }
        Ok(key)
    }

    fn remember(&self, key: &str) {
        let mut known = self.0.known.borrow_mut();
        if !known.iter().any(|other| other == key) {
            // The error message of a browser may contain the URL, and therefore the encoded key.
            known.extend([key.to_owned(), percent_encode(key)]);
            let excess = known.len().saturating_sub(2 * MAX_KNOWN_KEYS);
            known.drain(..excess);
        }
    }

    /// Removes cursor parameters that contain the API key, whatever their name: the key is sent with every request anyway.
    pub(crate) fn remove_from_cursor(&self, cursor: &mut Option<Cursor>) {
        let known = self.0.known.borrow();
        let is_secret = |value: &str| known.iter().any(|key| split_once(value, key).is_some());
        *cursor = cursor.take().and_then(|cursor| cursor.without_secrets(is_secret));
    }

    /// Replaces the remembered keys with `***`, including keys that are truncated at the end of an excerpt.
    #[must_use]
    pub(crate) fn redact(&self, input: &str) -> String {
        self.0
            .known
            .borrow()
            .iter()
            .fold(input.to_owned(), |output, key| redact_truncated_key(&redact_key(&output, key), key))
    }
}

/// Adds the key to the URL of a request.
pub(super) fn add_to_url(url: &str, key: &str) -> String {
    let separator = if contains_any(url, b"?") { "&" } else { "?" };
    [url, separator, "apikey=", &*percent_encode(key)].concat()
}

fn redact_key(input: &str, key: &str) -> String {
    let prefix = key.get(..PREFIX_LENGTH).unwrap_or(key);
    let (mut output, mut rest) = (String::new(), input);
    while let Some((before, after)) = split_once(rest, prefix) {
        output.push_str(before);
        output.push_str(PLACEHOLDER);
        // The rest of the key may be escaped or truncated: skip to the next byte that ends a string in JSON, HTML or prose.
        let same = key.bytes().skip(PREFIX_LENGTH).zip(after.bytes()).take_while(|(one, other)| one == other).count();
        let is_end = |byte: u8| matches!(byte, 0..=b' ' | b'"' | b'\'' | b'<' | b'>');
        let more = after.bytes().skip(same).take_while(|byte| !is_end(*byte)).count();
        rest = after.get(same + more..).unwrap_or_default();
    }
    output + rest
}

/// Replaces leading characters of the key, even a single one, that stand directly before an ellipsis.
fn redact_truncated_key(input: &str, key: &str) -> String {
    let (mut output, mut rest) = (String::new(), input);
    while let Some((before, after)) = split_once(rest, ELLIPSIS) {
        let before_prefix = (1..PREFIX_LENGTH).rev().filter_map(|length| before.strip_suffix(key.get(..length)?));
        match before_prefix.into_iter().next() {
            Some(before) => output.push_str(&[before, PLACEHOLDER, ELLIPSIS].concat()),
            None => output.push_str(&[before, ELLIPSIS].concat()),
        }
        rest = after;
    }
    output + rest
}

/// Returns the key if it is valid. Short keys are invalid: any string might contain one, so they could not be redacted.
fn validate_key(key: &str) -> Result<&str, Error> {
    if (8..=512).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Ok(key);
    }
    Err(Error::invalid_parameter(
        option_name!(api_key),
        "must be a string of 8 to 512 printable ASCII characters without spaces",
    ))
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(PLACEHOLDER)
    }
}
