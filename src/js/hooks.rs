//! The caller's functions: who hears of drift, bad records and events, and who gives the API key.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Function, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

use super::plain::Plain;
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
            let told = [
                ("kind", Plain::text(drift.kind.as_str())),
                ("record", Plain::text(drift.record)),
                ("field", Plain::text(self.hidden(&drift.field))),
                ("found", Plain::text(self.hidden(&drift.found))),
            ];
            tell(self.on_drift.as_ref(), &Plain::Object(told.into()));
        }
        for bad in &page.bad_rows {
            let told = [
                ("path", Plain::text(&*bad.mismatch.path)),
                ("expected", Plain::text(&*bad.mismatch.expected)),
                ("found", Plain::text(self.hidden(&bad.mismatch.found))),
                ("raw", Plain::text(self.hidden(&bad.raw))),
            ];
            tell(self.on_bad_record.as_ref(), &Plain::Object(told.into()));
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
    let told = Plain::given(vec![
        ("kind", Some(Plain::text(event.kind.as_str()))),
        ("url", Some(Plain::text(event.url))),
        ("attempt", Some(Plain::number(event.attempt))),
        ("ms", event.ms.map(Plain::number)),
        ("status", event.status.map(Plain::number)),
        ("code", event.code.map(|code| Plain::text(code.as_str()))),
    ]);
    tell(Some(hook), &told);
}

fn tell(hook: Option<&Function>, event: &Plain<'_>) {
    if let Some(hook) = hook
        && let Ok(event) = event.to_js()
    {
        // The package wraps its hooks so that they do not throw.
        drop(hook.call1(&JsValue::UNDEFINED, &event));
    }
}
