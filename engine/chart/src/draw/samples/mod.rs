//! Drawing the samples of one point.

mod bars;
mod centre_lines;
mod histogram;
mod sequence;

pub(super) use histogram::draw as draw_histogram;
pub(super) use sequence::draw as draw_sequence;
