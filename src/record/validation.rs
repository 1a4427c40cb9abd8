//! [`Validation`]: the result of validating a string.

/// The result of a validation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Validation {
    /// Valid, returned unchanged.
    Unchanged,
    /// Not in this format, but allowed by the specification of the service: returned unchanged, and reported as drift.
    Unexpected,
    /// Valid, returned in this canonical form.
    Normalized(String),
    /// Means "none" or "unknown": an empty string, `deprecated` as hex data, or `0x` as a selector.
    Empty,
    /// Not in this format.
    Invalid,
}
