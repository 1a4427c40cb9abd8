//! How many requests a list or range sends at the same time.

/// Default number of concurrent requests of a range.
pub(crate) const DEFAULT_CONCURRENCY: u32 = 2;

/// Maximum number of concurrent requests of a list or range.
pub(crate) const MAX_CONCURRENCY: u32 = 10;
