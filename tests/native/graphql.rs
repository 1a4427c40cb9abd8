//! GraphQL operations: their requests, the conversion of their responses, paging and errors.

use address_query::client::RetryPolicy;
use address_query::endpoint::params::{Order, QueryOrder};
use address_query::endpoint::{
    GraphqlBalanceParams, GraphqlTokenTxParams, GraphqlTxListInternalParams, GraphqlTxListParams,
};
use address_query::error::{Error, ErrorCode};
use address_query::testing::client::{FrameDecoder, Pager};
use address_query::testing::decode::{DecodeError, DecodeOptions, QueryFailure, QueryKind, convert_response};
use address_query::testing::endpoint::{self, Operation, Query, Request, find_operation};
use address_query::testing::record::Table;
use serde_json::{Value, json};

use crate::client::{client, retrying_client, string};
use crate::support::HASH_A;
use crate::test_runtime::{MockResponse, TestRuntime};

const URL: &str = "https://eth.blockscout.com/api/v1/graphql";
const LOWER: &str = "0x00000000219ab540356cbb839cbe05303d7705fa";
const HASH: &str = "0x5b41b5a4e3d0e2ea9b1a6dc12d5ba3b8d7fd1f6d3f2d5bd7a8b0b7a9a0c1d2e3";

fn tx_list() -> GraphqlTxListParams {
    GraphqlTxListParams::new(HASH_A.parse().unwrap())
}

/// A transaction as GraphQL sends it.
fn node(block_number: u64) -> Value {
    json!({
        "blockNumber": block_number, "block": { "timeStamp": "2024-02-29T12:00:00.000000Z" }, "hash": HASH, "nonce": "7",
        "blockHash": HASH, "transactionIndex": 12, "from": LOWER, "to": null, "value": "1E+18", "gas": "21000",
        "gasPrice": "1000000000", "status": "OK", "input": "0x", "contractAddress": LOWER, "cumulativeGasUsed": "900000",
        "gasUsed": "21000"
    })
}

fn connection(nodes: &[Value], page_info: &Value) -> Value {
    let edges: Vec<_> = nodes.iter().map(|node| json!({ "node": node })).collect();
    json!({ "data": { "address": { "transactions": { "edges": edges, "pageInfo": page_info } } } })
}

fn page(nodes: &[Value], cursor: Option<&str>) -> MockResponse {
    MockResponse::ok(connection(nodes, &json!({ "hasNextPage": cursor.is_some(), "endCursor": cursor })).to_string())
}

/// The query and the variables of each request.
fn requests(runtime: &TestRuntime) -> Vec<(String, Value)> {
    assert!(runtime.take_urls().iter().all(|url| url == URL));
    let parse = |body: Option<String>| -> (String, Value) {
        let mut body: Value = serde_json::from_str(&body.expect("a POST")).unwrap();
        (body["query"].as_str().unwrap().to_owned(), body["variables"].take())
    };
    runtime.take_bodies().into_iter().map(parse).collect()
}

fn tx_list_error(body: &Value) -> Error {
    let runtime = TestRuntime::new([MockResponse::ok(body.to_string())]);
    runtime.block_on(client(&runtime).page(&tx_list())).unwrap_err()
}

fn refusal(message: &str) -> Value {
    json!({ "data": { "address": null }, "errors": [{ "message": message, "path": ["address"] }] })
}

/// Every operation with the table of its records.
fn operations() -> impl Iterator<Item = (&'static Operation, &'static Table)> {
    endpoint::queries().map(|operation| (operation, operation.layout.row))
}

fn queries() -> impl Iterator<Item = &'static Query> {
    operations().flat_map(|(operation, _)| operation.queries)
}

#[test]
fn page_sizes_follow_from_the_complexity_of_the_queries() {
    let sizes: Vec<_> = queries().map(|query| query.max_records).collect();
    // For example, a transaction costs 22: 17 fields, its node and edge, and 3 for `pageInfo`. With `address`, 4 cost 89.
    assert_eq!(sizes, [1, 50, 4, 3, 3, 5]);
    for query in queries().filter(|query| query.layout.kind == QueryKind::Connection) {
        assert!(query.text.contains(&format!("first:{},", query.max_records)), "{}", query.text);
    }
}

#[test]
fn each_field_of_a_record_is_selected_or_declared_null() {
    for (operation, table) in operations().filter(|(operation, _)| operation.name != "graphqlBalance") {
        for query in operation.queries {
            for field in 0..table.fields.len() {
                let name = table.field_name(field);
                let selected = match name {
                    "isError" | "txreceipt_status" | "errCode" if query.text.contains("error") => "error",
                    "isError" | "txreceipt_status" => "status",
                    name => name,
                };
                let is_selected = query.text.split(|c: char| !c.is_alphanumeric()).any(|word| word == selected);
                let is_null = query.layout.nulls.contains(&name);
                assert!(is_selected != is_null, "{}: {name}", operation.name);
            }
        }
    }
}

#[test]
fn a_query_is_a_post_with_variables() {
    let runtime = TestRuntime::new([page(&[node(2)], Some("b\"2")), page(&[node(1)], None)]);
    let params = tx_list().sort(QueryOrder(Order::Ascending));
    let mut pager = client(&runtime).pages(&params).unwrap();
    let token = runtime.block_on(async {
        assert_eq!(pager.next().await.unwrap().unwrap().items.len(), 1);
        pager.resume_token().unwrap()
    });
    let mut resumed = client(&runtime).resume_pages(&params, &token).unwrap();
    assert_eq!(&*runtime.block_on(resumed.next()).unwrap().unwrap().items[0].block_number, "1");
    assert_eq!(runtime.block_on(resumed.next()), Ok(None));
    let variables: Vec<_> = requests(&runtime).into_iter().map(|(_, variables)| variables).collect();
    assert_eq!(
        variables,
        [json!({ "address": HASH_A, "sort": "ASC" }), json!({ "address": HASH_A, "sort": "ASC", "after": "b\"2" }),]
    );
    assert!(client(&runtime).resume_pages(&tx_list(), &token).is_err(), "the token belongs to another order");
}

#[test]
fn transfers_are_requested_by_address_or_by_contract() {
    let transfers = json!({ "edges": [], "pageInfo": { "hasNextPage": false, "endCursor": null } });
    let by_address = json!({ "data": { "address": { "tokenTransfers": transfers } } });
    let by_contract = json!({ "data": { "tokenTransfers": transfers } });
    let runtime = TestRuntime::new([by_address, by_contract].map(|body| MockResponse::ok(body.to_string())));
    let address = || HASH_A.parse().unwrap();
    for params in
        [GraphqlTokenTxParams::default().address(address()), GraphqlTokenTxParams::default().contractaddress(address())]
    {
        assert!(runtime.block_on(client(&runtime).page(&params)).unwrap().items.is_empty());
    }
    let sent = requests(&runtime);
    assert_eq!(sent[0].1, json!({ "address": HASH_A }));
    assert_eq!(sent[1].1, json!({ "contractaddress": HASH_A }));
    for params in
        [GraphqlTokenTxParams::default(), GraphqlTokenTxParams::default().address(address()).contractaddress(address())]
    {
        let error = client(&runtime).pages(&params).unwrap_err();
        assert_eq!((error.code, error.parameter.as_deref()), (ErrorCode::InvalidParameter, Some("address")));
    }
}

#[test]
fn a_transaction_has_the_values_of_the_account_module_and_no_drift() {
    let mut failed = node(1);
    failed["status"] = Value::Null;
    let runtime = TestRuntime::new([page(&[node(19_000_000), failed], None)]);
    let request = Request::new(find_operation("graphqlTxList").unwrap(), &[("address", string(HASH_A))]).unwrap();
    let decoder = FrameDecoder::new(find_operation("graphqlTxList").unwrap().layout, DecodeOptions::default());
    let mut pager = Pager::new(client(&runtime), request, decoder, None).unwrap();
    let frame = runtime.block_on(pager.next()).unwrap().unwrap().page;
    assert!(frame.drift.is_empty(), "{:?}", frame.drift);

    let runtime = TestRuntime::new([page(&[node(19_000_000), node(1)], None)]);
    let items = runtime.block_on(client(&runtime).page(&tx_list())).unwrap().items;
    let row = serde_json::to_value(&items[0]).unwrap();
    assert_eq!(
        row,
        json!({
            "blockNumber": "19000000", "timeStamp": "1709208000", "hash": HASH, "nonce": "7", "blockHash": HASH,
            "transactionIndex": "12", "from": LOWER, "to": null, "value": "1000000000000000000", "gas": "21000",
            "gasPrice": "1000000000", "isError": "0", "txreceipt_status": "1", "input": "0x", "contractAddress": LOWER,
            "cumulativeGasUsed": "900000", "gasUsed": "21000", "confirmations": null, "methodId": null,
            "L1FeesPaid": null
        })
    );
}

#[test]
fn an_internal_transaction_has_the_values_of_the_account_module() {
    let call = json!({
        "blockNumber": 1, "from": LOWER, "to": LOWER, "value": "0", "contractAddress": null, "transactionHash": HASH,
        "index": 3, "input": "0x", "type": "CALL", "callType": "DELEGATECALL", "gas": "5", "gasUsed": "4",
        "error": "out of \"gas\" \u{202e}"
    });
    let mut create = call.clone();
    for (name, value) in [("type", json!("CREATE")), ("callType", Value::Null), ("error", Value::Null)] {
        create[name] = value;
    }
    let edges = json!([{ "node": call }, { "node": create }]);
    let list = json!({ "edges": edges, "pageInfo": { "hasNextPage": false, "endCursor": "c" } });
    let body = json!({ "data": { "transaction": { "internalTransactions": list } } });
    let runtime = TestRuntime::new([MockResponse::ok(body.to_string())]);
    let params = GraphqlTxListInternalParams::new(HASH.parse().unwrap());
    let items = runtime.block_on(client(&runtime).page(&params)).unwrap().items;
    let values = |row: usize| {
        let row = serde_json::to_value(&items[row]).unwrap();
        Value::from_iter(["index", "type", "callType", "isError", "errCode", "timeStamp"].map(|name| row[name].clone()))
    };
    assert_eq!(values(0), json!(["3", "call", "delegatecall", "1", "out of \"gas\" \u{202e}", null]));
    assert_eq!(values(1), json!(["3", "create", "", "0", "", null]));
    assert_eq!(requests(&runtime)[0].1, json!({ "txhash": HASH }));
}

#[test]
fn a_transfer_keeps_its_row_if_its_token_or_transaction_is_not_known() {
    let transfer = json!({
        "blockNumber": 1, "hash": HASH, "from": LOWER, "to": LOWER, "contractAddress": LOWER, "value": "5",
        "token": null, "transaction": { "nonce": "1", "block": null, "gas": "3" }
    });
    let list = json!({ "edges": [{ "node": transfer }], "pageInfo": { "hasNextPage": false } });
    let body = json!({ "data": { "tokenTransfers": list }, "errors": [{ "message": "Token not found." }] });
    let runtime = TestRuntime::new([MockResponse::ok(body.to_string())]);
    let params = GraphqlTokenTxParams::default().contractaddress(HASH_A.parse().unwrap());
    let items = runtime.block_on(client(&runtime).page(&params)).unwrap().items;
    let row = &items[0];
    assert_eq!((row.value.as_deref(), row.gas.as_deref(), row.token_name.as_deref()), (Some("5"), Some("3"), None));
}

#[test]
fn balances_are_requested_in_batches_of_50_and_returned_in_order() {
    let address = |number: usize| format!("0x{number:040X}");
    let answer = |numbers: std::ops::Range<usize>| {
        let known = numbers.rev().filter(|number| *number != 7);
        let balance = |number: usize| if number == 8 { Value::Null } else { number.to_string().into() };
        let balances: Vec<_> = known
            .map(|number| json!({ "account": address(number).to_lowercase(), "balance": balance(number) }))
            .collect();
        MockResponse::ok(json!({ "data": { "addresses": balances } }).to_string())
    };
    let runtime = TestRuntime::new([answer(1..51), answer(51..52)]);
    let addresses: Vec<_> = (1..52).map(|number| address(number).parse().unwrap()).collect();
    let balances = runtime.block_on(client(&runtime).graphql_balances(&addresses)).unwrap();
    for (number, balance) in (1..52).zip(&balances) {
        let expected = (!matches!(number, 7 | 8)).then(|| number.to_string());
        assert_eq!((&balance.account, &balance.balance, balance.stale), (&address(number), &expected, false));
    }
    let sizes: Vec<_> =
        requests(&runtime).iter().map(|(_, variables)| variables["address"].as_array().unwrap().len()).collect();
    assert_eq!(sizes, [50, 1]);
}

#[test]
fn a_balance_is_null_if_the_address_or_the_balance_is_not_known() {
    let known = |balance: Value| json!({ "data": { "address": { "fetchedCoinBalance": balance } } });
    for (body, expected) in
        [(known(json!("42")), Some("42")), (known(Value::Null), None), (refusal("Address not found."), None)]
    {
        let runtime = TestRuntime::new([MockResponse::ok(body.to_string())]);
        let params = GraphqlBalanceParams::new(HASH_A.parse().unwrap());
        let response = runtime.block_on(client(&runtime).value(&params)).unwrap();
        assert_eq!(response.result.as_deref(), expected);
    }
}

#[test]
fn an_address_that_is_not_known_has_an_empty_list() {
    let runtime = TestRuntime::new([MockResponse::ok(refusal("Address not found.").to_string())]);
    let mut pager = client(&runtime).pages(&tx_list()).unwrap();
    assert!(runtime.block_on(pager.next()).unwrap().unwrap().items.is_empty());
    assert_eq!(runtime.block_on(pager.next()), Ok(None));
}

#[test]
fn refusals_are_typed_and_say_what_to_do() {
    let complex = "Field transactions is too complex: complexity is 88 and maximum is 50";
    for (message, code) in [
        ("GraphQL API is disabled.", ErrorCode::Disabled),
        (complex, ErrorCode::TooComplex),
        ("Too many requests", ErrorCode::RateLimited),
        ("Something else", ErrorCode::Refused),
    ] {
        for body in [refusal(message), json!({ "errors": [{ "message": message }] })] {
            let error = tx_list_error(&body);
            assert_eq!((error.code, error.url.as_deref()), (code, Some(URL)), "{error}");
            assert!(error.message.contains(message), "{error}");
            let is_final = matches!(code, ErrorCode::Disabled | ErrorCode::TooComplex);
            assert_eq!(error.message.ends_with("use the methods of client.account"), is_final, "{error}");
        }
    }
}

#[test]
fn a_response_that_is_not_as_documented_is_an_error_with_its_path() {
    let page_info = json!({ "hasNextPage": false });
    let mut bad = node(1);
    bad["from"] = json!("0x12");
    let without_edges = json!({ "data": { "address": { "transactions": { "pageInfo": page_info } } } });
    for (body, path, found) in [
        (connection(&[node(2), bad], &page_info), "items[1].from", "\"0x12\""),
        (connection(&[json!(5)], &page_info), "items[0]", "5"),
        (json!({ "data": { "address": { "transactions": [] } } }), "data.address.transactions", "a list"),
        (without_edges, "data.address.transactions.edges", "nothing"),
        (json!({ "data": 5 }), "data", "5"),
        (json!({ "data": {} }), "", "an object"),
    ] {
        let error = tx_list_error(&body);
        assert_eq!((error.code, error.path.as_deref()), (ErrorCode::Decode, Some(path)), "{error}");
        assert!(error.message.contains(&format!("found {found}")), "{error}");
    }
}

#[test]
fn a_cursor_that_is_missing_or_repeats_is_an_error() {
    for (page_info, path) in [
        (json!({ "hasNextPage": true, "endCursor": null }), "data.address.transactions.pageInfo.endCursor"),
        (json!({ "hasNextPage": true, "endCursor": 5 }), "data.address.transactions.pageInfo.endCursor"),
        (json!({ "endCursor": "a" }), "data.address.transactions.pageInfo.hasNextPage"),
        (json!({ "hasNextPage": "no" }), "data.address.transactions.pageInfo.hasNextPage"),
    ] {
        let error = tx_list_error(&connection(&[node(1)], &page_info));
        assert_eq!((error.code, error.path.as_deref()), (ErrorCode::Cursor, Some(path)), "{error}");
    }
    let runtime = TestRuntime::new([page(&[node(2)], Some("a")), page(&[node(1)], Some("a"))]);
    let mut pager = client(&runtime).pages(&tx_list()).unwrap();
    runtime.block_on(pager.next()).unwrap();
    let error = runtime.block_on(pager.next()).unwrap_err();
    assert_eq!(error.code, ErrorCode::Cursor);
    assert_eq!(error.resume_token, pager.resume_token());
}

#[test]
fn transient_failures_are_retried_and_the_deadline_holds() {
    let truncated = connection(&[node(1)], &json!({ "hasNextPage": false })).to_string();
    let runtime = TestRuntime::new([
        MockResponse::ok(&truncated[..100]),
        MockResponse::ok("null"),
        MockResponse::status(429, r#"{"errors":[{"message":"Too many requests"}]}"#),
        MockResponse::ok(&truncated),
    ]);
    let retrying = retrying_client(&runtime);
    assert_eq!(runtime.block_on(retrying.page(&tx_list())).unwrap().items.len(), 1);
    assert_eq!(requests(&runtime).len(), 4);

    runtime.queue([MockResponse::head(200, &[]).chunk("{").stall()]);
    let policy = RetryPolicy::default().max_attempts(1).timeout_ms(50);
    let error = runtime.block_on(retrying.with_retry_policy(policy).page(&tx_list())).unwrap_err();
    assert_eq!(error.code, ErrorCode::Timeout);
}

#[test]
fn requests_in_flight_are_shared_by_url_and_body() {
    let runtime = TestRuntime::new([1, 2].map(|number| page(&[node(number)], None).delay(10)));
    let client = client(&runtime);
    let newest = tx_list();
    let oldest = tx_list().sort(QueryOrder(Order::Ascending));
    let read =
        async |params: &GraphqlTxListParams| client.page(params).await.unwrap().items[0].block_number.to_string();
    assert_eq!(runtime.block_on_all([&newest, &oldest, &newest].map(read)), ["1", "2", "1"]);
    assert_eq!(requests(&runtime).len(), 2);
}

#[test]
fn nesting_does_not_overflow_the_stack() {
    let layout = &find_operation("graphqlTxList").unwrap().queries[0].layout;
    let deep = format!("{}1{}", r#"{"block":"#.repeat(100_000), "}".repeat(100_000));
    let body = format!(
        r#"{{"data":{{"address":{{"transactions":{{"edges":[{{"node":{deep}}}],"pageInfo":{{"hasNextPage":false}}}}}}}}}}"#
    );
    assert!(convert_response(body.as_bytes(), layout).is_ok());
    let unclosed = r#"{"data":"#.repeat(100_000);
    let failure = convert_response(unclosed.as_bytes(), layout);
    assert!(matches!(failure, Err(QueryFailure::Decode(DecodeError::Incomplete))), "{failure:?}");
}
