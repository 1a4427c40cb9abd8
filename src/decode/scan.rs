//! Walking JSON: bytes in, tokens out, the full grammar checked. Knows nothing of records. Never recurses, and can stop
//! where the input stops for now.

use std::borrow::Cow;
use std::fmt::Write;

use crate::record::Mismatch;
use crate::record::read::{MAX_DEPTH, describe};

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
    /// The same, with the path of its mismatch seen from further out.
    #[must_use]
    pub fn outward(self, step: impl FnOnce(Mismatch) -> Mismatch) -> Self {
        match self {
            Self::More => Self::More,
            Self::Syntax(mismatch) => Self::Syntax(Box::new(step(*mismatch))),
            Self::Shape(mismatch) => Self::Shape(Box::new(step(*mismatch))),
            Self::Cursor(mismatch) => Self::Cursor(Box::new(step(*mismatch))),
        }
    }
}

/// A position in JSON text.
#[derive(Debug, Clone)]
pub struct Scanner<'a> {
    bytes: &'a [u8],
    /// How much of the document came before these bytes, for messages.
    before: usize,
    at: usize,
    depth: usize,
}

/// The content of a JSON string, its escapes still in place.
#[derive(Debug, Clone, Copy)]
pub struct Text<'a> {
    /// Between the quotes.
    pub raw: &'a [u8],
    /// Whether there are escapes.
    pub escaped: bool,
    /// Whether all bytes are ASCII.
    pub ascii: bool,
    /// Whether an escape is half a surrogate pair.
    pub lone: bool,
}

impl<'a> Text<'a> {
    /// The content with its escapes resolved.
    #[must_use]
    pub fn plain(&self) -> Cow<'a, [u8]> {
        if self.escaped { Cow::Owned(unescape(self.raw)) } else { Cow::Borrowed(self.raw) }
    }
}

/// The span of any JSON value.
#[derive(Debug, Clone, Copy)]
pub struct Span<'a> {
    /// The JSON text.
    pub json: &'a [u8],
    /// Whether an escape in it is half a surrogate pair.
    pub lone: bool,
}

impl<'a> Scanner<'a> {
    /// Starts at the beginning.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self::at(bytes, 0, 0)
    }

    /// Starts at a position that lies so many lists and objects deep.
    #[must_use]
    pub const fn at(bytes: &'a [u8], at: usize, depth: usize) -> Self {
        Self { bytes, before: 0, at, depth }
    }

    /// The same, where so many bytes of the document came before these.
    #[must_use]
    pub const fn after(mut self, before: usize) -> Self {
        self.before = before;
        self
    }

    /// Where the scanner stands.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.at
    }

    /// How many lists and objects it stands in.
    #[must_use]
    pub const fn depth(&self) -> usize {
        self.depth
    }

    /// The text between an earlier position and this one.
    #[must_use]
    pub fn since(&self, start: usize) -> &'a [u8] {
        self.bytes.get(start..self.at).unwrap_or_default()
    }

    /// What is not read yet.
    #[must_use]
    pub fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Whether the text that comes next is the same as an earlier one.
    #[must_use]
    pub fn repeats(&self, start: usize, length: usize) -> bool {
        self.bytes.get(start..start + length).is_some_and(|earlier| self.rest().starts_with(earlier))
    }

    /// Steps over this many bytes, which the caller has looked at.
    pub const fn advance(&mut self, bytes: usize) {
        self.at += bytes;
    }

    /// The next byte that is no white space; stands on it.
    ///
    /// # Errors
    /// [`Fail::More`] at the end of the input.
    #[inline]
    pub fn peek(&mut self) -> Result<u8, Fail> {
        loop {
            match self.bytes.get(self.at) {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.at += 1,
                Some(&byte) => return Ok(byte),
                None => return Err(Fail::More),
            }
        }
    }

    /// Steps over this byte if it comes next.
    ///
    /// # Errors
    /// [`Fail::More`] at the end of the input.
    #[inline]
    pub fn take(&mut self, byte: u8) -> Result<bool, Fail> {
        let found = self.peek()? == byte;
        self.at += usize::from(found);
        Ok(found)
    }

    /// Steps over this byte, which must come next.
    ///
    /// # Errors
    /// [`Fail::Syntax`] when something else does.
    #[inline]
    pub fn expect(&mut self, byte: u8, name: &'static str) -> Result<(), Fail> {
        if self.take(byte)? { Ok(()) } else { Err(self.syntax(name)) }
    }

    /// Enters a list or object, whose opening byte comes next.
    ///
    /// # Errors
    /// [`Fail::Syntax`] when it nests too deep.
    pub fn enter(&mut self) -> Result<(), Fail> {
        self.peek()?;
        self.at += 1;
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let expected = format!("at most {MAX_DEPTH} levels of nesting");
            return Err(Fail::Syntax(Box::new(Mismatch::new(expected, "more"))));
        }
        Ok(())
    }

    /// Steps over `close`, leaving the list or object, or over the comma before the next member. `first` before the first
    /// member, where no comma stands.
    ///
    /// # Errors
    /// [`Fail::Syntax`] when neither comes.
    #[inline]
    pub fn next_member(&mut self, close: u8, first: bool) -> Result<bool, Fail> {
        if self.take(close)? {
            self.depth = self.depth.saturating_sub(1);
            return Ok(false);
        }
        if !first {
            self.expect(b',', "a comma or the end of the list or object")?;
            if self.peek()? == close {
                return Err(self.syntax("a member after the comma"));
            }
        }
        Ok(true)
    }

    /// Reads a string.
    ///
    /// # Errors
    /// [`Fail::Syntax`] when it is none, holds control characters or broken escapes, or is not UTF-8.
    pub fn string(&mut self) -> Result<Text<'a>, Fail> {
        self.expect(b'"', "a text in quotes")?;
        let start = self.at;
        let (mut escaped, mut ascii, mut lone) = (false, true, false);
        loop {
            // Eight bytes at a time while nothing in them asks for a closer look.
            while let Some(eight) = self.rest().first_chunk::<8>() {
                if has_special(u64::from_le_bytes(*eight)) {
                    break;
                }
                self.at += 8;
            }
            match self.bytes.get(self.at) {
                None => return Err(Fail::More),
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    lone |= self.escape()?;
                }
                Some(0..=0x1f) => return Err(self.syntax("a text without control characters")),
                Some(byte) => {
                    ascii &= byte.is_ascii();
                    self.at += 1;
                }
            }
        }
        let raw = self.since(start);
        self.at += 1;
        if !ascii && std::str::from_utf8(raw).is_err() {
            return Err(Fail::Syntax(Box::new(Mismatch::new("UTF-8", "other bytes"))));
        }
        Ok(Text { raw, escaped, ascii, lone })
    }

    /// Steps over an escape; true when it is half a surrogate pair.
    fn escape(&mut self) -> Result<bool, Fail> {
        match self.bytes.get(self.at + 1) {
            None => Err(Fail::More),
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                self.at += 2;
                Ok(false)
            }
            Some(b'u') => {
                let Some(escape) = self.bytes.get(self.at..self.at + 6) else { return Err(Fail::More) };
                let Some(unit) = unit(escape) else { return Err(self.syntax("four hex digits after \\u")) };
                self.at += 6;
                if !(0xD800..=0xDFFF).contains(&unit) {
                    return Ok(false);
                }
                let low = self.bytes.get(self.at..self.at + 6).and_then(self::unit);
                let paired = unit <= 0xDBFF && low.is_some_and(|low| (0xDC00..=0xDFFF).contains(&low));
                self.at += if paired { 6 } else { 0 };
                Ok(!paired)
            }
            Some(_) => Err(self.syntax("a JSON escape")),
        }
    }

    /// Reads a number; gives its text.
    ///
    /// # Errors
    /// [`Fail::Syntax`] when it is none.
    pub fn number(&mut self) -> Result<&'a [u8], Fail> {
        self.peek()?;
        let start = self.at;
        if self.bytes.get(self.at) == Some(&b'-') {
            self.at += 1;
        }
        let whole = self.digits();
        let leading_zero = whole.len() > 1 && whole.starts_with(b"0");
        let mut complete = !whole.is_empty() && !leading_zero;
        if self.bytes.get(self.at) == Some(&b'.') {
            self.at += 1;
            complete &= !self.digits().is_empty();
        }
        if matches!(self.bytes.get(self.at), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.bytes.get(self.at), Some(b'+' | b'-')) {
                self.at += 1;
            }
            complete &= !self.digits().is_empty();
        }
        // At the end of the input more digits may follow.
        if self.at >= self.bytes.len() {
            return Err(Fail::More);
        }
        if complete {
            return Ok(self.since(start));
        }
        self.at = start;
        Err(self.syntax("a JSON number"))
    }

    fn digits(&mut self) -> &'a [u8] {
        let start = self.at;
        while matches!(self.bytes.get(self.at), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        self.since(start)
    }

    /// Steps over `true`, `false` or `null`.
    ///
    /// # Errors
    /// [`Fail::Syntax`] when something else stands there.
    pub fn literal(&mut self, literal: &'static str) -> Result<(), Fail> {
        let rest = self.rest();
        if rest.starts_with(literal.as_bytes()) {
            self.at += literal.len();
            Ok(())
        } else if literal.as_bytes().starts_with(rest) {
            Err(Fail::More)
        } else {
            Err(self.syntax("a JSON value"))
        }
    }

    /// Steps over any value, checking it, and gives its span.
    ///
    /// # Errors
    /// [`Fail::Syntax`] when it is no JSON.
    pub fn skip(&mut self) -> Result<Span<'a>, Fail> {
        self.peek()?;
        let start = self.at;
        let outer = self.depth;
        let mut lone = false;
        // One bit a level: set where the level is an object.
        let mut objects = 0u128;
        const { assert!(MAX_DEPTH <= 128, "a bit a level") };
        // Each round reads one value, or finds the end of the innermost list or object.
        let mut first = false;
        loop {
            if self.depth > outer {
                let is_object = objects & 1 == 1;
                if !self.next_member(if is_object { b'}' } else { b']' }, first)? {
                    objects >>= 1;
                    if self.depth == outer {
                        break;
                    }
                    first = false;
                    continue;
                }
                if is_object {
                    lone |= self.string()?.lone;
                    self.expect(b':', "a colon")?;
                }
            }
            first = false;
            match self.peek()? {
                b'"' => lone |= self.string()?.lone,
                b'-' | b'0'..=b'9' => drop(self.number()?),
                b't' => self.literal("true")?,
                b'f' => self.literal("false")?,
                b'n' => self.literal("null")?,
                open @ (b'{' | b'[') => {
                    self.enter()?;
                    objects = objects << 1 | u128::from(open == b'{');
                    first = true;
                }
                _ => return Err(self.syntax("a JSON value")),
            }
            if self.depth == outer {
                break;
            }
        }
        Ok(Span { json: self.since(start), lone })
    }

    /// A value of another shape than declared; steps over it, so that reading can go on behind it.
    #[cold]
    pub fn mismatch(&mut self, expected: &'static str) -> Fail {
        match self.skip() {
            Ok(span) => Fail::Shape(Box::new(Mismatch::new(expected, describe(span.json)))),
            Err(fail) => fail,
        }
    }

    /// Something here is no JSON.
    #[cold]
    #[must_use]
    pub fn syntax(&self, expected: &'static str) -> Fail {
        let found = self.rest().iter().take(20).copied().collect::<Vec<_>>();
        let found = if found.is_empty() { "the end".into() } else { String::from_utf8_lossy(&found).into_owned() };
        let place = format!("{found:?} at byte {}", self.before + self.at);
        Fail::Syntax(Box::new(Mismatch::new(expected, place)))
    }
}

/// Whether any of eight bytes is a quote, a backslash, a control character or not ASCII.
#[inline]
const fn has_special(eight: u64) -> bool {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGHS: u64 = u64::from_ne_bytes([0x80; 8]);
    const fn zero(bytes: u64) -> u64 {
        bytes.wrapping_sub(ONES) & !bytes & HIGHS
    }
    let quote = zero(eight ^ (ONES * b'"' as u64));
    let backslash = zero(eight ^ (ONES * b'\\' as u64));
    let control = eight.wrapping_sub(ONES * 0x20) & !eight & HIGHS;
    (quote | backslash | control | (eight & HIGHS)) != 0
}

/// The code unit of an escape `\uXXXX`.
fn unit(escape: &[u8]) -> Option<u16> {
    let digits = escape.strip_prefix(b"\\u")?;
    digits.iter().try_fold(0u16, |sum, &digit| {
        let value = char::from(digit).to_digit(16)?;
        Some(sum << 4 | u16::try_from(value).ok()?)
    })
}

/// The content of a string with its escapes resolved.
#[must_use]
pub fn unescaped(raw: &[u8]) -> Cow<'_, [u8]> {
    if raw.contains(&b'\\') { Cow::Owned(unescape(raw)) } else { Cow::Borrowed(raw) }
}

/// Resolves the escapes of a string that has been read; halves of surrogate pairs become U+FFFD.
fn unescape(raw: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(raw.len());
    let mut at = 0;
    while let Some(&byte) = raw.get(at) {
        if byte != b'\\' {
            plain.push(byte);
            at += 1;
            continue;
        }
        let escape = raw.get(at + 1).copied().unwrap_or_default();
        at += 2;
        plain.push(match escape {
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => {
                let high = raw.get(at - 2..at + 4).and_then(unit).unwrap_or(0xFFFD);
                let low = raw.get(at + 4..at + 10).and_then(unit);
                at += 4;
                let (character, paired) = match (char::from_u32(u32::from(high)), low) {
                    (Some(character), _) => (character, false),
                    (None, Some(low @ 0xDC00..=0xDFFF)) if high <= 0xDBFF => {
                        let code = 0x1_0000 + ((u32::from(high) - 0xD800) << 10) + (u32::from(low) - 0xDC00);
                        (char::from_u32(code).unwrap_or('\u{fffd}'), true)
                    }
                    (None, _) => ('\u{fffd}', false),
                };
                at += if paired { 6 } else { 0 };
                plain.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                continue;
            }
            other => other,
        });
    }
    plain
}

/// A copy of JSON text in which halves of surrogate pairs are replaced by U+FFFD.
#[must_use]
pub fn well_formed(json: &[u8]) -> Vec<u8> {
    let mut fixed = json.to_vec();
    let mut at = 0;
    while let Some(found) = json.get(at..).and_then(|rest| rest.iter().position(|&b| b == b'\\')) {
        at += found;
        let (this, next) = (json.get(at..at + 6).and_then(unit), json.get(at + 6..at + 12).and_then(unit));
        at += match (this, next) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => 12,
            (Some(0xD800..=0xDFFF), _) => {
                if let Some(escape) = fixed.get_mut(at..at + 6) {
                    escape.copy_from_slice(b"\\ufffd");
                }
                6
            }
            _ => 2,
        };
    }
    fixed
}

/// A text as a JSON string.
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut json = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => json.extend(['\\', character]),
            '\0'..='\x1f' => {
                let _ = write!(json, "\\u{:04x}", u32::from(character));
            }
            _ => json.push(character),
        }
    }
    json.push('"');
    json
}
