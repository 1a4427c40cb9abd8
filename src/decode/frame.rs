//! The frame: what the decoder writes and the constructors read. Every value is one 32-bit slot.
//!
//! | kind | 0 | otherwise |
//! |---|---|---|
//! | text | null | odd: short text, `offset << 5 \| length << 1 \| 1`; even: `(index + 1) << 1` into the pool |
//! | JSON | null | `index + 1` into the free JSON |
//! | integer | null | odd: `value << 1 \| 1`; even: `(index + 1) << 1` into the wide numbers |
//! | boolean | null | 1 false, 2 true |
//! | record | null | 1 + position of its first field's slot |
//! | list | empty | 1 + position of its length, which its elements' slots follow |
//!
//! Texts of up to 12 characters are cut out of one string, which engines copy. Longer ones go into a JSON array of
//! texts that the engine parses once: a cut of that length would keep the whole string alive. Free JSON has an array of its
//! own: engines parse an object faster where one of the same shape stands before it. Both arrays begin with null.

use std::cell::Cell;

use super::buffer::Buffer;
use super::escape::well_formed;
use super::scan::{Span, Text};
use super::words::{begins, place};

/// Longest text that engines copy when it is cut out of another.
pub(super) const SHORT: usize = 12;

/// Places that are looked at for a text before it is taken for a new one: texts made to collide cost no more than that.
const LOOKS: usize = 8;

/// Decoded values, ready for the constructors.
#[derive(Debug, Default)]
pub struct Frame {
    /// The slots.
    pub slots: Buffer<u32>,
    /// Integers that need more than 31 bits.
    pub wide: Vec<f64>,
    /// Short texts, one after the other; ASCII.
    pub short: Buffer<u8>,
    /// Long texts: a JSON array.
    pub pool: Buffer<u8>,
    /// Free JSON: a JSON array.
    pub json: Buffer<u8>,
    /// Unknown fields: position of the record, JSON slot of an object that holds them.
    pub extras: Vec<[u32; 2]>,
    jsons: u32,
    /// Elements of the lists that are being read.
    elements: Vec<u32>,
    texts: Vec<Pooled>,
    /// Places of the shared texts, by their hash.
    buckets: Vec<u32>,
}

/// A text in the pool: where it stands, with its quotes, and where it is looked for, if it is.
#[derive(Debug)]
struct Pooled {
    start: usize,
    length: usize,
    place: Option<usize>,
}

/// Lengths and positions that a slot can hold; a page is far below, and larger ones are cut into several frames.
fn slot_number(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

thread_local! {
    /// The room of a frame that was read, for the next one: asking for it, and filling it with zeros, takes as long as some rows.
    static SPARE: Cell<Option<Frame>> = const { Cell::new(None) };
}

/// A frame with more room than so many bytes is not kept: that of a usual page, or of a part of a large one, has less.
const SPARE_ROOM: usize = 1 << 18;

impl Frame {
    /// An empty frame, in the room of one that was given back.
    #[must_use]
    pub fn new() -> Self {
        let mut frame = SPARE.take().unwrap_or_default();
        frame.pool.append(b"[null");
        frame.json.append(b"[null");
        frame
    }

    /// Gives its room to the next frame.
    pub fn give_back(mut self) {
        let texts = self.short.room() + self.pool.room() + self.json.room();
        if 4 * self.slots.room() + texts > SPARE_ROOM {
            return;
        }
        self.slots.clear();
        self.wide.clear();
        self.short.clear();
        self.pool.clear();
        self.json.clear();
        self.extras.clear();
        self.jsons = 0;
        self.elements.clear();
        self.texts.clear();
        self.buckets.fill(0);
        SPARE.set(Some(self));
    }

    /// Ends the arrays: nothing is stored after that.
    pub fn close(&mut self) {
        self.pool.append(b"]");
        self.json.append(b"]");
    }

    /// Makes room for what is usual to come of so many bytes: growing step by step would copy it several times.
    pub fn expect(&mut self, bytes: usize) {
        self.slots.expect(bytes / 32);
        self.short.expect(bytes / 16);
        self.pool.expect(bytes / 8 * 3);
    }

    /// Makes room for a record: its position, which no other has, even where the record has no fields.
    pub fn reserve(&mut self, slots: usize) -> usize {
        self.slots.extend(slots.max(1))
    }

    /// Fills a slot.
    #[inline(always)]
    pub fn set(&mut self, at: usize, slot: u32) {
        if let Some(place) = self.slots.get_mut(at) {
            *place = slot;
        }
    }

    /// A slot's content.
    #[must_use]
    pub fn get(&self, at: usize) -> u32 {
        self.slots.get(at).copied().unwrap_or_default()
    }

    /// The slot of a record or list at a position.
    #[must_use]
    pub fn reference(at: usize) -> u32 {
        slot_number(at + 1)
    }

    /// Appends a list with these elements.
    pub fn list(&mut self, elements: &[u32]) -> u32 {
        let at = self.slots.len();
        self.slots.put(&[slot_number(elements.len())], 1);
        for &element in elements {
            self.slots.put(&[element], 1);
        }
        Self::reference(at)
    }

    /// Begins a list within those that are being read: how many elements the outer ones have.
    pub(super) fn begin_list(&self) -> usize {
        self.elements.len()
    }

    /// Appends an element to the innermost list.
    #[inline(always)]
    pub(super) fn element(&mut self, slot: u32) {
        self.elements.push(slot);
    }

    /// Ends the innermost list.
    pub(super) fn end_list(&mut self, outer: usize) -> u32 {
        let elements = std::mem::take(&mut self.elements);
        let own = elements.get(outer..).unwrap_or_default();
        let slot = if own.is_empty() { 0 } else { self.list(own) };
        self.elements = elements;
        self.elements.truncate(outer);
        slot
    }

    /// Stores a text.
    pub fn text(&mut self, text: &Text<'_>) -> u32 {
        if text.raw.len() <= SHORT && text.ascii && !text.escaped {
            return self.short(text.raw);
        }
        if text.ill_formed { self.shared(&quoted(&well_formed(text.raw))) } else { self.shared(&quoted(text.raw)) }
    }

    /// The content of a text's slot, its escapes still in place.
    #[must_use]
    pub fn content(&self, slot: u32) -> Option<&[u8]> {
        if slot & 1 == 1 {
            let (start, length) = ((slot >> 5) as usize, (slot >> 1 & 15) as usize);
            return self.short.get(start..start + length);
        }
        let text = self.texts.get((slot as usize / 2).checked_sub(1)?)?;
        self.pool.get(text.start + 1..text.start + text.length - 1)
    }

    /// Stores a text of plain ASCII that needs no escapes.
    pub fn plain(&mut self, text: &[u8]) -> u32 {
        if text.len() <= SHORT { self.short(text) } else { self.shared(&quoted(text)) }
    }

    /// Stores a text of up to [`SHORT`] bytes of plain ASCII.
    #[inline(always)]
    pub(super) fn short(&mut self, text: &[u8]) -> u32 {
        let offset = slot_number(self.short.len());
        self.short.append(text);
        offset << 5 | slot_number(text.len()) << 1 | 1
    }

    /// Stores a text of plain ASCII that needs no escapes. It comes with its quotes.
    pub(super) fn text_of(&mut self, quoted: &[u8]) -> u32 {
        match quoted {
            [_, text @ .., _] if text.len() <= SHORT => self.short(text),
            _ => self.shared(quoted),
        }
    }

    /// Stores the first bytes as [`Self::short`] does.
    #[inline(always)]
    pub(super) fn first_of(&mut self, bytes: &[u8; SHORT], length: usize) -> u32 {
        let offset = self.short.len();
        self.short.put(bytes, length);
        slot_number(offset) << 5 | slot_number(length) << 1 | 1
    }

    /// Stores a text as an element of the pool, unless it is there. It comes with its quotes.
    pub(super) fn shared(&mut self, quoted: &[u8]) -> u32 {
        if self.buckets.len() < 2 * (self.texts.len() + 1) {
            self.grow();
        }
        let mask = self.buckets.len() - 1;
        let first = place(quoted);
        let mut bucket = first & mask;
        for _ in 0..LOOKS {
            let Some(&index @ 1..) = self.buckets.get(bucket) else { break };
            if let Some(known) = self.texts.get(index as usize - 1)
                && known.length == quoted.len()
                && self.pool.get(known.start..).is_some_and(|pool| begins(pool, quoted))
            {
                return index << 1;
            }
            bucket = (bucket + 1) & mask;
        }
        let slot = self.pooled(quoted, Some(first));
        if let Some(place) = self.buckets.get_mut(bucket) {
            *place = slot >> 1;
        }
        slot
    }

    /// Stores a text as an element of the pool. It comes with its quotes.
    pub(super) fn long(&mut self, quoted: &[u8]) -> u32 {
        self.pooled(quoted, None)
    }

    fn pooled(&mut self, quoted: &[u8], place: Option<usize>) -> u32 {
        self.pool.put(b",", 1);
        self.texts.push(Pooled { start: self.pool.len(), length: quoted.len(), place });
        self.pool.append(quoted);
        slot_number(self.texts.len()) << 1
    }

    #[cold]
    fn grow(&mut self) {
        let size = (self.buckets.len() * 4).max(1024);
        self.buckets.clear();
        self.buckets.resize(size, 0);
        for (index, text) in self.texts.iter().enumerate() {
            let Some(first) = text.place else { continue };
            let mut buckets = (0..LOOKS).map(|look| (first + look) & (size - 1));
            if let Some(bucket) = buckets.find(|&bucket| self.buckets.get(bucket) == Some(&0))
                && let Some(place) = self.buckets.get_mut(bucket)
            {
                *place = slot_number(index + 1);
            }
        }
    }

    /// Stores free JSON. Equal values are stored again: each place gets an object of its own.
    pub fn json(&mut self, span: Span<'_>) -> u32 {
        self.json.put(b",", 1);
        if span.ill_formed {
            self.json.append(&well_formed(span.json));
        } else {
            self.json.append(span.json);
        }
        self.jsons += 1;
        self.jsons
    }

    /// Stores an integer.
    pub fn integer(&mut self, value: i64) -> u32 {
        if let Ok(small @ 0..=0x7FFF_FFFF) = u32::try_from(value) {
            return small << 1 | 1;
        }
        #[expect(clippy::cast_precision_loss, reason = "within 53 bits")]
        self.wide.push(value as f64);
        slot_number(self.wide.len()) << 1
    }

    /// Stores a boolean.
    #[must_use]
    pub const fn boolean(value: bool) -> u32 {
        if value { 2 } else { 1 }
    }
}

fn quoted(content: &[u8]) -> Vec<u8> {
    [b"\"", content, b"\""].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_room_of_a_usual_page_is_kept() {
        for (bytes, is_kept) in [(1 << 17, true), (1 << 20, false)] {
            let mut frame = Frame::new();
            frame.expect(bytes);
            frame.give_back();
            assert_eq!(SPARE.take().is_some(), is_kept, "{bytes} bytes");
        }
    }
}
