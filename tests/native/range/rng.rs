//! Pseudo-random numbers that are the same for the same seed.

pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03)
    }

    /// Returns a number from `low` to `high`, both included.
    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        low + (mixed ^ mixed >> 31) % (high - low + 1)
    }

    /// Returns one of these values.
    pub fn pick<T: Copy>(&mut self, values: &[T]) -> T {
        values[usize::try_from(self.between(0, values.len() as u64 - 1)).unwrap()]
    }

    /// Returns true in this many of a hundred cases.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.between(1, 100) <= percent
    }
}
