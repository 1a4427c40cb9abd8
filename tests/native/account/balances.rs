//! Balances of many addresses: each asked for once, in the caller's order, followed until they are fresh.

use std::cell::RefCell;

use address_query::client::Patience;
use address_query::client::balances::KnownBalance;
use address_query::decode::{FramePage, Leniency};
use address_query::endpoint::ParamValue;
use address_query::error::{Error, ErrorCode};

use super::{HASH_A, Reply, Script, client, text};

fn hash(number: usize) -> String {
    format!("0x{number:040x}")
}

fn listed(hashes: impl IntoIterator<Item = String>) -> ParamValue {
    ParamValue::List(hashes.into_iter().collect())
}

/// An answer with these balances: number of the address, balance, whether it is stale.
fn answer(balances: &[(usize, Option<u64>, bool)]) -> Reply {
    Reply::ok(body(balances))
}

fn body(balances: &[(usize, Option<u64>, bool)]) -> String {
    let row = |(number, balance, stale): &(usize, Option<u64>, bool)| {
        let balance = balance.map_or("null".into(), |balance| format!("\"{balance}\""));
        format!(r#"{{"account":"{}","balance":{balance},"stale":{stale}}}"#, hash(*number))
    };
    let rows: Vec<String> = balances.iter().map(row).collect();
    format!(r#"{{"status":"1","message":"OK","result":[{}]}}"#, rows.join(","))
}

fn balances(script: &Script, addresses: &ParamValue, deadline: Option<u64>) -> Result<Vec<KnownBalance>, Error> {
    script.block_on(client(script).balances(addresses, deadline))
}

fn known(number: usize, balance: Option<u64>, stale: bool) -> KnownBalance {
    KnownBalance { account: hash(number), balance: balance.map(|balance| balance.to_string()), stale }
}

/// The numbers of the addresses of each request.
fn asked(script: &Script) -> Vec<Vec<usize>> {
    let start = "https://eth.blockscout.com/api?module=account&action=balancemulti&address=";
    let urls = script.take_urls();
    let number = |hash: &str| usize::from_str_radix(&hash[2..], 16).unwrap();
    urls.iter().map(|url| url.strip_prefix(start).unwrap().split(',').map(number).collect()).collect()
}

/// The pauses, without the deadlines of the requests.
fn pauses(script: &Script) -> Vec<u64> {
    script.take_sleeps().into_iter().filter(|ms| *ms != Patience::default().timeout_ms).collect()
}

#[test]
fn each_is_asked_for_once_and_given_in_the_caller_s_order_and_spelling() {
    let shouted = HASH_A.to_ascii_uppercase().replacen("0X", "0x", 1);
    let body = format!(
        r#"{{"status":"1","message":"OK","result":[{{"account":"{}","balance":null,"stale":true}},
            {{"account":"{}","balance":"42","stale":false}}]}}"#,
        hash(7),
        HASH_A.to_ascii_lowercase()
    );
    let listed = [HASH_A.to_owned(), hash(7), shouted.clone(), HASH_A.to_owned()];
    for addresses in [ParamValue::List(listed.to_vec()), text(&listed.join(","))] {
        let script = Script::new([Reply::ok(&body)]);
        let found = balances(&script, &addresses, None).unwrap();
        let spelled =
            |account: &str| KnownBalance { account: account.into(), balance: Some("42".into()), stale: false };
        assert_eq!(found, [spelled(HASH_A), known(7, None, true), spelled(&shouted), spelled(HASH_A)]);
        let url = script.take_urls().concat();
        assert!(url.ends_with(&format!("&address={},{}", hash(7), HASH_A.to_ascii_lowercase())), "{url}");
        assert_eq!(pauses(&script), [0; 0]);
    }
}

#[test]
fn twenty_are_asked_for_at_once() {
    for (count, sizes) in [(1, &[1][..]), (20, &[20]), (21, &[20, 1]), (45, &[20, 20, 5])] {
        let numbers: Vec<usize> = (0..count).collect();
        let reply = |chunk: &[usize]| {
            // Backwards: the service keeps no order.
            let rows: Vec<_> = chunk.iter().rev().map(|&number| (number, Some(number as u64), false)).collect();
            answer(&rows)
        };
        let script = Script::new(numbers.chunks(20).map(reply));
        let found = balances(&script, &listed(numbers.iter().rev().map(|&number| hash(number))), None).unwrap();
        let expected: Vec<_> = numbers.iter().rev().map(|&number| known(number, Some(number as u64), false)).collect();
        assert_eq!(found, expected);
        let asked = asked(&script);
        assert_eq!(asked.iter().map(Vec::len).collect::<Vec<_>>(), sizes);
        assert_eq!(asked.concat(), numbers);
    }
}

#[test]
fn what_the_service_does_not_answer_is_unknown_and_what_nobody_asked_for_is_dropped() {
    let script = Script::new([answer(&[(9, Some(9), false), (1, Some(1), false)])]);
    let found = balances(&script, &listed([hash(1), hash(2)]), Some(60_000)).unwrap();
    assert_eq!(found, [known(1, Some(1), false), known(2, None, false)]);
}

#[test]
fn a_wrong_address_is_named_by_its_place() {
    let rule = "must be an address hash: 0x and 40 hex digits";
    let good = |count| (0..count).map(hash);
    for (addresses, parameter, rule) in [
        (listed(good(3).chain(["0x12".into()]).chain(good(3))), "address[3]", rule),
        (text(&format!("{},", hash(1))), "address[1]", rule),
        (text(&format!("{}, {}", hash(1), hash(2))), "address[1]", rule),
        (text(""), "address[0]", rule),
        (listed(good(60).chain(["vitalik.eth".into()])), "address[60]", rule),
        (listed([]), "address", "must name at least one address"),
        (ParamValue::Number(1.0), "address", "must be address hashes: a list, or a text with commas"),
        (ParamValue::Other, "address", "must be address hashes: a list, or a text with commas"),
    ] {
        let script = Script::new([]);
        let error = balances(&script, &addresses, None).unwrap_err();
        assert_eq!(error.message, format!("{parameter}: {rule}"));
        assert_eq!((error.code, error.parameter.as_deref()), (ErrorCode::InvalidParameter, Some(parameter)));
    }
}

#[test]
fn without_a_deadline_stale_ones_are_not_followed() {
    let script = Script::new([answer(&[(1, Some(1), true)])]);
    assert_eq!(balances(&script, &listed([hash(1)]), None).unwrap(), [known(1, Some(1), true)]);
    assert_eq!((asked(&script), pauses(&script)), (vec![vec![1]], vec![]));
}

#[test]
fn stale_ones_are_asked_for_again_with_growing_pauses() {
    let script = Script::new([
        answer(&[(1, Some(10), true), (2, Some(20), false), (3, None, true)]),
        answer(&[(3, None, true), (1, Some(11), true)]),
        answer(&[(3, Some(30), false), (1, Some(12), true)]),
        answer(&[(1, Some(13), false)]),
    ]);
    let found = balances(&script, &listed([hash(3), hash(2), hash(1)]), Some(60_000)).unwrap();
    assert_eq!(found, [known(3, Some(30), false), known(2, Some(20), false), known(1, Some(13), false)]);
    assert_eq!(asked(&script), [vec![1, 2, 3], vec![1, 3], vec![1, 3], vec![1]]);
    assert_eq!(pauses(&script), [1_000, 2_000, 4_000]);
    assert_eq!(script.elapsed_ms(), 7_000);
}

#[test]
fn many_stale_ones_are_asked_for_again_by_twenty() {
    let all = |stale| {
        let rows: Vec<_> = (0..25).map(|number| (number, Some(1), stale)).collect();
        rows.chunks(20).map(answer).collect::<Vec<_>>()
    };
    let script = Script::new(all(true).into_iter().chain(all(false)));
    let found = balances(&script, &listed((0..25).map(hash)), Some(60_000)).unwrap();
    assert!(found.iter().all(|known| !known.stale));
    assert_eq!(asked(&script).iter().map(Vec::len).collect::<Vec<_>>(), [20, 5, 20, 5]);
    assert_eq!(pauses(&script), [1_000]);
}

#[test]
fn at_the_deadline_what_is_stale_stays_so() {
    for (deadline, expected) in
        [(5_000, &[0, 1_000, 3_000, 5_000][..]), (1_000, &[0, 1_000]), (300, &[0, 300]), (0, &[0])]
    {
        let script = Script::new(vec![answer(&[(1, Some(5), true)]); expected.len()]);
        let found = balances(&script, &listed([hash(1)]), Some(deadline)).unwrap();
        assert_eq!(found, [known(1, Some(5), true)]);
        assert_eq!((&*script.take_sent_at(), script.elapsed_ms()), (expected, deadline));
    }
    // Slow answers count.
    let slow = |ms| Reply::default().wait(ms).then_answer(1, true);
    let script = Script::new([slow(900), slow(900)]);
    balances(&script, &listed([hash(1)]), Some(2_000)).unwrap();
    assert_eq!((&*script.take_sent_at(), script.elapsed_ms()), (&[0, 1_900][..], 2_800));
    // Many requests share what is left.
    let rows: Vec<_> = (0..100).map(|number| (number, Some(1), true)).collect();
    let script = Script::of(move |_| Reply::default().wait(900).then_rows(&rows));
    balances(&script, &listed((0..100).map(hash)), Some(5_600)).unwrap();
    assert_eq!(script.elapsed_ms(), 6_500);
    // One that never comes is not waited for.
    let script = Script::new([slow(900), Reply::default().stall()]);
    let found = balances(&script, &listed([hash(1)]), Some(5_000)).unwrap();
    assert_eq!((found, script.elapsed_ms()), (vec![known(1, Some(1), true)], 5_000));
}

#[test]
fn a_balance_that_does_not_fit_is_left_out_where_the_caller_asks_for_it() {
    let rows = format!(
        r#"{{"account":"{}","balance":"1.5","stale":false}},{{"account":"{}","balance":"7","stale":false,"new":1}}"#,
        hash(1),
        hash(2)
    );
    let reply = Reply::ok(format!(r#"{{"status":"1","message":"OK","result":[{rows}]}}"#));
    let script = Script::new([reply.clone(), reply]);
    let asked = listed([hash(1), hash(2)]);
    assert_eq!(balances(&script, &asked, None).unwrap_err().code, ErrorCode::Decode);
    let client = client(&script);
    let seen = RefCell::new((Vec::new(), Vec::new()));
    let read = |page: &FramePage| {
        let mut seen = seen.borrow_mut();
        seen.0.extend(page.bad_rows.iter().map(|bad| bad.mismatch.path.clone()));
        seen.1.extend(page.drift.iter().map(|drift| drift.field.clone()));
    };
    let lenient = Leniency { skip_bad_rows: true, ..Leniency::default() };
    let found = script.block_on(client.balances_read(&asked, None, lenient, read)).unwrap();
    assert_eq!(found, [known(1, None, false), known(2, Some(7), false)]);
    assert_eq!(seen.into_inner(), (vec!["result[0].balance".to_owned()], vec!["new".to_owned()]));
}

trait ThenAnswer: Sized {
    fn then_rows(self, balances: &[(usize, Option<u64>, bool)]) -> Self;

    fn then_answer(self, number: usize, stale: bool) -> Self {
        self.then_rows(&[(number, Some(1), stale)])
    }
}

impl ThenAnswer for Reply {
    fn then_rows(self, balances: &[(usize, Option<u64>, bool)]) -> Self {
        self.then_head(200, &[]).chunk(body(balances))
    }
}

#[test]
fn a_failure_before_anything_is_known_is_the_call_s() {
    let refusal = Reply::ok(r#"{"message":"Invalid address hash","result":null,"status":"0"}"#);
    for (reply, code) in [(refusal, ErrorCode::Refused), (Reply::status(429, ""), ErrorCode::RateLimited)] {
        let script = Script::new([reply]);
        let error = balances(&script, &listed([hash(1)]), Some(10_000)).unwrap_err();
        assert_eq!(error.code, code);
        assert!(error.url.as_ref().unwrap().contains("action=balancemulti"));
    }
}

#[test]
fn a_failure_while_following_loses_nothing_and_is_followed_on() {
    let stale = || answer(&[(1, Some(1), true)]);
    let script = Script::new([stale(), Reply::status(429, ""), answer(&[(1, Some(2), false)])]);
    let known = balances(&script, &listed([hash(1)]), Some(10_000)).unwrap();
    assert_eq!((known[0].balance.as_deref(), known[0].stale), (Some("2"), false));

    let script = Script::new([stale(), Reply::status(500, "")]);
    let known = balances(&script, &listed([hash(1)]), Some(500)).unwrap();
    assert_eq!((known[0].balance.as_deref(), known[0].stale), (Some("1"), true));
}
