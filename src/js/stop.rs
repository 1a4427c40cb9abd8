//! Promises of work that a signal ends.

use std::future::Future;
use std::pin::Pin;

use js_sys::Promise;
use wasm_bindgen::JsValue;
use web_sys::AbortSignal;

use super::error;
use crate::browser::Aborted;
use crate::client::{First, runtime};

/// What a promise is made of. (One type for all: each kind of work would get this machinery anew.)
pub(super) type Work = Pin<Box<dyn Future<Output = Result<JsValue, JsValue>>>>;

/// A promise of what the work gives, unless the caller's signal ends it first.
pub(super) fn promise(work: Work, signal: Option<AbortSignal>) -> Promise {
    stoppable(work, signal, None, Box::new(|| None))
}

/// The same, where a signal of ours ends it too. A list says with `token` where it goes on.
pub(super) fn stoppable(
    work: Work,
    signal: Option<AbortSignal>,
    cancel: Option<AbortSignal>,
    token: Box<dyn Fn() -> Option<String>>,
) -> Promise {
    wasm_bindgen_futures::future_to_promise(async move {
        let outcome = unless(signal.as_ref(), cancel.as_ref(), work).await;
        // The caller's reason is given back as it is.
        outcome.unwrap_or_else(|| Err(error::aborted(signal.as_ref(), token())))
    })
}

async fn unless(
    signal: Option<&AbortSignal>,
    cancel: Option<&AbortSignal>,
    work: Work,
) -> Option<Result<JsValue, JsValue>> {
    if [signal, cancel].into_iter().flatten().any(AbortSignal::aborted) {
        return None;
    }
    let stopped = runtime::race(aborted(signal), aborted(cancel));
    match runtime::race(work, stopped).await {
        First::Left(outcome) => Some(outcome),
        First::Right(_) => None,
    }
}

async fn aborted(signal: Option<&AbortSignal>) {
    match signal {
        Some(signal) => Aborted::listen(signal).wait().await,
        None => std::future::pending().await,
    }
}
