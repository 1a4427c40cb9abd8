//! User callbacks: `onDrift`, `onBadRecord`, `onEvent`, and the function that returns the API key.

use js_sys::{Function, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

use super::object;
use crate::client::{ApiKey, ApiKeyFuture, BadRecordSink, DriftSink, EventSink};
use crate::error::Error;
use crate::object::JsonValue;

/// Creates a sink that calls `onEvent`.
pub(super) fn create_event_sink(callback: Function) -> EventSink {
    EventSink::new(move |event| emit(&callback, event))
}

/// Creates a sink that calls `onDrift`.
pub(super) fn create_drift_sink(callback: Function) -> DriftSink {
    DriftSink::new(move |drift| emit(&callback, drift))
}

/// Creates a sink that calls `onBadRecord`.
pub(super) fn create_bad_record_sink(callback: Function) -> BadRecordSink {
    BadRecordSink::new(move |bad| emit(&callback, bad))
}

/// Calls a callback with an object. The JavaScript side has wrapped it so that it does not throw.
fn emit(callback: &Function, object: &dyn JsonValue) {
    drop(callback.call1(&JsValue::UNDEFINED, &object::to_js(object)));
}

/// Creates an [`ApiKey`] from a user function that returns the key, directly or as a promise.
pub(super) fn create_api_key(callback: Function) -> ApiKey {
    ApiKey::from_fn(move || request_api_key(&callback))
}

fn request_api_key(callback: &Function) -> ApiKeyFuture {
    let returned = callback.call0(&JsValue::UNDEFINED);
    Box::pin(async move {
        // Discard the exception: its message may contain the key.
        let threw = |_| Error::invalid_parameter("apiKey", "the function threw an error; the request was not sent");
        let key = JsFuture::from(Promise::resolve(&returned.map_err(threw)?)).await.map_err(threw)?;
        key.as_string().ok_or_else(|| Error::invalid_parameter("apiKey", "the function must return a string"))
    })
}
