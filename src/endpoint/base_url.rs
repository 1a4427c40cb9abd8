//! [`BaseUrl`]: the URL of an instance, normalized from the forms that users paste.

use std::fmt;

use super::any_path::SERVICES;
use crate::error::{Error, option_name};
use crate::strings::{
    contains_any, find_ignore_case, format_u64, parse_u64, split, split_before, split_once, to_lowercase,
};

/// The URL of an instance, without the `/api` part: `https://eth.blockscout.com`, `https://gateway.example/1`.
///
/// ```
/// use address_query::endpoint::BaseUrl;
///
/// let base: BaseUrl = "eth.blockscout.com/api/v2/".parse()?;
/// assert_eq!(base.as_str(), "https://eth.blockscout.com");
/// # Ok::<(), address_query::error::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct BaseUrl(String);

/// The gateway to the instances of many chains, the "Pro API".
pub const GATEWAY: &str = "https://api.blockscout.com";

/// The path of the JSON-RPC interface of an instance.
pub const RPC_PATH: &str = "/api/eth-rpc";
/// The path of the JSON-RPC interface of the gateway, after the id of the chain.
pub const GATEWAY_RPC_PATH: &str = "/json-rpc";

/// Paths that users paste together with the URL of an instance. They are removed from the end of the URL.
const API_PATHS: [&str; 4] = ["/api/v2", "/api/v1", "/api", "/api-docs"];

impl BaseUrl {
    /// Parses and normalizes a base URL.
    ///
    /// - A missing scheme defaults to `https`, or to `http` for a loopback host (`localhost`, `127.…`, `[::1]`).
    /// - `/api`, `/api/v1`, `/api/v2`, `/api-docs`, trailing slashes, the query and the fragment are removed.
    /// - Other paths are kept, because gateways use them.
    /// - A path alone, such as `/proxy`, is relative to the origin of the web page.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) that names `baseUrl`.
    pub fn parse(url: &str) -> Result<Self, Error> {
        Self::parse_with(url, is_authority)
    }

    /// Parses and normalizes a base URL like [`BaseUrl::parse`], but checks the host and port with `is_authority`.
    /// The WebAssembly module passes a check that uses the browser, which keeps the module small.
    ///
    /// # Errors
    /// Like [`BaseUrl::parse`].
    pub(crate) fn parse_with(url: &str, is_authority: fn(&str) -> bool) -> Result<Self, Error> {
        normalize(url, is_authority).map(Self).map_err(|rule| Error::invalid_parameter(option_name!(base_url), rule))
    }

    /// The URL of Blockscout's gateway for a chain. It requires an API key.
    #[must_use]
    pub fn from_chain_id(id: u64) -> Self {
        Self([GATEWAY, "/", &*format_u64(id)].concat())
    }

    /// Returns the normalized URL, without a trailing slash.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether requests cost credits, because they go to the gateway or through a proxy for it. Such a URL ends with
    /// the id of a chain.
    pub(crate) fn has_credits(&self) -> bool {
        self.without_chain_id().is_some()
    }

    /// The URL without the id of a chain at its end. `None` if it has none.
    fn without_chain_id(&self) -> Option<&str> {
        let parent = self.0.trim_end_matches(|character: char| character.is_ascii_digit());
        parent.strip_suffix('/').filter(|_| parent.len() < self.0.len())
    }

    /// The URL of a path. Services that the gateway shares among all chains have no chain id in their URL. For
    /// JSON-RPC, the gateway and instances have different paths.
    pub(super) fn url_of(&self, path: &str) -> String {
        let gateway = self.without_chain_id();
        let prefix = gateway.filter(|_| path.starts_with(SERVICES)).unwrap_or(&self.0);
        let path = if gateway.is_some() && path == RPC_PATH { GATEWAY_RPC_PATH } else { path };
        [prefix, path].concat()
    }

    /// The scheme, host and port, without the path. Empty if the URL is a path, which is relative to the web page.
    #[must_use]
    pub fn origin(&self) -> &str {
        let Some((_, rest)) = split_once(&self.0, "://").filter(|_| !self.0.starts_with('/')) else { return "" };
        let (_, path) = split_before(rest, b"/");
        self.0.strip_suffix(path).unwrap_or_default()
    }
}

impl std::str::FromStr for BaseUrl {
    type Err = Error;
    fn from_str(url: &str) -> Result<Self, Error> {
        Self::parse(url)
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Normalizes a base URL. The error is the rule that the URL violates.
fn normalize(url: &str, is_authority: fn(&str) -> bool) -> Result<String, &'static str> {
    let url = trim_whitespace(url)?;
    if url.is_empty() {
        return Err("must be the URL of an instance, such as https://eth.blockscout.com");
    }
    let (url, _) = split_before(url, b"?#");
    let (origin, mut path) = if is_path(url) { (String::new(), url) } else { split_origin(url, is_authority)? };
    if split(path, b'/').any(is_dot_segment) {
        return Err("must not contain the path segments . and ..");
    }
    path = path.trim_end_matches('/');
    // Repeated, so that normalizing the result does not change it.
    while let Some(shorter) = API_PATHS.iter().find_map(|api| path.strip_suffix(api)) {
        path = shorter.trim_end_matches('/');
    }
    Ok(origin + path)
}

/// Whether a URL is a path alone, without a host.
fn is_path(url: &str) -> bool {
    url.starts_with('/') && !url.starts_with("//")
}

/// Trims white space at both ends. Fails on white space inside, and on characters that are not allowed in a URL.
fn trim_whitespace(url: &str) -> Result<&str, &'static str> {
    let (mut start, mut end) = (0, 0);
    for (at, c) in url.char_indices().filter(|(_, c)| !c.is_whitespace()) {
        if end == 0 {
            (start, end) = (at, at);
        }
        if at > end || c.is_control() || matches!(c, '\\' | '<' | '>' | '"' | '{' | '}' | '|' | '^' | '`') {
            return Err("must not contain spaces or any of \\ < > \" { } | ^ `");
        }
        end = at + c.len_utf8();
    }
    Ok(url.get(start..end).unwrap_or_default())
}

/// Splits a URL into its normalized origin and its path.
fn split_origin(url: &str, is_authority: fn(&str) -> bool) -> Result<(String, &str), &'static str> {
    let (scheme, rest) = split_once(url, "://").unwrap_or(("", url.strip_prefix("//").unwrap_or(url)));
    let (authority, path) = split_before(rest, b"/");
    if contains_any(authority, b"@") {
        return Err("must not contain a user name or password");
    }
    if !is_authority(authority) {
        return Err("must name a host, such as https://eth.blockscout.com");
    }
    let scheme = match scheme {
        "" if is_loopback(authority) => "http",
        "" => "https",
        _ => find_ignore_case(&["http", "https"], scheme).ok_or("must begin with https:// or http://")?,
    };
    Ok((to_lowercase(&[scheme, "://", authority].concat()), path))
}

/// Whether this is a host, or a host and a port.
fn is_authority(authority: &str) -> bool {
    let (host, port) = if authority.starts_with('[') {
        split_once(authority, "]").unwrap_or_default()
    } else {
        split_before(authority, b":")
    };
    let is_host = match host.strip_prefix('[') {
        Some(v6) => is_ipv6(v6),
        None if ends_in_number(host) => is_ipv4(host),
        None => !host.is_empty() && !host.starts_with(['.', '-']) && !contains_any(host, b"%!$&'()*+,;=[]"),
    };
    is_host && port.strip_prefix(':').map_or(port.is_empty(), |digits| is_number(digits, 65_535))
}

/// Whether this is a decimal integer of at most `max`.
fn is_number(digits: &str, max: u64) -> bool {
    parse_u64(digits).is_some_and(|number| number <= max)
}

/// Whether this is an IPv4 address: four numbers up to 255, without leading zeros.
fn is_ipv4(host: &str) -> bool {
    let is_octet = |part: &str| is_number(part, 255) && (part == "0" || !part.starts_with('0'));
    split(host, b'.').all(is_octet) && split(host, b'.').count() == 4
}

/// Whether this is an IPv6 address: eight groups of up to four hex digits. `::` replaces one or more groups. An
/// IPv4 address may replace the last two groups.
fn is_ipv6(host: &str) -> bool {
    let Some((before, after)) = split_once(host, "::") else { return count_groups(host, true) == Some(8) };
    let (before, after) = (count_groups(before, false), count_groups(after, true));
    before.zip(after).is_some_and(|(before, after)| before + after < 8)
}

/// Counts the groups in a part of an IPv6 address. Returns `None` if a group is malformed. With `at_end`, an IPv4
/// address may replace the last two groups.
fn count_groups(part: &str, at_end: bool) -> Option<usize> {
    let mut groups = 0;
    let mut rest = part;
    while !rest.is_empty() {
        let (group, remaining) = split_before(rest, b":");
        let is_hex = (1..=4).contains(&group.len()) && group.bytes().all(|byte| byte.is_ascii_hexdigit());
        groups += if is_hex { 1 } else { 2 };
        if remaining == ":" || !(is_hex || at_end && remaining.is_empty() && is_ipv4(group)) {
            return None;
        }
        rest = remaining.get(1..).unwrap_or_default();
    }
    Some(groups)
}

/// Whether a host ends in a number, as the URL standard defines it. Browsers accept such a host only as an IPv4
/// address.
fn ends_in_number(host: &str) -> bool {
    let last = split(host.strip_suffix('.').unwrap_or(host), b'.').last().unwrap_or_default();
    match last.as_bytes() {
        [b'0', b'x' | b'X', digits @ ..] => digits.iter().all(u8::is_ascii_hexdigit),
        digits => !digits.is_empty() && digits.iter().all(u8::is_ascii_digit),
    }
}

/// Whether a path segment is `.` or `..`, with or without percent-encoding.
fn is_dot_segment(segment: &str) -> bool {
    find_ignore_case(&[".", "..", "%2e", ".%2e", "%2e.", "%2e%2e"], segment).is_some()
}

/// Whether a valid authority is a loopback address.
fn is_loopback(authority: &str) -> bool {
    let (host, _) = split_before(authority, b":");
    find_ignore_case(&["localhost"], host).is_some()
        || host.starts_with("127.") && is_ipv4(host)
        || authority == "[::1]"
        || authority.starts_with("[::1]:")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normalizes_what_users_paste() {
        for (pasted, base) in [
            ("https://eth.blockscout.com", "https://eth.blockscout.com"),
            (" https://eth.blockscout.com/ ", "https://eth.blockscout.com"),
            ("https://eth.blockscout.com/api", "https://eth.blockscout.com"),
            ("https://eth.blockscout.com/api/", "https://eth.blockscout.com"),
            ("https://eth.blockscout.com/api/v2", "https://eth.blockscout.com"),
            ("https://eth.blockscout.com/api/v2/?x=1#top", "https://eth.blockscout.com"),
            ("https://eth.blockscout.com/api-docs", "https://eth.blockscout.com"),
            ("eth.blockscout.com", "https://eth.blockscout.com"),
            ("//eth.blockscout.com", "https://eth.blockscout.com"),
            ("HTTPS://Eth.Blockscout.com", "https://eth.blockscout.com"),
            ("https://api.blockscout.com/1", "https://api.blockscout.com/1"),
            ("https://api.blockscout.com/1/api/v2", "https://api.blockscout.com/1"),
            ("https://eth.blockscout.com/api/api/v2", "https://eth.blockscout.com"),
            ("https://gateway.example/Deep/Prefix//", "https://gateway.example/Deep/Prefix"),
            ("localhost:4000", "http://localhost:4000"),
            ("127.0.0.1:4000/api", "http://127.0.0.1:4000"),
            ("http://[::1]:8080", "http://[::1]:8080"),
            ("[::1]:8080", "http://[::1]:8080"),
            ("127.example", "https://127.example"),
            ("/proxy/eth", "/proxy/eth"),
            ("/", ""),
            ("https://bücher.example", "https://bücher.example"),
        ] {
            assert_eq!(BaseUrl::parse(pasted).as_ref().map(BaseUrl::as_str), Ok(base), "{pasted}");
        }
    }

    #[test]
    fn origin_has_no_path() {
        for (url, origin) in [
            ("https://eth.blockscout.com", "https://eth.blockscout.com"),
            ("https://api.blockscout.com/1", "https://api.blockscout.com"),
            ("http://[::1]:8080/a/b", "http://[::1]:8080"),
            ("https://proxy.example/https://eth.blockscout.com", "https://proxy.example"),
            ("/proxy/eth", ""),
            ("/https://eth.blockscout.com", ""),
        ] {
            assert_eq!(BaseUrl::parse(url).as_ref().map(BaseUrl::origin), Ok(origin), "{url}");
        }
    }

    #[test]
    fn rejects_what_is_not_an_instance() {
        for pasted in [
            "",
            "   ",
            "ftp://x.example",
            "javascript:alert(1)",
            "data:text/html,x",
            "https://",
            "https:///api",
            "///127.0.0.1",
            "https://u:p@x.example",
            "https://x.example:99999",
            "https://x.example/a b",
            "https://x.example/../y",
            "https://x.example/%2e%2E/y",
            "https://x.example/.%2e",
            "https://x.example:+80",
            "https://1.2.3",
            "https://eth.8080",
            "https://256.0.0.1",
            "https://x.0xff",
            "http://[:::]",
            "http://[1:2]",
            "http://[::1",
            "file:///etc",
            "https://.x",
            "https://x\ny",
        ] {
            let error = BaseUrl::parse(pasted);
            assert!(
                error.as_ref().is_err_and(|error| error.parameter.as_deref() == Some("base_url")),
                "{pasted}: {error:?}"
            );
        }
    }
}
