//! The suite that Benchbook ships: common questions about the performance of Rust's standard library.

mod collections;
mod hashing;
mod memory;
mod numbers;
mod searching;
mod sorting;
mod strings;
mod text;

benchbook::suite!("demo");
