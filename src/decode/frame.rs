//! The frame: what the decoder writes and the constructors read. Every value is one 32-bit slot.
//!
//! | kind | 0 | otherwise |
//! |---|---|---|
//! | text, JSON | null | odd: short text, `offset << 5 \| length << 1 \| 1`; even: `(index + 1) << 1` into the pool |
//! | integer | null | odd: `value << 1 \| 1`; even: `(index + 1) << 1` into the wide numbers |
//! | boolean | null | 1 false, 2 true |
//! | record | null | 1 + position of its first field's slot |
//! | list | empty | 1 + position of its length, which its elements' slots follow |
//!
//! Texts of up to 12 characters are cut out of one string, which engines copy. Longer ones go into a JSON array of distinct
//! texts that the engine parses once: a cut of that length would keep the whole string alive.

use super::scan::{Span, Text, well_formed};

/// Longest text that engines copy when it is cut out of another.
const SHORT: usize = 12;

/// Decoded values, ready for the constructors.
#[derive(Debug, Default)]
pub struct Frame {
    /// The slots.
    pub slots: Vec<u32>,
    /// Integers that need more than 31 bits.
    pub wide: Vec<f64>,
    /// Short texts, one after the other; ASCII.
    pub short: Vec<u8>,
    /// Long texts and free JSON: the elements of a JSON array, separated by commas.
    pub pool: Vec<u8>,
    /// Unknown fields: position of the record, pool slot of an object that holds them.
    pub extras: Vec<(u32, u32)>,
    pooled: u32,
    texts: Vec<Pooled>,
    buckets: Vec<u32>,
}

/// A text in the pool: where it stands, and which element it is.
#[derive(Debug)]
struct Pooled {
    start: usize,
    length: usize,
    slot: u32,
}

/// Lengths and positions that a slot can hold; a page is far below, and larger ones are cut into several frames.
fn slot_number(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

impl Frame {
    /// Makes room for a record: its position, which no other has, even where the record has no fields.
    pub fn reserve(&mut self, slots: usize) -> usize {
        let at = self.slots.len();
        self.slots.resize(at + slots.max(1), 0);
        at
    }

    /// Fills a slot.
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
        self.slots.push(slot_number(elements.len()));
        self.slots.extend_from_slice(elements);
        Self::reference(at)
    }

    /// Stores a text.
    pub fn text(&mut self, text: &Text<'_>) -> u32 {
        if text.raw.len() <= SHORT && text.ascii && !text.escaped {
            return self.short_text(text.raw);
        }
        if text.lone { self.long_text(&well_formed(text.raw)) } else { self.long_text(text.raw) }
    }

    /// The content of a text's slot, its escapes still in place.
    #[must_use]
    pub fn content(&self, slot: u32) -> Option<&[u8]> {
        if slot & 1 == 1 {
            let (start, length) = ((slot >> 5) as usize, (slot >> 1 & 15) as usize);
            return self.short.get(start..start + length);
        }
        let index = self.texts.binary_search_by_key(&slot, |text| text.slot).ok()?;
        let text = self.texts.get(index)?;
        self.pool.get(text.start..text.start + text.length)
    }

    /// Stores a text of plain ASCII that needs no escapes.
    pub fn plain(&mut self, text: &[u8]) -> u32 {
        if text.len() <= SHORT { self.short_text(text) } else { self.long_text(text) }
    }

    fn short_text(&mut self, text: &[u8]) -> u32 {
        let offset = slot_number(self.short.len());
        self.short.extend_from_slice(text);
        offset << 5 | slot_number(text.len()) << 1 | 1
    }

    fn long_text(&mut self, raw: &[u8]) -> u32 {
        if self.buckets.len() < 2 * (self.texts.len() + 1) {
            self.grow();
        }
        let mask = self.buckets.len() - 1;
        let mut bucket = hash(raw) & mask;
        while let Some(&index @ 1..) = self.buckets.get(bucket) {
            if let Some(known) = self.texts.get(index as usize - 1)
                && self.pool.get(known.start..known.start + known.length) == Some(raw)
            {
                return known.slot;
            }
            bucket = (bucket + 1) & mask;
        }
        let slot = self.element();
        self.pool.push(b'"');
        self.texts.push(Pooled { start: self.pool.len(), length: raw.len(), slot });
        self.pool.extend_from_slice(raw);
        self.pool.push(b'"');
        if let Some(place) = self.buckets.get_mut(bucket) {
            *place = slot_number(self.texts.len());
        }
        slot
    }

    fn grow(&mut self) {
        let size = (self.buckets.len() * 2).max(256);
        self.buckets.clear();
        self.buckets.resize(size, 0);
        for (index, text) in self.texts.iter().enumerate() {
            let raw = self.pool.get(text.start..text.start + text.length).unwrap_or_default();
            let mut bucket = hash(raw) & (size - 1);
            while self.buckets.get(bucket).is_some_and(|&taken| taken != 0) {
                bucket = (bucket + 1) & (size - 1);
            }
            if let Some(place) = self.buckets.get_mut(bucket) {
                *place = slot_number(index + 1);
            }
        }
    }

    /// Stores free JSON. Equal values are stored again: each place gets an object of its own.
    pub fn json(&mut self, span: Span<'_>) -> u32 {
        let slot = self.element();
        if span.lone {
            self.pool.extend_from_slice(&well_formed(span.json));
        } else {
            self.pool.extend_from_slice(span.json);
        }
        slot
    }

    /// Begins the pool's next element: its slot.
    fn element(&mut self) -> u32 {
        if self.pooled > 0 {
            self.pool.push(b',');
        }
        self.pooled += 1;
        self.pooled << 1
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

fn hash(text: &[u8]) -> usize {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut hash = text.len() as u64;
    let (eights, rest) = text.as_chunks::<8>();
    for eight in eights {
        hash = (hash.rotate_left(5) ^ u64::from_le_bytes(*eight)).wrapping_mul(FACTOR);
    }
    for &byte in rest {
        hash = (hash.rotate_left(5) ^ u64::from(byte)).wrapping_mul(FACTOR);
    }
    #[allow(clippy::cast_possible_truncation, reason = "the high half fits 32 bits")]
    let bucket = (hash >> 32) as usize;
    bucket
}
