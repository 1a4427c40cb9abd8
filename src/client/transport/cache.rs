//! Caches response bodies for `cacheMs`, so that a page that is opened twice is fetched once.

use std::rc::Rc;

/// Maximum size of all cached bodies, in bytes.
const MAX_BYTES: usize = 4 << 20;

/// Bodies of successful responses by URL (without the API key), oldest first.
#[derive(Debug)]
pub(crate) struct ResponseCache {
    /// How long responses are cached, in milliseconds. 0 disables the cache.
    max_age_ms: u64,
    entries: Vec<CachedResponse>,
    bytes: usize,
}

#[derive(Debug)]
struct CachedResponse {
    url: String,
    expires_at: u64,
    body: Rc<Vec<u8>>,
}

impl ResponseCache {
    pub(crate) const fn new(max_age_ms: u64) -> Self {
        Self { max_age_ms, entries: Vec::new(), bytes: 0 }
    }

    /// Returns the body for this URL if it has not expired.
    pub(crate) fn get(&mut self, url: &str, now: u64) -> Option<Rc<Vec<u8>>> {
        let max_age_ms = self.max_age_ms;
        // Also false for an expiry too far ahead, which means that the clock was set back.
        let is_fresh = |entry: &CachedResponse| (now + 1..=now + max_age_ms).contains(&entry.expires_at);
        while self.entries.first().is_some_and(|oldest| !is_fresh(oldest)) {
            self.evict(0);
        }
        self.entries.iter().find(|entry| entry.url == url).map(|entry| Rc::clone(&entry.body))
    }

    /// Adds a body, and evicts the oldest ones beyond the size limit. `replaces`: the body is newer than that of an entry.
    pub(crate) fn insert(&mut self, url: &str, body: Vec<u8>, now: u64, replaces: bool) {
        if let Some(index) = self.entries.iter().position(|entry| entry.url == url) {
            if !replaces {
                return;
            }
            self.evict(index);
        }
        if body.len() > MAX_BYTES {
            return;
        }
        self.bytes += body.len();
        let expires_at = now.saturating_add(self.max_age_ms);
        self.entries.push(CachedResponse { url: url.to_owned(), expires_at, body: Rc::new(body) });
        while self.bytes > MAX_BYTES {
            self.evict(0);
        }
    }

    fn evict(&mut self, index: usize) {
        self.bytes -= self.entries.remove(index).body.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn body_is_returned_until_it_expires() {
        let mut cache = ResponseCache::new(100);
        cache.insert("a", vec![1], 1000, false);
        assert_eq!(cache.get("a", 1099).as_deref(), Some(&vec![1]));
        assert_eq!(cache.get("b", 1099), None);
        assert_eq!(cache.get("a", 1100), None);
        assert_eq!(cache.bytes, 0);
    }

    #[test]
    fn clock_that_was_set_back_expires_bodies() {
        let mut cache = ResponseCache::new(100);
        cache.insert("a", vec![1], 1000, false);
        assert_eq!(cache.get("a", 999), None);
    }

    #[test]
    fn only_a_newer_body_replaces_another() {
        let mut cache = ResponseCache::new(100);
        cache.insert("a", vec![1], 1000, false);
        cache.insert("a", vec![2], 1050, false);
        assert_eq!(cache.get("a", 1060).as_deref(), Some(&vec![1]));
        cache.insert("a", vec![3], 1050, true);
        assert_eq!((cache.get("a", 1120).as_deref(), cache.bytes), (Some(&vec![3]), 1));
        cache.insert("a", vec![0; MAX_BYTES + 1], 1120, true);
        assert_eq!(cache.get("a", 1120), None);
    }

    #[test]
    fn oldest_bodies_are_evicted_beyond_the_size_limit() {
        let mut cache = ResponseCache::new(100);
        cache.insert("too large", vec![0; MAX_BYTES + 1], 0, false);
        for url in ["a", "b", "c"] {
            cache.insert(url, vec![0; MAX_BYTES / 2], 0, false);
        }
        assert_eq!(["too large", "a", "b", "c"].map(|url| cache.get(url, 1).is_some()), [false, false, true, true]);
    }
}
