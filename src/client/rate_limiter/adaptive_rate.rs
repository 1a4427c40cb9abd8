//! The learned rate: how fast requests are sent after the service refused one and stated neither a limit nor a wait.
//!
//! It starts at the number of requests that were accepted in the second before the refusal. When refusals return, it falls to
//! 70% of the rate that was accepted then. It recovers along a cubic curve: it rises slowly near the refused rate, then faster,
//! until it no longer limits anything.
//!
//! A service that limits the rate accepts a lower one. Where refusals return after a few requests at ever lower rates,
//! they are *random*: an overloaded proxy, for example, fails at any rate. The limiter then learns nothing for a while.
//! Requests are sent one at a time, and wait only for the backoff.

/// The learned rate is never lower, in requests per second.
const MIN_RATE: f64 = 0.2;

/// A learned rate above this is dropped.
const MAX_RATE: f64 = 500.0;

/// The first learned rate is never lower: one refusal after few requests says little.
const FIRST_RATE: f64 = 5.0;

/// Factor for the learned rate when refusals return.
const DECREASE: f64 = 0.7;

/// How long the learned rate takes to recover from a decrease.
const RECOVERY_MS: f64 = 2000.0;

/// A refusal is *early* if fewer requests were sent since the one before.
const EARLY_REQUESTS: u32 = 10;

/// Refusals are considered random if this many in a row are early, plus one for each other request that is waiting or
/// in flight, because a wrong decision would cause their refusal.
const EARLY_REFUSALS: f64 = 3.0;

/// For how long nothing is learned after random refusals.
const RANDOM_MS: f64 = 30_000.0;

#[derive(Debug, Default)]
pub(super) struct AdaptiveRate {
    learned: Option<LearnedRate>,
    /// The time of the last request. It may be earlier, by up to one interval, so that requests catch up on a delay.
    last_slot: f64,
    /// Number of requests since the last refusal.
    requests: u32,
    /// Early refusals in a row, as a share of the number that shows that refusals are random. 1: they are random.
    certainty: f64,
    /// Refusals are considered random until this time.
    random_until: f64,
}

/// A rate on a cubic curve over time.
#[derive(Debug, Clone, Copy)]
struct LearnedRate {
    /// The rate at which the curve is flat: the last one that was refused.
    plateau: f64,
    /// When the curve is flat.
    plateau_at: f64,
}

impl LearnedRate {
    fn at(self, now: f64) -> f64 {
        let x = ((now - self.plateau_at) / RECOVERY_MS).max(-1.0);
        (self.plateau * (1.0 + (1.0 - DECREASE) * x * x * x)).max(MIN_RATE)
    }
}

impl AdaptiveRate {
    /// The interval between requests in milliseconds. None while the rate is not limited.
    fn interval_ms(&self, now: f64) -> Option<f64> {
        let rate = self.learned?.at(now);
        (rate <= MAX_RATE).then_some(1000.0 / rate)
    }

    /// When the next request may be sent. None while the rate is not limited.
    pub(super) fn next_at(&self, now: f64) -> Option<f64> {
        self.interval_ms(now).map(|interval| self.last_slot + interval)
    }

    /// Whether requests fail at any rate.
    pub(super) fn has_random_failures(&self, now: f64) -> bool {
        now < self.random_until
    }

    pub(super) fn on_sent(&mut self, now: f64) {
        self.requests += 1;
        let interval = self.interval_ms(now).unwrap_or(0.0);
        // Other tabs may send faster than this rate. Each of their requests delays the next one to an interval later, not further.
        // (`now` is in whole milliseconds.)
        self.last_slot = (self.last_slot + interval).clamp(now - interval, now + 1.0);
    }

    /// Adapts the rate after a refusal that followed `accepted` requests within a second. `others` counts the other requests that are
    /// waiting or in flight. `is_paced` is whether the service stated how long to wait, or the backoff has grown.
    pub(super) fn on_refusal(&mut self, accepted: f64, others: u32, is_paced: bool, now: f64) {
        let is_early = std::mem::take(&mut self.requests) < EARLY_REQUESTS;
        let learned = self.learned.filter(|learned| learned.at(now) <= MAX_RATE);
        // If no request was accepted, the cause is not the rate. A caller that sends one request at a time waits after
        // each refusal.
        if accepted == 0.0 || others == 0 && is_paced || self.has_random_failures(now) {
            return;
        }
        let is_few = others == 0 && learned.is_none() && accepted + 1.0 < FIRST_RATE;
        let share = 1.0 / (EARLY_REFUSALS + f64::from(others));
        // The first refusal of a caller that has reached the limit does not count, unless a row of early refusals has begun.
        let counts = is_few || learned.is_some() || self.certainty > 0.0;
        self.certainty = if is_early && counts { self.certainty + share } else { 0.0 };
        if self.certainty > 0.999 {
            *self = Self { random_until: now + RANDOM_MS, ..Self::default() };
            return;
        }
        self.learned = match learned {
            Some(learned) => {
                Some(LearnedRate { plateau: learned.at(now).min(accepted), plateau_at: now + RECOVERY_MS })
            }
            None if is_few => None,
            None => Some(LearnedRate { plateau: accepted.max(FIRST_RATE), plateau_at: now }),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rate at these times, rounded.
    fn rates<const N: usize>(rate: &AdaptiveRate, times: [u32; N]) -> [Option<i32>; N] {
        #[expect(clippy::cast_possible_truncation, reason = "at most 500")]
        times.map(|now| rate.interval_ms(now.into()).map(|interval| (1000.0 / interval).round() as i32))
    }

    /// A rate after a refusal at 1000 ms that followed this many requests of concurrent callers.
    fn refused(accepted: f64) -> AdaptiveRate {
        let mut rate = AdaptiveRate::default();
        rate.on_refusal(accepted, 3, false, 1000.0);
        rate
    }

    #[test]
    fn rate_falls_to_seven_tenths_when_refusals_return_and_recovers_within_seconds() {
        assert_eq!(rates(&AdaptiveRate::default(), [0]), [None]);
        let mut rate = refused(20.0);
        assert_eq!(rates(&rate, [1000]), [Some(20)]);
        rate.on_refusal(20.0, 3, false, 1000.0);
        let recovered = [Some(14), Some(19), Some(20), Some(21), Some(26), Some(68), None];
        assert_eq!(rates(&rate, [1000, 2000, 3000, 4000, 5000, 7000, 12_000]), recovered);
        // The rate falls from the accepted rate if that is lower.
        rate.on_refusal(10.0, 3, false, 3000.0);
        assert_eq!(rates(&rate, [3000, 5000]), [Some(7), Some(10)]);
    }

    #[test]
    fn first_rate_is_at_least_five() {
        let mut rate = refused(2.0);
        assert_eq!(rates(&rate, [1000]), [Some(5)]);
        rate.on_refusal(2.0, 3, false, 1000.0);
        assert_eq!(rates(&rate, [1000, 3000]), [Some(1), Some(2)]);
    }

    #[test]
    fn rate_is_limited_up_to_its_maximum() {
        assert_eq!([500.0, 501.0].map(|accepted| refused(accepted).interval_ms(1000.0)), [Some(2.0), None]);
    }

    #[test]
    fn rate_falls_to_one_request_in_five_seconds_at_most() {
        let rate = AdaptiveRate {
            learned: Some(LearnedRate { plateau: 0.25, plateau_at: 3000.0 }),
            ..AdaptiveRate::default()
        };
        assert_eq!(rate.interval_ms(1000.0), Some(5000.0));
    }

    #[test]
    fn sequential_caller_is_limited_only_after_many_requests_and_without_another_wait() {
        for (accepted, is_paced, limited) in
            [(3.0, false, None), (4.0, false, Some(5)), (20.0, true, None), (0.0, false, None)]
        {
            let mut rate = AdaptiveRate::default();
            rate.on_refusal(accepted, 0, is_paced, 1000.0);
            assert_eq!(rates(&rate, [1000]), [limited], "{accepted}, {is_paced}");
        }
    }

    #[test]
    fn refusal_without_an_accepted_request_changes_nothing() {
        let mut rate = refused(20.0);
        rate.on_refusal(0.0, 3, false, 1000.0);
        assert_eq!(rates(&rate, [1000]), [Some(20)]);
    }

    /// The number of refusals until they are considered random, with this many requests between them.
    fn refusals_until_random(others: u32, requests: u32) -> Option<u32> {
        let mut rate = AdaptiveRate::default();
        (1..50).find(|_| {
            (0..requests).for_each(|_| rate.on_sent(1000.0));
            rate.on_refusal(10.0, others, false, 1000.0);
            rate.has_random_failures(1000.0)
        })
    }

    #[test]
    fn refusals_that_return_after_few_requests_are_random() {
        assert_eq!([0, 1, 3, 300].map(|others| refusals_until_random(others, 9)), [Some(4), Some(5), Some(7), None]);
        assert_eq!([0, 3].map(|others| refusals_until_random(others, 10)), [None; 2]);
    }

    #[test]
    fn early_refusals_count_in_a_row() {
        let mut rate = AdaptiveRate::default();
        for sent in [0, 0, 0, 10, 0, 0, 0] {
            assert!(!rate.has_random_failures(1000.0));
            (0..sent).for_each(|_| rate.on_sent(1000.0));
            rate.on_refusal(10.0, 0, false, 1000.0);
        }
        assert!(rate.has_random_failures(1000.0));
    }

    #[test]
    fn refusals_after_few_requests_of_a_sequential_caller_are_random() {
        let mut rate = AdaptiveRate::default();
        for accepted in [3.0, 10.0, 10.0] {
            assert!(!rate.has_random_failures(1000.0));
            rate.on_refusal(accepted, 0, false, 1000.0);
        }
        assert!(rate.has_random_failures(1000.0));
    }

    #[test]
    fn early_refusals_of_many_callers_say_little() {
        let mut rate = AdaptiveRate::default();
        (0..20).for_each(|_| rate.on_refusal(10.0, 300, false, 1000.0));
        rate.on_refusal(10.0, 0, false, 1000.0);
        assert!(!rate.has_random_failures(1000.0));
    }

    #[test]
    fn random_refusals_are_not_learned_from_for_half_a_minute() {
        let mut rate = AdaptiveRate::default();
        (0..4).for_each(|number| rate.on_refusal(10.0, 0, false, 1000.0 + f64::from(number)));
        assert!(rate.has_random_failures(31_002.0) && !rate.has_random_failures(31_003.0));
        assert_eq!(rates(&rate, [1003]), [None]);
        rate.on_refusal(10.0, 3, false, 31_002.0);
        assert_eq!(rates(&rate, [31_002]), [None]);
        rate.on_refusal(10.0, 3, false, 31_003.0);
        assert_eq!(rates(&rate, [31_003]), [Some(10)]);
    }

    #[test]
    fn requests_are_spaced_evenly_and_catch_up_on_one_interval() {
        let mut rate = AdaptiveRate::default();
        rate.on_sent(1000.0);
        rate.on_refusal(20.0, 3, false, 1000.0);
        assert_eq!(rate.next_at(1000.0), Some(1050.0));
        rate.on_sent(1050.0);
        assert_eq!(rate.next_at(1050.0).map(f64::round), Some(1100.0));
        // The requests of other tabs delay the next one by one interval.
        (1..9).for_each(|ms| rate.on_sent(1100.0 + f64::from(ms)));
        assert_eq!(rate.next_at(1108.0).map(f64::round), Some(1159.0));
        // Delayed by more than one interval: two requests at once.
        rate.on_sent(1500.0);
        assert!(rate.next_at(1500.0).is_some_and(|next| next <= 1500.0));
        rate.on_sent(1500.0);
        assert!(rate.next_at(1500.0).is_some_and(|next| next > 1540.0));
    }
}
