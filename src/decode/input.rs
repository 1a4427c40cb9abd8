//! [`Input`]: the bytes of a response that are still needed.

use crate::json::Scanner;

/// The bytes that were not removed yet: unread ones, and rows that can be decoded again.
#[derive(Debug, Default)]
pub(super) struct Input {
    bytes: Vec<u8>,
    /// The position in `bytes` up to which they were read.
    pub(super) read_to: usize,
    /// How many bytes of the document were removed from `bytes`.
    discarded: usize,
    /// The length of `bytes` below which decoding is not retried, so that a huge row is not decoded again at every
    /// chunk.
    min_length: usize,
}

impl Input {
    /// Whether there are no bytes.
    pub(super) const fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The number of bytes of the document that were read.
    pub(super) const fn document_position(&self) -> usize {
        self.discarded + self.read_to
    }

    /// Appends a chunk. Returns a scanner of the unread bytes, and the position to update after a part was read. `None` if
    /// not enough has arrived since [`Self::defer`].
    pub(super) fn push(&mut self, chunk: Vec<u8>) -> Option<(Scanner<'_>, &mut usize)> {
        if self.bytes.is_empty() {
            self.bytes = chunk;
        } else {
            self.bytes.extend_from_slice(&chunk);
        }
        if self.bytes.len() < self.min_length {
            return None;
        }
        Some((Scanner::starting_at(&self.bytes, self.read_to, self.discarded), &mut self.read_to))
    }

    /// Defers decoding until a quarter more of the unread bytes has arrived.
    pub(super) const fn defer(&mut self) {
        self.min_length = self.read_to + (self.bytes.len() - self.read_to) * 5 / 4;
    }

    /// Ends the effect of [`Self::defer`].
    pub(super) const fn stop_deferring(&mut self) {
        self.min_length = 0;
    }

    /// Removes the bytes that were read. Returns whether there were any.
    pub(super) fn discard_read(&mut self) -> bool {
        let read = std::mem::take(&mut self.read_to);
        self.bytes.drain(..read);
        self.discarded += read;
        self.min_length = self.min_length.saturating_sub(read);
        read > 0
    }
}
