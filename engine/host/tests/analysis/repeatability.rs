//! What another day would find: against SciPy, and on simulated machines that drift.

use std::collections::BTreeSet;
use std::sync::Arc;

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::parameter::{Argument, Range};
use benchbook_contract::rng::Rng;
use benchbook_host::analyze::interval::Interval;
use benchbook_host::analyze::stability::Stability;
use benchbook_host::analyze::statistics::{Basis, Summary, summarize};
use benchbook_host::quality::Priority;
use benchbook_host::repeatability::{MachineHistory, MachineSpread};
use benchbook_host::request::Request;
use benchbook_host::response::{AnotherDay, MeasuredPoint, Outcome, Point, Run, Sample};
use rand::RngExt as _;

use super::simulation::{Share, normal, rng, simulations, uniform};

const BUILD: &str = "a build";

const HOUR: f64 = 3_600.0;

/// A point with this mean, ±0.1%, beside a reference kernel of this time.
fn point(function: &str, mean: f64, kernel: f64) -> Point {
    let samples = vec![Sample { elapsed: mean, ..Sample::default() }; 4];
    let run = Run { reference: Some(kernel), ..Run::of_single_calls(samples, vec![2; 2], Stability::Settled) };
    let times = run.times();
    let summary = summarize(&Basis::of(&[run.run_times(&times)], 4)).expect("there are samples");
    let summary = Summary { mean_interval: Some(Interval { low: mean * 0.999, high: mean * 1.001 }), ..summary };
    let measured = MeasuredPoint::new(summary, vec![run]);
    Point { function: function.to_owned(), x: AxisValue::Absent, outcome: Outcome::Measured(Box::new(measured)) }
}

fn request() -> Request {
    Request::new("demo", Vec::new(), "keys", [("size".to_owned(), Argument::Number(10.0))].into(), Priority::LAST)
}

/// Records points that were measured at this time.
fn record(history: &mut MachineHistory, now: f64, points: &[Point]) {
    let past = Arc::new(MachineHistory::default()).at(BUILD, now);
    history.record(&past, &request(), points);
}

/// What another day would find at a point that is measured now.
fn another_day(
    history: &MachineHistory,
    build: &str,
    now: f64,
    request: &Request,
    point: &Point,
) -> Option<AnotherDay> {
    let mut point = point.clone();
    Arc::new(history.clone()).at(build, now).add_to(request, &mut point);
    point.measured()?.another_day
}

#[track_caller]
fn assert_interval(actual: Option<AnotherDay>, low: f64, high: f64, occasions: u32) {
    let actual = actual.expect("there is a history");
    let is_close = |actual: f64, expected: f64| (actual / expected - 1.0).abs() < 1e-9;
    assert!(is_close(actual.mean.low, low) && is_close(actual.mean.high, high), "{actual:?}");
    assert_eq!(actual.occasions, occasions);
}

/// The means of two points and the kernel's times at five occasions, an hour apart.
fn example() -> MachineHistory {
    let mut history = MachineHistory::default();
    let occasions = [
        (2_000.0, Some(100.0), Some(50.0)),
        (2_030.0, Some(103.0), Some(52.0)),
        (1_990.0, Some(99.0), None),
        (2_010.0, None, Some(51.0)),
        (2_005.0, None, None),
    ];
    for (index, (kernel, one, other)) in occasions.into_iter().enumerate() {
        let named = |name: &str, mean: Option<f64>| mean.map(|mean| point(name, mean, kernel));
        let points: Vec<Point> = [named("one", one), named("other", other)].into_iter().flatten().collect();
        let only_kernel = [point("of another build", 1.0 + index as f64, kernel)];
        let points = if points.is_empty() { &only_kernel[..] } else { &points };
        record(&mut history, HOUR * index as f64, points);
    }
    history
}

/// From NumPy and SciPy: `exp(mean ± t.ppf(0.9875, 5) · sqrt(v · (1 + 1/n)))`, with v = (5·t + d·s²)/(5 + d) and t the geometric mean of the variances of
/// the earlier occasions of both points, each times exp(ln(d/2) − digamma(d/2)); it is greater than that of the kernel.
#[test]
fn the_interval_of_another_day_matches_scipy() {
    let history = example();
    let now = 5.0 * HOUR;
    let of = |name: &str, mean: f64| another_day(&history, BUILD, now, &request(), &point(name, mean, 2_020.0));
    assert_interval(of("one", 101.0), 92.67476857146168, 109.50536229288528, 4);
    assert_interval(of("new", 70.0), 62.086190493494776, 78.92254237298408, 1);
}

#[test]
fn a_history_belongs_to_a_build_and_its_arguments() {
    let history = example();
    let of = |build, request: &Request, point: &Point| {
        another_day(&history, build, 5.0 * HOUR, request, point).map(|another| another.occasions)
    };
    let one = point("one", 101.0, 2_020.0);
    assert_eq!(of(BUILD, &request(), &one), Some(4));
    assert_eq!(of("another build", &request(), &one), Some(1));
    let mut other = request();
    other.arguments.insert("size".to_owned(), Argument::Number(11.0));
    assert_eq!(of(BUILD, &other, &one), Some(1));
    // The same size, as a value of the axis.
    other.arguments.insert("size".to_owned(), Argument::Range(Range { low: 1.0, high: 100.0 }));
    assert_eq!(of(BUILD, &other, &Point { x: 10.0.into(), ..one.clone() }), Some(4));
    let failed = Point {
        outcome: Outcome::Failed(benchbook_host::response::Failure {
            kind: benchbook_host::response::FailureKind::Panic,
            reason: String::new(),
        }),
        ..one
    };
    assert_eq!(of(BUILD, &request(), &failed), None);
    assert_eq!(another_day(&MachineHistory::default(), BUILD, 0.0, &request(), &point("one", 1.0, 2.0)), None);
}

#[test]
fn measurements_within_minutes_are_one_occasion() {
    let mut history = MachineHistory::default();
    for minute in 0..13 {
        record(&mut history, 60.0 * f64::from(minute), &[point("one", 100.0 + f64::from(minute), 2_000.0)]);
    }
    assert_eq!(history.spread().map(|spread| spread.occasions), Some(3), "at 0, 5 and 10 minutes");
    // The measurement itself is of the third occasion.
    let another = another_day(&history, BUILD, 13.0 * 60.0, &request(), &point("one", 100.0, 2_000.0));
    assert_eq!(another.map(|another| another.occasions), Some(3));
}

#[test]
fn a_history_stays_small_and_survives_storage() {
    let mut history = MachineHistory::default();
    let mut random = rng(3);
    for occasion in 0..100 {
        let points: Vec<Point> = (0..10)
            .map(|number| point(&format!("f{occasion}_{number}"), 1e3 * uniform(&mut random), 2_000.0))
            .collect();
        record(&mut history, HOUR * f64::from(occasion), &points);
        record(&mut history, HOUR * f64::from(occasion), &[point("each", 1.0 + uniform(&mut random), 2_000.0)]);
    }
    let text = serde_json::to_string(&history).unwrap();
    assert!(text.len() < 40_000, "{} bytes", text.len());
    assert_eq!(serde_json::from_str::<MachineHistory>(&text).unwrap(), history);
    let kept = |name: &str| {
        another_day(&history, BUILD, 100.0 * HOUR, &request(), &point(name, 1.0, 2_000.0)).unwrap().occasions
    };
    assert_eq!([kept("each"), kept("f99_1"), kept("f1_1")], [13, 2, 1]);
}

/// A point that is proportional to the kernel, and one that varies by itself.
#[test]
fn normalised_times_are_offered_where_the_kernel_explains_the_drift() {
    let mut history = MachineHistory::default();
    let speeds = [1.0, 1.2, 0.9, 1.1, 1.05];
    for (hour, speed) in speeds.iter().enumerate() {
        let own = 100.0 + 5.0 * (hour % 2) as f64;
        let points = [
            point("proportional", 100.0 * speed * (1.0 + 0.001 * hour as f64), 2_000.0 * speed),
            point("own", own, 2_000.0 * speed),
        ];
        record(&mut history, HOUR * hour as f64, &points);
    }
    let of = |name| another_day(&history, BUILD, 5.0 * HOUR, &request(), &point(name, 130.0, 2_600.0)).unwrap();
    let usual = of("proportional").at_usual_speed.expect("the kernel explains it");
    // The median speed is between 1.05 and 1.1.
    assert!((usual.mean / 107.5 - 1.0).abs() < 0.01, "{usual:?}");
    assert!(usual.interval.contains(usual.mean) && usual.interval.high / usual.interval.low < 1.02, "{usual:?}");
    assert_eq!(of("own").at_usual_speed, None);
}

/// How the speed of a simulated machine varies: the deviation at each of these times, in hours, with a root mean square of 1.
type Drift = fn(&mut Rng, &[f64]) -> Vec<f64>;

/// Simulated machines. The speed varies by 5%, and each point by itself by 1%.
const DRIFTS: [(&str, Drift); 7] = [
    ("within minutes", |rng, times| autocorrelated(rng, times, 0.1)),
    ("within an hour", |rng, times| autocorrelated(rng, times, 1.0)),
    ("within a day", |rng, times| autocorrelated(rng, times, 24.0)),
    ("two speeds, 20% slow", |rng, times| {
        times.iter().map(|_| if rng.random_bool(0.2) { 2.0 } else { -0.5 }).collect()
    }),
    ("two speeds, 10% slow", |rng, times| {
        times.iter().map(|_| if rng.random_bool(0.1) { 3.0 } else { -0.33 }).collect()
    }),
    ("Student's t of 3", |rng, times| times.iter().map(|_| student_3(rng)).collect()),
    ("not at all", |_, times| vec![0.0; times.len()]),
];

/// An Ornstein-Uhlenbeck process.
fn autocorrelated(rng: &mut Rng, times: &[f64], hours: f64) -> Vec<f64> {
    let mut last: Option<(f64, f64)> = None;
    let mut next = |&time: &f64| {
        let kept = last.map_or(0.0, |(earlier, _)| (-(time - earlier) / hours).exp());
        let value = kept * last.map_or(0.0, |(_, value)| value) + (1.0 - kept * kept).sqrt() * normal(rng);
        last = Some((time, value));
        value
    };
    times.iter().map(&mut next).collect()
}

fn student_3(rng: &mut Rng) -> f64 {
    let squares: f64 = (0..3).map(|_| normal(rng).powi(2)).sum();
    normal(rng) / squares.sqrt()
}

/// When the earlier measurements were made, in hours before the one whose interval has to contain the mean of an hour later.
const SCHEDULES: [(&str, [f64; 5]); 3] = [
    ("every 15 minutes", [1.25, 1.0, 0.75, 0.5, 0.25]),
    ("every hour", [5.0, 4.0, 3.0, 2.0, 1.0]),
    ("every day", [120.0, 96.0, 72.0, 48.0, 24.0]),
];

/// What the intervals of a measurement contain an hour or a day later.
#[derive(Default)]
struct Later {
    /// A mean of a known point, within the interval for another day.
    known: Share,
    /// The same of a point that is measured for the first time.
    new: Share,
    /// A mean at the usual speed, within the interval of such means, where they are offered.
    usual: Share,
    /// A mean within the interval of the mean.
    precise: Share,
}

impl Later {
    fn count(&mut self, now: &MeasuredPoint, later: &MeasuredPoint, is_new: bool) {
        let mean = later.summary.mean;
        let (another, another_later) = now.another_day.zip(later.another_day).expect("there is a history");
        if is_new {
            self.new.count(another.mean.contains(mean));
            return;
        }
        self.known.count(another.mean.contains(mean));
        let precision = now.summary.mean_interval.expect("the point has one");
        self.precise.count(precision.contains(mean));
        if let Some((usual, later)) = another.at_usual_speed.zip(another_later.at_usual_speed) {
            self.usual.count(usual.interval.contains(later.mean));
        }
    }
}

/// After five earlier measurements, the interval contains the mean of an hour later: of four points, with and without a kernel that follows the machine, and
/// of a point that is measured for the first time. Nothing is asserted of a day later: hours say little about days.
#[test]
fn a_later_hour_is_covered() {
    let count = simulations(150);
    for (drift_index, (drift, speed)) in DRIFTS.into_iter().enumerate() {
        for (schedule, before) in SCHEDULES {
            for follows in [1.0, 0.0] {
                let mut rng = rng(drift_index as u64);
                let mut shares = [Later::default(), Later::default()];
                for _ in 0..count {
                    let times: Vec<f64> = before.iter().map(|hours| -hours).chain([0.0, 1.0, 24.0]).collect();
                    let speeds = speed(&mut rng, &times);
                    let mut at = |index: usize, names: &[&str]| -> Vec<Point> {
                        let kernel = 2_000.0 * (0.05 * follows * speeds[index] + 0.002 * normal(&mut rng)).exp();
                        let mean = |rng: &mut Rng| 100.0 * (0.05 * speeds[index] + 0.01 * normal(rng)).exp();
                        names.iter().map(|name| point(name, mean(&mut rng), kernel)).collect()
                    };
                    const KNOWN: [&str; 4] = ["a", "b", "c", "d"];
                    let mut history = MachineHistory::default();
                    for (index, time) in times[..5].iter().enumerate() {
                        record(&mut history, 1e9 + HOUR * time, &at(index, &KNOWN));
                    }
                    let with_another_day = |mut point: Point, hours: f64| {
                        Arc::new(history.clone()).at(BUILD, 1e9 + HOUR * hours).add_to(&request(), &mut point);
                        point
                    };
                    let mut measure = |index: usize| -> Vec<Point> {
                        let points = at(index, &["a", "b", "c", "d", "new"]);
                        points.into_iter().map(|point| with_another_day(point, times[index])).collect()
                    };
                    let (now, later) = (measure(5), [measure(6), measure(7)]);
                    for (shares, later) in shares.iter_mut().zip(&later) {
                        for index in [0, 4] {
                            let measured = |points: &[Point]| points[index].measured().unwrap().clone();
                            shares.count(&measured(&now), &measured(later), index == 4);
                        }
                    }
                }
                let kernel = if follows > 0.0 { "follows" } else { "is steady" };
                let [hour, day] = &shares;
                println!(
                    "| {drift} | {schedule} | {kernel} | {}; {} | {}; {} | {}; {} | {}; {} |",
                    hour.known, day.known, hour.new, day.new, hour.usual, day.usual, hour.precise, day.precise
                );
                assert!(
                    !hour.known.is_below(90.0) && !hour.new.is_below(88.0),
                    "{drift}, {schedule}, {kernel}: {}, {}",
                    hour.known,
                    hour.new
                );
            }
        }
    }
}

/// Two histories of the same measurements are the same, whatever the order of the points.
#[test]
fn the_order_of_points_does_not_matter() {
    let points = [point("one", 1.0, 2.0), point("other", 2.0, 2.0)];
    let mut reversed = points.clone();
    reversed.reverse();
    let histories: BTreeSet<String> = [&points, &reversed]
        .map(|points| {
            let mut history = MachineHistory::default();
            record(&mut history, 0.0, points);
            serde_json::to_string(&history).unwrap()
        })
        .into();
    assert_eq!(histories.len(), 1);
}

/// From SciPy: `expm1(t.ppf(0.975, 4) * sqrt(2) * sd)`, with the greater standard deviation of the kernel and of the points.
#[test]
fn the_smallest_difference_between_occasions_matches_scipy() {
    let spread = MachineSpread { kernel: 0.01, points: Some(0.02), occasions: 5 };
    let difference = spread.smallest_difference().expect("there are enough occasions");
    assert!((difference - 0.08169550966168374).abs() < 1e-9, "{difference}");
    assert_eq!(MachineSpread { occasions: 2, ..spread }.smallest_difference(), None);
}

#[test]
fn the_last_four_hundred_points_are_kept() {
    let mut history = MachineHistory::default();
    let points: Vec<Point> = (0..401).map(|number| point(&format!("f{number}"), 1.0, 2.0)).collect();
    record(&mut history, 0.0, &points);
    let value = serde_json::to_value(&history).unwrap();
    assert_eq!(value["points"].as_object().map(serde_json::Map::len), Some(400));
}

/// Once the clock is right again, what it recorded in the future is forgotten.
#[test]
fn a_clock_that_was_wrong_does_not_stop_a_history() {
    let mut history = MachineHistory::default();
    for hours in [9_000.0, 0.0, 1.0, 2.0] {
        record(&mut history, HOUR * hours, &[point("one", 100.0 + hours, 2_000.0)]);
    }
    let another = another_day(&history, BUILD, 3.0 * HOUR, &request(), &point("one", 100.0, 2_000.0));
    assert_eq!(another.map(|another| another.occasions), Some(4));
}

#[test]
fn stored_values_that_are_no_times_are_left_out() {
    let stored = r#"{"kernel":[[3600,2010],[0,-2000],[0,2000]],"points":{"a":[[0,0,null]],"b":[[7200,5,null],[0,4,2000],[1,4,-1]]}}"#;
    let history: MachineHistory = serde_json::from_str(stored).unwrap();
    let clean = r#"{"kernel":[[0,2000],[3600,2010]],"points":{"b":[[0,4,2000],[7200,5,null]]}}"#;
    assert_eq!(history, serde_json::from_str(clean).unwrap());
}
