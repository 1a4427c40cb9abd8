//! Calls: page after page of a list, window after window of a range, or one answer.

use std::cell::{Cell, RefCell};
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use js_sys::Promise;
use wasm_bindgen::prelude::*;

use super::hooks::Hooks;
use super::{error, page};
use crate::browser::Browser;
use crate::client::{Client, Earlier, FramePages, Pager, RangeReader};
use crate::decode::Leniency;
use crate::endpoint::{Action, List, ParamValue, Request};
use crate::error::{Error, ErrorCode};

/// What is read, and who hears of it.
#[derive(Debug)]
pub(super) struct Reading {
    pub(super) hooks: Hooks,
    pub(super) source: Source,
}

/// Where it comes from.
#[derive(Debug)]
pub(super) enum Source {
    List(&'static List, Box<Pager<Browser, FramePages>>),
    Range(&'static Action, Box<RangeReader<Browser>>),
    Action(&'static Action, Request, Client<Browser>, Leniency),
    /// Addresses, and for how long stale ones are followed.
    Balances(ParamValue, Option<u64>, Client<Browser>, Leniency),
}

impl Reading {
    async fn next(&mut self) -> Result<JsValue, JsValue> {
        let hooks = &self.hooks;
        match &mut self.source {
            Source::List(list, pager) => match pager.next().await {
                Ok(Some(read)) => page::page(list, read, pager.resume_token().as_deref(), hooks),
                Ok(None) => Ok(JsValue::NULL),
                Err(error) => Err(error::to_js(error)),
            },
            Source::Range(action, reader) => {
                let window = reader.next().await.map_err(error::to_js)?;
                page::window(action, window, reader, hooks)
            }
            Source::Action(action, request, client, leniency) => {
                let answer = page::Answer::of(action, hooks);
                let mut pages = answer.take_early(client.frames(action.layout, *leniency));
                let target = client.target(request, None);
                let asked = client.ask_at(&target, action, &mut pages, Earlier::default()).await;
                answer.whole(asked.map_err(error::to_js)?.0)
            }
            Source::Balances(addresses, within, client, leniency) => {
                let balances = client.balances_read(addresses, *within, *leniency, |page| hooks.tell(page));
                Ok(page::balances(&balances.await.map_err(error::to_js)?))
            }
        }
    }
}

/// Work that a promise waits for.
type Work = Pin<Box<dyn Future<Output = Result<JsValue, JsValue>>>>;

/// Work that may be given up.
#[derive(Default)]
struct Task {
    /// Not there while it goes on, and after its end.
    work: Cell<Option<Work>>,
    waker: Cell<Option<Waker>>,
    is_given_up: Cell<bool>,
}

impl Task {
    fn poll(&self, context: &mut Context<'_>) -> Poll<Result<JsValue, JsValue>> {
        // Not there meanwhile: it may call the caller's functions, and those may give it up.
        let Some(mut work) = self.work.take() else { return Poll::Ready(Ok(JsValue::UNDEFINED)) };
        let polled = work.as_mut().poll(context);
        if polled.is_ready() {
            return polled;
        }
        if self.is_given_up.get() {
            return Poll::Ready(Ok(JsValue::UNDEFINED));
        }
        self.waker.set(Some(context.waker().clone()));
        self.work.set(Some(work));
        Poll::Pending
    }

    fn give_up(&self) {
        self.is_given_up.set(true);
        drop(self.work.take());
        // Its promise would keep it otherwise.
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }
}

/// A call.
#[wasm_bindgen]
pub struct Call {
    /// Not there while it reads.
    reading: Rc<RefCell<Option<Reading>>>,
    task: RefCell<Rc<Task>>,
}

/// A reading that is taken out. It is put back when the work ends, also where that is dropped.
struct Lent {
    reading: Option<Reading>,
    place: Rc<RefCell<Option<Reading>>>,
}

impl Drop for Lent {
    fn drop(&mut self) {
        self.place.replace(self.reading.take());
    }
}

impl Call {
    pub(super) fn of(reading: Reading) -> Self {
        Self { reading: Rc::new(RefCell::new(Some(reading))), task: RefCell::default() }
    }
}

#[wasm_bindgen]
impl Call {
    /// A promise of what comes next: a page, a window or a part of one, an answer. After the last page it is null, after the
    /// last window one whose `items` are null. One at a time.
    pub fn next(&self) -> Promise {
        let Some(reading) = self.reading.take() else {
            return Promise::reject(&error::to_js(Error::new(ErrorCode::Internal, "a page is being read already")));
        };
        let mut lent = Lent { reading: Some(reading), place: Rc::clone(&self.reading) };
        let work: Work = Box::pin(async move {
            match &mut lent.reading {
                Some(reading) => reading.next().await,
                None => Ok(JsValue::NULL),
            }
        });
        let task = Rc::new(Task { work: Cell::new(Some(work)), ..Task::default() });
        self.task.replace(Rc::clone(&task));
        wasm_bindgen_futures::future_to_promise(poll_fn(move |context| task.poll(context)))
    }

    /// Ends what is being read or half read.
    pub fn cancel(&self) {
        self.task.borrow().give_up();
        // Not borrowed meanwhile: who hears of the request's end may call what looks here.
        if let Some(mut reading) = self.reading.take() {
            if let Source::Range(_, reader) = &mut reading.source {
                reader.let_go();
            }
            self.reading.replace(Some(reading));
        }
    }
}

impl std::fmt::Debug for Call {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Call").field("reading", &self.reading).finish_non_exhaustive()
    }
}
