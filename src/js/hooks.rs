//! The caller's functions: who hears of drift, bad records and events, and who gives the API key.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Function, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

use super::page::number;
use crate::client::api_key::AskedKey;
use crate::client::{ApiKey, ClientSettings, EventSink};
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
    /// Reads the functions; those that the client itself calls go into its settings.
    pub(super) fn read(functions: &JsValue, settings: &mut ClientSettings) -> Self {
        if let Some(ask) = function(functions, "apiKey") {
            settings.api_key = Some(ApiKey::ask(move || asked(&ask)));
        }
        settings.on_event = function(functions, "onEvent").map(|hook| {
            EventSink::new(move |event| {
                let (ms, code) = (event.ms.map(number), event.code.map(ErrorCode::as_str));
                tell_event(&hook, event.kind.as_str(), event.url, event.attempt, ms, event.status, code);
            })
        });
        Self {
            told: Rc::default(),
            on_drift: function(functions, "onDrift"),
            on_bad_record: function(functions, "onBadRecord"),
            api_key: settings.api_key.clone(),
        }
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

/// A function among the caller's options; the package has checked that it is one.
pub(super) fn function(functions: &JsValue, name: &str) -> Option<Function> {
    Reflect::get(functions, &name.into()).ok()?.dyn_into().ok()
}

/// The key that the caller's function gives, at once or as a promise.
fn asked(ask: &Function) -> AskedKey {
    let given = ask.call0(&JsValue::UNDEFINED);
    Box::pin(async move {
        let failed = || Error::invalid_parameter("apiKey", "the function failed; nothing was sent");
        let given = JsFuture::from(Promise::resolve(&given.map_err(|_| failed())?)).await.map_err(|_| failed())?;
        given.as_string().ok_or_else(|| Error::invalid_parameter("apiKey", "the function must give a text"))
    })
}
