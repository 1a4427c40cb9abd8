//! Tests of GraphQL in a browser: requests with a body, which the browser asks the service to permit.

use address_query::endpoint::*;
use wasm_bindgen_test::wasm_bindgen_test;

use super::{BUSY, address, client};

#[wasm_bindgen_test]
async fn graphql_transactions_equal_those_of_the_account_module() {
    let mut pager = client("").pages(&GraphqlTxListParams::new(address(BUSY))).unwrap();
    let mut records = pager.next().await.unwrap().unwrap().items;
    records.extend(pager.next().await.unwrap().unwrap().items);
    let params = TxListParams::new(address(BUSY)).page(params::PageNumber(1)).offset(params::PageSize(8));
    let mut expected = client("").rows(&params).await.unwrap().items;
    for row in &mut expected {
        (row.confirmations, row.method_id) = (None, None);
    }
    assert_eq!(records, expected);
}

#[wasm_bindgen_test]
async fn graphql_transfers_and_internal_transactions_are_read() {
    let params = GraphqlTokenTxParams::default().address(address(BUSY));
    assert_eq!(client("").page(&params).await.unwrap().items.len(), 3);
    let calls = TxListInternalParams::default().address(address(BUSY));
    let rows = client("").rows(&calls).await.unwrap().items;
    let txhash = rows[0].transaction_hash.parse().unwrap();
    let records = client("").page(&GraphqlTxListInternalParams::new(txhash)).await.unwrap().items;
    // GraphQL does not provide the time.
    let mut expected = rows[0].clone();
    expected.time_stamp = None;
    assert!(records.contains(&expected), "{records:?}");
}

#[wasm_bindgen_test]
async fn graphql_balances_equal_those_of_the_account_module() {
    let addresses = [address(BUSY)];
    let expected = client("").balances(&addresses, None).await.unwrap();
    assert_eq!(client("").graphql_balances(&addresses).await.unwrap(), expected);
    let balance = client("").value(&GraphqlBalanceParams::new(address(BUSY))).await.unwrap();
    assert_eq!(balance.result.as_deref(), expected[0].balance.as_deref());
}
