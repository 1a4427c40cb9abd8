//! The API key is sent with every request, and never leaves the client otherwise.

use std::cell::RefCell;
use std::rc::Rc;

use address_query::client::{ApiKey, Client, ClientOptions, EventSink, RetryPolicy};
use address_query::endpoint::BaseUrl;
use address_query::error::{Error, ErrorCode};
use address_query::testing::client::{FrameDecoder, Pager};
use address_query::testing::decode::DecodeOptions;
use address_query::testing::endpoint::Request;

use super::{
    BASE, WITHDRAWALS, assert_invalid_parameter, client_with, first_page, list, page, params, read_all, string,
};
use crate::support::HASH_A;
use crate::test_runtime::{MockResponse, TestRuntime};

const KEY: &str = "proapi_s3cret+/=";
const ENCODED: &str = "proapi_s3cret%2B%2F%3D";
/// The cursor of version 11.
const NEXT: &str = r#"{"index":1,"items_count":50}"#;

fn client_with_key(runtime: &TestRuntime) -> Client<TestRuntime> {
    client_with(runtime, |options| options.api_key = Some(ApiKey::new(KEY).unwrap()))
}

#[test]
fn key_is_sent_with_every_request_and_redirects_are_not_followed() {
    let runtime = TestRuntime::new([MockResponse::ok(page(&[1], NEXT)), MockResponse::ok(page(&[2], "null"))]);
    let mut pager = client_with_key(&runtime).pages(&params()).unwrap();
    assert_eq!(read_all(&runtime, &mut pager), [[1], [2]]);
    let first = format!("{WITHDRAWALS}?apikey={ENCODED}");
    assert_eq!(runtime.take_urls(), [first, format!("{WITHDRAWALS}?index=1&items_count=50&apikey={ENCODED}")]);
    assert_eq!(runtime.take_redirects(), [false, false]);
}

#[test]
fn without_cors_the_key_is_in_a_header_and_in_no_url() {
    let bearer = ("authorization", format!("Bearer {KEY}"));
    for (base, header) in [(BASE, ("x-api-key", KEY.to_owned())), ("https://api.blockscout.com/1", bearer)] {
        let runtime = TestRuntime::new([MockResponse::ok(page(&[1], NEXT)), MockResponse::ok(page(&[2], "null"))]);
        runtime.become_server();
        let mut options = ClientOptions::new(base.parse().unwrap());
        options.api_key = Some(ApiKey::new(KEY).unwrap());
        let mut pager = Client::with_options(runtime.clone(), options).pages(&params()).unwrap();
        assert_eq!(read_all(&runtime, &mut pager), [[1], [2]]);
        let url = WITHDRAWALS.replace(BASE, base);
        assert_eq!(runtime.take_urls(), [url.clone(), format!("{url}?index=1&items_count=50")]);
        assert_eq!(runtime.take_headers(), [[header.clone()], [header]]);
        assert_eq!(runtime.take_redirects(), [false, false]);
    }
}

#[test]
fn key_of_the_gateway_is_not_sent_to_the_instance_of_a_chain() {
    let rule = "is a key of the gateway, but the requests go to the instance of the chain; pass only chainId to read through the gateway";
    let gateway_keys: [fn() -> ApiKey; 2] =
        [|| ApiKey::new(KEY).unwrap(), || ApiKey::from_fn(|| Box::pin(async { Ok(KEY.to_owned()) }))];
    for key in gateway_keys {
        for base in [BASE, "https://explorer.example/prefix"] {
            let runtime = TestRuntime::new([]);
            let options = ClientOptions::new(base.parse().unwrap()).chain_id(Some(1)).api_key(key());
            let client = Client::with_options(runtime.clone(), options);
            assert_invalid_parameter(runtime.block_on(first_page(client)), "api_key", rule);
            assert!(runtime.take_urls().is_empty());
        }
        for (base, chain_id) in [("https://api.blockscout.com/1", Some(1)), ("/proxy/1", Some(1)), (BASE, None)] {
            let runtime = TestRuntime::new([MockResponse::ok(page(&[1], "null"))]);
            let mut options = ClientOptions::new(base.parse().unwrap()).api_key(key());
            options.chain_id = chain_id;
            runtime.block_on(first_page(Client::with_options(runtime.clone(), options))).unwrap();
        }
    }
    let runtime = TestRuntime::new([MockResponse::ok(page(&[1], "null"))]);
    let key_of_the_instance = ApiKey::new("3f2504e0-4f89-11d3-9a0c").unwrap();
    let options = ClientOptions::new(BASE.parse().unwrap()).chain_id(Some(1)).api_key(key_of_the_instance);
    runtime.block_on(first_page(Client::with_options(runtime.clone(), options))).unwrap();
}

#[test]
fn redirects_are_followed_without_a_key() {
    let runtime = TestRuntime::new([MockResponse::ok(page(&[1], "null"))]);
    runtime.block_on(first_page(client_with(&runtime, |_| {}))).unwrap();
    assert_eq!(runtime.take_urls(), [WITHDRAWALS]);
    assert_eq!(runtime.take_redirects(), [true]);
}

#[test]
fn key_function_is_called_for_each_request() {
    let runtime = TestRuntime::new([MockResponse::status(500, ""), MockResponse::ok(page(&[1], "null"))]);
    let count = Rc::new(RefCell::new(0));
    let client = client_with(&runtime, |options| {
        options.api_key = Some(ApiKey::from_fn(move || {
            *count.borrow_mut() += 1;
            let key = format!("rotating-{}", count.borrow());
            Box::pin(async { Ok(key) })
        }));
    });
    runtime.block_on(first_page(client)).unwrap();
    assert_eq!(runtime.take_urls(), ["1", "2"].map(|number| format!("{WITHDRAWALS}?apikey=rotating-{number}")));
}

#[test]
fn failing_key_function_fails_the_call_before_a_request_is_sent() {
    let runtime = TestRuntime::new([]);
    let client = client_with(&runtime, |options| {
        options.api_key =
            Some(ApiKey::from_fn(|| Box::pin(async { Err(Error::invalid_parameter("apiKey", "is gone")) })));
    });
    assert_invalid_parameter(runtime.block_on(first_page(client)), "apiKey", "is gone");
    let client = client_with(&runtime, |options| {
        options.api_key = Some(ApiKey::from_fn(|| Box::pin(async { Ok("short".into()) })));
    });
    let rule = "must be a string of 8 to 512 printable ASCII characters without spaces";
    assert_invalid_parameter(runtime.block_on(first_page(client)), "api_key", rule);
}

#[test]
fn deadline_covers_the_key_function() {
    let runtime = TestRuntime::new([]);
    let client = client_with(&runtime, |options| {
        options.api_key = Some(ApiKey::from_fn(|| Box::pin(std::future::pending())));
    });
    let error = runtime.block_on(first_page(client)).unwrap_err();
    assert_eq!((error.code, runtime.elapsed_ms()), (ErrorCode::Timeout, RetryPolicy::default().deadline_ms));
    assert_eq!(error.attempts, Some(0));
}

#[test]
fn rejects_invalid_keys() {
    let rule = "must be a string of 8 to 512 printable ASCII characters without spaces";
    for wrong in ["", "1234567", "with a space", "line\nbreak", "schlüssel", &"x".repeat(513)] {
        assert_invalid_parameter(ApiKey::new(wrong), "api_key", rule);
        let values = vec![("baseUrl".to_owned(), string(BASE)), ("apiKey".to_owned(), string(wrong))];
        assert_invalid_parameter(ClientOptions::read(&values, BaseUrl::parse), "api_key", rule);
    }
}

#[test]
fn key_in_a_cursor_is_neither_returned_nor_sent_twice() {
    let next = format!(r#"{{"index":1,"items_count":50,"apikey":"{KEY}"}}"#);
    let runtime = TestRuntime::new([MockResponse::ok(page(&[1], &next)), MockResponse::ok(page(&[2], "null"))]);
    let mut pager = client_with_key(&runtime).pages(&params()).unwrap();
    let first = runtime.block_on(pager.next()).unwrap().unwrap();
    assert!(!first.next.unwrap().to_json().contains("s3cret"));
    assert!(!pager.resume_token().unwrap().contains("s3cret"));
    runtime.take_urls();
    assert_eq!(read_all(&runtime, &mut pager), [[2]]);
    assert_eq!(runtime.take_urls(), [format!("{WITHDRAWALS}?index=1&items_count=50&apikey={ENCODED}")]);
}

#[test]
fn key_in_a_cursor_under_another_name_is_neither_returned_nor_sent() {
    for echo in [format!(r#""api_key":"{KEY}""#), format!(r#""q":"a={ENCODED}&b""#), format!(r#""{KEY}":1"#)] {
        let next = format!(r#"{{"index":1,"items_count":50,{echo}}}"#);
        let runtime = TestRuntime::new([MockResponse::ok(page(&[1], &next)), MockResponse::status(404, "")]);
        let urls = Rc::new(RefCell::new(Vec::new()));
        let seen = Rc::clone(&urls);
        let client = client_with(&runtime, |options| {
            options.api_key = Some(ApiKey::new(KEY).unwrap());
            options.on_event = Some(EventSink::new(move |event| seen.borrow_mut().push(event.url.to_owned())));
        });
        let mut pager = client.pages(&params()).unwrap();
        let first = runtime.block_on(pager.next()).unwrap().unwrap();
        assert_eq!(first.next.unwrap().to_json(), NEXT);
        assert!(pager.resume_token().unwrap().ends_with(".index=1&items_count=50"));
        let error = runtime.block_on(pager.next()).unwrap_err();
        assert_eq!(error.url, Some(format!("{WITHDRAWALS}?index=1&items_count=50")));
        assert_eq!(urls.take().last(), error.url.as_ref());
        assert_eq!(runtime.take_urls()[1], format!("{WITHDRAWALS}?index=1&items_count=50&apikey={ENCODED}"));
    }
    // A cursor with no other parameter ends the list.
    let runtime = TestRuntime::new([MockResponse::ok(page(&[1], &format!(r#"{{"token":"{KEY}"}}"#)))]);
    let mut pager = client_with_key(&runtime).pages(&params()).unwrap();
    assert_eq!(read_all(&runtime, &mut pager), [[1]]);
}

#[test]
fn key_in_a_cursor_is_not_in_the_frame() {
    let runtime = TestRuntime::new([MockResponse::ok(page(&[1], &format!(r#"{{"index":1,"token":"{KEY}"}}"#)))]);
    let request = Request::new(list("addressWithdrawals"), &[("address_hash", string(HASH_A))]).unwrap();
    let pages = FrameDecoder::new(list("addressWithdrawals").layout, DecodeOptions::default());
    let mut pager = Pager::new(client_with_key(&runtime), request, pages, None).unwrap();
    let page = runtime.block_on(pager.next()).unwrap().unwrap();
    assert_eq!(page.page.next.unwrap().to_json(), r#"{"index":1}"#);
}

/// Service versions 9 to 11 echo the secret of restricted addresses in cursors.
#[test]
fn secret_of_restricted_addresses_is_removed_from_cursors() {
    let runtime = TestRuntime::new([
        MockResponse::ok(page(&[1], r#"{"index":1,"items_count":50,"key":"open sesame"}"#)),
        MockResponse::status(404, ""),
    ]);
    let mut pager = client_with(&runtime, |_| {}).pages(&params()).unwrap();
    let first = runtime.block_on(pager.next()).unwrap().unwrap();
    assert_eq!(first.next.unwrap().to_json(), NEXT);
    assert!(pager.resume_token().unwrap().ends_with(".index=1&items_count=50"));
    let url = format!("{WITHDRAWALS}?index=1&items_count=50");
    assert_eq!(runtime.block_on(pager.next()).unwrap_err().url, Some(url));
}

/// Excerpts have 300, 40 or 1,200 bytes, or end where the body is truncated.
#[test]
fn truncated_key_in_a_message_is_redacted() {
    for shown in 1..=7 {
        let before = |length: usize| "z".repeat(length - shown);
        for response in [
            MockResponse::status(500, format!(r#"{{"message":"{}{KEY}"}}"#, before(300))),
            MockResponse::status(500, format!("{}{KEY}", before(300))),
            MockResponse::status(500, format!("<p>{}</p>{}{KEY}", "<b>".repeat(391), before(20))),
            MockResponse::head(500, &[])
                .chunk([before(20).as_bytes(), &KEY.as_bytes()[..shown]].concat())
                .disconnect("reset"),
            MockResponse::ok(format!(r#"{{"items":[{{"index":"{}{KEY}"}}],"next_page_params":null}}"#, before(39))),
        ] {
            let runtime = TestRuntime::new([response.clone()]);
            let client = client_with(&runtime, |options| {
                options.api_key = Some(ApiKey::new(KEY).unwrap());
                options.retry_policy.max_attempts = Some(1);
            });
            let error = runtime.block_on(first_page(client)).unwrap_err();
            assert!(error.message.contains("z***"), "{response:?} {error}");
            assert!(!error.message.contains("zp"), "{response:?} {error}");
        }
    }
}

/// Checks everything that leaves the client while failures echo the key in all encodings.
#[test]
fn no_string_that_leaves_the_client_contains_the_key() {
    const LOST: &str = "Failed to fetch https://eth.blockscout.com/?apikey=proapi_s3cret%2B%2F%3D (proapi_s3cret+/=)";
    // The end of the key is also echoed in an encoding that the client does not know.
    let (beginning, tail) = KEY.split_at(9);
    let escaped = tail.bytes().map(|byte| format!("%{byte:02x}")).collect::<Vec<_>>().concat();
    let echo = format!("your key {KEY} ({ENCODED}) {beginning}/s3cret {beginning}{escaped}");
    let responses = [
        MockResponse::default().disconnect(LOST),
        MockResponse::status(429, format!(r#"{{"message":"{echo}"}}"#)),
        MockResponse::status(401, format!(r#"{{"message":"{echo}"}}"#)),
        MockResponse::status(422, format!(r#"{{"errors":[{{"detail":"{echo}","source":{{"pointer":"/{KEY}"}}}}]}}"#)),
        MockResponse::status(500, format!("\"{echo}\"")),
        MockResponse::status(502, format!("<html><title>{echo}</title>{echo}</html>")),
        MockResponse::ok(format!("<html><title>{echo}</title></html>")),
        MockResponse::ok(&echo),
        MockResponse::ok(format!(r#"{{"error":"{echo}"}}"#)),
        MockResponse::ok(format!(r#"{{"items":["{echo}"],"next_page_params":null}}"#)),
        MockResponse::ok(format!(r#"{{"items":[{{"index":"{echo}"}}],"next_page_params":null}}"#)),
        MockResponse::ok(format!(r#"{{"items":[],"next_page_params":{{"{KEY}":{{}}}}}}"#)),
        MockResponse::ok(page(&[1], &format!(r#"{{"index":1,"apikey":"{KEY}"}}"#))),
    ];
    let outputs = Rc::new(RefCell::new(Vec::new()));
    for response in responses {
        let runtime = TestRuntime::new([response.clone(), response]);
        let recorder = Rc::clone(&outputs);
        let client = client_with(&runtime, |options| {
            options.api_key = Some(ApiKey::new(KEY).unwrap());
            options.retry_policy.max_attempts = Some(2);
            options.on_event = Some(EventSink::new(move |event| recorder.borrow_mut().push(format!("{event:?}"))));
        });
        let mut pager = client.pages(&params()).unwrap();
        for _ in 0..2 {
            let outcome = runtime.block_on(pager.next());
            outputs.borrow_mut().push(format!("{outcome:?} {:?} {:?}", pager.resume_token(), ApiKey::new(KEY)));
            // Only an unreadable cursor leads to a further error without another request.
            if outcome.is_err() || pager.resume_token().is_none_or(|token| !token.ends_with('&')) {
                break;
            }
        }
    }
    let outputs = outputs.take();
    assert!(outputs.len() > 30);
    for output in outputs {
        assert!(!output.contains("s3cret") && !output.contains("%73%33"), "{output}");
    }
}
