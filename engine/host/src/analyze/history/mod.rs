//! Comparisons of builds by the stored results of earlier ones.
//!
//! The independent units of all these tests are processes: the samples of one process share its inputs, its memory layout
//! and its moment in time. So a history is a list of the means of processes. Exact metrics need no test: see [`count`].

pub mod count;
pub mod days;
pub mod difference;
pub mod holm;
pub mod steps;
mod studentized_range;
pub mod tukey;
pub mod variance;
pub mod verdict;
