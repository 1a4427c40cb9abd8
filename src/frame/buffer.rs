//! A growing buffer for short copies. `Vec` calls `memcpy` for each of them, which in WebAssembly costs more than
//! copying a short string. This buffer copies a few elements without a call.

use std::ops::Deref;

/// A growing list whose spare capacity is already filled with zeros (default values).
#[derive(Debug, Default)]
pub struct Buffer<T> {
    storage: Vec<T>,
    length: usize,
}

/// The minimum capacity after the first growth.
const MIN_CAPACITY: usize = 256;

impl<T: Copy + Default> Buffer<T> {
    /// Ensures a capacity of at least this many elements.
    pub fn reserve(&mut self, elements: usize) {
        self.storage.resize(self.storage.len().max(elements), T::default());
    }

    /// The capacity, in elements.
    #[must_use]
    pub const fn capacity(&self) -> usize {
        self.storage.len()
    }

    /// Removes all elements, resets them to zeros and keeps the capacity.
    pub fn clear(&mut self) {
        let used = std::mem::take(&mut self.length);
        self.storage.get_mut(..used).unwrap_or_default().fill(T::default());
    }

    /// Appends this many elements and returns the position of the first. They are zeros, except where an earlier
    /// [`Self::push_array`] copied more than `count` elements.
    #[inline(always)]
    pub fn extend_zeroed(&mut self, elements: usize) -> usize {
        let at = self.length;
        self.length += elements;
        if self.length > self.storage.len() {
            self.grow();
        }
        at
    }

    /// Appends the first `count` elements of an array. All of them are copied, because a copy of constant length is
    /// faster.
    #[inline(always)]
    pub fn push_array<const N: usize>(&mut self, elements: &[T; N], count: usize) {
        let at = self.extend_zeroed(N);
        if let Some(target) = self.storage.get_mut(at..).and_then(|storage| storage.first_chunk_mut()) {
            *target = *elements;
        }
        self.length = at + count.min(N);
    }

    /// Appends any number of elements.
    #[inline(never)]
    pub fn extend_from_slice(&mut self, elements: &[T]) {
        let at = self.extend_zeroed(elements.len());
        let Some(target) = self.storage.get_mut(at..self.length) else { return };
        match elements.len() {
            16..=32 => copy_both_ends::<16, T>(target, elements),
            33..=64 => copy_both_ends::<32, T>(target, elements),
            65..=128 => copy_both_ends::<64, T>(target, elements),
            _ => target.copy_from_slice(elements),
        }
    }

    /// Removes the last element.
    pub fn pop(&mut self) {
        self.length = self.length.saturating_sub(1);
        if let Some(entry) = self.storage.get_mut(self.length) {
            *entry = T::default();
        }
    }

    /// A mutable reference to the element at a position.
    #[inline(always)]
    pub fn get_mut(&mut self, at: usize) -> Option<&mut T> {
        self.storage.get_mut(at)
    }

    #[cold]
    fn grow(&mut self) {
        self.storage.resize((2 * self.length).max(MIN_CAPACITY), T::default());
    }
}

/// Copies `N` to `2 * N` elements: the first `N` and the last `N`, which may overlap.
#[inline(always)]
fn copy_both_ends<const N: usize, T: Copy>(to: &mut [T], from: &[T]) {
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
        self.storage.get(..self.length).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_of_any_length_are_stored_unchanged() {
        let bytes: Vec<u8> = (0..=255).cycle().take(300).collect();
        let (mut buffer, mut plain) = (Buffer::default(), Vec::new());
        for length in 0..bytes.len() {
            buffer.extend_from_slice(&bytes[..length]);
            plain.extend_from_slice(&bytes[..length]);
            buffer.push_array(&[1, 2, 3, 4], length % 5);
            plain.extend_from_slice(&[1, 2, 3, 4][..length % 5]);
            assert_eq!(*buffer, *plain, "{length}");
        }
    }

    #[test]
    fn new_elements_are_zeros_even_after_clear() {
        let mut buffer = Buffer::<u32>::default();
        buffer.reserve(3);
        for first in [0, 50] {
            for length in first..100 {
                let at = buffer.extend_zeroed(length);
                buffer.extend_from_slice(&[7, 7]);
                buffer.pop();
                assert!(buffer[at..at + length].iter().all(|&element| element == 0), "{length}");
            }
            buffer.clear();
            assert!(buffer.is_empty());
        }
    }
}
