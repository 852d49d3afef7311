//! Requests and qualities for fast tests.

use anyhow::{Result, anyhow};
use benchbook_contract::catalog::{Generator, Suite};
use benchbook_contract::parameter::{Argument, Arguments, Numeric, Range};
use benchbook_host::child::{MeasurementEvent, MeasurementTask, NativeSuite};
use benchbook_host::quality::{BatchBounds, BatchCounts, Priority, Qualities, Quality};
use benchbook_host::request::{Plan, Request};
use benchbook_host::response::{Point, Response};

/// A quality for tests of outcomes rather than figures: a few milliseconds per point.
pub fn quick(points: u32) -> Quality {
    Quality {
        points,
        precision: 0.5,
        point_ms: 2.0,
        warm_up: BatchBounds { at_least: 1, at_most: 5, ms: 0.5 },
        samples: BatchCounts { at_least: 2, at_most: 10 },
        processes: 1,
        timeout_ms: None,
    }
}

/// The same quality for all four priorities.
pub fn for_all_priorities(quality: Quality) -> Qualities {
    Qualities::try_from([quality.clone(), quality.clone(), quality.clone(), quality]).expect("a valid quality")
}

/// The arguments at an axis value: it replaces the range.
pub fn arguments_at(arguments: &Arguments, axis: f64) -> Arguments {
    let value = |argument: &Argument| match argument {
        Argument::Range(_) => Argument::Number(axis),
        other => other.clone(),
    };
    arguments.iter().map(|(name, argument)| (name.clone(), value(argument))).collect()
}

/// A request for functions of one generator, with this range of the axis if it is a number, and default arguments otherwise.
pub fn request(suite: &Suite, functions: &[&str], generator: &Generator, range: Range) -> Request {
    let axis = generator.default_axis().map(|parameter| parameter.name.as_str());
    let arguments: Arguments = generator
        .parameters
        .iter()
        .map(|parameter| {
            let is_axis = axis == Some(parameter.name.as_str());
            let is_number = parameter.numeric().is_some();
            let argument =
                if is_axis && is_number { Argument::Range(range) } else { parameter.default_argument(is_axis) };
            (parameter.name.clone(), argument)
        })
        .collect();
    Request {
        client: "test".to_owned(),
        ..Request::new(
            suite.name.clone(),
            functions.iter().map(ToString::to_string).collect(),
            generator.path.clone(),
            arguments,
            Priority::FIRST,
        )
    }
}

/// Measures a request natively; `see` receives each completed point.
pub fn measure(
    suite: &NativeSuite,
    request: Request,
    quality: Quality,
    mut see: impl FnMut(&Point),
) -> Result<Response> {
    let plan = Plan::new(suite.suite(), request).map_err(|problems| anyhow!("{problems:?}"))?;
    let quality = plan.quality(&for_all_priorities(quality));
    let notify = |event: MeasurementEvent<'_>| {
        if let MeasurementEvent::Point(point) = event {
            see(point);
        }
    };
    Ok(suite.measure(&MeasurementTask::new(&plan, &quality, "this machine"), notify)?)
}

/// A short range at the lower end of the default range.
pub fn lower_end(numeric: &Numeric) -> Range {
    let Range { low, high } = numeric.default_range();
    let enough = f64::max(4.0 * low, low + 4.0 * numeric.step.unwrap_or(1.0));
    Range { low, high: numeric.snap(enough).min(high) }
}
