//! Where heap and stack of an instance are.

/// The addresses of an instance: a function that counts differently with each of them depends on addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// As the linker and the allocator choose them.
    Usual,
    /// The heap begins higher, and the stack lower.
    Shifted,
}

/// The pages of 64 KiB between the memory of the module and the heap.
const PAGES: u32 = 3;

/// The bytes by which the stack begins lower: a multiple of 16, as its alignment demands.
const STACK_BYTES: u32 = 4_112;

impl Layout {
    /// Both layouts.
    pub const BOTH: [Self; 2] = [Self::Usual, Self::Shifted];

    /// By how many pages the memory grows before the first call.
    pub fn pages(self) -> u32 {
        if self == Self::Shifted { PAGES } else { 0 }
    }

    /// What is subtracted from the stack pointer before the first call.
    pub fn stack_bytes(self) -> u32 {
        if self == Self::Shifted { STACK_BYTES } else { 0 }
    }
}
