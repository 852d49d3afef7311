//! The functions as exports of a WebAssembly module, for harnesses in JavaScript: no arguments and no results, so that a call
//! converts nothing. The first call creates the input.

#![allow(unsafe_code, reason = "an export needs an attribute that Rust counts as unsafe")]

use std::hint::black_box;
use std::sync::OnceLock;

/// Declares an export per function. The result is dropped within the call.
macro_rules! export {
    ($($name:ident: $input:ty => $output:ty, $summary:literal;)*) => {$(
        #[doc = $summary]
        #[unsafe(no_mangle)]
        pub extern "C" fn $name() {
            static INPUT: OnceLock<$input> = OnceLock::new();
            let input = INPUT.get_or_init(peer_functions::inputs::$name);
            black_box(peer_functions::$name(black_box(input)));
        }
    )*};
}

peer_functions::each_function!(export);

/// Does nothing, to measure the cost of a call from JavaScript.
#[unsafe(no_mangle)]
pub extern "C" fn nothing() {}

fn main() {}
