//! Requests what an instance states about itself: for [`Client::instance`], and the version for `version_check`.

use std::pin::Pin;
use std::rc::Rc;

use super::Client;
use super::fetch::FetchStart;
use super::instance_info::InstanceInfo;
use super::runtime::{Runtime, join3};
use crate::decode::{DecodeOptions, Frame, FramePage};
use crate::endpoint::version::Version;
use crate::endpoint::{BackendConfigParams, BackendVersionParams, IndexingStatusParams};
use crate::endpoint::{Lookup, LookupParams, Request};
use crate::error::{Error, ErrorCode};
use crate::json::escape::unescape;
use crate::record::{JsonNumber, Record, field_index};
use crate::strings::from_utf8_lossy;
use crate::types::{BackendConfig, BackendVersion, IndexingStatus};

/// The response of a lookup, or why there is none.
type LookupResult = Result<Box<FramePage>, Error>;

impl<R: Runtime> Client<R> {
    /// Returns what the instance states about itself: its version, the type of its chain, and how much of the chain it has
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
    /// The failure of the first of the three requests, if all of them fail.
    pub async fn instance(&self) -> Result<InstanceInfo, Error> {
        self.instance_with_findings(|_| {}).await.map(Rc::unwrap_or_clone)
    }

    /// Like [`Self::instance`]. Calls `on_page` for each response.
    ///
    /// # Errors
    /// Like [`Self::instance`].
    pub(crate) async fn instance_with_findings(&self, on_page: impl Fn(&FramePage)) -> Result<Rc<InstanceInfo>, Error> {
        let cache = &self.inner.instance_cache;
        if let Some(info) = cache.info.get(self.runtime().now_ms()) {
            return Ok(info);
        }
        let lookups = [BackendVersionParams::LOOKUP, IndexingStatusParams::LOOKUP, BackendConfigParams::LOOKUP];
        let [version, status, config] = join3(lookups.map(|lookup| self.request(lookup))).await;
        self.cache_version(&version);
        let statements = [&version, &status, &config];
        for page in statements.into_iter().flatten() {
            on_page(page);
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

    /// Returns the version of the backend, with a request unless it is cached. `None` if it is not known.
    pub(super) async fn backend_version(&self) -> Option<Version> {
        if let Some(version) = self.inner.instance_cache.version.get(self.runtime().now_ms()) {
            return version;
        }
        let result = self.request(BackendVersionParams::LOOKUP).await;
        self.cache_version(&result);
        parse_version(&result)
    }

    fn cache_version(&self, result: &LookupResult) {
        if is_final(result) {
            self.inner.instance_cache.version.set(parse_version(result), self.runtime().now_ms());
        }
    }

    /// Requests a lookup without parameters. Boxed, because a failed fetch requests the version.
    fn request(&self, lookup: &'static Lookup) -> Pin<Box<dyn Future<Output = LookupResult> + '_>> {
        Box::pin(async move {
            let request = Request::new(lookup, [])?;
            let mut decoder = self.frame_decoder(lookup.layout, DecodeOptions::default());
            let target = self.target(&request, &[]);
            Ok(self.fetch(&target, &mut decoder, &mut |_, _| Ok(()), FetchStart::Request).await?.page)
        })
    }
}

/// Whether a failure can mean that the instance does not have what was requested.
pub(super) fn is_missing(error: &Error) -> bool {
    error.code == ErrorCode::HttpStatus && matches!(error.status, Some(400 | 404 | 422))
}

/// Whether the same request has the same result later. Other failures may not recur.
fn is_final(result: &LookupResult) -> bool {
    result.as_ref().err().is_none_or(is_missing)
}

fn create_info(version: &LookupResult, status: &LookupResult, config: &LookupResult) -> InstanceInfo {
    const CHAIN_TYPE: usize = field_index(BackendConfig::TABLE.names, "chain_type");
    const FINISHED: usize = field_index(IndexingStatus::TABLE.names, "finished_indexing");
    const FINISHED_BLOCKS: usize = field_index(IndexingStatus::TABLE.names, "finished_indexing_blocks");
    const BLOCKS: usize = field_index(IndexingStatus::TABLE.names, "indexed_blocks_ratio");
    const INTERNAL: usize = field_index(IndexingStatus::TABLE.names, "indexed_internal_transactions_ratio");
    let ratio = |field| JsonNumber::from_decimal(&read_string(status, field)?);
    InstanceInfo {
        backend_version: read_version(version),
        chain_type: read_string(config, CHAIN_TYPE),
        finished_indexing: read_boolean(status, FINISHED),
        finished_indexing_blocks: read_boolean(status, FINISHED_BLOCKS),
        indexed_blocks_ratio: ratio(BLOCKS),
        indexed_internal_transactions_ratio: ratio(INTERNAL),
    }
}

fn parse_version(result: &LookupResult) -> Option<Version> {
    Version::parse(&read_version(result)?)
}

fn read_version(result: &LookupResult) -> Option<String> {
    read_string(result, const { field_index(BackendVersion::TABLE.names, "backend_version") })
}

fn read_string(result: &LookupResult, field: usize) -> Option<String> {
    let (frame, slot) = find_slot(result, field)?;
    Some(from_utf8_lossy(&unescape(frame.raw_string(slot)?)))
}

fn read_boolean(result: &LookupResult, field: usize) -> Option<bool> {
    let (_, slot) = find_slot(result, field)?;
    (slot != 0).then(|| slot == Frame::boolean_slot(true))
}

/// Returns the slot of a field, with its frame.
fn find_slot(result: &LookupResult, field: usize) -> Option<(&Frame, u32)> {
    let page = result.as_ref().ok()?;
    Some((&page.frame, page.frame.get(page.envelope as usize + field)))
}
