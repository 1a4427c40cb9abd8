//! How long to wait after failures when the service does not say so.

/// Maximum backoff after the first failure, in milliseconds. It doubles with each further failure.
const FIRST_BACKOFF_MS: u64 = 200;

/// Upper limit of the backoff, in milliseconds.
const MAX_BACKOFF_MS: u64 = 10_000;

/// Exponential backoff in milliseconds, from half of its maximum upwards. `random` is in `0.0..1.0`: without jitter, clients that
/// failed together would retry together.
pub(crate) fn backoff_ms(failures: u32, random: f64) -> u64 {
    let max = FIRST_BACKOFF_MS.saturating_mul(1 << failures.saturating_sub(1).min(16)).min(MAX_BACKOFF_MS);
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a few seconds, not negative"
    )]
    let backoff = (max as f64 * f64::midpoint(random, 1.0)) as u64;
    backoff
}
