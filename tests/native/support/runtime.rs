//! A scripted network in virtual time: answers wait in a queue, and the clock moves only when nothing else can.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::{Future, pending, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use address_query::client::{NoAnswer, Response, Runtime};

/// When the script begins, in milliseconds since 1970.
pub const START_MS: u64 = 1_700_000_000_000;

const NEVER: u64 = u64::MAX;

/// The network and the clock. Clones share both.
#[derive(Debug, Clone, Default)]
pub struct Script(Rc<State>);

#[derive(Debug, Default)]
struct State {
    replies: RefCell<VecDeque<Reply>>,
    urls: RefCell<Vec<String>>,
    sleeps: RefCell<Vec<u64>>,
    /// Milliseconds since [`START_MS`].
    now: Cell<u64>,
    timers: RefCell<Vec<u64>>,
    open: Cell<usize>,
}

/// An answer, step by step.
#[derive(Debug, Clone, Default)]
pub struct Reply(VecDeque<Step>);

#[derive(Debug, Clone)]
enum Step {
    Head(u16, Vec<(&'static str, String)>),
    Chunk(Vec<u8>),
    Wait(u64),
    Lost(&'static str),
}

impl Reply {
    /// Status 200 and a body.
    pub fn ok(body: impl AsRef<[u8]>) -> Self {
        Self::status(200, body)
    }

    pub fn status(status: u16, body: impl AsRef<[u8]>) -> Self {
        Self::head(status, &[]).chunk(body)
    }

    /// Status and headers; the body is whatever follows.
    pub fn head(status: u16, headers: &[(&'static str, &str)]) -> Self {
        Self::default().then_head(status, headers)
    }

    pub fn then_head(self, status: u16, headers: &[(&'static str, &str)]) -> Self {
        self.then(Step::Head(status, headers.iter().map(|&(name, value)| (name, value.to_owned())).collect()))
    }

    pub fn chunk(self, bytes: impl AsRef<[u8]>) -> Self {
        self.then(Step::Chunk(bytes.as_ref().to_vec()))
    }

    /// Nothing for so long.
    pub fn wait(self, ms: u64) -> Self {
        self.then(Step::Wait(ms))
    }

    /// Nothing ever again.
    pub fn stall(self) -> Self {
        self.wait(NEVER)
    }

    /// The connection breaks.
    pub fn lost(self, reason: &'static str) -> Self {
        self.then(Step::Lost(reason))
    }

    fn then(mut self, step: Step) -> Self {
        self.0.push_back(step);
        self
    }
}

impl Script {
    pub fn new(replies: impl IntoIterator<Item = Reply>) -> Self {
        let script = Self::default();
        script.queue(replies);
        script
    }

    pub fn queue(&self, replies: impl IntoIterator<Item = Reply>) {
        self.0.replies.borrow_mut().extend(replies);
    }

    /// The URLs that were asked for since the last call.
    pub fn take_urls(&self) -> Vec<String> {
        self.0.urls.take()
    }

    /// How long was to be slept, each time, since the last call.
    pub fn take_sleeps(&self) -> Vec<u64> {
        self.0.sleeps.take()
    }

    /// Virtual milliseconds since the beginning.
    pub fn elapsed_ms(&self) -> u64 {
        self.0.now.get()
    }

    /// Requests that were neither answered to the end nor dropped.
    pub fn open_requests(&self) -> usize {
        self.0.open.get()
    }

    /// Runs a future to its end.
    #[track_caller]
    pub fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        let mut future = pin!(future);
        loop {
            if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                return value;
            }
            let next = self.0.timers.borrow().iter().copied().min();
            self.0.now.set(next.expect("waits for what never comes"));
        }
    }

    async fn pass(&self, ms: u64) {
        if ms == NEVER {
            return pending().await;
        }
        let at = self.elapsed_ms() + ms;
        self.0.timers.borrow_mut().push(at);
        let timer = Timer { state: &self.0, at };
        poll_fn(|_| if timer.state.now.get() >= at { Poll::Ready(()) } else { Poll::Pending }).await;
    }
}

/// Starts a future and drops it when it first has to wait.
#[track_caller]
pub fn abandon<T>(future: impl Future<Output = T>) {
    let poll = pin!(future).poll(&mut Context::from_waker(Waker::noop()));
    assert!(poll.is_pending(), "was ready at once");
}

/// Takes itself from the clock when it is dropped.
struct Timer<'a> {
    state: &'a State,
    at: u64,
}

impl Drop for Timer<'_> {
    fn drop(&mut self) {
        let mut timers = self.state.timers.borrow_mut();
        let index = timers.iter().position(|at| *at == self.at).unwrap();
        timers.swap_remove(index);
    }
}

/// What is left of an answer. Counts as an open request while it lives.
#[derive(Debug)]
pub struct Body {
    state: Rc<State>,
    steps: VecDeque<Step>,
}

impl Drop for Body {
    fn drop(&mut self) {
        self.state.open.set(self.state.open.get() - 1);
    }
}

impl Runtime for Script {
    type Body = Body;

    async fn send(&self, url: &str) -> Result<Response<Body>, NoAnswer> {
        self.0.urls.borrow_mut().push(url.to_owned());
        let Some(Reply(steps)) = self.0.replies.borrow_mut().pop_front() else { panic!("no answer is left for {url}") };
        self.0.open.set(self.0.open.get() + 1);
        let mut body = Body { state: Rc::clone(&self.0), steps };
        loop {
            match body.steps.pop_front() {
                Some(Step::Head(status, headers)) => return Ok(Response { status, headers, body }),
                Some(Step::Wait(ms)) => self.pass(ms).await,
                Some(Step::Lost(reason)) => return Err(NoAnswer(reason.into())),
                other => panic!("{other:?} before the head"),
            }
        }
    }

    async fn chunk(&self, body: &mut Body) -> Result<Option<Vec<u8>>, NoAnswer> {
        loop {
            match body.steps.pop_front() {
                None => return Ok(None),
                Some(Step::Chunk(bytes)) => return Ok(Some(bytes)),
                Some(Step::Wait(ms)) => self.pass(ms).await,
                Some(Step::Lost(reason)) => return Err(NoAnswer(reason.into())),
                Some(Step::Head(..)) => panic!("a second head"),
            }
        }
    }

    async fn sleep(&self, ms: u64) {
        self.0.sleeps.borrow_mut().push(ms);
        self.pass(ms).await;
    }

    fn now_ms(&self) -> u64 {
        START_MS + self.elapsed_ms()
    }
}
