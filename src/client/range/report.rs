//! What is said of a range beside its rows.

/// How completely a range was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Windows of blocks that were read.
    pub windows: u32,
    /// Requests that were sent for them.
    pub requests: u32,
    /// Records that were given out.
    pub records: u64,
    /// Blocks with more rows than the service gives out.
    pub incomplete_blocks: Vec<IncompleteBlock>,
    /// Ranges that the service has not processed completely yet.
    pub unprocessed: Vec<Unprocessed>,
    /// Rows that the service gives in one response at most, where that is fewer than it is asked for (10,000); nothing while
    /// no such limit was met.
    pub response_limit: Option<u64>,
    /// Blocks that changed while they were read: a reorganisation.
    pub changed_blocks: Vec<u64>,
    /// The next block to be read; nothing at the end.
    pub next_block: Option<u64>,
}

/// A block that could not be read completely.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IncompleteBlock {
    /// Its number.
    pub block: u64,
    /// Its rows that were read.
    pub records: u64,
    /// Why there are no more.
    pub reason: String,
}

/// Blocks whose rows the service has not processed completely yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unprocessed {
    /// First block.
    pub first: u64,
    /// Last block.
    pub last: u64,
    /// The service's words.
    pub message: String,
}
