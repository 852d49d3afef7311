//! The first call in a fresh process, repeated: its times, and in a browser those of compiling the suite.

use serde::{Deserialize, Serialize};

use crate::analyze::blocks::RunTimes;
use crate::analyze::stability::Stability;
use crate::analyze::statistics::{Basis, Summary, summarize};
use crate::response::can_be_ranked;
use crate::response::failure::Failure;
use crate::response::run::Sample;

/// The first calls of a function at a point, each in a fresh process or worker.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FirstCalls {
    /// The times of the first calls. Absent if all samples are warm-up, because of a failure.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<StartUpTimes>,
    /// The times of compiling and instantiating the suite in the same workers. Absent natively.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compilation: Option<StartUpTimes>,
    /// The failure that ended the repetitions early; the times before it remain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
}

/// The times of a part of the start-up, one per process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StartUpTimes {
    /// The figures. The processes are independent, so each is a block.
    pub summary: Summary,
    /// One sample per process, in the order of measurement. The first one is excluded from the figures, as warm-up.
    pub samples: Vec<Sample>,
}

impl StartUpTimes {
    /// The figures of these samples; `None` if all samples are warm-up. `resolution`: that of the clock in nanoseconds.
    pub(crate) fn new(samples: Vec<Sample>, resolution: f64) -> Option<Self> {
        let counted = || samples.iter().filter(|sample| !sample.warm_up);
        let times: Vec<f64> = counted().map(|sample| sample.elapsed).collect();
        let blocks = vec![1; times.len()];
        let mean = times.iter().sum::<f64>() / times.len().max(1) as f64;
        let summary = summarize(&Basis {
            runs: &[RunTimes::without_overhead(&times, &blocks)],
            calls: times.len() as u64,
            step_per_call: resolution,
            uninterrupted_mean: None,
            quartiles_withheld: !can_be_ranked(mean, resolution),
            // Each process has one sample, so nothing could settle.
            stability: Stability::Unknown,
        })?;
        Some(Self { summary, samples })
    }

    /// The times of the counted samples, in nanoseconds.
    pub fn counted(&self) -> impl Iterator<Item = f64> {
        self.samples.iter().filter(|sample| !sample.warm_up).map(|sample| sample.elapsed)
    }
}
