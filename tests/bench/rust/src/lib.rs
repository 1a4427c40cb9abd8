//! The usual ways from Rust to JavaScript: the bytes of an answer are read into the crate's own structs by serde, and these
//! become objects by serde-wasm-bindgen, or JSON text for `JSON.parse`.
#![cfg(target_arch = "wasm32")]

use address_query::decode::Page;
use address_query::decode::typed::read_rows;
use address_query::types::{
    AccountTransaction, AddressListItem, Addresses, ItemsOnly, Log, NftInstance, TokenTransfer,
};
use serde::Serialize;
use wasm_bindgen::prelude::*;

/// The records of an answer as objects, by serde-wasm-bindgen.
///
/// # Errors
/// What does not fit.
#[wasm_bindgen]
pub fn objects(operation: &str, bytes: &[u8]) -> Result<JsValue, JsError> {
    records(operation, bytes, |records| Ok(records.to_objects().map_err(|error| JsError::new(&error.to_string()))?))
}

/// The records of an answer as JSON text, by serde_json.
///
/// # Errors
/// What does not fit.
#[wasm_bindgen]
pub fn text(operation: &str, bytes: &[u8]) -> Result<String, JsError> {
    records(operation, bytes, |records| Ok(records.to_text()?))
}

/// Records of any type, to be handed over.
trait Records {
    fn to_objects(&self) -> Result<JsValue, serde_wasm_bindgen::Error>;
    fn to_text(&self) -> serde_json::Result<String>;
}

impl<T: Serialize> Records for Vec<T> {
    fn to_objects(&self) -> Result<JsValue, serde_wasm_bindgen::Error> {
        self.serialize(&serde_wasm_bindgen::Serializer::json_compatible())
    }

    fn to_text(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }
}

fn records<R>(
    operation: &str,
    bytes: &[u8],
    hand_over: impl FnOnce(&dyn Records) -> Result<R, JsError>,
) -> Result<R, JsError> {
    let unfit = |fail| JsError::new(&format!("{fail:?}"));
    match operation {
        "addresses" => hand_over(&Page::<AddressListItem, Addresses>::read(bytes).map_err(unfit)?.items),
        "addressNft" => hand_over(&Page::<NftInstance, ItemsOnly>::read(bytes).map_err(unfit)?.items),
        "addressLogs" => hand_over(&Page::<Log, ItemsOnly>::read(bytes).map_err(unfit)?.items),
        "addressTokenTransfers" => hand_over(&Page::<TokenTransfer, ItemsOnly>::read(bytes).map_err(unfit)?.items),
        "txList" => hand_over(&read_rows::<AccountTransaction>(bytes).map_err(unfit)?.1.unwrap_or_default()),
        _ => Err(JsError::new("not one of the operations that are measured")),
    }
}
