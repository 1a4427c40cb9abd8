//! Lists and ranges: page after page, window after window.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::Promise;
use wasm_bindgen::prelude::*;
use web_sys::{AbortController, AbortSignal};

use super::hooks::Hooks;
use super::{Session, entries, error, page, stop};
use crate::browser::Browser;
use crate::client::settings::LIST_SETTINGS;
use crate::client::{FramePages, Pager, RangeReader};
use crate::endpoint::{Action, List, action_named, list_named};
use crate::error::{Error, ErrorCode};

/// A reader that is taken out while it reads: one read at a time.
#[derive(Debug)]
struct Turn<T> {
    /// Not there while it is reading.
    reader: Rc<RefCell<Option<T>>>,
    cancel: AbortController,
}

impl<T: 'static> Turn<T> {
    fn new(reader: T) -> Result<Self, Error> {
        let cancel = AbortController::new().map_err(|_| Error::new(ErrorCode::Internal, "no AbortController here"))?;
        Ok(Self { reader: Rc::new(RefCell::new(Some(reader))), cancel })
    }

    /// A promise of what `read` makes of the reader.
    fn take(
        &self,
        signal: Option<AbortSignal>,
        read: impl AsyncFnOnce(&mut T) -> Result<JsValue, JsValue> + 'static,
        token: fn(&T) -> Option<String>,
    ) -> Promise {
        let (cell, place) = (Rc::clone(&self.reader), Rc::clone(&self.reader));
        let work = async move {
            let Some(reader) = cell.take() else {
                return Err(error::to_js(Error::new(ErrorCode::Internal, "a page is being read already")));
            };
            let mut lent = Lent { reader: Some(reader), place: cell };
            match &mut lent.reader {
                Some(reader) => read(reader).await,
                None => Ok(JsValue::NULL),
            }
        };
        let token = move || place.borrow().as_ref().and_then(token);
        stop::stoppable(Box::pin(work), signal, Some(self.cancel.signal()), Box::new(token))
    }
}

/// A reader that is taken out. It is put back when the work ends, also where that is dropped.
struct Lent<T> {
    reader: Option<T>,
    place: Rc<RefCell<Option<T>>>,
}

impl<T> Drop for Lent<T> {
    fn drop(&mut self) {
        self.place.replace(self.reader.take());
    }
}

/// The pages of a list, one after the other.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Pages {
    turn: Turn<Pager<Browser, FramePages>>,
    hooks: Hooks,
    list: &'static List,
    prefetch: bool,
}

impl Pages {
    pub(super) fn open(session: &Session, name: &str, params: &JsValue, settings: &JsValue) -> Result<Self, Error> {
        let list = list_named(name).ok_or_else(|| Error::new(ErrorCode::Internal, "no list of that name"))?;
        let request = entries::request(list, params)?;
        let (client, settings) = session.client_with(settings, LIST_SETTINGS)?;
        let pager = Pager::new(client, request, FramePages::new(list, session.leniency), settings.resume.as_deref())?;
        Ok(Self { turn: Turn::new(pager)?, hooks: session.hooks.clone(), list, prefetch: settings.prefetch })
    }
}

#[wasm_bindgen]
impl Pages {
    /// A promise of the next page; of `null` after the last. One at a time.
    pub fn next(&self, signal: Option<AbortSignal>) -> Promise {
        let (list, hooks) = (self.list, self.hooks.clone());
        let read = async move |pager: &mut Pager<Browser, FramePages>| match pager.next().await {
            Ok(Some(read)) => page::page(list, read, pager.resume_token().as_deref(), &hooks),
            Ok(None) => Ok(JsValue::NULL),
            Err(error) => Err(error::to_js(error)),
        };
        self.turn.take(signal, read, Pager::resume_token)
    }

    /// Ends the reading of a page that is under way, and every later one.
    pub fn cancel(&self) {
        self.turn.cancel.abort();
    }

    /// Whether the next page is fetched while the caller is busy with one.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn prefetch(&self) -> bool {
        self.prefetch
    }
}

/// The windows of a range, one after the other, large ones in parts.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Ranges {
    turn: Turn<RangeReader<Browser>>,
    hooks: Hooks,
    action: &'static Action,
    prefetch: bool,
}

impl Ranges {
    pub(super) fn open(session: &Session, name: &str, params: &JsValue, settings: &JsValue) -> Result<Self, Error> {
        let action = action_named(name).ok_or_else(|| Error::new(ErrorCode::Internal, "no action of that name"))?;
        let request = entries::request(action, params)?;
        let (client, settings) = session.client_with(settings, LIST_SETTINGS)?;
        let reader = RangeReader::new(client, action, request, session.leniency, settings.resume.as_deref())?;
        Ok(Self { turn: Turn::new(reader)?, hooks: session.hooks.clone(), action, prefetch: settings.prefetch })
    }
}

#[wasm_bindgen]
impl Ranges {
    /// A promise of the next window, or of the next part of a large one, with its records and the report so far; `isPart`
    /// says that there is more of the window, and `items` are null after the last. One at a time.
    pub fn next(&self, signal: Option<AbortSignal>) -> Promise {
        let (action, hooks) = (self.action, self.hooks.clone());
        let read = async move |reader: &mut RangeReader<Browser>| match reader.next().await {
            Ok(window) => page::window(action, window, reader, &hooks),
            Err(error) => Err(error::to_js(error)),
        };
        self.turn.take(signal, read, RangeReader::resume_token)
    }

    /// Ends the reading of a window that is under way or half read, and every later one.
    pub fn cancel(&self) {
        self.turn.cancel.abort();
        // Not borrowed meanwhile: who hears of the request's end may call what looks here.
        if let Some(mut reader) = self.turn.reader.take() {
            reader.let_go();
            self.turn.reader.replace(Some(reader));
        }
    }

    /// Whether the next window is fetched while the caller is busy with one.
    #[wasm_bindgen(getter)]
    #[must_use]
    pub fn prefetch(&self) -> bool {
        self.prefetch
    }
}
