//! Chance that comes again with its seed.

pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03)
    }

    /// From `low` to `high`, both included.
    pub fn roll(&mut self, low: u64, high: u64) -> u64 {
        // SplitMix64.
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        low + (mixed ^ mixed >> 31) % (high - low + 1)
    }

    pub fn percent(&mut self, chance: u64) -> bool {
        self.roll(1, 100) <= chance
    }
}
