//! Functions that misbehave.

use std::hint::black_box;

use benchbook::prelude::*;

use crate::BAD;
use crate::generators::sizes;

/// Behaves well.
#[measured(generators(sizes))]
fn well(size: u32) -> u32 {
    (0..size).fold(1, |product, factor| product ^ black_box(factor))
}

/// Does nothing: its figure is 0 ns.
#[measured(generators(sizes))]
fn nothing(_size: u32) {}

/// Panics.
#[measured(generators(sizes))]
fn panics(size: u32) -> u32 {
    assert!(size < BAD, "{size} is too much for me");
    size
}

/// Stops the machine code without a word.
#[measured(generators(sizes))]
fn traps(size: u32) -> u32 {
    if size >= BAD {
        #[cfg(target_arch = "wasm32")]
        core::arch::wasm32::unreachable();
        #[cfg(not(target_arch = "wasm32"))]
        std::process::abort();
    }
    size
}

/// Never returns.
#[measured(generators(sizes))]
fn hangs(size: u32) -> u32 {
    while black_box(size) >= BAD {}
    size
}

/// Allocates until it dies.
#[measured(generators(sizes))]
fn exhausts(size: u32) -> usize {
    let mut pieces: Vec<Vec<u8>> = Vec::new();
    while pieces.is_empty() || size >= BAD {
        pieces.push(black_box(vec![1; 1 << 20]));
    }
    pieces.len()
}

/// Asks for more than there is, and lives with the refusal.
#[measured(generators(sizes))]
fn copes(_size: u32) -> bool {
    black_box(Vec::<u8>::new()).try_reserve_exact(1 << 30).is_err()
}

/// Recurs until the stack is used up.
#[measured(generators(sizes))]
fn recurs(size: u32) -> u64 {
    fn deeper(depth: u64, bottom: u64) -> u64 {
        // Something on each frame that the optimiser has to keep.
        let frame = black_box([depth; 16]);
        if depth == bottom { 0 } else { frame[15] + deeper(depth + 1, bottom) }
    }
    deeper(0, if size >= BAD { u64::MAX } else { u64::from(size) })
}

/// Asks the operating system for the time, which a browser's suite cannot.
#[measured(generators(sizes))]
fn reads_the_clock(_size: u32) -> std::time::Instant {
    std::time::Instant::now()
}

/// Starts a thread, which a browser's suite cannot.
#[measured(generators(sizes))]
fn spawns(size: u32) -> u32 {
    std::thread::spawn(move || size).join().unwrap_or(0)
}

/// Prints to standard output, where the answers go.
#[measured(generators(sizes))]
fn prints(size: u32) {
    println!("{{\"type\":\"closed\",\"slot\":{size}}}");
}

/// Panics, and catches that itself.
#[measured(native, generators(sizes))]
fn catches(size: u32) -> bool {
    std::panic::catch_unwind(|| assert!(size < BAD, "caught")).is_ok()
}

/// Ends the process.
#[measured(native, generators(sizes))]
fn exits(size: u32) -> u32 {
    if size >= BAD {
        eprintln!("I have had enough");
        std::process::exit(3);
    }
    size
}
