//! Walking JSON: bytes in, tokens out, the full grammar checked. Knows nothing of records. Never recurses, and can stop
//! where the input stops for now.

use std::borrow::Cow;

use super::escape::{quoted, unescape, unit};
use super::fail::{Fail, Stopped};
use super::words::{after_digits, after_plain};
use crate::record::Mismatch;
use crate::record::read::{MAX_DEPTH, printable};
use crate::text::{lossy, number};

/// Levels of which is known what they are.
const BITS: usize = u128::BITS as usize;

/// A byte order mark, in UTF-8.
pub(super) const MARK: &[u8] = b"\xef\xbb\xbf";

/// A position in JSON text.
#[derive(Debug, Clone)]
pub struct Scanner<'a> {
    bytes: &'a [u8],
    /// What is not read yet: the end of `bytes`.
    rest: &'a [u8],
    /// How much of the document came before these bytes, for messages.
    before: usize,
    /// Why reading stopped, if it did for another reason than the end of the input.
    why: Fail,
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
    /// Whether it holds half a surrogate pair, or bytes that are no UTF-8: [`well_formed`](super::escape::well_formed) puts
    /// U+FFFD in their place.
    pub ill_formed: bool,
}

impl<'a> Text<'a> {
    /// What needs no escapes.
    pub(super) const fn plain_ascii(raw: &'a [u8]) -> Self {
        Self { raw, escaped: false, ascii: true, ill_formed: false }
    }

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
    /// Whether a string in it is ill-formed.
    pub ill_formed: bool,
    /// Whether its lists and objects nest deeper than [`MAX_DEPTH`].
    pub deep: bool,
}

impl<'a> Span<'a> {
    /// What is neither.
    pub(super) const fn plain(json: &'a [u8]) -> Self {
        Self { json, ill_formed: false, deep: false }
    }
}

impl<'a> Scanner<'a> {
    /// Starts at the beginning.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self::at(bytes, 0)
    }

    /// Starts at a position.
    #[must_use]
    pub fn at(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, rest: bytes.get(at..).unwrap_or_default(), before: 0, why: Fail::More }
    }

    /// Why reading stopped.
    pub fn why(&mut self) -> Fail {
        std::mem::replace(&mut self.why, Fail::More)
    }

    /// Stops reading.
    #[cold]
    #[inline(never)]
    pub(super) fn stop(&mut self, why: Fail) -> Stopped {
        self.why = why;
        Stopped
    }

    /// Stops reading where JSON, or nothing, stands in place of what was expected.
    pub(super) fn unfit(&mut self, expected: &'static str, found: &[u8]) -> Stopped {
        self.stop(Fail::shape(expected, found))
    }

    /// Stops as it did within the field of this name.
    #[cold]
    #[inline(never)]
    pub(super) fn outward(&mut self, name: &str) -> Stopped {
        let why = self.why().in_field(name);
        self.stop(why)
    }

    /// The same, where so many bytes of the document came before these.
    #[must_use]
    pub fn after(mut self, before: usize) -> Self {
        self.before = before;
        self
    }

    /// Where the scanner stands.
    #[must_use]
    #[inline(always)]
    pub const fn position(&self) -> usize {
        self.bytes.len() - self.rest.len()
    }

    /// The text between an earlier position and this one.
    #[must_use]
    pub fn since(&self, start: usize) -> &'a [u8] {
        self.bytes.get(start..self.position()).unwrap_or_default()
    }

    /// The whole input.
    #[must_use]
    #[inline(always)]
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// What is not read yet.
    #[must_use]
    #[inline(always)]
    pub const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Steps over this many bytes, which the caller has looked at.
    #[inline(always)]
    pub fn advance(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or_default();
    }

    /// Steps to the rest of what is not read yet, which the caller has come to.
    #[inline(always)]
    pub const fn go_on(&mut self, rest: &'a [u8]) {
        self.rest = rest;
    }

    /// The next byte that is no white space; stands on it.
    ///
    /// # Errors
    /// [`Fail::More`] at the end of the input.
    #[inline]
    pub fn peek(&mut self) -> Result<u8, Stopped> {
        loop {
            match self.rest.split_first() {
                Some((b' ' | b'\n' | b'\r' | b'\t', rest)) => self.rest = rest,
                Some((&byte, _)) => return Ok(byte),
                None => return Err(Stopped),
            }
        }
    }

    /// Steps over this byte if it comes next.
    ///
    /// # Errors
    /// [`Fail::More`] at the end of the input.
    #[inline]
    pub fn take(&mut self, byte: u8) -> Result<bool, Stopped> {
        let found = self.peek()? == byte;
        if found {
            self.advance(1);
        }
        Ok(found)
    }

    /// Steps over this byte, which must come next.
    ///
    /// # Errors
    /// [`Fail::Syntax`] when something else does.
    #[inline]
    pub fn expect(&mut self, byte: u8, name: &'static str) -> Result<(), Stopped> {
        if self.take(byte)? { Ok(()) } else { Err(self.syntax(name)) }
    }

    /// Steps over a byte order mark.
    pub fn skip_mark(&mut self) {
        self.rest = self.rest.strip_prefix(MARK).unwrap_or(self.rest);
    }

    /// Steps over `close`, leaving the list or object, or over the comma before the next member. `first` before the first
    /// member, where no comma stands.
    ///
    /// # Errors
    /// [`Fail::Syntax`] when neither comes.
    #[inline]
    pub fn next_member(&mut self, close: u8, first: bool) -> Result<bool, Stopped> {
        if self.peek()? == close {
            self.advance(1);
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
    /// [`Fail::Syntax`] when it is none, or holds control characters or broken escapes.
    pub fn string(&mut self) -> Result<Text<'a>, Stopped> {
        self.expect(b'"', "a text in quotes")?;
        let start = self.rest;
        let (mut escaped, mut ascii, mut ill_formed) = (false, true, false);
        loop {
            self.rest = after_plain(self.rest);
            match self.rest.first() {
                None => return Err(Stopped),
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    ill_formed |= self.escape()?;
                }
                Some(0..=0x7f) => return Err(self.syntax("a text without control characters")),
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
        Ok(Text { raw, escaped, ascii, ill_formed })
    }

    /// Reads the name of a member and the colon behind it.
    ///
    /// # Errors
    /// [`Fail::Syntax`] when they are not there.
    #[inline(never)]
    pub fn key(&mut self) -> Result<Cow<'a, [u8]>, Stopped> {
        let key = self.string()?.plain();
        self.expect(b':', "a colon")?;
        Ok(key)
    }

    /// Reads a string: its content, which may be anybody's, as a text.
    ///
    /// # Errors
    /// As [`Self::string`].
    #[inline(never)]
    pub fn text(&mut self) -> Result<String, Stopped> {
        Ok(lossy(&self.string()?.plain()))
    }

    /// Steps over a string of plain ASCII; false, and no step, where there is another one or none.
    #[inline(always)]
    fn plain_string(&mut self) -> bool {
        if let [b'"', text @ ..] = self.rest
            && let [b'"', rest @ ..] = after_plain(text)
        {
            self.rest = rest;
            return true;
        }
        false
    }

    /// Steps over an escape; true when it is half a surrogate pair.
    fn escape(&mut self) -> Result<bool, Stopped> {
        match self.rest.get(1) {
            None => Err(Stopped),
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => {
                self.advance(2);
                Ok(false)
            }
            Some(b'u') => {
                let Some(escape) = self.rest.get(..6) else { return Err(Stopped) };
                let Some(unit) = unit(escape) else { return Err(self.syntax("four hex digits after \\u")) };
                self.advance(6);
                if !(0xD800..=0xDFFF).contains(&unit) {
                    return Ok(false);
                }
                let low = self.rest.get(..6).and_then(self::unit);
                let paired = unit <= 0xDBFF && low.is_some_and(|low| (0xDC00..=0xDFFF).contains(&low));
                self.advance(if paired { 6 } else { 0 });
                Ok(!paired)
            }
            Some(_) => Err(self.syntax("a JSON escape")),
        }
    }

    /// Reads a number; gives its text.
    ///
    /// # Errors
    /// [`Fail::Syntax`] when it is none.
    pub fn number(&mut self) -> Result<&'a [u8], Stopped> {
        self.peek()?;
        let start = self.position();
        if self.rest.starts_with(b"-") {
            self.advance(1);
        }
        let whole = self.digits();
        let leading_zero = whole.len() > 1 && whole.starts_with(b"0");
        let mut complete = !whole.is_empty() && !leading_zero;
        if self.rest.starts_with(b".") {
            self.advance(1);
            complete &= !self.digits().is_empty();
        }
        if matches!(self.rest.first(), Some(b'e' | b'E')) {
            self.advance(1);
            if matches!(self.rest.first(), Some(b'+' | b'-')) {
                self.advance(1);
            }
            complete &= !self.digits().is_empty();
        }
        // At the end of the input more digits may follow.
        if self.rest.is_empty() {
            return Err(Stopped);
        }
        if complete {
            return Ok(self.since(start));
        }
        self.rest = self.bytes.get(start..).unwrap_or_default();
        Err(self.syntax("a JSON number"))
    }

    fn digits(&mut self) -> &'a [u8] {
        let start = self.position();
        self.rest = after_digits(self.rest);
        self.since(start)
    }

    /// Steps over `true`, `false` or `null`.
    ///
    /// # Errors
    /// [`Fail::Syntax`] when something else stands there.
    pub fn literal(&mut self, literal: &'static str) -> Result<(), Stopped> {
        if let Some(rest) = self.rest.strip_prefix(literal.as_bytes()) {
            self.rest = rest;
            Ok(())
        } else if literal.as_bytes().starts_with(self.rest) {
            Err(Stopped)
        } else {
            Err(self.syntax("a JSON value"))
        }
    }

    /// Steps over any value, checking it, and gives its span.
    ///
    /// # Errors
    /// [`Fail::Syntax`] when it is no JSON.
    pub fn skip(&mut self) -> Result<Span<'a>, Stopped> {
        self.peek()?;
        let start = self.position();
        let (mut depth, mut deepest, mut ill_formed) = (0, 0, false);
        // One bit a level: set where the level is an object. Those of the outer levels are put aside, as many at a time.
        let (mut objects, mut outer) = (0u128, Vec::new());
        // Each round reads one value, or finds the end of the innermost list or object.
        let mut first = false;
        loop {
            if depth > 0 {
                let is_object = objects & 1 == 1;
                let more = match self.rest {
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
                    objects = if depth % BITS == 0 { outer.pop().unwrap_or_default() } else { objects >> 1 };
                    first = false;
                    continue;
                }
                if is_object {
                    ill_formed |= !self.plain_string() && self.string()?.ill_formed;
                    self.expect(b':', "a colon")?;
                }
            }
            first = false;
            match self.peek()? {
                b'"' => ill_formed |= !self.plain_string() && self.string()?.ill_formed,
                b'-' | b'0'..=b'9' => drop(self.number()?),
                b't' => self.literal("true")?,
                b'f' => self.literal("false")?,
                b'n' => self.literal("null")?,
                open @ (b'{' | b'[') => {
                    self.advance(1);
                    if depth > 0 && depth % BITS == 0 {
                        outer.push(objects);
                    }
                    objects = objects << 1 | u128::from(open == b'{');
                    depth += 1;
                    deepest = deepest.max(depth);
                    first = true;
                }
                _ => return Err(self.syntax("a JSON value")),
            }
            if depth == 0 {
                break;
            }
        }
        Ok(Span { json: self.since(start), ill_formed, deep: deepest > MAX_DEPTH })
    }

    /// A value of another shape than declared; steps over it, so that reading can go on behind it.
    #[cold]
    pub fn mismatch(&mut self, expected: &'static str) -> Stopped {
        match self.skip() {
            Ok(span) => self.unfit(expected, span.json),
            Err(stopped) => stopped,
        }
    }

    /// Something here is no JSON.
    #[cold]
    pub fn syntax(&mut self, expected: &'static str) -> Stopped {
        const SHOWN: usize = 20;
        let found = self.rest.get(..SHOWN).unwrap_or(self.rest);
        let found = if found.is_empty() { "the end".into() } else { printable(found) };
        let place = [&*quoted(&found), " at byte ", &number((self.before + self.position()) as u64)].concat();
        self.stop(Fail::Syntax(Box::new(Mismatch::new(expected, place))))
    }
}
