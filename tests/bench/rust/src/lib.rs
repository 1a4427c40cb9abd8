//! The usual contenders for passing data from Rust to JavaScript. serde deserializes a response into the structs of the crate.
//! serde-wasm-bindgen converts these to objects, or serde_json serializes them for `JSON.parse`.
#![cfg(target_arch = "wasm32")]

use address_query::types::{AccountTransaction, AddressListItem, Log, NftInstance, TokenTransfer};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;

/// Decodes the records of a response to objects, with serde-wasm-bindgen.
///
/// # Errors
/// If the response is invalid.
#[wasm_bindgen]
pub fn decode_to_objects(operation: &str, bytes: &[u8]) -> Result<JsValue, JsError> {
    decode_records(operation, bytes, |records| {
        Ok(records.to_objects().map_err(|error| JsError::new(&error.to_string()))?)
    })
}

/// Decodes the records of a response to JSON, with serde_json.
///
/// # Errors
/// If the response is invalid.
#[wasm_bindgen]
pub fn decode_to_json(operation: &str, bytes: &[u8]) -> Result<String, JsError> {
    decode_records(operation, bytes, |records| Ok(records.to_json()?))
}

/// Records of any type that can be passed to JavaScript.
trait Records {
    fn to_objects(&self) -> Result<JsValue, serde_wasm_bindgen::Error>;
    fn to_json(&self) -> serde_json::Result<String>;
}

impl<T: Serialize> Records for Vec<T> {
    fn to_objects(&self) -> Result<JsValue, serde_wasm_bindgen::Error> {
        self.serialize(&serde_wasm_bindgen::Serializer::json_compatible())
    }

    fn to_json(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }
}

/// Decodes the records of a response and passes them to `convert`.
fn decode_records<R>(
    operation: &str,
    bytes: &[u8],
    convert: impl FnOnce(&dyn Records) -> Result<R, JsError>,
) -> Result<R, JsError> {
    match operation {
        "addresses" => convert(&read_records::<AddressListItem>(bytes)?),
        "addressNft" => convert(&read_records::<NftInstance>(bytes)?),
        "addressLogs" => convert(&read_records::<Log>(bytes)?),
        "addressTokenTransfers" => convert(&read_records::<TokenTransfer>(bytes)?),
        "txList" => convert(&read_records::<AccountTransaction>(bytes)?),
        _ => Err(JsError::new("operation is not part of the benchmark")),
    }
}

/// A page of a list, or the rows of an action.
#[derive(Deserialize)]
struct Response<T> {
    #[serde(alias = "result")]
    items: Vec<T>,
}

/// Decodes the records of a response.
fn read_records<T: DeserializeOwned>(bytes: &[u8]) -> Result<Vec<T>, JsError> {
    Ok(serde_json::from_slice::<Response<T>>(bytes)?.items)
}
