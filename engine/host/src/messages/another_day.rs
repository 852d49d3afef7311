//! What another day would find, in words: the interval of a mean holds for the minute in which it was measured.

use crate::analyze::interval::Interval;
use crate::response::{AnotherDay, MeasuredPoint};
use crate::units::{TimeUnit, percent};

/// The hours from which on a history says what to expect of another day: those of the same day at other times share its conditions.
const HOURS_OF_A_DAY: f64 = 20.0;

/// The ratio of the ends of an interval from which on it says nothing: after two or three measurements under different conditions, Student's quantile
/// is huge.
const MAX_RATIO: f64 = 10.0;

/// The interval of a later mean, if it is wider than that of the mean: `11.2 to 12.8 ns`, or `11.2 to 12.8 ns (today)` if the history is of one day.
pub fn another_day(measured: &MeasuredPoint) -> Option<String> {
    let another = wider(measured)?;
    Some(format!("{}{}", range(another.mean), if spans_a_day(&another) { "" } else { " (today)" }))
}

fn spans_a_day(another: &AnotherDay) -> bool {
    another.hours >= HOURS_OF_A_DAY
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
    let (when, caveat) = match wider.iter().all(|(_, another)| spans_a_day(another)) {
        true => ("On another day", ""),
        false => ("Later today", "; another day may differ more"),
    };
    let sentence = match (wider.as_slice(), differences) {
        _ if points.is_empty() => return String::new(),
        ([(_, another)], Some(_)) if points.len() == 1 => format!("{when}, expect {}{caveat}.", range(another.mean)),
        (_, Some(Interval { low, high })) => {
            format!(
                "{when}, expect means from {} to +{} of these{caveat}; see the table.",
                percent(low),
                percent(high.max(0.0))
            )
        }
        (_, None) if points.iter().all(|point| known(point).is_none()) => {
            let occasions = points.iter().filter_map(|point| point.another_day).map(|another| another.occasions);
            let times = match occasions.max() {
                None | Some(1) => "once".to_owned(),
                Some(2) => "twice".to_owned(),
                Some(times) => format!("{times} times"),
            };
            format!("Measured {times}; another day may differ.")
        }
        _ => return String::new(),
    };
    let has_usual =
        points.iter().any(|point| point.another_day.is_some_and(|another| another.at_usual_speed.is_some()));
    let usual =
        if has_usual { " The reference kernel explains most of it: see the times at the usual speed." } else { "" };
    sentence + usual
}

/// What another day would find, unless the interval is so wide that it says nothing.
fn known(measured: &MeasuredPoint) -> Option<AnotherDay> {
    measured.another_day.filter(|another| another.mean.high < MAX_RATIO * another.mean.low)
}

/// What another day would find, if it is known, and is more than the interval of the mean contains on both sides: otherwise, the mean is merely imprecise.
fn wider(measured: &MeasuredPoint) -> Option<AnotherDay> {
    let another = known(measured).filter(|_| measured.upper_bound().is_none())?;
    let is_wider = |own: Interval| another.mean.low < own.low && another.mean.high > own.high;
    measured.summary.mean_interval.is_none_or(is_wider).then_some(another)
}

/// Both ends in one unit: `11.2 to 12.8 ns`.
fn range(Interval { low, high }: Interval) -> String {
    let unit = TimeUnit::for_largest(high);
    format!("{} to {}", unit.digits(low), unit.format(high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::blocks::RunTimes;
    use crate::analyze::statistics::{Basis, Summary, summarize};
    use crate::response::UsualSpeed;

    /// A point of 12 ns ±1%, and what another day would find.
    fn point(another: Option<(f64, f64)>, usual: bool) -> MeasuredPoint {
        let runs = [RunTimes::without_overhead(&[12.0, 12.0], &[1, 1])];
        let summary = summarize(&Basis::of(&runs, 2)).expect("there are samples");
        let summary = Summary { mean_interval: Some(Interval { low: 11.88, high: 12.12 }), ..summary };
        let speed = UsualSpeed { mean: 11.9, interval: Interval { low: 11.7, high: 12.1 } };
        let another_day = another.map(|(low, high)| AnotherDay {
            mean: Interval { low, high },
            occasions: 4,
            hours: 30.0,
            at_usual_speed: usual.then_some(speed),
        });
        MeasuredPoint { another_day, ..MeasuredPoint::new(summary, Vec::new()) }
    }

    #[test]
    fn a_sentence_states_the_range_of_another_day() {
        let plain = |text: String| text.replace('\u{202f}', " ");
        let of = |points: &[MeasuredPoint]| plain(another_day_sentence(points.iter()));
        let (wide, within) = (point(Some((11.2, 12.8)), false), point(Some((11.88, 12.12)), false));
        assert_eq!(of(&[]), "");
        assert_eq!(of(&[point(None, false)]), "Measured once; another day may differ.");
        assert_eq!(of(std::slice::from_ref(&wide)), "On another day, expect 11.2 to 12.8 ns.");
        assert_eq!(of(std::slice::from_ref(&within)), "");
        let mut unknown = point(Some((1.0, 2_000.0)), false);
        assert_eq!(of(std::slice::from_ref(&unknown)), "Measured 4 times; another day may differ.");
        unknown.another_day.iter_mut().for_each(|another| another.occasions = 2);
        assert_eq!(of(std::slice::from_ref(&unknown)), "Measured twice; another day may differ.");
        assert_eq!(another_day(&unknown), None);
        let mut today = wide.clone();
        today.another_day.iter_mut().for_each(|another| another.hours = 3.0);
        assert_eq!(another_day(&today).map(plain).as_deref(), Some("11.2 to 12.8 ns (today)"));
        assert_eq!(of(&[today]), "Later today, expect 11.2 to 12.8 ns; another day may differ more.");
        let several = [wide.clone(), point(Some((11.5, 13.2)), true), within];
        let expected = "On another day, expect means from −6.7% to +10% of these; see the table. The reference kernel explains most of it: see the \
                        times at the usual speed.";
        assert_eq!(of(&several), expected);
        assert_eq!(another_day(&wide).map(plain).as_deref(), Some("11.2 to 12.8 ns"));
        assert_eq!(at_usual_speed(&wide), None);
        assert_eq!(at_usual_speed(&several[1]).map(plain).as_deref(), Some("11.9 ns (11.7 to 12.1 ns)"));
        assert_eq!(another_day(&point(Some((11.9, 13.0)), false)), None, "merely imprecise");
    }
}
