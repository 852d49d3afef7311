//! Results of builds, and those that were accepted: what later builds are compared with.

mod accepted;
mod checked_metric;
mod checks;
#[cfg(test)]
pub(crate) mod examples;
mod machine_class;
mod series;
mod sides;

pub use accepted::{
    Acceptance, AcceptedResult, Benchmark, BuildOrigin, CheckedPoint, CheckedResult, Mismatch, VERSION, axis_values,
};
pub use checked_metric::CheckedMetric;
pub use machine_class::MachineClass;
pub use series::{HistoryPoint, HistorySeries};
pub use sides::SidesPoint;
