//! Decides where a part is cut in two.

use super::super::state::Blocks;

/// A part is cut where this share of a full response is expected to end, so that one request reads it to its end although
/// the estimate is not exact.
const FILL: f64 = 0.9;

/// A part is cut only if it is expected to have this many full responses, because the estimate is not exact.
const MIN_RESPONSES: f64 = 1.5;

/// The blocks that a part has to read, and what is known about their rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    /// The blocks up to that of the last row.
    pub(super) blocks: Blocks,
    pub(super) newest_first: bool,
    /// Rows per block. `None` before the first response.
    pub(super) density: Option<f64>,
    /// The most rows of one response.
    pub(super) response_limit: u64,
    /// The most blocks of one request, if the service is too slow for all.
    pub(super) max_blocks: Option<u64>,
}

impl Candidate {
    /// Returns the last block of the first part, or `None` if the part is probably read with one more request. `others` is the
    /// number of further requests that can start.
    ///
    /// Parts are short, because buffers are bounded: rows far ahead would fill them, and the requests would then be idle. Only
    /// before the first response, nothing is known but the blocks. They are then cut evenly, one part for each request.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
    pub(super) fn choose_end(self, others: u64) -> Option<u64> {
        let (count, max_blocks) = (self.blocks.count(), self.max_blocks.unwrap_or(u64::MAX));
        let full_response = self.response_limit as f64 / self.density.unwrap_or(1.0);
        if count < 2 || count <= max_blocks.min((MIN_RESPONSES * full_response) as u64) {
            return None;
        }
        let length = if self.density.is_some() { (FILL * full_response) as u64 } else { count / (others + 1) };
        let offset = length.min(max_blocks).clamp(1, count - 1) - 1;
        Some(if self.newest_first { self.blocks.last - offset } else { self.blocks.first + offset })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCKS: Candidate = Candidate {
        blocks: Blocks { first: 1_000, last: 100_999 },
        newest_first: false,
        density: None,
        response_limit: 10_000,
        max_blocks: None,
    };

    #[test]
    fn blocks_of_unknown_density_are_cut_evenly() {
        assert_eq!(BLOCKS.choose_end(3), Some(25_999));
        assert_eq!(Candidate { newest_first: true, ..BLOCKS }.choose_end(1), Some(51_000));
        assert_eq!(Candidate { blocks: Blocks { first: 0, last: 14_999 }, ..BLOCKS }.choose_end(3), None);
    }

    #[test]
    fn a_part_is_cut_before_one_response_is_expected_to_be_full() {
        assert_eq!(Candidate { density: Some(0.5), ..BLOCKS }.choose_end(1), Some(18_999));
        assert_eq!(Candidate { density: Some(0.5), newest_first: true, ..BLOCKS }.choose_end(1), Some(83_000));
        assert_eq!(Candidate { density: Some(0.15), ..BLOCKS }.choose_end(1), None, "one response is enough");
    }

    #[test]
    fn a_part_is_not_wider_than_a_window() {
        let slow = Candidate { density: Some(0.0), max_blocks: Some(5_000), ..BLOCKS };
        assert_eq!(slow.choose_end(1), Some(5_999));
        assert_eq!(Candidate { max_blocks: None, ..slow }.choose_end(1), None);
    }

    #[test]
    fn both_parts_have_a_block() {
        let two = Candidate { blocks: Blocks { first: 7, last: 8 }, density: Some(1e9), ..BLOCKS };
        assert_eq!(two.choose_end(1), Some(7));
        let sparse = Candidate { blocks: Blocks { first: 7, last: 8 }, density: Some(7_501.0), ..BLOCKS };
        assert_eq!(sparse.choose_end(1), Some(7));
        assert_eq!(Candidate { blocks: Blocks::single(7), ..two }.choose_end(1), None);
    }
}
