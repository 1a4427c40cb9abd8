//! [`Call`]: one method call from JavaScript. It reads the pages of a list, the windows of a range, or a single result.

use std::cell::{Cell, RefCell};
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use js_sys::Promise;
use wasm_bindgen::prelude::*;

use super::callbacks::Callbacks;
use super::{error, page};
use crate::browser::Browser;
use crate::client::{MethodCall, Resumed};
use crate::error::{Error, ErrorCode};

/// What a call reads, and the callbacks for its findings: drift and invalid records.
#[derive(Debug)]
pub(super) struct CallState {
    pub(super) callbacks: Callbacks,
    pub(super) method_call: MethodCall<Browser>,
}

impl CallState {
    /// Reads the next page, window or batch, or the result.
    async fn next(&mut self) -> Result<JsValue, JsValue> {
        let callbacks = &self.callbacks;
        match &mut self.method_call {
            MethodCall::List(list, pager) => match pager.next().await {
                Ok(Some(page)) => page::page_to_js(list, page, pager.resume_token().as_deref(), callbacks),
                Ok(None) => Ok(JsValue::NULL),
                Err(error) => Err(error::to_js(error)),
            },
            MethodCall::Range(action, reader) => {
                let window = reader.next().await.map_err(error::to_js)?;
                page::window_to_js(action, window, reader, callbacks)
            }
            MethodCall::Action(action, request, client, decode_options) => {
                let builder = page::ResultBuilder::new(action, callbacks);
                let mut pages = builder.attach(client.frame_reader(action.layout, *decode_options));
                let target = client.target(request, None);
                let result = client.fetch_action(&target, action, &mut pages, Resumed::default()).await;
                builder.finish(result.map_err(error::to_js)?.0)
            }
            MethodCall::Batched(addresses, fresh_within_ms, client, decode_options) => {
                let balances = client.balances_with_options(addresses, *fresh_within_ms, *decode_options, |page| {
                    callbacks.emit_findings(page);
                });
                Ok(page::balances_to_js(&balances.await.map_err(error::to_js)?))
            }
        }
    }
}

/// The future that settles a promise.
type Work = Pin<Box<dyn Future<Output = Result<JsValue, JsValue>>>>;

/// A future that can be cancelled while its promise is pending.
#[derive(Default)]
struct Task {
    /// `None` while it is polled, and after it is done or cancelled.
    work: Cell<Option<Work>>,
    waker: Cell<Option<Waker>>,
    is_cancelled: Cell<bool>,
}

impl Task {
    fn poll(&self, context: &mut Context<'_>) -> Poll<Result<JsValue, JsValue>> {
        // Take the future out while it is polled: it may call a user callback, which may cancel this task.
        let Some(mut work) = self.work.take() else { return Poll::Ready(Ok(JsValue::UNDEFINED)) };
        let result = work.as_mut().poll(context);
        if result.is_ready() {
            return result;
        }
        if self.is_cancelled.get() {
            return Poll::Ready(Ok(JsValue::UNDEFINED));
        }
        self.waker.set(Some(context.waker().clone()));
        self.work.set(Some(work));
        Poll::Pending
    }

    fn cancel(&self) {
        self.is_cancelled.set(true);
        drop(self.work.take());
        // The promise keeps the task alive until it settles.
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }
}

/// One call of a method, as JavaScript holds it.
#[wasm_bindgen]
pub struct Call {
    /// `None` while `next` runs.
    state: Rc<RefCell<Option<CallState>>>,
    task: RefCell<Rc<Task>>,
}

/// The state of a call while `next` runs. Dropping it puts the state back, even if the future is dropped early.
struct Borrowed {
    state: Option<CallState>,
    slot: Rc<RefCell<Option<CallState>>>,
}

impl Drop for Borrowed {
    fn drop(&mut self) {
        self.slot.replace(self.state.take());
    }
}

impl Call {
    pub(super) fn new(state: CallState) -> Self {
        Self { state: Rc::new(RefCell::new(Some(state))), task: RefCell::default() }
    }
}

#[wasm_bindgen]
impl Call {
    /// Returns a promise of the next page, window, batch of a window, or result. After the last page it resolves to null, after
    /// the last window to a window whose `items` are null. Rejects if the previous promise is still pending.
    pub fn next(&self) -> Promise {
        let Some(state) = self.state.take() else {
            let message = "next() was called before its previous promise settled";
            return Promise::reject(&error::to_js(Error::new(ErrorCode::Internal, message)));
        };
        let mut borrowed = Borrowed { state: Some(state), slot: Rc::clone(&self.state) };
        let work: Work = Box::pin(async move {
            match &mut borrowed.state {
                Some(state) => state.next().await,
                None => Ok(JsValue::NULL),
            }
        });
        let task = Rc::new(Task { work: Cell::new(Some(work)), ..Task::default() });
        self.task.replace(Rc::clone(&task));
        wasm_bindgen_futures::future_to_promise(poll_fn(move |context| task.poll(context)))
    }

    /// Cancels the pending `next` and the request of a window that is still streaming.
    pub fn cancel(&self) {
        self.task.borrow().cancel();
        // Take the state out first: `cancel_request` may call an event callback, which may call this object again.
        if let Some(mut state) = self.state.take() {
            if let MethodCall::Range(_, reader) = &mut state.method_call {
                reader.cancel_request();
            }
            self.state.replace(Some(state));
        }
    }
}

impl std::fmt::Debug for Call {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Call").field("state", &self.state).finish_non_exhaustive()
    }
}
