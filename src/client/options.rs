//! Declarations of the public options: name, accepted values, TypeScript type, default and documentation, each stated once.
//!
//! The generator writes three files from them. JavaScript checks options against the table in `option-table.js`. `options.d.ts`
//! has the TypeScript interfaces, and `FIELDS.md` the option tables. The doc comments here are therefore user documentation.
//! [`super::option_values`] reads the values after that check. None of this is compiled into the WebAssembly module.

use super::option_values::{DEFAULT_FRESH_WITHIN_MS, DEFAULT_MAX_RESPONSE_BYTES};
use super::{RateLimits, RetryPolicy};

/// The longest delay that `setTimeout` supports, in milliseconds.
const MAX_MS: u64 = 2_147_483_647;

/// The options of a constructor, or of a kind of method.
#[derive(Debug)]
pub struct OptionSet {
    /// Name of the TypeScript interface. The JavaScript table has the same name with a lower-case first letter.
    pub interface: &'static str,
    /// Documentation of the interface.
    pub doc: &'static str,
    /// The set that this one extends.
    pub base: Option<&'static OptionSet>,
    /// The options, without those of `base`.
    pub options: &'static [OptionSpec],
}

/// An option.
#[derive(Debug)]
pub struct OptionSpec {
    /// Name in JavaScript.
    pub name: &'static str,
    /// Documentation for users.
    pub doc: &'static str,
    /// The accepted values.
    pub accepted: Accepted,
    typescript: Option<&'static str>,
    default: fn() -> Option<String>,
}

impl OptionSpec {
    /// The TypeScript type.
    #[must_use]
    pub fn typescript(&self) -> String {
        self.typescript.map_or_else(|| self.accepted.typescript(), str::to_owned)
    }

    /// The default as a JavaScript literal. None if no single value has the same effect as omitting the option.
    #[must_use]
    pub fn default(&self) -> Option<String> {
        (self.default)()
    }
}

/// The values that an option accepts.
#[derive(Debug, Clone, Copy)]
pub enum Accepted {
    /// A string, which is required. The argument completes the error message "is required: …".
    RequiredString(&'static str),
    /// A string. The argument completes the error message "must be …".
    String(&'static str),
    /// A string or a function that returns a string.
    StringOrFunction,
    /// A function.
    Function,
    /// A number between these, inclusive.
    Number(f64, f64),
    /// An integer between these, inclusive.
    Integer(u64, u64),
    /// A number of milliseconds, at least this many. Fractions are truncated.
    Milliseconds(u64),
    /// One of these values, as JavaScript literals.
    OneOf(&'static [&'static str]),
    /// An `AbortSignal`, of any realm.
    Signal,
}

impl Accepted {
    /// The error message for a value that is not accepted, without the option's name.
    #[must_use]
    pub fn rule(&self) -> String {
        match self {
            Self::RequiredString(what) => format!("is required: {what}"),
            Self::String(what) => format!("must be {what}"),
            Self::StringOrFunction => "must be a string or a function that returns a string".into(),
            Self::Function => "must be a function".into(),
            Self::Number(from, to) => format!("must be a number from {from} to {to}"),
            Self::Integer(from, to) => format!("must be an integer from {from} to {to}"),
            Self::Milliseconds(from) => format!("must be a number of milliseconds from {from} to {MAX_MS}"),
            Self::OneOf(values) => format!("must be {}", values.join(" or ")),
            Self::Signal => "must be an AbortSignal".into(),
        }
    }

    /// The same rule as members of a JavaScript object literal, which `options.js` evaluates.
    #[must_use]
    pub fn condition(&self) -> String {
        match self {
            Self::RequiredString(_) => "required: true, types: [\"string\"]".into(),
            Self::String(_) => "types: [\"string\"]".into(),
            Self::StringOrFunction => "types: [\"string\", \"function\"]".into(),
            Self::Function => "types: [\"function\"]".into(),
            Self::Number(from, to) => format!("from: {from}, to: {to}"),
            Self::Integer(from, to) => format!("from: {from}, to: {to}, integer: true"),
            Self::Milliseconds(from) => format!("from: {from}, to: {MAX_MS}"),
            Self::OneOf(values) => format!("values: [{}]", values.join(", ")),
            Self::Signal => "members: { aborted: \"boolean\", addEventListener: \"function\" }".into(),
        }
    }

    fn typescript(&self) -> String {
        match self {
            Self::RequiredString(_) | Self::String(_) => "string".into(),
            Self::StringOrFunction => "string | (() => string | Promise<string>)".into(),
            Self::Function => "() => void".into(),
            Self::Number(..) | Self::Integer(..) | Self::Milliseconds(_) => "number".into(),
            Self::OneOf(["true", "false"]) => "boolean".into(),
            Self::OneOf(values) => values.join(" | "),
            Self::Signal => "AbortSignalLike".into(),
        }
    }
}

/// Declares an [`OptionSet`]. Each option has a doc comment, a name and [`Accepted`] values. `as` states the TypeScript type
/// if it does not follow from the values; `=` states the default.
macro_rules! options {
    ($(#[doc = $doc:expr])* $set:ident $interface:literal $(: $base:ident)? {
        $( $(#[doc = $option_doc:expr])* $name:ident $accepted:ident $(($($argument:expr),*))? $(as $typescript:literal)? $(= $default:expr)?; )*
    }) => {
        $(#[doc = $doc])*
        pub static $set: OptionSet = OptionSet {
            interface: $interface,
            doc: concat!($($doc, "\n"),*),
            base: options!(@optional $(&$base)?),
            options: &[$( OptionSpec {
                name: stringify!($name),
                doc: concat!($($option_doc, "\n"),*),
                accepted: Accepted::$accepted $(($($argument),*))?,
                typescript: options!(@optional $($typescript)?),
                default: || options!(@optional $($default.to_string())?),
            } ),*],
        };
    };
    (@optional) => { None };
    (@optional $value:expr) => { Some($value) };
}

options! {
    /// Options of a client.
    CLIENT_OPTIONS "ClientOptions" {
        /// URL of a Blockscout instance, such as `https://eth.blockscout.com`. The scheme, a trailing slash, `/api` and
        /// `/api/v2` are optional. Other path prefixes are kept. A path alone (`/proxy`) is relative to the page's origin, and
        /// is an error where there is no page.
        baseUrl RequiredString("the URL of a Blockscout instance, as a string");
        /// Function to call instead of the global `fetch`, such as a proxy, a cache, or the sample service of
        /// `address-query/testing`.
        fetch Function as "(request: FetchRequest) => Promise<FetchResponse>";
        /// API key, sent as `apikey` with every request: 8 to 512 printable ASCII characters without spaces. A function is
        /// called before each attempt, and its result must arrive within `deadlineMs`. Errors, events, cursors and resume
        /// tokens never contain the key. Redirects are not followed with a key, because they could send it to another host.
        apiKey StringOrFunction;
        /// Maximum duration of one attempt, from sending the request to the end of the body, in milliseconds. The clock stops
        /// while your code handles rows of a response that is still arriving.
        timeoutMs Milliseconds(1) = RetryPolicy::default().timeout_ms;
        /// Maximum duration of a call, in milliseconds, including waits for the rate limit, all attempts and the backoff
        /// between them. Applies to each page of a list and to each window of `all()`.
        deadlineMs Milliseconds(1) = RetryPolicy::default().deadline_ms;
        /// Maximum number of attempts per request, including the first. The client retries network errors, timeouts, status
        /// 408, 429 and 5xx (except 501 and 505), and bodies that are truncated or not JSON. The backoff is exponential
        /// with jitter. A retry budget, shared by all clients of a rate limiter, stops retries when most requests fail.
        maxAttempts Integer(1, 100) = RetryPolicy::default().max_attempts;
        /// Maximum wait to accept from the service (`x-ratelimit-reset`, `Retry-After`), in milliseconds. Longer waits are
        /// shortened to this.
        maxWaitMs Milliseconds(1) = RetryPolicy::default().max_wait_ms;
        /// Maximum number of requests per second. Default: no fixed limit. Rate limit headers are always obeyed, all calls
        /// pause after a 429, and the rate is lowered if 429s continue. Clients with the same base URL, key, limits and `fetch`
        /// share one rate limiter.
        maxPerSecond Number(0.1, 1000.0);
        /// Maximum number of requests in flight. A request of `all()` no longer counts once its first rows are delivered.
        maxConcurrent Integer(1, 100) = RateLimits::default().max_concurrent;
        /// Maximum size of a response body, in bytes. A larger one is rejected while it arrives, with code `decode`.
        maxResponseBytes Integer(1024, 1 << 30) = DEFAULT_MAX_RESPONSE_BYTES;
        /// How long to cache successful responses, in milliseconds; 0 disables the cache. It holds up to 4 MiB and evicts the
        /// oldest first. Responses with balances are never cached; the documentation of these methods says so.
        cacheMs Milliseconds(0) = 0;
        /// How to handle a record that fails validation. `"throw"` rejects the page with code `decode`. `"skip"` omits the
        /// record and calls `onBadRecord`; `balanceMulti` returns a null balance in its place.
        badRecords OneOf(&["\"throw\"", "\"skip\""]) = "\"throw\"";
        /// Whether to keep undocumented fields, as `extra` of each record. Has no effect on `balanceMulti`.
        keepExtra OneOf(&["true", "false"]) = false;
        /// Whether to send the `account.balance()` calls of one tick as one request.
        batchBalances OneOf(&["true", "false"]) = true;
        /// Called when a response differs from the API's documentation but can still be decoded; once per difference.
        onDrift Function as "(drift: Drift) => void";
        /// Called for each record that `badRecords: "skip"` omits.
        onBadRecord Function as "(record: BadRecord) => void";
        /// Called for every request, response, wait, retry and cache hit.
        onEvent Function as "(event: ClientEvent) => void";
    }
}

options! {
    /// Options of an action.
    ACTION_OPTIONS "ActionOptions" {
        /// Cancels the call. Waits and the request in flight end at once; an iteration ends before the next record. The call
        /// rejects with code `aborted` and the signal's reason as `cause`.
        signal Signal;
        /// Maximum duration of one attempt, including the body, in milliseconds. Default: the client's.
        timeoutMs Milliseconds(1);
        /// Maximum duration of the call, in milliseconds. Default: the client's.
        deadlineMs Milliseconds(1);
        /// Maximum number of attempts per request, including the first. Default: the client's.
        maxAttempts Integer(1, 100);
        /// Maximum wait to accept from the service, in milliseconds. Default: the client's.
        maxWaitMs Milliseconds(1);
    }
}

options! {
    /// Options of a list. Timeouts and attempts apply to each page.
    LIST_OPTIONS "ListOptions": ACTION_OPTIONS {
        /// Where to continue: the `resumeToken` of a page or an error. The base URL and the parameters must be the same.
        resume String("a resumeToken of a page (a string)");
        /// Number of pages to fetch ahead during iteration.
        prefetch OneOf(&["0", "1"]) = 1;
    }
}

options! {
    /// Options of `balanceMulti`.
    BALANCES_OPTIONS "BalancesOptions": ACTION_OPTIONS {
        /// `"fresh"` requests stale balances again, with growing delays, until they are fresh or `freshWithinMs` has passed.
        /// Balances that remain stale have `stale: true`.
        until OneOf(&["\"fresh\""]);
        /// How long to keep requesting stale balances, in milliseconds. The last response may arrive up to a second later.
        freshWithinMs Milliseconds(1) = DEFAULT_FRESH_WITHIN_MS;
    }
}

options! {
    /// Options of `all()`.
    RANGE_OPTIONS "RangeOptions": LIST_OPTIONS {
        /// Called with the progress after each window of blocks, and after a response that was truncated.
        onProgress Function as "(report: RangeReport) => void";
    }
}

/// All sets. A base comes before the sets that extend it.
pub static OPTION_SETS: &[&OptionSet] =
    &[&CLIENT_OPTIONS, &ACTION_OPTIONS, &LIST_OPTIONS, &BALANCES_OPTIONS, &RANGE_OPTIONS];
