//! The API key: in every request, and nowhere else.

use std::cell::RefCell;
use std::rc::Rc;

use address_query::client::{ApiKey, Client, ClientSettings, EventSink, FramePages, Pager, Patience};
use address_query::decode::Leniency;
use address_query::endpoint::Request;
use address_query::error::{Error, ErrorCode};

use super::{BASE, WITHDRAWALS, assert_refused, client_with, first_page, list, page, params, read_all, text};
use crate::runtime::{Reply, Script};
use crate::support::HASH_A;

const KEY: &str = "proapi_s3cret+/=";
const ENCODED: &str = "proapi_s3cret%2B%2F%3D";

fn keyed(script: &Script) -> Client<Script> {
    client_with(script, |settings| settings.api_key = Some(ApiKey::text(KEY).unwrap()))
}

#[test]
fn the_key_goes_with_every_request_and_redirects_are_not_followed() {
    let script = Script::new([Reply::ok(page(&[1], r#"{"index":1}"#)), Reply::ok(page(&[2], "null"))]);
    let mut pager = keyed(&script).pages(&params()).unwrap();
    assert_eq!(read_all(&script, &mut pager), [[1], [2]]);
    let first = format!("{WITHDRAWALS}?apikey={ENCODED}");
    assert_eq!(script.take_urls(), [first, format!("{WITHDRAWALS}?index=1&apikey={ENCODED}")]);
    assert_eq!(script.take_redirects(), [false, false]);
}

#[test]
fn without_a_key_redirects_are_followed() {
    let script = Script::new([Reply::ok(page(&[1], "null"))]);
    script.block_on(first_page(client_with(&script, |_| {}))).unwrap();
    assert_eq!(script.take_urls(), [WITHDRAWALS]);
    assert_eq!(script.take_redirects(), [true]);
}

#[test]
fn a_function_is_asked_for_each_request() {
    let script = Script::new([Reply::status(500, ""), Reply::ok(page(&[1], "null"))]);
    let count = Rc::new(RefCell::new(0));
    let client = client_with(&script, |settings| {
        settings.api_key = Some(ApiKey::ask(move || {
            *count.borrow_mut() += 1;
            let key = format!("rotating-{}", count.borrow());
            Box::pin(async { Ok(key) })
        }));
    });
    script.block_on(first_page(client)).unwrap();
    assert_eq!(script.take_urls(), ["1", "2"].map(|number| format!("{WITHDRAWALS}?apikey=rotating-{number}")));
}

#[test]
fn a_function_that_fails_ends_the_call_before_anything_is_sent() {
    let script = Script::new([]);
    let client = client_with(&script, |settings| {
        settings.api_key = Some(ApiKey::ask(|| Box::pin(async { Err(Error::invalid_parameter("apiKey", "is gone")) })));
    });
    assert_refused(script.block_on(first_page(client)), "apiKey", "is gone");
    let client = client_with(&script, |settings| {
        settings.api_key = Some(ApiKey::ask(|| Box::pin(async { Ok("short".into()) })));
    });
    let rule = "must be a text of 8 to 512 printable ASCII characters without spaces";
    assert_refused(script.block_on(first_page(client)), "apiKey", rule);
}

#[test]
fn the_deadline_covers_the_function() {
    let script = Script::new([]);
    let client = client_with(&script, |settings| {
        settings.api_key = Some(ApiKey::ask(|| Box::pin(std::future::pending())));
    });
    let error = script.block_on(first_page(client)).unwrap_err();
    assert_eq!((error.code, script.elapsed_ms()), (ErrorCode::Timeout, Patience::default().deadline_ms));
}

#[test]
fn what_cannot_be_a_key_is_refused() {
    let rule = "must be a text of 8 to 512 printable ASCII characters without spaces";
    for wrong in ["", "1234567", "with a space", "line\nbreak", "schlüssel", &"x".repeat(513)] {
        assert_refused(ApiKey::text(wrong), "apiKey", rule);
        let entries = vec![("baseUrl".to_owned(), text(BASE)), ("apiKey".to_owned(), text(wrong))];
        assert_refused(ClientSettings::read(&entries), "apiKey", rule);
    }
}

#[test]
fn a_cursor_that_repeats_the_key_neither_shows_nor_sends_it_twice() {
    let next = format!(r#"{{"index":1,"apikey":"{KEY}"}}"#);
    let script = Script::new([Reply::ok(page(&[1], &next)), Reply::ok(page(&[2], "null"))]);
    let mut pager = keyed(&script).pages(&params()).unwrap();
    let first = script.block_on(pager.next()).unwrap().unwrap();
    assert!(!first.next.unwrap().to_json().contains("s3cret"));
    assert!(!pager.resume_token().unwrap().contains("s3cret"));
    script.take_urls();
    assert_eq!(read_all(&script, &mut pager), [[2]]);
    assert_eq!(script.take_urls(), [format!("{WITHDRAWALS}?index=1&apikey={ENCODED}")]);
}

#[test]
fn a_cursor_that_echoes_the_key_under_another_name_neither_shows_nor_sends_it() {
    for echo in [format!(r#""api_key":"{KEY}""#), format!(r#""q":"a={ENCODED}&b""#), format!(r#""{KEY}":1"#)] {
        let next = format!(r#"{{"index":1,{echo}}}"#);
        let script = Script::new([Reply::ok(page(&[1], &next)), Reply::status(404, "")]);
        let urls = Rc::new(RefCell::new(Vec::new()));
        let seen = Rc::clone(&urls);
        let client = client_with(&script, |settings| {
            settings.api_key = Some(ApiKey::text(KEY).unwrap());
            settings.on_event = Some(EventSink::new(move |event| seen.borrow_mut().push(event.url.to_owned())));
        });
        let mut pager = client.pages(&params()).unwrap();
        let first = script.block_on(pager.next()).unwrap().unwrap();
        assert_eq!(first.next.unwrap().to_json(), r#"{"index":1}"#);
        assert!(pager.resume_token().unwrap().ends_with(".index=1"));
        let error = script.block_on(pager.next()).unwrap_err();
        assert_eq!(error.url, Some(format!("{WITHDRAWALS}?index=1")));
        assert_eq!(urls.take().last(), error.url.as_ref());
        assert_eq!(script.take_urls()[1], format!("{WITHDRAWALS}?index=1&apikey={ENCODED}"));
    }
    // A cursor with no other key ends the list.
    let script = Script::new([Reply::ok(page(&[1], &format!(r#"{{"token":"{KEY}"}}"#)))]);
    let mut pager = keyed(&script).pages(&params()).unwrap();
    assert_eq!(read_all(&script, &mut pager), [[1]]);
}

#[test]
fn a_frame_page_does_not_show_an_echoed_key() {
    let script = Script::new([Reply::ok(page(&[1], &format!(r#"{{"index":1,"token":"{KEY}"}}"#)))]);
    let request = Request::new(list("addressWithdrawals"), [("address_hash", text(HASH_A))]).unwrap();
    let pages = FramePages::new(list("addressWithdrawals"), Leniency::default());
    let mut pager = Pager::new(keyed(&script), request, pages, None).unwrap();
    let page = script.block_on(pager.next()).unwrap().unwrap();
    assert_eq!(page.next.unwrap().to_json(), r#"{"index":1}"#);
}

/// The secret of restricted addresses is echoed by services 9 to 11.
#[test]
fn a_cursor_that_echoes_the_secret_of_restricted_addresses_does_not_show_it() {
    let script = Script::new([Reply::ok(page(&[1], r#"{"index":1,"key":"open sesame"}"#)), Reply::status(404, "")]);
    let mut pager = client_with(&script, |_| {}).pages(&params()).unwrap();
    let first = script.block_on(pager.next()).unwrap().unwrap();
    assert_eq!(first.next.unwrap().to_json(), r#"{"index":1}"#);
    assert!(pager.resume_token().unwrap().ends_with(".index=1"));
    assert_eq!(script.block_on(pager.next()).unwrap_err().url, Some(format!("{WITHDRAWALS}?index=1")));
}

/// Excerpts are 300, 40 and 1,200 bytes long, or as long as what came.
#[test]
fn no_beginning_of_the_key_is_left_where_a_message_is_cut() {
    for shown in 1..=7 {
        let before = |length: usize| "z".repeat(length - shown);
        for reply in [
            Reply::status(500, format!(r#"{{"message":"{}{KEY}"}}"#, before(300))),
            Reply::status(500, format!("{}{KEY}", before(300))),
            Reply::status(500, format!("<p>{}</p>{}{KEY}", "<b>".repeat(391), before(20))),
            Reply::head(500, &[]).chunk([before(20).as_bytes(), &KEY.as_bytes()[..shown]].concat()).lost("reset"),
            Reply::ok(format!(r#"{{"items":[{{"index":"{}{KEY}"}}],"next_page_params":null}}"#, before(39))),
        ] {
            let script = Script::new([reply.clone()]);
            let client = client_with(&script, |settings| {
                settings.api_key = Some(ApiKey::text(KEY).unwrap());
                settings.patience.max_attempts = 1;
            });
            let error = script.block_on(first_page(client)).unwrap_err();
            assert!(error.message.contains("z***"), "{reply:?} {error}");
            assert!(!error.message.contains("zp"), "{reply:?} {error}");
        }
    }
}

/// Everything that leaves the client in a run full of failures whose words repeat the key in every spelling.
#[test]
fn the_key_leaves_the_client_in_no_text() {
    const LOST: &str = "Failed to fetch https://eth.blockscout.com/?apikey=proapi_s3cret%2B%2F%3D (proapi_s3cret+/=)";
    // With the tail in a spelling that nobody could foresee.
    let (beginning, tail) = KEY.split_at(9);
    let escaped = tail.bytes().map(|byte| format!("%{byte:02x}")).collect::<Vec<_>>().concat();
    let echo = format!("your key {KEY} ({ENCODED}) {beginning}/s3cret {beginning}{escaped}");
    let replies = [
        Reply::default().lost(LOST),
        Reply::status(429, format!(r#"{{"message":"{echo}"}}"#)),
        Reply::status(401, format!(r#"{{"message":"{echo}"}}"#)),
        Reply::status(422, format!(r#"{{"errors":[{{"detail":"{echo}","source":{{"pointer":"/{KEY}"}}}}]}}"#)),
        Reply::status(500, format!("\"{echo}\"")),
        Reply::status(502, format!("<html><title>{echo}</title>{echo}</html>")),
        Reply::ok(format!("<html><title>{echo}</title></html>")),
        Reply::ok(&echo),
        Reply::ok(format!(r#"{{"error":"{echo}"}}"#)),
        Reply::ok(format!(r#"{{"items":["{echo}"],"next_page_params":null}}"#)),
        Reply::ok(format!(r#"{{"items":[{{"index":"{echo}"}}],"next_page_params":null}}"#)),
        Reply::ok(format!(r#"{{"items":[],"next_page_params":{{"{KEY}":{{}}}}}}"#)),
        Reply::ok(page(&[1], &format!(r#"{{"index":1,"apikey":"{KEY}"}}"#))),
    ];
    let left = Rc::new(RefCell::new(Vec::new()));
    for reply in replies {
        let script = Script::new([reply.clone(), reply]);
        let hears = Rc::clone(&left);
        let client = client_with(&script, |settings| {
            settings.api_key = Some(ApiKey::text(KEY).unwrap());
            settings.patience.max_attempts = 2;
            settings.on_event = Some(EventSink::new(move |event| hears.borrow_mut().push(format!("{event:?}"))));
        });
        let mut pager = client.pages(&params()).unwrap();
        for _ in 0..2 {
            let outcome = script.block_on(pager.next());
            left.borrow_mut().push(format!("{outcome:?} {:?} {:?}", pager.resume_token(), ApiKey::text(KEY)));
            // Only an unreadable cursor says more, without another request.
            if outcome.is_err() || pager.resume_token().is_none_or(|token| !token.ends_with('&')) {
                break;
            }
        }
    }
    let left = left.take();
    assert!(left.len() > 30);
    for text in left {
        assert!(!text.contains("s3cret") && !text.contains("%73%33"), "{text}");
    }
}
