//! User callbacks: `onDrift`, `onBadRecord`, `onEvent`, and the function that returns the API key.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Function, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

use super::object;
use crate::client::{ApiKey, ApiKeyFuture, EventSink};
use crate::decode::{BadRow, Drift, DriftLog, FramePage};
use crate::error::Error;
use crate::object::JsonValue;

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
                let Drift { kind, record, field, found } = drift;
                let (field, found) = (self.redact(field), self.redact(found));
                emit(callback, &Drift { kind: *kind, record, field, found });
            }
        }
        let Some(callback) = &self.on_bad_record else { return };
        for bad in &page.bad_rows {
            let (found, raw) = (self.redact(&bad.found), self.redact(&bad.raw));
            emit(callback, &BadRow { found, raw, ..bad.clone() });
        }
    }

    /// Returns the string with the API key removed.
    fn redact(&self, string: &str) -> String {
        self.api_key.as_ref().map_or_else(|| string.to_owned(), |key| key.redact(string))
    }
}

/// Creates a sink that calls `onEvent`.
pub(super) fn create_event_sink(callback: Function) -> EventSink {
    EventSink::new(move |event| emit(&callback, event))
}

/// Calls a callback with an object. The JavaScript side has wrapped it so that it does not throw.
fn emit(callback: &Function, object: &dyn JsonValue) {
    drop(callback.call1(&JsValue::UNDEFINED, &object::to_js(object)));
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
