//! [`Target`]: what to request.

use crate::client::rate_limiter::Priority;
use crate::endpoint::Query;

/// What to request.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) url: String,
    /// The query, for GraphQL.
    pub(crate) query: Option<&'static Query>,
    /// The JSON of the body, for a POST. Otherwise the request is a GET.
    pub(crate) body: Option<String>,
    /// Whether the response must be newer than the call: neither that of a request in flight nor that of an HTTP cache.
    pub(crate) is_fresh: bool,
    pub(crate) priority: Priority,
    /// The credits that the request costs.
    pub(crate) credits: u32,
}
