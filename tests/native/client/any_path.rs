//! Requests of paths that no operation declares.

use address_query::client::Client;
use address_query::error::{Error, ErrorCode};
use address_query::testing::decode::{DecodeOptions, FrameDecoder};
use address_query::testing::endpoint::ANY_PATH;
use address_query::types::AnyResponse;

use super::{BASE, assert_invalid_parameter, client, retrying_client};
use crate::test_runtime::{MockResponse, TestRuntime};

/// Requests a path from an instance that responds with `1`. Returns the URL that was requested.
fn request_from(base: &str, path: &str, params: &[(&str, &str)]) -> Result<String, Error> {
    let runtime = TestRuntime::new([MockResponse::ok("1")]);
    let client = Client::new(runtime.clone(), base.parse().unwrap());
    let result = runtime.block_on(client.request(path, params));
    let urls = runtime.take_urls();
    assert_eq!(urls.len(), usize::from(result.is_ok()), "an invalid request must not be sent");
    result.map(|_| urls.concat())
}

/// Returns the path and query that were requested.
fn request(path: &str, params: &[(&str, &str)]) -> Result<String, Error> {
    request_from(BASE, path, params).map(|url| url.replace(BASE, ""))
}

#[test]
fn any_path_and_parameters_are_sent_encoded() {
    for (path, params, expected) in [
        ("/api/v2/main-page/blocks", &[][..], "/api/v2/main-page/blocks"),
        ("/api/v2/smart-contracts/", &[("q", "a b")], "/api/v2/smart-contracts/?q=a%20b"),
        ("/api", &[("module", "contract"), ("action", "getabi")], "/api?module=contract&action=getabi"),
        ("/api/v2/x", &[("token[name]", ""), ("p", "&=?#")], "/api/v2/x?token%5Bname%5D=&p=%26%3D%3F%23"),
        ("/api/v2/ä b/%2e%2e/..a", &[], "/api/v2/%C3%A4%20b/%252e%252e/..a"),
    ] {
        assert_eq!(request(path, params).unwrap(), expected);
    }
}

#[test]
fn paths_that_leave_the_base_url_or_contain_a_query_are_rejected() {
    let rule =
        "must be a path below the base URL, such as /api/v2/blocks, without a query and without the segments . and ..";
    for path in
        ["", "api/v2/blocks", "https://evil.example", "/api/../x", "/..", "/a/./b", "/a?b=c", "/a#b", "/a\\..\\b"]
    {
        assert_invalid_parameter(request(path, &[]), "path", rule);
    }
}

#[test]
fn a_path_never_changes_the_host() {
    for (base, beginning) in [
        ("/", "/"),
        ("/proxy", "/proxy/"),
        ("/1", "/"),
        (BASE, "https://eth.blockscout.com/"),
        ("https://api.blockscout.com/1", "https://api.blockscout.com/"),
    ] {
        for path in ["//evil.example/x", "///evil.example", "/\\evil.example", "\\\\evil.example", "//services/x"] {
            assert!(request_from(base, path, &[]).is_err(), "{base} {path}");
        }
        // A browser removes white space from a URL before it reads the host.
        for path in ["/\t/evil.example", "/\n/evil.example", "/@evil.example", "/services//evil.example", "/:80/x"] {
            let url = request_from(base, path, &[]).unwrap();
            assert!(url.starts_with(beginning) && !url.starts_with("//"), "{base} {path}: {url}");
            assert!(!url.contains(['\t', '\n', '@']), "{base} {path}: {url}");
        }
    }
}

#[test]
fn the_api_key_is_not_a_parameter() {
    for name in ["apikey", "ApiKey"] {
        assert_invalid_parameter(request("/api", &[(name, "secret")]), name, "is the API key: pass it as api_key");
    }
}

#[test]
fn a_long_query_names_its_longest_parameter() {
    let long = "x".repeat(5_000);
    let error = request("/api", &[("a", "1"), ("b", &long)]).unwrap_err();
    assert_eq!((error.code, error.parameter.as_deref()), (ErrorCode::InvalidParameter, Some("b")));
}

#[test]
fn services_of_the_gateway_have_no_chain_in_their_path() {
    let gateway = "https://api.blockscout.com/1";
    for (base, path, url) in [
        (gateway, "/services/bens/api/v1/x", "https://api.blockscout.com/services/bens/api/v1/x"),
        ("/api/blockscout/8453", "/services/bens/x", "/api/blockscout/services/bens/x"),
        (gateway, "/stats-service/x", "https://api.blockscout.com/1/stats-service/x"),
        (BASE, "/services/bens/x", "https://eth.blockscout.com/services/bens/x"),
    ] {
        assert_eq!(request_from(base, path, &[]).as_deref(), Ok(url));
    }
}

#[test]
fn any_json_is_returned_as_it_was_sent() {
    for body in ["{}", "[1,2]", "7", "-1.5e3", "null", "true", "\"a\\u0000\"", "{\"__proto__\":{\"a\":1e400}}"] {
        let runtime = TestRuntime::new([MockResponse::ok(format!("\u{feff} {body} "))]);
        let json = runtime.block_on(client(&runtime).request("/api/v2/x", &[])).unwrap();
        assert_eq!(json.as_json(), body);
    }
}

#[test]
fn a_body_in_single_bytes_is_the_same_value() {
    let body = "\u{feff}{\"a\": [1, \"ü\"]}";
    let mut decoder = FrameDecoder::new(ANY_PATH.layout, DecodeOptions::default());
    decoder.begin();
    for byte in body.as_bytes() {
        decoder.feed(vec![*byte]).unwrap();
    }
    let mut page = decoder.finish().unwrap();
    assert_eq!(page.read_envelope::<AnyResponse>().unwrap().json.as_json(), "{\"a\": [1, \"ü\"]}");
}

#[test]
fn invalid_bodies_are_retried_and_failures_of_the_service_are_errors() {
    for body in ["", "{\"a\":", "<html></html>", "1 2", "{},\"x\":1"] {
        let runtime = TestRuntime::new([MockResponse::ok(body), MockResponse::ok("5")]);
        let json = runtime.block_on(retrying_client(&runtime).request("/api/v2/x", &[])).unwrap();
        assert_eq!((json.as_json(), runtime.take_urls().len()), ("5", 2), "{body}");
    }
    let runtime = TestRuntime::new([MockResponse::status(404, r#"{"message":"Not found"}"#)]);
    let error = runtime.block_on(client(&runtime).request("/api/v2/x", &[])).unwrap_err();
    assert_eq!((error.code, error.status), (ErrorCode::HttpStatus, Some(404)));
}
