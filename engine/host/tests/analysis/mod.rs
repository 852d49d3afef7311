//! Statistics of samples, checked with reference values from elsewhere, exact counts, and simulations.

mod change;
mod compare;
mod coverage;
mod days;
mod exact_growth;
mod growth;
mod history;
mod interrupted;
mod levels;
mod machines;
mod nist;
mod nist_anova;
mod points;
mod repeatability;
pub mod simulation;
mod statistics;
mod units;
