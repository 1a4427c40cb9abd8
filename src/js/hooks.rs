//! The caller's functions: who hears of drift, bad records and events, and who gives the API key.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Function, Promise, Reflect};
use serde::Serialize;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

use super::page::object;
use crate::client::api_key::AskedKey;
use crate::client::{ApiKey, ClientSettings, Event, EventSink};
use crate::decode::FramePage;
use crate::decode::drift::DriftLog;
use crate::error::Error;

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

#[derive(Serialize)]
struct Drift {
    kind: &'static str,
    record: &'static str,
    field: String,
    found: String,
}

#[derive(Serialize)]
struct BadRecord<'a> {
    path: &'a str,
    expected: &'a str,
    found: String,
    raw: String,
}

#[derive(Serialize)]
struct Told<'a> {
    kind: &'static str,
    url: &'a str,
    attempt: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    ms: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
}

impl Hooks {
    /// Reads the functions; those that the client itself calls go into its settings.
    pub(super) fn read(functions: &JsValue, settings: &mut ClientSettings) -> Self {
        if let Some(ask) = function(functions, "apiKey") {
            settings.api_key = Some(ApiKey::ask(move || asked(&ask)));
        }
        settings.on_event =
            function(functions, "onEvent").map(|hook| EventSink::new(move |event| tell_event(&hook, event)));
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
            let (field, found) = (self.hidden(&drift.field), self.hidden(&drift.found));
            tell(self.on_drift.as_ref(), &Drift { kind: drift.kind.as_str(), record: drift.record, field, found });
        }
        for bad in &page.bad_rows {
            let (path, expected) = (&*bad.mismatch.path, &*bad.mismatch.expected);
            let (found, raw) = (self.hidden(&bad.mismatch.found), self.hidden(&bad.raw));
            tell(self.on_bad_record.as_ref(), &BadRecord { path, expected, found, raw });
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

fn tell_event(hook: &Function, event: &Event<'_>) {
    #[expect(clippy::cast_precision_loss, reason = "JavaScript's numbers")]
    let ms = event.ms.map(|ms| ms as f64);
    let (kind, code) = (event.kind.as_str(), event.code.map(crate::error::ErrorCode::as_str));
    tell(Some(hook), &Told { kind, url: event.url, attempt: event.attempt, ms, status: event.status, code });
}

fn tell(hook: Option<&Function>, event: &impl Serialize) {
    if let Some(hook) = hook
        && let Ok(event) = object(event)
    {
        // The package wraps its hooks so that they do not throw.
        drop(hook.call1(&JsValue::UNDEFINED, &event));
    }
}
