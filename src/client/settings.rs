//! The settings of a client and of a call: named values from the caller, checked, none unknown.

use std::rc::Rc;

use super::{ApiKey, EventSink, Pace, PaceLimits, Patience};
use crate::decode::Leniency;
use crate::endpoint::{BaseUrl, ParamValue};
use crate::error::Error;
use crate::text::number;

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
    pub limits: PaceLimits,
    /// The pace that is kept, where it is shared with other clients; else one within the limits.
    pub pace: Option<Rc<Pace>>,
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

/// Settings of a list and of a range.
pub const LIST_SETTINGS: &[&str] = &["timeoutMs", "deadlineMs", "maxAttempts", "maxWaitMs", "resume", "prefetch"];
/// Settings of an action.
pub const ACTION_SETTINGS: &[&str] = &["timeoutMs", "deadlineMs", "maxAttempts", "maxWaitMs"];
/// Settings of `balanceMulti`.
pub const BALANCES_SETTINGS: &[&str] =
    &["timeoutMs", "deadlineMs", "maxAttempts", "maxWaitMs", "until", "freshWithinMs"];

/// How long stale balances are followed, unless the caller says otherwise.
const DEFAULT_FRESH_WITHIN_MS: u64 = 30_000;

impl ClientSettings {
    /// The settings of a client of this instance that is not told anything else.
    #[must_use]
    pub fn new(base: BaseUrl) -> Self {
        Self {
            base,
            patience: Patience::default(),
            limits: PaceLimits::default(),
            pace: None,
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
    /// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) naming the first setting that is wrong.
    pub fn read(entries: &Entries) -> Result<Self, Error> {
        let base = entries.iter().find_map(|(name, value)| match value {
            ParamValue::Text(text) if name == "baseUrl" => Some(BaseUrl::parse(text)),
            _ => None,
        });
        let Some(base) = base else {
            return Err(Error::invalid_parameter("baseUrl", "is required: the address of an instance, as a text"));
        };
        let mut settings = Self::new(base?);
        for (name, value) in entries {
            if settings.patience.set(name, value)? {
                continue;
            }
            match (name.as_str(), value) {
                ("baseUrl", _) => {}
                ("apiKey", ParamValue::Text(key)) => settings.api_key = Some(ApiKey::text(key)?),
                ("apiKey", _) => {
                    return Err(Error::invalid_parameter(name, "must be a text, or a function that gives one"));
                }
                ("maxPerSecond", ParamValue::Number(rate)) if (0.1..=1000.0).contains(rate) => {
                    settings.limits.max_per_second = Some(*rate);
                }
                ("maxPerSecond", _) => return Err(Error::invalid_parameter(name, "must be a number from 0.1 to 1000")),
                ("maxConcurrent", value) => {
                    settings.limits.max_concurrent = u32::try_from(whole(name, value, 1, 100)?).unwrap_or(u32::MAX);
                }
                ("maxResponseBytes", value) => {
                    let bytes = whole(name, value, 1024, 1 << 30)?;
                    settings.max_response_bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
                }
                ("cacheMs", value) => settings.keep_ms = whole(name, value, 0, MAX_MS)?,
                ("badRecords", ParamValue::Text(text)) if text == "throw" => settings.leniency.skip_bad_rows = false,
                ("badRecords", ParamValue::Text(text)) if text == "skip" => settings.leniency.skip_bad_rows = true,
                ("badRecords", _) => return Err(Error::invalid_parameter(name, "must be \"throw\" or \"skip\"")),
                ("keepExtra", ParamValue::Boolean(value)) => settings.leniency.keep_extra = *value,
                ("keepExtra", _) => return Err(Error::invalid_parameter(name, "must be true or false")),
                _ => {
                    let rule = "is no client option; there are baseUrl, fetch, apiKey, timeoutMs, deadlineMs, maxAttempts, \
                                maxWaitMs, maxPerSecond, maxConcurrent, maxResponseBytes, cacheMs, badRecords, keepExtra, \
                                gatherBalances, onDrift, onBadRecord, onEvent";
                    return Err(Error::invalid_parameter(name, rule));
                }
            }
        }
        Ok(settings)
    }
}

impl CallSettings {
    /// Reads the settings of a call, which takes those named in `known`; what is not given is the client's.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) naming the first setting that is wrong.
    pub fn read(entries: &Entries, known: &[&str], patience: Patience) -> Result<Self, Error> {
        let mut settings =
            Self { patience, resume: None, until_fresh: false, fresh_within_ms: DEFAULT_FRESH_WITHIN_MS };
        for (name, value) in entries {
            if !known.contains(&name.as_str()) {
                let rule = ["is no call option; there are signal, ", &*known.join(", ")].concat();
                return Err(Error::invalid_parameter(name, &rule));
            }
            if settings.patience.set(name, value)? {
                continue;
            }
            match (name.as_str(), value) {
                ("resume", ParamValue::Text(token)) => settings.resume = Some(token.clone()),
                ("resume", _) => return Err(Error::invalid_parameter(name, "must be a page's resumeToken, a text")),
                // Who iterates fetches ahead.
                ("prefetch", ParamValue::Number(pages)) if [0.0, 1.0].contains(pages) => {}
                ("prefetch", _) => return Err(Error::invalid_parameter(name, "must be 0 or 1")),
                ("until", ParamValue::Text(text)) if text == "fresh" => settings.until_fresh = true,
                ("until", _) => return Err(Error::invalid_parameter(name, "must be \"fresh\"")),
                (_, value) => settings.fresh_within_ms = whole(name, value, 1, MAX_MS)?,
            }
        }
        Ok(settings)
    }
}

impl Patience {
    /// Takes a setting, if it is one of these.
    fn set(&mut self, name: &str, value: &ParamValue) -> Result<bool, Error> {
        let place = match name {
            "timeoutMs" => &mut self.timeout_ms,
            "deadlineMs" => &mut self.deadline_ms,
            "maxWaitMs" => &mut self.max_wait_ms,
            "maxAttempts" => {
                self.max_attempts = u32::try_from(whole(name, value, 1, 100)?).unwrap_or(u32::MAX);
                return Ok(true);
            }
            _ => return Ok(false),
        };
        *place = whole(name, value, 1, MAX_MS)?;
        Ok(true)
    }
}

/// The longest time that browsers can wait.
const MAX_MS: u64 = 2_147_483_647;

/// A whole number; of milliseconds, a fraction is left out.
fn whole(name: &str, value: &ParamValue, from: u64, to: u64) -> Result<u64, Error> {
    let is_time = name.ends_with("Ms");
    match value {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "within the range that is checked"
        )]
        ParamValue::Number(number)
            if *number >= from as f64 && *number <= to as f64 && (is_time || number.fract() == 0.0) =>
        {
            Ok(*number as u64)
        }
        _ => {
            let what = if is_time { "a number of milliseconds" } else { "a whole number" };
            let rule = ["must be ", what, " from ", &number(from), " to ", &number(to)].concat();
            Err(Error::invalid_parameter(name, &rule))
        }
    }
}
