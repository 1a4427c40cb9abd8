//! The error type of the crate: [`Error`], with a code for programs, a message for people, and details such as the HTTP
//! status.
//!
//! The npm package has the same codes, with the same documentation.

use std::fmt;
use std::ops::{Deref, DerefMut};

use crate::strings::string_enum;

string_enum! {
    /// The kind of an [`Error`].
    ErrorCode {
        /// A parameter or option is invalid; `parameter` names it. No request was sent.
        InvalidParameter = "invalid_parameter",
        /// The call was aborted through its `signal`; `cause` is the abort reason of the signal.
        Aborted = "aborted",
        /// An attempt took longer than `timeoutMs`, or all attempts took longer than `deadlineMs`.
        Timeout = "timeout",
        /// No response was received: offline, unknown host, connection reset, or blocked by CORS.
        Network = "network",
        /// The request exceeded a rate limit of the service. `retryAfterMs` is the wait that it asked for, if any.
        RateLimited = "rate_limited",
        /// The plan of the API key has no credits left.
        OutOfCredits = "out_of_credits",
        /// The gateway does not serve this chain.
        UnsupportedChain = "unsupported_chain",
        /// The service responded with another error status; `status` is the HTTP status code.
        HttpStatus = "http_status",
        /// The service rejected the request with a message, which is part of `message`.
        Refused = "refused",
        /// The response is not as documented; `path` names the invalid value.
        Decode = "decode",
        /// The list cannot be continued: its cursor repeats, leads only to empty pages, or is invalid.
        Cursor = "cursor",
        /// A bug in this library.
        Internal = "internal",
        /// The WebAssembly module could not be loaded.
        Load = "load",
    }
}

/// The error of every fallible function. Its fields are those of [`Details`].
#[derive(Clone, PartialEq, Eq)]
pub struct Error(Box<Details>);

/// The fields of an [`Error`]. A field is `None` if it does not apply or is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Details {
    /// The kind of error.
    pub code: ErrorCode,
    /// What happened, and what to do next. For people: it may change between versions.
    pub message: String,
    /// The HTTP status of the response.
    pub status: Option<u16>,
    /// The time that the service asked to wait before the next request, in milliseconds.
    pub retry_after_ms: Option<u64>,
    /// The path of the invalid value in the response, such as `items[3].token.decimals`.
    pub path: Option<String>,
    /// The name of the invalid parameter or option.
    pub parameter: Option<String>,
    /// The requested URL, without secrets.
    pub url: Option<String>,
    /// The number of times that the request was sent.
    pub attempts: Option<u32>,
    /// A token that continues the list after the last page that was read.
    pub resume_token: Option<String>,
    /// Whether the response was truncated, empty or not JSON. If so, a retry may help.
    pub(crate) is_transient: bool,
}

impl Error {
    /// Creates an error without details.
    #[inline(never)]
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self(Box::new(Details {
            code,
            message: message.into(),
            status: None,
            retry_after_ms: None,
            path: None,
            parameter: None,
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
