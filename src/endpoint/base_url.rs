//! Where the service is: one spelling made from whatever form users paste.

use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr};

use crate::error::Error;

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
        let refuse = |rule| Err(Error::invalid_parameter("baseUrl", rule));
        let text = text.trim();
        if text.is_empty() {
            return refuse("must be the address of an instance, such as https://eth.blockscout.com");
        }
        if text.chars().any(|c| c.is_whitespace() || c.is_control() || "\\<>\"{}|^`".contains(c)) {
            return refuse("must not contain spaces or any of \\ < > \" { } | ^ `");
        }
        let text = text.split(['?', '#']).next().unwrap_or_default();
        let (origin, path) = if text.starts_with('/') && !text.starts_with("//") {
            (String::new(), text)
        } else {
            let (scheme, rest) = match text.split_once("://") {
                Some((scheme, rest)) => (scheme.to_ascii_lowercase(), rest),
                None => (String::new(), text.trim_start_matches("//")),
            };
            let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            if authority.contains('@') {
                return refuse("must not contain a user name or password");
            }
            if !is_authority(authority) {
                return refuse("must name a host, such as https://eth.blockscout.com");
            }
            let scheme = match scheme.as_str() {
                "" if is_local(authority) => "http",
                "" | "https" => "https",
                "http" => "http",
                _ => return refuse("must begin with https:// or http://"),
            };
            (format!("{scheme}://{}", authority.to_ascii_lowercase()), path)
        };
        if path.split('/').any(is_dots) {
            return refuse("must not contain the path segments . and ..");
        }
        let mut path = path.trim_end_matches('/');
        // Until none is left: what comes out, pasted again, must mean the same.
        while let Some(shorter) = API_PATHS.iter().find_map(|api| path.strip_suffix(api)) {
            path = shorter.trim_end_matches('/');
        }
        Ok(Self(origin + path))
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

fn is_authority(authority: &str) -> bool {
    let after_host =
        if authority.starts_with('[') { authority.find(']').map(|end| end + 1) } else { authority.find(':') };
    let (host, port) = authority.split_at(after_host.unwrap_or(authority.len()));
    let port_fits = match port.strip_prefix(':') {
        Some(digits) => digits.bytes().all(|b| b.is_ascii_digit()) && digits.parse::<u16>().is_ok(),
        None => port.is_empty(),
    };
    let host_fits = match host.strip_prefix('[') {
        Some(v6) => v6.strip_suffix(']').is_some_and(|v6| v6.parse::<Ipv6Addr>().is_ok()),
        None if ends_in_number(host) => host.parse::<Ipv4Addr>().is_ok(),
        None => {
            !host.is_empty()
                && !host.starts_with(['.', '-'])
                && !host.contains(['%', '!', '$', '&', '\'', '(', ')', '*', '+', ',', ';', '=', '[', ']'])
        }
    };
    host_fits && port_fits
}

/// Whether browsers read a host as an IPv4 address, or refuse it: no name ends in a number.
fn ends_in_number(host: &str) -> bool {
    let last = host.strip_suffix('.').unwrap_or(host).rsplit('.').next().unwrap_or_default();
    let hex = last.strip_prefix("0x").or_else(|| last.strip_prefix("0X"));
    !last.is_empty() && last.bytes().all(|b| b.is_ascii_digit())
        || hex.is_some_and(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// Whether a path segment means this folder or the one above, also where its dots are percent-encoded.
fn is_dots(segment: &str) -> bool {
    matches!(segment.to_ascii_lowercase().replace("%2e", ".").as_str(), "." | "..")
}

fn is_local(authority: &str) -> bool {
    let host =
        authority.rsplit_once(':').map_or(authority, |(host, port)| if port.contains(']') { authority } else { host });
    host.eq_ignore_ascii_case("localhost")
        || host.parse::<Ipv4Addr>().is_ok_and(|address| address.is_loopback())
        || host == "[::1]"
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
