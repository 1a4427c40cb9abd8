//! The account module: parameters and URLs, envelopes, rows and balances, for structs and for frames.

mod balances;
mod envelope;
mod requests;
mod rows;

use address_query::client::{ActionRows, Client};
use address_query::endpoint::{RowsAction, ValueAction};
use address_query::error::Error;
use address_query::testing::client::call_action;
use address_query::testing::decode::{DecodeOptions, FramePage};
use address_query::testing::endpoint::{Params, Request};
use serde::Serialize;
use serde_json::Value as Json;

use crate::client::{client, list as action, string};
use crate::support::{HASH_A, frame_value};
use crate::test_runtime::{MockResponse, TestRuntime};

const TOKEN: &str = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
const TX: &str = "0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060";

const NO_ROWS: &str = r#"{"message":"No transactions found","result":[],"status":"0"}"#;
const VALUE_ONE: &str = r#"{"message":"OK","result":"1","status":"1"}"#;

/// The rows, whether some are missing, and the message about that.
type RowsResult = (Json, bool, Option<String>);

/// Calls an action for structs and for frames, which have the same URL and the same error.
#[track_caller]
fn call<A: Params, T>(
    params: &A,
    response: &MockResponse,
    read: impl AsyncFnOnce(&Client<TestRuntime>) -> Result<T, Error>,
) -> Result<(T, ActionRows<Box<FramePage>>), Error> {
    let runtime = TestRuntime::new([response.clone(), response.clone()]);
    let client = client(&runtime);
    let request = Request::new(A::OPERATION, &params.to_values())?;
    let framed = runtime.block_on(call_action(&client, A::OPERATION, &request, DecodeOptions::default()));
    let typed = runtime.block_on(read(&client));
    let urls = runtime.take_urls();
    assert_eq!(urls[0], urls[1]);
    match (typed, framed) {
        (Ok(typed), Ok(framed)) => Ok((typed, framed)),
        (Err(typed), Err(framed)) => {
            assert_eq!(typed, framed, "structs and frames have different errors");
            assert_eq!(typed.attempts, Some(1));
            assert!(typed.url.is_some());
            Err(typed)
        }
        (typed, framed) => panic!("{typed:?}\n{framed:?}", typed = typed.map(drop), framed = framed.map(drop)),
    }
}

/// Calls an action that returns rows. They must be the same for structs and for frames.
#[track_caller]
fn rows<A: RowsAction<Row: Serialize>>(params: &A, response: &MockResponse) -> Result<RowsResult, Error> {
    let (typed, framed) = call(params, response, async |client| client.rows(params).await)?;
    let items = serde_json::to_value(&typed.items).unwrap();
    let layout = A::OPERATION.layout;
    assert_eq!(frame_value(&framed.items, layout.row, layout.envelope).unwrap()["items"], items);
    assert_eq!((typed.incomplete, &typed.message), (framed.incomplete, &framed.message));
    Ok((items, typed.incomplete, typed.message))
}

/// Calls an action that returns a value. It must be the same for structs and for frames.
#[track_caller]
fn value<A: ValueAction<ValueRecord: Serialize>>(params: &A, response: &MockResponse) -> Result<Json, Error> {
    let (typed, framed) = call(params, response, async |client| client.value(params).await)?;
    let layout = A::OPERATION.layout;
    let value = serde_json::to_value(&typed).unwrap();
    assert_eq!(frame_value(&framed.items, layout.row, layout.envelope).unwrap()["result"], value["result"]);
    Ok(value["result"].clone())
}
