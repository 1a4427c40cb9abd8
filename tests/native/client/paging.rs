//! The walk from page to page.

use address_query::error::ErrorCode;

use super::{WITHDRAWALS, client, page, params, read, read_all, withdrawal_frames, withdrawals};
use crate::runtime::{Reply, Script, abandon};

fn cursor(index: i64) -> String {
    format!(r#"{{"index":{index},"items_count":50}}"#)
}

fn url(index: i64) -> String {
    format!("{WITHDRAWALS}?index={index}&items_count=50")
}

#[test]
fn only_the_cursor_says_whether_a_list_goes_on() {
    let script = Script::new([
        Reply::ok(page(&[9, 8, 7], &cursor(7))),
        Reply::ok(page(&[], &cursor(6))),
        Reply::ok(page(&[5], &cursor(5))),
        Reply::ok(page(&[4, 3, 2], "null")),
    ]);
    let mut pager = withdrawals(&script);
    assert_eq!(read_all(&script, &mut pager), [vec![9, 8, 7], vec![], vec![5], vec![4, 3, 2]]);
    assert_eq!(script.take_urls(), [WITHDRAWALS.to_owned(), url(7), url(6), url(5)]);
    assert_eq!(read(&script, &mut pager), Ok(None));
    assert!(script.take_urls().is_empty(), "asked again after the end");
    assert_eq!(pager.resume_token(), None);
}

#[test]
fn null_the_empty_object_and_nothing_end_a_list() {
    let absent = page(&[1], "null").replace(r#","next_page_params":null"#, "");
    assert!(!absent.contains("next_page_params"));
    for last in [page(&[1], "null"), page(&[1], "{}"), absent] {
        let script = Script::new([Reply::ok(&last)]);
        assert_eq!(read_all(&script, &mut withdrawals(&script)), [[1]], "{last}");
    }
}

#[test]
fn a_cursor_that_was_followed_ends_the_walk_with_an_error_and_nothing_is_doubled() {
    let again = |index| Reply::ok(page(&[9, 8], &cursor(index)));
    for (ahead, repeated, last_good) in [(vec![8], 8, 8), (vec![8, 7], 8, 7), (vec![8, 7, 6], 7, 6)] {
        let pages = ahead.iter().map(|&index| Reply::ok(page(&[index], &cursor(index))));
        let script = Script::new(pages.chain([again(repeated)]));
        let mut pager = withdrawals(&script);
        for &index in &ahead {
            assert_eq!(read(&script, &mut pager), Ok(Some(vec![index])));
        }
        let error = read(&script, &mut pager).unwrap_err();
        assert_eq!(error.code, ErrorCode::Cursor, "{error}");
        assert!(error.message.contains("back to a page that was read before"), "{error}");
        assert_eq!(error.url, Some(url(last_good)));

        script.take_urls();
        script.queue([Reply::ok(page(&[1], "null")), Reply::ok(page(&[1], "null"))]);
        let mut resumed = client(&script).pages_after(&params(), error.resume_token.as_deref().unwrap()).unwrap();
        assert_eq!(read_all(&script, &mut resumed), [[1]]);
        assert_eq!(read_all(&script, &mut pager), [[1]], "the pager itself goes on, too");
        assert_eq!(script.take_urls(), [url(last_good), url(last_good)]);
    }
}

/// Services up to 8 count all records that a list has given so far.
fn counted(index: i64, count: u32) -> String {
    format!(r#"{{"index":{index},"items_count":{count}}}"#)
}

#[test]
fn stops_where_a_service_ignores_the_cursor_and_only_raises_items_count() {
    let count = std::cell::Cell::new(0);
    let script = Script::of(move |_| {
        count.set(count.get() + 50);
        Reply::ok(page(&[9, 8], &counted(8, count.get())))
    });
    let mut pager = withdrawals(&script);
    assert_eq!(read(&script, &mut pager), Ok(Some(vec![9, 8])));
    assert_eq!(read(&script, &mut pager).unwrap_err().code, ErrorCode::Cursor);
    assert_eq!(script.take_urls(), [WITHDRAWALS.to_owned(), url(8)]);
}

#[test]
fn follows_a_cursor_that_moves_on_whatever_items_count_says() {
    for count in [|_| 50, |page: u32| 50 * page] {
        let pages = (1..=4).map(|page| (9 - i64::from(page), count(page)));
        let replies = pages.map(|(index, count)| Reply::ok(page(&[index], &counted(index, count))));
        let script = Script::new(replies.chain([Reply::ok(page(&[4], "null"))]));
        assert_eq!(read_all(&script, &mut withdrawals(&script)).concat(), [8, 7, 6, 5, 4]);
    }
}

#[test]
fn follows_a_cursor_that_is_nothing_but_items_count() {
    let only = |count: u32| format!(r#"{{"items_count":{count}}}"#);
    let script = Script::new([
        Reply::ok(page(&[3], &only(50))),
        Reply::ok(page(&[2], &only(100))),
        Reply::ok(page(&[1], &only(100))),
    ]);
    let mut pager = withdrawals(&script);
    assert_eq!(read(&script, &mut pager), Ok(Some(vec![3])));
    assert_eq!(read(&script, &mut pager), Ok(Some(vec![2])));
    assert_eq!(read(&script, &mut pager).unwrap_err().code, ErrorCode::Cursor, "the same again");
}

#[test]
fn a_resumed_walk_notices_a_circle_back_to_where_it_began() {
    let script = Script::new([Reply::ok(page(&[9], &cursor(9)))]);
    let mut pager = withdrawals(&script);
    read(&script, &mut pager).unwrap();
    let token = pager.resume_token().unwrap();
    script.queue([Reply::ok(page(&[8], &cursor(9)))]);
    let mut resumed = client(&script).pages_after(&params(), &token).unwrap();
    assert_eq!(read(&script, &mut resumed).unwrap_err().code, ErrorCode::Cursor);
}

#[test]
fn a_hundred_empty_pages_in_a_row_are_an_error_that_can_be_resumed() {
    let script = Script::new((0..100).map(|index| Reply::ok(page(&[], &cursor(index)))));
    let mut pager = withdrawals(&script);
    for _ in 0..99 {
        assert_eq!(read(&script, &mut pager), Ok(Some(vec![])));
    }
    let error = read(&script, &mut pager).unwrap_err();
    assert_eq!(error.code, ErrorCode::Cursor);
    assert_eq!(error.message, "100 pages in a row were empty; the resume token continues behind them");

    script.take_urls();
    script.queue([Reply::ok(page(&[5], "null")), Reply::ok(page(&[5], "null"))]);
    let mut resumed = client(&script).pages_after(&params(), error.resume_token.as_deref().unwrap()).unwrap();
    assert_eq!(read_all(&script, &mut resumed), [[5]]);
    assert_eq!(read_all(&script, &mut pager), [[5]]);
    assert_eq!(script.take_urls(), [url(99), url(99)]);
}

#[test]
fn a_row_between_empty_pages_starts_the_count_anew() {
    let script =
        Script::new((0..199).map(|index| Reply::ok(page(if index == 99 { &[1] } else { &[] }, &cursor(index)))));
    script.queue([Reply::ok(page(&[], "null"))]);
    assert_eq!(read_all(&script, &mut withdrawals(&script)).len(), 200);
}

#[test]
fn a_page_whose_cursor_cannot_be_read_is_given_and_the_error_follows() {
    let bad = |index| Reply::ok(page(&[index], r#"{"index":[1]}"#));
    for first in [None, Some(9)] {
        let script = Script::new(first.map(|index| Reply::ok(page(&[index], &cursor(index)))));
        let mut pager = withdrawals(&script);
        let asked = first.map_or_else(|| WITHDRAWALS.to_owned(), url);
        if let Some(index) = first {
            assert_eq!(read(&script, &mut pager), Ok(Some(vec![index])));
        }
        script.queue([bad(8)]);
        assert_eq!(read(&script, &mut pager), Ok(Some(vec![8])));
        let token = pager.resume_token();
        assert!(token.is_some(), "this is not the end of the list");
        script.take_urls();

        let error = read(&script, &mut pager).unwrap_err();
        assert_eq!((error.code, error.path.as_deref()), (ErrorCode::Cursor, Some("next_page_params.index")), "{error}");
        assert_eq!((&error.resume_token, error.url.as_ref()), (&token, Some(&asked)));
        assert!(script.take_urls().is_empty());

        // Whoever goes on asks for the page again, whose records are not given twice.
        let mut resumed = client(&script).pages_after(&params(), token.as_deref().unwrap()).unwrap();
        for pager in [&mut pager, &mut resumed] {
            assert_eq!(pager.resume_token(), token);
            script.queue([bad(8)]);
            let error = read(&script, pager).unwrap_err();
            assert_eq!((error.code, &error.resume_token), (ErrorCode::Cursor, &token));
            script.queue([Reply::ok(page(&[8], &cursor(8))), Reply::ok(page(&[7], "null"))]);
            assert_eq!(read_all(&script, pager), [[7]]);
            assert_eq!(script.take_urls(), [asked.clone(), asked.clone(), url(8)]);
        }
    }
}

#[test]
fn frames_of_a_page_whose_cursor_cannot_be_read_are_given_too() {
    let script = Script::new([Reply::ok(page(&[9, 8], "[]"))]);
    let mut pager = withdrawal_frames(&script);
    assert_eq!(script.block_on(pager.next()).unwrap().unwrap().rows.len(), 2);
    assert_eq!(script.block_on(pager.next()).unwrap_err().code, ErrorCode::Cursor);
}

#[test]
fn the_page_before_an_unreadable_cursor_may_turn_out_to_be_the_last() {
    let script = Script::new([Reply::ok(page(&[9], "7")), Reply::ok(page(&[9], "null"))]);
    let mut pager = withdrawals(&script);
    assert_eq!(read(&script, &mut pager), Ok(Some(vec![9])));
    assert_eq!(read(&script, &mut pager).unwrap_err().code, ErrorCode::Cursor);
    assert_eq!(read(&script, &mut pager), Ok(None));
    assert_eq!(pager.resume_token(), None);
}

#[test]
fn after_an_error_the_same_page_can_be_asked_for_again() {
    let script = Script::new([Reply::status(500, ""), Reply::ok(page(&[9], &cursor(9)))]);
    let mut pager = withdrawals(&script);
    let error = read(&script, &mut pager).unwrap_err();
    assert_eq!(
        (error.code, &error.resume_token),
        (ErrorCode::HttpStatus, &None),
        "nothing was read, nothing to resume"
    );
    assert_eq!(read(&script, &mut pager), Ok(Some(vec![9])));

    let token = pager.resume_token();
    script.queue([
        Reply::status(503, ""),
        Reply::default().lost("reset"),
        Reply::ok("{\"items\":[{\"index\":8"),
        Reply::ok(page(&[8], "null")),
    ]);
    for code in [ErrorCode::HttpStatus, ErrorCode::Network, ErrorCode::Decode] {
        let error = read(&script, &mut pager).unwrap_err();
        assert_eq!((error.code, &error.resume_token), (code, &token));
    }
    assert_eq!(read_all(&script, &mut pager), [[8]]);
    assert_eq!(script.take_urls(), [WITHDRAWALS.to_owned(), WITHDRAWALS.to_owned(), url(9), url(9), url(9), url(9)]);
}

#[test]
fn dropping_the_future_ends_the_request_and_leaves_the_pager_where_it_was() {
    let script = Script::new([
        Reply::ok(page(&[9], &cursor(9))),
        Reply::default().stall(),
        Reply::head(200, &[]).chunk(r#"{"items":[{"index":77,"validator_index":7,"#).stall(),
        Reply::ok(page(&[8], "null")),
    ]);
    let mut pager = withdrawals(&script);
    read(&script, &mut pager).unwrap();
    let token = pager.resume_token();
    for _ in 0..2 {
        abandon(pager.next());
        assert_eq!(script.open_requests(), 0);
        assert_eq!(pager.resume_token(), token);
    }
    assert_eq!(read_all(&script, &mut pager), [[8]], "without what the abandoned page had begun");
    assert_eq!(script.take_urls(), [WITHDRAWALS.to_owned(), url(9), url(9), url(9)]);
}

#[test]
fn dropping_the_future_leaves_frames_where_they_were() {
    let script = Script::new([
        Reply::head(200, &[]).chunk(&page(&[77, 76], "null")[..70]).stall(),
        Reply::ok(page(&[8], "null")),
    ]);
    let mut pager = withdrawal_frames(&script);
    abandon(pager.next());
    assert_eq!(script.block_on(pager.next()).unwrap().unwrap().rows.len(), 1);
    assert!(script.block_on(pager.next()).unwrap().is_none());
}

#[test]
fn pages_arrive_in_any_pieces() {
    let whole = page(&[9, 8, 7], "null");
    let pieces = whole.bytes().fold(Reply::head(200, &[]), |reply, byte| reply.chunk([byte]));
    let script = Script::new([pieces]);
    assert_eq!(read_all(&script, &mut withdrawals(&script)), [[9, 8, 7]]);
}

#[test]
fn a_cursor_over_the_length_limit_of_urls_is_an_error_and_is_not_sent() {
    let fitting = "x".repeat(5000 - "hash=".len());
    let fits = format!(r#"{{"hash":"{fitting}"}}"#);
    let too_long = format!(r#"{{"hash":"x{fitting}"}}"#);
    let script =
        Script::new([Reply::ok(page(&[3], &fits)), Reply::ok(page(&[2], &too_long)), Reply::ok(page(&[1], "null"))]);
    let mut pager = withdrawals(&script);
    assert_eq!(read(&script, &mut pager), Ok(Some(vec![3])));
    assert_eq!(read(&script, &mut pager), Ok(Some(vec![2])));
    let error = read(&script, &mut pager).unwrap_err();
    assert_eq!(error.code, ErrorCode::Cursor, "{error}");
    let shown = error.url.as_deref().unwrap();
    assert!(
        shown.starts_with(&format!("{WITHDRAWALS}?hash=xxx")) && shown.ends_with('…') && shown.chars().count() == 201,
        "{shown}"
    );
    assert!(error.message.contains(shown) && error.message.len() < 300, "{error}");
    assert_eq!(script.take_urls().len(), 2);
}
