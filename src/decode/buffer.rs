//! A list that only grows. Storing a few elements takes no call, as with a `Vec` it often does: in WebAssembly the call that
//! copies costs more than the copy of a short text.

use std::ops::Deref;

/// What was stored so far, with room behind it that is filled already.
#[derive(Debug, Default)]
pub struct Buffer<T> {
    room: Vec<T>,
    length: usize,
}

/// The least room there is.
const LEAST: usize = 256;

impl<T: Copy + Default> Buffer<T> {
    /// Makes room for so many elements.
    pub fn expect(&mut self, elements: usize) {
        self.room.resize(self.room.len().max(elements), T::default());
    }

    /// How many elements there is room for.
    #[must_use]
    pub const fn room(&self) -> usize {
        self.room.len()
    }

    /// Lets all elements go and keeps the room, of zeros again where they were.
    pub fn clear(&mut self) {
        let used = std::mem::take(&mut self.length);
        self.room.get_mut(..used).unwrap_or_default().fill(T::default());
    }

    /// Makes elements of what lies behind the others; where they begin. They are zeros, unless more was put there than was
    /// kept.
    #[inline(always)]
    pub fn extend(&mut self, elements: usize) -> usize {
        let at = self.length;
        self.length += elements;
        if self.length > self.room.len() {
            self.grow();
        }
        at
    }

    /// Stores elements, and keeps the first ones of them.
    #[inline(always)]
    pub fn put<const N: usize>(&mut self, elements: &[T; N], kept: usize) {
        let at = self.extend(N);
        if let Some(place) = self.room.get_mut(at..).and_then(|room| room.first_chunk_mut()) {
            *place = *elements;
        }
        self.length = at + kept.min(N);
    }

    /// Stores any number of elements.
    #[inline(never)]
    pub fn append(&mut self, elements: &[T]) {
        let at = self.extend(elements.len());
        let Some(place) = self.room.get_mut(at..self.length) else { return };
        match elements.len() {
            16..=32 => both_ends::<16, T>(place, elements),
            33..=64 => both_ends::<32, T>(place, elements),
            65..=128 => both_ends::<64, T>(place, elements),
            _ => place.copy_from_slice(elements),
        }
    }

    /// The element at a position, to be changed.
    #[inline(always)]
    pub fn get_mut(&mut self, at: usize) -> Option<&mut T> {
        self.room.get_mut(at)
    }

    #[cold]
    fn grow(&mut self) {
        self.room.resize((2 * self.length).max(LEAST), T::default());
    }
}

/// Copies the first and the last `N` of at most twice as many elements.
#[inline(always)]
fn both_ends<const N: usize, T: Copy>(to: &mut [T], from: &[T]) {
    if let (Some(to), Some(from)) = (to.first_chunk_mut::<N>(), from.first_chunk()) {
        *to = *from;
    }
    if let (Some(to), Some(from)) = (to.last_chunk_mut::<N>(), from.last_chunk()) {
        *to = *from;
    }
}

impl<T> Deref for Buffer<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.room.get(..self.length).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_any_length_are_stored_as_they_are() {
        let text: Vec<u8> = (0..=255).cycle().take(300).collect();
        let (mut buffer, mut plain) = (Buffer::default(), Vec::new());
        for length in 0..text.len() {
            buffer.append(&text[..length]);
            plain.extend_from_slice(&text[..length]);
            buffer.put(&[1, 2, 3, 4], length % 5);
            plain.extend_from_slice(&[1, 2, 3, 4][..length % 5]);
            assert_eq!(*buffer, *plain, "{length}");
        }
    }

    #[test]
    fn elements_that_nobody_stored_are_zeros() {
        let mut buffer = Buffer::<u32>::default();
        buffer.expect(3);
        for first in [0, 50] {
            for length in first..100 {
                let at = buffer.extend(length);
                buffer.append(&[7]);
                assert!(buffer[at..at + length].iter().all(|&element| element == 0), "{length}");
            }
            buffer.clear();
            assert!(buffer.is_empty());
        }
    }
}
