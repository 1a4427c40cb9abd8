//! The report of a range: what was read, and what is incomplete.

/// Reports how completely a range was read. It grows while the range is read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RangeReport {
    /// Number of windows of blocks that were read.
    pub windows: u32,
    /// Number of requests, without retries.
    pub requests: u32,
    /// Number of records that were returned.
    pub records: u64,
    /// Blocks with more rows than the service returns.
    pub incomplete_blocks: Vec<IncompleteBlock>,
    /// Ranges that the service has not processed completely yet.
    pub unprocessed: Vec<UnprocessedRange>,
    /// Maximum number of rows that the service returns per response, if it is less than the 10,000 that were requested.
    /// `None` while no such limit was detected.
    pub response_limit: Option<u64>,
    /// Blocks that a chain reorganisation changed while the range was read.
    pub changed_blocks: Vec<u64>,
    /// The next block to read. `None` at the end.
    pub next_block: Option<u64>,
}

impl RangeReport {
    /// Whether the whole range was read, with all rows of each block.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.next_block.is_none() && self.incomplete_blocks.is_empty() && self.unprocessed.is_empty()
    }
}

/// A block that could not be read completely.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IncompleteBlock {
    /// The block number.
    pub block: u64,
    /// Number of its records that were read.
    pub records: u64,
    /// Why the rest is missing.
    pub reason: String,
}

/// Blocks whose rows the service has not processed completely yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnprocessedRange {
    /// First block.
    pub first: u64,
    /// Last block.
    pub last: u64,
    /// The message of the service.
    pub message: String,
}
