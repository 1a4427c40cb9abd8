//! Integers as JavaScript numbers.

/// Converts an integer to a JavaScript number.
#[expect(clippy::cast_precision_loss, reason = "all values are below 2^53")]
pub(super) fn to_f64(value: u64) -> f64 {
    value as f64
}

/// Converts a signed integer to a JavaScript number.
#[expect(clippy::cast_precision_loss, reason = "all values are below 2^53")]
pub(super) fn signed_to_f64(value: i64) -> f64 {
    value as f64
}
