//! Requests the information about an instance, for [`Client::instance`], and its version, for `fetch`.

use std::pin::Pin;
use std::rc::Rc;

use futures_util::future::join3;

use super::handle::Client;
use super::info_cache::InstanceInfo;
use super::retry::{FetchStart, fetch_with_retries};
use super::runtime::Runtime;
use crate::decode::FramePage;
use crate::endpoint::version::Version;
use crate::endpoint::{BackendConfigParams, BackendVersionParams, IndexingStatusParams};
use crate::endpoint::{Operation, Params, Request};
use crate::error::{Error, ErrorCode};
use crate::record::{Decimal, JsonNumber, read_field};
use crate::types::{BackendConfig, BackendVersion, IndexingStatus};

/// The response of a lookup, or its error.
type LookupResult = Result<Box<FramePage>, Error>;

impl<R: Runtime> Client<R> {
    /// Returns information about the instance: its version, the type of its chain, and how much of the chain it has
    /// indexed. Cached for five minutes.
    ///
    /// ```no_run
    /// # use address_query::client::{Client, Runtime};
    /// # use address_query::error::Error;
    /// /// Returns a warning for the user if the instance has not indexed all blocks yet.
    /// async fn indexing_warning(client: &Client<impl Runtime>) -> Result<Option<String>, Error> {
    ///     let info = client.instance().await?;
    ///     let Some(ratio) = info.indexed_blocks_ratio.filter(|_| info.finished_indexing_blocks == Some(false)) else {
    ///         return Ok(None);
    ///     };
    ///     Ok(Some(format!("Only {:.0} % of the blocks are indexed.", ratio.to_f64() * 100.0)))
    /// }
    /// ```
    ///
    /// # Errors
    /// The first error, if all three requests fail.
    pub async fn instance(&self) -> Result<InstanceInfo, Error> {
        self.shared_instance().await.map(Rc::unwrap_or_clone)
    }

    /// Like [`Self::instance`].
    pub(crate) async fn shared_instance(&self) -> Result<Rc<InstanceInfo>, Error> {
        let cache = &self.inner.info_cache;
        if let Some(info) = cache.info.get(self.runtime().now_ms()) {
            return Ok(info);
        }
        let (version, status, config) = join3(
            self.request_lookup(BackendVersionParams::OPERATION),
            self.request_lookup(IndexingStatusParams::OPERATION),
            self.request_lookup(BackendConfigParams::OPERATION),
        )
        .await;
        self.cache_version(&version);
        let statements = [&version, &status, &config];
        for page in statements.into_iter().flatten() {
            self.emit_diagnostics(page);
        }
        let info = Rc::new(create_info(&version, &status, &config));
        let is_final = statements.into_iter().all(is_final);
        if let [Err(error), Err(_), Err(_)] = [version, status, config] {
            return Err(error);
        }
        if is_final {
            cache.info.set(Rc::clone(&info), self.runtime().now_ms());
        }
        Ok(info)
    }

    /// Returns the version of the backend, from the cache or with a request. `None` if it is not known.
    pub(in crate::client) async fn backend_version(&self) -> Option<Version> {
        if let Some(version) = self.inner.info_cache.version.get(self.runtime().now_ms()) {
            return version;
        }
        let result = self.request_lookup(BackendVersionParams::OPERATION).await;
        self.cache_version(&result);
        parse_version(&result)
    }

    fn cache_version(&self, result: &LookupResult) {
        if is_final(result) {
            self.inner.info_cache.version.set(parse_version(result), self.runtime().now_ms());
        }
    }

    /// Requests a lookup without parameters. Boxed, because a failed fetch requests the version.
    fn request_lookup(&self, lookup: &'static Operation) -> Pin<Box<dyn Future<Output = LookupResult> + '_>> {
        Box::pin(async move {
            let request = Request::new::<String>(lookup, &[])?;
            let mut decoder = self.frame_decoder(lookup.layout);
            let target = self.target(&request, &[]);
            let (transport, policy, start) = (&self.inner.transport, self.retry_policy(), FetchStart::Request);
            Ok(fetch_with_retries(transport, policy, target, &mut decoder, None, start).await?.page)
        })
    }
}

/// Whether a failure may mean that the instance lacks the requested endpoint or parameter.
pub(super) fn is_missing(error: &Error) -> bool {
    error.code == ErrorCode::HttpStatus && matches!(error.status, Some(400 | 404 | 422))
}

/// Whether repeating the request would have the same result. Other failures may be temporary.
fn is_final(result: &LookupResult) -> bool {
    result.as_ref().err().is_none_or(is_missing)
}

/// Reads a field of the record in a response. `None` if it is null, or if there is no response.
fn read<T>(result: &LookupResult, read: impl Fn(&FramePage) -> Option<Option<T>>) -> Option<T> {
    read(result.as_ref().ok()?).flatten()
}

fn create_info(version: &LookupResult, status: &LookupResult, config: &LookupResult) -> InstanceInfo {
    let ratio = |decimal: Option<Decimal>| JsonNumber::from_decimal(&decimal?);
    InstanceInfo {
        backend_version: read_version(version),
        chain_type: read(config, |page| read_field!(&page.frame, page.envelope, BackendConfig.chain_type))
            .map(String::from),
        finished_indexing: read(status, |page| {
            read_field!(&page.frame, page.envelope, IndexingStatus.finished_indexing)
        }),
        finished_indexing_blocks: read(status, |page| {
            read_field!(&page.frame, page.envelope, IndexingStatus.finished_indexing_blocks)
        }),
        indexed_blocks_ratio: ratio(read(status, |page| {
            read_field!(&page.frame, page.envelope, IndexingStatus.indexed_blocks_ratio)
        })),
        indexed_internal_transactions_ratio: ratio(read(status, |page| {
            read_field!(&page.frame, page.envelope, IndexingStatus.indexed_internal_transactions_ratio)
        })),
    }
}

fn parse_version(result: &LookupResult) -> Option<Version> {
    Version::parse(&read_version(result)?)
}

fn read_version(result: &LookupResult) -> Option<String> {
    read(result, |page| read_field!(&page.frame, page.envelope, BackendVersion.backend_version)).map(String::from)
}
