//! [`Client`]: the handle that all calls start from, with the state that they share.

use std::cell::RefCell;
use std::rc::Rc;

use super::credits::Credits;
use super::diagnostics::{BadRecordSink, DriftSink, Sink};
use super::info_cache::InfoCache;
use super::options::ClientOptions;
use super::rate_limiter::{Priority, RateLimiter};
use super::retry::RetryPolicy;
use super::runtime::Runtime;
use super::transport::{Target, Transport, TransportOptions};
use crate::decode::{BadRecord, DecodeOptions, DecoderStatePool, Drift, DriftLog, FrameDecoder, FramePage, Layout};
use crate::endpoint::{BaseUrl, Request};

/// A client for one Blockscout instance. Clones share the rate limiter and all options.
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
    pub(super) inner: Rc<ClientInner<R>>,
    pub(super) retry_policy: RetryPolicy,
    is_fresh: bool,
}

/// The longest time window that the service uses for its rate limits.
const MAX_RATE_WINDOW_MS: u64 = 60_000;

#[derive(Debug)]
pub(super) struct ClientInner<R: Runtime> {
    pub(super) transport: Rc<Transport<R>>,
    base_url: BaseUrl,
    /// The URL that resume tokens are bound to: the gateway's URL of the chain if the chain is known, so that a token
    /// is valid for every client of the chain; otherwise the base URL.
    pub(super) source_url: BaseUrl,
    pub(super) decode_options: DecodeOptions,
    pub(super) info_cache: InfoCache,
    decoder_state_pool: DecoderStatePool,
    on_drift: Option<DriftSink>,
    on_bad_record: Option<BadRecordSink>,
    /// Drift that was already reported.
    reported_drift: RefCell<DriftLog>,
}

impl<R: Runtime> Clone for Client<R> {
    fn clone(&self) -> Self {
        Self { inner: Rc::clone(&self.inner), retry_policy: self.retry_policy, is_fresh: self.is_fresh }
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
    /// use address_query::client::{Client, ClientOptions, DecodeOptions, RateLimits, Runtime};
    /// use address_query::error::Error;
    ///
    /// fn create_client<R: Runtime>(runtime: R) -> Result<Client<R>, Error> {
    ///     let options = ClientOptions::new("https://eth.blockscout.com".parse()?)
    ///         .limits(RateLimits::default().max_per_second(5.0))
    ///         .max_response_bytes(1 << 20)
    ///         .decode_options(DecodeOptions::default().skip_bad_records(true));
    ///     Ok(Client::with_options(runtime, options))
    /// }
    /// ```
    #[must_use]
    pub fn with_options(runtime: R, options: ClientOptions) -> Self {
        let retry_policy = options.retry_policy;
        let limiter = options.rate_limiter.unwrap_or_else(|| Rc::new(RateLimiter::new(options.limits)));
        let source_url = options.chain_id.map_or_else(|| options.base_url.clone(), BaseUrl::from_chain_id);
        let is_gateway = options.base_url.has_credits();
        let transport_options = TransportOptions {
            is_gateway,
            refuses_gateway_key: options.chain_id.is_some() && !is_gateway,
            api_key: options.api_key,
            on_event: options.on_event,
            max_response_bytes: options.max_response_bytes,
            max_rate_limit_wait_ms: retry_policy.max_wait_ms.min(MAX_RATE_WINDOW_MS),
            max_credits: options.max_credits,
            show_scam_tokens: options.show_scam_tokens,
        };
        let inner = ClientInner {
            transport: Rc::new(Transport::new(runtime, limiter, transport_options)),
            base_url: options.base_url,
            source_url,
            decode_options: options.decode_options,
            info_cache: InfoCache::default(),
            decoder_state_pool: DecoderStatePool::default(),
            on_drift: options.on_drift,
            on_bad_record: options.on_bad_record,
            reported_drift: RefCell::default(),
        };
        Self { inner: Rc::new(inner), retry_policy, is_fresh: false }
    }

    /// The target of a request with additional query parameters or variables, and with the priority of a single call.
    pub(crate) fn target(&self, request: &Request, additional: &[(&str, &str)]) -> Target {
        let (query, body) = request.query(additional).unzip();
        Target {
            url: request.url(&self.inner.base_url, additional),
            query,
            body: body.or_else(|| request.rpc_body()),
            is_fresh: self.is_fresh,
            priority: Priority::Interactive,
            credits: request.credits,
        }
    }

    /// Creates a decoder of responses of this layout into frames. It borrows the client's shape caches.
    pub(crate) fn frame_decoder(&self, layout: Layout) -> FrameDecoder {
        let mut decoder = FrameDecoder::new(layout, self.inner.decode_options);
        decoder.decoder_state_pool = self.inner.decoder_state_pool.clone();
        decoder
    }

    /// Sets the retry policy of this clone. Everything else remains shared.
    #[must_use]
    pub fn with_retry_policy(mut self, retry_policy: RetryPolicy) -> Self {
        self.retry_policy = retry_policy;
        self
    }

    /// Requires responses that are newer than the call: calls of this clone neither share requests in flight nor use
    /// HTTP caches.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_fresh_responses(mut self, is_fresh: bool) -> Self {
        self.is_fresh |= is_fresh;
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

    /// The URLs whose resume tokens are valid for the client. Older versions encoded the base URL.
    pub(super) fn token_urls(&self) -> [&BaseUrl; 2] {
        [&self.inner.source_url, self.base_url()]
    }

    /// The credits that the client and its clones have spent, and the remaining credits.
    #[must_use]
    pub fn credits(&self) -> Credits {
        self.inner.transport.credits.counted.get()
    }

    /// Counts a request that was sent without this client, as if it were sent now: in the rate limiters of this tab and
    /// others, and as an event for `onEvent`. `credits` is the cost of its operation.
    #[cfg(feature = "js")]
    pub(crate) fn count_request(&self, url: &str, credits: u32) {
        let ClientInner { transport, .. } = &*self.inner;
        transport.limiter.count(transport.runtime.now_ms());
        // With a maximum, TypeScript sends no such requests.
        drop(transport.emit_request(url, 1, credits));
    }

    /// Passes the diagnostics of a page to the callbacks. The same drift is reported once, even if it occurs in several
    /// operations. The API key is removed, because a service may echo the request.
    pub(crate) fn emit_diagnostics(&self, page: &FramePage) {
        let ClientInner { transport, on_drift, on_bad_record, reported_drift, .. } = &*self.inner;
        for drift in &page.drift {
            if reported_drift.borrow_mut().insert(drift)
                && let Some(Sink(callback)) = on_drift
            {
                let Drift { kind, record, field, found } = drift.clone();
                callback(&Drift { kind, record, field: transport.redact(field), found: transport.redact(found) });
            }
        }
        let Some(Sink(callback)) = on_bad_record else { return };
        for bad in &page.bad_records {
            let bad = bad.clone();
            callback(&BadRecord { found: transport.redact(bad.found), raw: transport.redact(bad.raw), ..bad });
        }
    }

    pub(super) fn runtime(&self) -> &R {
        &self.inner.transport.runtime
    }
}
