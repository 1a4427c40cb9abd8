//! The script of the service: how it behaves. A test can change it between two requests.

use super::{Fault, Mark, RateLimit, Row};
use crate::range::rng::Rng;

/// A limit below the page limit of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clamp {
    None,
    /// A random number of rows within these bounds.
    Rows(u64, u64),
    /// This many bytes, of which rows need different numbers. A response has at least one row.
    Bytes(u64),
    /// The first number of rows, and less the older the rows are: a slow service stops after a time.
    Time(u64),
}

/// How an action treats `page` without `offset`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeepPages {
    Unlimited,
    /// It ignores `page`.
    FirstPageOnly,
    Refused,
}

/// How a list responds to a cursor that it has not sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SynthesizedCursors {
    Accepted,
    Refused,
    /// It returns the first page.
    Ignored,
    /// It returns an empty last page.
    Empty,
    /// It skips a block.
    Inexact,
}

/// Which rows fail validation. All numbers are percentages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Damage {
    /// Rows that are bad in every response.
    pub permanent: u64,
    /// Rows that are bad in a single response.
    pub transient: u64,
    /// Bad records whose block number is not readable.
    pub without_block: u64,
}

/// How the service behaves. Numbers without a unit are percentages of the requests.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is one deviation of the service")]
pub struct Script {
    /// The major version of the backend.
    pub version: u64,
    /// Before how many requests the service grows.
    pub grow: u64,
    /// How many of these changes replace the newest blocks.
    pub reorganise: u64,
    /// How many requests fail with one of the faults.
    pub fail: u64,
    pub faults: &'static [Fault],
    /// Requests of an action for more blocks fail.
    pub fail_wider_than: u64,
    /// How many bodies break off.
    pub break_off: u64,
    /// Whether some of these stall.
    pub stalls: bool,
    pub clamp: Clamp,
    pub deep_pages: DeepPages,
    pub synthesized_cursors: SynthesizedCursors,
    pub rate_limit: RateLimit,
    /// Whether every response has headers with the rate limit.
    pub states_limit: bool,
    /// The wait that [`Fault::LimitedReset`] states is between these, in milliseconds.
    pub reset_ms: (u64, u64),
    pub damage: Damage,
    /// Records of a page, including hidden ones.
    pub page_size: usize,
    /// The largest page that a request can choose, since version 12.
    pub max_page_size: usize,
    /// Rows that a request for an action can reach, and the default page size there.
    pub page_limit: u64,
    /// Whether actions ignore `startblock` and `endblock`.
    pub ignores_blocks: bool,
    /// Whether cursors repeat the values of the request before the values of the next page.
    pub repeats_keys: bool,
    /// Maximum bytes of a body chunk. 0 means that a body is one chunk.
    pub max_chunk_bytes: u64,
    /// The time of all rows of actions, in Unix milliseconds. Without it, they have the time of their template.
    pub time_ms: Option<u64>,
}

impl Script {
    /// A service of version 11 without faults and without limits.
    pub const NORMAL: Self = Self {
        version: 11,
        grow: 0,
        reorganise: 50,
        fail: 0,
        faults: Fault::SLOW,
        fail_wider_than: u64::MAX,
        break_off: 0,
        stalls: true,
        clamp: Clamp::None,
        deep_pages: DeepPages::Unlimited,
        synthesized_cursors: SynthesizedCursors::Accepted,
        rate_limit: RateLimit::None,
        states_limit: false,
        reset_ms: (1, 5_000),
        damage: Damage { permanent: 0, transient: 0, without_block: 0 },
        page_size: 50,
        max_page_size: 100,
        page_limit: 10_000,
        ignores_blocks: false,
        repeats_keys: false,
        max_chunk_bytes: 0,
        time_ms: None,
    };

    /// All pages of lists have at most this many records.
    pub const fn with_page_size(size: usize) -> Self {
        Self { page_size: size, max_page_size: size, ..Self::NORMAL }
    }

    pub const fn with_page_limit(page_limit: u64) -> Self {
        Self { page_limit, ..Self::NORMAL }
    }

    /// Adds bodies in chunks of a random maximum size.
    pub fn in_chunks(self, rng: &mut Rng) -> Self {
        Self { max_chunk_bytes: rng.between(1, 20) * rng.between(1, 200), ..self }
    }
}

impl Clamp {
    /// Returns how many of these rows a response has.
    pub(super) fn apply(self, rows: &[&Row], rng: &mut Rng) -> usize {
        /// The bytes of a row. Older rows have another size.
        const fn weight(row: Row) -> u64 {
            if row.block % 64 < 32 { 1 } else { 1 + row.id % 7 }
        }
        let limit = match self {
            Self::None => return rows.len(),
            Self::Rows(low, high) => rng.between(low, high),
            Self::Bytes(mut left) => {
                let fits = |row: &&&Row| {
                    left = left.saturating_sub(weight(***row));
                    left > 0
                };
                rows.iter().take_while(fits).count().max(1) as u64
            }
            Self::Time(limit) => {
                let age = rows.first().map_or(0, |row| row.block % 50);
                (limit * (50 + age)).div_ceil(100).max(1)
            }
        };
        rows.len().min(usize::try_from(limit).unwrap())
    }
}

impl Damage {
    /// Marks a row as bad if it is to be, and returns what to replace in its JSON.
    pub(super) fn choose(self, row: Row, of_response: &mut Rng) -> (Row, &'static str, &'static str) {
        const UNCHANGED: (&str, &str) = ("\"", "\"");
        let mut of_row = Rng::new(row.block << 32 | row.id);
        let is_permanent = self.permanent > 0 && of_row.chance(self.permanent);
        if self == Self::default() || !is_permanent && !of_response.chance(self.transient) {
            return (row, UNCHANGED.0, UNCHANGED.1);
        }
        let lacks_block = if is_permanent { &mut of_row } else { of_response }.chance(self.without_block);
        if lacks_block {
            (row, "\"blockNumber\":\"", "\"blockNumber\":\"?")
        } else {
            (row.marked(Mark::Bad), UNCHANGED.0, UNCHANGED.1)
        }
    }
}
