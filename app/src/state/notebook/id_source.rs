//! New identifiers.

use benchbook_notebook::id::Id;

/// A source of identifiers. The reducer takes them from here, so the same actions always have the same effect. Each tab has a
/// random seed, so identifiers of different tabs differ.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct IdSource(u64);

impl IdSource {
    /// A source with this seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next identifier: SplitMix64 (Steele, Lea, Flood, 2014), which yields each number once.
    pub(crate) fn next(&mut self) -> Id {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Id::from_random(mixed ^ (mixed >> 31))
    }
}
