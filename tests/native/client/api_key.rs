//! The API key is sent with every request, and never leaves the client otherwise.

use std::cell::RefCell;
use std::rc::Rc;

use address_query::client::{ApiKey, Client, ClientOptions, RetryPolicy};
use address_query::endpoint::BaseUrl;
use address_query::error::{Error, ErrorCode};
use address_query::testing::client::{FrameDecoder, Pager};
use address_query::testing::decode::DecodeOptions;
use address_query::testing::endpoint::Request;

use super::{
    BASE, WITHDRAWALS, assert_invalid_parameter, client_with, first_page, last_page, list, ok_page, params, read_all,
    record_events, string,
};
use crate::support::HASH_A;
use crate::test_runtime::{MockResponse, TestRuntime};

const KEY: &str = "proapi_s3cret+/=";
const ENCODED: &str = "proapi_s3cret%2B%2F%3D";
const NEXT: &str = r#"{"index":1,"items_count":50}"#;
const INVALID: &str = "must be a string of 8 to 512 printable ASCII characters without spaces";

/// A client with the key and these further options.
fn client_with_key(runtime: &TestRuntime, change: impl FnOnce(&mut ClientOptions)) -> Client<TestRuntime> {
    client_with(runtime, |options| {
        options.api_key = Some(ApiKey::new(KEY).unwrap());
        change(options);
    })
}

#[test]
fn key_is_sent_with_every_request_and_only_in_a_header_without_cors() {
    let bearer = ("authorization", format!("Bearer {KEY}"));
    for (base, header) in
        [(BASE, None), (BASE, Some(("x-api-key", KEY.to_owned()))), ("https://api.blockscout.com/1", Some(bearer))]
    {
        let runtime = TestRuntime::new([ok_page(&[1], NEXT), last_page(&[2])]);
        let mut queries = [format!("?apikey={ENCODED}"), format!("?index=1&items_count=50&apikey={ENCODED}")];
        if header.is_some() {
            runtime.become_server();
            queries = [String::new(), "?index=1&items_count=50".into()];
        }
        let client = client_with_key(&runtime, |options| options.base_url = base.parse().unwrap());
        assert_eq!(read_all(&runtime, &mut client.pages(&params()).unwrap()), [[1], [2]]);
        let url = WITHDRAWALS.replace(BASE, base);
        assert_eq!(runtime.take_urls(), queries.map(|query| format!("{url}{query}")));
        assert_eq!(runtime.take_headers(), vec![Vec::from_iter(header); 2]);
        assert_eq!(runtime.take_redirects(), [false, false]);
    }
}

#[test]
fn key_of_the_gateway_is_not_sent_to_the_instance_of_a_chain() {
    let rule = "is a key of the gateway, but the requests go to the instance of the chain; pass only chainId to read through the gateway";
    let read = |base: &str, chain_id, key| {
        let runtime = TestRuntime::with_service(|_| last_page(&[1]));
        let mut options = ClientOptions::new(base.parse().unwrap()).api_key(key);
        options.chain_id = chain_id;
        let outcome = runtime.block_on(first_page(Client::with_options(runtime.clone(), options)));
        assert_eq!(runtime.take_urls().len(), usize::from(outcome.is_ok()), "{base}");
        outcome
    };
    let gateway_keys: [fn() -> ApiKey; 2] =
        [|| ApiKey::new(KEY).unwrap(), || ApiKey::from_fn(|| Box::pin(async { Ok(KEY.to_owned()) }))];
    for key in gateway_keys {
        for base in [BASE, "https://explorer.example/prefix"] {
            assert_invalid_parameter(read(base, Some(1), key()), "api_key", rule);
        }
        for (base, chain_id) in [("https://api.blockscout.com/1", Some(1)), ("/proxy/1", Some(1)), (BASE, None)] {
            read(base, chain_id, key()).unwrap();
        }
    }
    read(BASE, Some(1), ApiKey::new("3f2504e0-4f89-11d3-9a0c").unwrap()).unwrap();
}

#[test]
fn redirects_are_followed_without_a_key() {
    let runtime = TestRuntime::new([last_page(&[1])]);
    runtime.block_on(first_page(client_with(&runtime, |_| {}))).unwrap();
    assert_eq!(runtime.take_urls(), [WITHDRAWALS]);
    assert_eq!(runtime.take_redirects(), [true]);
}

#[test]
fn key_function_is_called_for_each_request() {
    let runtime = TestRuntime::new([MockResponse::status(500, ""), last_page(&[1])]);
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
    for (key, parameter, rule) in [
        (Err(Error::invalid_parameter("apiKey", "is gone")), "apiKey", "is gone"),
        (Ok("short".to_owned()), "api_key", INVALID),
    ] {
        let runtime = TestRuntime::new([]);
        let key = ApiKey::from_fn(move || Box::pin(std::future::ready(key.clone())));
        let client = client_with(&runtime, |options| options.api_key = Some(key));
        assert_invalid_parameter(runtime.block_on(first_page(client)), parameter, rule);
    }
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
    for wrong in ["", "1234567", "with a space", "line\nbreak", "schlüssel", &"x".repeat(513)] {
        assert_invalid_parameter(ApiKey::new(wrong), "api_key", INVALID);
        let values = vec![("baseUrl".to_owned(), string(BASE)), ("apiKey".to_owned(), string(wrong))];
        assert_invalid_parameter(ClientOptions::read(&values, BaseUrl::parse), "api_key", INVALID);
    }
}

#[test]
fn secrets_in_a_cursor_are_neither_returned_nor_sent() {
    for (has_key, echo) in [
        (true, format!(r#""apikey":"{KEY}""#)),
        (true, format!(r#""api_key":"{KEY}""#)),
        (true, format!(r#""q":"a={ENCODED}&b""#)),
        (true, format!(r#""{KEY}":1"#)),
        // Service versions 9 to 11 echo the secret of restricted addresses.
        (false, r#""key":"open sesame""#.into()),
    ] {
        let next = format!(r#"{{"index":1,"items_count":50,{echo}}}"#);
        let runtime = TestRuntime::new([ok_page(&[1], &next), MockResponse::status(404, "")]);
        let (sink, urls) = record_events(|event| event.url.to_owned());
        let client = client_with(&runtime, |options| {
            options.api_key = has_key.then(|| ApiKey::new(KEY).unwrap());
            options.on_event = Some(sink);
        });
        let mut pager = client.pages(&params()).unwrap();
        let first = runtime.block_on(pager.next()).unwrap().unwrap();
        assert_eq!(first.next.unwrap().to_json(), NEXT, "{echo}");
        assert!(pager.resume_token().unwrap().ends_with(".index=1&items_count=50"), "{echo}");
        let error = runtime.block_on(pager.next()).unwrap_err();
        assert_eq!(error.url, Some(format!("{WITHDRAWALS}?index=1&items_count=50")));
        assert_eq!(urls.take().last(), error.url.as_ref());
        let key = if has_key { format!("&apikey={ENCODED}") } else { String::new() };
        assert_eq!(runtime.take_urls()[1], format!("{WITHDRAWALS}?index=1&items_count=50{key}"));
    }
    // A cursor with no other parameter ends the list.
    let runtime = TestRuntime::new([ok_page(&[1], &format!(r#"{{"token":"{KEY}"}}"#))]);
    let mut pager = client_with_key(&runtime, |_| {}).pages(&params()).unwrap();
    assert_eq!(read_all(&runtime, &mut pager), [[1]]);
}

#[test]
fn key_in_a_cursor_is_not_in_the_frame() {
    let runtime = TestRuntime::new([ok_page(&[1], &format!(r#"{{"index":1,"token":"{KEY}"}}"#))]);
    let request = Request::new(list("addressWithdrawals"), &[("address_hash", string(HASH_A))]).unwrap();
    let pages = FrameDecoder::new(list("addressWithdrawals").layout, DecodeOptions::default());
    let mut pager = Pager::new(client_with_key(&runtime, |_| {}), request, pages, None).unwrap();
    let page = runtime.block_on(pager.next()).unwrap().unwrap();
    assert_eq!(page.page.next.unwrap().to_json(), r#"{"index":1}"#);
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
            let client = client_with_key(&runtime, |options| options.retry_policy.max_attempts = Some(1));
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
        ok_page(&[1], &format!(r#"{{"index":1,"apikey":"{KEY}"}}"#)),
    ];
    let mut outputs = Vec::new();
    for response in responses {
        let runtime = TestRuntime::new([response.clone(), response]);
        let (sink, events) = record_events(|event| format!("{event:?}"));
        let client = client_with_key(&runtime, |options| {
            options.retry_policy.max_attempts = Some(2);
            options.on_event = Some(sink);
        });
        let mut pager = client.pages(&params()).unwrap();
        for _ in 0..2 {
            let outcome = runtime.block_on(pager.next());
            outputs.push(format!("{outcome:?} {:?} {:?}", pager.resume_token(), ApiKey::new(KEY)));
            // Only an unreadable cursor leads to a further error without another request.
            if outcome.is_err() || pager.resume_token().is_none_or(|token| !token.ends_with('&')) {
                break;
            }
        }
        outputs.append(&mut events.take());
    }
    assert!(outputs.len() > 30);
    for output in outputs {
        assert!(!output.contains("s3cret") && !output.contains("%73%33"), "{output}");
    }
}
