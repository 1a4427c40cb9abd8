//! Converts errors to the `AddressQueryError` of JavaScript.

use wasm_bindgen::prelude::*;

use super::number::to_f64;
use crate::client::retry::is_retryable;
use crate::error::Error;

#[wasm_bindgen(raw_module = "./errors.js")]
extern "C" {
    #[wasm_bindgen(js_name = createError)]
    fn create_error(
        code: &str,
        message: &str,
        status: Option<u16>,
        retry_after_ms: Option<f64>,
        path: Option<&str>,
        parameter: Option<&str>,
        url: Option<&str>,
        attempts: Option<u32>,
        retryable: bool,
    ) -> JsValue;
}

/// Converts an error to an `AddressQueryError`. The iteration in JavaScript adds the resume token, because it knows which
/// records were delivered.
#[expect(clippy::needless_pass_by_value, reason = "a signature for map_err")]
pub(super) fn to_js(error: Error) -> JsValue {
    create_error(
        error.code.as_str(),
        &error.message,
        error.status,
        error.retry_after_ms.map(to_f64),
        error.path.as_deref(),
        error.parameter.as_deref(),
        error.url.as_deref(),
        error.attempts,
        is_retryable(&error),
    )
}
