#![no_main]
//! Converts responses of GraphQL queries. Whatever the service sends, the result for the decoder is valid JSON, and has each record
//! of the response once.

use address_query::testing::decode::{QueryKind, convert_response};
use address_query::testing::endpoint::queries;
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

mod seeds;

const NODE: &str = r#"{"blockNumber":1,"block":{"timeStamp":"2024-02-29T12:00:00.000000Z"},"status":"OK","error":null,"callType":"CALL","token":null,"transaction":{"nonce":"1","block":{"timeStamp":null}}}"#;

fuzz_target!(init: seeds::write("query-response", bodies()), |data: &[u8]| check(data));

fn bodies() -> impl Iterator<Item = Vec<u8>> {
    let page = |next: &str| format!(r#"{{"edges":[{{"node":{NODE}}},{{"node":{NODE}}}],"pageInfo":{next}}}"#);
    let next = r#"{"hasNextPage":true,"endCursor":"YQ=="}"#;
    [
        format!(r#"{{"data":{{"address":{{"transactions":{}}}}}}}"#, page(next)),
        format!(r#"{{"data":{{"tokenTransfers":{}}}}}"#, page(r#"{"hasNextPage":false}"#)),
        format!(r#"{{"data":{{"transaction":{{"internalTransactions":{}}}}}}}"#, page(next)),
        r#"{"data":{"address":{"fetchedCoinBalance":"5"}}}"#.into(),
        r#"{"data":{"addresses":[{"account":"0x","balance":null}]}}"#.into(),
        r#"{"data":{"address":null},"errors":[{"message":"Address not found.","path":["address"]}]}"#.into(),
    ]
    .into_iter()
    .map(String::into_bytes)
}

fn check(body: &[u8]) {
    for query in queries().flat_map(|operation| operation.queries) {
        let Ok(converted) = convert_response(body, &query.layout) else { continue };
        // Values are passed on unchanged.
        let Ok(converted) = std::str::from_utf8(&converted) else { continue };
        let Ok(sent) = serde_json::from_slice::<Value>(body) else { continue };
        let converted: Value = serde_json::from_str(converted).expect("valid JSON");
        let result = query.layout.path.iter().try_fold(&sent, |value, name| value.get(name)).unwrap_or(&Value::Null);
        let (sent, records) = match query.layout.kind {
            QueryKind::Connection => (result.get("edges"), converted.get("items")),
            QueryKind::List => (Some(result), converted.get("result")),
            QueryKind::Value => continue,
        };
        let count = |list: Option<&Value>| list.and_then(Value::as_array).map_or(0, Vec::len);
        assert_eq!(count(sent), count(records), "{converted}");
    }
}
