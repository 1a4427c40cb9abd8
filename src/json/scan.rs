//! The JSON scanner: bytes to tokens, with the full grammar validated. It does not know records.
//!
//! It does not recurse, so nesting cannot overflow the stack. It returns an error at the end of incomplete input, and
//! the caller restarts it from an earlier position when more input has arrived.

use std::borrow::Cow;

use super::error::{DecodeError, ScanError};
use super::escape::{code_unit, unescape};
use super::mismatch::{Mismatch, excerpt};
use super::swar::skip_plain;
use crate::strings::{format_u64, from_utf8_lossy, quote_json};

/// A byte order mark, in UTF-8.
pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads the tokens of a JSON document, from a current position.
#[derive(Debug, Clone)]
pub(crate) struct Scanner<'a> {
    /// The whole input.
    pub(crate) bytes: &'a [u8],
    /// The unread input: the end of `bytes`.
    pub(crate) rest: &'a [u8],
    /// How many bytes of the document precede `bytes`, for messages.
    offset: usize,
    /// Why scanning stopped. [`DecodeError::Incomplete`] unless another reason was set.
    error: DecodeError,
}

/// The content of a JSON string, its escapes still in place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RawString<'a> {
    /// The bytes between the quotes.
    pub(crate) raw: &'a [u8],
    /// Whether it contains escapes.
    pub(crate) escaped: bool,
    /// Whether all bytes are ASCII.
    pub(crate) ascii: bool,
    /// Whether it contains an unpaired surrogate or invalid UTF-8, which
    /// [`replace_ill_formed`](super::escape::replace_ill_formed) replaces by U+FFFD.
    pub(crate) ill_formed: bool,
}

impl<'a> Scanner<'a> {
    /// Creates a scanner at the start of the input.
    #[must_use]
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self::starting_at(bytes, 0, 0)
    }

    /// Creates a scanner at a position of the input, which follows `offset` bytes of the document.
    #[must_use]
    pub(crate) fn starting_at(bytes: &'a [u8], at: usize, offset: usize) -> Self {
        Self { bytes, rest: bytes.get(at..).unwrap_or_default(), offset, error: DecodeError::Incomplete }
    }

    /// Returns why scanning stopped, and resets it to [`DecodeError::Incomplete`].
    pub(crate) fn take_error(&mut self) -> DecodeError {
        std::mem::replace(&mut self.error, DecodeError::Incomplete)
    }

    /// Stops scanning with this error.
    #[cold]
    #[inline(never)]
    pub(crate) fn fail(&mut self, error: DecodeError) -> ScanError {
        self.error = error;
        ScanError
    }

    /// Stops scanning with a mismatch.
    pub(crate) fn fail_mismatch(&mut self, expected: &'static str, found: &[u8]) -> ScanError {
        self.fail(DecodeError::mismatch(expected, found))
    }

    /// Adds the name of the enclosing field to the path of the error.
    #[cold]
    #[inline(never)]
    pub(crate) fn prepend_field(&mut self, name: &str) -> ScanError {
        let error = self.take_error().in_field(name);
        self.fail(error)
    }

    /// The current position in the input.
    #[must_use]
    #[inline(always)]
    pub(crate) const fn position(&self) -> usize {
        self.bytes.len() - self.rest.len()
    }

    /// The bytes from an earlier position to the current one.
    #[must_use]
    pub(crate) fn slice_from(&self, start: usize) -> &'a [u8] {
        self.bytes.get(start..self.position()).unwrap_or_default()
    }

    /// Skips this many bytes, which the caller has read.
    #[inline(always)]
    pub(crate) fn advance(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or_default();
    }

    /// Skips white space and returns the next byte, without consuming it.
    ///
    /// # Errors
    /// [`DecodeError::Incomplete`] at the end of the input.
    #[inline]
    pub(crate) fn peek(&mut self) -> Result<u8, ScanError> {
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
    pub(crate) fn consume(&mut self, byte: u8) -> Result<bool, ScanError> {
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
    pub(crate) fn expect(&mut self, byte: u8, name: &'static str) -> Result<(), ScanError> {
        if self.consume(byte)? { Ok(()) } else { Err(self.fail_syntax(name)) }
    }

    /// Skips a byte order mark. The error means that it has not arrived completely.
    pub(crate) fn skip_byte_order_mark(&mut self) -> Result<(), ScanError> {
        if self.rest.len() < BYTE_ORDER_MARK.len() && BYTE_ORDER_MARK.starts_with(self.rest) {
            return Err(ScanError);
        }
        self.rest = self.rest.strip_prefix(BYTE_ORDER_MARK).unwrap_or(self.rest);
        Ok(())
    }

    /// Moves to the next member of a list or object. Consumes the comma before it and returns true, or consumes `close`
    /// and returns false. `first` is set before the first member, which has no comma.
    ///
    /// # Errors
    /// [`DecodeError::Syntax`] if neither is next.
    #[inline]
    pub(crate) fn next_member(&mut self, close: u8, first: bool) -> Result<bool, ScanError> {
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
    pub(crate) fn read_string(&mut self) -> Result<RawString<'a>, ScanError> {
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
    pub(crate) fn read_key(&mut self) -> Result<Cow<'a, [u8]>, ScanError> {
        let key = unescape(self.read_string()?.raw);
        self.expect(b':', "a colon")?;
        Ok(key)
    }

    /// Reads a string with its escapes resolved. Invalid UTF-8 becomes U+FFFD.
    ///
    /// # Errors
    /// As [`Self::read_string`].
    #[inline(never)]
    pub(crate) fn read_string_lossy(&mut self) -> Result<String, ScanError> {
        Ok(from_utf8_lossy(&unescape(self.read_string()?.raw)))
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
    pub(crate) fn read_number(&mut self) -> Result<&'a [u8], ScanError> {
        self.peek()?;
        let start = self.rest;
        let mut rest = start.strip_prefix(b"-").unwrap_or(start);
        let has_leading_zero = matches!(rest, [b'0', b'0'..=b'9', ..]);
        let mut complete = skip_number_digits(&mut rest) && !has_leading_zero;
        if let [b'.', after @ ..] = rest {
            rest = after;
            complete &= skip_number_digits(&mut rest);
        }
        if let [b'e' | b'E', after @ ..] = rest {
            rest = if let [b'+' | b'-', after @ ..] = after { after } else { after };
            complete &= skip_number_digits(&mut rest);
        }
        // More digits may follow in input that has not arrived.
        if rest.is_empty() {
            return Err(ScanError);
        }
        if !complete {
            return Err(self.fail_syntax("a JSON number"));
        }
        self.rest = rest;
        Ok(start.get(..start.len() - rest.len()).unwrap_or_default())
    }

    /// Consumes `true`, `false` or `null`.
    ///
    /// # Errors
    /// [`DecodeError::Syntax`] if something else is next.
    pub(crate) fn expect_literal(&mut self, literal: &'static str) -> Result<(), ScanError> {
        if let Some(rest) = self.rest.strip_prefix(literal.as_bytes()) {
            self.rest = rest;
            Ok(())
        } else if literal.as_bytes().starts_with(self.rest) {
            Err(ScanError)
        } else {
            Err(self.fail_syntax("a JSON value"))
        }
    }

    /// Stops with a syntax error at the current position.
    #[cold]
    pub(crate) fn fail_syntax(&mut self, expected: &'static str) -> ScanError {
        const EXCERPT: usize = 20;
        let found = self.rest.get(..EXCERPT).unwrap_or(self.rest);
        let found = if found.is_empty() { "the end of the input".into() } else { excerpt(found) };
        let found = [&*quote_json(&found), " at byte ", &format_u64((self.offset + self.position()) as u64)].concat();
        self.fail(DecodeError::Syntax(Box::new(Mismatch::new(expected, found))))
    }
}

/// Skips digits. Returns whether there were any. Most numbers are short, so it reads one byte at a time.
fn skip_number_digits(rest: &mut &[u8]) -> bool {
    let before = rest.len();
    while let [b'0'..=b'9', after @ ..] = *rest {
        *rest = after;
    }
    rest.len() < before
}
