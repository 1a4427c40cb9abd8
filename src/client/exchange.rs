//! One fetch, shared by all who ask for the same while it is under way: from waiting for its turn to the end of its body.
//!
//! Nobody owns the work: whoever waits for the next step drives it. When one of them is dropped the others are woken, and
//! one of those drives on; when the last one is dropped, the request ends.

use std::cell::RefCell;
use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use super::pace::Permit;
use super::runtime::{Headers, NoAnswer, Response};
use crate::error::Error;

/// The beginning of an answer.
pub(crate) type Head = (u16, Headers);

/// A step of the work.
pub(crate) type Step<B> = Pin<Box<dyn Future<Output = Done<B>>>>;

/// What a step gives.
pub(crate) enum Done<B> {
    /// It was this request's turn, and it was sent: the step that waits for the answer.
    Sent(Result<Step<B>, Error>),
    /// The answer began. Its body has the right to be under way.
    Answered(Result<Response<B>, NoAnswer>, Permit),
    /// The body went on, or ended.
    Read(B, Result<Option<Vec<u8>>, NoAnswer>),
}

/// Makes the step that reads on.
type ReadOn<B> = Box<dyn Fn(B) -> Step<B>>;

/// A fetch.
pub(crate) struct Exchange<B> {
    url: String,
    state: RefCell<State<B>>,
    read_on: ReadOn<B>,
}

struct State<B> {
    step: Option<Step<B>>,
    /// The body between two steps.
    body: Option<B>,
    permit: Option<Permit>,
    sent: Option<Result<(), Error>>,
    head: Option<Result<Head, NoAnswer>>,
    /// What the slowest listener has not had yet: no more than one answer may have bytes.
    chunks: Vec<Rc<Vec<u8>>>,
    /// Chunks that everybody has had.
    passed: usize,
    end: Option<Result<(), NoAnswer>>,
    listeners: Vec<Place>,
    last_id: usize,
}

struct Place {
    id: usize,
    /// The chunk that comes next.
    next: usize,
    waker: Waker,
}

impl<B: 'static> Exchange<B> {
    pub(crate) fn new(url: String, step: Step<B>, read_on: ReadOn<B>) -> Self {
        let state = RefCell::new(State {
            step: Some(step),
            body: None,
            permit: None,
            sent: None,
            head: None,
            chunks: Vec::new(),
            passed: 0,
            end: None,
            listeners: Vec::new(),
            last_id: 0,
        });
        Self { url, state, read_on }
    }

    /// Makes it one whose answer is there already.
    pub(crate) fn hold(&self, head: Head, chunks: impl Iterator<Item = Vec<u8>>) {
        let mut state = self.state.borrow_mut();
        (state.sent, state.head, state.end) = (Some(Ok(())), Some(Ok(head)), Some(Ok(())));
        (state.step, state.chunks) = (None, chunks.map(Rc::new).collect());
    }

    /// Whether it is for this URL, and its answer has not begun.
    pub(crate) fn can_join(&self, url: &str) -> bool {
        let state = self.state.borrow();
        self.url == url && state.head.is_none() && !matches!(state.sent, Some(Err(_)))
    }

    pub(crate) fn join(self: &Rc<Self>) -> Listener<B> {
        let mut state = self.state.borrow_mut();
        state.last_id += 1;
        let id = state.last_id;
        state.listeners.push(Place { id, next: 0, waker: Waker::noop().clone() });
        Listener { exchange: Rc::clone(self), id }
    }

    /// Drives the work until there is what one of the listeners waits for, or nothing to do for now. (Not generic over what
    /// that is: all this would be there three times.)
    fn drive(&self, id: usize, context: &mut Context<'_>, is_ready: &mut dyn FnMut(&mut State<B>) -> bool) {
        loop {
            let mut state = self.state.borrow_mut();
            if is_ready(&mut state) {
                return;
            }
            if let Some(place) = state.listeners.iter_mut().find(|place| place.id == id) {
                place.waker.clone_from(context.waker());
            }
            let step = state.step.take().or_else(|| state.body.take().map(|body| (self.read_on)(body)));
            drop(state);
            // The work may call what asks for an exchange itself: it is not borrowed meanwhile.
            let Some(mut step) = step else { return };
            match step.as_mut().poll(context) {
                Poll::Pending => {
                    self.state.borrow_mut().step = Some(step);
                    return;
                }
                Poll::Ready(done) => self.take(done, id),
            }
        }
    }

    fn take(&self, done: Done<B>, id: usize) {
        let mut state = self.state.borrow_mut();
        match done {
            Done::Sent(Ok(step)) => (state.sent, state.step) = (Some(Ok(())), Some(step)),
            Done::Sent(Err(error)) => state.sent = Some(Err(error)),
            Done::Answered(Ok(Response { status, headers, body }), permit) => {
                (state.head, state.body, state.permit) = (Some(Ok((status, headers))), Some(body), Some(permit));
            }
            Done::Answered(Err(reason), _) => state.head = Some(Err(reason)),
            Done::Read(body, Ok(Some(chunk))) => {
                state.chunks.push(Rc::new(chunk));
                state.body = Some(body);
            }
            Done::Read(_, end) => (state.end, state.permit) = (Some(end.map(|_| ())), None),
        }
        state.wake_all_but(id);
    }
}

impl<B> State<B> {
    fn wake_all_but(&self, id: usize) {
        for place in self.listeners.iter().filter(|place| place.id != id) {
            place.waker.wake_by_ref();
        }
    }

    /// The next chunk for this listener; the last one to take it gets it without a copy.
    fn next_chunk(&mut self, id: usize) -> Option<Vec<u8>> {
        let place = self.listeners.iter_mut().find(|place| place.id == id)?;
        let chunk = Rc::clone(self.chunks.get(place.next - self.passed)?);
        place.next += 1;
        self.forget_passed();
        Some(Rc::try_unwrap(chunk).unwrap_or_else(|shared| shared.to_vec()))
    }

    fn forget_passed(&mut self) {
        let passed = self.listeners.iter().map(|place| place.next).min().unwrap_or(self.passed);
        self.chunks.drain(..passed - self.passed);
        self.passed = passed;
    }
}

/// One who waits for an exchange.
#[derive(Debug)]
pub(crate) struct Listener<B: 'static> {
    exchange: Rc<Exchange<B>>,
    id: usize,
}

impl<B: 'static> Listener<B> {
    pub(crate) fn url(&self) -> &str {
        &self.exchange.url
    }

    /// Makes room for other requests, though the body goes on.
    pub(crate) fn step_aside(&self) {
        let permit = self.exchange.state.borrow_mut().permit.take();
        // It wakes others, who may look here.
        drop(permit);
    }

    async fn wait<T>(&self, mut ready: impl FnMut(&mut State<B>) -> Option<T>) -> T {
        poll_fn(|context| {
            let mut value = None;
            let mut is_ready = |state: &mut State<B>| {
                value = ready(state);
                value.is_some()
            };
            self.exchange.drive(self.id, context, &mut is_ready);
            value.map_or(Poll::Pending, Poll::Ready)
        })
        .await
    }

    /// Waits until the request is sent.
    pub(crate) async fn sent(&self) -> Result<(), Error> {
        self.wait(|state| state.sent.clone()).await
    }

    /// Waits for the beginning of the answer.
    pub(crate) async fn head(&self) -> Result<Head, NoAnswer> {
        self.wait(|state| state.head.clone()).await
    }

    /// Waits for the next bytes of the body; nothing at its end.
    pub(crate) async fn chunk(&self) -> Result<Option<Vec<u8>>, NoAnswer> {
        self.wait(|state| match state.next_chunk(self.id) {
            Some(chunk) => Some(Ok(Some(chunk))),
            None => state.end.clone().map(|end| end.map(|()| None)),
        })
        .await
    }
}

impl<B: 'static> Drop for Listener<B> {
    fn drop(&mut self) {
        let mut state = self.exchange.state.borrow_mut();
        state.listeners.retain(|place| place.id != self.id);
        state.forget_passed();
        state.wake_all_but(self.id);
    }
}

impl<B> fmt::Debug for Exchange<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exchange").field("url", &self.url).finish_non_exhaustive()
    }
}
