//! The client: sends requests, limits their rate, retries them, decodes the responses and follows cursors.
//!
//! Start at [`Client`]. It is generic over [`Runtime`], which abstracts HTTP, time and randomness, and does not depend on a
//! browser. `pager` and `range` build on `Client::fetch_or_explain`, which performs a single request:
//!
//! - `version_check` calls `fetch`, and explains failures by the version of the `instance`,
//! - `fetch` starts and drives the attempts of a call,
//! - `attempt` says what the events of a fetch mean, and `retry` what follows a failure,
//! - `response_cache` and `shared_fetch` avoid requests,
//! - `exchange` sends a request when the `rate_limiter` permits it, and emits the events.

pub(crate) mod account;
mod api_key;
mod attempt;
mod attempts;
mod balances;
pub(crate) mod body_decoder;
pub(crate) mod call;
mod concurrency;
mod decoder_state_pool;
mod event;
mod event_log;
mod exchange;
mod fetch;
mod findings;
mod instance;
mod instance_info;
mod join;
mod list_pages;
mod lookup;
mod option_set;
pub(crate) mod options;
pub(crate) mod pager;
pub(crate) mod parallel_pager;
mod polled;
pub(crate) mod range;
mod rate_limiter;
mod response_cache;
pub(crate) mod response_error;
pub(crate) mod resume;
pub(crate) mod retry;
pub(crate) mod runtime;
mod shared_fetch;
mod version_check;

use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;

pub use account::Rows;
pub use api_key::{ApiKey, ApiKeyFuture};
pub use balances::AccountBalance;
pub use event::{Event, EventKind, EventSink};
pub use findings::{BadRecordSink, DriftSink};
pub use instance_info::InstanceInfo;
pub use list_pages::{ListPages, ListRecords, Page};
pub use options::ClientOptions;
pub use polled::Records;
pub use range::{IncompleteBlock, RangeBatches, RangeRecords, RangeReport, UnprocessedRange};
pub use rate_limiter::{PeerEvent, RateLimiter, RateLimits};
pub use retry::RetryPolicy;
pub use runtime::{HEADERS, Headers, MAX_CHUNK_BYTES, NetworkError, Response, Runtime};

pub use crate::decode::{BadRow as BadRecord, Cursor, DecodeOptions, Drift, DriftKind, Omitted, OmittedPlace};
pub use crate::record::Mismatch;

pub(crate) use body_decoder::FrameDecoder;
pub(crate) use options::CallOptions;
pub(crate) use pager::Pager;
pub(crate) use parallel_pager::ListReader;
pub(crate) use range::{ParallelReader, RangeReader};

use decoder_state_pool::DecoderStatePool;
pub(crate) use fetch::FetchStart;
use findings::Findings;
use instance_info::InstanceCache;
use response_cache::ResponseCache;
use shared_fetch::InFlight;

use crate::decode::{FramePage, Layout};
use crate::endpoint::BaseUrl;

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
    /// The retry policy of the calls may differ from the one in the options.
    options: ClientOptions,
    limiter: Rc<RateLimiter>,
    response_cache: RefCell<ResponseCache>,
    instance_cache: InstanceCache,
    in_flight: InFlight,
    decoder_state_pool: DecoderStatePool,
    findings: Findings,
}

/// A future that completes after a delay. It is boxed, because the compiler would otherwise repeat its code at each use.
type Sleep<'a> = Pin<Box<dyn Future<Output = ()> + 'a>>;

impl<R: Runtime> Inner<R> {
    fn sleep(&self, ms: u64) -> Sleep<'_> {
        Box::pin(self.runtime.sleep(ms))
    }

    /// Passes an event to `onEvent`.
    fn emit(&self, event: &Event<'_>) {
        if let Some(sink) = &self.options.on_event {
            sink.emit(event);
        }
    }

    /// Removes the API key from a string, because a service may echo the request.
    fn redact(&self, string: String) -> String {
        match &self.options.api_key {
            Some(key) => key.redact(&string),
            None => string,
        }
    }

    /// Maximum wait to accept from rate limit headers, in milliseconds. It is an option of the client, not of a call, because
    /// calls share the rate limiter.
    fn max_rate_limit_wait_ms(&self) -> u64 {
        self.options.retry_policy.max_wait_ms.min(MAX_RATE_WINDOW_MS)
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
    ///
    /// ```
    /// use address_query::client::{Client, ClientOptions, Runtime};
    /// use address_query::error::Error;
    ///
    /// fn create_client<R: Runtime>(runtime: R) -> Result<Client<R>, Error> {
    ///     let mut options = ClientOptions::new("https://eth.blockscout.com".parse()?);
    ///     options.limits.max_per_second = Some(5.0);
    ///     options.cache_ms = 10_000;
    ///     options.decode_options.skip_bad_rows = true;
    ///     Ok(Client::with_options(runtime, options))
    /// }
    /// ```
    #[must_use]
    pub fn with_options(runtime: R, options: ClientOptions) -> Self {
        let retry_policy = options.retry_policy;
        let limiter = options.rate_limiter.clone().unwrap_or_else(|| Rc::new(RateLimiter::new(options.limits)));
        let response_cache = RefCell::new(ResponseCache::new(options.cache_ms));
        let inner = Inner {
            runtime,
            options,
            limiter,
            response_cache,
            instance_cache: InstanceCache::default(),
            in_flight: InFlight::default(),
            decoder_state_pool: DecoderStatePool::default(),
            findings: Findings::default(),
        };
        Self { inner: Rc::new(inner), retry_policy }
    }

    /// Creates a decoder of responses of this layout into frames. It borrows the client's shape caches.
    pub(crate) fn frame_decoder(&self, layout: Layout, decode_options: DecodeOptions) -> FrameDecoder {
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
        &self.inner.options.base_url
    }

    /// Passes the findings of a page to the callbacks; see [`findings`].
    pub(crate) fn emit_findings(&self, page: &FramePage) {
        let Inner { findings, options, .. } = &*self.inner;
        let ClientOptions { on_drift, on_bad_record, .. } = options;
        findings.emit(page, on_drift.as_ref(), on_bad_record.as_ref(), |string| self.inner.redact(string));
    }

    /// The options of the decoder.
    pub(crate) fn decode_options(&self) -> DecodeOptions {
        self.inner.options.decode_options
    }

    fn runtime(&self) -> &R {
        &self.inner.runtime
    }
}
