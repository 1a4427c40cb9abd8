//! Finds the blocks of single rows, to decide where to cut parts.

use futures_util::future::join3;

use super::RangeReader;
use super::planner_state::Blocks;
use crate::client::runtime::Runtime;

/// Which rows to find.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Probe {
    /// The row at which a response is full.
    FullRow,
    /// The last row.
    LastRow,
    /// The first row, the row at which a response is full, and the last row.
    All,
}

/// The blocks of rows. `None` if a row was not requested or not found.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct RowBlocks {
    pub(super) first: Option<u64>,
    pub(super) full: Option<u64>,
    pub(super) last: Option<u64>,
}

impl Probe {
    /// Number of requests.
    pub(super) const fn requests(self) -> u32 {
        if matches!(self, Self::All) { 3 } else { 1 }
    }

    /// Finds the rows in these blocks. A response is full with `limit` rows.
    pub(super) async fn run<R: Runtime>(self, reader: &RangeReader<R>, blocks: Blocks, limit: u64) -> RowBlocks {
        let find = |number, from_end| Box::pin(reader.find_block(blocks, number, from_end));
        match self {
            Self::FullRow => RowBlocks { full: find(limit, false).await, ..RowBlocks::default() },
            Self::LastRow => RowBlocks { last: find(1, true).await, ..RowBlocks::default() },
            Self::All => {
                let (first, full, last) = join3(find(1, false), find(limit, false), find(1, true)).await;
                RowBlocks { first, full, last }
            }
        }
    }
}
