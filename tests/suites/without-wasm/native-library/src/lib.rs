//! A fixture: like `getrandom` 0.2, it does not compile for wasm.

#[cfg(target_family = "wasm")]
compile_error!("this library does not support wasm");

/// Doubles a number.
pub fn double(number: u64) -> u64 {
    number.wrapping_mul(2)
}
