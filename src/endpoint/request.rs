//! [`Request`]: an operation with checked parameters. It builds the URL of each page.

use super::base_url::BaseUrl;
use super::list::ListParams;
use super::operation::{Operation, QueryParams};
use super::param_rule::ParamValue;
use super::query::Query;
use crate::decode::Cursor;
use crate::error::Error;
use crate::strings::{contains_any, from_utf8_lossy, split_once, to_lowercase};

pub(crate) use super::params::MAX_BLOCK;

/// The maximum length of a query string. The service responds to longer ones with HTTP status 414.
pub const MAX_QUERY_LENGTH: usize = 5_000;

/// A range of blocks, and the order in which it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockRange {
    /// First block.
    pub first: u64,
    /// Last block.
    pub last: u64,
    /// Whether the newest block comes first.
    pub newest_first: bool,
}

/// An operation with checked parameters.
#[derive(Debug, Clone)]
pub struct Request {
    operation: &'static Operation,
    path: String,
    query_params: Vec<(&'static str, String)>,
}

impl Request {
    /// Creates a request from pairs of parameter name and value, and checks them against the rules of the operation.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) that names the first parameter at fault: an unknown
    /// name, a missing required parameter, a value that is not accepted, or a combination that is not allowed.
    pub fn new<'a>(
        operation: &'static Operation,
        values: impl IntoIterator<Item = (&'a str, ParamValue)>,
    ) -> Result<Self, Error> {
        let values: Vec<_> = values.into_iter().collect();
        Self::from_borrowed(operation, &values.iter().map(|(name, value)| (*name, value)).collect::<Vec<_>>())
    }

    /// Creates a request like [`Request::new`], from borrowed values.
    pub(crate) fn from_borrowed(operation: &'static Operation, values: &[(&str, &ParamValue)]) -> Result<Self, Error> {
        operation.check_names(values)?;
        let mut path = operation.path.to_owned();
        let mut query_params = Vec::new();
        for param in operation.params {
            let Some((_, value)) = values.iter().find(|(name, _)| *name == param.name) else { continue };
            let Some(checked) = param.rule.check(param.name, value)? else { continue };
            match split_once(&path, &["{", param.name, "}"].concat()) {
                Some((before, after)) => path = [before, &checked, after].concat(),
                None => query_params.push((param.name, checked)),
            }
        }
        if operation.paired_defaults.iter().any(|(name, _)| QueryParams(&query_params).get(name).is_some()) {
            for &(name, default) in operation.paired_defaults {
                if QueryParams(&query_params).get(name).is_none() {
                    query_params.push((name, default.to_owned()));
                }
            }
        }
        for rule in operation.rules {
            rule(&QueryParams(&query_params))?;
        }
        let request = Self { operation, path, query_params };
        if has_long_query(&request.append_query(String::new(), &[])) {
            let longest = request.query_params.iter().max_by_key(|(_, value)| value.len());
            let rule =
                "is too long: the service accepts no query string of more than 5000 characters; send several requests";
            return Err(Error::invalid_parameter(longest.map_or("", |(name, _)| name), rule));
        }
        Ok(request)
    }

    /// Creates a request from the typed parameters of a list.
    ///
    /// # Errors
    /// Like [`Request::new`].
    pub fn from_params<P: ListParams>(params: &P) -> Result<Self, Error> {
        Self::new(P::LIST, params.to_values())
    }

    /// The operation.
    #[must_use]
    pub const fn operation(&self) -> &'static Operation {
        self.operation
    }

    /// Returns the range of blocks that the parameters of an action select, for a range reader. Without `startblock`
    /// and `endblock`, the range is the whole chain. Without `sort`, the newest block comes first.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) for parameters that select only a part of the range
    /// (`page`, `offset`, `txhash`), and where `address` and `contractaddress` are both missing.
    pub fn block_range(&self) -> Result<BlockRange, Error> {
        let params = QueryParams(&self.query_params);
        for name in ["page", "offset", "txhash"] {
            if params.get(name).is_some() {
                return Err(Error::invalid_parameter(name, "cannot be used here: the whole range is read"));
            }
        }
        if params.get("address").is_none() && params.get("contractaddress").is_none() {
            return Err(Error::invalid_parameter("address", "is required to read a whole range"));
        }
        Ok(BlockRange {
            first: params.get_number("startblock").unwrap_or(0),
            last: params.get_number("endblock").unwrap_or(MAX_BLOCK),
            newest_first: params.get("sort") != Some("asc"),
        })
    }

    /// Returns the GraphQL query for the parameters, if the operation has one, and the body of the request for the page that
    /// the cursor points to, or for the first page.
    #[must_use]
    pub fn query(&self, cursor: Option<&Cursor>) -> Option<(&'static Query, String)> {
        let params = QueryParams(&self.query_params);
        let query = self.operation.queries.iter().find(|query| params.get(query.main_param).is_some())?;
        Some((query, query.body(&self.query_params, cursor)))
    }

    /// Returns the URL of the page that the cursor points to, or of the first page without a cursor.
    ///
    /// The URL of every page contains all query parameters of the request. A cursor key replaces a query parameter of
    /// the same name. The URL of a GraphQL request has none of them: they are in its body.
    #[must_use]
    pub fn url(&self, base: &BaseUrl, cursor: Option<&Cursor>) -> String {
        if !self.operation.queries.is_empty() {
            return [base.as_str(), &*self.path].concat();
        }
        let mut keys = Vec::new();
        if let Some(cursor) = cursor {
            keys.extend(cursor.parameters());
        }
        self.url_with_params(base, &keys)
    }

    /// Returns the URL with additional query parameters, which replace those of the same name.
    #[must_use]
    pub fn url_with_params(&self, base: &BaseUrl, additional: &[(&str, &str)]) -> String {
        self.append_query(base.as_str().to_owned(), additional)
    }

    /// Appends the path and the query string to a base URL.
    fn append_query(&self, mut url: String, additional: &[(&str, &str)]) -> String {
        url.push_str(&self.path);
        let query_params = self.query_params.iter().map(|(name, value)| (*name, value.as_str()));
        let query_params = query_params.filter(|(name, _)| !additional.iter().any(|(other, _)| other == name));
        let mut separator = if contains_any(&self.path, b"?") { "&" } else { "?" };
        for (name, value) in query_params.chain(additional.iter().copied()) {
            for part in [separator, &*percent_encode(name), "=", &*percent_encode(value)] {
                url.push_str(part);
            }
            separator = "&";
        }
        url
    }

    /// Returns a string that identifies what is requested. Two requests with equal strings return the same list.
    #[must_use]
    pub fn identity(&self, base: &BaseUrl) -> String {
        let url = self.url_with_params(base, &[]);
        // Hashes are case-insensitive. The path in the base URL is case-sensitive.
        let relative = url.get(base.as_str().len()..).unwrap_or_default();
        [base.as_str(), &*to_lowercase(relative)].concat()
    }
}

/// Whether the service refuses this URL because of the length of its query string.
pub(crate) fn has_long_query(url: &str) -> bool {
    split_once(url, "?").is_some_and(|(_, query)| query.len() > MAX_QUERY_LENGTH)
}

/// Percent-encodes a string for a URL query. ASCII letters, digits and `-._~,:` stay as they are.
#[must_use]
pub fn percent_encode(value: &str) -> String {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    let hex_digit = |value: u8| HEX.get(usize::from(value)).copied().unwrap_or_default();
    let mut encoded = Vec::with_capacity(value.len());
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b',' | b':') {
            encoded.push(byte);
        } else {
            encoded.extend([b'%', hex_digit(byte >> 4), hex_digit(byte & 15)]);
        }
    }
    from_utf8_lossy(&encoded)
}

/// Decodes a percent-encoded string. `None` where an escape is malformed or the bytes are not UTF-8.
#[must_use]
pub fn percent_decode(encoded: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(encoded.len());
    let mut rest = encoded.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        if first == b'%' {
            let ([high, low], remaining) = after.split_first_chunk()?;
            let digit = |digit: u8| u8::try_from(char::from(digit).to_digit(16)?).ok();
            bytes.push(digit(*high)? << 4 | digit(*low)?);
            rest = remaining;
        } else {
            bytes.push(first);
            rest = after;
        }
    }
    String::from_utf8(bytes).ok()
}
