//! Sentences about comparisons: which function takes longer, by what factor, and where one becomes faster than another.

use crate::analyze::compare::{RatioStatistic, WithheldReason};
use crate::analyze::equivalence::Decision;
use crate::analyze::interval::Interval;
use crate::compare::ranking::StatedCrossover;
use crate::response::{MeansRatio, RatioAt};
use crate::units::{exact_percent, number};
use benchbook_contract::axis_value::AxisValue;

use super::at::{at_x, crossover_place};

/// Two functions that were measured together.
#[derive(Clone, Debug)]
pub struct ComparedPair<'a> {
    /// The name of the function that the ratios refer to.
    pub baseline: &'a str,
    /// The name of the function compared with it.
    pub other: &'a str,
    /// The ratio at each axis value, or why it is unavailable.
    pub ratios: &'a [RatioAt],
    /// The axis values at which one becomes faster than the other.
    pub crossovers: Vec<StatedCrossover>,
}

/// The greatest factor that is stated as a number.
const MAX_FACTOR: f64 = 1_000.0;

/// The most axis values that a sentence lists.
const MAX_LISTED: usize = 5;

/// A ratio and its interval, such as `2.43` and `2.36 to 2.51`, with the digits that the interval justifies.
pub fn ratio_and_interval(ratio: f64, Interval { low, high }: Interval) -> (String, String) {
    let fewest = if high < 10.0 { 2.0 } else { 0.0 };
    let decimals = (-(high - low).log10()).ceil().clamp(fewest, 5.0) as usize;
    (format!("{ratio:.decimals$}"), format!("{low:.decimals$} to {high:.decimals$}"))
}

/// The name of the statistic behind a ratio.
pub fn statistic_name(statistic: RatioStatistic) -> &'static str {
    match statistic {
        RatioStatistic::Medians => "medians",
        RatioStatistic::Means => "means",
    }
}

/// Why a ratio is unavailable, as part of a sentence.
pub fn withheld_reason(reason: WithheldReason) -> &'static str {
    match reason {
        WithheldReason::Apart => "measured one after the other, so the machine may have changed in between",
        WithheldReason::OutputsDiffer => "the outputs differ",
        WithheldReason::Unpaired => "they have different numbers of blocks; measure again",
        WithheldReason::FewBlocks => "too few blocks of inputs for an interval; measure longer",
        WithheldReason::NotAboveZero => "one of the times is indistinguishable from zero",
    }
}

/// Returns a sentence for each pair whose outputs differ at some axis value; its ratios there are unavailable.
pub fn different_outputs(pairs: &[ComparedPair<'_>]) -> Vec<String> {
    let sentence = |pair: &ComparedPair<'_>| {
        let at = withheld_at(pair, WithheldReason::OutputsDiffer)?;
        let ComparedPair { baseline, other, .. } = pair;
        Some(format!(
            "{other} and {baseline} do different work: their outputs differ{at}. Compare functions with equal outputs."
        ))
    };
    pairs.iter().filter_map(sentence).collect()
}

/// Returns the verdicts about each pair, and the reasons for unavailable ratios. `unit` is that of the axis. `margin`: the
/// relative difference up to which times count as the same.
pub fn verdicts(pairs: &[ComparedPair<'_>], unit: &str, margin: f64, is_measuring: bool) -> Vec<String> {
    let mut verdicts = Vec::new();
    for pair in pairs {
        verdicts.extend(verdicts_about(pair, margin));
        verdicts.extend(pair.crossovers.iter().map(|crossover| crossover_sentence(pair, crossover, unit)));
        let means = Contradiction::greatest(pair.ratios).map(|means| means.clause([pair.baseline, pair.other]));
        verdicts.extend(means.map(|clause| format!("Ranked by medians; {clause}.")));
        // During a measurement, later points may still have a ratio.
        let reasons =
            [WithheldReason::Apart, WithheldReason::Unpaired, WithheldReason::FewBlocks, WithheldReason::NotAboveZero];
        for reason in reasons.into_iter().filter(|_| !is_measuring) {
            if let Some(at) = withheld_at(pair, reason) {
                let ComparedPair { baseline, other, .. } = pair;
                verdicts.push(format!("No ratio of {other} to {baseline}{at}: {}.", withheld_reason(reason)));
            }
        }
    }
    verdicts
}

/// What the means say at an axis value where they contradict the medians.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contradiction<'a> {
    pub(super) x: &'a AxisValue,
    means: MeansRatio,
    /// The distance of both ratios, as a logarithm.
    pub(super) distance: f64,
}

impl<'a> Contradiction<'a> {
    /// The greatest one; `None` if means and medians contradict each other nowhere.
    pub(super) fn greatest(ratios: &'a [RatioAt]) -> Option<Self> {
        let at = |at: &'a RatioAt| {
            let means = at.contradicting_means?;
            Some(Self { x: &at.x, means, distance: (means.ratio / at.ratio?).ln().abs() })
        };
        ratios.iter().filter_map(at).max_by(|one, other| one.distance.total_cmp(&other.distance))
    }

    /// A clause. `names`: those of the baseline and of the other function.
    pub(super) fn clause(&self, [baseline, other]: [&str; 2]) -> String {
        let MeansRatio { ratio, interval: Interval { low, high } } = self.means;
        let (slower, faster, ratio, interval) = if ratio < 1.0 {
            (baseline, other, 1.0 / ratio, Interval { low: 1.0 / high, high: 1.0 / low })
        } else {
            (other, baseline, ratio, Interval { low, high })
        };
        let (ratio, interval) = ratio_and_interval(ratio, interval);
        format!("on average, {slower} takes {ratio} times as long as {faster}{} ({interval})", at_x([self.x]))
    }
}

fn crossover_sentence(pair: &ComparedPair<'_>, crossover: &StatedCrossover, unit: &str) -> String {
    let (faster, slower) =
        if crossover.other_wins_above { (pair.other, pair.baseline) } else { (pair.baseline, pair.other) };
    format!("{faster} becomes faster than {slower} {}.", crossover_place(crossover, unit))
}

/// The verdict at one axis value. Ratios are at least 1, since "33 times as long" is easier to read than "0.03 times".
struct VerdictAt<'a> {
    decision: Decision,
    /// The slower and the faster function.
    order: [&'a str; 2],
    /// The ratio and its interval.
    ratio: String,
    interval: String,
    /// Such as ` at 1 000`; empty without an axis.
    at: String,
}

impl<'a> VerdictAt<'a> {
    /// `None` if the ratio is unavailable.
    fn new(pair: &ComparedPair<'a>, at: &RatioAt, margin: f64) -> Option<Self> {
        let (decision, value, interval) = (at.decide(margin)?, at.ratio?, at.interval?);
        let Interval { low, high } = interval;
        let (order, value, interval) = if value < 1.0 {
            ([pair.baseline, pair.other], 1.0 / value, Interval { low: 1.0 / high, high: 1.0 / low })
        } else {
            ([pair.other, pair.baseline], value, interval)
        };
        let (ratio, interval) = ratio_and_interval(value, interval);
        Some(Self { decision, order, ratio, interval, at: at_x([&at.x]) })
    }

    fn sentence(&self, margin: f64) -> String {
        let Self { order: [slower, faster], ratio, interval, at, .. } = self;
        match self.decision {
            Decision::Different => format!("{slower} takes {ratio} times as long as {faster}{at} ({interval})"),
            Decision::Same => {
                let margin = exact_percent(margin);
                format!("{slower} and {faster} take the same time within ±{margin}{at}: {ratio} ({interval})")
            }
            Decision::Undecided { factor } => {
                format!("Undecided between {slower} and {faster}{at}: {ratio} ({interval}); {}", required(factor))
            }
        }
    }
}

/// The effort that a decision needs.
fn required(factor: f64) -> String {
    match factor.ceil() {
        most if most > MAX_FACTOR => format!("a decision needs over {} times as many samples", number(MAX_FACTOR)),
        factor => format!("a decision needs about {} times as many samples", number(factor)),
    }
}

/// The verdicts at the ends of the axis; at each value if the values have no order.
fn verdicts_about<'a>(pair: &ComparedPair<'a>, margin: f64) -> Vec<String> {
    let verdicts = pair.ratios.iter().filter_map(|at| VerdictAt::new(pair, at, margin)).collect::<Vec<VerdictAt<'a>>>();
    if pair.ratios.iter().all(|at| at.x.number().is_some()) {
        return verdict_at_ends(&verdicts, margin).into_iter().collect();
    }
    let mut sentences: Vec<String> =
        verdicts.iter().take(MAX_LISTED).map(|verdict| verdict.sentence(margin) + ".").collect();
    let more = verdicts.len().saturating_sub(MAX_LISTED);
    sentences.extend((more > 0).then(|| format!("And {more} more: see the table.")));
    sentences
}

/// The verdict at the greatest axis value and at the least.
fn verdict_at_ends(verdicts: &[VerdictAt<'_>], margin: f64) -> Option<String> {
    let greatest = verdicts.last()?;
    let mut verdict = greatest.sentence(margin);
    if let [least, .., _] = verdicts {
        let is_same_order = greatest.decision == Decision::Different && least.order == greatest.order;
        verdict += "; ";
        verdict += &match least.decision {
            Decision::Different if is_same_order => format!("{} times{} ({})", least.ratio, least.at, least.interval),
            Decision::Undecided { .. } => least.sentence(margin).replacen('U', "u", 1),
            _ => least.sentence(margin),
        };
    }
    Some(verdict + ".")
}

/// The axis values at which a ratio is unavailable for a reason, such as ` at 100, 500`: empty without an axis, and `None` if
/// no ratio is unavailable for it.
fn withheld_at(pair: &ComparedPair<'_>, reason: WithheldReason) -> Option<String> {
    let all: Vec<&AxisValue> =
        pair.ratios.iter().filter(|at| at.withheld == Some(reason)).map(|RatioAt { x, .. }| x).collect();
    match all.len() {
        0 => None,
        1..=MAX_LISTED => Some(at_x(all)),
        many => Some(format!(" at {many} of {} points", pair.ratios.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages::golden::assert_golden;

    fn known(x: impl Into<AxisValue>, ratio: f64, low: f64, high: f64) -> RatioAt {
        let interval = Some(Interval { low, high });
        let of = Some(RatioStatistic::Medians);
        RatioAt { x: x.into(), ratio: Some(ratio), interval, equivalence: interval, of, ..RatioAt::default() }
    }

    fn by_means(at: RatioAt, ratio: f64) -> RatioAt {
        let interval = Interval { low: 0.99 * ratio, high: 1.01 * ratio };
        RatioAt { contradicting_means: Some(MeansRatio { ratio, interval }), ..at }
    }

    fn withheld(x: f64, reason: WithheldReason) -> RatioAt {
        RatioAt { x: x.into(), withheld: Some(reason), ..RatioAt::default() }
    }

    fn pair<'a>(ratios: &'a [RatioAt], crossovers: &[StatedCrossover]) -> ComparedPair<'a> {
        ComparedPair { baseline: "sort", other: "sort_stable", ratios, crossovers: crossovers.to_vec() }
    }

    fn verdicts_of(ratios: &[RatioAt]) -> Vec<String> {
        verdicts(&[pair(ratios, &[])], "", 0.01, false)
    }

    #[test]
    fn judges_both_ends_by_their_intervals() {
        let same = |x: &str| known(x, 1.0, 0.999, 1.001);
        let table: &[&[RatioAt]] = &[
            &[known(100.0, 1.1, 1.05, 1.15), known(500.0, 9.0, 8.0, 10.0), known(1_000.0, 1.324, 1.291, 1.352)],
            &[known(100.0, 0.5, 0.4, 1.02), known(1_000.0, 0.03, 0.029, 0.031)],
            &[known(100.0, 0.5, 0.4, 0.8), known(1_000.0, 2.0, 1.9, 2.1)],
            &[known(100.0, 1.002, 0.999, 1.005)],
            &[known(100.0, 1.0, 0.97, 1.03), known(1_000.0, 1.0, 0.991, 1.009)],
            &[known(100.0, 1.009, 0.99, 1.03)],
            &[known(100.0, 152.0, 148.0, 156.0)],
            // Each value of an axis without order, and a single value without an axis.
            &[known("Random", 2.0, 1.9, 2.1), known("Sorted", 1.0, 0.99, 1.02)],
            &["a", "b", "c", "d", "e", "f", "g"].map(same),
            &[known(AxisValue::Absent, 2.0, 1.9, 2.1)],
            &[by_means(known(100.0, 1.05, 1.04, 1.06), 0.92), by_means(known(200.0, 1.05, 1.04, 1.06), 0.8)],
        ];
        assert_golden("verdicts.txt", &table.iter().flat_map(|ratios| verdicts_of(ratios)).collect::<Vec<_>>());
    }

    #[test]
    fn names_the_faster_function_of_a_crossover() {
        let verdict = |(other_wins_above, estimate, unit)| {
            let range = Interval { low: 281.0, high: 1_352.0 };
            let crossovers = [StatedCrossover { root: 311.7, range, estimate, other_wins_above }];
            verdicts(&[pair(&[], &crossovers)], unit, 0.01, false).concat()
        };
        let table = [(true, None, ""), (false, None, "keys"), (true, Some(312.0), ""), (true, Some(312.0), "keys")];
        assert_golden("crossovers.txt", &table.map(verdict));
    }

    #[test]
    fn gives_the_reason_for_a_withheld_ratio() {
        let few = [withheld(100.0, WithheldReason::FewBlocks)];
        assert!(verdicts_of(&few)[0].starts_with("No ratio of sort_stable to sort at 100: too few blocks"));
        assert_eq!(verdicts(&[pair(&few, &[])], "", 0.01, true), [""; 0], "more points may follow");
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
