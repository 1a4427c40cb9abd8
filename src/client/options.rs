//! The options of a client and of its calls: name, accepted values, default and meaning, each declared once.
//!
//! The generator derives from them the table by which the package's JavaScript checks options before anything is sent, the
//! TypeScript interfaces, and the tables in the docs. [`super::settings`] reads options that were checked so.
//! Nothing of this is part of the WebAssembly module.

use super::settings::{DEFAULT_FRESH_WITHIN_MS, DEFAULT_MAX_RESPONSE_BYTES};
use super::{Patience, RateLimits};

/// The longest time that browsers can wait, in milliseconds.
const MAX_MS: u64 = 2_147_483_647;

/// The options that a constructor or a kind of method takes.
#[derive(Debug)]
pub struct OptionSet {
    /// The TypeScript interface. The JavaScript table has the same name with a lower-case first letter.
    pub interface: &'static str,
    /// What the options are for.
    pub doc: &'static str,
    /// A set whose options belong to this one, too.
    pub base: Option<&'static OptionSet>,
    /// The options beyond those of `base`.
    pub options: &'static [OptionSpec],
}

/// An option.
#[derive(Debug)]
pub struct OptionSpec {
    /// The name.
    pub name: &'static str,
    /// What the option does.
    pub doc: &'static str,
    /// The values it takes.
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

    /// The value that has the same effect as leaving the option out, as a JavaScript literal.
    #[must_use]
    pub fn default(&self) -> Option<String> {
        (self.default)()
    }
}

/// The values that an option takes.
#[derive(Debug, Clone, Copy)]
pub enum Accepted {
    /// A string. The option is required: the rule completes "is required: ".
    RequiredString(&'static str),
    /// A string. The rule completes "must be ".
    String(&'static str),
    /// A string, or a function that returns one.
    StringOrFunction,
    /// A function.
    Function,
    /// A number, inclusive at both ends.
    Number(f64, f64),
    /// A whole number, inclusive at both ends.
    Whole(u64, u64),
    /// A number of milliseconds from this one on. A fraction is ignored.
    Milliseconds(u64),
    /// One of these values, as JavaScript literals.
    OneOf(&'static [&'static str]),
    /// An `AbortSignal`, also one of another realm.
    Signal,
}

impl Accepted {
    /// The error message for another value, after the option's name.
    #[must_use]
    pub fn rule(&self) -> String {
        match self {
            Self::RequiredString(what) => format!("is required: {what}"),
            Self::String(what) => format!("must be {what}"),
            Self::StringOrFunction => "must be a string, or a function that returns one".into(),
            Self::Function => "must be a function".into(),
            Self::Number(from, to) => format!("must be a number from {from} to {to}"),
            Self::Whole(from, to) => format!("must be a whole number from {from} to {to}"),
            Self::Milliseconds(from) => format!("must be a number of milliseconds from {from} to {MAX_MS}"),
            Self::OneOf(values) => format!("must be {}", values.join(" or ")),
            Self::Signal => "must be an AbortSignal".into(),
        }
    }

    /// The condition on a value as members of a JavaScript object, as `options.js` reads them.
    #[must_use]
    pub fn condition(&self) -> String {
        match self {
            Self::RequiredString(_) => "required: true, types: [\"string\"]".into(),
            Self::String(_) => "types: [\"string\"]".into(),
            Self::StringOrFunction => "types: [\"string\", \"function\"]".into(),
            Self::Function => "types: [\"function\"]".into(),
            Self::Number(from, to) => format!("from: {from}, to: {to}"),
            Self::Whole(from, to) => format!("from: {from}, to: {to}, whole: true"),
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
            Self::Number(..) | Self::Whole(..) | Self::Milliseconds(_) => "number".into(),
            Self::OneOf(["true", "false"]) => "boolean".into(),
            Self::OneOf(values) => values.join(" | "),
            Self::Signal => "AbortSignalLike".into(),
        }
    }
}

/// Declares a set of options. Per option: what it does, its name, the accepted values, the TypeScript type where it does not
/// follow from them, the default where there is one.
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
        /// Address of an instance of the service: `https://eth.blockscout.com`. Any form that users paste is accepted, with or
        /// without scheme, `/api` or `/api/v2`. Path prefixes of gateways are kept. A path alone (`/proxy`) means the page's own
        /// origin, and is refused where there is no page.
        baseUrl RequiredString("the address of an instance, as a string");
        /// Sends the requests instead of the global `fetch`: a proxy, a cache, the sample service of `address-query/testing`.
        fetch Function as "(request: FetchRequest) => Promise<FetchResponse>";
        /// The instance's API key, sent as `apikey` with every request; or a function that returns it, called before each
        /// request, within `deadlineMs`. 8 to 512 printable ASCII characters without spaces. It is in no error, event, cursor
        /// or token. With a key redirects are not followed: they could send it elsewhere.
        apiKey StringOrFunction;
        /// Maximum duration of one attempt, body included, in milliseconds. It does not run while you work on the rows of a
        /// body that is still arriving.
        timeoutMs Milliseconds(1) = Patience::default().timeout_ms;
        /// Maximum duration of a call, in milliseconds: waiting for the rate limit, all attempts, and the pauses between them.
        /// Applies to each page of a list, and to each window of `all()`.
        deadlineMs Milliseconds(1) = Patience::default().deadline_ms;
        /// Maximum number of attempts per request, including the first. Retried are requests that were lost or timed out,
        /// statuses 408, 429 and 5xx (except 501 and 505), and bodies that break off or are not JSON. The pauses between
        /// attempts are random and grow. A retry budget, shared by the clients of one rate limiter, can end retries earlier.
        maxAttempts Whole(1, 100) = Patience::default().max_attempts;
        /// Maximum wait that the service can ask for (`x-ratelimit-reset`, `Retry-After`), in milliseconds.
        maxWaitMs Milliseconds(1) = Patience::default().max_wait_ms;
        /// Maximum number of requests per second. By default as many as the service accepts: the limits in its headers are
        /// obeyed, after a 429 all calls wait, and the rate falls only if refusals return. Clients of one instance with equal
        /// key, limits and `fetch` share one rate limiter.
        maxPerSecond Number(0.1, 1000.0);
        /// Maximum number of requests in flight. One whose first rows `all()` has delivered no longer counts.
        maxConcurrent Whole(1, 100) = RateLimits::default().max_concurrent;
        /// Maximum size of a body, in bytes. A larger one is refused while it arrives, with code `decode`.
        maxResponseBytes Whole(1024, 1 << 30) = DEFAULT_MAX_RESPONSE_BYTES;
        /// How long successful responses are cached, in milliseconds. Never cached are lists and actions that contain balances
        /// (`addresses`, `addressCoinBalanceHistory`, `ethGetBalance`, `balance`, `balanceMulti`, `tokenBalance`, `tokenList`,
        /// `listAccounts`). The cache holds at most 4 MiB, the newest.
        cacheMs Milliseconds(0) = 0;
        /// How to handle a record that fails validation. `"throw"` rejects the page with code `decode`; `"skip"` omits the
        /// record and calls `onBadRecord`; `balanceMulti` returns a null balance in its place.
        badRecords OneOf(&["\"throw\"", "\"skip\""]) = "\"throw\"";
        /// Keeps undocumented fields under `extra`, except in `balanceMulti`.
        keepExtra OneOf(&["true", "false"]) = false;
        /// Whether `account.balance()` calls of one tick are sent as one request.
        gatherBalances OneOf(&["true", "false"]) = true;
        /// Called for a response that differs from the documentation and can be read; once for each difference.
        onDrift Function as "(drift: Drift) => void";
        /// Called for each record that was omitted with `badRecords: "skip"`.
        onBadRecord Function as "(record: BadRecord) => void";
        /// Called for every request, response, wait and retry.
        onEvent Function as "(event: ClientEvent) => void";
    }
}

options! {
    /// Options of an action.
    ACTION_OPTIONS "ActionOptions" {
        /// Ends the call: waits, the fetch in flight, and an iteration before its next record. The error has code `aborted`, and
        /// the signal's reason as `cause`.
        signal Signal;
        /// Maximum duration of one attempt, body included, in milliseconds. Default: the client's.
        timeoutMs Milliseconds(1);
        /// Maximum duration of the call, in milliseconds. Default: the client's.
        deadlineMs Milliseconds(1);
        /// Maximum number of attempts per request, including the first. Default: the client's.
        maxAttempts Whole(1, 100);
        /// Maximum wait that the service can ask for, in milliseconds. Default: the client's.
        maxWaitMs Milliseconds(1);
    }
}

options! {
    /// Options of a list. Times and attempts apply to each page.
    LIST_OPTIONS "ListOptions": ACTION_OPTIONS {
        /// Continues after a page: its `resumeToken`. The parameters and base URL must be the same.
        resume String("a page's resumeToken, a string");
        /// How many pages are fetched ahead while iterating.
        prefetch OneOf(&["0", "1"]) = 1;
    }
}

options! {
    /// Options of `balanceMulti`.
    BALANCES_OPTIONS "BalancesOptions": ACTION_OPTIONS {
        /// Asks again for stale balances, with growing pauses, until they are fresh. Balances that stay stale are marked so.
        until OneOf(&["\"fresh\""]);
        /// For how long stale balances are asked for again, in milliseconds. The last response may come a second later.
        freshWithinMs Milliseconds(1) = DEFAULT_FRESH_WITHIN_MS;
    }
}

options! {
    /// Options of `all()`.
    RANGE_OPTIONS "RangeOptions": LIST_OPTIONS {
        /// Called with the progress after each window of blocks, and where a response broke off.
        onProgress Function as "(report: RangeReport) => void";
    }
}

/// Every set, a base before the sets that build on it.
pub static OPTION_SETS: &[&OptionSet] =
    &[&CLIENT_OPTIONS, &ACTION_OPTIONS, &LIST_OPTIONS, &BALANCES_OPTIONS, &RANGE_OPTIONS];
