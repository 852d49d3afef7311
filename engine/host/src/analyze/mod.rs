//! Analysis of samples: outliers, summary statistics with their intervals, and comparisons of functions.

pub mod blocks;
pub mod change;
pub mod compare;
pub(crate) mod correlated_points;
pub mod crossover;
pub mod equivalence;
pub mod growth;
#[cfg(feature = "files")]
pub mod history;
pub mod interval;
pub mod levels;
pub mod machine_ratio;
mod median;
pub(crate) mod moderated;
pub mod order;
pub mod outliers;
pub mod rank;
pub mod removed;
pub mod repeatability;
pub mod running;
mod series;
mod skewness;
pub mod slow_first;
pub mod stability;
pub mod statistics;
pub mod stopping;
pub mod student;
