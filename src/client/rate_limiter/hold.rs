//! Holds all requests after a refusal, for the wait that the service stated or a backoff.
//!
//! Browsers report a 429 without CORS headers as a network failure. Such failures count as refusals when other requests
//! succeeded within the last minute, or when several come in a row.

use super::backoff::backoff_ms;

/// Network failures count as refusals for this long after a success.
const SUCCESS_MS: u64 = 60_000;

/// This many consecutive network failures count as refusals even without a success.
const BURST: u32 = 3;

#[derive(Debug, Default)]
pub(super) struct Hold {
    /// No request is sent before this time.
    pub(super) until: u64,
    /// When the last refusal arrived. Refusals of requests that were sent before then do not count again.
    refused_at: u64,
    /// Own refusals and network failures since the last success.
    pub(super) refusals: u32,
    network_failures: u32,
    succeeded_at: Option<u64>,
}

impl Hold {
    pub(super) fn on_success(&mut self, now: u64) {
        (self.refusals, self.network_failures, self.succeeded_at) = (0, 0, Some(now));
    }

    /// Counts the refusal of a request that was sent at this time. If several requests were in flight together, only
    /// the first refusal counts; returns false for the others. A refusal in another tab (`is_own` is false) does not
    /// lengthen the backoff, because the successes of that tab are not known.
    pub(super) fn on_refusal(&mut self, sent_at: u64, now: u64, is_own: bool) -> bool {
        let is_new = sent_at >= self.refused_at;
        if is_new {
            self.refused_at = now;
            self.refusals += u32::from(is_own);
        }
        is_new
    }

    /// Counts a network failure. Returns whether it counts as a refusal.
    pub(super) fn on_network_failure(&mut self, now: u64) -> bool {
        self.network_failures += 1;
        self.has_succeeded(now) || self.network_failures >= BURST
    }

    /// Whether to send one request at a time, to find out when repeated refusals end. If no request succeeds at all, that
    /// would only delay the errors.
    pub(super) fn is_probing(&self, now: u64) -> bool {
        self.refusals > 1 && self.has_succeeded(now)
    }

    /// Starts a wait: the stated one, or a backoff. `attempts` counts how often the refused request was sent. Returns how long
    /// requests are held, in milliseconds.
    pub(super) fn start(&mut self, now: u64, stated_ms: Option<u64>, attempts: u32, random: f64) -> u64 {
        let attempts = attempts.max(self.refusals);
        let wait = match stated_ms {
            Some(ms) => ms,
            None if self.until > now => 0,
            None => backoff_ms(attempts, random),
        };
        self.until = self.until.max(now.saturating_add(wait));
        self.until - now
    }

    /// Starts a wait after a network failure that counts as a refusal.
    pub(super) fn start_after_network_failure(&mut self, now: u64, attempts: u32, random: f64) {
        if self.has_succeeded(now) {
            self.start(now, None, attempts, random);
        } else if self.until <= now {
            // If no request succeeds, long waits would only delay the error.
            self.until = now + backoff_ms(1, random);
        }
    }

    /// Discards the stored times, because the clock was set back.
    pub(super) fn reset(&mut self) {
        (self.until, self.refused_at) = (0, 0);
    }

    /// Whether a request succeeded lately.
    fn has_succeeded(&self, now: u64) -> bool {
        self.succeeded_at.is_some_and(|at| now < at.saturating_add(SUCCESS_MS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stated_wait_is_observed_exactly_and_the_longest_wait_applies() {
        let mut hold = Hold::default();
        assert_eq!(hold.start(1000, Some(300), 1, 0.5), 300);
        assert_eq!(hold.start(1100, Some(100), 1, 0.5), 200);
        // Requests are already held, so that no backoff is added.
        assert_eq!(hold.start(1200, None, 1, 0.5), 100);
        assert_eq!((hold.start(1300, None, 1, 0.5), hold.until), (150, 1450));
    }

    #[test]
    fn the_backoff_grows_with_refusals_until_a_success() {
        let mut hold = Hold::default();
        let refuse = |hold: &mut Hold, now| {
            assert!(hold.on_refusal(now, now, true));
            hold.start(now, None, 1, 0.5)
        };
        let waits = [0, 10_000, 20_000].map(|now| refuse(&mut hold, now));
        assert_eq!(waits, [150, 300, 600]);
        hold.on_success(30_000);
        assert_eq!(refuse(&mut hold, 40_000), 150);
    }

    #[test]
    fn requests_that_were_refused_together_count_once() {
        let mut hold = Hold::default();
        assert_eq!(
            [(0, 50), (49, 60), (50, 90)].map(|(sent_at, now)| hold.on_refusal(sent_at, now, true)),
            [true, false, true]
        );
    }

    #[test]
    fn network_failures_count_after_a_success_or_in_a_row() {
        let mut hold = Hold::default();
        assert_eq!([0, 1, 2].map(|now| hold.on_network_failure(now)), [false, false, true]);
        hold.on_success(1000);
        assert!(hold.on_network_failure(60_999));
        hold.on_success(100_000);
        assert!(!hold.on_network_failure(160_000));
    }

    #[test]
    fn network_failures_without_a_success_hold_requests_for_the_shortest_backoff() {
        let mut hold = Hold::default();
        let until = [1000, 1149, 1150].map(|now| {
            hold.start_after_network_failure(now, 5, 0.5);
            hold.until
        });
        assert_eq!(until, [1150, 1150, 1300]);
        hold.on_success(1300);
        hold.start_after_network_failure(1300, 3, 0.5);
        assert_eq!(hold.until, 1900);
    }

    #[test]
    fn refusals_of_other_tabs_count_once_and_do_not_lengthen_the_backoff() {
        let mut hold = Hold::default();
        assert_eq!([(0, 50), (50, 90)].map(|(sent_at, now)| hold.on_refusal(sent_at, now, false)), [true, true]);
        assert!(!hold.on_refusal(80, 100, true));
        assert_eq!((hold.refusals, hold.start(100, None, 1, 0.5)), (0, 150));
    }

    #[test]
    fn repeated_refusals_after_a_success_are_probed() {
        let mut hold = Hold::default();
        let refuse = |hold: &mut Hold| hold.on_refusal(2000, 2000, true);
        assert!(refuse(&mut hold) && refuse(&mut hold));
        assert!(!hold.is_probing(2000), "no request has succeeded");
        hold.on_success(2000);
        assert!(refuse(&mut hold) && !hold.is_probing(2000), "one refusal");
        assert!(refuse(&mut hold) && hold.is_probing(2000));
        assert!(!hold.is_probing(62_000), "the success is long ago");
    }

    #[test]
    fn clock_that_is_set_back_discards_the_times() {
        let mut hold = Hold::default();
        hold.on_refusal(5000, 5000, true);
        hold.start(5000, None, 1, 0.5);
        hold.reset();
        assert_eq!(hold.until, 0);
        assert!(hold.on_refusal(100, 100, true));
    }
}
