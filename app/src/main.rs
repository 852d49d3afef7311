//! The page of Benchbook.

mod chart;

fn main() {}
