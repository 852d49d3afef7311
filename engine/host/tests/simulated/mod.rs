//! Measurements of a simulated suite: the sampler, the measurement, the analysis of its samples, and the coverage of the method as a
//! whole.

mod array_copy;
mod event_counts;
mod fake;
mod first_calls;
mod interference;
mod measurement;
mod method;
mod metrics;
mod sampler;
mod slow_setup;
mod worlds;
