//! [`Target`]: the description of a request.

use crate::client::rate_limiter::Priority;
use crate::endpoint::Query;

/// URL, body and properties of a request.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) url: String,
    /// The query, for GraphQL.
    pub(crate) query: Option<&'static Query>,
    /// The JSON of the body, for a POST. Otherwise the request is a GET.
    pub(crate) body: Option<String>,
    /// Whether the response must be newer than the call, and so must not come from an HTTP cache or a request in
    /// flight.
    pub(crate) is_fresh: bool,
    pub(crate) priority: Priority,
    /// The credits that the request costs.
    pub(crate) credits: u32,
}
