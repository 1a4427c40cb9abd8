//! [`Request`]: an operation with checked parameters. It builds the URL of each page.

use super::any_path::{ANY_PATH, check_path, format_param};
use super::base_url::BaseUrl;
use super::declarations::find_path_credits;
use super::operation::{Operation, ParamSpec, Params, QueryParams};
use super::params::rule::ParamValue;
use super::query::Query;
use super::response::RangeForm;
use super::version::Requirement;
use crate::error::Error;
use crate::strings::{
    contains_any, format_digits, format_u64, from_utf8_lossy, parse_u64, split, split_once, to_lowercase,
};

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
    /// The credits that the request costs.
    pub(crate) credits: u32,
}

impl Request {
    /// Creates a request from pairs of parameter name and value, and checks them against the rules of the operation.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) that names the first parameter at fault: an unknown
    /// name, a missing required parameter, a value that is not accepted, or a combination that is not allowed.
    pub fn new<N: AsRef<str>>(operation: &'static Operation, values: &[(N, ParamValue)]) -> Result<Self, Error> {
        check_names(operation, values)?;
        let mut path = operation.path.to_owned();
        let mut query_params = Vec::new();
        for param in operation.params {
            let Some((_, value)) = values.iter().find(|(name, _)| name.as_ref() == param.name) else { continue };
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
        if operation.rpc_method.is_none() {
            check_length(&path, &query_params)?;
        }
        Ok(Self { operation, path, query_params, credits: operation.credits })
    }

    /// Creates a GET of any path below the base URL, for [`ANY_PATH`].
    ///
    /// # Errors
    /// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) that names `path`, or the first parameter at fault.
    pub(crate) fn from_path(path: &str, values: &[(impl AsRef<str>, ParamValue)]) -> Result<Self, Error> {
        check_path(path)?;
        let segments: Vec<String> = split(path, b'/').map(percent_encode).collect();
        let credits = find_path_credits(path);
        let mut request = Self { operation: &ANY_PATH, path: segments.join("/"), query_params: Vec::new(), credits };
        let mut params = Vec::new();
        for (name, value) in values {
            params.push((name.as_ref(), format_param(name.as_ref(), value)?));
        }
        check_length("", &params)?;
        let params: Vec<_> = params.iter().map(|(name, value)| (*name, value.as_str())).collect();
        request.path = [&*request.path, &*request.query_string(&params)].concat();
        Ok(request)
    }

    /// Creates a request from typed parameters.
    ///
    /// # Errors
    /// Like [`Request::new`].
    pub fn from_params<P: Params>(params: &P) -> Result<Self, Error> {
        Self::new(P::OPERATION, &params.to_values())
    }

    /// The operation.
    #[must_use]
    pub const fn operation(&self) -> &'static Operation {
        self.operation
    }

    /// Whether a parameter of this name is given.
    pub(crate) fn has_param(&self, name: &str) -> bool {
        QueryParams(&self.query_params).get(name).is_some()
    }

    /// Whether the request uses the default order of the list.
    pub(crate) fn has_default_order(&self) -> bool {
        let params = QueryParams(&self.query_params);
        self.operation
            .paired_defaults
            .iter()
            .all(|(name, default)| params.get(name).is_none_or(|value| value == *default))
    }

    /// Returns the part of the request that needs the highest backend version. `None` if all supported versions can
    /// respond to the request.
    pub(crate) fn requirement(&self) -> Option<Requirement> {
        let operation = self.operation.name;
        let mut newest = self.operation.since.map(|since| Requirement { operation, parameter: None, since });
        for param in self.operation.params {
            if let Some(since) = param.since
                && newest.is_none_or(|newest| newest.since < since)
                && QueryParams(&self.query_params).get(param.name).is_some()
            {
                newest = Some(Requirement { operation, parameter: Some(param.name), since });
            }
        }
        newest
    }

    /// Returns the range of blocks that the parameters of an action select, for a range reader. Without `startblock`
    /// and `endblock`, the range is the whole chain. Without `sort`, the newest block comes first, unless the action has no order.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) for parameters that select only a part of the range
    /// (`page`, `offset`, `txhash`), and where `address` and `contractaddress` are both missing.
    pub fn block_range(&self, form: &RangeForm) -> Result<BlockRange, Error> {
        let params = QueryParams(&self.query_params);
        for name in ["page", "offset", "txhash"] {
            if params.get(name).is_some() {
                return Err(Error::invalid_parameter(name, "cannot be used here: the whole range is read"));
            }
        }
        if form.has_pages && params.get("address").is_none() && params.get("contractaddress").is_none() {
            return Err(Error::invalid_parameter("address", "is required to read a whole range"));
        }
        let [first, last] = form.bounds;
        Ok(BlockRange {
            first: params.get_number(first).unwrap_or(0),
            last: params.get_number(last).unwrap_or(MAX_BLOCK),
            newest_first: form.has_pages && params.get("sort") != Some("asc"),
        })
    }

    /// Returns the GraphQL query for the parameters, if the operation has one, and the body of the request for a page.
    /// `additional` are further variables, such as the keys of a cursor.
    #[must_use]
    pub fn query(&self, additional: &[(&str, &str)]) -> Option<(&'static Query, String)> {
        let params = QueryParams(&self.query_params);
        let query = self.operation.queries.iter().find(|query| params.get(query.main_param).is_some())?;
        Some((query, query.body(&self.query_params, additional)))
    }

    /// Returns the batch of JSON-RPC calls, if the operation is one. The id of a call is its index.
    #[must_use]
    pub fn rpc_body(&self) -> Option<String> {
        let method = self.operation.rpc_method?;
        let params = QueryParams(&self.query_params);
        let block = match params.get("block") {
            Some(block) => parse_u64(block).map_or_else(|| block.to_owned(), format_quantity),
            None => "latest".to_owned(),
        };
        let calls = split(params.get("to")?, b',').zip(split(params.get("data")?, b','));
        let mut body = String::new();
        for (index, (to, data)) in calls.enumerate() {
            let parts = [
                if index == 0 { "[" } else { "," },
                r#"{"jsonrpc":"2.0","id":"#,
                &*format_u64(index as u64),
                r#","method":""#,
                method,
                r#"","params":[{"to":""#,
                to,
                r#"","data":""#,
                data,
                r#""},""#,
                &*block,
                r#""]}"#,
            ];
            body.push_str(&parts.concat());
        }
        body.push(']');
        Some(body)
    }

    /// Returns the URL of a page. `additional` are further query parameters, such as the keys of a cursor. They replace
    /// parameters of the same name. The URL of a POST has no parameters: they are in its body.
    #[must_use]
    pub fn url(&self, base: &BaseUrl, additional: &[(&str, &str)]) -> String {
        let is_post = self.operation.http_method() == "POST";
        base.url_of(&self.path) + &*(if is_post { String::new() } else { self.query_string(additional) })
    }

    /// Returns what follows the path: the query string, or the rest of one that begins in the path.
    fn query_string(&self, additional: &[(&str, &str)]) -> String {
        let mut query = String::new();
        let query_params = self.query_params.iter().map(|(name, value)| (*name, value.as_str()));
        let query_params = query_params.filter(|(name, _)| !additional.iter().any(|(other, _)| other == name));
        let mut separator = if contains_any(&self.path, b"?") { "&" } else { "?" };
        for (name, value) in query_params.chain(additional.iter().copied()) {
            for part in [separator, &*percent_encode(name), "=", &*percent_encode(value)] {
                query.push_str(part);
            }
            separator = "&";
        }
        query
    }

    /// Returns a string that identifies what is requested. Two requests with equal strings return the same list.
    #[must_use]
    pub fn identity(&self, base: &BaseUrl) -> String {
        // Hashes are case-insensitive. The path in the base URL is case-sensitive.
        [base.as_str(), &*to_lowercase(&self.path), &*to_lowercase(&self.query_string(&[]))].concat()
    }
}

/// Checks that all names are parameters of the operation, and that no required parameter is missing.
///
/// # Errors
/// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) that names the first parameter at fault.
pub(crate) fn check_names(operation: &Operation, values: &[(impl AsRef<str>, ParamValue)]) -> Result<(), Error> {
    for (name, _) in values {
        if operation.params.iter().any(|param| param.name == name.as_ref()) {
            continue;
        }
        let mut rule = ["is not a parameter of ", operation.name, "; valid parameters are "].concat();
        for (index, param) in operation.params.iter().enumerate() {
            rule.push_str(if index == 0 { "" } else { ", " });
            rule.push_str(param.name);
        }
        return Err(Error::invalid_parameter(name.as_ref(), &rule));
    }
    for ParamSpec { name, rule, required, .. } in operation.params {
        if *required && !values.iter().any(|(given, _)| given.as_ref() == *name) {
            return Err(Error::invalid_parameter(name, &["is required: ", rule.must_be].concat()));
        }
    }
    Ok(())
}

/// Checks the length of the query string: the one in the path, with these parameters. The error names the longest parameter.
fn check_length(path: &str, params: &[(&str, String)]) -> Result<(), Error> {
    let in_path = split_once(path, "?").map_or(0, |(_, query)| query.len() + 1);
    let length: usize = params.iter().map(|(name, value)| encoded_len(name) + encoded_len(value) + 2).sum();
    match params.iter().max_by_key(|(_, value)| value.len()) {
        Some((longest, _)) if in_path + length > MAX_QUERY_LENGTH + 1 => {
            let rule =
                "is too long: the service accepts no query string of more than 5000 characters; send several requests";
            Err(Error::invalid_parameter(longest, rule))
        }
        _ => Ok(()),
    }
}

/// Whether the service refuses this URL because of the length of its query string.
pub(crate) fn has_long_query(url: &str) -> bool {
    split_once(url, "?").is_some_and(|(_, query)| query.len() > MAX_QUERY_LENGTH)
}

/// Formats an integer in hex, as in JSON-RPC.
fn format_quantity(value: u64) -> String {
    ["0x", &*format_digits(value, 16, 1).to_ascii_uppercase()].concat()
}

/// The digit of a value below 16.
fn hex_digit(value: u8) -> u8 {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    HEX.get(usize::from(value)).copied().unwrap_or_default()
}

/// Whether a byte needs no escape in a URL.
const fn is_unescaped(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b',' | b':')
}

/// The length of a string after [`percent_encode`].
fn encoded_len(value: &str) -> usize {
    value.bytes().map(|byte| if is_unescaped(byte) { 1 } else { 3 }).sum()
}

/// Percent-encodes a string for a URL query. ASCII letters, digits and `-._~,:` stay unchanged.
#[must_use]
pub fn percent_encode(value: &str) -> String {
    let mut encoded = Vec::with_capacity(value.len());
    for byte in value.bytes() {
        if is_unescaped(byte) {
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
