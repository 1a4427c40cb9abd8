#![no_main]
//! Base URLs, against the `url` crate: whatever is taken is an http(s) URL that means what was pasted, but for the API path at
//! its end, and is its own normal form; a plain URL is always taken.

use address_query::endpoint::{BaseUrl, Request, find_list};
use libfuzzer_sys::fuzz_target;
use url::{Host, Url};

mod seeds;

/// What stands for the page that asks, where a base URL is a path alone.
const PAGE: &str = "https://page.example/";

fuzz_target!(init: seeds::write("base-url", pasted()), |data: &[u8]| {
    if let Ok(text) = std::str::from_utf8(data) {
        check(text);
    }
});

fn pasted() -> impl Iterator<Item = Vec<u8>> {
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
    .map(|text| text.as_bytes().to_vec())
}

fn check(pasted: &str) {
    let base = match BaseUrl::parse(pasted) {
        Ok(base) => base,
        Err(error) => {
            assert_eq!(error.parameter.as_deref(), Some("baseUrl"));
            assert!(!is_plain(pasted), "refused: {error}");
            return;
        }
    };
    let normal = base.as_str();
    // The page's own origin is the empty text; it is pasted as a slash.
    let again = BaseUrl::parse(if normal.is_empty() { "/" } else { normal });
    assert_eq!(again.as_ref().map(BaseUrl::as_str), Ok(normal), "not its own normal form");
    assert!(!normal.ends_with('/') && !normal.contains(['?', '#', '\\']), "{normal}");

    // The names of hosts in other scripts are the browser's to judge: the tables for that are larger than this library.
    let Some(meant) = meaning(pasted) else { return assert!(has_foreign_label(normal), "{normal} is no URL") };
    let page = Url::parse(PAGE).expect("a URL");
    let url = page.join(if normal.is_empty() { "/" } else { normal }).expect("a URL as what was pasted");
    assert!(matches!(url.scheme(), "http" | "https"), "{url}");
    assert_eq!((url.username(), url.password(), url.query(), url.fragment()), ("", None, None, None), "{url}");
    assert_eq!(url.origin(), meant.origin(), "another origin");
    let (path, meant) = (url.path().trim_end_matches('/'), meant.path().trim_end_matches('/'));
    let cut = meant.strip_prefix(path).unwrap_or_else(|| panic!("{path} is no beginning of {meant}"));
    let mut cut = cut.trim_end_matches('/');
    while !cut.is_empty() {
        let api = ["/api/v2", "/api/v1", "/api", "/api-docs"].iter().find_map(|api| cut.strip_suffix(api));
        cut = api.unwrap_or_else(|| panic!("{cut} was cut off {meant}")).trim_end_matches('/');
    }

    let list = find_list("addresses").expect("a list");
    let request = Request::new(list, []).expect("no parameter is required").url(&base, None);
    let request = page.join(&request).expect("a URL");
    assert_eq!(request.origin(), url.origin());
    assert_eq!(request.path(), format!("{path}/api/v2/addresses"));
}

/// What was pasted as a browser would read it, where it is an absolute URL, or a path; https where no scheme is given, http
/// on this machine.
fn meaning(pasted: &str) -> Option<Url> {
    let pasted = pasted.trim();
    let is_path = pasted.starts_with('/') && !pasted.starts_with("//");
    let end = pasted.find(['?', '#']).unwrap_or(pasted.len());
    // A colon and slashes without a scheme before them say nothing.
    let bare = pasted.strip_prefix("://");
    if bare.is_none() && (is_path || pasted[..end].contains("://")) {
        return Url::parse(PAGE).ok()?.join(pasted).ok();
    }
    let pasted = bare.unwrap_or(pasted);
    let rest = pasted.strip_prefix("//").unwrap_or(pasted);
    // Only what is spelt as this machine counts.
    let is_spelt = rest.split(['/', '?', '#']).next().is_some_and(str::is_ascii);
    let is_local = match Url::parse(&format!("https://{rest}")).ok()?.host()? {
        Host::Domain(name) => name == "localhost",
        Host::Ipv4(_) => rest.starts_with("127."),
        Host::Ipv6(_) => rest.starts_with("[::1]"),
    };
    Url::parse(&format!("{}://{rest}", if is_spelt && is_local { "http" } else { "https" })).ok()
}

/// Whether a label of the host is not ASCII, or says that it was not.
fn has_foreign_label(base: &str) -> bool {
    let host = base.split("://").nth(1).unwrap_or_default().split('/').next().unwrap_or_default();
    !host.is_ascii() || host.split('.').any(|label| label.starts_with("xn--"))
}

/// A URL without anything that could be questioned.
fn is_plain(pasted: &str) -> bool {
    let Some(rest) = pasted.strip_prefix("https://").or_else(|| pasted.strip_prefix("http://")) else { return false };
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let (host, port) = authority.split_once(':').unwrap_or((authority, "80"));
    let is_word = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphanumeric());
    host.split('.').all(|label| is_word(label) && !label.starts_with("xn--"))
        && port.len() <= 4
        && port.bytes().all(|b| b.is_ascii_digit())
        && !port.is_empty()
        && path.split('/').all(|segment| segment.is_empty() || is_word(segment))
        // An address is plain as it is always written.
        && Url::parse(pasted).is_ok_and(|url| url.host_str() == Some(&host.to_ascii_lowercase()))
}
