//! [`Call`]: one method call from JavaScript. It reads the pages of a list, the windows of a range, or a single result.

use std::cell::Cell;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use js_sys::{Array, Promise};
use wasm_bindgen::prelude::*;

use super::object;
use super::page::{ResultBuilder, convert_page, convert_record, convert_window};
use crate::browser::Browser;
use crate::client::call::MethodCall;
use crate::error::{Error, ErrorCode};

/// The pending `next`. It resolves to the method call, to be used again, and the result.
type PendingNext = Pin<Box<dyn Future<Output = (MethodCall<Browser>, Result<JsValue, JsValue>)>>>;

/// One call of a method, as JavaScript holds it. It owns the requests of the call: they end when it is dropped.
#[wasm_bindgen]
pub struct Call(Rc<Task>);

/// A call, and its pending `next`. All that a dropped call leaves behind is the promise of that `next`.
struct Task {
    /// The method call. `None` while `next` runs, and after the call was dropped.
    method_call: Cell<Option<MethodCall<Browser>>>,
    /// `None` while it is polled, and while no `next` is pending.
    work: Cell<Option<PendingNext>>,
    waker: Cell<Option<Waker>>,
    is_cancelled: Cell<bool>,
}

impl Task {
    fn poll(&self, context: &mut Context<'_>) -> Poll<Result<JsValue, JsValue>> {
        // Take the future out while it is polled: it may call a user callback, which may cancel this call.
        let Some(mut work) = self.work.take() else { return Poll::Ready(Ok(JsValue::UNDEFINED)) };
        let result = work.as_mut().poll(context);
        if self.is_cancelled.get() {
            return Poll::Ready(Ok(JsValue::UNDEFINED));
        }
        match result {
            Poll::Ready((method_call, result)) => {
                self.method_call.set(Some(method_call));
                Poll::Ready(result)
            }
            Poll::Pending => {
                self.waker.set(Some(context.waker().clone()));
                self.work.set(Some(work));
                Poll::Pending
            }
        }
    }

    fn cancel(&self) {
        self.is_cancelled.set(true);
        drop((self.work.take(), self.method_call.take()));
        // The promise keeps the task alive until it settles.
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }
}

impl Call {
    /// Starts a call and its first `next`. Returns both, so that JavaScript enters the module once.
    pub(super) fn start(method_call: MethodCall<Browser>) -> Array {
        let task = Task {
            method_call: Cell::new(Some(method_call)),
            work: Cell::default(),
            waker: Cell::default(),
            is_cancelled: Cell::default(),
        };
        let call = Self(Rc::new(task));
        let first = call.next();
        Array::of2(&call.into(), &first)
    }
}

#[wasm_bindgen]
impl Call {
    /// Returns a promise of the next page, window, batch of a window, or result. After the last page it resolves to null, after
    /// the last window to a window whose `items` are null. Rejects if the previous promise is still pending.
    pub fn next(&self) -> Promise {
        let Some(mut method_call) = self.0.method_call.take() else {
            let message = "next() was called before its previous promise settled";
            return Promise::reject(&Error::new(ErrorCode::Internal, message).into());
        };
        let work: PendingNext = Box::pin(async move {
            let result = read_next(&mut method_call).await;
            (method_call, result)
        });
        self.0.work.set(Some(work));
        let task = Rc::clone(&self.0);
        wasm_bindgen_futures::future_to_promise(poll_fn(move |context| task.poll(context)))
    }
}

/// Reads the next page, window or batch, or the result.
async fn read_next(method_call: &mut MethodCall<Browser>) -> Result<JsValue, JsValue> {
    match method_call {
        MethodCall::List(list, reader) => convert_page(list, reader.next().await?),
        MethodCall::Lookup(lookup, request, client) => {
            convert_record(lookup, client.fetch_lookup(lookup, request).await?)
        }
        MethodCall::Instance(client) => Ok(object::to_js(&*client.shared_instance().await?)),
        MethodCall::Range(action, reader) => convert_window(action, reader.next().await),
        MethodCall::Action(action, request, client) => {
            let builder = ResultBuilder::new(action);
            let decoder = client.frame_decoder(action.layout);
            let mut decoder = decoder.with_sink(builder.create_sink());
            builder.finish(client.request_action(action, request, &mut decoder).await?)
        }
        MethodCall::Batched(action, addresses, fresh_within_ms, client) => {
            Ok(object::to_js(&client.request_balances(action, addresses, *fresh_within_ms).await?))
        }
    }
}

/// JavaScript frees a call to cancel it: the pending `next` ends, and so does the request of a response that is still arriving.
impl Drop for Call {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

impl std::fmt::Debug for Call {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Call").finish_non_exhaustive()
    }
}
