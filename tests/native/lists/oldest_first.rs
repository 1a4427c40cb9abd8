//! Lists that are read oldest first, in virtual time: they have the items of the list in reverse, even if requests fail.

use std::ops::RangeInclusive;
use std::rc::Rc;

use address_query::client::{Client, Runtime};
use address_query::endpoint::{AddressNftParams, AddressWithdrawalsParams};
use address_query::error::ErrorCode;
use address_query::testing::client::{MethodCall, PART_PAGES};
use address_query::testing::endpoint::ParamValue;

use super::{
    ListCall, Outcome, REPEATED_KEYS, SORTED_BY_BLOCK, Setup, logs_of_one_item_per_block, mark_some, params,
    random_service,
};
use crate::client::named_values;
use crate::range::random_histories::run_cases;
use crate::range::rng::Rng;
use crate::service::{LOGS, Mark, PENDING, Row, Script, Service, WITHDRAWALS};
use crate::support::HASH_A;
use crate::test_runtime::MockResponse;

const ALL: RangeInclusive<u64> = 0..=u64::MAX;

fn options(blocks: &RangeInclusive<u64>) -> Vec<(&'static str, ParamValue)> {
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    let number = |block: u64| ParamValue::Number(block as f64);
    let mut options = vec![("order", ParamValue::String("asc".into())), ("fromBlock", number(*blocks.start()))];
    if *blocks.end() < u64::MAX {
        options.push(("toBlock", number(*blocks.end())));
    }
    options
}

fn open(setup: &Setup, blocks: &RangeInclusive<u64>, resume: Option<&str>) -> ListCall {
    setup.open_with(&options(blocks), resume)
}

/// Reads the blocks to their end. With a chance of `resume_percent` after each page or error, a new call continues from the token.
fn read(setup: &Setup, blocks: &RangeInclusive<u64>, rng: &mut Rng, resume_percent: u64) -> Outcome {
    let mut outcome = Outcome::default();
    let mut token = None;
    let mut call = open(setup, blocks, None);
    loop {
        match setup.runtime.block_on(call.next()) {
            Ok(None) => return outcome,
            Ok(Some(page)) => {
                assert_eq!(page.next, None);
                outcome.add(setup.service.method(), &page);
                token = call.resume_token();
                if token.is_none() {
                    assert!(setup.runtime.block_on(call.next()).unwrap().is_none());
                    return outcome;
                }
            }
            Err(error) => {
                outcome.errors.push(error.code);
                token = error.resume_token.clone().or(token);
            }
        }
        if rng.chance(resume_percent) {
            call = open(setup, blocks, token.as_deref());
        }
    }
}

/// Creates a service with a list of up to 200 pages. Some blocks are longer than a page.
fn long_list(
    rng: &mut Rng,
    seed: u64,
    change: impl FnOnce(&mut Rng, &mut Vec<Row>, &mut Script),
) -> (Rc<Service>, RangeInclusive<u64>) {
    let service = random_service(rng, seed, &SORTED_BY_BLOCK, (1, 4, 8), change);
    let blocks = service.edit(|list| random_blocks(rng, &list.rows));
    (service, blocks)
}

/// Bounds at, before or after the blocks of the items.
fn random_blocks(rng: &mut Rng, rows: &[Row]) -> RangeInclusive<u64> {
    let newest = rows.iter().rev().find(|row| row.block != PENDING).map_or(0, |row| row.block);
    let from = if rng.chance(50) { rng.between(0, newest) } else { 0 };
    from..=if rng.chance(50) { rng.between(from, newest + 2) } else { u64::MAX }
}

/// The served items in these blocks, oldest first. Pending ones are newer than all blocks.
fn select(service: &Service, blocks: &RangeInclusive<u64>) -> Vec<Row> {
    let is_in = |row: &&Row| row.mark == Mark::None && blocks.contains(&row.block);
    service.edit(|list| list.rows.iter().filter(is_in).copied().collect())
}

fn compare(suite: u64, count: u64, change: impl Fn(&mut Rng, &mut Vec<Row>, &mut Script), resume_percent: u64) {
    run_cases(suite, count, |rng, seed| {
        let (service, blocks) = long_list(rng, seed, |rng, rows, script| {
            script.version = if rng.chance(30) { 12 } else { 11 };
            change(rng, rows, script);
        });
        let outcome = read(&Setup::new(service.clone(), |_| 1), &blocks, rng, resume_percent);
        assert_eq!(outcome.items, select(&service, &blocks));
        if resume_percent == 0 {
            let is_bad = |row: &&Row| row.mark == Mark::Bad && blocks.contains(&row.block);
            assert_eq!(outcome.bad.len(), service.edit(|list| list.rows.iter().filter(is_bad).count()));
        }
    });
}

#[test]
fn oldest_first_the_items_are_those_of_the_list_in_reverse() {
    compare(60, 80, |_, _, _| {}, 0);
}

#[test]
fn interrupted_and_resumed_anywhere_a_list_oldest_first_is_the_same() {
    compare(61, 80, |rng, _, script| script.fail = rng.between(0, 1) * rng.between(1, 10), 10);
}

#[test]
fn hidden_items_and_keys_that_are_sent_twice_change_no_order() {
    let change = |rng: &mut Rng, rows: &mut Vec<Row>, script: &mut Script| {
        mark_some(rows, rng, (10, 90), Mark::Hidden);
        (script.fail, script.faults) = (rng.pick(&[0, 100]), REPEATED_KEYS);
    };
    compare(62, 50, change, 5);
}

#[test]
fn a_list_oldest_first_reports_bad_records_once() {
    // A bad item without a block could be of any block.
    let mark = |rng: &mut Rng, rows: &mut Vec<Row>, _: &mut Script| {
        rows.retain(|row| row.block != PENDING);
        mark_some(rows, rng, (1, 30), Mark::Bad);
    };
    compare(63, 80, mark, 0);
}

#[test]
fn a_list_that_grows_between_the_pages_loses_and_repeats_nothing() {
    run_cases(64, 40, |rng, seed| {
        let (service, blocks) = long_list(rng, seed, |rng, rows, script| {
            rows.retain(|row| row.block != PENDING);
            (script.grow, script.fail) = (10, rng.pick(&[0, 1]));
        });
        let expected = select(&service, &blocks);
        let found = read(&Setup::new(service.clone(), |_| 1), &blocks, rng, 2).items;
        assert!(found.starts_with(&expected), "{found:?} has lost items of {expected:?}");
        // What follows was added, and everything that was added before it.
        let all = select(&service, &blocks);
        assert!(all.starts_with(&found), "{found:?} is not the beginning of {all:?}");
    });
}

#[test]
fn only_the_pages_before_the_two_oldest_parts_are_read_twice() {
    let pages = 5 * PART_PAGES;
    let setup = Setup::new(logs_of_one_item_per_block(50 * pages as u64), |_| 1);
    let outcome = read(&setup, &ALL, &mut Rng::new(1), 0);
    assert_eq!(outcome.items.len(), 50 * pages);
    // Each part that is read again ends with the page after it.
    assert_eq!(setup.runtime.take_urls().len(), pages + 3 * PART_PAGES + 3);
}

#[test]
fn nothing_is_read_below_the_first_block_and_nothing_twice_above_the_last() {
    let setup = Setup::new(logs_of_one_item_per_block(50 * 300), |_| 1);
    let outcome = read(&setup, &(5_001..=10_000), &mut Rng::new(1), 0);
    assert_eq!(
        (outcome.items.len(), outcome.items[0], outcome.items[4_999]),
        (5_000, Row::new(5_001, 0), Row::new(10_000, 0))
    );
    // The page after the first block shows that nothing is missing.
    assert_eq!(setup.runtime.take_urls().len(), 10_000 / 50 + 1);
}

#[test]
fn after_a_failure_no_page_is_read_again() {
    let service = logs_of_one_item_per_block(50 * 90);
    let handler = service.clone();
    let mut requests = 0;
    let setup = Setup::with_handler(service, move |url| {
        requests += 1;
        if requests % 3 == 0 { MockResponse::status(500, "no") } else { handler.respond(url, 1) }
    });
    let outcome = read(&setup, &ALL, &mut Rng::new(1), 0);
    assert_eq!((outcome.items.len(), outcome.errors.len()), (50 * 90, 44));
    assert_eq!(setup.runtime.take_urls().len(), 90 + 44);
}

#[test]
fn an_empty_list_has_one_page_oldest_first() {
    for blocks in [ALL, 7..=9] {
        for items in [Vec::new(), vec![Row::new(3, 0)], vec![Row::new(12, 0)]] {
            let is_empty = items.is_empty() || blocks != ALL;
            let setup = Setup::new(Service::new([(LOGS, items)], Script::NORMAL, 1), |_| 1);
            let mut call = open(&setup, &blocks, None);
            let page = setup.runtime.block_on(call.next()).unwrap().unwrap();
            assert_eq!((page.rows.is_empty(), call.resume_token()), (is_empty, None));
            assert!(setup.runtime.block_on(call.next()).unwrap().is_none());
        }
    }
}

#[test]
fn records_out_of_order_fail_oldest_first() {
    let items = [7, 5, 8, 9].map(|block| Row::new(block, 0)).to_vec();
    let setup = Setup::new(Service::new([(LOGS, items)], Script::with_page_size(4), 1), |_| 1);
    let mut call = open(&setup, &ALL, None);
    for _ in 0..2 {
        let error = setup.runtime.block_on(call.next()).unwrap_err();
        assert_eq!((error.code, error.is_retryable()), (ErrorCode::Cursor, false));
    }
}

/// The parameter that is refused by a call of the method with these options and more parameters.
fn refused(setup: &Setup, method: &str, options: &[(&str, ParamValue)], more: &[(&str, ParamValue)]) -> Option<String> {
    let params = [params(), named_values(more)].concat();
    let call = MethodCall::new(&setup.client, method, &params, &named_values(options), false);
    call.err().map(|error| error.parameter.clone().unwrap())
}

#[test]
fn a_token_belongs_to_its_order_and_its_last_block() {
    let setup = Setup::new(logs_of_one_item_per_block(200), |_| 1);
    let token = |mut call: ListCall| {
        setup.runtime.block_on(call.next()).unwrap();
        call.resume_token().unwrap()
    };
    let (newest_first, oldest_first) = (token(setup.open(1, None)), token(open(&setup, &(20..=180), None)));
    for (options, token, is_refused) in [
        (options(&(20..=180)), &oldest_first, false),
        // A higher first block is within what is left.
        (options(&(90..=180)), &oldest_first, false),
        (options(&(20..=181)), &oldest_first, true),
        (options(&ALL), &oldest_first, true),
        (options(&ALL), &newest_first, true),
        (vec![], &oldest_first, true),
        (vec![], &newest_first, false),
    ] {
        let resumed = [&options[..], &[("resume", ParamValue::String(token.clone()))]].concat();
        let expected = Some("resume".to_owned()).filter(|_| is_refused);
        assert_eq!(refused(&setup, "addressLogs", &resumed, &[]), expected, "{token} {options:?}");
    }
}

#[test]
fn only_lists_that_are_sorted_by_block_are_read_oldest_first() {
    let setup = Setup::new(logs_of_one_item_per_block(1), |_| 1);
    let sort = |key: &str| vec![("sort", ParamValue::String(key.into()))];
    for (method, options, more, parameter) in [
        ("addressNft", options(&ALL), vec![], Some("order")),
        ("addressTransactions", options(&ALL), sort("value"), Some("order")),
        ("addressTransactions", options(&ALL), sort("block_number"), None),
        ("addressCoinBalanceHistory", options(&ALL), vec![], None),
        ("addressLogs", options(&RangeInclusive::new(5, 4)), vec![], Some("from_block")),
        // Blocks have no effect newest first.
        ("addressLogs", options(&(5..=9)).split_off(1), vec![], Some("from_block")),
        ("addressLogs", options(&(5..=9)).split_off(2), vec![], Some("to_block")),
    ] {
        assert_eq!(refused(&setup, method, &options, &more).as_deref(), parameter, "{method} {options:?}");
    }
}

#[test]
fn structs_and_tokens_of_pages_are_those_of_the_reader() {
    async fn read(client: &Client<impl Runtime>) -> Vec<u64> {
        let params = AddressWithdrawalsParams::new(HASH_A.parse().unwrap());
        let mut token: Option<String> = None;
        let mut blocks = Vec::new();
        loop {
            let mut pages = client.pages_oldest_first(&params, 3..=150, token.as_deref()).unwrap();
            assert_eq!(pages.resume_token(), token);
            let page = pages.next().await.unwrap().unwrap();
            token = page.resume_token();
            blocks.extend(page.items.into_iter().filter_map(|withdrawal| withdrawal.block_number));
            if token.is_none() {
                return blocks;
            }
        }
    }
    let items = (1..=200).map(|block| Row::new(block, 0)).collect();
    let setup = Setup::new(Service::new([(WITHDRAWALS, items)], Script::NORMAL, 1), |_| 1);
    assert_eq!(setup.runtime.block_on(read(&setup.client)), (3..=150).collect::<Vec<u64>>());
    let other = setup.client.pages_oldest_first(&AddressNftParams::new(HASH_A.parse().unwrap()), ALL, None);
    assert_eq!(other.unwrap_err().code, ErrorCode::InvalidParameter);
}
