//! The client: sends requests, limits their rate, retries them, decodes the responses and follows cursors.
//!
//! Start at [`Client`]. It is generic over [`Runtime`], which abstracts HTTP, time and randomness, and does not depend on a
//! browser. [`pager`] and [`range`] build on `Client::fetch`, which performs a single request:
//!
//! - `fetch` starts and drives the attempts of a call,
//! - `attempt` says what the events of a fetch mean, and [`retry`] what follows a failure,
//! - [`response_cache`] and `shared_fetch` avoid requests,
//! - `exchange` sends a request when the [`rate_limiter`] permits it, and emits the events.

pub mod account;
pub mod api_key;
mod attempt;
mod attempts;
pub mod balances;
pub mod body_decoder;
mod call;
mod decoder_state_pool;
pub mod event;
mod event_log;
mod exchange;
mod fetch;
mod lookup;
pub mod option_set;
pub mod options;
pub mod pager;
pub mod range;
pub mod rate_limiter;
mod response_cache;
pub mod response_error;
pub mod resume;
pub mod retry;
pub mod runtime;
mod shared_fetch;

use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;

pub use account::Rows;
pub use api_key::ApiKey;
pub use body_decoder::{BatchSink, BodyDecoder, FrameDecoder, ListPage, RawDecoder, TypedDecoder};
pub use call::MethodCall;
pub use event::{Event, EventKind, EventSink};
pub use options::{CallOptions, ClientOptions};
pub use pager::Pager;
pub use range::{RangeReader, RangeReport, TypedRangeReader};
pub use rate_limiter::{RateLimiter, RateLimits};
pub use retry::RetryPolicy;
pub use runtime::{Either, NetworkError, Response, Runtime};

use decoder_state_pool::DecoderStatePool;
pub(crate) use fetch::FetchStart;
use fetch::Target;
use rate_limiter::Priority;
use response_cache::ResponseCache;
use shared_fetch::InFlight;

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
    response_cache: RefCell<ResponseCache>,
    in_flight: InFlight,
    decoder_state_pool: DecoderStatePool,
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
            response_cache: RefCell::new(ResponseCache::new(options.cache_ms)),
            in_flight: InFlight::default(),
            decoder_state_pool: DecoderStatePool::default(),
        };
        Self { inner: Rc::new(inner), retry_policy: options.retry_policy }
    }

    /// Creates a decoder of responses of this layout into frames. It borrows the client's shape caches.
    #[must_use]
    pub fn frame_decoder(&self, layout: Layout, decode_options: DecodeOptions) -> FrameDecoder {
        FrameDecoder::from_layout(layout, decode_options).with_decoder_state_pool(&self.inner.decoder_state_pool)
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
        let (page, _) = self.open_list(Request::from_params(params)?, TypedDecoder::<P>::default(), None).await?;
        page.ok_or_else(|| Error::new(ErrorCode::Internal, "the list has no first page"))
    }

    /// Opens a list and reads its first page, or the page at a resume token. The pager continues after that page.
    ///
    /// # Errors
    /// A token that belongs to another request, or any failure of the request or of decoding.
    pub async fn open_list<D: BodyDecoder<Page: ListPage>>(
        &self,
        request: Request,
        decoder: D,
        resume: Option<&str>,
    ) -> Result<(Option<D::Page>, Pager<R, D>), Error> {
        let mut pager = Pager::new(self.clone(), request, decoder, resume)?;
        Ok((pager.next().await?, pager))
    }

    /// Returns a pager that reads a list page by page.
    ///
    /// # Errors
    /// An invalid parameter.
    pub fn pages<P: ListParams>(&self, params: &P) -> Result<Pager<R, TypedDecoder<P>>, Error> {
        Pager::new(self.clone(), Request::from_params(params)?, TypedDecoder::default(), None)
    }

    /// Returns a pager that continues at the position of the resume token.
    ///
    /// # Errors
    /// An invalid parameter, or a token that belongs to another request.
    pub fn resume_pages<P: ListParams>(&self, params: &P, resume: &str) -> Result<Pager<R, TypedDecoder<P>>, Error> {
        Pager::new(self.clone(), Request::from_params(params)?, TypedDecoder::default(), Some(resume))
    }

    /// Reads one page of a list.
    async fn read_page<D: BodyDecoder<Page: ListPage>>(
        &self,
        request: &Request,
        cursor: Option<&Cursor>,
        priority: Priority,
        decoder: &mut D,
    ) -> Result<D::Page, Error> {
        let target = Target { priority, ..self.target(request, cursor) };
        // `Request` has checked the length of the parameters. Only the cursor can be too long.
        if has_long_query(&target.url) {
            return Err(cursor_too_long(target.url));
        }
        let mut page = self.fetch(&target, decoder, &mut |_, _| Ok(()), FetchStart::Request).await?.page;
        if let Some(key) = &self.inner.api_key {
            key.remove_from_cursor(page.next_cursor());
            if let Some(mismatch) = page.cursor_error() {
                mismatch.path = key.redact(&mismatch.path);
                mismatch.found = key.redact(&mismatch.found);
            }
        }
        Ok(page)
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
