//! Asynchronous functions and their executor.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use benchbook::prelude::*;

/// Waits for nothing.
#[measured(executor = block_on, generators(text))]
async fn length(text: &str) -> usize {
    yield_now().await;
    text.len()
}

/// Changes its input.
#[measured(executor = crate::asynchronous::block_on, generators(text))]
async fn clear(text: &mut String) {
    text.clear();
}

/// Takes no input.
#[measured(executor = block_on)]
async fn nothing() {}

measure! {
    /// Of another crate.
    async fn ready(value: u64) -> u64 = std::future::ready, executor = block_on, generators(number);
}

async fn yield_now() {
    let mut is_woken = false;
    std::future::poll_fn(|_| if std::mem::replace(&mut is_woken, true) { Poll::Ready(()) } else { Poll::Pending }).await;
}

/// Runs a future that never sleeps.
fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
    }
}

/// A text.
#[generator(name = "Text")]
fn text(_service: &Service) -> Fresh<String> {
    Fresh::new(|_| "text".to_owned())
}

/// A number.
#[generator(name = "Number")]
fn number(_service: &Service) -> Fresh<u64> {
    Fresh::new(|rng| rng.random())
}
