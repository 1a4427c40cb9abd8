//! The client: sends requests, limits their rate, retries them, decodes the responses and follows cursors.
//!
//! Start at [`Client`]. It is generic over [`Runtime`], which abstracts HTTP, time and randomness, and does not depend
//! on a browser. Each folder or file uses only the ones above it:
//!
//! | file or folder | contents |
//! |---|---|
//! | `runtime` | HTTP, time and randomness |
//! | `event`, `diagnostics` | the reports to callbacks |
//! | `credits` | the cost of requests |
//! | `rate_limiter` | when a request may be sent, and how many retries are left |
//! | `transport` | sending, sharing, events of a request, API key |
//! | `retry` | policy, attempts, errors of responses |
//! | `options` | the options of clients and calls |
//! | `info_cache` | version, chain and indexing status of an instance |
//! | `handle` | [`Client`] |
//! | `instance` | requests for the information in `info_cache` |
//! | `fetch` | a request with retries; explains failures of old versions |
//! | `resume` | resume tokens |
//! | `lookup`, `account`, `balances` | calls with a single result |
//! | `read_ahead` | concurrent requests for the parts of a list or range, delivered in order |
//! | `stream` | the records of pages and batches, and streams of them |
//! | `list`, `range` | lists page by page, and actions over a range of blocks |
//! | `call` | calls by the name of a JavaScript method |

pub(crate) mod account;
mod balances;
pub(crate) mod call;
mod credits;
mod diagnostics;
mod event;
mod fetch;
mod handle;
mod info_cache;
mod instance;
pub(crate) mod list;
mod lookup;
pub(crate) mod options;
pub(crate) mod range;
mod rate_limiter;
mod read_ahead;
pub(crate) mod resume;
pub(crate) mod retry;
pub(crate) mod runtime;
mod stream;
pub(crate) mod transport;

pub use account::ActionRows;
pub use balances::AccountBalance;
pub use credits::Credits;
pub use diagnostics::{BadRecordSink, DriftSink, Sink};
pub use event::{Event, EventKind, EventSink};
pub use handle::Client;
pub use info_cache::InstanceInfo;
pub use list::{ListPages, ListRecords, Page};
pub use options::ClientOptions;
pub use range::{IncompleteBlock, RangeBatches, RangeRecords, RangeReport, UnprocessedRange};
pub use rate_limiter::{PeerEvent, RateLimiter, RateLimits};
pub use retry::RetryPolicy;
pub use runtime::{HEADERS, Headers, HttpRequest, MAX_CHUNK_BYTES, NetworkError, Response, Runtime};
pub use stream::Records;
pub use transport::{ApiKey, ApiKeyFuture};

pub use crate::decode::{BadRecord, Cursor, DecodeOptions, Drift, DriftKind, Omitted, OmittedPlace};
pub use crate::record::Mismatch;
