//! What the method recovers natively of the fixture `ladder`. Nothing here takes a machine to be quiet: what is certain is
//! held against the truth, and how much is certain is for `cargo xtask bench method` to tell.

#![allow(clippy::unwrap_used, reason = "a helper that unwraps fails its test")]

use benchbook_tests::method::Face;
use benchbook_tests::method::ladder::{SHORT, climb};
use benchbook_tests::method::nothing::{EMPTY, cycles};

#[tokio::test(flavor = "current_thread")]
async fn ratios_are_recovered() {
    let mut face = Face::native().unwrap();
    for recovered in climb(&mut face, &SHORT, 200.0).await.unwrap() {
        assert!(recovered.is_within(0.005), "{recovered:?}");
    }
}

#[tokio::test(flavor = "current_thread")]
async fn nothing_takes_less_than_a_cycle() {
    let mut face = Face::native().unwrap();
    for function in EMPTY {
        for cycles in cycles(&mut face, function).await.unwrap() {
            assert!(cycles.low < 1.0 && cycles.high > -1.0, "{function}: {cycles:?} in cycles");
        }
    }
}
