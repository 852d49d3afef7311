//! A kernel of known work on the measuring core, driven as the runner drives its child processes.

use anyhow::{Context, Result, anyhow};
use benchbook_contract::parameter::Range;
use benchbook_host::child::{ChildSettings, MeasurementTask, NativeSuite, Reaper};
use benchbook_host::quality::{BatchBounds, BatchCounts, Quality};
use benchbook_host::request::Plan;
use benchbook_isolate::{Isolation, Launcher};
use benchbook_server::config::ChildLimits;
use benchbook_tests::requests::request;
use benchbook_tests::suites::native;

use crate::cores::Cores;

/// A chain of dependent steps, without memory accesses or branches to predict.
const FUNCTION: &str = "rungs::one";

/// The suite of the kernel, and its plan.
pub(crate) struct Kernel {
    suite: NativeSuite,
    plan: Plan,
    x: f64,
}

impl Kernel {
    /// Opens the suite with the runner's limits, isolated or not.
    ///
    /// # Errors
    /// If this system does not support the isolation.
    pub(crate) fn open(cores: &Cores, is_isolated: bool) -> Result<Self> {
        let guard = ChildLimits::default().guard(Some(cores.measuring));
        let launcher = Launcher::own_program()?;
        let (isolation, reaper) = (isolation(is_isolated), Some(Reaper::start()?));
        let settings = ChildSettings { launcher: Some(launcher), guard, isolation, reaper, ..ChildSettings::default() };
        let suite = NativeSuite::open_with(&native("ladder")?, settings)?;
        let function = suite.suite().function(FUNCTION).context("the suite has no rungs::one")?;
        let generator = suite.suite().generator(&function.generators[0]).context("the function has no generator")?;
        let numeric = generator.default_axis().and_then(|axis| axis.numeric()).context("the generator has no axis")?;
        let Range { low, high } = numeric.default_range();
        let plan = Plan::new(suite.suite(), request(suite.suite(), &[FUNCTION], generator, Range { low, high }));
        Ok(Self { plan: plan.map_err(|problems| anyhow!("{problems:?}"))?, suite, x: low })
    }

    /// The median time per call in nanoseconds, from one process that measures for `point_ms`.
    pub(crate) fn median(&self, point_ms: f64) -> Result<f64> {
        let quality = quality(point_ms);
        let task =
            MeasurementTask { only: Some(&[self.x.into()]), ..MeasurementTask::new(&self.plan, &quality, "here") };
        let response = self.suite.measure(&task, |_| {})?;
        let measured = response.points.first().and_then(|point| point.measured());
        measured
            .and_then(|measured| measured.summary.median)
            .with_context(|| format!("no median: {:?}", response.points))
    }
}

/// The runner's default isolation, or none.
pub(crate) fn isolation(is_isolated: bool) -> Isolation {
    let isolated = Isolation { scratch_bytes: Some(1 << 30), ..Isolation::full() };
    if is_isolated { isolated } else { Isolation::default() }
}

/// A quality whose precision is unreachable, so that the time ends the point.
fn quality(point_ms: f64) -> Quality {
    Quality {
        points: 2,
        precision: 1e-6,
        point_ms,
        warm_up: BatchBounds { at_least: 5, at_most: 200, ms: 20.0 },
        samples: BatchCounts { at_least: 5, at_most: 5_000 },
        processes: 1,
        timeout_ms: None,
    }
}
