//! Identical requests share one fetch.

use address_query::client::Patience;

use super::{first_page, first_page_of, page, patient};
use crate::runtime::{Reply, Script, Together};

/// An answer in pieces, with pauses between all of them.
fn slow() -> Reply {
    let body = page(&[1, 2], "null");
    let (beginning, end) = body.split_at(40);
    Reply::default().wait(100).then_head(200, &[]).wait(100).chunk(beginning).wait(100).chunk(end)
}

#[test]
fn equal_requests_under_way_are_one() {
    let script = Script::new([slow()]);
    let client = patient(&script);
    let mut together = Together::default();
    (0..3).for_each(|_| together.begin(first_page(client.clone())));
    assert_eq!(script.block_on(together.finish()), [Ok(vec![1, 2]), Ok(vec![1, 2]), Ok(vec![1, 2])]);
    assert_eq!((script.take_urls().len(), script.open_requests()), (1, 0));
}

#[test]
fn other_requests_are_not() {
    let script = Script::new([slow(), slow()]);
    let client = patient(&script);
    let mut together = Together::default();
    together.begin(first_page_of(client.clone(), 1));
    together.begin(first_page_of(client.clone(), 2));
    script.block_on(together.finish());
    assert_eq!(script.take_urls().len(), 2);
}

#[test]
fn an_answer_that_has_begun_is_not_joined() {
    let script = Script::new([slow(), slow()]);
    let client = patient(&script);
    let mut together = Together::default();
    together.begin(first_page(client.clone()));
    together.begin(async {
        address_query::client::Runtime::sleep(&script, 150).await;
        first_page(client.clone()).await
    });
    assert_eq!(script.block_on(together.finish()), [Ok(vec![1, 2]), Ok(vec![1, 2])]);
    assert_eq!(script.take_urls().len(), 2);
}

#[test]
fn one_who_leaves_does_not_end_it_for_the_others() {
    // Whoever drives the work may be the one who leaves, at any of its steps.
    for leaves_at in [0, 50, 150, 250] {
        for leaver in 0..3 {
            let script = Script::new([slow()]);
            let client = patient(&script);
            let mut together = Together::default();
            (0..3).for_each(|_| together.begin(first_page(client.clone())));
            let left = script.block_on(async {
                together.go_on(&script, leaves_at).await;
                together.drop_one(leaver);
                together.finish().await
            });
            assert_eq!(left, [Ok(vec![1, 2]), Ok(vec![1, 2])], "{leaver} at {leaves_at}");
            assert_eq!((script.take_urls().len(), script.open_requests()), (1, 0));
        }
    }
}

#[test]
fn when_all_leave_the_request_ends() {
    let script = Script::new([slow()]);
    let client = patient(&script);
    let mut together = Together::default();
    (0..2).for_each(|_| together.begin(first_page(client.clone())));
    script.block_on(async {
        together.go_on(&script, 0).await;
        assert_eq!(script.open_requests(), 1);
        together.drop_one(0);
        assert_eq!(script.open_requests(), 1);
        together.drop_one(1);
        assert_eq!(script.open_requests(), 0);
    });
}

#[test]
fn each_has_patience_of_its_own() {
    let script = Script::new([slow()]);
    let client = patient(&script);
    let hasty = client.clone().with_patience(Patience { timeout_ms: 150, max_attempts: 1, ..Patience::default() });
    let mut together = Together::default();
    together.begin(first_page(hasty));
    together.begin(first_page(client));
    let outcomes = script.block_on(together.finish());
    assert_eq!(outcomes[0].as_ref().unwrap_err().code, address_query::error::ErrorCode::Timeout);
    assert_eq!(outcomes[1], Ok(vec![1, 2]));
    assert_eq!(script.take_urls().len(), 1);
}

#[test]
fn a_failure_is_everybody_s_and_so_is_the_next_attempt() {
    let script = Script::new([Reply::default().wait(10).lost("reset"), slow()]);
    let client = patient(&script);
    let mut together = Together::default();
    (0..2).for_each(|_| together.begin(first_page(client.clone())));
    assert_eq!(script.block_on(together.finish()), [Ok(vec![1, 2]), Ok(vec![1, 2])]);
    assert_eq!(script.take_urls().len(), 2);
}
