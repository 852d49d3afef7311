//! Hash functions and hash sets.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hasher};

use benchbook::prelude::*;
use rustc_hash::{FxHashSet, FxHasher};
use xxhash_rust::xxh3::xxh3_64;

/// Hashes bytes with SipHash 1-3, the standard library's hash function.
///
/// What does protection against chosen collisions cost? Compare with `fx_hash` at a few bytes, the size of a key, and
/// with `xxh3` at thousands, the size of a file. `O(n)`.
///
/// Aumasson and Bernstein, [SipHash: a fast short-input PRF](https://eprint.iacr.org/2012/351), 2012; here with one
/// round per word and three at the end.
#[measured(generators(bytes))]
pub fn sip_hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}

/// Hashes bytes with FNV-1a.
///
/// It takes five lines in any language, but up to how many bytes is it fast? Each byte waits for the multiplication of
/// the byte before it. Compare with `fx_hash`. `O(n)`.
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

/// Hashes bytes with the compiler's own hasher.
///
/// How cheap can a hash be if it only has to distribute keys over a table? Compare with `sip_hash` at the length of
/// your keys. An attacker can choose colliding inputs. `O(n)`.
///
/// `FxHasher` of the crate [rustc-hash](https://docs.rs/rustc-hash).
#[measured(generators(bytes))]
pub fn fx_hash(bytes: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    hasher.finish()
}

/// Hashes bytes with XXH3.
///
/// At how many bytes does SIMD pay off? Above 240 bytes, it processes 64 at once: compare with `fx_hash` below and
/// above. Suitable as a checksum against accidents, not against attackers. `O(n)`.
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
    Shared::new(move |rng| (0..length).map(|_| rng.random()).collect()).bytes(length as u64)
}

/// Counts distinct keys with a `HashSet`.
///
/// Is a `HashSet` the fastest way to count distinct keys? Compare with `distinct_by_sorting`, and vary the share of
/// distinct keys: if it is small, so is the set. `O(n)`.
#[measured(generators(keys), alternatives = "number of different keys")]
pub fn distinct_by_hash_set(keys: &[u64]) -> usize {
    keys.iter().copied().collect::<HashSet<_>>().len()
}

/// Counts distinct keys with a `HashSet` and the compiler's own hasher.
///
/// How much of a `HashSet`'s time does the hasher take, and how much the table? Compare with `distinct_by_hash_set` at
/// sizes within the cache and beyond. `O(n)`.
#[measured(generators(keys), alternatives = "number of different keys")]
pub fn distinct_by_fx_hash_set(keys: &[u64]) -> usize {
    keys.iter().copied().collect::<FxHashSet<_>>().len()
}

/// Counts distinct keys by sorting a copy and removing duplicates.
///
/// Does sorting, which does more than necessary, lose against a hash set? Compare with `distinct_by_fx_hash_set` and
/// `distinct_by_hash_set`, for few and for many keys. `O(n log n)`.
#[measured(generators(keys), alternatives = "number of different keys")]
pub fn distinct_by_sorting(keys: &[u64]) -> usize {
    let mut keys = keys.to_vec();
    keys.sort_unstable();
    keys.dedup();
    keys.len()
}

/// Keys in random order, with duplicates.
#[generator(name = "Keys with duplicates")]
fn keys(
    _service: &Service,
    /// Number of keys.
    #[parameter(min = 10, max = 1_000_000, scale = "log", default = 100..=50_000, unit = "keys")]
    size: usize,
    /// Upper limit for the share of distinct keys.
    #[parameter(min = 1.0, max = 100.0, default = 50.0, scale = "log", unit = "%")]
    distinct: f64,
) -> Shared<Vec<u64>> {
    let distinct = (size as f64 * distinct / 100.0).ceil() as usize;
    Shared::new(move |rng| {
        let pool: Vec<u64> = (0..distinct).map(|_| rng.random()).collect();
        (0..size).map(|_| pool[rng.random_range(0..pool.len())]).collect()
    })
    .elements(size as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fnv_matches_published_test_vectors() {
        assert_eq!(fnv_1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv_1a(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv_1a(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
