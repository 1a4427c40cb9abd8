//! The choices that determine a generated document.

/// A sequence of choices. After its end, every choice is 0.
pub struct Choices<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Choices<'a> {
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Returns the next choice, below `count`.
    pub fn pick(&mut self, count: usize) -> usize {
        let byte = self.bytes.get(self.at).copied().unwrap_or_default();
        self.at += 1;
        usize::from(byte) % count
    }

    /// Chooses one of the options.
    pub fn pick_one<T: Copy>(&mut self, options: &[T]) -> T {
        options[self.pick(options.len())]
    }

    /// Returns true once in this number of choices, which is at most 256.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.pick(times) == times - 1
    }

    /// Returns a choice below 65,536.
    pub fn pick_large(&mut self) -> usize {
        self.pick(256) << 8 | self.pick(256)
    }
}
