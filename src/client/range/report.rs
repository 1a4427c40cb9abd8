//! The report on a range: what was read, and what is incomplete.

use super::planner_state::Blocks;
use crate::client::resume::ResumePoint;
use crate::decode::{FramePage, Omitted};
use crate::error::Error;
use crate::object::object;

object! {
    /// How completely a range was read. In a resumed call, it covers only the rows after the token.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    RangeReport "RangeReport" {
        /// Whether the whole range was read, with all rows of each block. False if records were omitted.
        complete: bool,
        /// Number of windows of blocks that were read.
        windows: u32,
        /// Number of requests that were sent for them, without retries.
        requests: u32,
        /// Number of records that were read.
        records: u64,
        /// The records that `badRecords: "skip"` omitted. Each is counted once, and not in `records`.
        omitted: Omitted,
        /// The next block to read. Null at the end of the range.
        next_block: Option<u64>,
        /// The number of records at which the service, or a proxy, has cut a response, if that is below the requested 10,000: the lowest
        /// if it varies. Null if no such limit was found. All records are read in both cases.
        response_limit: Option<u64>,
        /// Blocks with more rows than the service returns.
        incomplete_blocks: Vec<IncompleteBlock>,
        /// Ranges of blocks with possibly missing rows: the service has not processed them completely, or a response
        /// limit was detected only after they were read.
        unprocessed: Vec<UnprocessedRange>,
        /// Blocks that changed while they were read, because the chain was reorganised.
        changed_blocks: Vec<u64>,
    }
}

impl RangeReport {
    /// Adds the report of the blocks that follow.
    pub(super) fn append(&mut self, next: Self) {
        self.windows += next.windows;
        self.requests += next.requests;
        self.records += next.records;
        self.omitted.append(next.omitted);
        self.next_block = next.next_block;
        self.response_limit = next.response_limit.into_iter().chain(self.response_limit).min();
        self.incomplete_blocks.extend(next.incomplete_blocks);
        for range in next.unprocessed {
            self.add_unprocessed(range);
        }
        let is_new = |block: &u64| !self.changed_blocks.contains(block);
        let changed_blocks: Vec<u64> = next.changed_blocks.into_iter().filter(is_new).collect();
        self.changed_blocks.extend(changed_blocks);
        self.update_complete();
    }

    /// Adds a range of unprocessed blocks, unless a listed range contains it.
    pub(super) fn add_unprocessed(&mut self, range: UnprocessedRange) {
        let contains = |known: &UnprocessedRange| known.first <= range.first && range.last <= known.last;
        if !self.unprocessed.iter().any(contains) {
            self.unprocessed.push(range);
        }
    }

    /// Adds the blocks if the service has not processed them completely.
    pub(super) fn report_unprocessed(&mut self, Blocks { first, last }: Blocks, message: Option<String>) {
        if let Some(message) = message {
            self.add_unprocessed(UnprocessedRange { first, last, message });
        }
    }

    /// Updates `complete` from the other members.
    pub(super) const fn update_complete(&mut self) {
        self.complete = self.next_block.is_none()
            && self.omitted.count == 0
            && self.incomplete_blocks.is_empty()
            && self.unprocessed.is_empty();
    }
}

object! {
    /// A block that could not be read completely.
    #[derive(Debug, Clone, PartialEq, Eq)]
    IncompleteBlock "IncompleteBlock" {
        /// The block number.
        block: u64,
        /// Number of its records that were read.
        records: u64,
        /// Why the rest is missing.
        reason: String,
    }
}

object! {
    /// Blocks with possibly missing rows.
    #[derive(Debug, Clone, PartialEq, Eq)]
    UnprocessedRange "UnprocessedRange" {
        /// First block.
        first: u64,
        /// Last block.
        last: u64,
        /// The message of the service, or why rows may be missing.
        message: String,
    }
}

/// A batch of rows as a frame. A window is delivered in batches while its response arrives.
#[derive(Debug)]
pub struct RangeBatch {
    /// The rows. `None` at the end of the range. After an error, the other fields cover the rows before it.
    pub page: Result<Option<Box<FramePage>>, Error>,
    /// Continues after the rows. `None` at the beginning and at the end.
    pub resume: Option<ResumePoint>,
    /// Whether more batches of the window may follow.
    pub is_partial: bool,
    /// Whether the rows belong to the same window as the previous batch.
    pub continues_window: bool,
    /// How completely the range was read so far.
    pub report: RangeReport,
}

impl RangeBatch {
    /// Returns what JavaScript receives in addition to the rows.
    #[must_use]
    pub fn state(&self) -> BatchState<'_> {
        let Self { is_partial, continues_window, ref report, ref resume, .. } = *self;
        BatchState { resume_token: resume.as_ref().map(ResumePoint::token), is_partial, continues_window, report }
    }
}

object! {
    /// State of a range after a batch of rows. A window is delivered in batches while its response arrives.
    #[derive(Debug)]
    BatchState<'a> "BatchState" {
        /// Continues after the rows. Null at the beginning and at the end.
        resume_token: Option<String>,
        /// Whether more batches of the window may follow.
        is_partial: bool,
        /// Whether the rows belong to the same window as the previous batch.
        continues_window: bool,
        /// How completely the range was read so far.
        report: &'a RangeReport,
    }
}
