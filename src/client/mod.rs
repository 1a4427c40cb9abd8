//! From a request to its page: whose turn it is, the deadline, the answer's status, the body as it arrives, what is tried
//! again. Generic over [`Runtime`]; knows no browser.

pub mod account;
pub mod api_key;
pub mod balances;
pub mod event;
mod exchange;
mod fetch;
pub mod kept;
mod lessons;
pub mod options;
pub mod pager;
pub mod pages;
pub mod range;
pub mod rate_limiter;
pub mod resume;
pub mod retry;
pub mod runtime;
pub mod settings;
pub mod status;

use std::cell::RefCell;
use std::pin::Pin;
use std::rc::{Rc, Weak};

pub use account::Rows;
pub use api_key::ApiKey;
pub use event::{Event, EventKind, EventSink};
pub use pager::Pager;
pub use pages::{FramePages, Pages, RawPages, ReadPage, Sink, TypedPages};
pub use range::{RangeReader, Report};
pub use rate_limiter::{RateLimiter, RateLimits};
pub use retry::Patience;
pub use runtime::{First, NoAnswer, Response, Runtime};
pub use settings::{CallSettings, ClientSettings};

use exchange::Exchange;
pub(crate) use fetch::Earlier;
use kept::Kept;
use lessons::Lessons;

use crate::decode::{Cursor, Layout, Leniency, Page};
use crate::endpoint::request::has_long_query;
use crate::endpoint::{BaseUrl, ListParams, Request};
use crate::error::{Error, ErrorCode};
use crate::text::shorten;

/// Reads one instance of the service.
///
/// ```no_run
/// use address_query::client::{Client, Runtime};
/// use address_query::endpoint::AddressLogsParams;
/// use address_query::error::{Error, ErrorCode};
///
/// /// Prints the newest logs of a contract. Returns the token that continues the list, if there are more.
/// async fn print_logs(client: &Client<impl Runtime>, contract: &str) -> Result<Option<String>, Error> {
///     let mut pager = client.pages(&AddressLogsParams::new(contract.parse()?))?;
///     match pager.next().await {
///         Ok(Some(page)) => {
///             for log in page.items {
///                 println!("{} {}", log.block_number, log.transaction_hash);
///             }
///             Ok(pager.resume_token())
///         }
///         Ok(None) => Ok(None),
///         // The client has retried several times already.
///         Err(error) if error.code == ErrorCode::RateLimited => {
///             println!("try again in {} ms", error.retry_after_ms.unwrap_or(10_000));
///             Err(error)
///         }
///         Err(error) => Err(error),
///     }
/// }
/// ```
#[derive(Debug)]
pub struct Client<R: Runtime> {
    inner: Rc<Inner<R>>,
    patience: Patience,
}

/// No window of the service's own limits is longer.
const LONGEST_WINDOW_MS: u64 = 60_000;

#[derive(Debug)]
struct Inner<R: Runtime> {
    runtime: R,
    base: BaseUrl,
    limiter: Rc<RateLimiter>,
    api_key: Option<ApiKey>,
    on_event: Option<EventSink>,
    max_response_bytes: usize,
    /// What the service's limits ask for beyond this is not believed: the client's, since others share the rate limiter.
    max_wait_ms: u64,
    /// For how long answers are kept; 0: not at all.
    keep_ms: u64,
    kept: RefCell<Kept>,
    /// The fetches that somebody waits for.
    under_way: RefCell<Vec<Weak<Exchange>>>,
    lessons: Lessons,
}

/// Waiting. (Boxed, or every wait would bring the runtime's own code.)
type Sleep<'a> = Pin<Box<dyn Future<Output = ()> + 'a>>;

impl<R: Runtime> Inner<R> {
    fn sleep(&self, ms: u64) -> Sleep<'_> {
        Box::pin(self.runtime.sleep(ms))
    }

    fn tell(&self, event: &Event<'_>) {
        if let Some(sink) = &self.on_event {
            sink.tell(event);
        }
    }
}

impl<R: Runtime> Clone for Client<R> {
    fn clone(&self) -> Self {
        Self { inner: Rc::clone(&self.inner), patience: self.patience }
    }
}

impl<R: Runtime> Client<R> {
    /// A client for this instance.
    #[must_use]
    pub fn new(runtime: R, base: BaseUrl) -> Self {
        Self::with_settings(runtime, ClientSettings::new(base))
    }

    /// A client with these settings.
    #[must_use]
    pub fn with_settings(runtime: R, settings: ClientSettings) -> Self {
        let limiter = settings.rate_limiter.unwrap_or_else(|| Rc::new(RateLimiter::new(settings.limits)));
        let inner = Inner {
            runtime,
            base: settings.base,
            limiter,
            api_key: settings.api_key,
            on_event: settings.on_event,
            max_response_bytes: settings.max_response_bytes,
            max_wait_ms: settings.patience.max_wait_ms.min(LONGEST_WINDOW_MS),
            keep_ms: settings.keep_ms,
            kept: RefCell::default(),
            under_way: RefCell::default(),
            lessons: Lessons::default(),
        };
        Self { inner: Rc::new(inner), patience: settings.patience }
    }

    /// Reads answers of this layout into frames, with what the client's calls have learned.
    #[must_use]
    pub fn frames(&self, layout: Layout, leniency: Leniency) -> FramePages {
        FramePages::of(layout, leniency).sharing(&self.inner.lessons)
    }

    /// The same client, which tries less long or longer. The rate limiter, the key and all else are shared with it.
    #[must_use]
    pub fn with_patience(mut self, patience: Patience) -> Self {
        self.patience = patience;
        self
    }

    /// How often and how long it tries.
    #[must_use]
    pub const fn patience(&self) -> Patience {
        self.patience
    }

    /// The instance.
    #[must_use]
    pub fn base(&self) -> &BaseUrl {
        &self.inner.base
    }

    fn runtime(&self) -> &R {
        &self.inner.runtime
    }

    /// The first page of a list.
    ///
    /// # Errors
    /// A parameter that breaks a rule, or whatever kept the page from being read.
    pub async fn page<P: ListParams>(&self, params: &P) -> Result<Page<P::Item, P::Envelope>, Error> {
        let page = self.pages(params)?.next().await?;
        page.ok_or_else(|| Error::new(ErrorCode::Internal, "a list without a first page"))
    }

    /// A list, page by page.
    ///
    /// # Errors
    /// A parameter that breaks a rule.
    pub fn pages<P: ListParams>(&self, params: &P) -> Result<Pager<R, TypedPages<P>>, Error> {
        Pager::new(self.clone(), Request::from_params(params)?, TypedPages::default(), None)
    }

    /// A list, page by page, after the page that gave this resume token.
    ///
    /// # Errors
    /// A parameter that breaks a rule, or a token that does not belong here.
    pub fn pages_after<P: ListParams>(&self, params: &P, resume: &str) -> Result<Pager<R, TypedPages<P>>, Error> {
        Pager::new(self.clone(), Request::from_params(params)?, TypedPages::default(), Some(resume))
    }

    /// Reads one page.
    async fn read<P: Pages>(
        &self,
        request: &Request,
        cursor: Option<&Cursor>,
        pages: &mut P,
    ) -> Result<ReadPage<P::Page>, Error> {
        let target = self.target(request, cursor);
        // The parameters alone are short enough: `Request` sees to that.
        if has_long_query(&target.url) {
            return Err(cursor_too_long(target.url));
        }
        let mut read = self.fetch(&target, pages, &mut |_, _| Ok(()), Earlier::default()).await?.read;
        if let (Some(key), Some(mismatch)) = (&self.inner.api_key, P::cursor_error(&mut read.page)) {
            mismatch.path = key.hidden_in(&mismatch.path);
            mismatch.found = key.hidden_in(&mismatch.found);
        }
        Ok(read)
    }
}

/// The error for a cursor that makes the URL longer than the service accepts.
fn cursor_too_long(mut url: String) -> Error {
    const SHOWN: usize = 200;
    shorten(&mut url, SHOWN);
    let message =
        ["the next page's cursor makes the URL longer than the service accepts: ", &*url, "; narrow the query"]
            .concat();
    let mut error = Error::new(ErrorCode::Cursor, message);
    error.url = Some(url);
    error
}
