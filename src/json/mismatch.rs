//! [`Mismatch`]: what was expected, what was found, and where. The excerpts are safe to display.

use crate::strings::{escape_invisible, format_u64, from_utf8_lossy, truncate_chars};

/// A value that does not match its declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// The path of the value, such as `items[3].token.decimals`. Empty for the whole document.
    pub path: String,
    /// A description of the declared type.
    pub expected: &'static str,
    /// A description of the value: its kind, or an excerpt.
    pub found: String,
}

impl Mismatch {
    /// Creates a mismatch with an empty path.
    pub(crate) fn new(expected: &'static str, found: impl Into<String>) -> Self {
        Self { path: String::new(), expected, found: found.into() }
    }

    /// Creates a mismatch with an empty path and a description of this JSON value.
    #[cold]
    #[inline(never)]
    #[must_use]
    pub(crate) fn from_json(expected: &'static str, found: &[u8]) -> Self {
        Self::new(expected, describe(found))
    }

    /// Formats the mismatch: "path: expected …, found …".
    #[must_use]
    pub(crate) fn to_message(&self) -> String {
        let colon = if self.path.is_empty() { "" } else { ": " };
        [&*self.path, colon, "expected ", self.expected, ", found ", &*self.found].concat()
    }

    /// Prepends the name of the field that contains the value to the path.
    #[must_use]
    pub(crate) fn in_field(mut self, name: &str) -> Self {
        self.prepend(name);
        self
    }

    /// Prepends the index of the list element that contains the value to the path.
    #[must_use]
    pub(crate) fn in_element(self, index: usize) -> Self {
        self.in_field(&format_index(index))
    }

    /// Prepends a field name or an index to the path.
    #[inline(never)]
    pub(crate) fn prepend(&mut self, step: &str) {
        let dot = if self.path.is_empty() || self.path.starts_with('[') { "" } else { "." };
        self.path = [step, dot, &*self.path].concat();
    }
}

impl std::fmt::Display for Mismatch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.to_message())
    }
}

/// Formats the index of a list element for a path: `[3]`.
pub(crate) fn format_index(index: usize) -> String {
    ["[", &*format_u64(index as u64), "]"].concat()
}

/// Describes a JSON value: its kind, or an excerpt of a scalar. Safe to display, even if the response is hostile.
pub(crate) fn describe(json: &[u8]) -> String {
    const MAX_CHARS: usize = 40;
    match json.first() {
        None => "nothing".into(),
        Some(b'{') => "an object".into(),
        Some(b'[') => "a list".into(),
        Some(_) => {
            // A character has at most four bytes. The cut may split the last character, so one more is kept than shown.
            let start = json.get(..4 * (MAX_CHARS + 1)).unwrap_or(json);
            let mut excerpt = escape_invisible(&from_utf8_lossy(start));
            truncate_chars(&mut excerpt, MAX_CHARS);
            excerpt
        }
    }
}

/// Returns the start of a string in a form that is safe to display, such as the name of an unknown member.
#[must_use]
pub fn excerpt(string: &[u8]) -> String {
    // Without the quote, `describe` would treat a string that starts with a bracket as a list or an object.
    describe(&[b"\"", string].concat()).split_off(1)
}
