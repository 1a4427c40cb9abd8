//! From a URL to its answer, read and judged: kept or fetched, shared, in one's turn, within its time, and tried again.

use std::future::poll_fn;
use std::rc::{Rc, Weak};
use std::task::Poll;

use super::event::{Event, EventKind};
use super::exchange::{Exchange, Listener, Log, News, waited_for};
use super::kept::NEVER_KEPT;
use super::rate_limiter::Priority;
use super::runtime::{Headers, NoAnswer, PIECE, Response, Runtime};
use super::{Client, Inner, Pages, ReadPage, Sleep, status};
use crate::decode::Cursor;
use crate::endpoint::Request;
use crate::endpoint::request::percent_encode;
use crate::error::{Error, ErrorCode};
use crate::text::{CUT, has_any, number, parsed, trimmed};

/// How much of a body is looked at to say what an unreadable answer is.
const HEAD: usize = 4096;

/// The event loop has its turn when work has taken so many milliseconds, by a clock of whole ones; collecting garbage
/// comes on top.
const SLICE_MS: u64 = 2;

/// Whether what was read is what was asked for; it sees the beginning of the body too.
pub(crate) type Judge<'a, P> = &'a mut dyn FnMut(&mut P, &[u8]) -> Result<(), Error>;

/// What is asked for.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) url: String,
    /// Whether its answer may be one that is kept.
    is_kept: bool,
    priority: Priority,
}

/// What was read of an answer, and what is still to come of it.
#[derive(Debug)]
pub(crate) struct Fetched<P> {
    pub(crate) read: ReadPage<P>,
    pub(crate) rest: Option<Box<Arriving>>,
}

/// An answer of which nobody has read the end yet.
#[derive(Debug)]
pub(crate) struct Arriving {
    listener: Listener,
    attempt: u32,
    /// Status and headers of one that fails.
    failing: Option<(u16, Headers)>,
    /// The beginning of the body.
    head: Vec<u8>,
    /// How many bytes were read.
    read: usize,
    /// All of them, where the answer is kept.
    keeping: Option<Vec<u8>>,
    /// How long this attempt may still take, and all of them. It does not run while nobody waits.
    timeout_ms: u64,
    deadline_ms: u64,
    /// Since when somebody waits.
    waits_since: u64,
    /// When the event loop had its turn.
    turn_at: u64,
}

impl Arriving {
    /// Counts the time that was waited up to now.
    fn count(&mut self, now: u64) {
        let waited = now.saturating_sub(self.waits_since);
        self.timeout_ms = self.timeout_ms.saturating_sub(waited);
        self.deadline_ms = self.deadline_ms.saturating_sub(waited);
        self.waits_since = now;
    }
}

/// What came of an answer before: an attempt that failed, or the beginning of it.
#[derive(Debug, Default)]
pub(crate) struct Earlier {
    pub(crate) failed: Option<Error>,
    pub(crate) rest: Option<Box<Arriving>>,
    /// The pause behind what failed in the place of this request.
    pub(crate) pause: Option<Pause>,
}

/// A pause, and what it is for.
#[derive(Debug)]
pub(crate) struct Pause {
    ms: u64,
    status: Option<u16>,
    code: ErrorCode,
}

impl Pause {
    pub(crate) fn after(error: &Error, ms: u64) -> Self {
        Self { ms, status: error.status, code: error.code }
    }
}

/// A part of an answer or its end, if there is one yet, and whether it is the end.
type Taken<P> = Result<Option<(ReadPage<P>, bool)>, Error>;

impl<R: Runtime> Client<R> {
    /// The page of a request after this cursor, or the first one.
    pub(crate) fn target(&self, request: &Request, cursor: Option<&Cursor>) -> Target {
        let priority = if cursor.is_some() { Priority::Bulk } else { Priority::Interactive };
        Target { priority, ..self.target_at(request, request.url(self.base(), cursor)) }
    }

    /// A request of a range.
    pub(crate) fn target_at(&self, request: &Request, url: String) -> Target {
        let is_kept = self.inner.keep_ms > 0 && !NEVER_KEPT.contains(&request.operation().name);
        Target { url, is_kept, priority: Priority::Bulk }
    }

    /// Reads the answer of one URL and judges it: all of it, or a part where `pages` gives parts. The rest of one is
    /// not tried again: what came before it was given out.
    pub(crate) async fn fetch<P: Pages>(
        &self,
        target: &Target,
        pages: &mut P,
        judge: Judge<'_, P::Page>,
        mut earlier: Earlier,
    ) -> Result<Fetched<P::Page>, Error> {
        let until = self.runtime().now_ms().saturating_add(self.patience.deadline_ms);
        let is_rest = earlier.rest.is_some();
        let mut attempt = 1;
        let mut pause = earlier.pause.take().map(|pause| self.told(&pause, &target.url, attempt));
        loop {
            if let Some(pause) = pause.take() {
                self.inner.sleep(pause).await;
            }
            let began = match (earlier.failed.take(), earlier.rest.take()) {
                (Some(error), _) => Err(error),
                (None, Some(rest)) => Ok(rest),
                (None, None) => Ok(self.begin(target, attempt, until)?),
            };
            let outcome = match began {
                Ok(arriving) => self.read_on(arriving, pages, judge).await,
                Err(error) => Err(error),
            };
            let error = match outcome {
                Err(error) if !is_rest => error,
                outcome => {
                    if outcome.is_ok() {
                        self.inner.limiter.refund_retries(attempt - 1);
                    }
                    return outcome;
                }
            };
            pause = self.after_failed_attempt(error, &target.url, attempt, until)?;
            attempt += 1;
        }
    }

    /// Decides what follows a failed attempt: the error, or a retry after a pause. While the rate limiter holds all requests
    /// after a refusal, the refused one has no pause of its own.
    fn after_failed_attempt(
        &self,
        mut error: Error,
        url: &str,
        attempt: u32,
        until: u64,
    ) -> Result<Option<u64>, Error> {
        let Inner { runtime, limiter, .. } = &*self.inner;
        let (now, random) = (runtime.now_ms(), runtime.random());
        let held = match error.code {
            ErrorCode::RateLimited => {
                // Some instances refuse with status 200: only the body tells.
                if error.status != Some(429) {
                    limiter.on_rate_limited(None, now);
                }
                Some(limiter.hold(now, self.patience.stated_wait_ms(&error), attempt, random))
            }
            ErrorCode::Network => Some(limiter.held_ms(now)).filter(|ms| *ms > 0),
            _ => None,
        };
        let pause = held.unwrap_or_else(|| self.patience.pause_ms(&error, attempt, random));
        if !self.patience.tries_again(&error, attempt) || now.saturating_add(pause) >= until {
            return Err(self.of_attempt(error, url, attempt));
        }
        if !limiter.take_retry() {
            error.message.push_str("; the retry budget is used up: too many requests failed lately. Try again later");
            return Err(self.of_attempt(error, url, attempt));
        }
        let pause = self.told(&Pause::after(&error, pause), url, attempt);
        Ok(held.is_none().then_some(pause))
    }

    /// Tells of a pause; how long it is.
    fn told(&self, &Pause { ms, status, code }: &Pause, url: &str, attempt: u32) -> u64 {
        let event = Event::new(EventKind::Retry, url, attempt);
        self.inner.tell(&Event { ms: Some(ms), status, code: Some(code), ..event });
        ms
    }

    /// Reads an answer to its end, or to where there is a part to be given out.
    async fn read_on<P: Pages>(
        &self,
        mut arriving: Box<Arriving>,
        pages: &mut P,
        judge: Judge<'_, P::Page>,
    ) -> Result<Fetched<P::Page>, Error> {
        arriving.waits_since = self.runtime().now_ms();
        let mut limit = self.limit(&arriving);
        let taken = loop {
            let mut turn = self.turn(&arriving);
            let news = poll_fn(|context| {
                if let Some(waiting) = &mut turn {
                    if waiting.as_mut().poll(context).is_pending() {
                        return limit.as_mut().poll(context).map(|()| None);
                    }
                    turn = None;
                    arriving.turn_at = self.runtime().now_ms();
                }
                match arriving.listener.poll(context) {
                    Poll::Ready(news) => Poll::Ready(Some(news)),
                    Poll::Pending => limit.as_mut().poll(context).map(|()| None),
                }
            })
            .await;
            let is_sent = matches!(news, Some(News::Sent));
            match self.take(news, &mut arriving, pages).transpose() {
                Some(taken) => break taken,
                None if is_sent => limit = self.limit(&arriving),
                None => {}
            }
        };
        self.taken(taken, arriving, judge)
    }

    /// Waits as long as the answer may take.
    fn limit(&self, arriving: &Arriving) -> Sleep<'_> {
        self.inner.sleep(arriving.timeout_ms.min(arriving.deadline_ms))
    }

    /// Lets the event loop have its turn, if it is time: what has arrived already comes without one. (Waiting for bytes
    /// counts as work here: with fewer turns, large answers that come at once take longer.)
    fn turn(&self, arriving: &Arriving) -> Option<Sleep<'_>> {
        let is_time =
            arriving.read >= PIECE as usize && self.runtime().now_ms().saturating_sub(arriving.turn_at) >= SLICE_MS;
        is_time.then(|| self.inner.sleep(0))
    }

    /// Takes news of an answer; nothing when it is out of time.
    fn take<P: Pages>(&self, news: Option<News>, arriving: &mut Arriving, pages: &mut P) -> Taken<P::Page> {
        let runtime = self.runtime();
        match news {
            None if arriving.failing.is_none() => return Err(self.late(arriving)),
            Some(News::Sent) => {
                pages.begin();
                arriving.count(runtime.now_ms());
                arriving.timeout_ms = self.patience.timeout_ms;
                return Ok(None);
            }
            Some(News::Head(status, headers)) => {
                if (200..300).contains(&status) && is_longer_than(&headers, self.inner.max_response_bytes) {
                    return Err(too_large(self.inner.max_response_bytes));
                }
                arriving.failing = (!(200..300).contains(&status)).then_some((status, headers));
                // It had its turn while the answer was waited for.
                arriving.turn_at = runtime.now_ms();
                return Ok(None);
            }
            Some(News::Chunk(bytes)) => {
                let room = HEAD.saturating_sub(arriving.head.len()).min(bytes.len());
                arriving.head.extend_from_slice(bytes.get(..room).unwrap_or_default());
                if arriving.failing.is_none() {
                    return self.feed(bytes, arriving, pages);
                }
                if arriving.head.len() < HEAD {
                    return Ok(None);
                }
            }
            Some(News::Failed(error)) if arriving.failing.is_none() => return Err(error),
            Some(News::End) => {}
            // A failing status says enough, but its body was cut.
            None | Some(News::Failed(_)) => arriving.head.extend_from_slice(CUT.as_bytes()),
        }
        if let Some((status, headers)) = &arriving.failing {
            return Err(status::failing_status(*status, headers, &arriving.head, runtime.now_ms()));
        }
        match pages.finish() {
            Ok(mut read) => {
                if let Some(key) = &self.inner.api_key {
                    key.remove_from(&mut read.next);
                    if let Some(next) = P::next_of(&mut read.page) {
                        next.clone_from(&read.next);
                    }
                }
                Ok(Some((read, true)))
            }
            Err(fail) => Err(status::unreadable(&fail, &arriving.head)),
        }
    }

    fn feed<P: Pages>(&self, bytes: Vec<u8>, arriving: &mut Arriving, pages: &mut P) -> Taken<P::Page> {
        arriving.read += bytes.len();
        if arriving.read > self.inner.max_response_bytes {
            return Err(too_large(self.inner.max_response_bytes));
        }
        if let Some(body) = &mut arriving.keeping {
            body.extend_from_slice(&bytes);
        }
        pages.feed(bytes).map_err(|fail| status::unreadable(&fail, &arriving.head))?;
        Ok(pages.part().map(|part| (part, false)))
    }

    /// Judges what was read.
    fn taken<P>(
        &self,
        taken: Result<(ReadPage<P>, bool), Error>,
        mut arriving: Box<Arriving>,
        judge: Judge<'_, P>,
    ) -> Result<Fetched<P>, Error> {
        let judged = taken.and_then(|(mut read, is_whole)| {
            judge(&mut read.page, &arriving.head)?;
            Ok((read, is_whole))
        });
        let url = arriving.listener.url();
        let (read, is_whole) = judged.map_err(|error| self.of_attempt(error, url, arriving.attempt))?;
        let now = self.runtime().now_ms();
        if is_whole {
            if let Some(body) = arriving.keeping.take() {
                self.inner.kept.borrow_mut().keep(url, body, now.saturating_add(self.inner.keep_ms));
            }
            return Ok(Fetched { read, rest: None });
        }
        // Who is given a part may take long over it, and ask for something else meanwhile.
        arriving.listener.step_aside();
        arriving.count(now);
        Ok(Fetched { read, rest: Some(arriving) })
    }

    /// Takes the answer that is kept, joins a request that is under way, or makes one.
    fn begin(
        &self,
        Target { url, is_kept, priority }: &Target,
        attempt: u32,
        until: u64,
    ) -> Result<Box<Arriving>, Error> {
        let Inner { runtime, limiter, kept, .. } = &*self.inner;
        let now = runtime.now_ms();
        let left = until.saturating_sub(now);
        if let Some(wait) = limiter.expected_wait(now).filter(|wait| *wait > left) {
            return Err(self.of_attempt(too_long(wait), url, attempt - 1));
        }
        let body = if *is_kept { kept.borrow_mut().get(url, now, self.inner.keep_ms) } else { None };
        let keeping = (*is_kept && body.is_none()).then(Vec::new);
        let listener = match body {
            Some(body) => self.kept(url, &body),
            None => self.exchange(url, *priority, attempt),
        };
        Ok(Box::new(Arriving {
            listener,
            attempt,
            failing: None,
            head: Vec::new(),
            read: 0,
            keeping,
            // Waiting for one's turn is no fault of the service: it counts for the deadline only.
            timeout_ms: u64::MAX,
            deadline_ms: left,
            waits_since: now,
            turn_at: now,
        }))
    }

    fn late(&self, arriving: &Arriving) -> Error {
        let (limit, raise) = if arriving.deadline_ms <= arriving.timeout_ms {
            (self.patience.deadline_ms, "deadlineMs")
        } else {
            (self.patience.timeout_ms, "timeoutMs")
        };
        let message = ["no complete answer within ", &*number(limit), " ms; try again or raise ", raise].concat();
        Error::new(ErrorCode::Timeout, message)
    }

    /// The error with what is known of the attempt, and without the API key.
    fn of_attempt(&self, mut error: Error, url: &str, attempt: u32) -> Error {
        error.url = Some(url.to_owned());
        // Without a key nothing was sent.
        error.attempts = Some(attempt - u32::from(error.code == ErrorCode::InvalidParameter));
        if let Some(key) = &self.inner.api_key {
            error.message = key.hidden_in(&error.message);
            error.path = error.path.take().map(|path| key.hidden_in(&path));
        }
        error
    }

    /// The fetch of this URL that is under way, or a new one.
    fn exchange(&self, url: &str, priority: Priority, attempt: u32) -> Listener {
        let mut under_way = self.inner.under_way.borrow_mut();
        under_way.retain(|exchange| exchange.strong_count() > 0);
        if let Some(exchange) = under_way.iter().filter_map(Weak::upgrade).find(|other| other.can_join(url)) {
            return exchange.join();
        }
        let log = Rc::<Log>::default();
        let work = work(Rc::clone(&self.inner), Rc::clone(&log), url.to_owned(), priority, attempt);
        let exchange = Exchange::new(url, log, Some(Box::pin(work)));
        under_way.push(Rc::downgrade(&exchange));
        exchange.join()
    }

    /// A kept answer, as one that has come.
    fn kept(&self, url: &str, body: &[u8]) -> Listener {
        self.inner.tell(&Event::new(EventKind::CacheHit, url, 1));
        let log = Rc::<Log>::default();
        log.add(News::Sent);
        log.add(News::Head(200, Headers::new()));
        for piece in body.chunks(PIECE as usize) {
            log.add(News::Chunk(piece.to_vec()));
        }
        log.add(News::End);
        Exchange::new(url, log, None).join()
    }
}

/// Waits for a turn, sends the request and takes its answer.
async fn work<R: Runtime>(inner: Rc<Inner<R>>, log: Rc<Log>, url: String, priority: Priority, attempt: u32) {
    let Inner { runtime, limiter, .. } = &*inner;
    let event = Event::new(EventKind::Wait, &url, attempt);
    if let Some(wait) = limiter.expected_wait(runtime.now_ms()) {
        inner.tell(&Event { ms: Some(wait), ..event });
    }
    let permit = limiter.acquire(runtime, priority).await;
    let id = permit.id;
    log.permit.set(Some(permit));
    log.add(match inner.answered(&log, event, id).await {
        Ok(()) => News::End,
        Err(error) => News::Failed(error),
    });
    log.permit.take();
}

impl<R: Runtime> Inner<R> {
    async fn answered(&self, log: &Log, event: Event<'_>, id: u64) -> Result<(), Error> {
        let Inner { runtime, limiter, .. } = self;
        let key = match &self.api_key {
            Some(key) => Some(key.get().await?),
            None => None,
        };
        self.tell(&Event { kind: EventKind::Request, ..event });
        log.add(News::Sent);
        waited_for().await;
        let sent_at = runtime.now_ms();
        // The key goes to the base URL and nowhere else: who answers with a redirect could take it along.
        let follow_redirects = key.is_none();
        let address = key.map_or_else(|| event.url.to_owned(), |key| with_key(event.url, &key));
        let answer = runtime.send(&address, follow_redirects).await;
        let now = runtime.now_ms();
        let Response { status, headers, mut body } = answer.map_err(|reason| {
            limiter.on_network_failure(id, now, event.attempt, runtime.random());
            network_error(reason)
        })?;
        limiter.observe_headers(&headers, now, self.max_wait_ms);
        if status == 429 {
            limiter.on_rate_limited(Some(id), now);
        } else {
            limiter.on_success(now);
        }
        let ms = Some(now.saturating_sub(sent_at));
        self.tell(&Event { kind: EventKind::Response, ms, status: Some(status), ..event });
        log.add(News::Head(status, headers));
        loop {
            waited_for().await;
            match runtime.chunk(&mut body).await {
                Ok(Some(chunk)) => log.add(News::Chunk(chunk)),
                Ok(None) => return Ok(()),
                Err(reason) => return Err(network_error(reason)),
            }
        }
    }
}

fn network_error(NoAnswer(reason): NoAnswer) -> Error {
    let advice = "); check the connection and baseUrl. A page of another origin must be allowed by CORS, and errors of \
                  a CDN in front of the service look like this too";
    Error::new(ErrorCode::Network, ["no answer (", &*reason, advice].concat())
}

fn with_key(url: &str, key: &str) -> String {
    let separator = if has_any(url, b"?") { "&" } else { "?" };
    [url, separator, "apikey=", &*percent_encode(key)].concat()
}

fn too_long(wait_ms: u64) -> Error {
    let wait = number(wait_ms);
    let message =
        ["the service takes no more requests for ", &*wait, " ms; try again then, or raise deadlineMs"].concat();
    let mut error = Error::new(ErrorCode::RateLimited, message);
    error.retry_after_ms = Some(wait_ms);
    error
}

/// Whether `Content-Length` is over the limit. It may be the length of the compressed body; that one is not longer.
fn is_longer_than(headers: &Headers, limit: usize) -> bool {
    let length = headers.iter().find(|(name, _)| *name == "content-length");
    length.and_then(|(_, length)| parsed(trimmed(length))).is_some_and(|length| length > limit as u64)
}

fn too_large(limit: usize) -> Error {
    let limit = number(limit as u64);
    let message =
        ["the answer is larger than ", &*limit, " bytes; narrow the query or raise maxResponseBytes"].concat();
    Error::new(ErrorCode::Decode, message)
}
