//! Errors as JavaScript sees them.

use wasm_bindgen::prelude::*;

use super::page::number;
use crate::client::retry::is_retryable;
use crate::error::Error;

#[wasm_bindgen(raw_module = "./errors.js")]
extern "C" {
    #[wasm_bindgen(js_name = fromDetails)]
    fn from_details(
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

/// An `AddressQueryError`. Where to go on is the iteration's to say: it knows what was given out.
#[expect(clippy::needless_pass_by_value, reason = "the shape that map_err takes")]
pub(super) fn to_js(error: Error) -> JsValue {
    from_details(
        error.code.as_str(),
        &error.message,
        error.status,
        error.retry_after_ms.map(number),
        error.path.as_deref(),
        error.parameter.as_deref(),
        error.url.as_deref(),
        error.attempts,
        is_retryable(&error),
    )
}
