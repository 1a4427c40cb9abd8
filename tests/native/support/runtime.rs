//! A scripted network in virtual time: answers wait in a queue or are made of the URLs, and the clock moves only when
//! nothing else can.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::fmt;
use std::future::{Future, pending, poll_fn};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

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
    service: Option<Service>,
    urls: RefCell<Vec<String>>,
    sent_at: RefCell<Vec<u64>>,
    sleeps: RefCell<Vec<u64>>,
    /// Milliseconds since [`START_MS`].
    now: Cell<u64>,
    timers: RefCell<Vec<u64>>,
    open: Cell<usize>,
    chances: RefCell<VecDeque<f64>>,
    redirects: RefCell<Vec<bool>>,
}

/// Makes an answer of a URL.
struct Service(RefCell<Answering>);

type Answering = Box<dyn FnMut(&str) -> Reply>;

impl fmt::Debug for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Service")
    }
}

/// An answer, step by step.
#[derive(Debug, Clone, Default)]
pub struct Reply(VecDeque<Step>);

#[derive(Debug, Clone)]
enum Step {
    Head(u16, Vec<(&'static str, String)>),
    Chunk(Vec<u8>),
    Wait(u64),
    Work(u64),
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

    /// The caller is busy for so long with what has come.
    pub fn work(self, ms: u64) -> Self {
        self.then(Step::Work(ms))
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

    /// A network that asks this service.
    pub fn of(service: impl FnMut(&str) -> Reply + 'static) -> Self {
        let service = Some(Service(RefCell::new(Box::new(service))));
        Self(Rc::new(State { service, ..State::default() }))
    }

    pub fn queue(&self, replies: impl IntoIterator<Item = Reply>) {
        self.0.replies.borrow_mut().extend(replies);
    }

    /// The URLs that were asked for since the last call.
    pub fn take_urls(&self) -> Vec<String> {
        self.0.urls.take()
    }

    /// When each request was sent, in virtual milliseconds, since the last call.
    pub fn take_sent_at(&self) -> Vec<u64> {
        self.0.sent_at.take()
    }

    /// How long was to be slept, each time, since the last call.
    pub fn take_sleeps(&self) -> Vec<u64> {
        self.0.sleeps.take()
    }

    /// The next random numbers; after them, and without them, a half.
    pub fn set_chances(&self, chances: impl IntoIterator<Item = f64>) {
        self.0.chances.borrow_mut().extend(chances);
    }

    /// Whether redirects were followed, for each request since the last call.
    pub fn take_redirects(&self) -> Vec<bool> {
        self.0.redirects.take()
    }

    /// Virtual milliseconds since the beginning.
    pub fn elapsed_ms(&self) -> u64 {
        self.0.now.get()
    }

    /// Requests that were neither answered to the end nor dropped.
    pub fn open_requests(&self) -> usize {
        self.0.open.get()
    }

    /// Lets time pass while nothing is waited for.
    pub fn skip_ms(&self, ms: u64) {
        self.0.now.set(self.0.now.get() + ms);
    }

    /// Sets the clock back to the beginning.
    pub fn set_back(&self) {
        self.0.now.set(0);
    }

    /// Runs a future to its end.
    #[track_caller]
    pub fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        let mut future = pin!(future);
        let woken = Arc::new(Woken::default());
        loop {
            if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(&Waker::from(woken.clone()))) {
                return value;
            }
            if woken.0.swap(false, Ordering::Relaxed) {
                continue;
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

/// Whether something happened since the last look.
#[derive(Debug, Default)]
struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Work that goes on side by side, each by itself: what of it has come to its end, in the order it was begun.
pub struct Together<'a, T>(Vec<Work<'a, T>>);

impl<T> Default for Together<'_, T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

enum Work<'a, T> {
    UnderWay(Pin<Box<dyn Future<Output = T> + 'a>>),
    Done(T),
    Dropped,
}

impl<'a, T> Together<'a, T> {
    pub fn begin(&mut self, work: impl Future<Output = T> + 'a) {
        self.0.push(Work::UnderWay(Box::pin(work)));
    }

    /// Drops one of them, the first being 0.
    pub fn drop_one(&mut self, index: usize) {
        self.0[index] = Work::Dropped;
    }

    /// Goes on with all for so long.
    pub async fn go_on(&mut self, script: &Script, ms: u64) {
        let mut clock = pin!(script.pass(ms));
        poll_fn(|context| {
            self.poll_all(context);
            clock.as_mut().poll(context)
        })
        .await;
    }

    /// Goes on with all to their ends: what those gave that were not dropped.
    pub async fn finish(mut self) -> Vec<T> {
        poll_fn(|context| if self.poll_all(context) { Poll::Ready(()) } else { Poll::Pending }).await;
        self.0.into_iter().filter_map(|work| if let Work::Done(value) = work { Some(value) } else { None }).collect()
    }

    fn poll_all(&mut self, context: &mut Context<'_>) -> bool {
        let mut all_done = true;
        for work in &mut self.0 {
            if let Work::UnderWay(future) = work {
                match future.as_mut().poll(context) {
                    Poll::Ready(value) => *work = Work::Done(value),
                    Poll::Pending => all_done = false,
                }
            }
        }
        all_done
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

    async fn send(&self, url: &str, follow_redirects: bool) -> Result<Response<Body>, NoAnswer> {
        self.0.redirects.borrow_mut().push(follow_redirects);
        self.0.urls.borrow_mut().push(url.to_owned());
        self.0.sent_at.borrow_mut().push(self.elapsed_ms());
        let queued = self.0.replies.borrow_mut().pop_front();
        let made = || Some((self.0.service.as_ref()?.0.borrow_mut())(url));
        let Some(Reply(steps)) = queued.or_else(made) else { panic!("no answer is left for {url}") };
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
                Some(Step::Work(ms)) => self.skip_ms(ms),
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

    fn random(&self) -> f64 {
        self.0.chances.borrow_mut().pop_front().unwrap_or(0.5)
    }
}
