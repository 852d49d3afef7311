//! Results for the golden files of exports: two functions with names that each format must escape, with unavailable figures, upper
//! bounds and failures.

use std::rc::Rc;

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::parameter::{Argument, ChoiceOption, Kind, Range};
use benchbook_host::analyze::stability::Stability;
use benchbook_host::analyze::statistics::{Basis, summarize};
use benchbook_host::quality::{Priority, Qualities};
use benchbook_host::response::{
    DeclaredWork, Failure, FailureKind, METHOD, Machine, MeasuredPoint, Outcome, Overhead, Point, Run, Sample, Warning,
};
use benchbook_notebook::id::Id;
use benchbook_notebook::result::CellResult;
use benchbook_notebook::result_setup::ResultSetup;

use super::{after, machine, suite};
use benchbook_report::results::Results;

/// The functions: one as in Rust, and one of a suite in another language.
const FUNCTIONS: [&str; 2] = ["sort_unstable", "sort<u64, \"a|b\">"];

/// The sizes of the comparison, as numbers of keys.
const SIZES: [f64; 6] = [100.0, 200.0, 400.0, 600.0, 800.0, 1_000.0];

/// The values of the categorical axis.
const ORDERS: [&str; 4] = ["Random", "x|y <z>", "a, \"b\"", "=1+1"];

/// The functions at several sizes. The second one is slower below 300 keys.
pub(crate) fn comparison() -> Results {
    of_sizes(&FUNCTIONS)
}

/// The first function without the second one.
pub(crate) fn one_function() -> Results {
    of_sizes(&FUNCTIONS[..1])
}

/// The first function, which takes this many times as long as in an earlier build.
pub(crate) fn build_comparison(ratio: f64) -> Results {
    let before = format!("{}@77c0a41f0b12", FUNCTIONS[0]);
    let at = |(index, x): (usize, f64)| [point(FUNCTIONS[0], x, x, index), point(&before, x, x / ratio, index + 3)];
    let points = SIZES.into_iter().enumerate().flat_map(at).collect();
    let size = Argument::Range(Range { low: 100.0, high: 1_000.0 });
    of_points(&[FUNCTIONS[0], &before], [("size", size)], points)
}

/// Two functions at the sizes of the first priority: the second one takes this many times as long. `priority`: the priority of all points.
pub(crate) fn first_curves(ratio: f64, priority: Priority) -> Results {
    flat_curves([50.0, 50.0 * ratio], priority)
}

/// Two functions at the sizes of the first priority, each with the same time everywhere.
pub(crate) fn flat_curves(times: [f64; 2], priority: Priority) -> Results {
    let size = || [("size", Argument::Range(Range { low: 100.0, high: 1_000.0 }))];
    let mut results = of_points(&FUNCTIONS, size(), Vec::new());
    let sizes = results
        .setup()
        .and_then(|setup| setup.axis.clone())
        .expect("an axis")
        .values(Qualities::default().of(Priority::FIRST).points, &[]);
    let at = |(index, x): (usize, &AxisValue)| {
        [point(FUNCTIONS[0], x.clone(), times[0], index), point(FUNCTIONS[1], x.clone(), times[1], index + 3)]
    };
    let points = sizes.iter().enumerate().flat_map(at).collect();
    Rc::make_mut(&mut results.latest[0]).add(priority, points);
    results
}

/// The points of these functions at several sizes.
fn of_sizes(functions: &[&str]) -> Results {
    let [one, other] = FUNCTIONS;
    let mut points: Vec<Point> = SIZES
        .into_iter()
        .enumerate()
        .flat_map(|(index, x)| [point(one, x, 0.5 * x, index), point(other, x, 0.25 * x + 75.0, index + 3)])
        .collect();
    leave_out_quartiles(&mut points[0]).warnings.push(Warning::BelowResolution { under: 130.0 });
    leave_out_quartiles(&mut points[1]);
    leave_out_quartiles(&mut points[8]);
    points[6].outcome = failed(FailureKind::Panic, "expected 600 \"keys\", found <none>\nat src/lib.rs:3, column 7");
    points[11].outcome = failed(FailureKind::Skipped, "skipped");
    of_points(functions, [("size", Argument::Range(Range { low: 100.0, high: 1_000.0 }))], points)
}

/// The functions at values that are texts.
pub(crate) fn categories() -> Results {
    let [one, other] = FUNCTIONS;
    let values = ORDERS.map(AxisValue::from);
    let mut points: Vec<Point> = values
        .iter()
        .zip([50.0, 35.0, 25.0, 42.0])
        .enumerate()
        .flat_map(|(index, (x, time))| {
            [point(one, x.clone(), time, index), point(other, x.clone(), 2.0 * time - 40.0, index + 3)]
        })
        .collect();
    leave_out_quartiles(&mut points[2]);
    points[4].outcome = failed(FailureKind::Panic, "it panicked");
    of_points(&FUNCTIONS, [("size", Argument::Number(100.0)), ("spread", Argument::Values(values.to_vec()))], points)
}

/// The result of a measurement with these arguments, on a machine with a name that each format must escape. Points of other
/// functions are ignored.
fn of_points<const N: usize>(functions: &[&str], arguments: [(&str, Argument); N], points: Vec<Point>) -> Results {
    let mut request = after([]).request("me").expect("the defaults are valid");
    request.functions = functions.iter().copied().map(str::to_owned).collect();
    request.arguments.insert("spread".to_owned(), Argument::Text(ORDERS[0].to_owned()));
    request.arguments.extend(arguments.map(|(name, argument)| (name.to_owned(), argument)));
    let suite = suite();
    let mut generator = suite.suite.generators[0].clone();
    let spread = &mut generator.parameters[2];
    let options = ORDERS.map(|name| ChoiceOption { name: name.to_owned(), description: String::new() });
    spread.kind = Kind::Choice { options: options.to_vec(), default: ORDERS[0].to_owned(), varied: false };
    let machine = Machine { name: "Chrome \"156\", <b>|64-bit".to_owned(), ..machine() };
    let setup = ResultSetup::new(request, &generator, suite.card, machine, METHOD);
    let mut result = CellResult::new(Id::from_random(1), 1_790_000_000_000.0, Rc::new(setup));
    result.add(Priority::LAST, points);
    Results { latest: vec![Rc::new(result)], ..Results::default() }
}

/// A point with a warm-up sample and eight counted ones, the last of which was interrupted. `time`: of a call in nanoseconds.
/// `shift`: varies the noise. If it is even, one sample is slow, so that the mean exceeds the median and its interval is unavailable.
fn point(function: &str, x: impl Into<AxisValue>, time: f64, shift: usize) -> Point {
    // Powers of 2, so that the times are short in the golden files.
    let noise = |index: usize| match index {
        0 => 3.0,
        5 if shift.is_multiple_of(2) => 1.25,
        _ => 0.96875 + ((7 * index + shift) % 9) as f64 / 128.0,
    };
    let sample = |index: usize| Sample {
        elapsed: 2.0 * (time * noise(index) + 0.5),
        warm_up: index == 0,
        interrupted: index == 8,
        inferred: false,
    };
    let samples = (0..=8).map(sample).collect();
    let run = Run {
        calls: 2,
        overhead: Overhead { per_call: 0.5, half_width: 0.0, ..Overhead::default() },
        ..Run::of_single_calls(samples, vec![1; 8], Stability::Settled)
    };
    let times = run.times();
    let run_times = [run.run_times(&times)];
    let basis = Basis { uninterrupted_mean: run.uninterrupted_mean(), ..Basis::of(&run_times, 16) };
    let summary = summarize(&basis).expect("there are samples");
    let work = DeclaredWork { elements: Some(100), bytes: None };
    let measured = MeasuredPoint { work, ..MeasuredPoint::new(summary, vec![run]) };
    Point { function: function.to_owned(), x: x.into(), outcome: Outcome::Measured(Box::new(measured)) }
}

/// Removes the quartiles of a point, as if its batches were too short for the clock.
fn leave_out_quartiles(point: &mut Point) -> &mut MeasuredPoint {
    let Outcome::Measured(measured) = &mut point.outcome else { panic!("the point failed") };
    let summary = &mut measured.summary;
    (summary.q1, summary.median, summary.q3) = (None, None, None);
    measured
}

fn failed(kind: FailureKind, reason: &str) -> Outcome {
    Outcome::Failed(Failure { kind, reason: reason.to_owned() })
}
