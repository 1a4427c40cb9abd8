//! One fetch, shared by all who ask for the same while it is under way: from waiting for its turn to the end of its body.
//!
//! Nobody owns the work: whoever waits for news of it drives it. When one of them is dropped the others are woken, and
//! one of those drives on; when the last one is dropped, the request ends.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use super::rate_limiter::Permit;
use super::runtime::Headers;
use crate::error::Error;

/// What becomes of a request, in this order.
#[derive(Debug, Clone)]
pub(crate) enum News {
    /// It was its turn, and it is sent.
    Sent,
    /// The answer began: its status and headers.
    Head(u16, Headers),
    /// Bytes of the body.
    Chunk(Vec<u8>),
    /// The body ended.
    End,
    /// No answer came, or it broke off.
    Failed(Error),
}

/// The work. It stops at all news, and goes on when the next one is waited for.
type Work = Pin<Box<dyn Future<Output = ()>>>;

/// A fetch.
pub(crate) struct Exchange {
    url: String,
    /// Not there while it is driven, and after its end.
    work: Cell<Option<Work>>,
    log: Rc<Log>,
}

/// The news of a fetch, and who listens.
#[derive(Default)]
pub(crate) struct Log {
    entries: RefCell<Entries>,
    /// The right of the body to be under way.
    pub(crate) permit: Cell<Option<Permit>>,
}

#[derive(Default)]
struct Entries {
    /// What the slowest listener has not had yet: no more than one answer may have bytes.
    news: Vec<News>,
    /// News that everybody has had.
    passed: usize,
    listeners: Vec<Place>,
    last_id: usize,
}

struct Place {
    id: usize,
    /// The news that comes next.
    next: usize,
    waker: Waker,
}

impl Exchange {
    pub(crate) fn new(url: &str, log: Rc<Log>, work: Option<Work>) -> Rc<Self> {
        Rc::new(Self { url: url.to_owned(), work: Cell::new(work), log })
    }

    /// Whether it is for this URL, and its answer has not begun.
    pub(crate) fn can_join(&self, url: &str) -> bool {
        self.url == url && self.log.entries.borrow().can_join()
    }

    pub(crate) fn join(self: &Rc<Self>) -> Listener {
        let mut entries = self.log.entries.borrow_mut();
        entries.last_id += 1;
        let id = entries.last_id;
        entries.listeners.push(Place { id, next: 0, waker: Waker::noop().clone() });
        Listener { exchange: Rc::clone(self), id }
    }
}

impl Log {
    /// Adds news. The work that has some [waits](waited_for) before it goes on.
    pub(crate) fn add(&self, news: News) {
        self.entries.borrow_mut().news.push(news);
    }

    /// The next news for this listener; the last one to take it gets it without a copy.
    fn next(&self, id: usize) -> Option<News> {
        let mut entries = self.entries.borrow_mut();
        let Entries { news, passed, listeners, .. } = &mut *entries;
        let place = listeners.iter_mut().find(|place| place.id == id)?;
        let at = place.next;
        let news = news.get_mut(at - *passed)?;
        place.next += 1;
        let is_last = listeners.iter().all(|place| place.next > at);
        let news = if is_last { std::mem::replace(news, News::Sent) } else { news.clone() };
        entries.forget_passed();
        Some(news)
    }

    fn wake_all_but(&self, id: usize) {
        for place in self.entries.borrow().listeners.iter().filter(|place| place.id != id) {
            place.waker.wake_by_ref();
        }
    }
}

impl Entries {
    fn can_join(&self) -> bool {
        self.passed == 0 && matches!(*self.news, [] | [News::Sent])
    }

    fn forget_passed(&mut self) {
        // Who joins hears all from the beginning.
        if self.can_join() {
            return;
        }
        let passed = self.listeners.iter().map(|place| place.next).min().unwrap_or(self.passed);
        self.news.drain(..passed - self.passed);
        self.passed = passed;
    }
}

/// Stops the work until somebody waits for more.
pub(crate) fn waited_for() -> impl Future<Output = ()> {
    let mut was_polled = false;
    poll_fn(move |_| if std::mem::replace(&mut was_polled, true) { Poll::Ready(()) } else { Poll::Pending })
}

/// One who waits for an exchange.
#[derive(Debug)]
pub(crate) struct Listener {
    exchange: Rc<Exchange>,
    id: usize,
}

impl Listener {
    pub(crate) fn url(&self) -> &str {
        &self.exchange.url
    }

    /// Makes room for other requests, though the body goes on.
    pub(crate) fn step_aside(&self) {
        drop(self.exchange.log.permit.take());
    }

    /// What is new. Without news the work goes on, until there is some or it has to wait itself.
    pub(crate) fn poll(&self, context: &mut Context<'_>) -> Poll<News> {
        let Exchange { work, log, .. } = &*self.exchange;
        if let Some(news) = log.next(self.id) {
            return Poll::Ready(news);
        }
        if let Some(place) = log.entries.borrow_mut().listeners.iter_mut().find(|place| place.id == self.id) {
            place.waker.clone_from(context.waker());
        }
        // The work may call what asks for an exchange itself: nothing is borrowed meanwhile.
        let Some(mut going) = work.take() else { return Poll::Pending };
        if going.as_mut().poll(context).is_pending() {
            work.set(Some(going));
        }
        match log.next(self.id) {
            Some(news) => {
                log.wake_all_but(self.id);
                Poll::Ready(news)
            }
            None => Poll::Pending,
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let log = &self.exchange.log;
        let mut entries = log.entries.borrow_mut();
        entries.listeners.retain(|place| place.id != self.id);
        entries.forget_passed();
        drop(entries);
        log.wake_all_but(self.id);
    }
}

impl fmt::Debug for Exchange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exchange").field("url", &self.url).finish_non_exhaustive()
    }
}
