//! How many blocks a window has where the service is too slow for the whole range.

/// Windows that are answered before one is as wide again as a window that the service was too slow for.
const FIRST_WAIT: u32 = 8;

/// The wait doubles with each such window that fails again, up to this many.
const LONGEST_WAIT: u32 = 64;

/// The width of the next window. It halves after a failure and doubles after a success, but stops short of the width that
/// failed, which is tried again only now and then. A failure at a width that was answered before is taken for an accident
/// once: the width comes back at the next success.
#[derive(Debug, Default)]
pub(super) struct WindowWidth {
    /// Blocks of the next window; nothing before the first failure.
    current: Option<u64>,
    /// The widest window that was answered.
    answered: u64,
    /// The width that failed last, of those that were not answered before.
    failed: Option<u64>,
    /// Windows to be answered before that width is tried again: still, and in all.
    left: u32,
    wait: u32,
}

impl WindowWidth {
    pub(super) const fn get(&self) -> Option<u64> {
        self.current
    }

    /// The service was too slow for a window of so many blocks.
    pub(super) fn fail(&mut self, width: u64) {
        if width <= self.answered {
            self.answered = width - 1;
            self.left = 0;
        } else {
            let is_again = self.failed.is_some_and(|failed| failed <= width);
            self.wait = if is_again { (self.wait * 2).min(LONGEST_WAIT) } else { FIRST_WAIT };
            self.left = self.wait;
            self.failed = Some(width);
        }
        self.current = Some((width / 2).max(1));
    }

    /// A window of so many blocks was answered.
    pub(super) fn succeed(&mut self, width: u64) {
        let Some(current) = &mut self.current else { return };
        self.answered = self.answered.max(width);
        self.failed = self.failed.filter(|failed| width < *failed);
        self.left = self.left.saturating_sub(1);
        let wider = current.saturating_mul(2);
        if self.left == 0 || self.failed.is_none_or(|failed| wider < failed) {
            *current = wider;
        }
    }
}
