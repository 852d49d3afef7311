//! Hash functions, and what is done with hashes.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hasher};

use benchbook::prelude::*;
use rustc_hash::{FxHashSet, FxHasher};
use xxhash_rust::xxh3::xxh3_64;

/// The hash of the bytes by SipHash 1-3, the standard library's.
///
/// What does it cost that an attacker, who chooses what is hashed, cannot make hashes collide? Compare with `fx_hash`
/// at a few bytes, as of a key, and with `xxh3` at thousands, as of a file. `O(n)`.
///
/// Aumasson and Bernstein, [SipHash: a fast short-input PRF](https://eprint.iacr.org/2012/351), 2012; here with one
/// round a word and three at the end.
#[measured(generators(bytes))]
pub fn sip_hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}

/// The hash of the bytes by FNV-1a.
///
/// It is five lines, and every language has it: up to how many bytes is it fast, too? It takes one byte after the
/// other, each waiting for the multiplication before it. Compare with `fx_hash`. `O(n)`.
///
/// Noll, Vo, Eastlake, Hansen, [The FNV non-cryptographic hash algorithm](https://www.rfc-editor.org/info/rfc9923), RFC
/// 9923, 2026.
#[measured(generators(bytes))]
pub fn fnv_1a(bytes: &[u8]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325;
    for &byte in bytes {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash
}

/// The hash of the bytes by the compiler's own hasher.
///
/// How little can a hash cost that only has to spread keys over a table? Compare with `sip_hash` at the length of your
/// keys; here, an attacker can make hashes collide. `O(n)`.
///
/// `FxHasher` of the crate [rustc-hash](https://docs.rs/rustc-hash).
#[measured(generators(bytes))]
pub fn fx_hash(bytes: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    hasher.finish()
}

/// The hash of the bytes by XXH3.
///
/// From how many bytes on does SIMD show? It takes 64 at once where there are more than 240: compare with `fx_hash`
/// below that and above. Good as a checksum against chance, not against an attacker. `O(n)`.
///
/// Collet, [xxHash](https://xxhash.com), in the crate [xxhash-rust](https://docs.rs/xxhash-rust).
#[measured(generators(bytes))]
pub fn xxh3(bytes: &[u8]) -> u64 {
    xxh3_64(bytes)
}

/// Random bytes.
#[generator(name = "Bytes")]
fn bytes(
    _service: &Service,
    /// Number of bytes.
    #[parameter(min = 1, max = 10_000_000, scale = "log", default = 4..=65_536, unit = "bytes")]
    length: usize,
) -> Shared<Vec<u8>> {
    Shared::new(move |rng| (0..length).map(|_| rng.random()).collect())
}

/// How many different keys there are, by putting them into a `HashSet`.
///
/// Is a `HashSet` the fast way to see duplicates? Compare with `distinct_by_sorting`, and vary the share of keys that
/// are different: few of them make a small set. `O(n)`.
#[measured(generators(keys), alternatives = "number of different keys")]
pub fn distinct_by_hash_set(keys: &[u64]) -> usize {
    keys.iter().copied().collect::<HashSet<_>>().len()
}

/// How many different keys there are, by putting them into a `HashSet` with the compiler's own hasher.
///
/// How much of the time of a `HashSet` is the hasher's, and how much the table's? Compare with `distinct_by_hash_set`
/// at sizes within a cache and beyond. `O(n)`.
#[measured(generators(keys), alternatives = "number of different keys")]
pub fn distinct_by_fx_hash_set(keys: &[u64]) -> usize {
    keys.iter().copied().collect::<FxHashSet<_>>().len()
}

/// How many different keys there are, by sorting a copy and leaving out what is next to its like.
///
/// Does a sort, which does more than is asked, lose against a hash set? Compare with `distinct_by_fx_hash_set` and
/// `distinct_by_hash_set`, at few keys and at many. `O(n log n)`.
#[measured(generators(keys), alternatives = "number of different keys")]
pub fn distinct_by_sorting(keys: &[u64]) -> usize {
    let mut keys = keys.to_vec();
    keys.sort_unstable();
    keys.dedup();
    keys.len()
}

/// Keys in random order, some of them several times.
#[generator(name = "Keys with duplicates")]
fn keys(
    _service: &Service,
    /// Number of keys.
    #[parameter(min = 10, max = 1_000_000, scale = "log", default = 100..=50_000, unit = "keys")]
    size: usize,
    /// Most of them that may be different.
    #[parameter(min = 1.0, max = 100.0, default = 50.0, scale = "log", unit = "%")]
    distinct: f64,
) -> Shared<Vec<u64>> {
    let distinct = (size as f64 * distinct / 100.0).ceil() as usize;
    Shared::new(move |rng| {
        let pool: Vec<u64> = (0..distinct).map(|_| rng.random()).collect();
        (0..size).map(|_| pool[rng.random_range(0..pool.len())]).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fnv_gives_what_its_authors_say() {
        assert_eq!(fnv_1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv_1a(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv_1a(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
