//! Declarations of the public options: name, accepted values, TypeScript type, default, documentation and the field that has the
//! value, each stated once. `options!` ([`declare`]) makes the structs of values from them.
//!
//! The generator writes three files from them. JavaScript checks options against the table in `option-table.js`. `options.d.ts`
//! has the TypeScript interfaces, and `FIELDS.md` the option tables. The doc comments here are therefore user documentation.
//! The declarations as data ([`OPTION_SETS`]) are not compiled into the WebAssembly module.

mod declare;

use std::ops::RangeInclusive;
use std::rc::Rc;

pub use self::declare::{Accepted, NamedValues, OptionSet, OptionSpec};

use self::declare::{OptionValue, is_same, options};
use super::diagnostics::{BadRecordSink, DriftSink};
use super::event::EventSink;
use super::rate_limiter::{RateLimiter, RateLimits};
use super::retry::RetryPolicy;
use super::transport::ApiKey;
use crate::decode::DecodeOptions;
use crate::endpoint::{BaseUrl, ParamValue};
use crate::error::{Error, option_name};

/// Default number of concurrent requests of a range.
pub const DEFAULT_CONCURRENCY: u32 = 2;

/// Maximum number of concurrent requests of a list or range.
pub(crate) const MAX_CONCURRENCY: u32 = 10;

/// The largest page that the service returns by default. An instance may return fewer records.
pub const MAX_PAGE_SIZE: u32 = 100;

/// The largest integer that a JavaScript number holds exactly, with all smaller ones.
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

options! {
    /// Options of a client.
    struct ClientOptions new(base_url: BaseUrl) {
        /// URL of the instance, or of the chain at the gateway or a proxy: `baseUrl`, with the id of the chain appended where needed.
        base_url: BaseUrl = base_url,
        /// Timeouts and attempts: `timeoutMs`, `deadlineMs`, `maxAttempts`, `maxWaitMs`.
        retry_policy: RetryPolicy = RetryPolicy::default(),
        /// Limits of the client itself: `maxPerSecond`, `maxConcurrent`.
        limits: RateLimits = RateLimits::default(),
        /// A rate limiter to share with other clients. None creates one with `limits`.
        rate_limiter: Option<Rc<RateLimiter>> = None,
        /// Maximum number of credits to spend: `maxCredits`.
        max_credits: Option<u64> = None,
        /// API key of the instance: `apiKey`.
        api_key: Option<ApiKey> = None,
        /// Callback for events: `onEvent`.
        on_event: Option<EventSink> = None,
        /// Callback for differences between responses and the API's documentation: `onDrift`. Called once per difference.
        on_drift: Option<DriftSink> = None,
        /// Callback for each record that is omitted because it is invalid: `onBadRecord`. See
        /// [`DecodeOptions::skip_bad_records`].
        on_bad_record: Option<BadRecordSink> = None,
        /// Handling of invalid records and unknown fields: `badRecords`, `keepExtra`.
        decode_options: DecodeOptions = DecodeOptions::default(),
    }

    /// Options of a client.
    CLIENT_OPTIONS "ClientOptions" {
        /// URL of a Blockscout instance, such as `https://eth.blockscout.com`. The scheme, a trailing slash, `/api` and
        /// `/api/v2` are optional. Other path prefixes are kept. A path alone (`/api/blockscout`) is relative to the page's origin,
        /// and is an error where there is no page. One of `baseUrl`, `chain` and `chainId` is required; `baseUrl` takes precedence.
        ///
        /// With `chain` or `chainId`, it is the URL or path of a proxy (`address-query/proxy`) or gateway for several
        /// chains, to which the client appends the id: `/api/blockscout/1`. A URL that ends with the id, the URL of
        /// `chain`, and the URLs of public instances are used unchanged, and must belong to this chain.
        baseUrl String("the URL of a Blockscout instance, as a string");
        /// The chain to read: a constant of `address-query/chains`, or a `Chain` object of viem. The client uses its
        /// `baseUrl`, else the `apiUrl` of its Blockscout explorer, else the gateway for its `id`, like `chainId`.
        chain Chain;
        /// Id of the chain to read through Blockscout's gateway, `https://api.blockscout.com`, which requires an `apiKey`, or through
        /// the proxy at `baseUrl`, which requires none. Your own instance of a chain is `chain: { id, baseUrl }`. Resume tokens, and the
        /// keys of queries, are valid for every client of the chain.
        chainId Integer(1, MAX_SAFE_INTEGER) => chain_id: Option<u64>;
        /// Function to call instead of the global `fetch`, such as a proxy, a cache, or the sample service of
        /// `address-query/testing`.
        fetch Function as "(request: FetchRequest) => Promise<FetchResponse>";
        /// API key, sent with every request: 8 to 512 printable ASCII characters without spaces. It is sent in the
        /// header `authorization` if the URL ends with the id of a chain, otherwise in `x-api-key`. In a page, where a
        /// header costs a preflight request, it is the parameter `apikey`. A key of the gateway is never sent to the
        /// instance of a `chain`. A function is called before each attempt, and its result must arrive within
        /// `deadlineMs`; clients with a function do not share a rate limiter with other tabs. Errors, events, cursors
        /// and resume tokens never contain the key. Redirects are not followed with a key, because they could send it
        /// to another host.
        apiKey StringOrFunction;
        /// Whether an API key may be in a page: it belongs to the visitor. Without this, a development build warns once, because every
        /// visitor can read it. See `address-query/proxy`.
        allowKeyInPage OneOf(&["true", "false"]) = false;
        /// Maximum duration of one attempt, from sending the request to the end of the body, in milliseconds. The clock stops
        /// while your code handles rows of a response that is still arriving.
        timeoutMs Milliseconds(1) = RetryPolicy::default().timeout_ms => retry_policy.timeout_ms;
        /// Maximum duration of a call, in milliseconds, including waits for the rate limit, all attempts and the backoff
        /// between them. Applies to each page of a list and to each window of `all()`.
        deadlineMs Milliseconds(1) = RetryPolicy::default().deadline_ms => retry_policy.deadline_ms;
        /// Maximum number of attempts per request, including the first. Default: 10, but 5 until the service has responded
        /// once. The client retries network errors, timeouts, status 408, 429 and 5xx (except 501 and 505), and bodies that
        /// are truncated or not JSON. The backoff is exponential with jitter. A retry budget, shared by all clients of a rate limiter, stops retries when most requests fail.
        maxAttempts Integer(1, 100) => retry_policy.max_attempts;
        /// Maximum wait to accept from the service (`x-ratelimit-reset`, `Retry-After`), in milliseconds. Longer waits are
        /// shortened to this.
        maxWaitMs Milliseconds(1) = RetryPolicy::default().max_wait_ms => retry_policy.max_wait_ms;
        /// Maximum number of requests per second. Default: no fixed limit. Rate limit headers are always obeyed, all
        /// calls pause after a 429, and the rate is lowered if 429s continue. Clients with the same origin, key, limits
        /// and `fetch` share one rate limiter, whatever the chain. In browsers, so do clients in other tabs and workers
        /// of your origin.
        maxPerSecond Number(0.1, 1000.0) => limits.max_per_second;
        /// Maximum number of requests in flight. A request of `all()` no longer counts once its first rows are delivered.
        maxConcurrent Integer(1, 100) = RateLimits::default().max_concurrent => limits.max_concurrent;
        /// Maximum number of credits that the client spends. A call rejects with code `credit_limit` before a request
        /// would exceed it, retries included. A list or range continues with the `resumeToken` of the error and a
        /// client with a higher maximum. `client.credits` has the credits spent so far. No effect on an instance read
        /// by its URL, which charges no credits.
        maxCredits Integer(0, MAX_SAFE_INTEGER) => max_credits;
        /// Whether lists and balances include tokens that the service considers scam. It hides them by default where it
        /// can. Sent as header `show-scam-tokens`, so that a browser sends a preflight request before each request to
        /// another origin.
        showScamTokens OneOf(&["true", "false"]) = false => show_scam_tokens: bool;
        /// Maximum size of a response body, in bytes. A larger one is rejected while it arrives, with code `decode`.
        maxResponseBytes Integer(1024, 1 << 30) = 64 << 20 => max_response_bytes: usize;
        /// How to handle a record with an essential field that cannot be read: one that identifies the record, places it, or says what
        /// moved. `"throw"` rejects the page with code `decode`. `"skip"` omits the record and calls `onBadRecord`; `balanceMulti`
        /// returns a null balance in its place. It also continues after a record that the service cannot serve, where the order of the
        /// list permits it. The `omitted` of pages, lists and reports has the number and places of omitted records, and no report with
        /// any is complete.
        badRecords OneOf(&["\"throw\"", "\"skip\""]) = "\"throw\"" => "skip" => decode_options.skip_bad_records;
        /// Whether to keep undocumented fields, as `extra` of each record. Has no effect on `balanceMulti`.
        keepExtra OneOf(&["true", "false"]) = false => decode_options.keep_extra;
        /// Whether to send the `account.balance()` calls of one tick as one request.
        batchBalances OneOf(&["true", "false"]) = true;
        /// Called with the parameters of each call before anything is sent. If it throws, the call rejects with its
        /// error. `requireChecksums()` rejects addresses in mixed case whose checksum is wrong, which are accepted
        /// otherwise.
        checkParams Function as "(params: Readonly<Record<string, unknown>>) => void";
        /// Called when a response differs from the API's documentation but can still be decoded; once per difference.
        onDrift Callback("drift: Drift");
        /// Called for each record that `badRecords: "skip"` omits.
        onBadRecord Callback("record: BadRecord");
        /// Called for every request, response, wait and retry.
        onEvent Callback("event: ClientEvent");
    }
}

options! {
    /// Options of a call.
    struct CallOptions new(retry_policy: RetryPolicy) {
        /// Timeouts and attempts: `timeoutMs`, `deadlineMs`, `maxAttempts`, `maxWaitMs`.
        retry_policy: RetryPolicy = retry_policy,
        /// Whether responses must be newer than the call. JavaScript sets `isFresh` for `history`, `watch`, `auditBalance` and
        /// `approvals`.
        is_fresh: bool = false,
    }

    /// Options of an action.
    ACTION_OPTIONS "ActionOptions" {
        /// Cancels the call. Waits and the request in flight end at once; an iteration ends before the next record. The call
        /// rejects with code `aborted` and the signal's reason as `cause`.
        signal Signal;
        /// Maximum duration of one attempt, including the body, in milliseconds. Default: the client's.
        timeoutMs Milliseconds(1) => retry_policy.timeout_ms;
        /// Maximum duration of the call, in milliseconds. Default: the client's.
        deadlineMs Milliseconds(1) => retry_policy.deadline_ms;
        /// Maximum number of attempts per request, including the first. Default: the client's.
        maxAttempts Integer(1, 100) => retry_policy.max_attempts;
        /// Maximum wait to accept from the service, in milliseconds. Default: the client's.
        maxWaitMs Milliseconds(1) => retry_policy.max_wait_ms;
    }

    /// Options of an iteration. Timeouts and attempts apply to each request.
    ITERATION_OPTIONS "IterationOptions": ACTION_OPTIONS {
        /// Where to continue: the `resumeToken` of a page or an error. The chain, or the base URL where no chain is named,
        /// and the parameters must be the same.
        resume String("a resumeToken of a page (a string)") => resume: Option<String>;
        /// Number of pages to fetch ahead during iteration.
        prefetch OneOf(&["0", "1"]) = 1;
        /// Maximum number of concurrent requests, within the rate limit. Default: 1 for a list, 2 for `all()`. Each
        /// request reads a part. The value does not change the records or their order.
        ///
        /// A list is read in parts only by an iteration or `toArray`, after its first page. The list must be sorted by
        /// block, withdrawal or deposit, newest first; others are read with one request at a time. Pages are shorter
        /// where parts meet. About 500 records are held in memory for each request.
        ///
        /// With `all()`, up to 20,000 rows are held in memory for each request. From 3 on, the first parts are
        /// requested before it is known whether they are needed.
        concurrency Integer(1, MAX_CONCURRENCY as u64) => concurrency: u32;
    }

    /// Options of a list. Timeouts and attempts apply to each page.
    LIST_OPTIONS "ListOptions": ITERATION_OPTIONS {
        /// Number of records of each page, for user interfaces that show pages. Default: the first page has 50, the next ones as many
        /// as the instance allows: 100 since backend version 12, 50 before. On an older version any number but 50 rejects with
        /// `unsupported_version`. An instance may allow fewer than 100; then pages have as many as it allows. GraphQL lists and
        /// lists of one page have no page size.
        pageSize Integer(1, MAX_PAGE_SIZE as u64) => page_size: u32;
        /// `"asc"` reads the list oldest first. Default: `"desc"`, the order of the service. The list must be sorted by block, newest first, and is
        /// read down to `fromBlock` before the first page. Up to 100 pages are held in memory; the pages of a longer list are requested
        /// twice. Requests are sent one at a time. After a failure, the token of the error continues without the pages that were read.
        order OneOf(&["\"desc\"", "\"asc\""]) => "asc" => is_ascending: bool;
        /// First block to read with `order: "asc"`. Default: the first of the list.
        fromBlock Integer(0, MAX_SAFE_INTEGER) => from_block: Option<u64>;
        /// Last block to read with `order: "asc"`. A resume token is valid only with the same. Default: the last of the list.
        toBlock Integer(0, MAX_SAFE_INTEGER) => to_block: Option<u64>;
    }

    /// Options of `balanceMulti`.
    BALANCES_OPTIONS "BalancesOptions": ACTION_OPTIONS {
        /// `"fresh"` requests stale balances again, with growing delays, until they are fresh or `freshWithinMs` has passed.
        /// Balances that remain stale have `stale: true`.
        until OneOf(&["\"fresh\""]) => "fresh" => until_fresh: bool;
        /// How long to keep requesting stale balances, in milliseconds. The last response may arrive up to a second later.
        freshWithinMs Milliseconds(1) = 30_000 => fresh_within_ms: u64;
    }

    /// Options of `all()`.
    RANGE_OPTIONS "RangeOptions": ITERATION_OPTIONS {
        /// Called with the progress after each window of blocks, and after a response that was truncated.
        onProgress Function as "(report: RangeReport) => void";
    }
}

/// All sets. A base comes before the sets that extend it.
pub static OPTION_SETS: &[&OptionSet] =
    &[&CLIENT_OPTIONS, &ACTION_OPTIONS, &ITERATION_OPTIONS, &LIST_OPTIONS, &BALANCES_OPTIONS, &RANGE_OPTIONS];

impl ClientOptions {
    /// Reads the options of a client. `parse_base_url` is [`BaseUrl::parse`], or the parser of the platform. `baseUrl` has the id of the
    /// chain already, where it needs one: JavaScript appends it.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) if `baseUrl` or `apiKey` is invalid. JavaScript has checked
    /// only that they are strings.
    #[doc(hidden)]
    pub fn read(values: &NamedValues, parse_base_url: impl Fn(&str) -> Result<BaseUrl, Error>) -> Result<Self, Error> {
        let find = |wanted: &str| values.iter().find(|(name, _)| name == wanted).map(|(_, value)| value);
        let mut options = Self::new(match find("baseUrl") {
            Some(ParamValue::String(url)) => parse_base_url(url)?,
            _ => parse_base_url("")?,
        });
        if let Some(ParamValue::String(key)) = find("apiKey") {
            options.api_key = Some(ApiKey::new(key)?);
        }
        for (name, value) in values {
            options.set(name, value);
        }
        Ok(options)
    }
}

impl CallOptions {
    /// Reads the options of a call. Omitted options have the value of the client.
    #[must_use]
    pub fn read(values: &NamedValues, retry_policy: RetryPolicy) -> Self {
        let mut options = Self::new(retry_policy);
        for (name, value) in values {
            options.is_fresh |= is_same(name, "isFresh");
            options.set(name, value);
        }
        options
    }

    /// The blocks of a list that is read oldest first. `None` for the order of the service.
    ///
    /// # Errors
    /// [`ErrorCode::InvalidParameter`](crate::error::ErrorCode) if blocks are stated for the order of the service.
    pub fn blocks(&self) -> Result<Option<RangeInclusive<u64>>, Error> {
        let (from, to) = (self.from_block.unwrap_or(0), self.to_block.unwrap_or(u64::MAX));
        if self.is_ascending {
            return Ok(Some(from..=to));
        }
        let name = if self.from_block.is_some() { option_name!(from_block) } else { option_name!(to_block) };
        let is_plain = self.from_block.or(self.to_block).is_none();
        if is_plain { Ok(None) } else { Err(Error::invalid_parameter(name, "needs order: \"asc\"")) }
    }
}
