//! Caches response bodies for `cacheMs`, so that a page that is opened twice is fetched once.

use std::rc::Rc;

/// Maximum size of all cached bodies, in bytes.
const MAX_BYTES: usize = 4 << 20;

/// Bodies of successful responses by URL (without the API key), oldest first.
#[derive(Debug, Default)]
pub(crate) struct ResponseCache {
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
    /// Returns the body for this URL if it has not expired.
    pub(crate) fn get(&mut self, url: &str, now: u64, cache_ms: u64) -> Option<Rc<Vec<u8>>> {
        // Also false for an expiry too far ahead, which means that the clock was set back.
        let is_fresh = |entry: &CachedResponse| (now + 1..=now + cache_ms).contains(&entry.expires_at);
        while self.entries.first().is_some_and(|oldest| !is_fresh(oldest)) {
            self.evict_oldest();
        }
        self.entries.iter().find(|entry| entry.url == url).map(|entry| Rc::clone(&entry.body))
    }

    /// Adds a body, and evicts the oldest ones beyond the size limit.
    pub(crate) fn insert(&mut self, url: &str, body: Vec<u8>, expires_at: u64) {
        if body.len() > MAX_BYTES || self.entries.iter().any(|entry| entry.url == url) {
            return;
        }
        self.bytes += body.len();
        self.entries.push(CachedResponse { url: url.to_owned(), expires_at, body: Rc::new(body) });
        while self.bytes > MAX_BYTES {
            self.evict_oldest();
        }
    }

    fn evict_oldest(&mut self) {
        self.bytes -= self.entries.remove(0).body.len();
    }
}
