//! Fetches a target, and explains failures that are due to an old version of the instance: it rejects operations and
//! parameters that it does not know.

use super::handle::Client;
use super::instance::is_missing;
use super::retry::{FetchStart, Fetched, RetryPolicy, Validator, fetch_with_retries};
use super::runtime::Runtime;
use super::transport::Target;
use crate::decode::FrameDecoder;
use crate::endpoint::version::{Requirement, Version};
use crate::error::{Error, ErrorCode};

impl<R: Runtime> Client<R> {
    /// Fetches a target like [`fetch_with_retries`]. `requirement` is the backend version that it needs, if old
    /// versions do not support it. If the instance is too old, the error says so.
    pub(crate) async fn fetch(
        &self,
        target: Target,
        requirement: Option<Requirement>,
        decoder: &mut FrameDecoder,
        validate: Validator<'_>,
        start: FetchStart,
    ) -> Result<Fetched, Error> {
        let policy = self.retry_policy;
        let deadline = self.runtime().now_ms().saturating_add(policy.deadline_ms);
        let result = fetch_with_retries(&self.inner.transport, policy, target, decoder, validate, start).await;
        match (result, requirement) {
            (Err(error), Some(requirement)) if is_missing(&error) => {
                Err(self.explain_failure(error, &requirement, deadline).await)
            }
            (result, _) => result,
        }
    }

    /// Returns an error that names the required version if the instance is too old, otherwise the same error. Requests
    /// the version only once, within the deadline of the call.
    async fn explain_failure(&self, error: Error, requirement: &Requirement, deadline: u64) -> Error {
        let deadline_ms = deadline.saturating_sub(self.runtime().now_ms());
        let policy = RetryPolicy { deadline_ms, max_attempts: Some(1), ..self.retry_policy() };
        match self.clone().with_retry_policy(policy).backend_version().await {
            Some(version) if version < requirement.since => create_version_error(error, requirement, Some(version)),
            _ => error,
        }
    }
}

/// The error for a request that needs a newer version of the instance. Keeps the status, URL and attempts of `error`.
pub(super) fn create_version_error(mut error: Error, requirement: &Requirement, version: Option<Version>) -> Error {
    let Requirement { operation, parameter, since } = *requirement;
    let (since, version) = (since.format(), version.map(Version::format));
    let subject = parameter.map_or_else(|| operation.into(), |parameter| [parameter, " of ", operation].concat());
    let advice =
        if parameter.is_some() { "omit the parameter, or use a newer instance" } else { "use a newer instance" };
    let facts = [
        &*subject,
        " requires backend version ",
        &since,
        " or later, and the instance has ",
        version.as_deref().unwrap_or("an older one"),
    ];
    error.message = [&*facts.concat(), "; ", advice].concat();
    error.code = ErrorCode::UnsupportedVersion;
    error.operation = Some(operation.to_owned());
    error.parameter = parameter.map(str::to_owned);
    error.since_version = Some(since);
    error.backend_version = version;
    error
}
