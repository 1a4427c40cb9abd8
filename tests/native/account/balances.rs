//! Balances of many addresses: batches, the order of the result, and repeated requests for stale balances.

use address_query::client::{AccountBalance, Client, RetryPolicy};
use address_query::error::{Error, ErrorCode};
use address_query::testing::client::unchecked_balances;
use address_query::testing::endpoint::ParamValue;

use super::{HASH_A, MockResponse, TestRuntime, client, string};
use crate::diagnostics::observed_options;

fn hash(number: usize) -> String {
    format!("0x{number:040x}")
}

fn address_list(hashes: impl IntoIterator<Item = String>) -> ParamValue {
    ParamValue::List(hashes.into_iter().collect())
}

/// A response with these balances: number of the address, balance, whether it is stale.
fn balances_response(balances: &[(usize, Option<u64>, bool)]) -> MockResponse {
    let row = |(number, balance, stale): &(usize, Option<u64>, bool)| {
        let balance = balance.map_or("null".into(), |balance| format!("\"{balance}\""));
        format!(r#"{{"account":"{}","balance":{balance},"stale":{stale}}}"#, hash(*number))
    };
    let rows: Vec<String> = balances.iter().map(row).collect();
    MockResponse::ok(format!(r#"{{"status":"1","message":"OK","result":[{}]}}"#, rows.join(",")))
}

/// The members of an [`AccountBalance`].
type Members = (String, Option<String>, bool);

fn members(balance: AccountBalance) -> Members {
    (balance.account, balance.balance, balance.stale)
}

fn balances(runtime: &TestRuntime, addresses: &ParamValue, deadline: Option<u64>) -> Result<Vec<Members>, Error> {
    let balances = runtime.block_on(unchecked_balances(&client(runtime), addresses, deadline))?;
    Ok(balances.into_iter().map(members).collect())
}

fn account_balance(number: usize, balance: Option<u64>, stale: bool) -> Members {
    (hash(number), balance.map(|balance| balance.to_string()), stale)
}

/// The numbers of the addresses in each request.
fn requested(runtime: &TestRuntime) -> Vec<Vec<usize>> {
    let start = "https://eth.blockscout.com/api?module=account&action=balancemulti&address=";
    let urls = runtime.take_urls();
    let number = |hash: &str| usize::from_str_radix(&hash[2..], 16).unwrap();
    urls.iter().map(|url| url.strip_prefix(start).unwrap().split(',').map(number).collect()).collect()
}

/// The delays between requests, without the sleeps of timeouts.
fn delays(runtime: &TestRuntime) -> Vec<u64> {
    runtime.take_sleeps().into_iter().filter(|ms| *ms != RetryPolicy::default().timeout_ms).collect()
}

#[test]
fn requests_distinct_addresses_and_keeps_order_and_letter_case() {
    let upper_case = HASH_A.to_ascii_uppercase().replacen("0X", "0x", 1);
    let (seven, lower_case) = (hash(7), HASH_A.to_ascii_lowercase());
    let body = format!(
        r#"{{"status":"1","message":"OK","result":[{{"account":"{seven}","balance":null,"stale":true}},
            {{"account":"{lower_case}","balance":"42","stale":false}}]}}"#
    );
    let address_list = [HASH_A, &seven, &upper_case, HASH_A];
    for addresses in [ParamValue::List(address_list.map(String::from).to_vec()), string(&address_list.join(","))] {
        let runtime = TestRuntime::new([MockResponse::ok(&body)]);
        let known = |account: &str| (account.to_owned(), Some("42".to_owned()), false);
        let expected = [known(HASH_A), account_balance(7, None, true), known(&upper_case), known(HASH_A)];
        assert_eq!(balances(&runtime, &addresses, None).unwrap(), expected);
        let url = runtime.take_urls().concat();
        assert!(url.ends_with(&format!("&address={seven},{lower_case}")), "{url}");
        assert_eq!(delays(&runtime), [0; 0]);
    }
}

#[test]
fn requests_twenty_addresses_at_a_time() {
    for (count, sizes) in [(1, &[1][..]), (20, &[20]), (21, &[20, 1]), (45, &[20, 20, 5])] {
        let numbers: Vec<usize> = (0..count).collect();
        let response = |chunk: &[usize]| {
            // In reverse order, because the service does not keep the order.
            let rows: Vec<_> = chunk.iter().rev().map(|&number| (number, Some(number as u64), false)).collect();
            balances_response(&rows)
        };
        let runtime = TestRuntime::new(numbers.chunks(20).map(response));
        let found = balances(&runtime, &address_list(numbers.iter().rev().map(|&number| hash(number))), None).unwrap();
        let expected: Vec<_> =
            numbers.iter().rev().map(|&number| account_balance(number, Some(number as u64), false)).collect();
        assert_eq!(found, expected);
        let requested = requested(&runtime);
        assert_eq!(requested.iter().map(Vec::len).collect::<Vec<_>>(), sizes);
        assert_eq!(requested.concat(), numbers);
    }
}

#[test]
fn missing_balances_are_none_and_unrequested_ones_are_ignored() {
    let runtime = TestRuntime::new([balances_response(&[(9, Some(9), false), (1, Some(1), false)])]);
    let found = balances(&runtime, &address_list([hash(1), hash(2)]), Some(60_000)).unwrap();
    assert_eq!(found, [account_balance(1, Some(1), false), account_balance(2, None, false)]);
}

#[test]
fn invalid_address_is_named_by_its_index() {
    let rule = "must be an address hash: 0x and 40 hex digits";
    let good = |count| (0..count).map(hash);
    for (addresses, parameter, rule) in [
        (address_list(good(3).chain(["0x12".into()]).chain(good(3))), "address[3]", rule),
        (string(&format!("{},", hash(1))), "address[1]", rule),
        (string(&format!("{}, {}", hash(1), hash(2))), "address[1]", rule),
        (string(""), "address[0]", rule),
        (address_list(good(60).chain(["vitalik.eth".into()])), "address[60]", rule),
        (address_list([]), "address", "must contain at least one address"),
        (ParamValue::Number(1.0), "address", "must be address hashes: a list, or a string separated by commas"),
        (ParamValue::Other, "address", "must be address hashes: a list, or a string separated by commas"),
    ] {
        let runtime = TestRuntime::new([]);
        let error = balances(&runtime, &addresses, None).unwrap_err();
        assert_eq!(error.message, format!("{parameter}: {rule}"));
        assert_eq!((error.code, error.parameter.as_deref()), (ErrorCode::InvalidParameter, Some(parameter)));
    }
}

#[test]
fn stale_balances_are_requested_again_with_growing_delays() {
    let runtime = TestRuntime::new([
        balances_response(&[(1, Some(10), true), (2, Some(20), false), (3, None, true)]),
        balances_response(&[(3, None, true), (1, Some(11), true)]),
        balances_response(&[(3, Some(30), false), (1, Some(12), true)]),
        balances_response(&[(1, Some(13), false)]),
    ]);
    let found = balances(&runtime, &address_list([hash(3), hash(2), hash(1)]), Some(60_000)).unwrap();
    assert_eq!(
        found,
        [account_balance(3, Some(30), false), account_balance(2, Some(20), false), account_balance(1, Some(13), false)]
    );
    assert_eq!(requested(&runtime), [vec![1, 2, 3], vec![1, 3], vec![1, 3], vec![1]]);
    assert_eq!(delays(&runtime), [1_000, 2_000, 4_000]);
    assert_eq!(runtime.take_fresh(), [false, true, true, true], "an HTTP cache has the stale balances");
    assert_eq!(runtime.elapsed_ms(), 7_000);
}

#[test]
fn many_stale_balances_are_requested_twenty_at_a_time() {
    let all = |stale| {
        let rows: Vec<_> = (0..25).map(|number| (number, Some(1), stale)).collect();
        rows.chunks(20).map(balances_response).collect::<Vec<_>>()
    };
    let runtime = TestRuntime::new(all(true).into_iter().chain(all(false)));
    let found = balances(&runtime, &address_list((0..25).map(hash)), Some(60_000)).unwrap();
    assert!(found.iter().all(|(_, _, stale)| !stale));
    assert_eq!(requested(&runtime).iter().map(Vec::len).collect::<Vec<_>>(), [20, 5, 20, 5]);
    assert_eq!(delays(&runtime), [1_000]);
}

#[test]
fn balances_remain_stale_at_the_deadline() {
    for (deadline, expected) in
        [(5_000, &[0, 1_000, 3_000, 5_000][..]), (1_000, &[0, 1_000]), (300, &[0, 300]), (0, &[0])]
    {
        let runtime = TestRuntime::new(vec![balances_response(&[(1, Some(5), true)]); expected.len()]);
        let found = balances(&runtime, &address_list([hash(1)]), Some(deadline)).unwrap();
        assert_eq!(found, [account_balance(1, Some(5), true)]);
        assert_eq!((&*runtime.take_sent_at(), runtime.elapsed_ms()), (expected, deadline));
    }
    // Slow responses take from the time left.
    let slow = || balances_response(&[(1, Some(1), true)]).delay(900);
    let runtime = TestRuntime::new([slow(), slow()]);
    balances(&runtime, &address_list([hash(1)]), Some(2_000)).unwrap();
    assert_eq!((&*runtime.take_sent_at(), runtime.elapsed_ms()), (&[0, 1_900][..], 2_800));
    // Many requests share the time left.
    let rows: Vec<_> = (0..100).map(|number| (number, Some(1), true)).collect();
    let runtime = TestRuntime::with_service(move |_| balances_response(&rows).delay(900));
    balances(&runtime, &address_list((0..100).map(hash)), Some(5_600)).unwrap();
    assert_eq!(runtime.elapsed_ms(), 6_500);
    // A response that never arrives does not delay the result.
    let runtime = TestRuntime::new([slow(), MockResponse::default().stall()]);
    let found = balances(&runtime, &address_list([hash(1)]), Some(5_000)).unwrap();
    assert_eq!((found, runtime.elapsed_ms()), (vec![account_balance(1, Some(1), true)], 5_000));
}

#[test]
fn invalid_balance_is_skipped_with_skip_bad_records() {
    let rows = format!(
        r#"{{"account":"{}","balance":"1.5","stale":false}},{{"account":"{}","balance":"7","stale":false,"new":1}}"#,
        hash(1),
        hash(2)
    );
    let response = MockResponse::ok(format!(r#"{{"status":"1","message":"OK","result":[{rows}]}}"#));
    let runtime = TestRuntime::new([response.clone(), response]);
    let requested = address_list([hash(1), hash(2)]);
    assert_eq!(balances(&runtime, &requested, None).unwrap_err().code, ErrorCode::Decode);
    let (options, diagnostics) = observed_options();
    let client = Client::with_options(runtime.clone(), options);
    let found = runtime.block_on(unchecked_balances(&client, &requested, None)).unwrap();
    let found: Vec<_> = found.into_iter().map(members).collect();
    assert_eq!(found, [account_balance(1, None, false), account_balance(2, Some(7), false)]);
    assert_eq!(diagnostics.take(), ["new", "result[0].balance"]);
}

#[test]
fn first_failure_fails_the_call() {
    let refusal = MockResponse::ok(r#"{"message":"Invalid address hash","result":null,"status":"0"}"#);
    for (response, code) in [(refusal, ErrorCode::Refused), (MockResponse::status(429, ""), ErrorCode::RateLimited)] {
        let runtime = TestRuntime::new([response]);
        let error = balances(&runtime, &address_list([hash(1)]), Some(10_000)).unwrap_err();
        assert_eq!(error.code, code);
        assert!(error.url.as_ref().unwrap().contains("action=balancemulti"));
    }
}

#[test]
fn failure_of_a_repeated_request_keeps_the_known_balances() {
    let stale = || balances_response(&[(1, Some(1), true)]);
    let runtime = TestRuntime::new([stale(), MockResponse::status(429, ""), balances_response(&[(1, Some(2), false)])]);
    let known = balances(&runtime, &address_list([hash(1)]), Some(10_000)).unwrap();
    assert_eq!(known, [account_balance(1, Some(2), false)]);

    let runtime = TestRuntime::new([stale(), MockResponse::status(500, "")]);
    let known = balances(&runtime, &address_list([hash(1)]), Some(500)).unwrap();
    assert_eq!(known, [account_balance(1, Some(1), true)]);
}
