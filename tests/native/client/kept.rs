//! Answers that are kept for a moment.

use address_query::client::kept::NEVER_KEPT;
use address_query::endpoint::{ACTIONS, BalanceParams, LISTS};

use super::{client_with, first_page, first_page_of, page};
use crate::runtime::{Reply, Script};

fn answer(index: i64) -> Reply {
    Reply::ok(page(&[index], "null"))
}

#[test]
fn nothing_is_kept_unless_told() {
    let script = Script::new([answer(1), answer(2)]);
    let client = client_with(&script, |_| {});
    assert_eq!(script.block_on(first_page(client.clone())), Ok(vec![1]));
    assert_eq!(script.block_on(first_page(client)), Ok(vec![2]));
}

#[test]
fn a_good_answer_is_kept_for_its_time() {
    let script = Script::new([answer(1), answer(9), answer(2)]);
    let client = client_with(&script, |settings| settings.keep_ms = 1000);
    let read = || script.block_on(first_page(client.clone()));
    assert_eq!(read(), Ok(vec![1]));
    script.skip_ms(999);
    assert_eq!(read(), Ok(vec![1]));
    assert_eq!(script.block_on(first_page_of(client.clone(), 7)), Ok(vec![9]));
    script.skip_ms(1);
    assert_eq!(read(), Ok(vec![2]));
}

#[test]
fn a_clock_that_is_set_back_keeps_nothing_longer() {
    let script = Script::new([answer(1), answer(2)]);
    let client = client_with(&script, |settings| settings.keep_ms = 1000);
    script.skip_ms(100_000);
    assert_eq!(script.block_on(first_page(client.clone())), Ok(vec![1]));
    script.set_back();
    assert_eq!(script.block_on(first_page(client)), Ok(vec![2]));
}

#[test]
fn a_failure_is_not_kept() {
    let script = Script::new([Reply::status(403, ""), Reply::ok(r#"{"items":[{}]}"#), answer(1)]);
    let client = client_with(&script, |settings| settings.keep_ms = 1000);
    let read = || script.block_on(first_page(client.clone()));
    read().unwrap_err();
    read().unwrap_err();
    assert_eq!(read(), Ok(vec![1]));
}

#[test]
fn balances_are_never_kept() {
    let body = |wei: u64| Reply::ok(format!(r#"{{"message":"OK","result":"{wei}","status":"1"}}"#));
    let script = Script::new([body(1), body(2)]);
    let client = client_with(&script, |settings| settings.keep_ms = 1000);
    let params = BalanceParams { address: crate::support::HASH_A.parse().unwrap() };
    for wei in ["1", "2"] {
        let answer = script.block_on(client.value(&params)).unwrap();
        assert_eq!(answer.result.unwrap().to_string(), wei);
    }
}

#[test]
fn what_is_never_kept_are_the_operations_that_tell_balances() {
    let is_balance = |name: &str| name.to_ascii_lowercase().contains("balance");
    let lists = LISTS.iter().map(|list| (list.operation.name, list.item));
    let actions = ACTIONS.iter().map(|action| (action.operation.name, action.layout.row));
    let mut telling: Vec<&str> = lists
        .chain(actions)
        .filter(|(name, row)| is_balance(name) || is_balance(row.names))
        .map(|(name, _)| name)
        .collect();
    let mut never = NEVER_KEPT.to_vec();
    telling.sort_unstable();
    never.sort_unstable();
    assert_eq!(telling, never);
}

#[test]
fn room_is_bounded() {
    // Some 40 bytes a row: each answer has more than a megabyte.
    let rows: Vec<i64> = (0..20_000).collect();
    let script = Script::new((0..7).map(|_| Reply::ok(page(&rows, "null"))));
    let client = client_with(&script, |settings| settings.keep_ms = 1000);
    for number in [1, 2, 3, 4, 5, 5, 1, 1] {
        script.block_on(first_page_of(client.clone(), number)).unwrap();
    }
    // The first one had to go, and came again; the others did not.
    assert_eq!(script.take_urls().len(), 6);
}
