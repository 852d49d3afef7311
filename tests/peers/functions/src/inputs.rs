//! The input of each function, by the function's name. Equal in every process: all random numbers have a fixed seed.

/// A sorted list and the key to find in it.
pub struct Lookup {
    /// The sorted keys.
    pub keys: Vec<u64>,
    /// The key to find.
    pub key: u64,
}

/// A walk of dependent steps.
pub struct Walk {
    /// The start; not 0.
    pub start: u64,
    /// A hundredth of the steps of `walk_100`.
    pub hundredth: u32,
}

impl Walk {
    /// Takes `steps` xorshift steps, with the same machine code for every function. Each step waits for the one before it.
    #[inline(never)]
    pub(crate) fn take(&self, steps: u32) -> u64 {
        (0..steps).fold(self.start, |mut state, _| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^ (state << 17)
        })
    }
}

/// The finalizer of `SplitMix64`.
pub(crate) fn mix_once(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

/// Pseudo-random numbers from a fixed seed (`SplitMix64`).
fn random() -> impl Iterator<Item = u64> {
    let mut state = 2_026_u64;
    std::iter::repeat_with(move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix_once(state)
    })
}

pub(crate) fn numbers(count: usize) -> Vec<u64> {
    random().take(count).collect()
}

/// A number with 18 digits.
const NUMBER: u64 = 123_456_789_012_345_678;

/// Declares the input of each function.
macro_rules! declare {
    ($($name:ident: $input:ty = $make:expr, $summary:literal;)*) => {$(
        #[doc = $summary]
        pub fn $name() -> $input {
            $make
        }
    )*};
}

declare! {
    identity: u64 = NUMBER, "A number with 18 digits.";
    mix: u64 = NUMBER, "A number with 18 digits.";
    format_length: u64 = NUMBER, "A number with 18 digits.";
    find: Lookup = lookup(), "10 000 keys, and one of them.";
    format_number: u64 = NUMBER, "A number with 18 digits.";
    sum: Vec<u64> = numbers(1_000), "1 000 numbers.";
    double_all: Vec<u64> = numbers(1_000), "1 000 numbers.";
    walk_100: Walk = Walk { start: 0x9e37_79b9_7f4a_7c15, hundredth: 40 }, "4 000 steps.";
    walk_101: Walk = walk_100(), "The walk of `walk_100`.";
    hash_text: Vec<u8> = random().map(|number| number.to_le_bytes()[0]).take(20_000).collect(), "20 000 bytes.";
    sort_copy: Vec<u64> = numbers(10_000), "10 000 keys in random order.";
    count_distinct: Vec<u64> = numbers(30_000), "30 000 keys in random order.";
    sieve: u32 = 8_000_000, "The limit of the sieve.";
}

fn lookup() -> Lookup {
    let mut keys = numbers(10_000);
    let key = keys[4_321];
    keys.sort_unstable();
    Lookup { keys, key }
}
