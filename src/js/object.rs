//! Converts declared objects to objects of JavaScript.

use wasm_bindgen::prelude::*;

use crate::object::JsonValue;

/// Converts an object, or a list of objects.
pub(super) fn to_js(object: &impl JsonValue) -> JsValue {
    js_sys::JSON::parse(&object.to_json()).unwrap_or_default()
}
