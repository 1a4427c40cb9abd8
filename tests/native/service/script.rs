//! The script of the service: how it behaves. A test can change it between two requests.

use super::{Fault, Mark, Row};
use crate::range::rng::Rng;

/// A limit below the page limit of an action.
#[derive(Debug, Clone, Copy)]
pub enum Clamp {
    None,
    /// A random number of rows within these bounds.
    Rows(u64, u64),
    /// As many as a function returns for the rows and this number.
    By(fn(&[&Row], u64) -> u64, u64),
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

/// Declares the script: its fields, and their values in a normal service.
macro_rules! script {
    ($( $(#[$doc:meta])* $field:ident: $type:ty = $normal:expr, )*) => {
        /// How the service behaves. Numbers without a unit are percentages of the requests.
        #[derive(Debug, Clone, Copy)]
        pub struct Script { $( $(#[$doc])* pub $field: $type, )* }

        impl Script {
            /// A service of version 11 without faults and without limits.
            pub const NORMAL: Self = Self { $( $field: $normal, )* };
        }
    };
}

script! {
    /// The major version of the backend.
    version: u64 = 11,
    /// Before how many requests the service grows. Half of these changes reorganise the newest blocks.
    grow: u64 = 0,
    /// How many requests fail with one of the faults.
    fail: u64 = 0,
    faults: &'static [Fault] = Fault::SLOW,
    /// Requests of an action for more blocks fail.
    fail_wider_than: u64 = u64::MAX,
    clamp: Clamp = Clamp::None,
    deep_pages: DeepPages = DeepPages::Unlimited,
    synthesized_cursors: SynthesizedCursors = SynthesizedCursors::Accepted,
    /// The percentage of an action's rows that have one of these marks in a single response.
    damage: (u64, &'static [Mark]) = (0, &[]),
    /// Records of a page, including hidden ones.
    page_size: usize = 50,
    /// The largest page that a request can choose, since version 12.
    max_page_size: usize = 100,
    /// Rows that a request for an action can reach, and the default page size there.
    page_limit: u64 = 10_000,
    /// Whether actions ignore `startblock` and `endblock`.
    ignores_blocks: bool = false,
    /// Maximum bytes of a body chunk. 0 means that a body is one chunk.
    max_chunk_bytes: u64 = 0,
    /// The time of all rows of actions, in Unix milliseconds. Without it, they have the time of their template.
    time_ms: Option<u64> = None,
}

impl Script {
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
        let limit = match self {
            Self::None => return rows.len(),
            Self::Rows(low, high) => rng.between(low, high),
            Self::By(count, limit) => count(rows, limit),
        };
        rows.len().min(usize::try_from(limit).unwrap())
    }
}
