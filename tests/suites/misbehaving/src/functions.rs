//! Functions that fail on both targets, and harmless ones that look suspicious.

use std::hint::black_box;

use benchbook::prelude::*;

use crate::BAD;
use crate::generators::sizes;

/// Succeeds.
#[measured(generators(sizes))]
fn well(size: u32) -> u32 {
    (0..size).fold(1, |product, factor| product ^ black_box(factor))
}

/// Does nothing: the true time is 0 ns.
#[measured(generators(sizes))]
fn nothing(_size: u32) {}

/// Panics.
#[measured(generators(sizes))]
fn panics(size: u32) -> u32 {
    assert!(size < BAD, "{size} is too much for me");
    size
}

/// Traps without a message.
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

/// Allocates until memory is exhausted.
#[measured(generators(sizes))]
fn exhausts(size: u32) -> usize {
    let mut pieces: Vec<Vec<u8>> = Vec::new();
    while pieces.is_empty() || size >= BAD {
        pieces.push(black_box(vec![1; 1 << 20]));
    }
    pieces.len()
}

/// Requests more memory than available and handles the error.
#[measured(generators(sizes))]
fn copes(_size: u32) -> bool {
    black_box(Vec::<u8>::new()).try_reserve_exact(1 << 30).is_err()
}

/// Recurses until the stack overflows.
#[measured(generators(sizes))]
fn recurs(size: u32) -> u64 {
    fn deeper(depth: u64, bottom: u64) -> u64 {
        // Prevents the optimiser from removing the frame.
        let frame = black_box([depth; 16]);
        if depth == bottom { 0 } else { frame[15] + deeper(depth + 1, bottom) }
    }
    deeper(0, if size >= BAD { u64::MAX } else { u64::from(size) })
}

/// Reads the system's clock, which fails in a browser.
#[measured(generators(sizes))]
fn reads_the_clock(_size: u32) -> std::time::Instant {
    std::time::Instant::now()
}

/// Starts a thread, which fails in a browser.
#[measured(generators(sizes))]
fn spawns(size: u32) -> u32 {
    std::thread::spawn(move || size).join().unwrap_or(0)
}

/// Prints a message of the protocol to standard output.
#[measured(generators(sizes))]
fn prints(size: u32) {
    println!("{{\"type\":\"closed\",\"slot\":{size}}}");
}

/// Panics and catches the panic.
#[measured(native, generators(sizes))]
fn catches(size: u32) -> bool {
    std::panic::catch_unwind(|| assert!(size < BAD, "caught")).is_ok()
}

/// Exits.
#[measured(native, generators(sizes))]
fn exits(size: u32) -> u32 {
    if size >= BAD {
        eprintln!("I have had enough");
        std::process::exit(3);
    }
    size
}
