//! Random modules that end. `tests/peers/wasmtime` uses this file, too.

use arbitrary::Unstructured;
use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;
use wasm_smith::{Config, Module};

/// Loops and calls before a module traps, so that each ends.
const MAX_STEPS: u32 = 100;

/// A module from a seed. It exports all its functions, globals, memories and tables, and imports nothing.
pub fn random_module(seed: u64) -> Vec<u8> {
    let mut bytes = [0; 4096];
    Xoshiro256PlusPlus::seed_from_u64(seed).fill(&mut bytes[..]);
    let config = Config {
        // Traps end most functions early.
        disallow_traps: !seed.is_multiple_of(4),
        export_everything: true,
        max_imports: 0,
        min_types: 5,
        min_funcs: 3,
        max_memory32_bytes: 2 << 16,
        max_table_elements: 100,
        max_tables: 2,
        compact_imports_enabled: false,
        exceptions_enabled: false,
        gc_enabled: false,
        memory64_enabled: false,
        relaxed_simd_enabled: false,
        threads_enabled: false,
        wide_arithmetic_enabled: false,
        ..Config::default()
    };
    let mut module = Module::new(config, &mut Unstructured::new(&bytes)).expect("any bytes make a module");
    module.ensure_termination(MAX_STEPS).expect("wasm-smith made all functions");
    module.to_bytes()
}
