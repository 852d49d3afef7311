//! Plans and measurements for tests.

use std::collections::VecDeque;

use anyhow::{Context, Error, Result};
use benchbook_host::history::{CheckedMetric, CheckedResult};
use benchbook_host::quality::{Priority, Qualities};
use benchbook_host::request::Request;

use super::measure::{MeasuredResult, Measurements, Measurer};
use super::plan::{CheckPlan, ComparisonRule, HistoryTest, PlannedCheck};
use crate::accepted::fixtures::single_result;
use crate::project::benchbook_toml::CheckMode;

/// A comparison at the default confidence.
pub(crate) const RULE: ComparisonRule = ComparisonRule { confidence: 0.99, test: HistoryTest::Difference };

/// A result of the first check of a plan, of which a change of 1% counts.
pub(crate) fn measured(result: CheckedResult) -> MeasuredResult {
    MeasuredResult { check: 0, result, baseline: None, minimum_effect: 0.01, has_time: false, noise: None }
}

/// A plan with a check of each of these functions.
pub(crate) fn plan(functions: &[&str]) -> CheckPlan {
    let check = |(number, function): (usize, &&str)| {
        let CheckedResult { benchmark, build, machine, .. } = single_result(function, 1.0);
        let priority = Priority::LAST;
        PlannedCheck {
            number,
            request: Request::new(
                benchmark.suite,
                vec![benchmark.function],
                benchmark.generator,
                benchmark.arguments,
                priority,
            ),
            quality: Qualities::default().of(priority).clone(),
            mode: CheckMode::default(),
            minimum_effect: 0.01,
            inputs: benchmark.inputs,
            build,
            target: machine.target,
        }
    };
    let checks = functions.iter().enumerate().map(check).collect();
    CheckPlan { checks, re_measure: 0, rule: RULE, least_confidence: None }
}

/// A measurer that returns recorded results.
#[derive(Debug, Default)]
pub(crate) struct RecordedMeasurements {
    /// Those of the next measurements, in their order. An error is why all of the measurement failed.
    pub(crate) next: VecDeque<Result<CheckedResult, &'static str>>,
    /// That of each measurement of noise, in their order; afterwards there is none, so that every change counts.
    pub(crate) noise: VecDeque<f64>,
    /// How often the conditions were varied.
    pub(crate) variations: usize,
}

impl Measurer for RecordedMeasurements {
    fn measure(&mut self, check: &PlannedCheck) -> Result<Measurements> {
        let next = self.next.pop_front().context("one measurement too many")?;
        let result = MeasuredResult { check: check.number, ..measured(next.map_err(Error::msg)?) };
        Ok(Measurements { results: vec![result], ..Measurements::default() })
    }

    fn vary_conditions(&mut self) {
        self.variations += 1;
    }

    fn noise(&mut self, _: &PlannedCheck, _: CheckedMetric, _: f64) -> Result<Option<f64>> {
        Ok(self.noise.pop_front())
    }
}
