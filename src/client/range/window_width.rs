//! Chooses how many blocks a window spans when the service is too slow for the whole range.

/// Number of successful windows before a width that failed is tried again.
const MIN_COOLDOWN: u32 = 8;

/// Maximum of that number, which doubles each time the width fails again.
const MAX_COOLDOWN: u32 = 64;

/// The width of the next window, in blocks. It halves after a failure and doubles after a success.
///
/// A width that has failed is tried again only after some successful windows. If a width fails that succeeded before, the
/// failure is treated as transient once: the next success restores the width.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct WindowWidth {
    /// Blocks of the next window. `None` before the first failure: the window is the whole remaining range.
    current: Option<u64>,
    /// The widest window that succeeded.
    widest_success: u64,
    /// The last width that failed without having succeeded before.
    failed_width: Option<u64>,
    /// Successful windows that are still needed before `failed_width` is tried again.
    cooldown_left: u32,
    /// Successful windows that the last failure required in total.
    cooldown: u32,
}

impl WindowWidth {
    /// Blocks of the next window. `None` means no limit.
    pub(super) const fn blocks(&self) -> Option<u64> {
        self.current
    }

    /// Records that the service was too slow for a window of `width` blocks.
    pub(super) fn on_failure(&mut self, width: u64) {
        if width <= self.widest_success {
            self.widest_success = width - 1;
            self.cooldown_left = 0;
        } else {
            let failed_again = self.failed_width.is_some_and(|failed| failed <= width);
            self.cooldown = if failed_again { (self.cooldown * 2).min(MAX_COOLDOWN) } else { MIN_COOLDOWN };
            self.cooldown_left = self.cooldown;
            self.failed_width = Some(width);
        }
        self.current = Some((width / 2).max(1));
    }

    /// Records that a window of `width` blocks succeeded.
    pub(super) fn on_success(&mut self, width: u64) {
        let Some(current) = &mut self.current else { return };
        self.widest_success = self.widest_success.max(width);
        self.failed_width = self.failed_width.filter(|failed| width < *failed);
        self.cooldown_left = self.cooldown_left.saturating_sub(1);
        let wider = current.saturating_mul(2);
        if self.cooldown_left == 0 || self.failed_width.is_none_or(|failed| wider < failed) {
            *current = wider;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns how many windows of the current width succeed before the next one is wider.
    fn count_until_wider(width: &mut WindowWidth) -> u32 {
        let (blocks, mut successes) = (width.blocks().unwrap(), 0);
        while width.blocks() == Some(blocks) {
            width.on_success(blocks);
            successes += 1;
            assert!(successes < 1000, "the width never grows");
        }
        successes
    }

    #[test]
    fn width_halves_after_a_failure_and_is_unlimited_before() {
        let mut width = WindowWidth::default();
        width.on_success(1000);
        assert_eq!(width.blocks(), None);
        for (failed, next) in [(100, 50), (50, 25), (3, 1), (1, 1)] {
            width.on_failure(failed);
            assert_eq!(width.blocks(), Some(next));
        }
    }

    #[test]
    fn width_that_failed_is_tried_again_after_more_successes_each_time() {
        let mut width = WindowWidth::default();
        for successes in [8, 16, 32, 64, 64] {
            width.on_failure(100);
            assert_eq!((count_until_wider(&mut width), width.blocks()), (successes, Some(100)));
        }
    }

    #[test]
    fn width_doubles_after_a_success_below_the_one_that_failed() {
        let mut width = WindowWidth::default();
        width.on_failure(1000);
        width.on_failure(100);
        width.on_success(100);
        assert_eq!(width.blocks(), Some(100), "the failure is refuted");
        width.on_success(100);
        assert_eq!(width.blocks(), Some(200));
    }

    #[test]
    fn failure_of_a_width_that_succeeded_is_treated_as_transient_once() {
        let mut width = WindowWidth::default();
        width.on_failure(100);
        width.on_success(50);
        width.on_failure(50);
        assert_eq!((width.blocks(), count_until_wider(&mut width)), (Some(25), 1));
        width.on_failure(50);
        assert_eq!((width.blocks(), count_until_wider(&mut width)), (Some(25), 8));
    }
}
