//! The frame: the flat buffers into which responses are decoded. The decoder writes it. In JavaScript, the constructors of
//! `pkg-template/runtime/frame.ts` read it, and in Rust the code that `record!` generates, through `read.rs`. Every value is one
//! 32-bit *slot*:
//!
//! | kind | 0 | otherwise |
//! |---|---|---|
//! | string | null | odd: short string, `offset << 5 \| length << 1 \| 1`; even: `(index + 1) << 1` into the pool |
//! | JSON | null | `index + 1` into the free JSON |
//! | integer | null | odd: `value << 1 \| 1`; even: `(index + 1) << 1` into the pool |
//! | boolean | null | 1 false, 2 true |
//! | record | null | 1 + position of its first field's slot |
//! | list | empty | 1 + position of its length; the slots of its elements follow |
//!
//! Strings are in one JSON array, the *pool*, which the engine parses once. It starts with null. Long strings follow,
//! and integers of more than 31 bits. The last element is the short strings, of up to 12 characters, as one string:
//! JavaScript takes substrings of it. Engines copy short substrings, but a longer one would keep the whole string in
//! memory. In the frame of a list's page, the cursor of the next page follows, so that it is parsed along with the
//! pool.
//!
//! Free JSON (values without a declared type) is in a separate array, because engines parse consecutive objects of the
//! same shape faster, and ASCII faster than other characters. It also starts with null.

mod buffer;
mod read;

use std::cell::Cell;

pub use buffer::Buffer;

use crate::json::escape::replace_ill_formed;
use crate::json::swar::{hash_bytes, starts_with};
use crate::json::{JsonSpan, RawString};
use crate::strings::format_u64;

/// Maximum length of a short string, in bytes. Engines copy substrings of this length.
pub(crate) const MAX_SHORT: usize = 12;

/// Maximum number of buckets that are searched for a string. It limits the cost of strings crafted to collide.
const MAX_PROBES: usize = 8;

/// Decoded values.
#[derive(Debug, Default)]
pub struct Frame {
    /// The slots.
    pub slots: Buffer<u32>,
    /// Strings and large integers, as a JSON array.
    pub pool: Buffer<u8>,
    /// Short strings, concatenated. ASCII only.
    short: Buffer<u8>,
    /// Free JSON, as a JSON array. Empty if there is none.
    pub json: Buffer<u8>,
    /// Unknown fields: the position of the record, and the JSON slot of an object with its unknown fields. Inner records come first.
    pub extras: Vec<[u32; 2]>,
    /// Where each free JSON value starts in `json`.
    json_starts: Vec<u32>,
    /// Elements of the lists that are being read, innermost last.
    pub(crate) elements: Vec<u32>,
    /// The strings in the pool. An integer counts as one.
    pooled: Vec<PooledString>,
    /// Hash table of the shared strings: 1 + index into `pooled`, or 0.
    buckets: Vec<u32>,
}

/// A string in the pool: its position and length, both including the quotes, and its hash if it is shared.
#[derive(Debug)]
struct PooledString {
    start: usize,
    length: usize,
    hash: Option<usize>,
}

/// Converts a length or position to a slot. It saturates, but frames are far smaller: large pages are split into
/// several.
pub(crate) fn to_slot(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

thread_local! {
    /// A frame that is no longer used. Its buffers are reused, because allocating and zeroing them takes as long as
    /// decoding some rows.
    static SPARE_FRAME: Cell<Option<Frame>> = const { Cell::new(None) };
}

/// Maximum capacity of a frame that is recycled, in bytes. Frames of usual pages and of batches are smaller.
const MAX_SPARE_BYTES: usize = 1 << 18;

impl Frame {
    /// The slot of `false`.
    pub(crate) const FALSE: u32 = 1;

    /// The slot of `true`.
    pub(crate) const TRUE: u32 = 2;

    /// Creates an empty frame, with the buffers of a recycled one if possible.
    #[must_use]
    pub(crate) fn new() -> Self {
        let mut frame = SPARE_FRAME.take().unwrap_or_default();
        frame.pool.extend_from_slice(b"[null");
        frame
    }

    /// Keeps the buffers for the next frame.
    pub fn recycle(mut self) {
        let string_bytes = self.short.capacity() + self.pool.capacity() + self.json.capacity();
        if 4 * self.slots.capacity() + string_bytes > MAX_SPARE_BYTES {
            return;
        }
        self.slots.clear();
        self.short.clear();
        self.pool.clear();
        self.json.clear();
        self.extras.clear();
        self.json_starts.clear();
        self.elements.clear();
        self.pooled.clear();
        self.buckets.fill(0);
        SPARE_FRAME.set(Some(self));
    }

    /// Closes the JSON arrays. Nothing can be stored after that.
    pub(crate) fn close(&mut self) {
        for part in [b",\"", &*self.short, b"\"]"] {
            self.pool.extend_from_slice(part);
        }
        if !self.json_starts.is_empty() {
            self.json.extend_from_slice(b"]");
        }
    }

    /// Appends the cursor of the next page to the closed pool, as JSON.
    pub fn append_cursor(&mut self, json: &str) {
        self.pool.pop();
        for part in [",", json, "]"] {
            self.pool.extend_from_slice(part.as_bytes());
        }
    }

    /// Reserves the usual capacity for an input of this many bytes, so that the buffers are not copied while they grow.
    pub(crate) fn reserve_for_input(&mut self, bytes: usize) {
        self.slots.reserve(bytes / 32);
        self.short.reserve(bytes / 16);
        self.pool.reserve(bytes / 8 * 3);
    }

    /// Reserves the slots of a record and returns its position. It is unique, even for a record without fields.
    pub(crate) fn reserve_record(&mut self, slots: usize) -> usize {
        self.slots.extend_zeroed(slots.max(1))
    }

    /// Sets the slot at a position.
    #[inline(always)]
    pub(crate) fn set(&mut self, at: usize, slot: u32) {
        if let Some(entry) = self.slots.get_mut(at) {
            *entry = slot;
        }
    }

    /// The slot at a position. 0 if there is none.
    #[must_use]
    pub fn get(&self, at: usize) -> u32 {
        self.slots.get(at).copied().unwrap_or_default()
    }

    /// The slot of a record or list at a position.
    #[must_use]
    pub(crate) fn reference_slot(at: usize) -> u32 {
        to_slot(at + 1)
    }

    /// Stores a list of these elements and returns its slot.
    pub(crate) fn store_list(&mut self, elements: &[u32]) -> u32 {
        let at = self.slots.len();
        self.slots.push_array(&[to_slot(elements.len())], 1);
        for &element in elements {
            self.slots.push_array(&[element], 1);
        }
        Self::reference_slot(at)
    }

    /// Stores the innermost list and returns its slot. `outer` is the number of elements of the lists around it.
    pub(crate) fn end_list(&mut self, outer: usize) -> u32 {
        let elements = std::mem::take(&mut self.elements);
        let own = elements.get(outer..).unwrap_or_default();
        let slot = if own.is_empty() { 0 } else { self.store_list(own) };
        self.elements = elements;
        self.elements.truncate(outer);
        slot
    }

    /// Stores a JSON string and returns its slot.
    pub(crate) fn store_string(&mut self, string: &RawString<'_>) -> u32 {
        if string.raw.len() <= MAX_SHORT && string.ascii && !string.escaped {
            return self.store_short(string.raw);
        }
        if string.ill_formed {
            self.store_shared(&add_quotes(&replace_ill_formed(string.raw)))
        } else {
            self.store_shared(&add_quotes(string.raw))
        }
    }

    /// Stores an ASCII string without escapes.
    pub(crate) fn store_ascii(&mut self, string: &[u8]) -> u32 {
        if string.len() <= MAX_SHORT { self.store_short(string) } else { self.store_shared(&add_quotes(string)) }
    }

    /// Stores an ASCII string of up to [`MAX_SHORT`] bytes.
    #[inline(always)]
    pub(crate) fn store_short(&mut self, string: &[u8]) -> u32 {
        let offset = to_slot(self.short.len());
        self.short.extend_from_slice(string);
        offset << 5 | to_slot(string.len()) << 1 | 1
    }

    /// Stores an ASCII string without escapes. `quoted` includes the quotes.
    pub(crate) fn store_quoted_ascii(&mut self, quoted: &[u8]) -> u32 {
        match quoted {
            [_, string @ .., _] if string.len() <= MAX_SHORT => self.store_short(string),
            _ => self.store_shared(quoted),
        }
    }

    /// Stores the first `length` bytes as a short string.
    #[inline(always)]
    pub(crate) fn store_short_prefix(&mut self, bytes: &[u8; MAX_SHORT], length: usize) -> u32 {
        let offset = self.short.len();
        self.short.push_array(bytes, length);
        to_slot(offset) << 5 | to_slot(length) << 1 | 1
    }

    /// Stores a string in the pool, unless it is already there. `quoted` includes the quotes.
    pub(crate) fn store_shared(&mut self, quoted: &[u8]) -> u32 {
        if self.buckets.len() < 2 * (self.pooled.len() + 1) {
            self.grow_buckets();
        }
        let mask = self.buckets.len() - 1;
        let hash = hash_bytes(quoted);
        let mut bucket = hash & mask;
        for _ in 0..MAX_PROBES {
            let Some(&index @ 1..) = self.buckets.get(bucket) else { break };
            if let Some(known) = self.pooled.get(index as usize - 1)
                && known.length == quoted.len()
                && self.pool.get(known.start..).is_some_and(|pool| starts_with(pool, quoted))
            {
                return index << 1;
            }
            bucket = (bucket + 1) & mask;
        }
        let slot = self.push_to_pool(quoted, Some(hash));
        if let Some(entry) = self.buckets.get_mut(bucket) {
            *entry = slot >> 1;
        }
        slot
    }

    /// Stores a string in the pool without searching for an equal one. `quoted` includes the quotes. Later strings are compared with it
    /// if it has a hash.
    pub(crate) fn push_to_pool(&mut self, quoted: &[u8], hash: Option<usize>) -> u32 {
        self.pool.push_array(b",", 1);
        self.pooled.push(PooledString { start: self.pool.len(), length: quoted.len(), hash });
        self.pool.extend_from_slice(quoted);
        to_slot(self.pooled.len()) << 1
    }

    #[cold]
    fn grow_buckets(&mut self) {
        let size = (self.buckets.len() * 4).max(1024);
        self.buckets.clear();
        self.buckets.resize(size, 0);
        for (index, string) in self.pooled.iter().enumerate() {
            let Some(hash) = string.hash else { continue };
            let mut buckets = (0..MAX_PROBES).map(|probe| (hash + probe) & (size - 1));
            if let Some(bucket) = buckets.find(|&bucket| self.buckets.get(bucket) == Some(&0))
                && let Some(entry) = self.buckets.get_mut(bucket)
            {
                *entry = to_slot(index + 1);
            }
        }
    }

    /// Stores free JSON. Equal values are stored separately, so that each record has its own object.
    pub(crate) fn store_json(&mut self, span: JsonSpan<'_>) -> u32 {
        self.json.extend_from_slice(if self.json_starts.is_empty() { b"[null," } else { b"," });
        self.json_starts.push(to_slot(self.json.len()));
        if span.ill_formed {
            self.json.extend_from_slice(&replace_ill_formed(span.json));
        } else {
            self.json.extend_from_slice(span.json);
        }
        to_slot(self.json_starts.len())
    }

    /// Stores an integer of up to 53 bits and returns its slot.
    pub(crate) fn store_integer(&mut self, value: i64) -> u32 {
        if let Ok(small @ 0..=0x7FFF_FFFF) = u32::try_from(value) {
            return small << 1 | 1;
        }
        let sign = if value < 0 { "-" } else { "" };
        self.push_to_pool([sign, &*format_u64(value.unsigned_abs())].concat().as_bytes(), None)
    }
}

fn add_quotes(content: &[u8]) -> Vec<u8> {
    [b"\"", content, b"\""].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursor_follows_the_short_strings() {
        let mut frame = Frame::new();
        frame.store_short(b"a");
        frame.close();
        frame.append_cursor(r#"{"index":7}"#);
        assert_eq!(*frame.pool, *br#"[null,"a",{"index":7}]"#);
    }

    #[test]
    fn only_frames_of_usual_size_are_recycled() {
        for (bytes, is_recycled) in [(1 << 17, true), (1 << 20, false)] {
            let mut frame = Frame::new();
            frame.reserve_for_input(bytes);
            frame.recycle();
            assert_eq!(SPARE_FRAME.take().is_some(), is_recycled, "{bytes} bytes");
        }
    }
}
