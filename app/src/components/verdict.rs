//! Comparisons in words: which function takes how many times as long, judged by the interval, and where one overtakes
//! another.

use benchbook_host::analyze::compare::{RatioStatistic, WithheldReason};
use benchbook_host::analyze::interval::Interval;
use benchbook_host::comparison::RatioAt;
use benchbook_host::units::number;

use crate::state::compare::Shown;
use crate::state::versus::Versus;

/// The most axis values that a sentence lists.
const MOST_LISTED: usize = 5;

/// A ratio and its interval, `1.32` and `[1.29, 1.35]`, with as many digits as the interval is worth.
pub(super) fn ratio(ratio: f64, Interval { low, high }: Interval) -> (String, String) {
    let fewest = if high < 10.0 { 2.0 } else { 0.0 };
    let decimals = (-(high - low).log10()).ceil().clamp(fewest, 5.0) as usize;
    (format!("{ratio:.decimals$}"), format!("[{low:.decimals$}, {high:.decimals$}]"))
}

/// A value with as many digits as an interval of this width is worth.
fn rounded(value: f64, width: f64) -> f64 {
    let step = 10_f64.powf(width.max(value.abs() * 1e-6).log10().floor() - 1.0);
    if step > 0.0 { (value / step).round() * step } else { value }
}

/// What a ratio is called in the document.
pub(super) fn of_name(of: RatioStatistic) -> &'static str {
    match of {
        RatioStatistic::Medians => "medians",
        RatioStatistic::Means => "means",
    }
}

/// Why there is no ratio: its name in the document, and in words.
pub(super) fn withheld(reason: WithheldReason) -> (&'static str, &'static str) {
    match reason {
        WithheldReason::Apart => {
            ("apart", "they were measured one after the other, and the machine may have changed in between")
        }
        WithheldReason::OutputsDiffer => ("outputs_differ", "their outputs differ"),
        WithheldReason::Unpaired => ("unpaired", "their blocks cannot be paired"),
        WithheldReason::FewBlocks => {
            ("few_blocks", "there are too few blocks of inputs for an interval; a point needs more time")
        }
        WithheldReason::NotAboveZero => ("not_above_zero", "the time of one cannot be told from none"),
    }
}

/// What is to be said before anything else: functions that do not do the same are not compared.
pub(super) fn differing(shown: &[Shown], versus: &[Versus]) -> Vec<String> {
    let told = |one: &Versus| {
        let at = values(one, WithheldReason::OutputsDiffer)?;
        let [first, other] = names(shown, one)?;
        Some(format!("{other} and {first} do not do the same: outputs differ at {at}, so no ratio is told."))
    };
    versus.iter().filter_map(told).collect()
}

/// What the comparisons come to, and where there are none.
pub(super) fn verdicts(shown: &[Shown], versus: &[Versus], is_measuring: bool) -> Vec<String> {
    let unit = shown.first().map(|first| first.trace.setup.axis_unit()).unwrap_or_default();
    let mut verdicts = Vec::new();
    for one in versus {
        let Some([first, other]) = names(shown, one) else { continue };
        verdicts.extend(at_the_ends(one, first, other));
        for crossover in &one.crossovers {
            let (faster, slower) = if crossover.other_wins_above { (other, first) } else { (first, other) };
            let Interval { low, high } = crossover.interval;
            let [x, low, high] = [crossover.x, low, high].map(|value| number(rounded(value, high - low)));
            verdicts
                .push(format!("{faster} overtakes {slower} at {} [{low}, {high}].", format!("{x} {unit}").trim_end()));
        }
        // Until the last point there is more to come.
        let quiet =
            [WithheldReason::Apart, WithheldReason::Unpaired, WithheldReason::FewBlocks, WithheldReason::NotAboveZero];
        for reason in quiet.into_iter().filter(|_| !is_measuring) {
            if let Some(at) = values(one, reason) {
                verdicts.push(format!("No ratio of {other} to {first} at {at}: {}.", withheld(reason).1));
            }
        }
    }
    verdicts
}

/// The verdicts at the greatest and at the least axis value.
fn at_the_ends(one: &Versus, first: &str, other: &str) -> Option<String> {
    let known = || one.ratios.iter().filter_map(|at| Some((at.x, at.ratio?, at.interval?)));
    let (x, value, interval) = known().next_back()?;
    let (times, within) = ratio(value, interval);
    let mut told = if interval.holds(1.0) {
        format!("No difference was found between {other} and {first} at {}: {times} {within}", number(x))
    } else {
        format!("{other} takes {times} times as long as {first} {within} at {}", number(x))
    };
    if let Some((x, value, interval)) = known().next().filter(|(least, ..)| *least < x) {
        let (times, within) = ratio(value, interval);
        told += &if interval.holds(1.0) {
            format!("; no difference was found at {}: {times} {within}", number(x))
        } else {
            format!("; {times} times {within} at {}", number(x))
        };
    }
    Some(told + ".")
}

fn names<'s>(shown: &'s [Shown], one: &Versus) -> Option<[&'s str; 2]> {
    Some([&shown.get(one.baseline)?.label, &shown.get(one.ordinal)?.label])
}

/// The axis values at which a ratio is withheld for a reason; absent where there are none.
fn values(one: &Versus, reason: WithheldReason) -> Option<String> {
    let all = one.ratios.iter().filter(|at| at.withheld == Some(reason)).map(|RatioAt { x, .. }| number(*x));
    let all: Vec<String> = all.collect();
    match all.len() {
        0 => None,
        1..=MOST_LISTED => Some(all.join(", ")),
        many => Some(format!("{many} of {} points", one.ratios.len())),
    }
}

#[cfg(test)]
mod tests {
    use benchbook_host::analyze::crossover::Crossover;

    use super::*;
    use crate::state::tests::{together, versus_at};

    fn known(x: f64, ratio: f64, low: f64, high: f64) -> RatioAt {
        let interval = Some(Interval { low, high });
        RatioAt { x, ratio: Some(ratio), interval, of: Some(RatioStatistic::Medians), withheld: None }
    }

    fn none(x: f64, reason: WithheldReason) -> RatioAt {
        RatioAt { x, ratio: None, interval: None, of: None, withheld: Some(reason) }
    }

    fn told(ratios: &[RatioAt]) -> Vec<String> {
        verdicts(&together(), &[versus_at(ratios, Vec::new())], false)
    }

    #[test]
    fn the_interval_judges_at_both_ends() {
        let table: [(&[RatioAt], &str); 4] = [
            (
                &[known(100.0, 1.1, 1.05, 1.15), known(500.0, 9.0, 8.0, 10.0), known(1_000.0, 1.324, 1.291, 1.352)],
                "sort_stable takes 1.32 times as long as sort [1.29, 1.35] at 1 000; 1.10 times [1.05, 1.15] at 100.",
            ),
            (
                &[known(100.0, 0.5, 0.4, 1.02), known(1_000.0, 0.03, 0.0301, 0.0309)],
                "sort_stable takes 0.0300 times as long as sort [0.0301, 0.0309] at 1 000; no difference was found at 100: 0.50 [0.40, 1.02].",
            ),
            (
                &[known(100.0, 1.0, 0.99, 1.01)],
                "No difference was found between sort_stable and sort at 100: 1.00 [0.99, 1.01].",
            ),
            (&[known(100.0, 152.0, 148.0, 156.0)], "sort_stable takes 152 times as long as sort [148, 156] at 100."),
        ];
        for (ratios, sentence) in table {
            assert_eq!(told(ratios), [sentence.replace("1 000", &number(1_000.0))]);
        }
    }

    #[test]
    fn a_crossover_says_who_overtakes_whom() {
        let crossover =
            |other_wins_above| Crossover { x: 311.7, interval: Interval { low: 281.2, high: 352.4 }, other_wins_above };
        let told = |one| verdicts(&together(), &[versus_at(&[], vec![one])], false);
        assert_eq!(told(crossover(true)), ["sort_stable overtakes sort at 312 [281, 352]."]);
        assert_eq!(told(crossover(false)), ["sort overtakes sort_stable at 312 [281, 352]."]);
    }

    #[test]
    fn what_is_withheld_is_told_with_the_reason() {
        let few = none(100.0, WithheldReason::FewBlocks);
        assert!(told(&[few])[0].starts_with("No ratio of sort_stable to sort at 100: there are too few blocks"));
        assert_eq!(verdicts(&together(), &[versus_at(&[few], Vec::new())], true), [""; 0], "there is more to come");
        let many: Vec<RatioAt> = (0..9).map(|x| none(f64::from(x), WithheldReason::Apart)).collect();
        assert!(told(&many)[0].contains("at 9 of 9 points: they were measured one after the other"));
    }

    #[test]
    fn different_outputs_are_told_first_and_never_compared() {
        let ratios = [none(100.0, WithheldReason::OutputsDiffer), known(500.0, 1.0, 0.9, 1.1)];
        let versus = [versus_at(&ratios, Vec::new())];
        assert_eq!(
            differing(&together(), &versus),
            ["sort_stable and sort do not do the same: outputs differ at 100, so no ratio is told."]
        );
        assert!(!told(&ratios).iter().any(|told| told.contains("outputs")));
    }
}
