//! Values of any type: the scanner validates and skips them, and returns their bytes.

use super::error::ScanError;
use super::scan::Scanner;

/// The maximum nesting of lists and objects in free JSON. It bounds the stack of code that walks the value, and is the
/// limit of `serde_json`.
pub(crate) const MAX_DEPTH: usize = 127;

/// [`MAX_DEPTH`] in words, for mismatches.
pub(crate) const EXPECTED_DEPTH: &str = "at most 127 levels of nesting";

/// How many nesting levels one word of [`Scanner::skip_value`] holds.
const LEVELS_PER_WORD: usize = u128::BITS as usize;

/// The JSON of any value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct JsonSpan<'a> {
    /// The bytes of the value.
    pub(crate) json: &'a [u8],
    /// Whether it contains an ill-formed string.
    pub(crate) ill_formed: bool,
    /// Whether its lists and objects nest deeper than [`MAX_DEPTH`].
    pub(crate) too_deep: bool,
}

impl<'a> JsonSpan<'a> {
    /// A value that is neither ill-formed nor too deep.
    pub(crate) const fn from_plain(json: &'a [u8]) -> Self {
        Self { json, ill_formed: false, too_deep: false }
    }
}

impl<'a> Scanner<'a> {
    /// Skips and validates any value, and returns its bytes.
    ///
    /// # Errors
    /// `DecodeError::Syntax` if it is not valid JSON.
    pub(crate) fn skip_value(&mut self) -> Result<JsonSpan<'a>, ScanError> {
        self.peek()?;
        let start = self.position();
        let (mut depth, mut deepest, mut ill_formed) = (0, 0, false);
        // One bit per level, set if the level is an object. Words of outer levels are moved to a vector.
        let (mut objects, mut outer) = (0u128, Vec::new());
        // Each iteration reads one value, or the end of the innermost list or object.
        let mut first = false;
        loop {
            if depth > 0 {
                let is_object = objects & 1 == 1;
                let more = match self.rest() {
                    // The usual case: no white space after the comma.
                    [b',', b'"' | b'{', ..] if !first => {
                        self.advance(1);
                        true
                    }
                    _ => self.next_member(if is_object { b'}' } else { b']' }, first)?,
                };
                if !more {
                    depth -= 1;
                    if depth == 0 {
                        break;
                    }
                    objects = if depth % LEVELS_PER_WORD == 0 { outer.pop().unwrap_or_default() } else { objects >> 1 };
                    first = false;
                    continue;
                }
                if is_object {
                    ill_formed |= !self.skip_plain_string() && self.read_string()?.ill_formed;
                    self.expect(b':', "a colon")?;
                }
            }
            first = false;
            match self.peek()? {
                b'"' => ill_formed |= !self.skip_plain_string() && self.read_string()?.ill_formed,
                b'-' | b'0'..=b'9' => drop(self.read_number()?),
                b't' => self.expect_literal("true")?,
                b'f' => self.expect_literal("false")?,
                b'n' => self.expect_literal("null")?,
                open @ (b'{' | b'[') => {
                    self.advance(1);
                    if depth > 0 && depth % LEVELS_PER_WORD == 0 {
                        outer.push(objects);
                    }
                    objects = objects << 1 | u128::from(open == b'{');
                    depth += 1;
                    deepest = deepest.max(depth);
                    first = true;
                }
                _ => return Err(self.fail_syntax("a JSON value")),
            }
            if depth == 0 {
                break;
            }
        }
        Ok(JsonSpan { json: self.slice_from(start), ill_formed, too_deep: deepest > MAX_DEPTH })
    }

    /// Stops with a mismatch, after skipping the value, so that decoding can continue after it.
    #[cold]
    pub(crate) fn skip_mismatch(&mut self, expected: &'static str) -> ScanError {
        match self.skip_value() {
            Ok(span) => self.fail_mismatch(expected, span.json),
            Err(stopped) => stopped,
        }
    }
}

/// The JSON object in the content of a string. `None` if the string contains anything else.
pub(crate) fn parse_object(string: &[u8]) -> Option<JsonSpan<'_>> {
    let mut scan = Scanner::new(string);
    scan.peek().ok()?;
    scan.skip_byte_order_mark();
    if scan.rest().first() != Some(&b'{') {
        return None;
    }
    let object = scan.skip_value().ok()?;
    (!object.too_deep && scan.peek().is_err()).then_some(object)
}

/// Whether the lists and objects of a complete, valid JSON value nest deeper than [`MAX_DEPTH`].
pub(crate) fn is_too_deep(json: &[u8]) -> bool {
    Scanner::new(json).skip_value().is_ok_and(|span| span.too_deep)
}
