//! The account module: what is asked, what is not even asked, and what the answers mean, for structs and for frames.

mod balances;
mod envelope;
mod requests;
mod rows;

use address_query::client::{Client, Patience};
use address_query::decode::Leniency;
use address_query::endpoint::{Action, ParamValue, Request, RowsAction, ValueAction, find_action};
use address_query::error::{Error, ErrorCode};
use serde::Serialize;
use serde_json::Value as Json;

use crate::runtime::{Reply, Script};
use crate::support::{HASH_A, frame_value};

const TOKEN: &str = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
const TX: &str = "0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060";

const NOTHING: &str = r#"{"message":"No transactions found","result":[],"status":"0"}"#;
const ONE: &str = r#"{"message":"OK","result":"1","status":"1"}"#;

/// A client that tries once.
fn client(script: &Script) -> Client<Script> {
    Client::new(script.clone(), "https://eth.blockscout.com".parse().unwrap())
        .with_patience(Patience { max_attempts: 1, ..Patience::default() })
}

#[track_caller]
fn action(name: &str) -> &'static Action {
    find_action(name).unwrap()
}

fn text(value: &str) -> ParamValue {
    ParamValue::String(value.to_owned())
}

/// Rows, whether some are missing, and the message about it.
type Answered = (Json, bool, Option<String>);

#[track_caller]
fn assert_same_errors(typed: &Error, framed: &Error) {
    let mut framed = framed.clone();
    if typed.code == ErrorCode::Decode {
        // What is no JSON is described in two ways.
        framed.message.clone_from(&typed.message);
    }
    assert_eq!(*typed, framed, "structs and frames fail in different ways");
    assert_eq!(typed.attempts, Some(1));
    assert!(typed.url.is_some());
}

/// The rows of an action, which must be the same for structs and for frames.
#[track_caller]
fn rows<A: RowsAction<Row: Serialize>>(params: &A, reply: &Reply) -> Result<Answered, Error> {
    let script = Script::new([reply.clone(), reply.clone()]);
    let client = client(&script);
    let request = Request::new(A::ACTION, params.to_values())?;
    let framed = script.block_on(client.ask(A::ACTION, &request, Leniency::default()));
    let typed = script.block_on(client.rows(params));
    let urls = script.take_urls();
    assert_eq!(urls[0], urls[1]);
    match (typed, framed) {
        (Ok(typed), Ok(framed)) => {
            let items = serde_json::to_value(&typed.items).unwrap();
            let layout = A::ACTION.layout;
            assert_eq!(frame_value(&framed.items, layout.row, layout.envelope).unwrap()["items"], items);
            assert_eq!((typed.incomplete, &typed.message), (framed.incomplete, &framed.message));
            Ok((items, typed.incomplete, typed.message))
        }
        (Err(typed), Err(framed)) => {
            assert_same_errors(&typed, &framed);
            Err(typed)
        }
        (typed, framed) => panic!("{typed:?}\n{framed:?}", typed = typed.map(drop), framed = framed.map(drop)),
    }
}

/// The answer of an action with one value, which must be the same for structs and for frames.
#[track_caller]
fn value<A: ValueAction<Response: Serialize>>(params: &A, reply: &Reply) -> Result<Json, Error> {
    let script = Script::new([reply.clone(), reply.clone()]);
    let client = client(&script);
    let request = Request::new(A::ACTION, params.to_values())?;
    let framed = script.block_on(client.ask(A::ACTION, &request, Leniency::default()));
    let typed = script.block_on(client.value(params));
    let urls = script.take_urls();
    assert_eq!(urls[0], urls[1]);
    match (typed, framed) {
        (Ok(typed), Ok(framed)) => {
            let layout = A::ACTION.layout;
            let answer = serde_json::to_value(&typed).unwrap();
            assert_eq!(frame_value(&framed.items, layout.row, layout.envelope).unwrap()["result"], answer["result"]);
            Ok(answer["result"].clone())
        }
        (Err(typed), Err(framed)) => {
            assert_same_errors(&typed, &framed);
            Err(typed)
        }
        (typed, framed) => panic!("{typed:?}\n{framed:?}", typed = typed.map(drop), framed = framed.map(drop)),
    }
}
