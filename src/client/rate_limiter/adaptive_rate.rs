//! The learned rate: how fast requests are sent after the service refused one.
//!
//! It starts at the number of requests that were accepted in the second before the refusal. When refusals return, it falls to
//! 70% of the rate that was accepted then. It recovers along a cubic curve: it rises slowly near the refused rate, then faster,
//! until it no longer limits anything.
//!
//! A caller that sends one request at a time waits after each refusal and cannot flood the service. For such a caller the
//! rate falls only if refusals follow many requests. Refusals after few requests have another cause. The same holds for all
//! callers while failures are random (`random_failures`): then requests are sent one at a time.

use super::random_failures::RandomFailures;

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

/// A refusal is *crowded* if many requests were accepted in the second before it: at least this share of the maximum so far.
/// The maximum decays by the same factor with each refusal.
const FADE: f64 = 0.9;

/// The rate is the cause of refusals if at least this share of the recent ones was crowded.
const CROWDED_SHARE: f64 = 0.6;

/// The initial share. A single refusal that is not crowded takes it below [`CROWDED_SHARE`].
const FIRST_CROWDED_SHARE: f64 = 0.75;

#[derive(Debug)]
pub(super) struct AdaptiveRate {
    learned: Option<LearnedRate>,
    /// The time of the last request. It may be earlier, by up to one interval, so that requests catch up on a delay.
    last_slot: f64,
    /// Maximum number of requests accepted in the second before a refusal. It decays by [`FADE`].
    most_accepted: f64,
    /// The share of crowded refusals: a moving average over about four.
    crowded_share: f64,
    random_failures: RandomFailures,
}

/// A refusal, as the learned rate sees it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Refusal {
    /// Number of requests that were accepted in the second before the refused one was sent.
    pub(super) accepted: f64,
    /// Whether no other request is waiting or in flight.
    pub(super) is_alone: bool,
    /// Number of refusals since the last success.
    pub(super) consecutive: u32,
    /// False if the service states its limit, or if many callers wait: sent without a learned rate, their requests could flood
    /// the service.
    pub(super) may_be_random: bool,
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
    /// The rate of a curve that begins below this plateau.
    fn decreased(plateau: f64, now: f64) -> Self {
        Self { plateau, plateau_at: now + RECOVERY_MS }
    }

    fn at(self, now: f64) -> f64 {
        let x = ((now - self.plateau_at) / RECOVERY_MS).max(-1.0);
        (self.plateau * (1.0 + (1.0 - DECREASE) * x * x * x)).max(MIN_RATE)
    }
}

impl Default for AdaptiveRate {
    fn default() -> Self {
        Self {
            learned: None,
            last_slot: 0.0,
            most_accepted: 0.0,
            crowded_share: FIRST_CROWDED_SHARE,
            random_failures: RandomFailures::default(),
        }
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

    /// Whether requests fail whatever the rate is. They are sent one at a time then.
    pub(super) const fn has_random_failures(&self) -> bool {
        self.random_failures.is_detected()
    }

    pub(super) fn on_sent(&mut self, now: f64) {
        self.random_failures.on_sent();
        let interval = self.interval_ms(now).unwrap_or(0.0);
        // Other tabs may send faster than this rate. Each of their requests delays the next one to an interval later, not further.
        // (`now` is in whole milliseconds.)
        self.last_slot = (self.last_slot + interval).clamp(now - interval, now + 1.0);
    }

    /// Discards the learned rate, because the clock was set back.
    pub(super) fn reset(&mut self) {
        (self.learned, self.last_slot) = (None, 0.0);
    }

    /// Adapts the rate after the service refused a request.
    pub(super) fn on_refusal(&mut self, refusal: Refusal, now: f64) {
        let Refusal { accepted, is_alone, consecutive, may_be_random } = refusal;
        self.most_accepted = accepted.max(self.most_accepted * FADE);
        if may_be_random {
            self.random_failures.on_refusal(accepted, self.most_accepted, consecutive, is_alone);
        } else {
            self.random_failures = RandomFailures::default();
        }
        let is_crowded = accepted + 1.0 >= FIRST_RATE && accepted >= self.most_accepted * FADE;
        self.crowded_share += (f64::from(u8::from(is_crowded)) - self.crowded_share) / 4.0;
        if is_alone || self.has_random_failures() {
            if self.crowded_share < CROWDED_SHARE {
                self.learned = None;
                return;
            }
            if !is_crowded {
                return;
            }
        }
        // If no request was accepted, the rate is not the cause.
        if accepted == 0.0 {
            return;
        }
        // A learned rate that was never reached means nothing.
        let reached = self.learned.filter(|learned| learned.at(now) <= 2.0 * (accepted + 1.0));
        self.learned = Some(match reached {
            Some(learned) => LearnedRate::decreased(learned.at(now).min(accepted), now),
            None => LearnedRate { plateau: accepted.max(FIRST_RATE), plateau_at: now },
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CROWDED: Refusal = Refusal { accepted: 20.0, is_alone: false, consecutive: 1, may_be_random: true };

    /// The rate at these times, rounded.
    fn rates<const N: usize>(rate: &AdaptiveRate, times: [u32; N]) -> [Option<i32>; N] {
        #[expect(clippy::cast_possible_truncation, reason = "at most 500")]
        times.map(|now| rate.interval_ms(now.into()).map(|interval| (1000.0 / interval).round() as i32))
    }

    #[test]
    fn rate_falls_to_seven_tenths_when_refusals_return_and_recovers_within_seconds() {
        let mut rate = AdaptiveRate::default();
        assert_eq!(rates(&rate, [0]), [None]);
        rate.on_refusal(CROWDED, 1000.0);
        assert_eq!(rates(&rate, [1000]), [Some(20)]);
        rate.on_refusal(CROWDED, 1000.0);
        let recovered = [Some(14), Some(19), Some(20), Some(21), Some(26), Some(68), None];
        assert_eq!(rates(&rate, [1000, 2000, 3000, 4000, 5000, 7000, 12_000]), recovered);
        // The rate falls from the accepted rate if that is lower.
        rate.on_refusal(Refusal { accepted: 10.0, ..CROWDED }, 3000.0);
        assert_eq!(rates(&rate, [3000, 5000]), [Some(7), Some(10)]);
    }

    #[test]
    fn one_refusal_after_few_requests_does_not_limit_a_sequential_caller() {
        let mut rate = AdaptiveRate::default();
        rate.on_refusal(Refusal { accepted: 3.0, is_alone: true, consecutive: 1, may_be_random: true }, 0.0);
        assert_eq!(rates(&rate, [0]), [None]);
    }

    #[test]
    fn sequential_caller_is_limited_only_if_refusals_follow_many_requests() {
        let alone = |accepted| Refusal { accepted, is_alone: true, consecutive: 1, may_be_random: true };
        let after = |accepted: &[f64]| {
            let mut rate = AdaptiveRate::default();
            for accepted in accepted {
                rate.on_refusal(alone(*accepted), 0.0);
            }
            rates(&rate, [0])
        };
        assert_eq!((after(&[3.0]), after(&[4.0])), ([None], [Some(5)]));
        // Many are 90% of the maximum, which decays with each refusal.
        assert_eq!((after(&[20.0, 16.0]), after(&[20.0, 17.0])), ([Some(20)], [Some(12)]));
        assert_eq!(after(&[20.0, 16.0, 14.0]), [None], "most refusals followed few requests");
        assert_eq!(after(&[20.0, 16.0, 16.0]), [Some(11)], "the maximum has decayed again");
    }

    #[test]
    fn rate_that_was_not_reached_is_replaced_by_the_accepted_one() {
        let after = |accepted| {
            let mut rate = AdaptiveRate::default();
            rate.on_refusal(CROWDED, 0.0);
            rate.on_refusal(Refusal { accepted, is_alone: false, consecutive: 1, may_be_random: true }, 0.0);
            rates(&rate, [0, 2000])
        };
        assert_eq!((after(9.0), after(8.0)), ([Some(6), Some(9)], [Some(8), Some(10)]));
        assert_eq!(after(2.0), [Some(5), Some(7)]);
        assert_eq!(after(0.0), [Some(20), Some(26)], "no request was accepted");
    }

    #[test]
    fn random_failures_end_the_learned_rate_unless_they_may_be_refusals() {
        let after = |may_be_random| {
            let mut rate = AdaptiveRate::default();
            for accepted in [20.0, 1.0, 2.0, 1.0, 1.0, 2.0, 1.0, 1.0, 1.0] {
                (0..3).for_each(|_| rate.on_sent(0.0));
                rate.on_refusal(Refusal { accepted, may_be_random, ..CROWDED }, 0.0);
            }
            (rate.has_random_failures(), rate.next_at(0.0).is_some())
        };
        assert_eq!([true, false].map(after), [(true, false), (false, true)]);
    }

    #[test]
    fn clock_that_is_set_back_discards_the_rate() {
        let mut rate = AdaptiveRate::default();
        rate.on_refusal(CROWDED, 1000.0);
        rate.on_sent(1000.0);
        rate.reset();
        assert_eq!((rate.next_at(0.0), rate.last_slot), (None, 0.0));
    }

    #[test]
    fn rate_is_limited_up_to_its_maximum() {
        let interval = |accepted| {
            let mut rate = AdaptiveRate::default();
            rate.on_refusal(Refusal { accepted, is_alone: false, consecutive: 1, may_be_random: true }, 0.0);
            rate.interval_ms(0.0)
        };
        assert_eq!([500.0, 501.0].map(interval), [Some(2.0), None]);
    }

    #[test]
    fn rate_falls_to_one_request_in_five_seconds_at_most() {
        let mut rate = AdaptiveRate::default();
        let accepted = [2.0, 2.0].into_iter().chain([1.0; 10]);
        accepted.for_each(|accepted| {
            rate.on_refusal(Refusal { accepted, is_alone: false, consecutive: 1, may_be_random: true }, 0.0);
        });
        assert_eq!(rate.interval_ms(0.0), Some(5000.0));
    }

    #[test]
    fn requests_are_spaced_evenly_and_catch_up_on_one_interval() {
        let mut rate = AdaptiveRate::default();
        rate.on_sent(1000.0);
        rate.on_refusal(CROWDED, 1000.0);
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
