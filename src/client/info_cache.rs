//! [`InstanceInfo`]: version, chain and indexing status of an instance. [`InfoCache`] caches it for a client.

use std::cell::RefCell;
use std::rc::Rc;

use crate::endpoint::version::Version;
use crate::object::object;
use crate::record::JsonNumber;

/// How long the information is cached, in milliseconds.
const MAX_AGE_MS: u64 = 300_000;

object! {
    /// Information about an instance, from the instance itself. A member is null if the instance lacks the endpoint for
    /// it, or if the request failed.
    #[derive(Debug, Clone, PartialEq)]
    InstanceInfo "InstanceInfo" {
        /// Version of the backend, unparsed, such as `v11.2.7`, possibly with a suffix. Null: not known.
        backend_version: Option<String>,
        /// Type of the chain that the instance is built for, such as `ethereum`. Null: no special type, or not known, as with
        /// old versions.
        chain_type: Option<String>,
        /// Whether all blocks and their internal transactions are indexed. Null: not known.
        finished_indexing: Option<bool>,
        /// Whether all blocks are indexed. Null: not known.
        finished_indexing_blocks: Option<bool>,
        /// Share of the blocks that are indexed, from 0 to 1. Null: not known.
        indexed_blocks_ratio: Option<JsonNumber>,
        /// Share of the blocks whose internal transactions are indexed, from 0 to 1. Null: not known.
        indexed_internal_transactions_ratio: Option<JsonNumber>,
    }
}

/// The cached information about an instance.
#[derive(Debug, Default)]
pub(super) struct InfoCache {
    pub(super) info: Cached<Rc<InstanceInfo>>,
    /// The version of the backend. `None` if the instance does not state one.
    pub(super) version: Cached<Option<Version>>,
    /// Whether a request can choose the page size. Updated by most pages of lists. `None`: the version was requested,
    /// but could not be determined.
    pub(super) accepts_page_size: Cached<Option<bool>>,
}

/// A value and the time when it was read.
#[derive(Debug)]
pub(super) struct Cached<T>(RefCell<Option<(u64, T)>>);

impl<T> Default for Cached<T> {
    fn default() -> Self {
        Self(RefCell::new(None))
    }
}

impl<T: Clone> Cached<T> {
    /// Returns the value unless it has expired, or the clock was set back.
    pub(super) fn get(&self, now: u64) -> Option<T> {
        let cached = self.0.borrow();
        let (read_at, value) = cached.as_ref()?;
        (*read_at..read_at.saturating_add(MAX_AGE_MS)).contains(&now).then(|| value.clone())
    }

    pub(super) fn set(&self, value: T, now: u64) {
        self.0.replace(Some((now, value)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn value_is_cached_for_five_minutes() {
        let cached = Cached::default();
        assert_eq!(cached.get(1_000), None);
        cached.set(7, 1_000);
        assert_eq!(cached.get(300_999), Some(7));
        assert_eq!(cached.get(301_000), None);
    }

    #[test]
    fn clock_that_was_set_back_expires_the_value() {
        let cached = Cached::default();
        cached.set(7, 1_000);
        assert_eq!(cached.get(999), None);
    }
}
