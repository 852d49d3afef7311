//! The suite that Benchbook ships: functions of the standard library, and questions that people ask about them.

mod collections;
mod hashing;
mod memory;
mod numbers;
mod searching;
mod sorting;
mod text;

benchbook::suite!("demo");
