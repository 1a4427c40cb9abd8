//! Converts errors to the `AddressQueryError` of JavaScript.

use wasm_bindgen::prelude::*;

use super::object;
use crate::error::Error;

#[wasm_bindgen(raw_module = "./errors.js")]
extern "C" {
    #[wasm_bindgen(js_name = createError)]
    fn create_error(message: &str, details: &JsValue, retryable: bool) -> JsValue;
}

impl From<Error> for JsValue {
    /// Converts an error to an `AddressQueryError`.
    #[cold]
    fn from(error: Error) -> Self {
        create_error(&error.message, &object::to_js(&*error), error.is_retryable())
    }
}
