//! Converts parameters and options from JavaScript.

use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue};

use crate::client::options::NamedValues;
use crate::endpoint::ParamValue;

/// Converts an array of alternating names and values.
///
/// This does not use `serde_wasm_bindgen`, which ignores misspelt names and adds 11 KB (brotli) to the package.
pub(super) fn from_js(list: &Array) -> NamedValues {
    let mut values = NamedValues::new();
    for index in (0..list.length()).step_by(2) {
        let name = list.get(index).as_string().unwrap_or_default();
        values.push((name, to_param_value(&list.get(index + 1))));
    }
    values
}

/// Finds the value of this name in an array of alternating names and values. Returns undefined if there is none.
pub(super) fn find(list: &Array, name: &str) -> JsValue {
    let index = (0..list.length()).step_by(2).find(|index| list.get(*index).as_string().as_deref() == Some(name));
    index.map_or(JsValue::UNDEFINED, |index| list.get(index + 1))
}

fn to_param_value(value: &JsValue) -> ParamValue {
    if let Some(string) = value.as_string() {
        return ParamValue::String(string);
    }
    if let Some(number) = value.as_f64() {
        return ParamValue::Number(number);
    }
    if let Some(boolean) = value.as_bool() {
        return ParamValue::Boolean(boolean);
    }
    let Some(list) = value.dyn_ref::<Array>() else { return ParamValue::Other };
    let mut strings = Vec::new();
    for index in 0..list.length() {
        let Some(string) = list.get(index).as_string() else { return ParamValue::Other };
        strings.push(string);
    }
    ParamValue::List(strings)
}
