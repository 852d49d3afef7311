//! Sentences about comparisons: which function takes how many times as long, as far as the interval allows, and where one
//! overtakes another.

use crate::analyze::compare::{RatioStatistic, WithheldReason};
use crate::analyze::crossover::Crossover;
use crate::analyze::interval::Interval;
use crate::comparison::RatioAt;
use crate::units::number;

/// Two functions that were measured together.
#[derive(Clone, Copy, Debug)]
pub struct ComparedPair<'a> {
    /// The name of the function that the ratios refer to.
    pub baseline: &'a str,
    /// The name of the function compared with it.
    pub other: &'a str,
    /// The ratio at each axis value, or why it is withheld.
    pub ratios: &'a [RatioAt],
    /// The axis values at which one overtakes the other.
    pub crossovers: &'a [Crossover],
}

/// The most axis values that a sentence lists.
const MAX_LISTED: usize = 5;

/// A ratio and its interval, `1.32` and `[1.29, 1.35]`, with the digits that the interval justifies.
pub fn ratio(ratio: f64, Interval { low, high }: Interval) -> (String, String) {
    let fewest = if high < 10.0 { 2.0 } else { 0.0 };
    let decimals = (-(high - low).log10()).ceil().clamp(fewest, 5.0) as usize;
    (format!("{ratio:.decimals$}"), format!("[{low:.decimals$}, {high:.decimals$}]"))
}

/// A value rounded to the digits that an interval of this width justifies.
fn rounded(value: f64, width: f64) -> f64 {
    let step = 10_f64.powf(width.max(value.abs() * 1e-6).log10().floor() - 1.0);
    if step > 0.0 { (value / step).round() * step } else { value }
}

/// The name of the statistic behind a ratio.
pub fn statistic_name(statistic: RatioStatistic) -> &'static str {
    match statistic {
        RatioStatistic::Medians => "medians",
        RatioStatistic::Means => "means",
    }
}

/// Why a ratio is withheld, as part of a sentence.
pub fn withheld_reason(reason: WithheldReason) -> &'static str {
    match reason {
        WithheldReason::Apart => "measured one after the other, so the machine may have changed in between",
        WithheldReason::OutputsDiffer => "the outputs differ",
        WithheldReason::Unpaired => "their blocks cannot be paired",
        WithheldReason::FewBlocks => "too few blocks of inputs for an interval; measure longer",
        WithheldReason::NotAboveZero => "one of the times is indistinguishable from zero",
    }
}

/// Returns a sentence for each pair that does different work, which is never compared.
pub fn different_outputs(pairs: &[ComparedPair<'_>]) -> Vec<String> {
    let sentence = |pair: &ComparedPair<'_>| {
        let at = withheld_at(pair, WithheldReason::OutputsDiffer)?;
        let ComparedPair { baseline, other, .. } = pair;
        Some(format!(
            "{other} and {baseline} do different work: their outputs differ at {at}. Compare functions with equal outputs."
        ))
    };
    pairs.iter().filter_map(sentence).collect()
}

/// Returns the verdicts about each pair, and the reasons for withheld ratios. `unit` is that of the axis.
pub fn verdicts(pairs: &[ComparedPair<'_>], unit: &str, is_measuring: bool) -> Vec<String> {
    let mut verdicts = Vec::new();
    for pair in pairs {
        verdicts.extend(verdict_at_ends(pair));
        verdicts.extend(pair.crossovers.iter().map(|crossover| overtaking(pair, crossover, unit)));
        // During a measurement, later points may still have a ratio.
        let reasons =
            [WithheldReason::Apart, WithheldReason::Unpaired, WithheldReason::FewBlocks, WithheldReason::NotAboveZero];
        for reason in reasons.into_iter().filter(|_| !is_measuring) {
            if let Some(at) = withheld_at(pair, reason) {
                let ComparedPair { baseline, other, .. } = pair;
                verdicts.push(format!("No ratio of {other} to {baseline} at {at}: {}.", withheld_reason(reason)));
            }
        }
    }
    verdicts
}

fn overtaking(pair: &ComparedPair<'_>, crossover: &Crossover, unit: &str) -> String {
    let (faster, slower) =
        if crossover.other_wins_above { (pair.other, pair.baseline) } else { (pair.baseline, pair.other) };
    let Interval { low, high } = crossover.interval;
    let [x, low, high] = [crossover.x, low, high].map(|value| number(rounded(value, high - low)));
    format!("{faster} overtakes {slower} at {} [{low}, {high}].", format!("{x} {unit}").trim_end())
}

/// The verdict at one axis value. Ratios are at least 1, since "33 times as long" is easier to read than "0.03 times".
struct VerdictAt<'a> {
    /// The slower and the faster function; `None` if no difference was found.
    order: Option<[&'a str; 2]>,
    /// The ratio and its interval.
    times: String,
    x: String,
}

impl<'a> VerdictAt<'a> {
    fn new(pair: &ComparedPair<'a>, x: f64, value: f64, interval: Interval) -> Self {
        let Interval { low, high } = interval;
        let (order, value, interval) = if interval.contains(1.0) {
            (None, value, interval)
        } else if high < 1.0 {
            (Some([pair.baseline, pair.other]), 1.0 / value, Interval { low: 1.0 / high, high: 1.0 / low })
        } else {
            (Some([pair.other, pair.baseline]), value, interval)
        };
        let (times, within) = ratio(value, interval);
        let times = if order.is_some() { format!("{times} times {within}") } else { format!("{times} {within}") };
        Self { order, times, x: number(x) }
    }
}

/// The verdict at the greatest axis value and at the least.
fn verdict_at_ends(pair: &ComparedPair<'_>) -> Option<String> {
    let ratios = || pair.ratios.iter().filter_map(|at| Some((at.x, at.ratio?, at.interval?)));
    let (greatest, value, interval) = ratios().next_back()?;
    let VerdictAt { order, times, x } = VerdictAt::new(pair, greatest, value, interval);
    let mut verdict = match order {
        Some([slower, faster]) => format!("{slower} takes {times} as long as {faster} at {x}"),
        None => format!("No difference was found between {} and {} at {x}: {times}", pair.other, pair.baseline),
    };
    if let Some((least, value, interval)) = ratios().next().filter(|(least, ..)| *least < greatest) {
        let at_least = VerdictAt::new(pair, least, value, interval);
        let VerdictAt { times, x, .. } = &at_least;
        verdict += &match at_least.order {
            Some(same) if order == Some(same) => format!("; {times} at {x}"),
            Some([slower, faster]) => format!("; {slower} takes {times} as long as {faster} at {x}"),
            None => format!("; no difference was found at {x}: {times}"),
        };
    }
    Some(verdict + ".")
}

/// The axis values at which a ratio is withheld for a reason; `None` if no ratio is.
fn withheld_at(pair: &ComparedPair<'_>, reason: WithheldReason) -> Option<String> {
    let all = pair.ratios.iter().filter(|at| at.withheld == Some(reason)).map(|RatioAt { x, .. }| number(*x));
    let all: Vec<String> = all.collect();
    match all.len() {
        0 => None,
        1..=MAX_LISTED => Some(all.join(", ")),
        many => Some(format!("{many} of {} points", pair.ratios.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(x: f64, ratio: f64, low: f64, high: f64) -> RatioAt {
        let interval = Some(Interval { low, high });
        RatioAt { x, ratio: Some(ratio), interval, of: Some(RatioStatistic::Medians), withheld: None }
    }

    fn withheld(x: f64, reason: WithheldReason) -> RatioAt {
        RatioAt { x, ratio: None, interval: None, of: None, withheld: Some(reason) }
    }

    fn pair<'a>(ratios: &'a [RatioAt], crossovers: &'a [Crossover]) -> ComparedPair<'a> {
        ComparedPair { baseline: "sort", other: "sort_stable", ratios, crossovers }
    }

    fn verdicts_of(ratios: &[RatioAt]) -> Vec<String> {
        verdicts(&[pair(ratios, &[])], "", false)
    }

    #[test]
    fn judges_both_ends_by_their_intervals() {
        let table: [(&[RatioAt], &str); 5] = [
            (
                &[known(100.0, 1.1, 1.05, 1.15), known(500.0, 9.0, 8.0, 10.0), known(1_000.0, 1.324, 1.291, 1.352)],
                "sort_stable takes 1.32 times [1.29, 1.35] as long as sort at 1 000; 1.10 times [1.05, 1.15] at 100.",
            ),
            (
                &[known(100.0, 0.5, 0.4, 1.02), known(1_000.0, 0.03, 0.029, 0.031)],
                "sort takes 33 times [32, 34] as long as sort_stable at 1 000; no difference was found at 100: 0.50 [0.40, 1.02].",
            ),
            (
                &[known(100.0, 0.5, 0.4, 0.8), known(1_000.0, 2.0, 1.9, 2.1)],
                "sort_stable takes 2.00 times [1.90, 2.10] as long as sort at 1 000; sort takes 2.00 times [1.25, 2.50] as long as sort_stable at 100.",
            ),
            (
                &[known(100.0, 1.0, 0.99, 1.01)],
                "No difference was found between sort_stable and sort at 100: 1.00 [0.99, 1.01].",
            ),
            (&[known(100.0, 152.0, 148.0, 156.0)], "sort_stable takes 152 times [148, 156] as long as sort at 100."),
        ];
        for (ratios, sentence) in table {
            assert_eq!(verdicts_of(ratios), [sentence.replace("1 000", &number(1_000.0))]);
        }
    }

    #[test]
    fn names_the_faster_function_of_a_crossover() {
        let verdict = |other_wins_above, unit| {
            let crossovers = [Crossover { x: 311.7, interval: Interval { low: 281.2, high: 352.4 }, other_wins_above }];
            verdicts(&[pair(&[], &crossovers)], unit, false)
        };
        assert_eq!(verdict(true, ""), ["sort_stable overtakes sort at 312 [281, 352]."]);
        assert_eq!(verdict(false, ""), ["sort overtakes sort_stable at 312 [281, 352]."]);
        assert_eq!(verdict(true, "keys"), ["sort_stable overtakes sort at 312 keys [281, 352]."]);
    }

    #[test]
    fn gives_the_reason_for_a_withheld_ratio() {
        let few = [withheld(100.0, WithheldReason::FewBlocks)];
        assert!(verdicts_of(&few)[0].starts_with("No ratio of sort_stable to sort at 100: too few blocks"));
        assert_eq!(verdicts(&[pair(&few, &[])], "", true), [""; 0], "more points may follow");
        let many: Vec<RatioAt> = (0..9).map(|x| withheld(f64::from(x), WithheldReason::Apart)).collect();
        assert!(verdicts_of(&many)[0].contains("at 9 of 9 points: measured one after the other"));
    }

    #[test]
    fn reports_different_outputs_separately() {
        let ratios = [withheld(100.0, WithheldReason::OutputsDiffer), known(500.0, 1.0, 0.9, 1.1)];
        assert_eq!(
            different_outputs(&[pair(&ratios, &[])]),
            [
                "sort_stable and sort do different work: their outputs differ at 100. Compare functions with equal outputs."
            ]
        );
        assert!(!verdicts_of(&ratios).iter().any(|verdict| verdict.contains("outputs")));
    }
}
