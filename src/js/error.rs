//! Errors as JavaScript sees them.

use serde::Serialize;
use wasm_bindgen::prelude::*;
use web_sys::AbortSignal;

use crate::error::{Error, ErrorCode};

#[wasm_bindgen(raw_module = "./errors.js")]
extern "C" {
    #[wasm_bindgen(js_name = fromDetails)]
    fn from_details(code: &str, message: &str, details: &JsValue, cause: &JsValue) -> JsValue;
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Details<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retry_after_ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parameter: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attempts: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resume_token: Option<&'a str>,
}

/// An `AddressQueryError`.
#[expect(clippy::needless_pass_by_value, reason = "the shape that map_err takes")]
pub(super) fn to_js(error: Error) -> JsValue {
    with_cause(&error, &JsValue::UNDEFINED)
}

/// The error of a call that its signal ended; the signal's reason is the cause.
pub(super) fn aborted(signal: Option<&AbortSignal>, resume_token: Option<String>) -> JsValue {
    let mut error = Error::new(ErrorCode::Aborted, "the call was aborted");
    error.resume_token = resume_token;
    let reason = signal.filter(|signal| signal.aborted()).map_or(JsValue::UNDEFINED, AbortSignal::reason);
    with_cause(&error, &reason)
}

fn with_cause(error: &Error, cause: &JsValue) -> JsValue {
    #[expect(clippy::cast_precision_loss, reason = "JavaScript's numbers")]
    let details = Details {
        status: error.status,
        retry_after_ms: error.retry_after_ms.map(|ms| ms as f64),
        path: error.path.as_deref(),
        parameter: error.parameter.as_deref(),
        url: error.url.as_deref(),
        attempts: error.attempts,
        resume_token: error.resume_token.as_deref(),
    };
    let details = details.serialize(&serde_wasm_bindgen::Serializer::json_compatible()).unwrap_or_default();
    from_details(error.code.as_str(), &error.message, &details, cause)
}
