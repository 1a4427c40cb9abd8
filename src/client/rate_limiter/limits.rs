//! The limits that the caller sets.

use crate::builder::builder_methods;

/// Default limit of requests in flight. Browsers open six HTTP/1.1 connections to a host.
pub(super) const DEFAULT_CONCURRENT: u32 = 6;

/// The limits that the caller sets.
///
/// ```
/// use address_query::client::RateLimits;
///
/// let limits = RateLimits::default().max_per_second(4.0).max_concurrent(2);
/// assert_eq!((limits.max_per_second, limits.max_concurrent), (Some(4.0), 2));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct RateLimits {
    /// Maximum number of requests per second. None: as many as the service accepts.
    pub max_per_second: Option<f64>,
    /// Maximum number of requests in flight.
    pub max_concurrent: u32,
}

impl Default for RateLimits {
    fn default() -> Self {
        Self { max_per_second: None, max_concurrent: DEFAULT_CONCURRENT }
    }
}

impl RateLimits {
    builder_methods! { max_per_second: impl Into<Option<f64>>, max_concurrent: u32, }
}
