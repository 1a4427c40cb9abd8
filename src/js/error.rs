//! Errors as JavaScript sees them.

use wasm_bindgen::prelude::*;

use super::plain::Plain;
use crate::error::Error;

#[wasm_bindgen(raw_module = "./errors.js")]
extern "C" {
    #[wasm_bindgen(js_name = fromDetails)]
    fn from_details(code: &str, message: &str, details: &JsValue) -> JsValue;
}

/// An `AddressQueryError`.
#[expect(clippy::needless_pass_by_value, reason = "the shape that map_err takes")]
pub(super) fn to_js(error: Error) -> JsValue {
    let details = Plain::given(vec![
        ("status", error.status.map(Plain::number)),
        ("retryAfterMs", error.retry_after_ms.map(Plain::number)),
        ("path", error.path.as_deref().map(Plain::text)),
        ("parameter", error.parameter.as_deref().map(Plain::text)),
        ("url", error.url.as_deref().map(Plain::text)),
        ("attempts", error.attempts.map(Plain::number)),
        ("resumeToken", error.resume_token.as_deref().map(Plain::text)),
    ]);
    let details = details.to_js().unwrap_or_default();
    from_details(error.code.as_str(), &error.message, &details)
}
