#![no_main]
//! Compares base URLs with the `url` crate. A parsed base URL is an http(s) URL that means the same as the input, except for an
//! API path at its end. Parsing it again does not change it. Simple URLs are always accepted.

use address_query::endpoint::BaseUrl;
use address_query::testing::endpoint::{Request, find_operation};
use libfuzzer_sys::fuzz_target;
use url::{Host, Url};

mod seeds;

/// The URL of the web page, for base URLs that are only a path.
const PAGE: &str = "https://page.example/";

fuzz_target!(init: seeds::write("base-url", inputs()), |data: &[u8]| {
    if let Ok(input) = std::str::from_utf8(data) {
        check(input);
    }
});

fn inputs() -> impl Iterator<Item = Vec<u8>> {
    [
        "https://eth.blockscout.com",
        " https://eth.blockscout.com/api/v2/?x=1#top",
        "https://eth.blockscout.com/api-docs",
        "//eth.blockscout.com/api/v1",
        "HTTPS://Eth.Blockscout.com:443",
        "https://api.blockscout.com/1/api/v2",
        "https://gateway.example/Deep/Prefix//",
        "https://gateway.example/a%20b/%C3%A9/é",
        "localhost:4000",
        "127.0.0.1:4000/api",
        "http://[::1]:8080",
        "/proxy/eth",
        "https://bücher.example",
        "https://u:p@x.example",
        "https://x.example/../y/./%2e%2E",
        "http://0x7f.1:080/",
    ]
    .into_iter()
    .map(|input| input.as_bytes().to_vec())
}

fn check(input: &str) {
    let base = match BaseUrl::parse(input) {
        Ok(base) => base,
        Err(error) => {
            assert_eq!(error.parameter.as_deref(), Some("base_url"));
            assert!(!is_simple(input), "rejected: {error}");
            return;
        }
    };
    let canonical = base.as_str();
    // The origin of the web page is the empty string; it is written as a slash.
    let parsed_again = BaseUrl::parse(if canonical.is_empty() { "/" } else { canonical });
    assert_eq!(parsed_again.as_ref().map(BaseUrl::as_str), Ok(canonical), "changed when parsed again");
    assert!(!canonical.ends_with('/') && !canonical.contains(['?', '#', '\\']), "{canonical}");

    // Internationalized host names are left to the browser, because the tables for them are larger than this library.
    let Some(expected) = parse_like_browser(input) else {
        return assert!(has_international_label(canonical), "{canonical} is not a URL");
    };
    let page = Url::parse(PAGE).expect("a URL");
    let url = page.join(if canonical.is_empty() { "/" } else { canonical }).expect("a URL like the input");
    assert!(matches!(url.scheme(), "http" | "https"), "{url}");
    assert_eq!((url.username(), url.password(), url.query(), url.fragment()), ("", None, None, None), "{url}");
    assert_eq!(url.origin(), expected.origin(), "another origin");
    let (path, input_path) = (url.path().trim_end_matches('/'), expected.path().trim_end_matches('/'));
    let removed = input_path.strip_prefix(path).unwrap_or_else(|| panic!("{path} is not a prefix of {input_path}"));
    let mut removed = removed.trim_end_matches('/');
    while !removed.is_empty() {
        let rest = ["/api/v2", "/api/v1", "/api", "/api-docs"].iter().find_map(|api| removed.strip_suffix(api));
        removed = rest.unwrap_or_else(|| panic!("{removed} was removed from {input_path}")).trim_end_matches('/');
    }

    let list = find_operation("addresses").expect("a list");
    let request = Request::new::<String>(list, &[]).expect("no parameter is required").url(&base, &[]);
    let request = page.join(&request).expect("a URL");
    assert_eq!(request.origin(), url.origin());
    assert_eq!(request.path(), format!("{path}/api/v2/addresses"));
}

/// Parses an absolute URL or a path like a browser. Without a scheme, it is http for the local host, and https otherwise.
fn parse_like_browser(input: &str) -> Option<Url> {
    let input = input.trim();
    let is_path = input.starts_with('/') && !input.starts_with("//");
    let end = input.find(['?', '#']).unwrap_or(input.len());
    // An empty scheme is ignored.
    let without_scheme = input.strip_prefix("://");
    if without_scheme.is_none() && (is_path || input[..end].contains("://")) {
        return Url::parse(PAGE).ok()?.join(input).ok();
    }
    let input = without_scheme.unwrap_or(input);
    let rest = input.strip_prefix("//").unwrap_or(input);
    // Only ASCII spellings of the local host are recognized.
    let is_ascii = rest.split(['/', '?', '#']).next().is_some_and(str::is_ascii);
    let is_local = match Url::parse(&format!("https://{rest}")).ok()?.host()? {
        Host::Domain(name) => name == "localhost",
        Host::Ipv4(_) => rest.starts_with("127."),
        Host::Ipv6(_) => rest.starts_with("[::1]"),
    };
    Url::parse(&format!("{}://{rest}", if is_ascii && is_local { "http" } else { "https" })).ok()
}

/// Whether a label of the host is not ASCII, or is the ASCII form (`xn--`) of one that was not.
fn has_international_label(base: &str) -> bool {
    let host = base.split("://").nth(1).unwrap_or_default().split('/').next().unwrap_or_default();
    !host.is_ascii() || host.split('.').any(|label| label.starts_with("xn--"))
}

/// Whether this is a simple URL, which must be accepted.
fn is_simple(input: &str) -> bool {
    let Some(rest) = input.strip_prefix("https://").or_else(|| input.strip_prefix("http://")) else { return false };
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let (host, port) = authority.split_once(':').unwrap_or((authority, "80"));
    let is_word = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphanumeric());
    host.split('.').all(|label| is_word(label) && !label.starts_with("xn--"))
        && port.len() <= 4
        && port.bytes().all(|b| b.is_ascii_digit())
        && !port.is_empty()
        && path.split('/').all(|segment| segment.is_empty() || is_word(segment))
        // IP addresses must be in their usual form.
        && Url::parse(input).is_ok_and(|url| url.host_str() == Some(&host.to_ascii_lowercase()))
}
