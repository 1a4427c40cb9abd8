//! Where the service is: one spelling made from whatever form users paste.

use std::fmt;

use crate::error::Error;
use crate::text::{has_any, lowercase, parsed, parts, split_before, split_once, word_of};

/// The address of an instance, without the `/api` part: `https://eth.blockscout.com`, `https://gateway.example/1`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct BaseUrl(String);

/// Paths under which an instance answers; whoever pastes one of them means the instance.
const API_PATHS: [&str; 4] = ["/api/v2", "/api/v1", "/api", "/api-docs"];

impl BaseUrl {
    /// Reads a base URL: with or without scheme, `/api` or `/api/v2`, slashes at the end, query or fragment. Path
    /// prefixes of gateways are kept. A path alone (`/proxy`) means the page's own origin.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) for `baseUrl`.
    pub fn parse(text: &str) -> Result<Self, Error> {
        normal(text).map(Self).map_err(|rule| Error::invalid_parameter("baseUrl", rule))
    }

    /// The base, without a slash at its end.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::str::FromStr for BaseUrl {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        Self::parse(text)
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The one spelling, or the rule that the text breaks.
fn normal(text: &str) -> Result<String, &'static str> {
    let text = without_spaces_around(text)?;
    if text.is_empty() {
        return Err("must be the address of an instance, such as https://eth.blockscout.com");
    }
    let (text, _) = split_before(text, b"?#");
    let is_path = text.starts_with('/') && !text.starts_with("//");
    let (origin, mut path) = if is_path { (String::new(), text) } else { split_origin(text)? };
    if parts(path, b'/').any(is_dots) {
        return Err("must not contain the path segments . and ..");
    }
    path = path.trim_end_matches('/');
    // Until none is left: what comes out, pasted again, must mean the same.
    while let Some(shorter) = API_PATHS.iter().find_map(|api| path.strip_suffix(api)) {
        path = shorter.trim_end_matches('/');
    }
    Ok(origin + path)
}

/// The text without the white space around it. None may stand within it, nor a character that no URL has.
fn without_spaces_around(text: &str) -> Result<&str, &'static str> {
    let (mut start, mut end) = (0, 0);
    for (at, c) in text.char_indices().filter(|(_, c)| !c.is_whitespace()) {
        if end == 0 {
            (start, end) = (at, at);
        }
        if at > end || c.is_control() || matches!(c, '\\' | '<' | '>' | '"' | '{' | '}' | '|' | '^' | '`') {
            return Err("must not contain spaces or any of \\ < > \" { } | ^ `");
        }
        end = at + c.len_utf8();
    }
    Ok(text.get(start..end).unwrap_or_default())
}

/// Scheme and host in their one spelling, and the path behind them.
fn split_origin(text: &str) -> Result<(String, &str), &'static str> {
    let (scheme, rest) = split_once(text, "://").unwrap_or(("", text.strip_prefix("//").unwrap_or(text)));
    let (authority, path) = split_before(rest, b"/");
    if has_any(authority, b"@") {
        return Err("must not contain a user name or password");
    }
    if !is_authority(authority) {
        return Err("must name a host, such as https://eth.blockscout.com");
    }
    let scheme = match scheme {
        "" if is_local(authority) => "http",
        "" => "https",
        _ => word_of(&["http", "https"], scheme).ok_or("must begin with https:// or http://")?,
    };
    Ok((lowercase(&[scheme, "://", authority].concat()), path))
}

fn is_authority(authority: &str) -> bool {
    let (host, port) = if authority.starts_with('[') {
        split_once(authority, "]").unwrap_or_default()
    } else {
        split_before(authority, b":")
    };
    let host_fits = match host.strip_prefix('[') {
        Some(v6) => is_ipv6(v6),
        None if ends_in_number(host) => is_ipv4(host),
        None => !host.is_empty() && !host.starts_with(['.', '-']) && !has_any(host, b"%!$&'()*+,;=[]"),
    };
    host_fits && port.strip_prefix(':').map_or(port.is_empty(), |digits| is_number(digits, 65_535))
}

/// Whether there are decimal digits only, of a number up to this.
fn is_number(digits: &str, most: u64) -> bool {
    parsed(digits).is_some_and(|number| number <= most)
}

/// Four numbers up to 255, without needless zeros.
fn is_ipv4(host: &str) -> bool {
    let part = |part: &str| is_number(part, 255) && (part == "0" || !part.starts_with('0'));
    parts(host, b'.').all(part) && parts(host, b'.').count() == 4
}

/// Eight groups of up to four hex digits; `::` for one or more of them, and the last two may be an IPv4 address.
fn is_ipv6(host: &str) -> bool {
    let Some((before, after)) = split_once(host, "::") else { return groups(host, true) == Some(8) };
    let (before, after) = (groups(before, false), groups(after, true));
    before.zip(after).is_some_and(|(before, after)| before + after < 8)
}

/// How many groups these are of an IPv6 address; nothing where one of them is none.
fn groups(text: &str, at_end: bool) -> Option<usize> {
    let mut groups = 0;
    let mut rest = text;
    while !rest.is_empty() {
        let (group, behind) = split_before(rest, b":");
        let is_hex = (1..=4).contains(&group.len()) && group.bytes().all(|byte| byte.is_ascii_hexdigit());
        groups += if is_hex { 1 } else { 2 };
        if behind == ":" || !(is_hex || at_end && behind.is_empty() && is_ipv4(group)) {
            return None;
        }
        rest = behind.get(1..).unwrap_or_default();
    }
    Some(groups)
}

/// Whether browsers read a host as an IPv4 address, or refuse it: no name ends in a number.
fn ends_in_number(host: &str) -> bool {
    let last = parts(host.strip_suffix('.').unwrap_or(host), b'.').last().unwrap_or_default();
    match last.as_bytes() {
        [b'0', b'x' | b'X', digits @ ..] => digits.iter().all(u8::is_ascii_hexdigit),
        digits => !digits.is_empty() && digits.iter().all(u8::is_ascii_digit),
    }
}

/// Whether a path segment means this folder or the one above, also where its dots are percent-encoded.
fn is_dots(segment: &str) -> bool {
    word_of(&[".", "..", "%2e", ".%2e", "%2e.", "%2e%2e"], segment).is_some()
}

/// Whether an authority that fits names this machine.
fn is_local(authority: &str) -> bool {
    let (host, _) = split_before(authority, b":");
    word_of(&["localhost"], host).is_some()
        || host.starts_with("127.") && is_ipv4(host)
        || authority == "[::1]"
        || authority.starts_with("[::1]:")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_users_paste_becomes_one_spelling() {
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
    fn what_is_no_instance_is_refused() {
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
                error.as_ref().is_err_and(|error| error.parameter.as_deref() == Some("baseUrl")),
                "{pasted}: {error:?}"
            );
        }
    }
}
