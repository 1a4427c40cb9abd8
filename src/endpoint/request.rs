//! A request: an operation with checked parameters, and the URL of any of its pages.

use super::operation::Given;
use super::{BaseUrl, ListParams, Operation, ParamValue};
use crate::decode::Cursor;
use crate::error::Error;
use crate::text::{has_any, lossy, lowercase, split_once};

/// The largest block number that the service takes.
pub const MAX_BLOCK: u64 = 2_147_483_647;

/// The service answers 414 to a longer query string.
pub const MAX_QUERY_LENGTH: usize = 5_000;

/// A range of blocks, and which end of it comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// First block.
    pub first: u64,
    /// Last block.
    pub last: u64,
    /// Whether the newest block comes first.
    pub newest_first: bool,
}

/// An operation with parameters that keep its rules.
#[derive(Debug, Clone)]
pub struct Request {
    operation: &'static Operation,
    path: String,
    filters: Vec<(&'static str, String)>,
}

impl Request {
    /// Checks parameters against an operation's rules.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) naming the first parameter that breaks a rule.
    pub fn new<'a>(
        operation: &'static Operation,
        values: impl IntoIterator<Item = (&'a str, ParamValue)>,
    ) -> Result<Self, Error> {
        let values: Vec<_> = values.into_iter().collect();
        Self::checked(operation, &values.iter().map(|(name, value)| (*name, value)).collect::<Vec<_>>())
    }

    /// The same, of values that stay the caller's.
    pub(crate) fn checked(operation: &'static Operation, values: &[(&str, &ParamValue)]) -> Result<Self, Error> {
        if let Some((unknown, _)) =
            values.iter().find(|(name, _)| !operation.params.iter().any(|param| param.name == *name))
        {
            let names: Vec<&str> = operation.params.iter().map(|param| param.name).collect();
            let known = if names.is_empty() { "none".into() } else { names.join(", ") };
            let rule = ["is no parameter of ", operation.name, "; it takes ", &*known].concat();
            return Err(Error::invalid_parameter(unknown, &rule));
        }
        let mut path = operation.path.to_owned();
        let mut filters = Vec::new();
        for param in operation.params {
            let given = values.iter().find(|(name, _)| *name == param.name);
            let Some((_, value)) = given else {
                if param.required {
                    return Err(Error::invalid_parameter(param.name, &["is required: ", param.rule.must_be].concat()));
                }
                continue;
            };
            let Some(checked) = param.rule.check(param.name, value)? else { continue };
            match split_once(&path, &["{", param.name, "}"].concat()) {
                Some((before, after)) => path = [before, &checked, after].concat(),
                None => filters.push((param.name, checked)),
            }
        }
        if operation.together.iter().any(|(name, _)| Given(&filters).get(name).is_some()) {
            for &(name, default) in operation.together {
                if Given(&filters).get(name).is_none() {
                    filters.push((name, default.to_owned()));
                }
            }
        }
        for rule in operation.rules {
            rule(&Given(&filters))?;
        }
        let request = Self { operation, path, filters };
        if has_long_query(&request.append_query(String::new(), &[])) {
            let longest = request.filters.iter().max_by_key(|(_, value)| value.len());
            let rule =
                "is too long: the service accepts no query string of more than 5000 characters; send several requests";
            return Err(Error::invalid_parameter(longest.map_or("", |(name, _)| name), rule));
        }
        Ok(request)
    }

    /// The request that typed parameters stand for.
    ///
    /// # Errors
    /// As [`Request::new`].
    pub fn of<P: ListParams>(params: &P) -> Result<Self, Error> {
        Self::new(P::LIST, params.values())
    }

    /// The operation.
    #[must_use]
    pub const fn operation(&self) -> &'static Operation {
        self.operation
    }

    /// The range of blocks that an action's parameters name, to be read whole.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) for a parameter that picks a part of it.
    pub fn range(&self) -> Result<Range, Error> {
        let given = Given(&self.filters);
        for name in ["page", "offset", "txhash"] {
            if given.get(name).is_some() {
                return Err(Error::invalid_parameter(name, "cannot be used here: the whole range is read"));
            }
        }
        if given.get("address").is_none() && given.get("contractaddress").is_none() {
            return Err(Error::invalid_parameter("address", "is required to read a whole range"));
        }
        Ok(Range {
            first: given.number("startblock").unwrap_or(0),
            last: given.number("endblock").unwrap_or(MAX_BLOCK),
            newest_first: given.get("sort") != Some("asc"),
        })
    }

    /// The URL of the page after this cursor, or of the first page. All filters are sent with every page; on a name clash
    /// the cursor's value wins.
    #[must_use]
    pub fn url(&self, base: &BaseUrl, cursor: Option<&Cursor>) -> String {
        let mut keys = Vec::new();
        if let Some(cursor) = cursor {
            keys.extend(cursor.parameters());
        }
        self.url_with(base, &keys)
    }

    /// The URL with further parameters, which win over the request's own.
    #[must_use]
    pub fn url_with(&self, base: &BaseUrl, more: &[(&str, &str)]) -> String {
        self.append_query(base.as_str().to_owned(), more)
    }

    /// Appends the path and the query string to a base URL.
    fn append_query(&self, mut url: String, more: &[(&str, &str)]) -> String {
        url.push_str(&self.path);
        let filters = self.filters.iter().map(|(name, value)| (*name, value.as_str()));
        let filters = filters.filter(|(name, _)| !more.iter().any(|(other, _)| other == name));
        let mut separator = if has_any(&self.path, b"?") { "&" } else { "?" };
        for (name, value) in filters.chain(more.iter().copied()) {
            for part in [separator, &*percent_encoded(name), "=", &*percent_encoded(value)] {
                url.push_str(part);
            }
            separator = "&";
        }
        url
    }

    /// What makes this request another one: two requests with the same text list the same.
    #[must_use]
    pub fn identity(&self, base: &BaseUrl) -> String {
        let url = self.url(base, None);
        // A hash may be written in any letter case; the path of a gateway may not.
        let asked = url.get(base.as_str().len()..).unwrap_or_default();
        [base.as_str(), &*lowercase(asked)].concat()
    }
}

/// Whether the service refuses this URL because of the length of its query string.
pub(crate) fn has_long_query(url: &str) -> bool {
    split_once(url, "?").is_some_and(|(_, query)| query.len() > MAX_QUERY_LENGTH)
}

/// Text as it stands in a query: everything but letters, digits and `-._~,:` by its bytes. (A comma separates the members
/// of a list; a colon is part of a time.)
#[must_use]
pub fn percent_encoded(text: &str) -> String {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    let digit = |value: u8| HEX.get(usize::from(value)).copied().unwrap_or_default();
    let mut encoded = Vec::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b',' | b':') {
            encoded.push(byte);
        } else {
            encoded.extend([b'%', digit(byte >> 4), digit(byte & 15)]);
        }
    }
    lossy(&encoded)
}

/// The text that was [`percent_encoded`]; nothing where it is broken.
#[must_use]
pub fn percent_decoded(encoded: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(encoded.len());
    let mut rest = encoded.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        if first == b'%' {
            let ([high, low], behind) = after.split_first_chunk()?;
            let digit = |digit: u8| u8::try_from(char::from(digit).to_digit(16)?).ok();
            bytes.push(digit(*high)? << 4 | digit(*low)?);
            rest = behind;
        } else {
            bytes.push(first);
            rest = after;
        }
    }
    String::from_utf8(bytes).ok()
}
