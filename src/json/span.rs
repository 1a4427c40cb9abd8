//! Values of any type: the scanner validates and skips them, and returns their bytes.

use super::error::ScanError;
use super::scan::Scanner;
use super::swar::skip_plain;

/// The maximum nesting of lists and objects in free JSON. It bounds the stack of code that walks the value, and is the
/// limit of `serde_json`.
pub(crate) const MAX_DEPTH: usize = 127;

/// [`MAX_DEPTH`] in words, for mismatches.
pub(crate) const EXPECTED_DEPTH: &str = "at most 127 levels of nesting";

/// How many nesting levels one word of [`Levels`] holds.
const LEVELS_PER_WORD: usize = u64::BITS as usize;

/// The lists and objects around the current position.
#[derive(Debug, Default)]
struct Levels {
    depth: usize,
    deepest: usize,
    /// One bit per level, set if the level is an object. The lowest bit is the innermost level.
    objects: u64,
    /// The words of outer levels.
    outer: Vec<u64>,
}

impl Levels {
    const fn is_object(&self) -> bool {
        self.objects & 1 == 1
    }

    fn enter(&mut self, is_object: bool) {
        if self.depth > 0 && self.depth.is_multiple_of(LEVELS_PER_WORD) {
            self.outer.push(self.objects);
        }
        self.objects = self.objects << 1 | u64::from(is_object);
        self.depth += 1;
        self.deepest = self.deepest.max(self.depth);
    }

    fn leave(&mut self) {
        self.depth -= 1;
        self.objects = if self.depth > 0 && self.depth.is_multiple_of(LEVELS_PER_WORD) {
            self.outer.pop().unwrap_or_default()
        } else {
            self.objects >> 1
        };
    }
}

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
        let mut levels = Levels::default();
        // Whether a name is next, and whether no member of the innermost list or object was read yet.
        let (mut is_name, mut first, mut ill_formed) = (false, false, false);
        // Each iteration reads a name, or a value and what follows it. The unread input is kept in a local variable, and
        // written back for the functions that read everything but the usual case.
        let mut rest = self.rest;
        loop {
            if let [b'"', content @ ..] = rest
                && let [b'"', after @ ..] = skip_plain(content)
            {
                rest = after;
            } else {
                self.rest = rest;
                match self.peek()? {
                    byte if is_name || byte == b'"' => ill_formed |= self.read_string()?.ill_formed,
                    b'-' | b'0'..=b'9' => drop(self.read_number()?),
                    b't' => self.expect_literal("true")?,
                    b'f' => self.expect_literal("false")?,
                    b'n' => self.expect_literal("null")?,
                    open @ (b'{' | b'[') => {
                        self.advance(1);
                        levels.enter(open == b'{');
                        first = true;
                    }
                    _ => return Err(self.fail_syntax("a JSON value")),
                }
                rest = self.rest;
            }
            if is_name {
                is_name = false;
                rest = if let [b':', after @ ..] = rest {
                    after
                } else {
                    self.rest = rest;
                    self.expect(b':', "a colon")?;
                    self.rest
                };
                continue;
            }
            // The end of the value may be the end of the lists and objects around it.
            loop {
                if levels.depth == 0 {
                    self.rest = rest;
                    let json = self.slice_from(start);
                    return Ok(JsonSpan { json, ill_formed, too_deep: levels.deepest > MAX_DEPTH });
                }
                // The usual case: no white space before the comma or after it.
                if let ([b',', b'"' | b'{', ..], false) = (rest, first) {
                    rest = rest.get(1..).unwrap_or_default();
                    break;
                }
                self.rest = rest;
                let more = self.next_member(if levels.is_object() { b'}' } else { b']' }, first)?;
                rest = self.rest;
                if more {
                    break;
                }
                levels.leave();
                first = false;
            }
            first = false;
            is_name = levels.is_object();
        }
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
    scan.skip_byte_order_mark().ok()?;
    if scan.rest.first() != Some(&b'{') {
        return None;
    }
    let object = scan.skip_value().ok()?;
    (!object.too_deep && scan.peek().is_err()).then_some(object)
}

/// Whether the lists and objects of a complete, valid JSON value nest deeper than [`MAX_DEPTH`].
pub(crate) fn is_too_deep(json: &[u8]) -> bool {
    Scanner::new(json).skip_value().is_ok_and(|span| span.too_deep)
}
