//! Whose turn it is, and when.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use address_query::client::{Client, Pace, PaceLimits, Patience};
use address_query::error::ErrorCode;

use super::{client_with, first_page_of, page, params, patient};
use crate::runtime::{Reply, Script, Together};

fn answer() -> Reply {
    Reply::ok(page(&[1], "null"))
}

fn paced(script: &Script, max_per_second: Option<f64>, max_concurrent: u32) -> Client<Script> {
    client_with(script, |settings| settings.limits = PaceLimits { max_per_second, max_concurrent })
}

/// Asks for so many pages at once; when each request was sent.
fn sent_at(script: &Script, client: &Client<Script>, calls: u64) -> Vec<u64> {
    let mut together = Together::default();
    (0..calls).for_each(|number| together.begin(first_page_of(client.clone(), number)));
    for outcome in script.block_on(together.finish()) {
        outcome.unwrap();
    }
    script.take_sent_at()
}

#[test]
fn no_second_has_more_requests_than_allowed() {
    let script = Script::new((0..12).map(|_| answer()));
    let sent = sent_at(&script, &paced(&script, Some(5.0), 100), 12);
    assert_eq!(sent, [0, 0, 0, 0, 0, 1050, 1050, 1050, 1050, 1050, 2100, 2100]);
    let script = Script::new((0..3).map(|_| answer()));
    assert_eq!(sent_at(&script, &paced(&script, Some(0.5), 100), 3), [0, 2050, 4100]);
}

#[test]
fn so_many_are_under_way_at_once() {
    let slow = || Reply::default().wait(100).then_head(200, &[]).wait(100).chunk(page(&[1], "null"));
    let script = Script::new((0..5).map(|_| slow()));
    assert_eq!(sent_at(&script, &paced(&script, None, 2), 5), [0, 0, 200, 200, 400]);
}

#[test]
fn what_the_service_has_left_is_not_overdrawn() {
    let told = |remaining| {
        let headers =
            [("x-ratelimit-limit", "300"), ("x-ratelimit-remaining", remaining), ("x-ratelimit-reset", "9000")];
        Reply::default().then_head(200, &headers).chunk(page(&[1], "null"))
    };
    let script = Script::new([told("2"), answer(), answer(), answer(), answer()]);
    assert_eq!(sent_at(&script, &paced(&script, None, 1), 5), [0, 0, 0, 9000, 9000]);
    // -1: nothing is limited.
    let headers = [("x-ratelimit-limit", "-1"), ("x-ratelimit-remaining", "-1"), ("x-ratelimit-reset", "-1")];
    let unlimited = Reply::head(200, &headers).chunk(page(&[1], "null"));
    let script = Script::new([unlimited, answer(), answer()]);
    assert_eq!(sent_at(&script, &paced(&script, None, 1), 3), [0, 0, 0]);
    // A window of hours is none of the service's.
    let headers = [("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "7200000")];
    let script = Script::new([Reply::head(200, &headers).chunk(page(&[1], "null")), answer()]);
    assert_eq!(sent_at(&script, &paced(&script, None, 1), 2), [0, 60_000]);
}

#[test]
fn a_complaint_holds_everybody_and_halves_the_pace() {
    let complaint = Reply::head(429, &[("retry-after", "4")]);
    let mut replies = vec![answer(), answer(), answer(), complaint];
    replies.extend((0..8).map(|_| answer()));
    let script = Script::new(replies);
    // Four in the first second, so two in a second from then on; and one more for each second of answers.
    let sent = sent_at(&script, &paced(&script, None, 1), 11);
    assert_eq!(sent[..4], [0, 0, 0, 0]);
    assert!(sent[4..].iter().all(|at| *at >= 4000), "{sent:?}");
    assert_eq!(sent[4..6], [4000, 4000], "{sent:?}");
    let gaps: Vec<u64> = sent[5..].windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(gaps.iter().all(|gap| *gap <= 1050) && gaps.contains(&0), "{gaps:?}");
    assert!(sent[11] < 4000 + 4 * 1050, "the pace recovers: {sent:?}");
}

#[test]
fn complaints_to_requests_that_were_sent_together_count_once() {
    let mut replies: Vec<Reply> =
        (0..4).map(|_| Reply::default().wait(10).then_head(429, &[("retry-after", "1")])).collect();
    replies.extend((0..4).map(|_| answer()));
    let script = Script::new(replies);
    // Four at once, halved once: two in a second.
    let sent = sent_at(&script, &paced(&script, None, 4), 4);
    assert_eq!(sent[..6], [0, 0, 0, 0, 1050, 1050]);
    assert!(sent[6..].iter().all(|at| *at < 2100), "{sent:?}");
}

#[test]
fn a_single_call_is_not_kept_behind_a_long_iteration() {
    let script = Script::new((1..=20).map(|index| Reply::ok(page(&[index], &format!(r#"{{"index":{index}}}"#)))));
    let client = paced(&script, Some(1.0), 1);
    let mut pager = client.pages(&params()).unwrap();
    let mut together = Together::default();
    together.begin(async {
        for _ in 0..10 {
            pager.next().await.unwrap();
        }
    });
    let call = client.clone();
    together.begin(async move { drop(first_page_of(call, 7).await.unwrap()) });
    script.block_on(together.finish());
    let urls = script.take_urls();
    let place = urls.iter().position(|url| url.contains("0x0000000000000000000000000000000000000007"));
    // The second page was waiting before the call came.
    assert_eq!((place, urls.len()), (Some(2), 11));
}

#[test]
fn clients_can_share_a_pace() {
    let script = Script::new((0..4).map(|_| answer()));
    let limits = PaceLimits { max_per_second: Some(2.0), max_concurrent: 9 };
    let pace = Rc::new(Pace::new(limits));
    let client = || client_with(&script, |settings| settings.pace = Some(Rc::clone(&pace)));
    let mut together = Together::default();
    (0..4).for_each(|number| together.begin(first_page_of(client(), number)));
    script.block_on(together.finish());
    assert_eq!(script.take_sent_at(), [0, 0, 1050, 1050]);
}

#[test]
fn whoever_leaves_the_line_lets_the_next_one_come_forward() {
    let script = Script::new([answer().wait(300), answer(), answer()]);
    let client = paced(&script, None, 1);
    let mut together = Together::default();
    (0..3).for_each(|number| together.begin(first_page_of(client.clone(), number)));
    script.block_on(async {
        together.go_on(&script, 0).await;
        together.drop_one(1);
        assert_eq!(together.finish().await.len(), 2);
    });
    let urls = script.take_urls();
    assert!(urls.len() == 2 && urls[1].contains("0x0000000000000000000000000000000000000002"), "{urls:?}");
}

#[test]
fn the_deadline_covers_the_line() {
    let script = Script::new([answer().wait(60_000), answer()]);
    let client = paced(&script, None, 1);
    let hasty = client.clone().with_patience(Patience { deadline_ms: 500, ..Patience::default() });
    let mut together = Together::default();
    together.begin(first_page_of(client.with_patience(Patience { timeout_ms: 90_000, ..Patience::default() }), 1));
    together.begin(first_page_of(hasty, 2));
    let outcomes = script.block_on(together.finish());
    let error = outcomes[1].as_ref().unwrap_err();
    assert_eq!((error.code, error.attempts), (ErrorCode::Timeout, Some(1)));
    assert!(error.message.contains("deadlineMs"), "{error}");
    assert_eq!(script.take_urls().len(), 1);
}

#[test]
fn a_hold_beyond_the_deadline_is_told_at_once() {
    let headers = [("x-ratelimit-remaining", "0"), ("x-ratelimit-reset", "45000")];
    let script = Script::new([Reply::head(200, &headers).chunk(page(&[1], "null"))]);
    let client = patient(&script).with_patience(Patience { deadline_ms: 30_000, ..Patience::default() });
    script.block_on(first_page_of(client.clone(), 1)).unwrap();
    let error = script.block_on(first_page_of(client, 1)).unwrap_err();
    assert_eq!((error.code, error.retry_after_ms, script.elapsed_ms()), (ErrorCode::RateLimited, Some(45_000), 0));
    assert_eq!((error.attempts, script.take_urls().len()), (Some(0), 1));
}

#[test]
fn a_complaint_with_a_good_status_slows_everybody_down_too() {
    let complaint = || Reply::ok(r#"{"message":"Too many requests"}"#);
    let script = Script::new([complaint(), complaint(), answer()]);
    script.set_chances([0.5; 9]);
    script.block_on(first_page_of(paced(&script, None, 6), 1)).unwrap();
    let sent = script.take_sent_at();
    assert!(sent[1] >= 250 && sent[2] >= sent[1] + 500, "{sent:?}");
}

#[test]
fn a_clock_that_is_set_back_holds_nobody() {
    let script = Script::new((0..4).map(|_| answer()));
    let client = paced(&script, Some(1.0), 1);
    script.skip_ms(100_000);
    script.block_on(first_page_of(client.clone(), 1)).unwrap();
    script.set_back();
    script.block_on(first_page_of(client.clone(), 2)).unwrap();
    script.block_on(first_page_of(client, 3)).unwrap();
    assert_eq!(script.take_sent_at(), [100_000, 0, 1050]);
}

/// A service that takes five requests in a second, counted by its own clock, and complains about more: with what it says of
/// its limits, or without a word. `cargo test five_in_a_second -- --nocapture` shows when what was sent.
#[test]
fn a_service_that_takes_five_in_a_second_hears_few_complaints() {
    for (told, most_complaints, longest_ms) in [(true, 6, 8_000), (false, 20, 30_000)] {
        let (network, taken, complaints) =
            (Rc::new(OnceCell::<Script>::new()), Cell::new((0, 0)), Rc::new(Cell::new(0)));
        let (clock, counted) = (Rc::clone(&network), Rc::clone(&complaints));
        let script = Script::of(move |_| {
            let now = clock.get().unwrap().elapsed_ms();
            let second = now / 1000;
            let (window, count) = taken.get();
            let count = if window == second { count + 1 } else { 1 };
            taken.set((second, count));
            let (left, reset) = (5_u64.saturating_sub(count).to_string(), (1000 - now % 1000).to_string());
            let headers =
                [("x-ratelimit-limit", "5"), ("x-ratelimit-remaining", &*left), ("x-ratelimit-reset", &*reset)];
            let headers = if told { &headers[..] } else { &[] };
            if count > 5 {
                counted.set(counted.get() + 1);
                return Reply::default().wait(30).then_head(429, headers);
            }
            Reply::default().wait(30).then_head(200, headers).chunk(page(&[1], "null"))
        });
        network.set(script.clone()).unwrap();
        let client = paced(&script, None, 6).with_patience(Patience { max_attempts: 20, ..Patience::default() });
        let mut together = Together::default();
        (0..30).for_each(|number| together.begin(first_page_of(client.clone(), number)));
        assert!(script.block_on(together.finish()).iter().all(Result::is_ok));
        println!("limits told: {told}; complaints: {}; sent at {:?}", complaints.get(), script.take_sent_at());
        assert!(complaints.get() <= most_complaints, "{}", complaints.get());
        assert!(script.elapsed_ms() <= longest_ms, "{} ms", script.elapsed_ms());
    }
}
