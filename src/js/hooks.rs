//! The caller's functions: who hears of drift, bad records and events, and who gives the API key.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Function, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

use super::page::number;
use crate::client::api_key::AskedKey;
use crate::client::{ApiKey, EventSink};
use crate::decode::drift::DriftLog;
use crate::decode::{BadRow, FramePage};
use crate::error::{Error, ErrorCode};

// The package wraps its hooks so that they do not throw.
#[wasm_bindgen(raw_module = "./hooks.js")]
extern "C" {
    #[wasm_bindgen(js_name = tellDrift)]
    fn tell_drift(hook: &Function, kind: &str, record: &str, field: &str, found: &str);
    #[wasm_bindgen(js_name = tellBadRecord)]
    fn tell_bad_record(hook: &Function, path: &str, expected: &str, found: &str, raw: &str);
    #[wasm_bindgen(js_name = tellEvent)]
    fn tell_event(
        hook: &Function,
        kind: &str,
        url: &str,
        attempt: u32,
        ms: Option<f64>,
        status: Option<u16>,
        code: Option<&str>,
    );
}

/// What the caller wants to hear of.
#[derive(Debug, Clone, Default)]
pub(super) struct Hooks {
    /// What the client has told: each shape once, whatever the list.
    told: Rc<RefCell<DriftLog>>,
    on_drift: Option<Function>,
    on_bad_record: Option<Function>,
    /// Hidden in whatever is told: a service may repeat its request.
    api_key: Option<ApiKey>,
}

impl Hooks {
    pub(super) fn new(on_drift: Option<Function>, on_bad_record: Option<Function>, api_key: Option<ApiKey>) -> Self {
        Self { told: Rc::default(), on_drift, on_bad_record, api_key }
    }

    /// Tells what a page brought to light.
    pub(super) fn tell(&self, page: &FramePage) {
        for drift in page.drift.iter().filter(|drift| self.told.borrow_mut().admit(drift)) {
            if let Some(hook) = &self.on_drift {
                let (field, found) = (self.hidden(&drift.field), self.hidden(&drift.found));
                tell_drift(hook, drift.kind.as_str(), drift.record, &field, &found);
            }
        }
        let Some(hook) = &self.on_bad_record else { return };
        for BadRow { mismatch, raw } in &page.bad_rows {
            tell_bad_record(hook, &mismatch.path, mismatch.expected, &self.hidden(&mismatch.found), &self.hidden(raw));
        }
    }

    /// The text without the API key.
    pub(super) fn hidden(&self, text: &str) -> String {
        self.api_key.as_ref().map_or_else(|| text.to_owned(), |key| key.hidden_in(text))
    }
}

/// Who hears of events.
pub(super) fn event_sink(hook: Function) -> EventSink {
    EventSink::new(move |event| {
        let (ms, code) = (event.ms.map(number), event.code.map(ErrorCode::as_str));
        tell_event(&hook, event.kind.as_str(), event.url, event.attempt, ms, event.status, code);
    })
}

/// The key that the caller's function gives, at once or as a promise.
pub(super) fn asked_key(ask: Function) -> ApiKey {
    ApiKey::ask(move || asked(&ask))
}

fn asked(ask: &Function) -> AskedKey {
    let given = ask.call0(&JsValue::UNDEFINED);
    Box::pin(async move {
        // What it says may hold the key.
        let failed = |_| Error::invalid_parameter("apiKey", "the function failed; the request was not sent");
        let given = JsFuture::from(Promise::resolve(&given.map_err(failed)?)).await.map_err(failed)?;
        given.as_string().ok_or_else(|| Error::invalid_parameter("apiKey", "the function must give a text"))
    })
}
