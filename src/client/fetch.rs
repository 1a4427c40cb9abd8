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

/// A body, and the right to be under way.
#[derive(Debug)]
pub(crate) struct Carried<B> {
    body: B,
    _permit: Permit,
}

/// Whether what was read is what was asked for; it sees the beginning of the body too.
pub(crate) type Judge<'a, P> = &'a mut dyn FnMut(&mut P, &[u8]) -> Result<(), Error>;

impl<R: Runtime> Client<R> {
    /// Reads the answer of one URL and judges it.
    pub(crate) async fn fetch<P: Pages>(
        &self,
        request: &Request,
        url: &str,
        pages: &mut P,
        judge: Judge<'_, P::Page>,
    ) -> Result<ReadPage<P::Page>, Error> {
        let Inner { runtime, pace, api_key, kept, keep_ms, .. } = &*self.inner;
        let keep = *keep_ms > 0 && !NEVER_KEPT.contains(&request.operation().name);
        if keep {
            let body = kept.borrow_mut().get(url, runtime.now_ms());
            if let Some(body) = body {
                self.inner.tell(&Event::new(EventKind::Kept, url, 1));
                pages.begin();
                let head = body.get(..HEAD.min(body.len())).unwrap_or_default();
                let read = pages.feed(body.to_vec()).and_then(|()| pages.finish());
                let mut read = read.map_err(|fail| status::unreadable(&fail, head))?;
                return judge(&mut read.page, head).map(|()| read);
            }
        }
        let until = runtime.now_ms().saturating_add(self.patience.deadline_ms);
        let mut attempt = 1;
        loop {
            let left = until.saturating_sub(runtime.now_ms());
            let outcome = match pace.expected_wait(runtime.now_ms()) {
                Some(wait) if wait > left => Err(too_long(wait)),
                _ => {
                    let mut keeping = keep.then(Vec::new);
                    let outcome = self.attempt(url, attempt, until, pages, &mut keeping).await;
                    let judged = outcome.and_then(|(mut read, head)| judge(&mut read.page, &head).map(|()| read));
                    if let (Ok(_), Some(body)) = (&judged, keeping) {
                        kept.borrow_mut().keep(url, body, runtime.now_ms().saturating_add(*keep_ms));
                    }
                    judged
                }
            };
            let mut error = match outcome {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            let now = runtime.now_ms();
            let pause = self.patience.pause_ms(&error, attempt, runtime.random());
            let is_complaint = error.code == ErrorCode::RateLimited;
            if is_complaint && error.status.is_some() {
                pace.slow_down(now, pause);
            }
            if !self.patience.tries_again(&error, attempt) || now.saturating_add(pause) >= until {
                error.url = Some(url.to_owned());
                error.attempts = Some(attempt);
                if let Some(key) = api_key {
                    error.message = key.hidden_in(&error.message);
                    error.path = error.path.take().map(|path| key.hidden_in(&path));
                }
                return Err(error);
            }
            let event = Event::new(EventKind::Retry, url, attempt);
            self.inner.tell(&Event { ms: Some(pause), status: error.status, code: Some(error.code), ..event });
            // After a complaint everybody waits, this request in its place.
            if !is_complaint {
                runtime.sleep(pause).await;
            }
            attempt += 1;
        }
    }

    async fn attempt<P: Pages>(
        &self,
        url: &str,
        attempt: u32,
        until: u64,
        pages: &mut P,
        keeping: &mut Option<Vec<u8>>,
    ) -> Result<(ReadPage<P::Page>, Vec<u8>), Error> {
        let runtime = self.runtime();
        let listener = self.exchange(url, attempt);
        let late = || {
            let ms = self.patience.deadline_ms;
            let message = ["no complete answer within ", &*number(ms), " ms; try again or raise deadlineMs"].concat();
            Error::new(ErrorCode::Timeout, message)
        };
        // Waiting for one's turn is no fault of the service: it counts for the deadline only.
        let left = until.saturating_sub(runtime.now_ms());
        match runtime::race(listener.sent(), runtime.sleep(left)).await {
            First::Left(sent) => sent?,
            First::Right(()) => return Err(late()),
        }
        let left = until.saturating_sub(runtime.now_ms());
        let timeout = self.patience.timeout_ms;
        match runtime::race(self.answer(&listener, pages, keeping), runtime.sleep(timeout.min(left))).await {
            First::Left(outcome) => outcome,
            First::Right(()) if left <= timeout => Err(late()),
            First::Right(()) => {
                let message =
                    ["no complete answer within ", &*number(timeout), " ms; try again or raise timeoutMs"].concat();
                Err(Error::new(ErrorCode::Timeout, message))
            }
        }
    }

    async fn answer<P: Pages>(
        &self,
        listener: &Listener<Carried<R::Body>>,
        pages: &mut P,
        keeping: &mut Option<Vec<u8>>,
    ) -> Result<(ReadPage<P::Page>, Vec<u8>), Error> {
        let (status, headers) = listener.head().await.map_err(|reason| self.no_answer(reason))?;
        let good = (200..300).contains(&status);
        let (mut head, mut read) = (Vec::new(), 0);
        pages.begin();
        loop {
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
            read += chunk.len();
            if read > self.inner.max_response_bytes {
                return Err(too_large(self.inner.max_response_bytes));
            }
            if let Some(body) = keeping {
                body.extend_from_slice(&chunk);
            }
            pages.feed(chunk).map_err(|fail| status::unreadable(&fail, &head))?;
        }
        if !good {
            return Err(status::failing_status(status, &headers, &head, self.runtime().now_ms()));
        }
        match pages.finish() {
            Ok(read) => Ok((read, head)),
            Err(fail) => Err(status::unreadable(&fail, &head)),
        }
    }

    /// The fetch of this URL that is under way, or a new one.
    fn exchange(&self, url: &str, attempt: u32) -> Listener<Carried<R::Body>> {
        let mut under_way = self.inner.under_way.borrow_mut();
        under_way.retain(|exchange| exchange.strong_count() > 0);
        if let Some(exchange) = under_way.iter().filter_map(std::rc::Weak::upgrade).find(|other| other.can_join(url)) {
            return exchange.join();
        }
        let step = Box::pin(open(Rc::clone(&self.inner), url.to_owned(), attempt));
        let inner = Rc::clone(&self.inner);
        let read_on = move |carried| read_on(Rc::clone(&inner), carried);
        let exchange = Rc::new(Exchange::new(url.to_owned(), step, Box::new(read_on)));
        under_way.push(Rc::downgrade(&exchange));
        exchange.join()
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
async fn open<R: Runtime>(inner: Rc<Inner<R>>, url: String, attempt: u32) -> Done<Carried<R::Body>> {
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
) -> Done<Carried<R::Body>> {
    let sent_at = inner.runtime.now_ms();
    let answer = match key {
        // The key goes to the base URL and nowhere else: who answers with a redirect could take it along.
        Some(key) => inner.runtime.send(&with_key(&url, &key), false).await,
        None => inner.runtime.send(&url, true).await,
    };
    Done::Answered(answer.map(|Response { status, headers, body }| {
        let now = inner.runtime.now_ms();
        inner.pace.learn(&headers, now);
        if status != 429 {
            inner.pace.speed_up();
        }
        let event = Event::new(EventKind::Response, &url, attempt);
        inner.tell(&Event { ms: Some(now.saturating_sub(sent_at)), status: Some(status), ..event });
        Response { status, headers, body: Carried { body, _permit: permit } }
    }))
}

fn read_on<R: Runtime>(inner: Rc<Inner<R>>, mut carried: Carried<R::Body>) -> Step<Carried<R::Body>> {
    Box::pin(async move {
        let read = inner.runtime.chunk(&mut carried.body).await;
        Done::Read(carried, read)
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
