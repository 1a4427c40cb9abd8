//! Ending work at a signal.

use std::future::Future;

use web_sys::AbortSignal;

use crate::browser::Aborted;
use crate::client::{First, runtime};

/// What the work gives, unless one of the signals ends it first.
pub(super) async fn unless<T>(
    signal: Option<&AbortSignal>,
    cancel: Option<&AbortSignal>,
    work: impl Future<Output = T>,
) -> Option<T> {
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
