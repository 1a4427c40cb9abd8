//! The option values of a client and of a call, and how to read them from the named values that JavaScript passes.
//!
//! The package's JavaScript has already checked names and values against the declarations in [`super::options`].

use std::rc::Rc;

use super::{ApiKey, EventSink, RateLimiter, RateLimits, RetryPolicy};
use crate::decode::DecodeOptions;
use crate::endpoint::{BaseUrl, ParamValue};
use crate::error::Error;

/// Names and values of options or parameters.
pub type NamedValues = Vec<(String, ParamValue)>;

/// Default of `maxResponseBytes`.
pub const DEFAULT_MAX_RESPONSE_BYTES: usize = 64 << 20;

/// Options of a client. The field comments name the options in JavaScript, which [`super::options`] documents.
#[derive(Debug, Clone)]
pub struct ClientOptions {
    /// URL of the instance: `baseUrl`.
    pub base_url: BaseUrl,
    /// Timeouts and attempts: `timeoutMs`, `deadlineMs`, `maxAttempts`, `maxWaitMs`.
    pub retry_policy: RetryPolicy,
    /// Limits of the client itself: `maxPerSecond`, `maxConcurrent`.
    pub limits: RateLimits,
    /// A rate limiter to share with other clients. None creates one with `limits`.
    pub rate_limiter: Option<Rc<RateLimiter>>,
    /// API key of the instance: `apiKey`.
    pub api_key: Option<ApiKey>,
    /// Callback for events: `onEvent`.
    pub on_event: Option<EventSink>,
    /// Maximum size of a response body, in bytes: `maxResponseBytes`.
    pub max_response_bytes: usize,
    /// How long responses are cached, in milliseconds: `cacheMs`. 0 disables the cache.
    pub cache_ms: u64,
    /// Handling of invalid records and unknown fields: `badRecords`, `keepExtra`.
    pub decode_options: DecodeOptions,
}

/// Options of a call.
#[derive(Debug, Clone)]
pub struct CallOptions {
    /// Timeouts and attempts: `timeoutMs`, `deadlineMs`, `maxAttempts`, `maxWaitMs`. Omitted ones are the client's.
    pub retry_policy: RetryPolicy,
    /// Resume token to continue from: `resume`.
    pub resume: Option<String>,
    /// Whether to request stale balances again until they are fresh: `until: "fresh"`.
    pub until_fresh: bool,
    /// How long to request stale balances again, in milliseconds: `freshWithinMs`.
    pub fresh_within_ms: u64,
}

/// Default of `freshWithinMs`.
pub const DEFAULT_FRESH_WITHIN_MS: u64 = 30_000;

impl ClientOptions {
    /// The defaults, with this base URL.
    #[must_use]
    pub fn new(base_url: BaseUrl) -> Self {
        Self {
            base_url,
            retry_policy: RetryPolicy::default(),
            limits: RateLimits::default(),
            rate_limiter: None,
            api_key: None,
            on_event: None,
            max_response_bytes: DEFAULT_MAX_RESPONSE_BYTES,
            cache_ms: 0,
            decode_options: DecodeOptions::default(),
        }
    }

    /// Reads the options of a client. `parse_base_url` is [`BaseUrl::parse`], or the parser of the platform.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) if `baseUrl` or `apiKey` is invalid. JavaScript has checked
    /// only that they are strings.
    pub fn read(values: &NamedValues, parse_base_url: impl Fn(&str) -> Result<BaseUrl, Error>) -> Result<Self, Error> {
        let base_url = values.iter().find_map(|(name, value)| match value {
            ParamValue::String(string) if name == "baseUrl" => Some(string.as_str()),
            _ => None,
        });
        let mut options = Self::new(parse_base_url(base_url.unwrap_or_default())?);
        for (name, value) in values {
            match (name.as_str(), value) {
                ("apiKey", ParamValue::String(key)) => options.api_key = Some(ApiKey::new(key)?),
                ("maxPerSecond", ParamValue::Number(rate)) => options.limits.max_per_second = Some(*rate),
                ("maxConcurrent", value) => options.limits.max_concurrent = to_u32(value),
                ("maxResponseBytes", value) => options.max_response_bytes = to_u32(value) as usize,
                ("cacheMs", value) => options.cache_ms = to_u32(value).into(),
                ("badRecords", ParamValue::String(string)) => options.decode_options.skip_bad_rows = string == "skip",
                ("keepExtra", value) => options.decode_options.keep_extra = matches!(value, ParamValue::Boolean(true)),
                _ => options.retry_policy.set(name, value),
            }
        }
        Ok(options)
    }
}

impl CallOptions {
    /// Reads the options of a call. Omitted options have the value of the client.
    #[must_use]
    pub fn read(values: &NamedValues, retry_policy: RetryPolicy) -> Self {
        let mut options =
            Self { retry_policy, resume: None, until_fresh: false, fresh_within_ms: DEFAULT_FRESH_WITHIN_MS };
        for (name, value) in values {
            match (name.as_str(), value) {
                ("resume", ParamValue::String(token)) => options.resume = Some(token.clone()),
                ("until", _) => options.until_fresh = true,
                ("freshWithinMs", value) => options.fresh_within_ms = to_u32(value).into(),
                _ => options.retry_policy.set(name, value),
            }
        }
        options
    }
}

impl RetryPolicy {
    /// Sets the field for this option. Ignores other options.
    fn set(&mut self, name: &str, value: &ParamValue) {
        let value = to_u32(value);
        match name {
            "timeoutMs" => self.timeout_ms = value.into(),
            "deadlineMs" => self.deadline_ms = value.into(),
            "maxWaitMs" => self.max_wait_ms = value.into(),
            "maxAttempts" => self.max_attempts = value,
            _ => {}
        }
    }
}

/// Truncates a number to an integer. Returns 0 for other values.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates; the range was checked before")]
fn to_u32(value: &ParamValue) -> u32 {
    match value {
        ParamValue::Number(number) => *number as u32,
        _ => 0,
    }
}
