//! Converts declared objects to objects of JavaScript.

use wasm_bindgen::prelude::*;

use crate::object::{JsonValue, to_json};

/// Converts an object, or a list of objects.
pub(super) fn to_js(object: &dyn JsonValue) -> JsValue {
    js_sys::JSON::parse(&to_json(object)).unwrap_or_default()
}
