//! The states of the [`Planner`](super::planner::Planner), which determine what a range reads next, and their data.

/// A run of consecutive blocks. Both bounds are included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Blocks {
    pub(super) first: u64,
    pub(super) last: u64,
}

impl Blocks {
    pub(super) const fn single(block: u64) -> Self {
        Self { first: block, last: block }
    }

    /// Number of blocks.
    pub(super) const fn count(self) -> u64 {
        self.last - self.first + 1
    }

    pub(super) fn contains(self, block: u64) -> bool {
        (self.first..=self.last).contains(&block)
    }

    /// The smallest run of blocks with these and `other`.
    pub(super) fn hull(self, other: Self) -> Self {
        Self { first: self.first.min(other.first), last: self.last.max(other.last) }
    }

    /// The block that is read first.
    pub(super) const fn start(self, newest_first: bool) -> u64 {
        if newest_first { self.last } else { self.first }
    }

    /// These blocks from `block` on.
    pub(super) const fn starting_at(self, block: u64, newest_first: bool) -> Self {
        if newest_first { Self { last: block, ..self } } else { Self { first: block, ..self } }
    }

    /// These blocks up to `block`. `None` if they all follow it.
    pub(super) fn up_to(self, block: u64, newest_first: bool) -> Option<Self> {
        if newest_first {
            (block <= self.last).then(|| Self { first: self.first.max(block), ..self })
        } else {
            (self.first <= block).then(|| Self { last: self.last.min(block), ..self })
        }
    }

    /// The blocks that follow `read`. `None` if there are none.
    pub(super) fn after(self, read: Self, newest_first: bool) -> Option<Self> {
        if newest_first {
            (read.first > self.first).then(|| Self { last: read.first - 1, ..self })
        } else {
            (read.last < self.last).then(|| Self { first: read.last + 1, ..self })
        }
    }
}

/// The state of a planner, which determines what it requests next.
#[derive(Debug, Clone, Copy)]
pub(super) enum PlannerState {
    /// Windows of blocks.
    Windows(Windows),
    /// An oversized block. It is read page by page.
    OversizedBlock(OversizedBlock),
    /// The head block is requested once more. All other blocks were read.
    HeadRecheck,
    /// The end of the range.
    Done,
}

impl PlannerState {
    /// The state in which `remaining` is still to be read.
    pub(super) fn reading(remaining: Option<Blocks>) -> Self {
        match remaining {
            Some(remaining) => Self::Windows(Windows { remaining, overlap: None, phase: WindowPhase::Next }),
            None => Self::HeadRecheck,
        }
    }

    /// The blocks that are still to be read.
    pub(super) const fn remaining(&self) -> Option<Blocks> {
        match self {
            Self::Windows(Windows { remaining, .. }) => Some(*remaining),
            Self::OversizedBlock(OversizedBlock { remaining, .. }) => *remaining,
            Self::HeadRecheck | Self::Done => None,
        }
    }

    /// The state in which the rest of `range` is still to be read. `None` if all blocks were read.
    pub(super) fn extended_to(self, range: Blocks, newest_first: bool) -> Option<Self> {
        match self {
            Self::Windows(windows) => {
                let remaining = range.starting_at(windows.remaining.start(newest_first), newest_first);
                Some(Self::Windows(Windows { remaining, ..windows }))
            }
            Self::OversizedBlock(oversized) => {
                let remaining = range.after(Blocks::single(oversized.position.block), newest_first);
                Some(Self::OversizedBlock(OversizedBlock { remaining, ..oversized }))
            }
            Self::HeadRecheck | Self::Done => None,
        }
    }

    /// Leaves the blocks after `end` to others.
    pub(super) fn end_at(&mut self, end: u64, newest_first: bool) {
        match self {
            Self::Windows(windows) => match windows.remaining.up_to(end, newest_first) {
                Some(remaining) => windows.remaining = remaining,
                None => *self = Self::HeadRecheck,
            },
            Self::OversizedBlock(OversizedBlock { position, remaining, .. }) => {
                *remaining = remaining.and_then(|remaining| remaining.up_to(end, newest_first));
                // No row of it has been delivered, so another planner can read it.
                if Blocks::single(position.block).up_to(end, newest_first).is_none() {
                    *self = Self::HeadRecheck;
                }
            }
            Self::HeadRecheck | Self::Done => {}
        }
    }
}

/// Progress of reading window by window.
#[derive(Debug, Clone, Copy)]
pub(super) struct Windows {
    /// The blocks that are still to be read.
    pub(super) remaining: Blocks,
    /// The block at which the last window was truncated, which is the first of `remaining`. If the next window returns other
    /// rows of this block, the block has changed.
    pub(super) overlap: Option<BlockDigest>,
    pub(super) phase: WindowPhase,
}

/// The next request for a window.
#[derive(Debug, Clone, Copy)]
pub(super) enum WindowPhase {
    /// A new window, at the start of the remaining blocks.
    Next,
    /// The rest of the response for `window`. `rows` counts those delivered or skipped. `remaining` starts after them.
    Streaming { window: Blocks, rows: u64 },
    /// The newest row, to find the end of the chain: the service was too slow for `window`, which has no upper bound.
    FindHead { window: Blocks },
}

/// An oversized block. It is read page by page.
#[derive(Debug, Clone, Copy)]
pub(super) struct OversizedBlock {
    pub(super) position: PagePosition,
    /// The window that seems to contain only this block, if a probe must verify that. `None` if the block is known to continue.
    pub(super) unverified_window: Option<Blocks>,
    /// The blocks after it.
    pub(super) remaining: Option<Blocks>,
}

/// The position in an oversized block.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PagePosition {
    pub(super) block: u64,
    /// The next page to read, counted from 1.
    pub(super) page: u64,
    /// Rows per page.
    pub(super) page_size: u64,
    /// Rows at the start of the next page that were read before.
    pub(super) known_rows: u64,
    /// Records of this block that were delivered.
    pub(super) records: u64,
    /// Digest of the previous page. It detects a service that returns the same page again.
    pub(super) previous_digest: u64,
}

/// The rows of a block, to detect whether a later response returns others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct BlockDigest {
    /// Number of its rows that were read.
    pub(super) rows: u64,
    /// [`Self::UNKNOWN`] if rows of it were omitted.
    pub(super) digest: u64,
}

impl PagePosition {
    /// Moves to the page of at most `max_size` rows that has the most rows after the first `rows`. If possible, the
    /// page ends within the first `page_limit` rows of the block.
    pub(super) fn move_after(&mut self, rows: u64, max_size: u64, page_limit: u64) {
        let sizes = (1..=max_size).rev().filter(|size| (rows / size + 1) * size <= page_limit);
        self.page_size = sizes.max_by_key(|size| size - rows % size).unwrap_or(1);
        self.page = rows / self.page_size + 1;
        self.known_rows = rows % self.page_size;
    }

    /// Numbers of rows that were read before the next page, and in it.
    pub(super) const fn rows_read(&self) -> u64 {
        (self.page - 1) * self.page_size + self.known_rows
    }
}

impl BlockDigest {
    pub(super) const UNKNOWN: u64 = 0;

    /// Whether it can be compared.
    pub(super) const fn is_known(self) -> bool {
        self.digest != Self::UNKNOWN
    }
}

/// The newest block with a row, as it was at the start of a descending range.
///
/// A chain reorganisation changes the newest blocks. In ascending order they are read last, and the overlap shows the change.
/// In descending order they are read first, so the reader requests this block again at the end.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct HeadSnapshot {
    pub(super) block: u64,
    pub(super) content: BlockDigest,
    /// When it was read, in milliseconds since 1970.
    pub(super) read_at_ms: u64,
}

/// A response that was considered complete. It is verified if a limit is detected before the blocks that follow are
/// delivered.
#[derive(Debug, Clone, Copy)]
pub(super) struct Assumption {
    pub(super) blocks: Blocks,
    /// The position after its rows. `None` if it cannot be verified.
    pub(super) last_block: Option<PagePosition>,
}

impl Assumption {
    /// Returns the state in which it is verified, before the rest of `blocks` is read.
    pub(super) fn verification(self, blocks: Blocks, newest_first: bool) -> Option<PlannerState> {
        let position = self.last_block?;
        let unverified_window = Some(self.blocks.starting_at(position.block, newest_first));
        let remaining = blocks.after(Blocks::single(position.block), newest_first);
        Some(PlannerState::OversizedBlock(OversizedBlock { position, unverified_window, remaining }))
    }
}
