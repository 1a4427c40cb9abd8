//! Everything uncertain: network, time and chance. The policy in this folder is written against this trait, so that it is
//! tested natively, in virtual time; `browser/` is the real one.

use std::future::Future;
use std::pin::pin;
use std::task::Poll;

/// Headers that an answer is asked for.
pub const HEADERS: [&str; 4] = ["x-ratelimit-remaining", "x-ratelimit-reset", "retry-after", "content-length"];

/// A body that is there at once is taken in pieces of so many bytes: taken as a whole, a large one would fill the module's
/// memory for good. A page of 50 records is seldom more than one piece.
pub const PIECE: u32 = 1 << 17;

/// Those of [`HEADERS`] that are there and readable.
pub type Headers = Vec<(&'static str, String)>;

/// Network, time and chance.
pub trait Runtime: 'static {
    /// The body of an answer, while it arrives.
    type Body: std::fmt::Debug;

    /// Sends a GET request without credentials and without headers of its own. Dropping the future ends the request.
    /// If redirects are not followed, a redirect is a response with its own status, or with status 0 where the browser hides it.
    fn send(&self, url: &str, follow_redirects: bool) -> impl Future<Output = Result<Response<Self::Body>, NoAnswer>>;

    /// The next bytes of a body; nothing at its end. Dropping the body ends the request.
    fn chunk(&self, body: &mut Self::Body) -> impl Future<Output = Result<Option<Vec<u8>>, NoAnswer>>;

    /// Waits.
    fn sleep(&self, ms: u64) -> impl Future<Output = ()>;

    /// Milliseconds since 1970.
    fn now_ms(&self) -> u64;

    /// A number from 0 up to, not including, 1.
    fn random(&self) -> f64;
}

/// The beginning of an answer.
#[derive(Debug)]
pub struct Response<B> {
    /// HTTP status.
    pub status: u16,
    /// Those of [`HEADERS`] that are there and readable.
    pub headers: Headers,
    /// The body, while it arrives.
    pub body: B,
}

/// No answer came, or it broke off: what the browser said about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoAnswer(pub String);

/// Which of two futures was ready first.
#[derive(Debug)]
pub enum First<A, B> {
    /// The first one.
    Left(A),
    /// The second one.
    Right(B),
}

/// Runs two futures until one is ready, and drops the other.
pub async fn race<A, B>(left: impl Future<Output = A>, right: impl Future<Output = B>) -> First<A, B> {
    let (mut left, mut right) = (pin!(left), pin!(right));
    std::future::poll_fn(|context| {
        if let Poll::Ready(value) = left.as_mut().poll(context) {
            return Poll::Ready(First::Left(value));
        }
        right.as_mut().poll(context).map(First::Right)
    })
    .await
}
