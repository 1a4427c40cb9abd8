//! The JSON scanner: bytes to tokens, with the full grammar validated. It does not know records.
//!
//! It does not recurse, so nesting cannot overflow the stack. It returns an error at the end of incomplete input, and
//! the caller restarts it from an earlier position when more input has arrived.

use std::borrow::Cow;

use super::error::{DecodeError, ScanError};
use super::escape::{code_unit, quote_json, resolve_escapes};
use super::swar::{skip_digits, skip_plain};
use crate::record::Mismatch;
use crate::record::read::{MAX_DEPTH, excerpt};
use crate::strings::{format_u64, from_utf8_lossy};

/// How many nesting levels one word of [`Scanner::skip_value`] holds.
const LEVELS_PER_WORD: usize = u128::BITS as usize;

/// A byte order mark, in UTF-8.
pub(super) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads the tokens of a JSON document, from a current position.
#[derive(Debug, Clone)]
pub struct Scanner<'a> {
    bytes: &'a [u8],
    /// The unread input: the end of `bytes`.
    rest: &'a [u8],
    /// How many bytes of the document precede `bytes`, for messages.
    offset: usize,
    /// Why scanning stopped. [`DecodeError::Incomplete`] unless another reason was set.
    error: DecodeError,
}

/// The content of a JSON string, its escapes still in place.
#[derive(Debug, Clone, Copy)]
pub struct RawString<'a> {
    /// The bytes between the quotes.
    pub raw: &'a [u8],
    /// Whether it contains escapes.
    pub escaped: bool,
    /// Whether all bytes are ASCII.
    pub ascii: bool,
    /// Whether it contains an unpaired surrogate or invalid UTF-8, which
    /// [`replace_ill_formed`](super::escape::replace_ill_formed) replaces by U+FFFD.
    pub ill_formed: bool,
}

impl<'a> RawString<'a> {
    /// An ASCII string without escapes.
    pub(super) const fn from_plain_ascii(raw: &'a [u8]) -> Self {
        Self { raw, escaped: false, ascii: true, ill_formed: false }
    }

    /// The content with its escapes resolved.
    #[must_use]
    pub fn unescape(&self) -> Cow<'a, [u8]> {
        if self.escaped { Cow::Owned(resolve_escapes(self.raw)) } else { Cow::Borrowed(self.raw) }
    }
}

/// The JSON of any value.
#[derive(Debug, Clone, Copy)]
pub struct JsonSpan<'a> {
    /// The bytes of the value.
    pub json: &'a [u8],
    /// Whether it contains an ill-formed string.
    pub ill_formed: bool,
    /// Whether its lists and objects nest deeper than [`MAX_DEPTH`].
    pub too_deep: bool,
}

impl<'a> JsonSpan<'a> {
    /// A value that is neither ill-formed nor too deep.
    pub(super) const fn from_plain(json: &'a [u8]) -> Self {
        Self { json, ill_formed: false, too_deep: false }
    }
}

impl<'a> Scanner<'a> {
    /// Creates a scanner at the start of the input.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self::starting_at(bytes, 0)
    }

    /// Creates a scanner at a position of the input.
    #[must_use]
    pub fn starting_at(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, rest: bytes.get(at..).unwrap_or_default(), offset: 0, error: DecodeError::Incomplete }
    }

    /// Returns why scanning stopped, and resets it to [`DecodeError::Incomplete`].
    pub fn take_error(&mut self) -> DecodeError {
        std::mem::replace(&mut self.error, DecodeError::Incomplete)
    }

    /// Stops scanning with this error.
    #[cold]
    #[inline(never)]
    pub(super) fn fail(&mut self, error: DecodeError) -> ScanError {
        self.error = error;
        ScanError
    }

    /// Stops scanning with a mismatch.
    pub(super) fn fail_mismatch(&mut self, expected: &'static str, found: &[u8]) -> ScanError {
        self.fail(DecodeError::mismatch(expected, found))
    }

    /// Adds the name of the enclosing field to the path of the error.
    #[cold]
    #[inline(never)]
    pub(super) fn prepend_field(&mut self, name: &str) -> ScanError {
        let error = self.take_error().in_field(name);
        self.fail(error)
    }

    /// The same scanner, for input that follows this many bytes of the document.
    #[must_use]
    pub fn with_offset(mut self, offset: usize) -> Self {
        self.offset = offset;
        self
    }

    /// The current position in the input.
    #[must_use]
    #[inline(always)]
    pub const fn position(&self) -> usize {
        self.bytes.len() - self.rest.len()
    }

    /// The bytes from an earlier position to the current one.
    #[must_use]
    pub fn slice_from(&self, start: usize) -> &'a [u8] {
        self.bytes.get(start..self.position()).unwrap_or_default()
    }

    /// The whole input.
    #[must_use]
    #[inline(always)]
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The unread input.
    #[must_use]
    #[inline(always)]
    pub const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Skips this many bytes, which the caller has read.
    #[inline(always)]
    pub fn advance(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or_default();
    }

    /// Continues at `rest`, which must be the end of the unread input.
    #[inline(always)]
    pub const fn set_rest(&mut self, rest: &'a [u8]) {
        self.rest = rest;
    }

    /// Skips white space and returns the next byte, without consuming it.
    ///
    /// # Errors
    /// [`DecodeError::Incomplete`] at the end of the input.
    #[inline]
    pub fn peek(&mut self) -> Result<u8, ScanError> {
        loop {
            match self.rest.split_first() {
                Some((b' ' | b'\n' | b'\r' | b'\t', rest)) => self.rest = rest,
                Some((&byte, _)) => return Ok(byte),
                None => return Err(ScanError),
            }
        }
    }

    /// Consumes this byte if it is next. Returns whether it was.
    ///
    /// # Errors
    /// [`DecodeError::Incomplete`] at the end of the input.
    #[inline]
    pub fn consume(&mut self, byte: u8) -> Result<bool, ScanError> {
        let found = self.peek()? == byte;
        if found {
            self.advance(1);
        }
        Ok(found)
    }

    /// Consumes this byte, which must be next.
    ///
    /// # Errors
    /// [`DecodeError::Syntax`] if another byte is next. `name` is what was expected.
    #[inline]
    pub fn expect(&mut self, byte: u8, name: &'static str) -> Result<(), ScanError> {
        if self.consume(byte)? { Ok(()) } else { Err(self.fail_syntax(name)) }
    }

    /// Skips a byte order mark.
    pub fn skip_byte_order_mark(&mut self) {
        self.rest = self.rest.strip_prefix(BYTE_ORDER_MARK).unwrap_or(self.rest);
    }

    /// Moves to the next member of a list or object. Consumes the comma before it and returns true, or consumes `close`
    /// and returns false. `first` is set before the first member, which has no comma.
    ///
    /// # Errors
    /// [`DecodeError::Syntax`] if neither is next.
    #[inline]
    pub fn next_member(&mut self, close: u8, first: bool) -> Result<bool, ScanError> {
        if self.peek()? == close {
            self.advance(1);
            return Ok(false);
        }
        if !first {
            self.expect(b',', "a comma or the end of the list or object")?;
            if self.peek()? == close {
                return Err(self.fail_syntax("a member after the comma"));
            }
        }
        Ok(true)
    }

    /// Reads a string.
    ///
    /// # Errors
    /// [`DecodeError::Syntax`] if it is not a string, or contains control characters or malformed escapes.
    pub fn read_string(&mut self) -> Result<RawString<'a>, ScanError> {
        self.expect(b'"', "a string")?;
        let start = self.rest;
        let (mut escaped, mut ascii, mut ill_formed) = (false, true, false);
        loop {
            self.rest = skip_plain(self.rest);
            match self.rest.first() {
                None => return Err(ScanError),
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    ill_formed |= self.read_escape()?;
                }
                Some(0..=0x7f) => return Err(self.fail_syntax("a string without control characters")),
                Some(_) => {
                    ascii = false;
                    let other = self.rest.iter().position(u8::is_ascii).unwrap_or(self.rest.len());
                    self.advance(other);
                }
            }
        }
        let raw = start.get(..start.len() - self.rest.len()).unwrap_or_default();
        self.advance(1);
        ill_formed |= !ascii && std::str::from_utf8(raw).is_err();
        Ok(RawString { raw, escaped, ascii, ill_formed })
    }

    /// Reads the name of a member and the colon after it.
    ///
    /// # Errors
    /// [`DecodeError::Syntax`] if they are missing.
    #[inline(never)]
    pub fn read_key(&mut self) -> Result<Cow<'a, [u8]>, ScanError> {
        let key = self.read_string()?.unescape();
        self.expect(b':', "a colon")?;
        Ok(key)
    }

    /// Reads a string with its escapes resolved. Invalid UTF-8 becomes U+FFFD.
    ///
    /// # Errors
    /// As [`Self::read_string`].
    #[inline(never)]
    pub fn read_string_lossy(&mut self) -> Result<String, ScanError> {
        Ok(from_utf8_lossy(&self.read_string()?.unescape()))
    }

    /// Skips an ASCII string without escapes. Returns false, and skips nothing, if something else is next.
    #[inline(always)]
    fn skip_plain_string(&mut self) -> bool {
        if let [b'"', content @ ..] = self.rest
            && let [b'"', rest @ ..] = skip_plain(content)
        {
            self.rest = rest;
            return true;
        }
        false
    }

    /// Skips an escape. Returns whether it is an unpaired surrogate.
    fn read_escape(&mut self) -> Result<bool, ScanError> {
        match self.rest.get(1) {
            None => Err(ScanError),
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                self.advance(2);
                Ok(false)
            }
            Some(b'u') => {
                let Some(escape) = self.rest.get(..6) else { return Err(ScanError) };
                let Some(unit) = code_unit(escape) else { return Err(self.fail_syntax("four hex digits after \\u")) };
                self.advance(6);
                if !(0xD800..=0xDFFF).contains(&unit) {
                    return Ok(false);
                }
                let low = self.rest.get(..6).and_then(self::code_unit);
                let paired = unit <= 0xDBFF && low.is_some_and(|low| (0xDC00..=0xDFFF).contains(&low));
                self.advance(if paired { 6 } else { 0 });
                Ok(!paired)
            }
            Some(_) => Err(self.fail_syntax("a JSON escape")),
        }
    }

    /// Reads a number and returns its bytes.
    ///
    /// # Errors
    /// [`DecodeError::Syntax`] if it is not a number.
    pub fn read_number(&mut self) -> Result<&'a [u8], ScanError> {
        self.peek()?;
        let start = self.position();
        if self.rest.starts_with(b"-") {
            self.advance(1);
        }
        let whole = self.read_digits();
        let leading_zero = whole.len() > 1 && whole.starts_with(b"0");
        let mut complete = !whole.is_empty() && !leading_zero;
        if self.rest.starts_with(b".") {
            self.advance(1);
            complete &= !self.read_digits().is_empty();
        }
        if matches!(self.rest.first(), Some(b'e' | b'E')) {
            self.advance(1);
            if matches!(self.rest.first(), Some(b'+' | b'-')) {
                self.advance(1);
            }
            complete &= !self.read_digits().is_empty();
        }
        // More digits may follow in input that has not arrived.
        if self.rest.is_empty() {
            return Err(ScanError);
        }
        if complete {
            return Ok(self.slice_from(start));
        }
        self.rest = self.bytes.get(start..).unwrap_or_default();
        Err(self.fail_syntax("a JSON number"))
    }

    fn read_digits(&mut self) -> &'a [u8] {
        let start = self.position();
        self.rest = skip_digits(self.rest);
        self.slice_from(start)
    }

    /// Consumes `true`, `false` or `null`.
    ///
    /// # Errors
    /// [`DecodeError::Syntax`] if something else is next.
    pub fn expect_literal(&mut self, literal: &'static str) -> Result<(), ScanError> {
        if let Some(rest) = self.rest.strip_prefix(literal.as_bytes()) {
            self.rest = rest;
            Ok(())
        } else if literal.as_bytes().starts_with(self.rest) {
            Err(ScanError)
        } else {
            Err(self.fail_syntax("a JSON value"))
        }
    }

    /// Skips and validates any value, and returns its bytes.
    ///
    /// # Errors
    /// [`DecodeError::Syntax`] if it is not valid JSON.
    pub fn skip_value(&mut self) -> Result<JsonSpan<'a>, ScanError> {
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
                let more = match self.rest {
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
    pub fn skip_mismatch(&mut self, expected: &'static str) -> ScanError {
        match self.skip_value() {
            Ok(span) => self.fail_mismatch(expected, span.json),
            Err(stopped) => stopped,
        }
    }

    /// Stops with a syntax error at the current position.
    #[cold]
    pub fn fail_syntax(&mut self, expected: &'static str) -> ScanError {
        const EXCERPT: usize = 20;
        let found = self.rest.get(..EXCERPT).unwrap_or(self.rest);
        let found = if found.is_empty() { "the end of the input".into() } else { excerpt(found) };
        let found = [&*quote_json(&found), " at byte ", &format_u64((self.offset + self.position()) as u64)].concat();
        self.fail(DecodeError::Syntax(Box::new(Mismatch::new(expected, found))))
    }
}
