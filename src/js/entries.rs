//! Named values, as the package hands them over.

use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue};

use crate::client::settings::Entries;
use crate::endpoint::ParamValue;

/// What a list says that holds names and values by turns. (`serde_wasm_bindgen` would pass over misspelt names, and brings the
/// formatting of floats into the module.)
pub(super) fn read(list: &Array) -> Entries {
    let mut entries = Entries::new();
    for at in (0..list.length()).step_by(2) {
        let name = list.get(at).as_string().unwrap_or_default();
        entries.push((name, value(&list.get(at + 1))));
    }
    entries
}

fn value(given: &JsValue) -> ParamValue {
    if let Some(text) = given.as_string() {
        return ParamValue::String(text);
    }
    if let Some(number) = given.as_f64() {
        return ParamValue::Number(number);
    }
    if let Some(switch) = given.as_bool() {
        return ParamValue::Boolean(switch);
    }
    let Some(list) = given.dyn_ref::<Array>() else { return ParamValue::Other };
    let mut texts = Vec::new();
    for at in 0..list.length() {
        let Some(text) = list.get(at).as_string() else { return ParamValue::Other };
        texts.push(text);
    }
    ParamValue::List(texts)
}
