//! Measures the two builds of each pair in turn.

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::alternative::{Alternative, RetainedCatalog, build_id};
use benchbook_host::analyze::compare::WithheldReason;
use benchbook_host::child::{MeasurementTask, NativeSuite};
use benchbook_host::history::CheckedMetric;
use benchbook_host::quality::Quality;
use benchbook_host::request::{Plan, Request};
use benchbook_host::response::{MeasuredPoint, Response};

use crate::check::measure::interference::Interference;
use crate::check::measure::measured::PairedPoint;
use crate::check::measure::requests::{planned, problems};
use crate::check::measure::results::failures;

/// The figures of both builds.
#[derive(Debug, Default)]
pub(super) struct PairedFigures {
    /// In the order of the axis.
    pub(super) points: Vec<PairedPoint>,
    /// A sentence for each measurement that failed.
    pub(super) failures: Vec<String>,
    /// What other programs took from the measurements of times.
    pub(super) interference: Interference,
}

/// What to measure in both builds.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairedMeasurement<'m> {
    /// The request of the current build.
    pub(super) request: &'m Request,
    /// The quality of each process.
    pub(super) quality: &'m Quality,
    /// The name of this machine.
    pub(super) machine: &'m str,
}

impl PairedMeasurement<'_> {
    /// Measures one of the builds.
    pub(super) fn measure(&self, suite: &NativeSuite, request: Request) -> Result<Response, String> {
        let plan = planned(suite, request).map_err(|error| error.to_string())?;
        let task = MeasurementTask::new(&plan, self.quality, self.machine);
        suite.measure(&task, |_| {}).map_err(|error| error.to_string())
    }
}

impl PairedFigures {
    /// No points, and these failures.
    pub(super) fn failed(failures: Vec<String>) -> Self {
        Self { failures, ..Self::default() }
    }

    /// Adds the times of a process of each of two builds: the earlier one and the current one. `seed`: that of the inputs, which are the same in both.
    pub(super) fn add(
        &mut self,
        measurement: &PairedMeasurement<'_>,
        builds: [&NativeSuite; 2],
        seed: u32,
        metric: CheckedMetric,
    ) {
        let added = match metric == CheckedMetric::FirstCall {
            true => self.add_first_calls(measurement, builds, seed),
            false => self.add_times(measurement, builds, seed),
        };
        self.failures.extend(added.err());
    }

    /// Measures both builds interleaved: their blocks follow each other, with the same inputs.
    fn add_times(
        &mut self,
        measurement: &PairedMeasurement<'_>,
        [earlier_build, current]: [&NativeSuite; 2],
        seed: u32,
    ) -> Result<(), String> {
        let build = build_id(&earlier_build.card().fingerprint);
        let path = measurement.request.functions.concat();
        let earlier = Alternative::in_build(&path, build);
        let request = Request {
            functions: vec![earlier.clone(), path.clone()],
            seed: Some(u64::from(seed)),
            first_calls: false,
            ..measurement.request.clone()
        };
        let retained = [RetainedCatalog { build, suite: earlier_build.suite() }];
        let plan =
            Plan::with_builds(current.suite(), &retained, request).map_err(|found| problems(found).to_string())?;
        let task = MeasurementTask {
            builds: vec![(build, earlier_build.program())],
            ..MeasurementTask::new(&plan, measurement.quality, measurement.machine)
        };
        let response = current.measure(&task, |_| {}).map_err(|error| error.to_string())?;
        self.failures.extend(failures(&response.points));
        self.interference.add(Interference::of(&response.points));
        let mean_of = |x: &AxisValue, function: &str| {
            let point = response.points.iter().find(|point| point.function == function && point.x == *x)?;
            mean(CheckedMetric::Time, point.measured()?)
        };
        for ratio in response.comparisons.iter().flat_map(|comparison| &comparison.ratios) {
            let means = [mean_of(&ratio.x, &earlier), mean_of(&ratio.x, &path)];
            match (ratio.ratio, means) {
                (Some(ratio_of_times), [Some(baseline), Some(current)]) => {
                    self.add_point(&ratio.x, [baseline, current], ratio_of_times.ln());
                }
                _ => self.failures.push(format!("`{path}`: {}", withheld_text(ratio.withheld))),
            }
        }
        Ok(())
    }

    /// Measures the first calls of both builds one after the other, in alternating order: each needs processes of its own.
    fn add_first_calls(
        &mut self,
        measurement: &PairedMeasurement<'_>,
        [earlier_build, current_build]: [&NativeSuite; 2],
        seed: u32,
    ) -> Result<(), String> {
        let request = Request { seed: Some(u64::from(seed)), first_calls: true, ..measurement.request.clone() };
        let measure = |suite: &NativeSuite| measurement.measure(suite, request.clone());
        let (baseline, current) = match seed % 2 {
            0 => (measure(earlier_build)?, measure(current_build)?),
            _ => {
                let current = measure(current_build)?;
                (measure(earlier_build)?, current)
            }
        };
        self.failures.extend(failures(&baseline.points).into_iter().chain(failures(&current.points)));
        for point in &baseline.points {
            let other = current.points.iter().find(|other| other.x == point.x);
            let means = [Some(point), other].map(|point| mean(CheckedMetric::FirstCall, point?.measured()?));
            match means {
                [Some(baseline), Some(current)] => {
                    self.add_point(&point.x, [baseline, current], (current / baseline).ln());
                }
                _ => self
                    .failures
                    .push(format!("the first call of `{}` could not be measured in both builds", point.function)),
            }
        }
        Ok(())
    }

    /// Adds the means of the baseline and of the current build.
    fn add_point(&mut self, x: &AxisValue, means: [f64; 2], ln_ratio: f64) {
        let index = self.points.iter().position(|point| point.x == *x).unwrap_or_else(|| {
            let means = [Vec::new(), Vec::new()];
            self.points.push(PairedPoint { x: x.clone(), means, ln_ratios: Vec::new(), calls: [None; 2] });
            self.points.len() - 1
        });
        let point = &mut self.points[index];
        for (all, mean) in point.means.iter_mut().zip(means) {
            all.push(mean);
        }
        point.ln_ratios.push(ln_ratio);
    }
}

/// The mean over the processes of a point; `None` unless it is above zero.
fn mean(metric: CheckedMetric, point: &MeasuredPoint) -> Option<f64> {
    let means = metric.means(point);
    let mean = means.iter().sum::<f64>() / means.len() as f64;
    (mean > 0.0).then_some(mean)
}

fn withheld_text(withheld: Option<WithheldReason>) -> &'static str {
    match withheld {
        Some(WithheldReason::Apart) => {
            "the builds could not be interleaved, since a call takes too long. Choose smaller arguments"
        }
        Some(WithheldReason::FewBlocks | WithheldReason::Unpaired) => {
            "too few samples to compare the builds. Choose a longer `--time-out`"
        }
        Some(WithheldReason::OutputsDiffer) => "the outputs of the builds differ",
        Some(WithheldReason::NotAboveZero) | None => "its time is below the resolution. Choose larger arguments",
    }
}
