//! Detects failures that occur whatever the rate is, such as those of an overloaded proxy. Sending less does not avoid them.
//!
//! A service that limits the rate refuses requests when many were accepted just before. Its refusals become rare as the rate
//! falls. Failures are *random* if many requests fail, and most of them after few accepted requests.

/// A refusal is crowded if the requests accepted before it are at least this share of their maximum.
const CROWDED: f64 = 0.9;

/// Number of refusals over which the share of crowded ones is averaged.
const REFUSALS: f64 = 8.0;

/// Number of requests over which the share of refused ones is averaged.
const REQUESTS: f64 = 24.0;

/// The share of crowded refusals before the first one.
const FIRST_CROWDED_SHARE: f64 = 0.75;

/// Failures are random below this share of crowded refusals, and above this share of refused requests.
const BEGIN: (f64, f64) = (0.35, 0.2);

/// They stay random within these limits.
const STAY: (f64, f64) = (0.45, 0.12);

/// Random failures rarely follow each other as often as this. Then the service refuses everything.
const MAX_CONSECUTIVE: u32 = 3;

#[derive(Debug)]
pub(super) struct RandomFailures {
    crowded_share: f64,
    refused_share: f64,
    is_detected: bool,
}

impl Default for RandomFailures {
    fn default() -> Self {
        Self { crowded_share: FIRST_CROWDED_SHARE, refused_share: 0.0, is_detected: false }
    }
}

impl RandomFailures {
    pub(super) const fn is_detected(&self) -> bool {
        self.is_detected
    }

    pub(super) fn on_sent(&mut self) {
        self.refused_share -= self.refused_share / REQUESTS;
    }

    /// Records a refusal after this many accepted requests, of which `most` is the maximum lately. `consecutive` counts the
    /// refusals since the last success. A caller that sends one request at a time (`is_alone`) needs no detection: its rate is
    /// adapted in another way.
    pub(super) fn on_refusal(&mut self, accepted: f64, most: f64, consecutive: u32, is_alone: bool) {
        let is_crowded = accepted.max(1.0) >= most * CROWDED;
        self.crowded_share += (f64::from(u8::from(is_crowded)) - self.crowded_share) / REFUSALS;
        self.refused_share += 1.0 / REQUESTS;
        let (max_crowded, min_refused) = if self.is_detected { STAY } else { BEGIN };
        self.is_detected = consecutive <= MAX_CONSECUTIVE
            && (self.is_detected || !is_alone)
            && self.crowded_share < max_crowded
            && self.refused_share > min_refused;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The state after this many rounds: three requests, of which the last is refused after `accepted` of at most ten.
    fn after(rounds: u32, accepted: f64, is_alone: bool) -> RandomFailures {
        let mut failures = RandomFailures::default();
        for _ in 0..rounds {
            (0..3).for_each(|_| failures.on_sent());
            failures.on_refusal(accepted, 10.0, 1, is_alone);
        }
        failures
    }

    #[test]
    fn refusals_after_few_requests_are_random() {
        assert!(!after(6, 3.0, false).is_detected());
        assert!(after(7, 3.0, false).is_detected());
        assert!(after(7, 8.0, false).is_detected());
        assert!(!after(7, 9.0, false).is_detected(), "many requests were accepted before");
        assert!(!after(7, 3.0, true).is_detected(), "the caller is alone");
    }

    #[test]
    fn rare_refusals_are_not_random() {
        let mut failures = RandomFailures::default();
        for _ in 0..20 {
            (0..6).for_each(|_| failures.on_sent());
            failures.on_refusal(3.0, 10.0, 1, false);
        }
        assert!(!failures.is_detected());
    }

    #[test]
    fn refusals_that_follow_each_other_or_many_requests_end_random_failures() {
        let mut failures = after(7, 3.0, false);
        failures.on_refusal(3.0, 10.0, 3, true);
        assert!(failures.is_detected());
        failures.on_refusal(3.0, 10.0, 4, false);
        assert!(!failures.is_detected());
        let mut failures = after(7, 3.0, false);
        let ended = (1..9).find(|_| {
            failures.on_refusal(10.0, 10.0, 1, false);
            !failures.is_detected()
        });
        assert_eq!(ended, Some(2));
    }
}
