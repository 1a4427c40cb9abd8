//! Paging: following cursors, and continuing after errors.

use address_query::error::{Error, ErrorCode};

use super::{
    WITHDRAWALS, Withdrawals, client, last_page, ok_page, page, params, read, read_all, withdrawals,
    withdrawals_frame_pager,
};
use crate::test_runtime::{MockResponse, TestRuntime, poll_once_and_drop};

fn cursor(index: i64) -> String {
    format!(r#"{{"index":{index},"items_count":50}}"#)
}

fn url(index: i64) -> String {
    format!("{WITHDRAWALS}?index={index}&items_count=50")
}

#[test]
fn only_the_cursor_decides_whether_there_is_a_next_page() {
    let runtime = TestRuntime::new([
        ok_page(&[9, 8, 7], &cursor(7)),
        ok_page(&[], &cursor(6)),
        ok_page(&[5], &cursor(5)),
        last_page(&[4, 3, 2]),
    ]);
    let mut pager = withdrawals(&runtime);
    assert_eq!(read_all(&runtime, &mut pager), [vec![9, 8, 7], vec![], vec![5], vec![4, 3, 2]]);
    assert_eq!(runtime.take_urls(), [WITHDRAWALS.to_owned(), url(7), url(6), url(5)]);
    assert_eq!(read(&runtime, &mut pager), Ok(None));
    assert!(runtime.take_urls().is_empty(), "requested again after the end");
    assert_eq!(pager.resume_token(), None);
}

#[test]
fn null_empty_or_missing_cursor_ends_the_list() {
    let absent = page(&[1], "null").replace(r#","next_page_params":null"#, "");
    assert!(!absent.contains("next_page_params"));
    for last in [page(&[1], "null"), page(&[1], "{}"), absent] {
        let runtime = TestRuntime::new([MockResponse::ok(&last)]);
        assert_eq!(read_all(&runtime, &mut withdrawals(&runtime)), [[1]], "{last}");
    }
}

#[test]
fn repeated_cursor_is_an_error_and_no_record_is_returned_twice() {
    for (ahead, repeated, last_good) in [(vec![8], 8, 8), (vec![8, 7], 8, 7), (vec![8, 7, 6], 7, 6)] {
        let pages = ahead.iter().map(|&index| ok_page(&[index], &cursor(index)));
        let runtime = TestRuntime::new(pages.chain([ok_page(&[9, 8], &cursor(repeated))]));
        let mut pager = withdrawals(&runtime);
        for &index in &ahead {
            assert_eq!(read(&runtime, &mut pager), Ok(Some(vec![index])));
        }
        let error = read(&runtime, &mut pager).unwrap_err();
        assert_eq!(error.code, ErrorCode::Cursor, "{error}");
        assert!(error.message.contains("leads to a page that was read before"), "{error}");
        assert_eq!(error.url, Some(url(last_good)));
        assert_continues(&runtime, pager, &error, &url(last_good));
    }
}

/// Asserts that the pager and its resume token both continue with this URL after the error.
#[track_caller]
fn assert_continues(runtime: &TestRuntime, mut pager: Withdrawals, error: &Error, url: &str) {
    runtime.take_urls();
    runtime.queue([last_page(&[5]), last_page(&[5])]);
    let mut resumed = client(runtime).resume_pages(&params(), error.resume_token.as_deref().unwrap()).unwrap();
    assert_eq!(read_all(runtime, &mut resumed), [[5]]);
    assert_eq!(read_all(runtime, &mut pager), [[5]], "the pager itself continues, too");
    assert_eq!(runtime.take_urls(), [url, url]);
}

/// A cursor as service versions up to 8 send it: `items_count` counts all records of the list so far.
fn counted(index: i64, count: u32) -> String {
    format!(r#"{{"index":{index},"items_count":{count}}}"#)
}

#[test]
fn cursor_that_differs_only_in_items_count_is_an_error() {
    let count = std::cell::Cell::new(0);
    let runtime = TestRuntime::with_service(move |_| {
        count.set(count.get() + 50);
        ok_page(&[9, 8], &counted(8, count.get()))
    });
    let mut pager = withdrawals(&runtime);
    assert_eq!(read(&runtime, &mut pager), Ok(Some(vec![9, 8])));
    assert_eq!(read(&runtime, &mut pager).unwrap_err().code, ErrorCode::Cursor);
    assert_eq!(runtime.take_urls(), [WITHDRAWALS.to_owned(), url(8)]);
}

#[test]
fn follows_a_new_position_whatever_its_items_count() {
    for count in [|_| 50, |page: u32| 50 * page] {
        let pages = (1..=4).map(|page| (9 - i64::from(page), count(page)));
        let responses = pages.map(|(index, count)| ok_page(&[index], &counted(index, count)));
        let runtime = TestRuntime::new(responses.chain([last_page(&[4])]));
        assert_eq!(read_all(&runtime, &mut withdrawals(&runtime)).concat(), [8, 7, 6, 5, 4]);
    }
}

#[test]
fn follows_a_cursor_with_items_count_only() {
    let only = |index: i64, count: u32| ok_page(&[index], &format!(r#"{{"items_count":{count}}}"#));
    let runtime = TestRuntime::new([only(3, 50), only(2, 100), only(1, 100)]);
    let mut pager = withdrawals(&runtime);
    assert_eq!(read(&runtime, &mut pager), Ok(Some(vec![3])));
    assert_eq!(read(&runtime, &mut pager), Ok(Some(vec![2])));
    assert_eq!(read(&runtime, &mut pager).unwrap_err().code, ErrorCode::Cursor, "the same again");
}

#[test]
fn resumed_list_detects_a_cursor_back_to_its_start() {
    let runtime = TestRuntime::new([ok_page(&[9], &cursor(9))]);
    let mut pager = withdrawals(&runtime);
    read(&runtime, &mut pager).unwrap();
    let token = pager.resume_token().unwrap();
    runtime.queue([ok_page(&[8], &cursor(9))]);
    let mut resumed = client(&runtime).resume_pages(&params(), &token).unwrap();
    assert_eq!(read(&runtime, &mut resumed).unwrap_err().code, ErrorCode::Cursor);
}

#[test]
fn hundred_consecutive_empty_pages_are_a_resumable_error() {
    let runtime = TestRuntime::new((0..100).map(|index| ok_page(&[], &cursor(index))));
    let mut pager = withdrawals(&runtime);
    for _ in 0..99 {
        assert_eq!(read(&runtime, &mut pager), Ok(Some(vec![])));
    }
    let error = read(&runtime, &mut pager).unwrap_err();
    assert_eq!(error.code, ErrorCode::Cursor);
    assert_eq!(error.message, "100 consecutive pages were empty; continue after them with the resume token");
    assert_continues(&runtime, pager, &error, &url(99));
}

#[test]
fn page_with_rows_resets_the_count_of_empty_pages() {
    let pages = (0..199).map(|index| ok_page(if index == 99 { &[1] } else { &[] }, &cursor(index)));
    let runtime = TestRuntime::new(pages.chain([last_page(&[])]));
    assert_eq!(read_all(&runtime, &mut withdrawals(&runtime)).len(), 200);
}

#[test]
fn page_with_an_unreadable_cursor_is_returned_before_the_error() {
    let bad = || ok_page(&[8], r#"{"index":[1]}"#);
    for first in [None, Some(9)] {
        let runtime = TestRuntime::new(first.map(|index| ok_page(&[index], &cursor(index))));
        let mut pager = withdrawals(&runtime);
        let requested = first.map_or_else(|| WITHDRAWALS.to_owned(), url);
        if let Some(index) = first {
            assert_eq!(read(&runtime, &mut pager), Ok(Some(vec![index])));
        }
        runtime.queue([bad()]);
        assert_eq!(read(&runtime, &mut pager), Ok(Some(vec![8])));
        let token = pager.resume_token();
        assert!(token.is_some(), "this is not the end of the list");
        runtime.take_urls();

        let error = read(&runtime, &mut pager).unwrap_err();
        assert_eq!((error.code, error.path.as_deref()), (ErrorCode::Cursor, Some("next_page_params.index")), "{error}");
        assert_eq!((&error.resume_token, error.url.as_ref()), (&token, Some(&requested)));
        assert!(runtime.take_urls().is_empty());

        // Continuing requests the page again, but does not return its records twice.
        let mut resumed = client(&runtime).resume_pages(&params(), token.as_deref().unwrap()).unwrap();
        for pager in [&mut pager, &mut resumed] {
            assert_eq!(pager.resume_token(), token);
            runtime.queue([bad()]);
            let error = read(&runtime, pager).unwrap_err();
            assert_eq!((error.code, &error.resume_token), (ErrorCode::Cursor, &token));
            runtime.queue([ok_page(&[8], &cursor(8)), last_page(&[7])]);
            assert_eq!(read_all(&runtime, pager), [[7]]);
            assert_eq!(runtime.take_urls(), [requested.clone(), requested.clone(), url(8)]);
        }
    }
}

#[test]
fn frame_page_with_an_unreadable_cursor_is_returned_before_the_error() {
    let runtime = TestRuntime::new([ok_page(&[9, 8], "[]")]);
    let mut pager = withdrawals_frame_pager(&runtime);
    assert_eq!(runtime.block_on(pager.next()).unwrap().unwrap().page.rows.len(), 2);
    assert_eq!(runtime.block_on(pager.next()).unwrap_err().code, ErrorCode::Cursor);
}

#[test]
fn page_with_an_unreadable_cursor_may_be_the_last_when_repeated() {
    let runtime = TestRuntime::new([ok_page(&[9], "7"), last_page(&[9])]);
    let mut pager = withdrawals(&runtime);
    assert_eq!(read(&runtime, &mut pager), Ok(Some(vec![9])));
    assert_eq!(read(&runtime, &mut pager).unwrap_err().code, ErrorCode::Cursor);
    assert_eq!(read(&runtime, &mut pager), Ok(None));
    assert_eq!(pager.resume_token(), None);
}

#[test]
fn next_retries_the_same_page_after_an_error() {
    let runtime = TestRuntime::new([MockResponse::status(500, ""), ok_page(&[9], &cursor(9))]);
    let mut pager = withdrawals(&runtime);
    let error = read(&runtime, &mut pager).unwrap_err();
    assert_eq!((error.code, &error.resume_token), (ErrorCode::HttpStatus, &None), "nothing was read");
    assert_eq!(read(&runtime, &mut pager), Ok(Some(vec![9])));

    let token = pager.resume_token();
    for (response, code) in [
        (MockResponse::status(503, ""), ErrorCode::HttpStatus),
        (MockResponse::default().disconnect("reset"), ErrorCode::Network),
        (MockResponse::ok("{\"items\":[{\"index\":8"), ErrorCode::Decode),
    ] {
        runtime.queue([response]);
        let error = read(&runtime, &mut pager).unwrap_err();
        assert_eq!((error.code, &error.resume_token), (code, &token));
    }
    runtime.queue([last_page(&[8])]);
    assert_eq!(read_all(&runtime, &mut pager), [[8]]);
    assert_eq!(runtime.take_urls(), [WITHDRAWALS.to_owned(), WITHDRAWALS.to_owned(), url(9), url(9), url(9), url(9)]);
}

#[test]
fn dropping_the_future_aborts_the_request_and_keeps_the_position() {
    let runtime = TestRuntime::new([
        ok_page(&[9], &cursor(9)),
        MockResponse::default().stall(),
        MockResponse::head(200, &[]).chunk(r#"{"items":[{"index":77,"validator_index":7,"#).stall(),
        last_page(&[8]),
    ]);
    let mut pager = withdrawals(&runtime);
    read(&runtime, &mut pager).unwrap();
    let token = pager.resume_token();
    for _ in 0..2 {
        poll_once_and_drop(pager.next());
        assert_eq!(runtime.open_requests(), 0);
        assert_eq!(pager.resume_token(), token);
    }
    assert_eq!(read_all(&runtime, &mut pager), [[8]], "no rows of the aborted pages");
    assert_eq!(runtime.take_urls(), [WITHDRAWALS.to_owned(), url(9), url(9), url(9)]);
}

#[test]
fn dropping_the_future_keeps_the_position_of_frame_pages() {
    let runtime =
        TestRuntime::new([MockResponse::head(200, &[]).chunk(&page(&[77, 76], "null")[..70]).stall(), last_page(&[8])]);
    let mut pager = withdrawals_frame_pager(&runtime);
    poll_once_and_drop(pager.next());
    assert_eq!(runtime.block_on(pager.next()).unwrap().unwrap().page.rows.len(), 1);
    assert!(runtime.block_on(pager.next()).unwrap().is_none());
}

#[test]
fn pages_may_arrive_in_chunks_of_any_size() {
    let whole = page(&[9, 8, 7], "null");
    let chunks = whole.bytes().fold(MockResponse::head(200, &[]), |response, byte| response.chunk([byte]));
    let runtime = TestRuntime::new([chunks]);
    assert_eq!(read_all(&runtime, &mut withdrawals(&runtime)), [[9, 8, 7]]);
}

#[test]
fn cursor_beyond_the_url_length_limit_is_an_error_and_not_sent() {
    let fitting = "x".repeat(5000 - "hash=&items_count=50".len());
    let next = |hash: &str| format!(r#"{{"hash":"{hash}","items_count":50}}"#);
    let pages = [ok_page(&[3], &next(&fitting)), ok_page(&[2], &next(&format!("x{fitting}"))), last_page(&[1])];
    let runtime = TestRuntime::new(pages);
    let mut pager = withdrawals(&runtime);
    assert_eq!(read(&runtime, &mut pager), Ok(Some(vec![3])));
    assert_eq!(read(&runtime, &mut pager), Ok(Some(vec![2])));
    let error = read(&runtime, &mut pager).unwrap_err();
    assert_eq!(error.code, ErrorCode::Cursor, "{error}");
    let shown = error.url.as_deref().unwrap();
    assert!(shown.starts_with(&format!("{WITHDRAWALS}?hash=xxx")) && shown.ends_with('…'), "{shown}");
    assert_eq!(shown.chars().count(), 201, "{shown}");
    assert!(error.message.contains(shown) && error.message.len() < 300, "{error}");
    assert_eq!(runtime.take_urls().len(), 2);
}
