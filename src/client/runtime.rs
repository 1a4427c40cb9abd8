//! [`Runtime`] abstracts HTTP, time and randomness, so that the client can be tested natively with virtual time. The
//! implementation for browsers and JavaScript servers is `crate::browser`.

use std::future::Future;
use std::pin::Pin;

use crate::strings::trim;

/// Names of the response headers that the client reads.
pub const HEADERS: [&str; 8] = [
    "x-ratelimit-remaining",
    "x-ratelimit-reset",
    "retry-after",
    "content-length",
    CREDITS_HEADER,
    PAYMENT_HEADER,
    CHALLENGE_HEADERS[0],
    CHALLENGE_HEADERS[1],
];

/// The header with the credits that remain of the API key's plan.
pub(super) const CREDITS_HEADER: &str = "x-credits-remaining";

/// The header of a refusal for lack of an API key, with the terms of a payment.
pub(super) const PAYMENT_HEADER: &str = "payment-required";

/// The headers of a challenge by Cloudflare and by AWS WAF. A program cannot solve it.
const CHALLENGE_HEADERS: [&str; 2] = ["cf-mitigated", "x-amzn-waf-action"];

/// Maximum size of a chunk of a body, in bytes. WebAssembly memory never shrinks, so a large body must not be copied into it
/// at once. A page of 50 records rarely exceeds one chunk.
pub const MAX_CHUNK_BYTES: u32 = 1 << 17;

/// The response headers of [`HEADERS`] that are present and readable, in no particular order.
pub type Headers = Vec<(&'static str, String)>;

/// The value of a header, without white space around it.
#[inline(never)]
pub(crate) fn find_header<'a>(headers: &'a [(&'static str, String)], name: &str) -> Option<&'a str> {
    headers.iter().find(|(known, _)| *known == name).map(|(_, value)| trim(value))
}

/// Whether a firewall or CDN responded with a challenge, whatever the status, body and language.
pub(super) fn has_challenge(headers: &[(&'static str, String)]) -> bool {
    CHALLENGE_HEADERS.iter().any(|name| find_header(headers, name).is_some())
}

/// HTTP, time and randomness.
pub trait Runtime: 'static {
    /// The body of a response that is still arriving.
    type Body: std::fmt::Debug;

    /// Whether the platform applies CORS, as a web page does. The API key is then a parameter of the URL, because a header would cost a
    /// preflight request. Elsewhere it is in a header, because servers log URLs.
    fn has_cors(&self) -> bool {
        false
    }

    /// Sends a request without credentials. Dropping the future aborts it.
    fn send(&self, request: HttpRequest<'_>) -> impl Future<Output = Result<Response<Self::Body>, NetworkError>>;

    /// Returns the next bytes of a body, or `None` at its end. Dropping the body aborts the request.
    fn chunk(&self, body: &mut Self::Body) -> impl Future<Output = Result<Option<Vec<u8>>, NetworkError>>;

    /// Waits for this many milliseconds. 0 yields to the event loop.
    fn sleep(&self, ms: u64) -> impl Future<Output = ()>;

    /// Runs a task in the background. It is first polled after this call has returned.
    fn spawn(&self, task: Pin<Box<dyn Future<Output = ()>>>);

    /// The current time in milliseconds since 1970.
    fn now_ms(&self) -> u64;

    /// Returns a random number in `0.0..1.0`.
    fn random(&self) -> f64;

    /// How often a waiting task checks its turn, in milliseconds, if tasks must not wake one another. `None`: they may.
    ///
    /// Cloudflare Workers handle incoming requests in one isolate, but end a request that waits for another one. They also end
    /// requests without dropping their futures, so that a task which no longer checks its turn counts as ended.
    fn check_interval_ms(&self) -> Option<u64> {
        None
    }
}

/// A request: a GET or, with a body, a POST.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct HttpRequest<'a> {
    /// The URL. It has the API key if [`Runtime::has_cors`].
    pub url: &'a str,
    /// Names and values of the headers.
    pub headers: &'a [(&'static str, &'a str)],
    /// The JSON of the body.
    pub body: Option<&'a str>,
    /// Without this, a redirect is returned as a response. Its status is 0 if the browser hides the real one.
    pub follow_redirects: bool,
    /// Whether the response must come from the service, not from an HTTP cache of the browser or on the way.
    pub is_fresh: bool,
}

impl<'a> HttpRequest<'a> {
    /// Creates a GET without headers, which follows redirects and accepts cached responses.
    #[must_use]
    pub const fn new(url: &'a str) -> Self {
        Self { url, headers: &[], body: None, follow_redirects: true, is_fresh: false }
    }
}

/// A response whose body has not been read.
#[derive(Debug)]
pub struct Response<B> {
    /// HTTP status.
    pub status: u16,
    /// The headers that the client reads.
    pub headers: Headers,
    /// The body.
    pub body: B,
}

/// A request failed without a response, or its body was truncated. Holds the reason that the platform gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NetworkError(pub String);
