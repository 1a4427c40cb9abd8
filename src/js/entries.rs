//! Plain JavaScript objects as named values.

use js_sys::{Array, Object};
use wasm_bindgen::{JsCast, JsValue};

use crate::client::settings::Entries;
use crate::endpoint::ParamValue;
use crate::error::Error;

/// The members of an object; those that are `undefined` or `null` are left out. (`serde_wasm_bindgen` would pass over
/// misspelt names, and brings the formatting of floats into the module.)
pub(super) fn read(object: &JsValue, what: &str) -> Result<Entries, Error> {
    if !object.is_object() || Array::is_array(object) {
        return Err(Error::invalid_parameter(what, "must be an object"));
    }
    let mut entries = Entries::new();
    for entry in Object::entries(object.unchecked_ref()) {
        let entry: Array = entry.unchecked_into();
        let given = entry.get(1);
        if !given.is_null_or_undefined() {
            entries.push((entry.get(0).as_string().unwrap_or_default(), value(&given)));
        }
    }
    Ok(entries)
}

fn value(given: &JsValue) -> ParamValue {
    if let Some(text) = given.as_string() {
        return ParamValue::Text(text);
    }
    if let Some(number) = given.as_f64() {
        return ParamValue::Number(number);
    }
    if let Some(switch) = given.as_bool() {
        return ParamValue::Boolean(switch);
    }
    let Some(list) = given.dyn_ref::<Array>() else { return ParamValue::Other };
    let mut texts = Vec::new();
    for member in list.iter() {
        let Some(text) = member.as_string() else { return ParamValue::Other };
        texts.push(text);
    }
    ParamValue::List(texts)
}
