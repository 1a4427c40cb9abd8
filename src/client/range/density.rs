//! Decides where a part is cut in two, from the density of the rows before it.

use super::planner_state::Blocks;

/// A part is cut where this share of a full response is expected to end, so that one request reads it to its end although
/// the estimate is not exact.
const FILL: f64 = 0.9;

/// The density is steady if it changes at most by this factor from one part to the next.
const STEADY_CHANGE: f64 = 1.5;

/// An estimate of the rows per block, from the parts before.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Estimate {
    density: Option<f64>,
    /// The density of the blocks before.
    previous: Option<f64>,
}

impl Estimate {
    /// Adds the density of the blocks that follow, if it is known.
    pub(super) fn update(&mut self, density: Option<f64>) {
        if density.is_some() {
            self.previous = std::mem::replace(&mut self.density, density);
        }
    }

    /// Adds the densities of the blocks that follow.
    pub(super) fn append(&mut self, later: Self) {
        self.update(later.previous);
        self.update(later.density);
    }

    /// Rows per block, unless the density has changed.
    pub(super) fn steady_density(self) -> Option<f64> {
        let is_similar = |a: f64, b: f64| a <= STEADY_CHANGE * b && b <= STEADY_CHANGE * a;
        self.density.filter(|density| self.previous.is_none_or(|previous| is_similar(*density, previous)))
    }

    /// Whether there are two densities, so that a steady one can be relied on.
    pub(super) const fn is_confirmed(self) -> bool {
        self.previous.is_some()
    }
}

/// Returns the last block of a part that is to be cut from these blocks, or `None` if one request probably reads them all. A
/// response has at most `response_limit` rows, and a request at most `max_blocks` blocks.
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
pub(super) fn choose_end(
    blocks: Blocks,
    newest_first: bool,
    density: f64,
    response_limit: u64,
    max_blocks: Option<u64>,
) -> Option<u64> {
    let count = blocks.count();
    let responses = (density * count as f64 / (FILL * response_limit as f64)).ceil() as u64;
    let parts = responses.max(count.div_ceil(max_blocks.unwrap_or(u64::MAX)));
    let offset = count.div_ceil(parts.max(1)) - 1;
    let end = if newest_first { blocks.last - offset } else { blocks.first + offset };
    (parts > 1 && count > 1).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCKS: Blocks = Blocks { first: 1_000, last: 100_999 };

    #[test]
    fn parts_are_equal_and_fill_most_of_a_response() {
        // 50,000 rows are six parts, as five would be full.
        assert_eq!(choose_end(BLOCKS, false, 0.5, 10_000, None), Some(17_666));
        assert_eq!(choose_end(BLOCKS, true, 0.5, 10_000, None), Some(84_333));
        assert_eq!(choose_end(BLOCKS, false, 0.1, 10_000, None), Some(50_999));
        assert_eq!(choose_end(BLOCKS, false, 0.09, 10_000, None), None, "one response is enough");
    }

    #[test]
    fn a_part_is_not_wider_than_a_window() {
        assert_eq!(choose_end(BLOCKS, false, 0.0, 10_000, Some(5_000)), Some(5_999));
        assert_eq!(choose_end(BLOCKS, false, 0.0, 10_000, None), None);
    }

    #[test]
    fn both_parts_have_a_block() {
        assert_eq!(choose_end(Blocks { first: 7, last: 8 }, false, 1e9, 10_000, None), Some(7));
        assert_eq!(choose_end(Blocks { first: 7, last: 8 }, true, 1e9, 10_000, None), Some(8));
        assert_eq!(choose_end(Blocks::single(7), false, 1e9, 10_000, None), None);
    }

    #[test]
    fn a_density_is_used_until_it_changes_much() {
        let mut estimate = Estimate::default();
        assert_eq!(estimate.steady_density(), None);
        for (density, expected) in
            [(2.0, Some(2.0)), (2.9, Some(2.9)), (0.1, None), (0.12, Some(0.12)), (0.0, None), (0.0, Some(0.0))]
        {
            estimate.update(Some(density));
            estimate.update(None);
            assert_eq!(estimate.steady_density(), expected);
        }
    }

    #[test]
    fn a_single_density_is_not_confirmed() {
        let mut estimate = Estimate::default();
        estimate.update(Some(2.0));
        estimate.update(None);
        assert_eq!((estimate.steady_density(), estimate.is_confirmed()), (Some(2.0), false));
        estimate.update(Some(2.0));
        assert!(estimate.is_confirmed());
    }
}
