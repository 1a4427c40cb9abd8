//! The settings of a client and of a call, read from named values. The package's JavaScript has checked names and values by
//! the declarations in [`super::options`].

use std::rc::Rc;

use super::{ApiKey, EventSink, Patience, RateLimiter, RateLimits};
use crate::decode::Leniency;
use crate::endpoint::{BaseUrl, ParamValue};
use crate::error::Error;

/// Named values as the caller gave them.
pub type Entries = Vec<(String, ParamValue)>;

/// An answer may have so many bytes, unless the caller says otherwise.
pub const DEFAULT_MAX_RESPONSE_BYTES: usize = 64 << 20;

/// The settings of a client.
#[derive(Debug, Clone)]
pub struct ClientSettings {
    /// `baseUrl`.
    pub base: BaseUrl,
    /// `timeoutMs`, `deadlineMs`, `maxAttempts`, `maxWaitMs`.
    pub patience: Patience,
    /// `maxPerSecond`, `maxConcurrent`.
    pub limits: RateLimits,
    /// The rate limiter, if it is shared with other clients. None: a new one within the limits.
    pub rate_limiter: Option<Rc<RateLimiter>>,
    /// `apiKey`.
    pub api_key: Option<ApiKey>,
    /// `onEvent`.
    pub on_event: Option<EventSink>,
    /// `maxResponseBytes`.
    pub max_response_bytes: usize,
    /// `cacheMs`: for how long answers are kept; 0: not at all.
    pub keep_ms: u64,
    /// `badRecords` and `keepExtra`.
    pub leniency: Leniency,
}

/// The settings of a call.
#[derive(Debug, Clone)]
pub struct CallSettings {
    /// `timeoutMs`, `deadlineMs`, `maxAttempts`, `maxWaitMs`; the client's where they are not given.
    pub patience: Patience,
    /// `resume`.
    pub resume: Option<String>,
    /// `until`: whether stale balances are followed until they are fresh.
    pub until_fresh: bool,
    /// `freshWithinMs`: for how long.
    pub fresh_within_ms: u64,
}

/// How long stale balances are followed, unless the caller says otherwise.
pub const DEFAULT_FRESH_WITHIN_MS: u64 = 30_000;

impl ClientSettings {
    /// The settings of a client of this instance that is not told anything else.
    #[must_use]
    pub fn new(base: BaseUrl) -> Self {
        Self {
            base,
            patience: Patience::default(),
            limits: RateLimits::default(),
            rate_limiter: None,
            api_key: None,
            on_event: None,
            max_response_bytes: DEFAULT_MAX_RESPONSE_BYTES,
            keep_ms: 0,
            leniency: Leniency::default(),
        }
    }

    /// Reads the settings of a client.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) for `baseUrl` and `apiKey`, whose contents are checked here.
    pub fn read(entries: &Entries) -> Result<Self, Error> {
        let base = entries.iter().find_map(|(name, value)| match value {
            ParamValue::String(text) if name == "baseUrl" => Some(text.as_str()),
            _ => None,
        });
        let mut settings = Self::new(BaseUrl::parse(base.unwrap_or_default())?);
        for (name, value) in entries {
            match (name.as_str(), value) {
                ("apiKey", ParamValue::String(key)) => settings.api_key = Some(ApiKey::text(key)?),
                ("maxPerSecond", ParamValue::Number(rate)) => settings.limits.max_per_second = Some(*rate),
                ("maxConcurrent", value) => settings.limits.max_concurrent = whole(value),
                ("maxResponseBytes", value) => settings.max_response_bytes = whole(value) as usize,
                ("cacheMs", value) => settings.keep_ms = whole(value).into(),
                ("badRecords", ParamValue::String(text)) => settings.leniency.skip_bad_rows = text == "skip",
                ("keepExtra", value) => settings.leniency.keep_extra = matches!(value, ParamValue::Boolean(true)),
                _ => settings.patience.set(name, value),
            }
        }
        Ok(settings)
    }
}

impl CallSettings {
    /// Reads the settings of a call. Settings that are not given are the client's.
    #[must_use]
    pub fn read(entries: &Entries, patience: Patience) -> Self {
        let mut settings =
            Self { patience, resume: None, until_fresh: false, fresh_within_ms: DEFAULT_FRESH_WITHIN_MS };
        for (name, value) in entries {
            match (name.as_str(), value) {
                ("resume", ParamValue::String(token)) => settings.resume = Some(token.clone()),
                ("until", _) => settings.until_fresh = true,
                ("freshWithinMs", value) => settings.fresh_within_ms = whole(value).into(),
                _ => settings.patience.set(name, value),
            }
        }
        settings
    }
}

impl Patience {
    fn set(&mut self, name: &str, value: &ParamValue) {
        let value = whole(value);
        match name {
            "timeoutMs" => self.timeout_ms = value.into(),
            "deadlineMs" => self.deadline_ms = value.into(),
            "maxWaitMs" => self.max_wait_ms = value.into(),
            "maxAttempts" => self.max_attempts = value,
            _ => {}
        }
    }
}

/// The whole part of a number.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "saturates; within the range that was checked"
)]
fn whole(value: &ParamValue) -> u32 {
    match value {
        ParamValue::Number(number) => *number as u32,
        _ => 0,
    }
}
