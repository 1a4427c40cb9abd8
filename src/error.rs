//! The one error type: a code to act on, a message that says what to do next, and what is known about the failure.

use std::fmt;
use std::ops::{Deref, DerefMut};

use crate::text::codes;

codes! {
    /// What kind of failure an [`Error`] is.
    ErrorCode {
        /// A parameter or option is wrong; `parameter` names it. Nothing was sent.
        InvalidParameter = "invalid_parameter",
        /// The caller's signal ended the call; `cause` is the signal's reason.
        Aborted = "aborted",
        /// An attempt took longer than `timeoutMs`, or all of them longer than `deadlineMs`.
        Timeout = "timeout",
        /// No answer came: offline, name not found, connection reset, or blocked by CORS.
        Network = "network",
        /// The service asked to slow down; `retryAfterMs` says for how long, where it told.
        RateLimited = "rate_limited",
        /// The service answered with a failing HTTP status; `status` is its number.
        HttpStatus = "http_status",
        /// The service understood the request and refused it; the message is its own.
        Refused = "refused",
        /// The answer is not what its declaration says; `path` is the place.
        Decode = "decode",
        /// The list cannot be followed further: its cursor repeats, stalls or is unreadable.
        Cursor = "cursor",
        /// A fault of this library.
        Internal = "internal",
        /// The WebAssembly module could not be loaded.
        Load = "load",
    }
}

/// What went wrong, and what is known about it.
#[derive(Clone, PartialEq, Eq)]
pub struct Error(Box<Details>);

/// The parts of an [`Error`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Details {
    /// The kind of failure.
    pub code: ErrorCode,
    /// What happened, where, and what to do next.
    pub message: String,
    /// The HTTP status of the answer.
    pub status: Option<u16>,
    /// How long the service asked to wait, in milliseconds.
    pub retry_after_ms: Option<u64>,
    /// The place in the answer that does not fit, such as `items[3].token.decimals`.
    pub path: Option<String>,
    /// The parameter or option that is wrong.
    pub parameter: Option<String>,
    /// The URL that was asked, without secrets.
    pub url: Option<String>,
    /// How many times the request was sent.
    pub attempts: Option<u32>,
    /// Continues a list after the last page that was read.
    pub resume_token: Option<String>,
    /// Whether the answer was no whole document of the service, so that another attempt may give one.
    pub(crate) garbled: bool,
}

impl Error {
    /// A new error of this kind.
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
            garbled: false,
        }))
    }

    /// A parameter or option that breaks a rule.
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
