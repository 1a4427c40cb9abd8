//! `TestRuntime`: a `Runtime` with scripted responses and virtual time.
//!
//! Responses come from a queue or from a function of the URL. The clock advances only when every task is waiting, so
//! tests take no real time. Start at [`TestRuntime::new`] and [`MockResponse`].

mod concurrent_tasks;
mod cors;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::future::{Future, pending, poll_fn};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use address_query::client::{HttpRequest, NetworkError, Response, Runtime};

pub use self::concurrent_tasks::ConcurrentTasks;

/// The time at which the virtual clock starts, in Unix milliseconds.
pub const START_MS: u64 = 1_700_000_000_000;

const NEVER: u64 = u64::MAX;

/// How often tasks check their turn in a runtime with isolated tasks, in milliseconds.
const CHECK_INTERVAL_MS: u64 = 50;

thread_local! {
    /// The isolated task that is being polled.
    static POLLED: Cell<*const Woken> = const { Cell::new(std::ptr::null()) };
}

/// A mock network and a virtual clock. Clones share both.
#[derive(Debug, Clone, Default)]
pub struct TestRuntime(Rc<RuntimeState>);

#[derive(Debug, Default)]
struct RuntimeState {
    responses: RefCell<VecDeque<MockResponse>>,
    service: Option<Service>,
    urls: RefCell<Vec<String>>,
    bodies: RefCell<Vec<Option<String>>>,
    sent_at: RefCell<Vec<u64>>,
    sleeps: RefCell<Vec<u64>>,
    /// Milliseconds since [`START_MS`].
    now: Cell<u64>,
    /// The wakers of sleeps, by the time at which they end and their number.
    timers: RefCell<BTreeMap<(u64, u64), Waker>>,
    last_timer: Cell<u64>,
    open_requests: Cell<usize>,
    most_open_requests: Cell<usize>,
    random_numbers: RefCell<VecDeque<f64>>,
    redirects: RefCell<Vec<bool>>,
    fresh: RefCell<Vec<bool>>,
    headers: RefCell<Vec<Vec<(&'static str, String)>>>,
    is_server: Cell<bool>,
    tasks: RefCell<Vec<BackgroundTask>>,
    has_isolated_tasks: Cell<bool>,
}

/// A future that is polled after it was woken.
struct BackgroundTask(Pin<Box<dyn Future<Output = ()>>>, Arc<Woken>);

impl fmt::Debug for BackgroundTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BackgroundTask")
    }
}

/// A mock service: creates the response to a URL.
struct Service(RefCell<Responder>);

type Responder = Box<dyn FnMut(&str, u64) -> MockResponse>;

impl fmt::Debug for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Service")
    }
}

/// A scripted HTTP response: the steps in which it arrives.
#[derive(Debug, Clone, Default)]
pub struct MockResponse(VecDeque<Step>);

#[derive(Debug, Clone)]
enum Step {
    Head(u16, Vec<(&'static str, String)>),
    Chunk(Vec<u8>),
    Wait(u64),
    Busy(u64),
    Disconnect(&'static str),
    Count(Rc<Cell<u32>>),
}

impl MockResponse {
    /// Status 200 and a body.
    pub fn ok(body: impl AsRef<[u8]>) -> Self {
        Self::status(200, body)
    }

    /// A status and a body.
    pub fn status(status: u16, body: impl AsRef<[u8]>) -> Self {
        Self::head(status, &[]).chunk(body)
    }

    /// Status and headers. The steps that follow are the body.
    pub fn head(status: u16, headers: &[(&'static str, &str)]) -> Self {
        Self::default().and_head(status, headers)
    }

    /// Adds the head, for instance after a wait.
    pub fn and_head(self, status: u16, headers: &[(&'static str, &str)]) -> Self {
        self.then(Step::Head(status, headers.iter().map(|&(name, value)| (name, value.to_owned())).collect()))
    }

    /// Adds a chunk of the body.
    pub fn chunk(self, bytes: impl AsRef<[u8]>) -> Self {
        self.then(Step::Chunk(bytes.as_ref().to_vec()))
    }

    /// Waits before the head.
    pub fn delay(mut self, ms: u64) -> Self {
        self.0.push_front(Step::Wait(ms));
        self
    }

    /// Waits before the next step.
    pub fn wait(self, ms: u64) -> Self {
        self.then(Step::Wait(ms))
    }

    /// Advances the clock as if the caller processed the last chunk for this time.
    pub fn busy(self, ms: u64) -> Self {
        self.then(Step::Busy(ms))
    }

    /// Never continues.
    pub fn stall(self) -> Self {
        self.wait(NEVER)
    }

    /// Breaks the connection.
    pub fn disconnect(self, reason: &'static str) -> Self {
        self.then(Step::Disconnect(reason))
    }

    /// Adds one to a counter when the steps before it have been read.
    pub fn count(self, counter: &Rc<Cell<u32>>) -> Self {
        self.then(Step::Count(Rc::clone(counter)))
    }

    /// Adds headers to the head, if there is one.
    pub fn add_headers(mut self, headers: &[(&'static str, String)]) -> Self {
        for step in &mut self.0 {
            if let Step::Head(_, others) = step {
                others.extend_from_slice(headers);
            }
        }
        self
    }

    fn then(mut self, step: Step) -> Self {
        self.0.push_back(step);
        self
    }
}

impl TestRuntime {
    /// Creates a runtime that sends these responses in order.
    pub fn new(responses: impl IntoIterator<Item = MockResponse>) -> Self {
        let runtime = Self::default();
        runtime.queue(responses);
        runtime
    }

    /// Creates a runtime that gets its responses from a function of the URL. Queued responses come first.
    pub fn with_service(mut service: impl FnMut(&str) -> MockResponse + 'static) -> Self {
        Self::with_timed_service(move |url, _| service(url))
    }

    /// Like [`with_service`](Self::with_service), with a function of the URL and the time in Unix milliseconds.
    pub fn with_timed_service(service: impl FnMut(&str, u64) -> MockResponse + 'static) -> Self {
        let service = Some(Service(RefCell::new(Box::new(service))));
        Self(Rc::new(RuntimeState { service, ..RuntimeState::default() }))
    }

    /// Like [`with_service`](Self::with_service), with a function of the number of the request. The first one is 1.
    pub fn with_numbered_service(mut service: impl FnMut(u64) -> MockResponse + 'static) -> Self {
        let mut requests = 0;
        Self::with_service(move |_| {
            requests += 1;
            service(requests)
        })
    }

    /// Queues responses to the next requests.
    pub fn queue(&self, responses: impl IntoIterator<Item = MockResponse>) {
        self.0.responses.borrow_mut().extend(responses);
    }

    /// Returns the URLs that were requested since the last call.
    pub fn take_urls(&self) -> Vec<String> {
        self.0.urls.take()
    }

    /// Returns the bodies of the requests since the last call. `None` for a GET.
    pub fn take_bodies(&self) -> Vec<Option<String>> {
        self.0.bodies.take()
    }

    /// Returns when each request was sent since the last call, in virtual milliseconds.
    pub fn take_sent_at(&self) -> Vec<u64> {
        self.0.sent_at.take()
    }

    /// Returns the durations of the sleeps since the last call, in milliseconds.
    pub fn take_sleeps(&self) -> Vec<u64> {
        self.0.sleeps.take()
    }

    /// Queues the next random numbers. Without one, every number is 0.5.
    pub fn queue_random(&self, numbers: impl IntoIterator<Item = f64>) {
        self.0.random_numbers.borrow_mut().extend(numbers);
    }

    /// Returns the headers of each request since the last call.
    pub fn take_headers(&self) -> Vec<Vec<(&'static str, String)>> {
        self.0.headers.take()
    }

    /// Returns whether redirects were to be followed, for each request since the last call.
    pub fn take_redirects(&self) -> Vec<bool> {
        self.0.redirects.take()
    }

    /// Returns whether an HTTP cache was to be bypassed, for each request since the last call.
    pub fn take_fresh(&self) -> Vec<bool> {
        self.0.fresh.take()
    }

    /// The virtual time since the start, in milliseconds.
    pub fn elapsed_ms(&self) -> u64 {
        self.0.now.get()
    }

    /// The number of responses that were neither read to their end nor dropped.
    pub fn open_requests(&self) -> usize {
        self.0.open_requests.get()
    }

    /// The largest number of [`open_requests`](Self::open_requests) so far.
    pub fn most_open_requests(&self) -> usize {
        self.0.most_open_requests.get()
    }

    /// The number of background tasks that have not ended.
    pub fn background_tasks(&self) -> usize {
        self.0.tasks.borrow().len()
    }

    /// From now on, background tasks must not wake one another. A task that does fails the test.
    pub fn isolate_tasks(&self) {
        self.0.has_isolated_tasks.set(true);
    }

    /// Stops all background tasks without dropping their futures.
    pub fn kill_background_tasks(&self) {
        std::mem::forget(self.0.tasks.take());
    }

    /// Advances the clock.
    pub fn advance_ms(&self, ms: u64) {
        self.0.now.set(self.0.now.get() + ms);
    }

    /// Sets the clock back to its start.
    pub fn reset_clock(&self) {
        self.0.now.set(0);
    }

    /// Runs a future to completion. It and the background tasks are polled only when they were woken.
    #[track_caller]
    pub fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        let mut future = pin!(future);
        let woken = Arc::new(Woken::default());
        loop {
            while woken.take() {
                let waker = Waker::from(woken.clone());
                if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
                    return value;
                }
            }
            if !self.poll_background_tasks() {
                self.run_timers();
            }
        }
    }

    /// Runs futures concurrently to completion.
    #[track_caller]
    pub fn block_on_all<'a, T>(&self, futures: impl IntoIterator<Item = impl Future<Output = T> + 'a>) -> Vec<T> {
        let mut tasks = ConcurrentTasks::default();
        futures.into_iter().for_each(|future| tasks.spawn(future));
        self.block_on(tasks.join())
    }

    /// Polls the tasks that were woken. Returns whether there were any.
    fn poll_background_tasks(&self) -> bool {
        let mut has_polled = false;
        let mut tasks = self.0.tasks.take();
        tasks.retain_mut(|BackgroundTask(task, woken)| {
            !woken.take() || {
                has_polled = true;
                if self.0.has_isolated_tasks.get() {
                    POLLED.set(Arc::as_ptr(woken));
                }
                let poll = task.as_mut().poll(&mut Context::from_waker(&Waker::from(woken.clone())));
                POLLED.set(std::ptr::null());
                poll.is_pending()
            }
        });
        self.0.tasks.borrow_mut().append(&mut tasks);
        has_polled
    }

    /// Advances the clock to the end of the next sleep.
    #[track_caller]
    fn run_timers(&self) {
        let mut timers = self.0.timers.borrow_mut();
        let next = timers.first_key_value().map(|((at, _), _)| *at);
        self.0.now.set(self.elapsed_ms().max(next.expect("the future waits for an event that never happens")));
        let later = timers.split_off(&(self.elapsed_ms() + 1, 0));
        std::mem::replace(&mut *timers, later).into_values().for_each(Waker::wake);
    }

    async fn wait_ms(&self, ms: u64) {
        if ms == NEVER {
            return pending().await;
        }
        let number = self.0.last_timer.get() + 1;
        self.0.last_timer.set(number);
        let timer = Timer { state: &self.0, key: (self.elapsed_ms() + ms, number) };
        poll_fn(|context| timer.poll(context)).await;
    }
}

/// Whether a task was woken since the last poll. It is at first.
#[derive(Debug)]
struct Woken(AtomicBool);

impl Default for Woken {
    fn default() -> Self {
        Self(AtomicBool::new(true))
    }
}

impl Woken {
    fn take(&self) -> bool {
        self.0.swap(false, Ordering::Relaxed)
    }
}

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        let polled = POLLED.get();
        assert!(polled.is_null() || polled == Arc::as_ptr(&self), "a task woke another one");
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Polls a future once and drops it. It must not be ready.
#[track_caller]
pub fn poll_once_and_drop<T>(future: impl Future<Output = T>) {
    let poll = pin!(future).poll(&mut Context::from_waker(Waker::noop()));
    assert!(poll.is_pending(), "the future was ready at once");
}

/// A timer of the virtual clock. Removes itself when dropped.
struct Timer<'a> {
    state: &'a RuntimeState,
    key: (u64, u64),
}

impl Timer<'_> {
    fn poll(&self, context: &Context<'_>) -> Poll<()> {
        if self.state.now.get() >= self.key.0 {
            return Poll::Ready(());
        }
        self.state.timers.borrow_mut().insert(self.key, context.waker().clone());
        Poll::Pending
    }
}

impl Drop for Timer<'_> {
    fn drop(&mut self) {
        self.state.timers.borrow_mut().remove(&self.key);
    }
}

/// The rest of a response. Counts as an open request until it is dropped.
#[derive(Debug)]
pub struct MockBody {
    state: Rc<RuntimeState>,
    steps: VecDeque<Step>,
}

impl Drop for MockBody {
    fn drop(&mut self) {
        self.state.open_requests.set(self.state.open_requests.get() - 1);
    }
}

impl Runtime for TestRuntime {
    type Body = MockBody;

    fn has_cors(&self) -> bool {
        !self.0.is_server.get()
    }

    async fn send(&self, request: HttpRequest<'_>) -> Result<Response<MockBody>, NetworkError> {
        let HttpRequest { url, headers, body, follow_redirects, is_fresh, .. } = request;
        self.0.headers.borrow_mut().push(headers.iter().map(|&(name, value)| (name, value.to_owned())).collect());
        self.0.bodies.borrow_mut().push(body.map(str::to_owned));
        self.0.redirects.borrow_mut().push(follow_redirects);
        self.0.fresh.borrow_mut().push(is_fresh);
        self.0.urls.borrow_mut().push(url.to_owned());
        self.0.sent_at.borrow_mut().push(self.elapsed_ms());
        let queued = self.0.responses.borrow_mut().pop_front();
        let from_service = || Some((self.0.service.as_ref()?.0.borrow_mut())(url, self.now_ms()));
        let Some(MockResponse(steps)) = queued.or_else(from_service) else { panic!("no response is queued for {url}") };
        self.0.open_requests.set(self.0.open_requests.get() + 1);
        self.0.most_open_requests.set(self.0.most_open_requests.get().max(self.0.open_requests.get()));
        let mut body = MockBody { state: Rc::clone(&self.0), steps };
        loop {
            match body.steps.pop_front() {
                Some(Step::Head(status, headers)) => return Ok(Response { status, headers, body }),
                Some(Step::Wait(ms)) => self.wait_ms(ms).await,
                Some(Step::Disconnect(reason)) => return Err(NetworkError(reason.into())),
                other => panic!("{other:?} before the head"),
            }
        }
    }

    async fn chunk(&self, body: &mut MockBody) -> Result<Option<Vec<u8>>, NetworkError> {
        loop {
            match body.steps.pop_front() {
                None => return Ok(None),
                Some(Step::Chunk(bytes)) => return Ok(Some(bytes)),
                Some(Step::Wait(ms)) => self.wait_ms(ms).await,
                Some(Step::Busy(ms)) => self.advance_ms(ms),
                Some(Step::Disconnect(reason)) => return Err(NetworkError(reason.into())),
                Some(Step::Count(counter)) => counter.set(counter.get() + 1),
                Some(Step::Head(..)) => panic!("a second head"),
            }
        }
    }

    async fn sleep(&self, ms: u64) {
        self.0.sleeps.borrow_mut().push(ms);
        self.wait_ms(ms).await;
    }

    fn spawn(&self, task: Pin<Box<dyn Future<Output = ()>>>) {
        self.0.tasks.borrow_mut().push(BackgroundTask(task, Arc::default()));
    }

    fn now_ms(&self) -> u64 {
        START_MS + self.elapsed_ms()
    }

    fn random(&self) -> f64 {
        self.0.random_numbers.borrow_mut().pop_front().unwrap_or(0.5)
    }

    fn check_interval_ms(&self) -> Option<u64> {
        self.0.has_isolated_tasks.get().then_some(CHECK_INTERVAL_MS)
    }
}
