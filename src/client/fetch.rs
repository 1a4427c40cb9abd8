//! From a URL to its answer, read and judged: kept or fetched, shared, in one's turn, within its time, and tried again.

use std::rc::Rc;

use super::event::{Event, EventKind};
use super::exchange::{Done, Exchange, Listener, Step};
use super::kept::NEVER_KEPT;
use super::pace::Permit;
use super::runtime::{self, First, NoAnswer, Response, Runtime};
use super::{Client, Inner, Pages, ReadPage, status};
use crate::endpoint::Request;
use crate::endpoint::request::percent_encoded;
use crate::error::{Error, ErrorCode};
use crate::text::number;

/// How much of a body is looked at to say what an unreadable answer is.
const HEAD: usize = 4096;

/// A body that is there as a whole is read in pieces of so many bytes.
const PIECE: usize = 1 << 16;

/// The event loop has its turn when work has taken so many milliseconds, by a clock of whole ones; collecting garbage
/// comes on top.
const SLICE_MS: u64 = 2;

/// Whether what was read is what was asked for; it sees the beginning of the body too.
pub(crate) type Judge<'a, P> = &'a mut dyn FnMut(&mut P, &[u8]) -> Result<(), Error>;

/// What was read of an answer, and what is still to come of it.
#[derive(Debug)]
pub(crate) struct Fetched<P, B: 'static> {
    pub(crate) read: ReadPage<P>,
    pub(crate) rest: Option<Box<Arriving<B>>>,
}

/// An answer of which nobody has read the end yet.
#[derive(Debug)]
pub(crate) struct Arriving<B: 'static> {
    listener: Listener<B>,
    attempt: u32,
    /// The beginning of the body.
    head: Vec<u8>,
    /// How many bytes were read.
    read: usize,
    /// All of them, where the answer is kept.
    keeping: Option<Vec<u8>>,
    /// How long this attempt may still take, and all of them. It does not run while nobody waits.
    timeout_ms: u64,
    deadline_ms: u64,
    /// When the event loop had its turn.
    turn_at: u64,
}

/// What came of an answer before: an attempt that failed, or the beginning of it.
#[derive(Debug)]
pub(crate) struct Earlier<B: 'static> {
    pub(crate) failed: Option<Error>,
    pub(crate) rest: Option<Box<Arriving<B>>>,
}

impl<B> Default for Earlier<B> {
    fn default() -> Self {
        Self { failed: None, rest: None }
    }
}

impl<R: Runtime> Client<R> {
    /// Reads the answer of one URL and judges it: all of it, or a part where `pages` gives parts. The rest of one is
    /// not tried again: what came before it was given out.
    pub(crate) async fn fetch<P: Pages>(
        &self,
        request: &Request,
        url: &str,
        pages: &mut P,
        judge: Judge<'_, P::Page>,
        mut earlier: Earlier<R::Body>,
    ) -> Result<Fetched<P::Page, R::Body>, Error> {
        let Inner { runtime, pace, keep_ms, .. } = &*self.inner;
        let keep = *keep_ms > 0 && !NEVER_KEPT.contains(&request.operation().name);
        let is_rest = earlier.rest.is_some();
        let until = runtime.now_ms().saturating_add(self.patience.deadline_ms);
        let mut attempt = 1;
        loop {
            let left = until.saturating_sub(runtime.now_ms());
            let outcome = match (earlier.failed.take(), pace.expected_wait(runtime.now_ms())) {
                (Some(error), _) => Err(error),
                (None, Some(wait)) if wait > left && !is_rest => Err(too_long(wait)),
                (None, _) => {
                    let arriving = match earlier.rest.take() {
                        Some(rest) => Ok(rest),
                        None => self.begin(url, attempt, until, keep).await.inspect(|_| pages.begin()),
                    };
                    match arriving {
                        Ok(arriving) => self.read_on(arriving, pages, judge).await,
                        Err(error) => Err(error),
                    }
                }
            };
            let error = match outcome {
                Err(error) if !is_rest => error,
                outcome => return outcome,
            };
            let now = runtime.now_ms();
            let pause = self.patience.pause_ms(&error, attempt, runtime.random());
            let is_complaint = error.code == ErrorCode::RateLimited;
            if is_complaint && error.status.is_some() {
                pace.slow_down(now, pause);
            }
            if !self.patience.tries_again(&error, attempt) || now.saturating_add(pause) >= until {
                return Err(self.of_attempt(error, url, attempt));
            }
            let event = Event::new(EventKind::Retry, url, attempt);
            self.inner.tell(&Event { ms: Some(pause), status: error.status, code: Some(error.code), ..event });
            // After a complaint everybody waits, this request in its place.
            if !is_complaint {
                self.inner.sleep(pause).await;
            }
            attempt += 1;
        }
    }

    /// Reads an answer to its end, or to where there is a part to be given out.
    async fn read_on<P: Pages>(
        &self,
        mut arriving: Box<Arriving<R::Body>>,
        pages: &mut P,
        judge: Judge<'_, P::Page>,
    ) -> Result<Fetched<P::Page, R::Body>, Error> {
        let runtime = self.runtime();
        let began = runtime.now_ms();
        let Arriving { timeout_ms, deadline_ms, .. } = *arriving;
        let answer = self.answer(&mut arriving, pages);
        let outcome = match runtime::race(answer, self.inner.sleep(timeout_ms.min(deadline_ms))).await {
            First::Left(outcome) => outcome,
            First::Right(()) if deadline_ms <= timeout_ms => Err(self.late()),
            First::Right(()) => {
                let timeout = number(self.patience.timeout_ms);
                let message = ["no complete answer within ", &*timeout, " ms; try again or raise timeoutMs"].concat();
                Err(Error::new(ErrorCode::Timeout, message))
            }
        };
        let judged = outcome.and_then(|(mut read, is_whole)| {
            judge(&mut read.page, &arriving.head)?;
            Ok((read, is_whole))
        });
        let url = arriving.listener.url();
        let (read, is_whole) = judged.map_err(|error| self.of_attempt(error, url, arriving.attempt))?;
        let now = runtime.now_ms();
        if is_whole {
            if let Some(body) = arriving.keeping.take() {
                self.inner.kept.borrow_mut().keep(url, body, now.saturating_add(self.inner.keep_ms));
            }
            return Ok(Fetched { read, rest: None });
        }
        // Who is given a part may take long over it, and ask for something else meanwhile.
        arriving.listener.step_aside();
        arriving.timeout_ms = timeout_ms.saturating_sub(now.saturating_sub(began));
        arriving.deadline_ms = deadline_ms.saturating_sub(now.saturating_sub(began));
        Ok(Fetched { read, rest: Some(arriving) })
    }

    /// Takes the answer that is kept, joins a request that is under way, or sends one.
    async fn begin(&self, url: &str, attempt: u32, until: u64, keep: bool) -> Result<Box<Arriving<R::Body>>, Error> {
        let runtime = self.runtime();
        let kept = if keep { self.inner.kept.borrow_mut().get(url, runtime.now_ms()) } else { None };
        let keep = keep && kept.is_none();
        let listener = match kept {
            Some(body) => self.kept(url, &body),
            None => self.exchange(url, attempt),
        };
        // Waiting for one's turn is no fault of the service: it counts for the deadline only.
        let left = until.saturating_sub(runtime.now_ms());
        match runtime::race(listener.sent(), self.inner.sleep(left)).await {
            First::Left(sent) => sent?,
            First::Right(()) => return Err(self.late()),
        }
        let now = runtime.now_ms();
        Ok(Box::new(Arriving {
            listener,
            attempt,
            head: Vec::new(),
            read: 0,
            keeping: keep.then(Vec::new),
            timeout_ms: self.patience.timeout_ms,
            deadline_ms: until.saturating_sub(now),
            turn_at: now,
        }))
    }

    /// A part, or the whole.
    async fn answer<P: Pages>(
        &self,
        arriving: &mut Arriving<R::Body>,
        pages: &mut P,
    ) -> Result<(ReadPage<P::Page>, bool), Error> {
        let Arriving { listener, head, read, keeping, turn_at, .. } = arriving;
        let (status, headers) = listener.head().await.map_err(|reason| self.no_answer(reason))?;
        let good = (200..300).contains(&status);
        if *read == 0 {
            // It had its turn while the answer was waited for.
            *turn_at = self.runtime().now_ms();
        }
        loop {
            if *read >= PIECE {
                self.pause(turn_at).await;
            }
            let chunk = match listener.chunk().await {
                Ok(Some(chunk)) => chunk,
                Ok(None) => break,
                // A failing status says enough.
                Err(_) if !good => break,
                Err(broken_off) => return Err(self.no_answer(broken_off)),
            };
            let room = HEAD.saturating_sub(head.len()).min(chunk.len());
            head.extend_from_slice(chunk.get(..room).unwrap_or_default());
            if !good {
                if head.len() >= HEAD {
                    break;
                }
                continue;
            }
            *read += chunk.len();
            if *read > self.inner.max_response_bytes {
                return Err(too_large(self.inner.max_response_bytes));
            }
            if let Some(body) = keeping {
                body.extend_from_slice(&chunk);
            }
            pages.feed(chunk).map_err(|fail| status::unreadable(&fail, head))?;
            if let Some(part) = pages.part() {
                return Ok((part, false));
            }
        }
        if !good {
            return Err(status::failing_status(status, &headers, head, self.runtime().now_ms()));
        }
        match pages.finish() {
            Ok(read) => Ok((read, true)),
            Err(fail) => Err(status::unreadable(&fail, head)),
        }
    }

    /// Lets the event loop have its turn, if it is time: what has arrived already comes without one.
    async fn pause(&self, turn_at: &mut u64) {
        if self.runtime().now_ms().saturating_sub(*turn_at) >= SLICE_MS {
            self.inner.sleep(0).await;
            *turn_at = self.runtime().now_ms();
        }
    }

    fn late(&self) -> Error {
        let ms = number(self.patience.deadline_ms);
        Error::new(
            ErrorCode::Timeout,
            ["no complete answer within ", &*ms, " ms; try again or raise deadlineMs"].concat(),
        )
    }

    /// The error with what is known of the attempt, and without the API key.
    fn of_attempt(&self, mut error: Error, url: &str, attempt: u32) -> Error {
        error.url = Some(url.to_owned());
        error.attempts = Some(attempt);
        if let Some(key) = &self.inner.api_key {
            error.message = key.hidden_in(&error.message);
            error.path = error.path.take().map(|path| key.hidden_in(&path));
        }
        error
    }

    /// The fetch of this URL that is under way, or a new one.
    fn exchange(&self, url: &str, attempt: u32) -> Listener<R::Body> {
        let mut under_way = self.inner.under_way.borrow_mut();
        under_way.retain(|exchange| exchange.strong_count() > 0);
        if let Some(exchange) = under_way.iter().filter_map(std::rc::Weak::upgrade).find(|other| other.can_join(url)) {
            return exchange.join();
        }
        let exchange = Rc::new(self.new_exchange(url, attempt));
        under_way.push(Rc::downgrade(&exchange));
        exchange.join()
    }

    /// A kept answer, as one that has come.
    fn kept(&self, url: &str, body: &[u8]) -> Listener<R::Body> {
        self.inner.tell(&Event::new(EventKind::Kept, url, 1));
        let exchange = self.new_exchange(url, 1);
        exchange.hold((200, Vec::new()), body.chunks(PIECE).map(<[u8]>::to_vec));
        Rc::new(exchange).join()
    }

    fn new_exchange(&self, url: &str, attempt: u32) -> Exchange<R::Body> {
        let step = Box::pin(open(Rc::clone(&self.inner), url.to_owned(), attempt));
        let inner = Rc::clone(&self.inner);
        Exchange::new(url.to_owned(), step, Box::new(move |body| chunk(Rc::clone(&inner), body)))
    }

    fn no_answer(&self, NoAnswer(reason): NoAnswer) -> Error {
        let advice = "); check the connection and baseUrl. A page of another origin must be allowed by CORS, and errors of \
                      a CDN in front of the service look like this too";
        let mut message = ["no answer (", &*reason, advice].concat();
        if self.inner.api_key.is_some() {
            message.push_str(". With an API key redirects are not followed: give the baseUrl that they lead to");
        }
        Error::new(ErrorCode::Network, message)
    }
}

/// Waits for a turn and sends the request.
async fn open<R: Runtime>(inner: Rc<Inner<R>>, url: String, attempt: u32) -> Done<R::Body> {
    let event = Event::new(EventKind::Wait, &url, attempt);
    if let Some(wait) = inner.pace.expected_wait(inner.runtime.now_ms()) {
        inner.tell(&Event { ms: Some(wait), ..event });
    }
    let permit = inner.pace.enter(&inner.runtime).await;
    let key = match &inner.api_key {
        Some(key) => match key.get().await {
            Ok(key) => Some(key),
            Err(error) => return Done::Sent(Err(error)),
        },
        None => None,
    };
    inner.tell(&Event { kind: EventKind::Request, ..event });
    Done::Sent(Ok(Box::pin(send(inner, url, attempt, key, permit))))
}

async fn send<R: Runtime>(
    inner: Rc<Inner<R>>,
    url: String,
    attempt: u32,
    key: Option<String>,
    permit: Permit,
) -> Done<R::Body> {
    let sent_at = inner.runtime.now_ms();
    // The key goes to the base URL and nowhere else: who answers with a redirect could take it along.
    let follow_redirects = key.is_none();
    let address = key.map_or_else(|| url.clone(), |key| with_key(&url, &key));
    let answer = inner.runtime.send(&address, follow_redirects).await;
    if let Ok(Response { status, headers, .. }) = &answer {
        let now = inner.runtime.now_ms();
        inner.pace.learn(headers, now);
        if *status != 429 {
            inner.pace.speed_up();
        }
        let event = Event::new(EventKind::Response, &url, attempt);
        inner.tell(&Event { ms: Some(now.saturating_sub(sent_at)), status: Some(*status), ..event });
    }
    Done::Answered(answer, permit)
}

fn chunk<R: Runtime>(inner: Rc<Inner<R>>, mut body: R::Body) -> Step<R::Body> {
    Box::pin(async move {
        let read = inner.runtime.chunk(&mut body).await;
        Done::Read(body, read)
    })
}

fn with_key(url: &str, key: &str) -> String {
    let separator = if url.contains('?') { "&" } else { "?" };
    [url, separator, "apikey=", &*percent_encoded(key)].concat()
}

fn too_long(wait_ms: u64) -> Error {
    let wait = number(wait_ms);
    let message =
        ["the service takes no more requests for ", &*wait, " ms; try again then, or raise deadlineMs"].concat();
    let mut error = Error::new(ErrorCode::RateLimited, message);
    error.retry_after_ms = Some(wait_ms);
    error
}

fn too_large(limit: usize) -> Error {
    let limit = number(limit as u64);
    let message =
        ["the answer is larger than ", &*limit, " bytes; narrow the query or raise maxResponseBytes"].concat();
    Error::new(ErrorCode::Decode, message)
}
