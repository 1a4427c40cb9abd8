//! The settings of a client and of a call: named values from the caller, checked, none unknown.

use super::DEFAULT_TIMEOUT_MS;
use crate::decode::Leniency;
use crate::endpoint::{BaseUrl, ParamValue};
use crate::error::Error;

/// Named values as the caller gave them.
pub type Entries = Vec<(String, ParamValue)>;

/// The settings of a client.
#[derive(Debug, Clone)]
pub struct ClientSettings {
    /// `baseUrl`.
    pub base: BaseUrl,
    /// `timeoutMs`.
    pub timeout_ms: u64,
    /// `badRecords` and `keepExtra`.
    pub leniency: Leniency,
}

/// The settings of a call.
#[derive(Debug, Clone, Default)]
pub struct CallSettings {
    /// `timeoutMs`.
    pub timeout_ms: Option<u64>,
    /// `resume`.
    pub resume: Option<String>,
    /// `prefetch`: whether the next page is fetched ahead while iterating.
    pub prefetch: bool,
    /// `until`: whether stale balances are followed until they are fresh.
    pub until_fresh: bool,
    /// `deadlineMs`: for how long.
    pub deadline_ms: Option<u64>,
}

/// Settings of a list and of a range.
pub const LIST_SETTINGS: &[&str] = &["timeoutMs", "resume", "prefetch"];
/// Settings of an action.
pub const ACTION_SETTINGS: &[&str] = &["timeoutMs"];
/// Settings of `balanceMulti`.
pub const BALANCES_SETTINGS: &[&str] = &["timeoutMs", "until", "deadlineMs"];

/// How long stale balances are followed, unless the caller says otherwise.
pub const DEFAULT_DEADLINE_MS: u64 = 30_000;

impl ClientSettings {
    /// Reads the settings of a client.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) naming the first setting that is wrong.
    pub fn read(entries: &Entries) -> Result<Self, Error> {
        let mut base = None;
        let mut settings = (DEFAULT_TIMEOUT_MS, Leniency::default());
        for (name, value) in entries {
            match (name.as_str(), value) {
                ("baseUrl", ParamValue::Text(text)) => base = Some(BaseUrl::parse(text)?),
                ("timeoutMs", value) => settings.0 = milliseconds(name, value)?,
                ("badRecords", ParamValue::Text(text)) if text == "throw" => settings.1.skip_bad_rows = false,
                ("badRecords", ParamValue::Text(text)) if text == "skip" => settings.1.skip_bad_rows = true,
                ("badRecords", _) => return Err(Error::invalid_parameter(name, "must be \"throw\" or \"skip\"")),
                ("keepExtra", ParamValue::Boolean(value)) => settings.1.keep_extra = *value,
                ("keepExtra", _) => return Err(Error::invalid_parameter(name, "must be true or false")),
                ("baseUrl", _) => break,
                _ => {
                    let rule = "is no client option; there are baseUrl, fetch, timeoutMs, badRecords, keepExtra, \
                                gatherBalances, onDrift, onBadRecord";
                    return Err(Error::invalid_parameter(name, rule));
                }
            }
        }
        let Some(base) = base else {
            return Err(Error::invalid_parameter("baseUrl", "is required: the address of an instance, as a text"));
        };
        Ok(Self { base, timeout_ms: settings.0, leniency: settings.1 })
    }
}

impl CallSettings {
    /// Reads the settings of a call, which takes those named in `known`.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) naming the first setting that is wrong.
    pub fn read(entries: &Entries, known: &[&str]) -> Result<Self, Error> {
        let mut settings = Self { prefetch: true, ..Self::default() };
        for (name, value) in entries {
            if !known.contains(&name.as_str()) {
                let rule = format!("is no call option; there are signal, {}", known.join(", "));
                return Err(Error::invalid_parameter(name, &rule));
            }
            match (name.as_str(), value) {
                ("resume", ParamValue::Text(token)) => settings.resume = Some(token.clone()),
                ("resume", _) => return Err(Error::invalid_parameter(name, "must be a page's resumeToken, a text")),
                ("timeoutMs", value) => settings.timeout_ms = Some(milliseconds(name, value)?),
                ("prefetch", ParamValue::Number(pages)) if *pages == 0.0 => settings.prefetch = false,
                ("prefetch", ParamValue::Number(pages)) if (*pages - 1.0).abs() < f64::EPSILON => {
                    settings.prefetch = true;
                }
                ("prefetch", _) => return Err(Error::invalid_parameter(name, "must be 0 or 1")),
                ("until", ParamValue::Text(text)) if text == "fresh" => settings.until_fresh = true,
                ("until", _) => return Err(Error::invalid_parameter(name, "must be \"fresh\"")),
                (_, value) => settings.deadline_ms = Some(milliseconds(name, value)?),
            }
        }
        Ok(settings)
    }
}

fn milliseconds(name: &str, value: &ParamValue) -> Result<u64, Error> {
    match value {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within the range that is checked")]
        ParamValue::Number(ms) if *ms >= 1.0 && *ms <= f64::from(i32::MAX) => Ok(*ms as u64),
        _ => Err(Error::invalid_parameter(name, "must be a number of milliseconds from 1 to 2147483647")),
    }
}
