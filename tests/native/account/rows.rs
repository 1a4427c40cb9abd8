//! Rows of actions, including the values that the service uses for "none" and "unknown".

use address_query::endpoint::{
    GetMinedBlocksParams, ListAccountsParams, PendingTxListParams, RowsAction, Token404TxParams, Token1155TxParams,
    TokenListParams, TokenNftTxParams, TokenTxParams, TxListInternalParams, TxListParams,
};
use address_query::error::Error;
use address_query::testing::client::call_action;
use address_query::testing::decode::{DecodeOptions, FramePage};
use address_query::testing::endpoint::Request;
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::{HASH_A, MockResponse, TX, TestRuntime, action, client, rows};

/// The decoded row.
#[track_caller]
fn row<A: RowsAction<Row: Serialize>>(params: &A, row: &Json) -> Json {
    let body = json!({ "message": "OK", "result": [row], "status": "1" }).to_string();
    rows(params, &MockResponse::ok(body)).unwrap().0[0].take()
}

/// Asserts that decoding changes exactly these members of the row.
#[track_caller]
fn assert_row<A: RowsAction<Row: Serialize>>(params: &A, sent: &Json, changed: &[(&str, Json)]) {
    let values = row(params, sent);
    for (name, value) in sent.as_object().unwrap() {
        let expected = changed.iter().find(|(known, _)| known == name).map_or(value, |(_, value)| value);
        assert_eq!(&values[name], expected, "{name}");
    }
    for (name, value) in changed {
        assert_eq!(&values[*name], value, "{name}");
    }
}

fn nulls<'a>(names: &[&'a str]) -> Vec<(&'a str, Json)> {
    names.iter().map(|name| (*name, Json::Null)).collect()
}

fn internal() -> TxListInternalParams {
    TxListInternalParams::default().txhash(TX.parse().unwrap())
}

#[test]
fn transactions() {
    let params = TxListParams::new(HASH_A.parse().unwrap());
    let sent = json!({
        "blockNumber": "19000000", "timeStamp": "1705000000", "hash": TX, "nonce": "7", "blockHash": TX,
        "transactionIndex": "12", "from": HASH_A, "to": HASH_A, "value": "0", "gas": "21000", "gasPrice": "1000000000",
        "isError": "0", "txreceipt_status": "1", "input": "0x", "contractAddress": HASH_A,
        "cumulativeGasUsed": "900000", "gasUsed": "21000", "confirmations": "150", "methodId": "0xa9059cbb",
        "L1FeesPaid": "41"
    });
    assert_row(&params, &sent, &[]);
    for alias in ["l1FeesPaid", "l1Fee", "l1_fee"] {
        let mut renamed = sent.clone();
        let fee = renamed.as_object_mut().unwrap().remove("L1FeesPaid").unwrap();
        renamed[alias] = fee;
        assert_eq!(row(&params, &renamed), sent, "{alias}");
    }
    let unknown = [
        "to",
        "contractAddress",
        "gasPrice",
        "timeStamp",
        "gasUsed",
        "cumulativeGasUsed",
        "methodId",
        "confirmations",
        "L1FeesPaid",
    ];
    let mut sparse = sent;
    for name in unknown {
        sparse[name] = "".into();
    }
    sparse["methodId"] = "0x".into();
    assert_row(&params, &sparse, &nulls(&unknown));
    let absent = ["nonce", "blockHash", "transactionIndex", "isError", "txreceipt_status", "input", "gas"];
    for name in unknown.iter().chain(&absent) {
        sparse.as_object_mut().unwrap().remove(*name);
    }
    assert_row(&params, &sparse, &nulls(&[&unknown[..], &absent].concat()));
}

#[test]
fn pending_transactions() {
    let params = PendingTxListParams::new(HASH_A.parse().unwrap());
    let sent = json!({
        "hash": TX, "nonce": "8", "from": HASH_A, "to": HASH_A, "value": "1", "gas": "21000", "gasPrice": "1000000000",
        "input": "0x", "contractAddress": "", "cumulativeGasUsed": "", "gasUsed": ""
    });
    assert_row(&params, &sent, &nulls(&["contractAddress", "cumulativeGasUsed", "gasUsed"]));
}

#[test]
fn internal_transactions() {
    let mut sent = json!({
        "blockNumber": "1", "timeStamp": "1700000000", "from": HASH_A, "to": HASH_A, "value": "1", "contractAddress": "",
        "transactionHash": TX, "index": "3", "input": "0x", "type": "call", "callType": "call", "gas": "5000",
        "gasUsed": "4000", "isError": "0", "errCode": ""
    });
    assert_row(&internal(), &sent, &nulls(&["contractAddress"]));
    for name in ["to", "input", "gas", "gasUsed", "timeStamp", "index"] {
        sent[name] = "".into();
    }
    let unknown = ["contractAddress", "to", "input", "gas", "gasUsed", "timeStamp", "index"];
    assert_row(&internal(), &sent, &nulls(&unknown));
    let hash = sent.as_object_mut().unwrap().remove("transactionHash").unwrap();
    sent["hash"] = hash.clone();
    assert_eq!(row(&internal(), &sent)["transactionHash"], hash);
}

#[test]
fn transfer_kinds_differ_only_in_the_amount() {
    let common = json!({
        "blockNumber": "1", "timeStamp": "1700000000", "hash": TX, "nonce": "1", "blockHash": TX, "from": HASH_A,
        "contractAddress": HASH_A, "to": HASH_A, "tokenName": "Foo", "tokenSymbol": "FOO", "tokenDecimal": "18",
        "transactionIndex": "0", "gas": "1", "gasPrice": "1", "gasUsed": "1", "cumulativeGasUsed": "1", "input": "0x",
        "confirmations": "9", "methodId": "a9059cbb", "functionName": "transfer(address to, uint256 value)"
    });
    let long = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
    macro_rules! check {
        ($( $params:ident $amounts:expr; )*) => { $(
            let params = $params::default().address(HASH_A.parse().unwrap());
            let mut sent = common.clone();
            for name in $amounts {
                sent[name] = long.into();
            }
            assert_row(&params, &sent, &[]);
            assert_eq!(row(&params, &sent).as_object().unwrap().len(), sent.as_object().unwrap().len());
            for name in $amounts.into_iter().chain(["tokenDecimal", "gasPrice", "timeStamp", "methodId"]) {
                sent[name] = "".into();
            }
            sent["tokenName"] = Json::Null;
            sent["functionName"] = "".into();
            // As in the example of the documentation.
            sent["input"] = "deprecated".into();
            let others = ["tokenDecimal", "gasPrice", "timeStamp", "methodId", "tokenName", "input"];
            let unknown: Vec<&str> = $amounts.into_iter().chain(others).collect();
            assert_row(&params, &sent, &nulls(&unknown));
        )* };
    }
    check! {
        TokenTxParams ["value"];
        TokenNftTxParams ["tokenID"];
        Token1155TxParams ["tokenID", "tokenValue"];
        Token404TxParams ["tokenID", "value"];
    }
}

#[test]
fn holdings() {
    let params = TokenListParams::new(HASH_A.parse().unwrap());
    let mut sent = json!({
        "balance": "5", "contractAddress": HASH_A, "decimals": "18", "name": "Foo", "symbol": "FOO", "type": "ERC-20"
    });
    assert_row(&params, &sent, &[]);
    sent["decimals"] = "".into();
    (sent["name"], sent["symbol"]) = (Json::Null, Json::Null);
    (sent["type"], sent["id"]) = ("ERC-1155".into(), "12".into());
    assert_row(&params, &sent, &nulls(&["decimals"]));
}

#[test]
fn accounts() {
    let params = ListAccountsParams::default();
    let sent = json!({ "address": HASH_A, "balance": "1", "stale": false });
    assert_row(&params, &sent, &[]);
    assert_row(&params, &json!({ "address": HASH_A, "balance": "" }), &nulls(&["balance", "stale"]));
}

#[test]
fn mined_blocks_have_two_time_formats() {
    let params = GetMinedBlocksParams::new(HASH_A.parse().unwrap());
    for (raw, plain) in [
        ("2026-02-04 05:43:23.000000Z", json!("2026-02-04T05:43:23.000000Z")),
        ("2026-02-04T05:43:23Z", json!("2026-02-04T05:43:23.000000Z")),
        ("1705000000", json!("2024-01-11T19:06:40.000000Z")),
    ] {
        let values = row(&params, &json!({ "blockNumber": "1", "timeStamp": raw }));
        assert_eq!(values, json!({ "blockNumber": "1", "timeStamp": raw, "timestamp": plain }));
    }
    let values = row(&params, &json!({ "blockNumber": "1" }));
    assert_eq!(values, json!({ "blockNumber": "1", "timeStamp": null, "timestamp": null }));
}

#[test]
fn shape_cache_serves_later_calls_and_unknown_fields_are_kept() {
    let body = format!(
        r#"{{"status":"1","message":"OK","result":[{{"new":7,"address":"{HASH_A}","balance":"1","stale":false}}]}}"#
    );
    let refused = r#"{"status":"0","message":"No","result":null,"surprise":1}"#;
    let runtime = TestRuntime::new([&body, refused, &body, &body].map(MockResponse::ok));
    let client = client(&runtime);
    let request = Request::new::<String>(action("listAccounts"), &[]).unwrap();
    let call = |keep_extra| {
        let decode_options = DecodeOptions::default().keep_extra(keep_extra);
        Ok::<_, Error>(runtime.block_on(call_action(&client, action("listAccounts"), &request, decode_options))?.items)
    };
    let drift = |page: Box<FramePage>| page.drift.into_iter().map(|drift| drift.field).collect::<Vec<_>>();
    assert_eq!(drift(call(false).unwrap()), ["new"]);
    assert!(call(false).is_err());
    assert_eq!(drift(call(false).unwrap()), ["new", "surprise"]);
    assert_eq!(*call(true).unwrap().frame.json, *br#"[null,{"new":7}]"#);
}
