//! Why reading stopped, and where.

use crate::record::Mismatch;
use crate::record::read::element;

/// Why reading stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fail {
    /// The input ends here; with more of it, reading can begin anew where it began.
    More,
    /// This is no JSON: nothing after it can be read.
    Syntax(Box<Mismatch>),
    /// JSON that does not fit its declaration. The scanner stands behind it.
    Shape(Box<Mismatch>),
    /// A cursor that cannot be sent back.
    Cursor(Box<Mismatch>),
}

impl Fail {
    /// No JSON, but what is said here.
    #[cold]
    #[inline(never)]
    pub(super) fn syntax(expected: &'static str, found: &[u8]) -> Self {
        Self::Syntax(Box::new(Mismatch::of(expected, found)))
    }

    /// JSON, or nothing, in place of what was expected.
    #[cold]
    #[inline(never)]
    pub(super) fn shape(expected: &'static str, found: &[u8]) -> Self {
        Self::Shape(Box::new(Mismatch::of(expected, found)))
    }

    /// The same, seen from the record that holds the value as this field.
    #[cold]
    #[inline(never)]
    pub(super) fn in_field(mut self, name: &str) -> Self {
        if let Self::Syntax(mismatch) | Self::Shape(mismatch) | Self::Cursor(mismatch) = &mut self {
            mismatch.lead(name);
        }
        self
    }

    /// The same, seen from the list that holds the value at this index.
    #[cold]
    #[inline(never)]
    pub(super) fn in_element(self, index: usize) -> Self {
        // Where more input is wanted, nothing is allocated: that is no failure.
        if matches!(self, Self::More) { self } else { self.in_field(&element(index)) }
    }
}

/// Reading stopped; the scanner knows why. (To hand the reason itself on at every step takes much more code.)
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped;
