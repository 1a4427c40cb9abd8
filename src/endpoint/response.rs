//! The kinds of responses: as types, which declarations name, and as data.
//!
//! A declaration says `=> List<Log>` or `=> Single<Transaction>`. The type gives the decoder its layout, Rust callers the types of the
//! records, and JavaScript the kind of the method.

use std::marker::PhantomData;

use serde::Serialize;

use crate::decode::Layout;
use crate::record::{Record, Value as RecordValue};
use crate::types::{ItemsOnly, RowsEnvelope};

/// The maximum number of rows that the service returns for one range of blocks, over all its pages.
pub const MAX_ROWS: u64 = 10_000;

/// The maximum number of logs of a response.
pub(crate) const MAX_LOGS: u64 = 1_000;

/// The range of the actions of the account module.
pub(crate) const ACCOUNT_RANGE: &RangeForm =
    &RangeForm { bounds: ["startblock", "endblock"], latest: None, max_rows: MAX_ROWS, has_pages: true };

/// The range of the logs module.
pub(crate) const LOG_RANGE: &RangeForm =
    &RangeForm { bounds: ["fromBlock", "toBlock"], latest: Some("latest"), max_rows: MAX_LOGS, has_pages: false };

/// The kind of an operation's response, and how it is requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResponseKind {
    /// A page of a list, with the cursor of the next one.
    List,
    /// A single record.
    Single,
    /// A single value.
    Value,
    /// Rows.
    Rows,
    /// Rows. [`Client::all_rows`](crate::client::Client::all_rows), in JavaScript `all()`, reads more rows than one
    /// response can hold.
    Ranged(&'static RangeForm),
    /// Balances of any number of addresses, requested in batches: [`Client::balances`](crate::client::Client::balances).
    Batched,
}

/// How an action selects a range of blocks.
#[derive(Debug, PartialEq, Eq)]
pub struct RangeForm {
    /// Names of the parameters with the first and the last block.
    pub bounds: [&'static str; 2],
    /// The value that means the latest block, if the service requires both parameters.
    pub latest: Option<&'static str>,
    /// The maximum number of rows of a response.
    pub max_rows: u64,
    /// Whether it has the parameters `sort`, `page` and `offset`. Without them the oldest block comes first, and the rows of a block
    /// beyond the maximum are out of reach.
    pub has_pages: bool,
}

/// A kind of response. Implemented by the types of this module.
pub trait Response: 'static {
    /// An item or row, or the record.
    type Item: Record + RecordValue + Serialize;
    /// The other members of the response.
    type Envelope: Record + RecordValue + Serialize;
    /// The kind, as data.
    const KIND: ResponseKind;
    /// The layout of the body.
    const LAYOUT: Layout;
    /// Returns the TypeScript type of a value. It is separate from the kind, so that it is not compiled into the WebAssembly module.
    const VALUE: Option<fn() -> String> = None;
}

/// A list of items, page by page. `E` has the other members of a page.
#[derive(Debug)]
pub struct List<T, E = ItemsOnly>(PhantomData<(T, E)>);

/// A single record.
#[derive(Debug)]
pub struct Single<T>(PhantomData<T>);

/// A value of type `T`: the member `result` of the body.
#[derive(Debug)]
pub struct Value<V, T>(PhantomData<(V, T)>);

/// Rows. `K` is how they are requested.
#[derive(Debug)]
pub struct Rows<T, K = OneRequest>(PhantomData<(T, K)>);

/// Rows that can be read by block range.
pub type Ranged<T> = Rows<T, ByRange>;

/// Rows for any number of addresses.
pub type Batched<T> = Rows<T, InBatches>;

/// How rows are requested.
pub trait RowsKind: 'static {
    /// The kind of the response.
    const KIND: ResponseKind;
}

/// Rows that one request returns.
#[derive(Debug)]
pub struct OneRequest;

/// Rows that one request returns, or that are read by block range.
#[derive(Debug)]
pub struct ByRange;

/// Rows that are requested in batches of addresses.
#[derive(Debug)]
pub struct InBatches;

impl RowsKind for OneRequest {
    const KIND: ResponseKind = ResponseKind::Rows;
}

impl RowsKind for ByRange {
    const KIND: ResponseKind = ResponseKind::Ranged(ACCOUNT_RANGE);
}

impl RowsKind for InBatches {
    const KIND: ResponseKind = ResponseKind::Batched;
}

impl<T: Record + RecordValue + Serialize, E: Record + RecordValue + Serialize> Response for List<T, E> {
    type Item = T;
    type Envelope = E;
    const KIND: ResponseKind = ResponseKind::List;
    const LAYOUT: Layout = Layout::list(T::TABLE, E::TABLE);
}

impl<T: Record + RecordValue + Serialize> Response for Single<T> {
    type Item = T;
    type Envelope = T;
    const KIND: ResponseKind = ResponseKind::Single;
    const LAYOUT: Layout = Layout::record(T::TABLE);
}

impl<V: Record + RecordValue + Serialize, T: RecordValue + 'static> Response for Value<V, T> {
    type Item = V;
    type Envelope = V;
    const KIND: ResponseKind = ResponseKind::Value;
    const LAYOUT: Layout = Layout::record(V::TABLE);
    const VALUE: Option<fn() -> String> = Some(T::typescript);
}

impl<T: Record + RecordValue + Serialize, K: RowsKind> Response for Rows<T, K> {
    type Item = T;
    type Envelope = RowsEnvelope;
    const KIND: ResponseKind = K::KIND;
    const LAYOUT: Layout = Layout::rows(T::TABLE, RowsEnvelope::TABLE);
}
