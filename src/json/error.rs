//! The errors of the scanner, and of everything that reads JSON with it.

use super::mismatch::{Mismatch, format_index};

/// Why decoding stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DecodeError {
    /// The input ends within a value. Decoding can restart at the beginning of the value when more input has arrived.
    Incomplete,
    /// The input is not valid JSON. Nothing after it can be decoded.
    Syntax(Box<Mismatch>),
    /// Valid JSON that does not match its declaration. The scanner has skipped it, so decoding can continue.
    Mismatch(Box<Mismatch>),
    /// A cursor that cannot be sent back to the service.
    Cursor(Box<Mismatch>),
}

impl DecodeError {
    /// A syntax error: the expected token, and the bytes that were found.
    #[cold]
    #[inline(never)]
    pub(crate) fn syntax(expected: &'static str, found: &[u8]) -> Self {
        Self::Syntax(Box::new(Mismatch::from_json(expected, found)))
    }

    /// A mismatch: the expected value, and the JSON that was found. Empty if the value is missing.
    #[cold]
    #[inline(never)]
    pub(crate) fn mismatch(expected: &'static str, found: &[u8]) -> Self {
        Self::Mismatch(Box::new(Mismatch::from_json(expected, found)))
    }

    /// Adds the name of the enclosing field to the path.
    #[cold]
    #[inline(never)]
    pub(crate) fn in_field(mut self, name: &str) -> Self {
        if let Self::Syntax(mismatch) | Self::Mismatch(mismatch) | Self::Cursor(mismatch) = &mut self {
            mismatch.prepend(name);
        }
        self
    }

    /// Adds the index within the enclosing list to the path.
    #[cold]
    #[inline(never)]
    pub(crate) fn in_element(self, index: usize) -> Self {
        // Incomplete input is normal, so nothing is allocated for it.
        if matches!(self, Self::Incomplete) { self } else { self.in_field(&format_index(index)) }
    }
}

/// Scanning stopped. `Scanner::take_error` returns the reason.
///
/// Returning the reason from every function would make the compiled code much larger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ScanError;
