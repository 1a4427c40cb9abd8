//! The client: sends requests, limits their rate, retries them, decodes the responses and follows cursors.
//!
//! Start at [`Client`]. It is generic over [`Runtime`], which abstracts HTTP, time and randomness, and does not depend on a
//! browser. `fetch` performs a single request; [`pager`] and [`range`] build on it.

pub mod account;
pub mod api_key;
pub mod balances;
pub mod event;
mod fetch;
pub mod option_values;
pub mod options;
pub mod page_reader;
pub mod pager;
pub mod range;
pub mod rate_limiter;
pub mod response_cache;
pub mod response_error;
pub mod resume;
pub mod retry;
pub mod runtime;
mod shape_caches;
mod shared_fetch;

use std::cell::RefCell;
use std::pin::Pin;
use std::rc::{Rc, Weak};

pub use account::Rows;
pub use api_key::ApiKey;
pub use event::{Event, EventKind, EventSink};
pub use option_values::{CallOptions, ClientOptions};
pub use page_reader::{BatchSink, DecodedPage, FramePageReader, PageReader, RawPageReader, TypedPageReader};
pub use pager::Pager;
pub use range::{RangeReader, RangeReport, TypedRangeReader};
pub use rate_limiter::{RateLimiter, RateLimits};
pub use retry::RetryPolicy;
pub use runtime::{Either, NetworkError, Response, Runtime};

pub(crate) use fetch::Resumed;
use response_cache::ResponseCache;
use shape_caches::ShapeCaches;
use shared_fetch::SharedFetch;

use crate::decode::{Cursor, DecodeOptions, Layout, Page};
use crate::endpoint::request::has_long_query;
use crate::endpoint::{BaseUrl, ListParams, Request};
use crate::error::{Error, ErrorCode};
use crate::strings::truncate_chars;

/// A client for one Blockscout instance. Clones share the rate limiter, the cache and all options.
///
/// ```no_run
/// use address_query::client::{Client, Runtime};
/// use address_query::endpoint::AddressLogsParams;
/// use address_query::error::{Error, ErrorCode};
///
/// /// Prints the newest logs of a contract. Returns a resume token if there are more.
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
    retry_policy: RetryPolicy,
}

/// The longest time window that the service uses for its rate limits.
const MAX_RATE_WINDOW_MS: u64 = 60_000;

#[derive(Debug)]
struct Inner<R: Runtime> {
    runtime: R,
    base_url: BaseUrl,
    limiter: Rc<RateLimiter>,
    api_key: Option<ApiKey>,
    on_event: Option<EventSink>,
    max_response_bytes: usize,
    /// Maximum wait to accept from rate limit headers, in milliseconds. It is an option of the client, not of a call, because
    /// calls share the rate limiter.
    max_wait_ms: u64,
    /// How long responses are cached, in milliseconds. 0 disables the cache.
    cache_ms: u64,
    response_cache: RefCell<ResponseCache>,
    /// Fetches in flight. An entry lives while it has subscribers.
    in_flight: RefCell<Vec<Weak<SharedFetch>>>,
    shape_caches: ShapeCaches,
}

/// A future that completes after a delay. It is boxed, because the compiler would otherwise repeat its code at each use.
type Sleep<'a> = Pin<Box<dyn Future<Output = ()> + 'a>>;

impl<R: Runtime> Inner<R> {
    fn sleep(&self, ms: u64) -> Sleep<'_> {
        Box::pin(self.runtime.sleep(ms))
    }

    /// Passes an event to `onEvent`.
    fn emit(&self, event: &Event<'_>) {
        if let Some(sink) = &self.on_event {
            sink.emit(event);
        }
    }
}

impl<R: Runtime> Clone for Client<R> {
    fn clone(&self) -> Self {
        Self { inner: Rc::clone(&self.inner), retry_policy: self.retry_policy }
    }
}

impl<R: Runtime> Client<R> {
    /// Creates a client for this instance, with default options.
    #[must_use]
    pub fn new(runtime: R, base_url: BaseUrl) -> Self {
        Self::with_options(runtime, ClientOptions::new(base_url))
    }

    /// Creates a client with these options.
    #[must_use]
    pub fn with_options(runtime: R, options: ClientOptions) -> Self {
        let limiter = options.rate_limiter.unwrap_or_else(|| Rc::new(RateLimiter::new(options.limits)));
        let inner = Inner {
            runtime,
            base_url: options.base_url,
            limiter,
            api_key: options.api_key,
            on_event: options.on_event,
            max_response_bytes: options.max_response_bytes,
            max_wait_ms: options.retry_policy.max_wait_ms.min(MAX_RATE_WINDOW_MS),
            cache_ms: options.cache_ms,
            response_cache: RefCell::default(),
            in_flight: RefCell::default(),
            shape_caches: ShapeCaches::default(),
        };
        Self { inner: Rc::new(inner), retry_policy: options.retry_policy }
    }

    /// Creates a reader that decodes responses of this layout into frames. It shares the client's shape caches.
    #[must_use]
    pub fn frame_reader(&self, layout: Layout, decode_options: DecodeOptions) -> FramePageReader {
        FramePageReader::from_layout(layout, decode_options).with_shape_caches(&self.inner.shape_caches)
    }

    /// Sets the retry policy of this clone. Everything else remains shared.
    #[must_use]
    pub fn with_retry_policy(mut self, retry_policy: RetryPolicy) -> Self {
        self.retry_policy = retry_policy;
        self
    }

    /// The retry policy.
    #[must_use]
    pub const fn retry_policy(&self) -> RetryPolicy {
        self.retry_policy
    }

    /// The base URL of the instance.
    #[must_use]
    pub fn base_url(&self) -> &BaseUrl {
        &self.inner.base_url
    }

    fn runtime(&self) -> &R {
        &self.inner.runtime
    }

    /// Reads the first page of a list.
    ///
    /// # Errors
    /// An invalid parameter, or any failure of the request or of decoding.
    pub async fn page<P: ListParams>(&self, params: &P) -> Result<Page<P::Item, P::Envelope>, Error> {
        let page = self.pages(params)?.next().await?;
        page.ok_or_else(|| Error::new(ErrorCode::Internal, "the list has no first page"))
    }

    /// Returns a pager that reads a list page by page.
    ///
    /// # Errors
    /// An invalid parameter.
    pub fn pages<P: ListParams>(&self, params: &P) -> Result<Pager<R, TypedPageReader<P>>, Error> {
        Pager::new(self.clone(), Request::from_params(params)?, TypedPageReader::default(), None)
    }

    /// Returns a pager that continues at the position of the resume token.
    ///
    /// # Errors
    /// An invalid parameter, or a token that belongs to another request.
    pub fn resume_pages<P: ListParams>(&self, params: &P, resume: &str) -> Result<Pager<R, TypedPageReader<P>>, Error> {
        Pager::new(self.clone(), Request::from_params(params)?, TypedPageReader::default(), Some(resume))
    }

    /// Reads one page of a list.
    async fn read_page<P: PageReader>(
        &self,
        request: &Request,
        cursor: Option<&Cursor>,
        reader: &mut P,
    ) -> Result<DecodedPage<P::Page>, Error> {
        let target = self.target(request, cursor);
        // `Request` has checked the length of the parameters. Only the cursor can be too long.
        if has_long_query(&target.url) {
            return Err(cursor_too_long(target.url));
        }
        let mut decoded = self.fetch(&target, reader, &mut |_, _| Ok(()), Resumed::default()).await?.decoded;
        if let (Some(key), Some(mismatch)) = (&self.inner.api_key, P::cursor_error(&mut decoded.page)) {
            mismatch.path = key.redact(&mismatch.path);
            mismatch.found = key.redact(&mismatch.found);
        }
        Ok(decoded)
    }
}

/// The error for a cursor that makes the URL longer than the service accepts.
fn cursor_too_long(mut url: String) -> Error {
    const MAX_CHARS: usize = 200;
    truncate_chars(&mut url, MAX_CHARS);
    let message =
        ["the cursor of the next page makes the URL longer than the service accepts: ", &*url, "; narrow the query"]
            .concat();
    let mut error = Error::new(ErrorCode::Cursor, message);
    error.url = Some(url);
    error
}
