//! User callbacks: `onDrift`, `onBadRecord`, `onEvent`, and the function that returns the API key.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Function, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

use super::number::{signed_to_f64, to_f64};
use crate::client::api_key::ApiKeyFuture;
use crate::client::{ApiKey, EventSink};
use crate::decode::DriftLog;
use crate::decode::{BadRow, FramePage};
use crate::error::{Error, ErrorCode};

// The JavaScript side wraps the callbacks so that they do not throw.
#[wasm_bindgen(raw_module = "./callbacks.js")]
extern "C" {
    #[wasm_bindgen(js_name = emitDrift)]
    fn emit_drift(callback: &Function, kind: &str, record: &str, field: &str, found: &str);
    #[wasm_bindgen(js_name = emitBadRecord)]
    fn emit_bad_record(callback: &Function, path: &str, expected: &str, found: &str, raw: &str);
    #[wasm_bindgen(js_name = emitEvent)]
    fn emit_event(
        callback: &Function,
        kind: &str,
        url: &str,
        attempt: u32,
        ms: Option<f64>,
        status: Option<u16>,
        code: Option<&str>,
        credits: Option<f64>,
    );
}

/// The callbacks that receive the findings of a page: drift and invalid records. Clones share the drift log.
#[derive(Debug, Clone, Default)]
pub(super) struct Callbacks {
    /// Drift that was already reported. A client reports the same drift once, even if several methods find it.
    reported: Rc<RefCell<DriftLog>>,
    on_drift: Option<Function>,
    on_bad_record: Option<Function>,
    /// The key to redact in all arguments, because a service may echo the request.
    api_key: Option<ApiKey>,
}

impl Callbacks {
    pub(super) fn new(on_drift: Option<Function>, on_bad_record: Option<Function>, api_key: Option<ApiKey>) -> Self {
        Self { reported: Rc::default(), on_drift, on_bad_record, api_key }
    }

    /// Calls `onDrift` and `onBadRecord` with the findings of a page.
    pub(super) fn emit_findings(&self, page: &FramePage) {
        for drift in page.drift.iter().filter(|drift| self.reported.borrow_mut().insert(drift)) {
            if let Some(callback) = &self.on_drift {
                let (field, found) = (self.redact(&drift.field), self.redact(&drift.found));
                emit_drift(callback, drift.kind.as_str(), drift.record, &field, &found);
            }
        }
        let Some(callback) = &self.on_bad_record else { return };
        for BadRow { mismatch, raw } in &page.bad_rows {
            emit_bad_record(
                callback,
                &mismatch.path,
                mismatch.expected,
                &self.redact(&mismatch.found),
                &self.redact(raw),
            );
        }
    }

    /// Returns the string with the API key removed.
    pub(super) fn redact(&self, string: &str) -> String {
        self.api_key.as_ref().map_or_else(|| string.to_owned(), |key| key.redact(string))
    }
}

/// Creates a sink that calls `onEvent`.
pub(super) fn create_event_sink(callback: Function) -> EventSink {
    EventSink::new(move |event| {
        let (ms, code) = (event.ms.map(to_f64), event.code.map(ErrorCode::as_str));
        let credits = event.credits.map(signed_to_f64);
        emit_event(&callback, event.kind.as_str(), event.url, event.attempt, ms, event.status, code, credits);
    })
}

/// Creates an [`ApiKey`] from a user function that returns the key, directly or as a promise.
pub(super) fn create_api_key(callback: Function) -> ApiKey {
    ApiKey::from_fn(move || request_api_key(&callback))
}

fn request_api_key(callback: &Function) -> ApiKeyFuture {
    let returned = callback.call0(&JsValue::UNDEFINED);
    Box::pin(async move {
        // Discard the exception: its message may contain the key.
        let threw = |_| Error::invalid_parameter("apiKey", "the function threw an error; the request was not sent");
        let key = JsFuture::from(Promise::resolve(&returned.map_err(threw)?)).await.map_err(threw)?;
        key.as_string().ok_or_else(|| Error::invalid_parameter("apiKey", "the function must return a string"))
    })
}
