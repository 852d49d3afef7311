//! What another day would find, in words: the interval of a mean holds for the minute in which it was measured.

use crate::analyze::interval::Interval;
use crate::response::{AnotherDay, MeasuredPoint};
use crate::units::{TimeUnit, percent};

/// The interval of a later mean, if it is wider than that of the mean: `11.2 to 12.8 ns`.
pub fn another_day(measured: &MeasuredPoint) -> Option<String> {
    wider(measured).map(|another| range(another.mean))
}

/// The mean at the usual speed of the machine, if the reference kernel explains how it varied: `11.9 ns (11.7 to 12.1 ns)`.
pub fn at_usual_speed(measured: &MeasuredPoint) -> Option<String> {
    let usual = measured.another_day?.at_usual_speed?;
    Some(format!("{} ({})", TimeUnit::for_largest(usual.mean).format(usual.mean), range(usual.interval)))
}

/// A sentence about the points of one machine. Empty without points, and if later means are within the intervals of these.
pub fn another_day_sentence<'m>(points: impl Iterator<Item = &'m MeasuredPoint>) -> String {
    let points: Vec<&MeasuredPoint> = points.filter(|point| point.upper_bound().is_none()).collect();
    let wider: Vec<(&MeasuredPoint, AnotherDay)> =
        points.iter().filter_map(|&point| Some((point, wider(point)?))).collect();
    let relative = |(point, another): &(&MeasuredPoint, AnotherDay)| {
        let mean = point.summary.mean;
        Interval { low: another.mean.low / mean - 1.0, high: another.mean.high / mean - 1.0 }
    };
    let differences = wider
        .iter()
        .map(relative)
        .reduce(|one, other| Interval { low: one.low.min(other.low), high: one.high.max(other.high) });
    let sentence = match (points.as_slice(), differences) {
        ([], _) => return String::new(),
        ([one], Some(_)) => format!("On another day {}.", another_day(one).unwrap_or_default()),
        (_, Some(Interval { low, high })) => {
            format!(
                "On another day, means differ by {} to +{}; the table has each.",
                percent(low),
                percent(high.max(0.0))
            )
        }
        (all, None) if all.iter().all(|point| point.another_day.is_none()) => {
            "Measured once; another day may differ.".to_owned()
        }
        _ => return String::new(),
    };
    let has_usual =
        points.iter().any(|point| point.another_day.is_some_and(|another| another.at_usual_speed.is_some()));
    let usual =
        if has_usual { " The reference kernel explains most of it: see the times at the usual speed." } else { "" };
    sentence + usual
}

/// What another day would find, if it is more than the interval of the mean contains.
fn wider(measured: &MeasuredPoint) -> Option<AnotherDay> {
    let another = measured.another_day.filter(|_| measured.upper_bound().is_none())?;
    let is_wider = |own: Interval| another.mean.low < own.low || another.mean.high > own.high;
    measured.summary.mean_interval.is_none_or(is_wider).then_some(another)
}

/// Both ends in one unit: `11.2 to 12.8 ns`.
fn range(Interval { low, high }: Interval) -> String {
    let unit = TimeUnit::for_largest(high);
    format!("{} to {}", unit.digits(low), unit.format(high))
}
