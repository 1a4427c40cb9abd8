//! Credits: what requests cost, what remains, and the maximum. Headers of requests.

use std::cell::RefCell;

use address_query::client::{Client, ClientOptions, Credits, EventKind};
use address_query::endpoint::params::Order;
use address_query::endpoint::{
    AddressInternalTransactionsParams, AddressLogsParams, BalanceParams, BaseUrl, GraphqlBalanceParams, TokenTxParams,
};
use address_query::error::{Error, ErrorCode};
use address_query::testing::endpoint::{DEFAULT_CREDITS, actions, lists, lookups};

use super::{first_page, first_page_of, last_page, ok_page, page, params, read, read_all, record_events};
use crate::service::{Row, SHORT_TRANSFERS, Script, Service};
use crate::support::HASH_A;
use crate::test_runtime::{MockResponse, TestRuntime};

const CURSOR: &str = r#"{"index":9,"items_count":50}"#;

fn gateway_client(runtime: &TestRuntime, change: impl FnOnce(ClientOptions) -> ClientOptions) -> Client<TestRuntime> {
    Client::with_options(runtime.clone(), change(ClientOptions::new(BaseUrl::from_chain_id(1))))
}

fn totals(credits: Credits) -> (u64, Option<i64>) {
    (credits.spent, credits.remaining)
}

/// Reads the first page.
fn read_page(runtime: &TestRuntime, client: &Client<TestRuntime>) -> Result<(), Error> {
    runtime.block_on(client.page(&params())).map(drop)
}

/// The credits of the recorded requests.
fn costs(events: &RefCell<Vec<(EventKind, Option<i64>)>>) -> Vec<Option<i64>> {
    events.take().into_iter().filter(|(kind, _)| *kind == EventKind::Request).map(|(_, credits)| credits).collect()
}

#[test]
fn each_attempt_costs_the_credits_of_its_operation() {
    let stated = |credits, body: String| MockResponse::head(200, &[("x-credits-remaining", credits)]).chunk(body);
    let runtime = TestRuntime::new([
        MockResponse::status(503, ""),
        stated("99930.5", page(&[], "null")),
        last_page(&[]),
        last_page(&[]),
        stated("-10", r#"{"message":"OK","result":"7","status":"1"}"#.into()),
        MockResponse::ok(r#"{"data":{"address":{"fetchedCoinBalance":"7"}}}"#),
    ]);
    let (sink, events) = record_events(|event| (event.kind, event.credits));
    let client = gateway_client(&runtime, |options| options.on_event(sink));
    assert_eq!(totals(client.credits()), (0, None));
    read_page(&runtime, &client).unwrap();
    assert_eq!(totals(client.credits()), (40, Some(99_930)));
    let address = || HASH_A.parse().unwrap();
    runtime.block_on(client.page(&AddressLogsParams::new(address()))).unwrap();
    runtime.block_on(client.page(&AddressInternalTransactionsParams::new(address()))).unwrap();
    runtime.block_on(client.value(&BalanceParams::new(address()))).unwrap();
    assert_eq!(totals(client.credits()), (130, Some(-10)));
    runtime.block_on(client.value(&GraphqlBalanceParams::new(address()))).unwrap();
    assert_eq!(totals(client.clone().credits()), (150, Some(-10)), "a clone has the same credits");
    assert_eq!(costs(&events), [20, 20, 30, 40, 20, 20].map(Some));
}

#[test]
fn a_request_of_any_path_costs_the_credits_of_the_operation_with_this_path() {
    let address = format!("/api/v2/addresses/{HASH_A}/internal-transactions");
    let paths = [
        ("/api/v2/advanced-filters", 50),
        ("/api/v2/tokens", 30),
        ("/api/v2/tokens/", 30),
        (&address, 40),
        ("/api/v2/addresses", 20),
        ("/api/v2/tokens/0x1/unknown", 20),
        ("/api/v2", 20),
    ];
    for (path, credits) in paths {
        let runtime = TestRuntime::new([MockResponse::ok("{}")]);
        let client = gateway_client(&runtime, |options| options);
        runtime.block_on(client.request(path, &[])).unwrap();
        assert_eq!(client.credits().spent, credits, "{path}");
    }
}

#[test]
fn shared_responses_cost_nothing() {
    let runtime = TestRuntime::new([last_page(&[1]).delay(10)]);
    let client = gateway_client(&runtime, |options| options);
    let outcomes = runtime.block_on_all((0..2).map(|_| first_page(client.clone())));
    assert_eq!((outcomes, client.credits().spent), (vec![Ok(vec![1]); 2], 20));
}

#[test]
fn only_urls_of_a_chain_at_the_gateway_or_a_proxy_cost_credits() {
    for (url, spent) in [
        ("https://api.blockscout.com/1", 20),
        ("/api/blockscout/8453", 20),
        ("https://proxy.example/api/blockscout/10/api/v2/", 20),
        ("https://eth.blockscout.com", 0),
        ("https://eth.blockscout.com/v1", 0),
        ("http://127.0.0.1:4000", 0),
        ("https://host.example/chain1", 0),
    ] {
        let runtime = TestRuntime::new([last_page(&[1])]);
        let (sink, events) = record_events(|event| (event.kind, event.credits));
        let options = ClientOptions::new(url.parse().unwrap()).max_credits(20).on_event(sink);
        let client = Client::with_options(runtime.clone(), options);
        read_page(&runtime, &client).unwrap();
        assert_eq!(client.credits().spent, spent, "{url}");
        assert_eq!(costs(&events), [Some(20).filter(|_| spent > 0)], "{url}");
    }
}

#[test]
fn list_stops_before_the_maximum_and_continues_with_its_token() {
    let runtime = TestRuntime::new([ok_page(&[10, 9], CURSOR), ok_page(&[8, 7], &CURSOR.replace('9', "7"))]);
    let client = gateway_client(&runtime, |options| options.max_credits(59));
    let mut pager = client.pages(&params()).unwrap();
    for indices in [[10, 9], [8, 7]] {
        assert_eq!(read(&runtime, &mut pager), Ok(Some(indices.to_vec())));
    }
    let error = read(&runtime, &mut pager).unwrap_err();
    assert_eq!((error.code, error.attempts, error.is_retryable()), (ErrorCode::CreditLimit, Some(0), false));
    assert_eq!(error.message, "the request costs 20 credits, and max_credits leaves 19; raise it to continue");
    assert_eq!(client.credits().spent, 40);
    let rest = TestRuntime::new([last_page(&[6])]);
    let client = gateway_client(&rest, |options| options.max_credits(20));
    let mut pager = client.resume_pages(&params(), error.resume_token.as_deref().unwrap()).unwrap();
    assert_eq!(read_all(&rest, &mut pager), [[6]]);
}

#[test]
fn retries_and_concurrent_requests_stop_before_the_maximum() {
    let runtime = TestRuntime::new([MockResponse::status(503, ""), MockResponse::status(503, "")]);
    let client = gateway_client(&runtime, |options| options.max_credits(40));
    let error = read_page(&runtime, &client).unwrap_err();
    assert_eq!((error.code, error.attempts), (ErrorCode::CreditLimit, Some(2)));

    let runtime = TestRuntime::new([last_page(&[1]).wait(10)]);
    let client = gateway_client(&runtime, |options| options.max_credits(39));
    let outcomes = runtime.block_on_all([1, 2].map(|number| first_page_of(client.clone(), number)));
    let mut codes: Vec<_> = outcomes.into_iter().map(|outcome| outcome.err().map(|error| error.code)).collect();
    codes.sort_by_key(Option::is_some);
    assert_eq!(codes, [None, Some(ErrorCode::CreditLimit)]);
    assert_eq!(client.credits().spent, 20);
}

#[test]
fn range_stops_before_the_maximum_with_a_token() {
    // A full response: there are more rows.
    let rows = (1..=10_001).map(|block| Row::new(block, 0)).collect();
    let runtime = Service::new([(SHORT_TRANSFERS, rows)], Script::NORMAL, 0).connect(|_| 0);
    let client = gateway_client(&runtime, |options| options.max_credits(20));
    let params = TokenTxParams::default().address(HASH_A.parse().unwrap()).sort(Order::Ascending);
    let mut range = client.all_rows(&params).unwrap().with_concurrency(1);
    let mut count = 0;
    let error = loop {
        match runtime.block_on(range.next()) {
            Ok(Some(batch)) => count += batch.len(),
            Ok(None) => panic!("the range is not complete"),
            Err(error) => break error,
        }
    };
    assert_eq!(error.code, ErrorCode::CreditLimit);
    assert!(count >= 9_999 && error.resume_token.is_some(), "{count} rows, {error}");
    assert_eq!(runtime.take_urls().len(), 1);
}

#[test]
fn every_operation_declares_its_credits() {
    let others: Vec<(&str, u32)> = lists()
        .chain(lookups())
        .chain(actions())
        .filter(|operation| operation.credits != DEFAULT_CREDITS)
        .map(|operation| (operation.path.trim_start_matches("/api/v2"), operation.credits))
        .collect();
    // The price list of the gateway, without paths that no operation has.
    assert_eq!(
        others,
        [
            ("/addresses/{address_hash}/logs", 30),
            ("/token-transfers", 30),
            ("/addresses/{address_hash}/coin-balance-history", 50),
            ("/addresses/{address_hash}/internal-transactions", 40),
            ("/addresses/{address_hash}/token-transfers", 30),
            ("/internal-transactions", 40),
            ("/search/quick", 25),
            ("/tokens", 30),
            ("/tokens/{address_hash}/transfers", 30),
            ("/transactions/{transaction_hash}/token-transfers", 30),
            ("/transactions/{transaction_hash}/internal-transactions", 40),
            ("/transactions/{transaction_hash}/logs", 30),
            ("/transactions/{transaction_hash}/state-changes", 30),
            ("/advanced-filters", 50),
            ("/transactions/{transaction_hash}/summary", 50),
        ]
    );
}

#[test]
fn only_a_body_and_the_option_for_scam_tokens_add_headers() {
    for (shows_scam_tokens, scam) in [(false, None), (true, Some(("show-scam-tokens", "true".to_owned())))] {
        let runtime =
            TestRuntime::new([last_page(&[]), MockResponse::ok(r#"{"data":{"address":{"fetchedCoinBalance":"7"}}}"#)]);
        let client = gateway_client(&runtime, |options| options.show_scam_tokens(shows_scam_tokens));
        read_page(&runtime, &client).unwrap();
        runtime.block_on(client.value(&GraphqlBalanceParams::new(HASH_A.parse().unwrap()))).unwrap();
        let get: Vec<_> = scam.clone().into_iter().collect();
        let post: Vec<_> = [("content-type", "application/json".to_owned())].into_iter().chain(scam).collect();
        assert_eq!(runtime.take_headers(), [get, post]);
    }
}
