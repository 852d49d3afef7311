//! The samples of one point, in measurement order and as a histogram.

mod bins;
mod centre_lines;
pub(crate) mod columns;
mod histogram;
mod sequence;

pub use bins::{Bin, BinKind};
pub use centre_lines::CentreLines;
pub use histogram::Histogram;
pub use sequence::{SampleRange, SampleSequence};
