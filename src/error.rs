//! The error type of the crate: [`Error`], with a code for programs, a message for people, and details such as the HTTP
//! status.
//!
//! The npm package has the same codes, with the same documentation.

use std::fmt;
use std::ops::{Deref, DerefMut};

use crate::object::{object, string_enum};

string_enum! {
    /// The kind of an [`Error`].
    ErrorCode {
        /// A parameter or option is invalid; `parameter` names it. No request was sent.
        InvalidParameter = "invalid_parameter" => "Check what you entered.",
        /// The call was aborted through its `signal`; `cause` is the abort reason of the signal.
        Aborted = "aborted" => "Canceled.",
        /// An attempt took longer than `timeoutMs`, or all attempts took longer than `deadlineMs`.
        Timeout = "timeout" => "The service does not respond.",
        /// No response was received: offline, unknown host, connection reset, or blocked by CORS or by a CDN, which
        /// sends no CORS headers. Web pages may be unable to read the gateway: then use a proxy on your server.
        Network = "network" => "The service cannot be reached.",
        /// The request exceeded a rate limit of the service. `retryAfterMs` is the wait that it asked for, if any.
        RateLimited = "rate_limited" => "The service is busy.",
        /// The service requires an API key, and the request had none. Create one at <https://dev.blockscout.com> and pass it as `apiKey`, or
        /// read through a proxy that adds it. If `baseUrl` is a proxy, check its key.
        ApiKeyRequired = "api_key_required" => "The service requires an API key.",
        /// The service does not accept the API key. Check `apiKey`: a retry does not help.
        ApiKeyRejected = "api_key_rejected" => "The service rejected the API key.",
        /// The API key has no credits left. Its plan renews them: the free plan at 00:00 UTC.
        OutOfCredits = "out_of_credits" => "The API key is used up.",
        /// The request was not sent, because the client would have spent more than `maxCredits`. Raise it, and continue with `resumeToken`.
        CreditLimit = "credit_limit" => "The spending limit was reached.",
        /// A firewall or CDN in front of the service refused the request, or returned a CAPTCHA. Use another network,
        /// or read through a proxy on your server. Browsers often cannot read such a response: then the code is
        /// `network`.
        Blocked = "blocked" => "The service blocked the request.",
        /// The gateway does not serve this chain.
        UnsupportedChain = "unsupported_chain" => "The service does not have this chain.",
        /// The instance has switched the interface off, such as GraphQL.
        Disabled = "disabled" => "The service does not offer this.",
        /// The query is more complex than the instance accepts. `client.account` has methods with the same records.
        TooComplex = "too_complex" => "The request is too large.",
        /// The service responded with another error status; `status` is the HTTP status code.
        HttpStatus = "http_status" => "The service failed.",
        /// The instance is too old: it has `backendVersion`, and the operation or `parameter` exists since `sinceVersion`.
        UnsupportedVersion = "unsupported_version" => "The service is too old.",
        /// The service rejected the request with a message, which is part of `message`.
        Refused = "refused" => "The service refused the request.",
        /// The response is not as documented; `path` names the invalid value.
        Decode = "decode" => "The service sent invalid data.",
        /// The list cannot be continued: its cursor repeats, leads only to empty pages, or is invalid.
        Cursor = "cursor" => "The list cannot be continued.",
        /// A name has no address: it was not found, has expired, or resolves to nothing or to several addresses.
        /// `candidates` are the names that match it. Only `resolveName` of `address-query/names` fails with this code.
        UnresolvedName = "unresolved_name" => "The name has no address.",
        /// The database of a local copy failed: `reason` says why. Everything else works without it. Only `address-query/store` fails with
        /// this code.
        Storage = "storage" => "The data could not be stored on this device.",
        /// A bug in this library.
        Internal = "internal" => "Something went wrong.",
        /// The WebAssembly module could not be loaded.
        Load = "load" => "Part of the app could not be loaded.",
    }
}

impl ErrorCode {
    /// A sentence in English that an app can show to its users. A translation has the [string](Self::as_str) as key.
    #[must_use]
    pub fn user_message(self) -> &'static str {
        let sentence = Self::SENTENCES.iter().find(|(code, _)| *code == self.as_str());
        sentence.map_or("", |(_, sentence)| sentence)
    }
}

/// The error of every fallible function. Its fields are in [`Details`].
///
/// ```
/// use address_query::endpoint::params::Address;
/// use address_query::error::{Error, ErrorCode};
///
/// /// Returns a message for the user, and whether to offer a button that tries again.
/// fn describe(error: &Error) -> (String, bool) {
///     match error.code {
///         ErrorCode::InvalidParameter => (format!("Correct your input. {}", error.message), false),
///         ErrorCode::RateLimited => {
///             let seconds = error.retry_after_ms.unwrap_or(10_000).div_ceil(1_000);
///             (format!("The service is busy. Try again in {seconds} s."), true)
///         }
///         ErrorCode::Network | ErrorCode::Timeout => ("The service cannot be reached.".into(), true),
///         _ => (error.to_string(), false),
///     }
/// }
///
/// let error = "0x12".parse::<Address>().unwrap_err();
/// let message = "Correct your input. address: must be an address hash: 0x and 40 hex digits";
/// assert_eq!(describe(&error), (message.into(), false));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Error(Box<Details>);

object! {
    /// The details of an error. Details that do not apply or are not known are missing.
    #[derive(Debug, Clone, PartialEq, Eq)]
    Details "ErrorDetails" {
        /// The kind of failure.
        code: ErrorCode,
        /// HTTP status of the response. 0 if the browser hides it, as for a redirect that is not followed.
        status @optional: Option<u16>,
        /// How long the service asks to wait before the next request, in milliseconds.
        retry_after_ms @optional: Option<u64>,
        /// The path of the invalid value in the response: `items[3].token.decimals`.
        path @optional: Option<String>,
        /// The name of the parameter or option that is invalid, or that the instance does not have.
        parameter @optional: Option<String>,
        /// The name of the operation that the instance does not have, or does not have with `parameter`.
        operation @optional: Option<String>,
        /// The first backend version that has the operation or `parameter`: `12.0.0`.
        since_version @optional: Option<String>,
        /// The backend version of the instance, without a suffix: `11.2.7`.
        backend_version @optional: Option<String>,
        /// The URL of the request, without secrets.
        url @optional: Option<String>,
        /// How many times the request was sent.
        attempts @optional: Option<u32>,
        /// Continues after the last page whose records were all delivered: pass it as `resume`. Missing if no page was
        /// delivered.
        resume_token @optional: Option<String>,
    } internal {
        /// What happened, and what to do next. For people: it may change between versions. In JavaScript, a member of `Error`.
        pub message: String,
        /// Whether a retry may help, if the code does not say so: the response was truncated, empty or not JSON.
        pub(crate) is_transient: bool,
    }
}

impl Error {
    /// Creates an error without details, such as the result of an [`ApiKey`](crate::client::ApiKey) callback that failed.
    #[inline(never)]
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self(Box::new(Details {
            code,
            message: message.into(),
            status: None,
            retry_after_ms: None,
            path: None,
            parameter: None,
            operation: None,
            since_version: None,
            backend_version: None,
            url: None,
            attempts: None,
            resume_token: None,
            is_transient: false,
        }))
    }

    /// Creates an error that names an invalid parameter or option. `rule` completes the message: "must be …".
    #[must_use]
    pub fn invalid_parameter(parameter: &str, rule: &str) -> Self {
        let mut error = Self::new(ErrorCode::InvalidParameter, [parameter, ": ", rule].concat());
        error.parameter = Some(parameter.to_owned());
        error
    }
}

/// The name of an option in messages: in JavaScript the option, in Rust the field or argument.
#[cfg(feature = "js")]
macro_rules! option_name {
    (api_key) => {
        "apiKey"
    };
    (base_url) => {
        "baseUrl"
    };
    (chain_id) => {
        "chainId"
    };
    (deadline_ms) => {
        "deadlineMs"
    };
    (from_block) => {
        "fromBlock"
    };
    (max_credits) => {
        "maxCredits"
    };
    (max_response_bytes) => {
        "maxResponseBytes"
    };
    (order) => {
        "order"
    };
    (page_size) => {
        "pageSize"
    };
    (skip_bad_records) => {
        "badRecords: \"skip\""
    };
    (timeout_ms) => {
        "timeoutMs"
    };
    (to_block) => {
        "toBlock"
    };
}

#[cfg(not(feature = "js"))]
macro_rules! option_name {
    ($name:ident) => {
        stringify!($name)
    };
}

pub(crate) use option_name;

impl Deref for Error {
    type Target = Details;
    fn deref(&self) -> &Details {
        &self.0
    }
}

impl DerefMut for Error {
    fn deref_mut(&mut self) -> &mut Details {
        &mut self.0
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.code.as_str())
    }
}

impl std::error::Error for Error {}
