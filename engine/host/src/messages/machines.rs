//! Sentences about a browser and a native runner: how many times as long functions take, and whether their order differs.

use benchbook_contract::axis_value::AxisValue;

use crate::analyze::compare::RatioStatistic;
use crate::analyze::interval::Interval;
use crate::analyze::machine_ratio::MachineRatio;
use crate::compare::machines::{MachinesAt, RankAgreement, ReversedPair};
use crate::units::{number, significant};

use super::at::at_x;
use super::verdicts::ratio_and_interval;

/// The most axis values that a sentence lists.
const MAX_LISTED: usize = 5;

/// Returns a sentence about the ratio of each function, and those about the order of the functions if there are several.
/// `names`: those of the compared functions. `compared`: each axis value, in the order of the axis.
pub fn machine_sentences(names: &[&str], compared: &[MachinesAt]) -> Vec<String> {
    let ratios = names.iter().enumerate().filter_map(|(function, name)| ratio_sentence(function, name, compared));
    ratios.chain(rank_sentences(names, compared)).collect()
}

/// A ratio with its interval: `1.32 (1.29 to 1.35)`.
pub fn machine_ratio(ratio: MachineRatio) -> String {
    match ratio.interval {
        Some(interval) => {
            let (value, interval) = ratio_and_interval(ratio.value, interval);
            format!("{value} ({interval})")
        }
        None => significant(ratio.value, 2),
    }
}

/// Kendall's τ with two decimals: `0.33`; a dash if it is absent.
pub fn tau(tau: Option<f64>) -> String {
    tau.map_or_else(|| "–".to_owned(), |tau| number((tau * 100.0).round() / 100.0))
}

/// Names the statistics behind the ratios.
pub fn compared_statistics(compared: &[MachinesAt]) -> &'static str {
    let is_of = |statistic| compared.iter().any(|at| at.of == statistic);
    match (is_of(RatioStatistic::Medians), is_of(RatioStatistic::Means)) {
        (true, true) => "medians, or means where a median is unavailable",
        (false, true) => "means",
        _ => "medians",
    }
}

/// How many times as long a function takes on the slower machine, over all axis values; `None` without a ratio.
fn ratio_sentence(function: usize, name: &str, compared: &[MachinesAt]) -> Option<String> {
    let mut ratios: Vec<MachineRatio> = Vec::new();
    let mut values: Vec<&AxisValue> = Vec::new();
    for at in compared {
        if let Some(found) = at.functions.iter().find(|one| one.function == function) {
            ratios.push(found.ratio);
            values.push(&at.x);
        }
    }
    // "2 times as long" is easier to read than "0.5 times".
    let is_native_slower = !ratios.is_empty() && ratios.iter().all(|ratio| ratio.value < 1.0);
    if is_native_slower {
        ratios = ratios.into_iter().map(reciprocal).collect();
    }
    let factor = match ratios[..] {
        [] => return None,
        [ratio] => machine_ratio(ratio),
        _ => range(&ratios),
    };
    let at = if values.len() == 1 { at_x(values) } else { String::new() };
    Some(if is_native_slower {
        format!("Natively, {name} takes {factor} times as long as in this browser{at}.")
    } else {
        format!("In this browser, {name} takes {factor} times as long as natively{at}.")
    })
}

fn reciprocal(MachineRatio { value, interval }: MachineRatio) -> MachineRatio {
    let interval = interval.map(|Interval { low, high }| Interval { low: 1.0 / high, high: 1.0 / low });
    MachineRatio { value: 1.0 / value, interval }
}

/// The least and the greatest ratio: `1.4 to 2.1`.
fn range(ratios: &[MachineRatio]) -> String {
    let values = || ratios.iter().map(|ratio| ratio.value);
    let ends = [values().fold(f64::INFINITY, f64::min), values().fold(0.0, f64::max)];
    let [low, high] = ends.map(|end| significant(end, 2));
    if low == high { low } else { format!("{low} to {high}") }
}

/// The sentences about the order of the functions; none if no axis value has several of them.
fn rank_sentences(names: &[&str], compared: &[MachinesAt]) -> Vec<String> {
    let ranked: Vec<(&AxisValue, &RankAgreement)> =
        compared.iter().filter_map(|at| Some((&at.x, at.ranks.as_ref()?))).collect();
    let mut pairs: Vec<ReversedPair> = Vec::new();
    for pair in ranked.iter().flat_map(|(_, ranks)| &ranks.reversed) {
        if !pairs.contains(pair) {
            pairs.push(*pair);
        }
    }
    if pairs.is_empty() {
        return same_order(&ranked).into_iter().collect();
    }
    pairs.into_iter().filter_map(|pair| reversed_sentence(names, pair, &ranked)).collect()
}

/// The axis values at which the order of a pair differs, with their τ.
fn reversed_sentence(names: &[&str], pair: ReversedPair, ranked: &[(&AxisValue, &RankAgreement)]) -> Option<String> {
    let (browser, native) = (names.get(pair.faster_in_browser)?, names.get(pair.faster_natively)?);
    let differing: Vec<_> = ranked.iter().filter(|(_, ranks)| ranks.reversed.contains(&pair)).collect();
    let at = match differing.len() {
        ..=MAX_LISTED => at_x(differing.iter().map(|(x, _)| *x)),
        many => format!(" at {many} of {} axis values", ranked.len()),
    };
    let tau = tau_range(differing.iter().filter_map(|(_, ranks)| ranks.tau));
    Some(format!("The order differs natively{at}: {browser} is faster in this browser, {native} natively ({tau})."))
}

/// The verdict if no pair is certain to differ; `None` without ranked functions.
fn same_order(ranked: &[(&AxisValue, &RankAgreement)]) -> Option<String> {
    let taus: Vec<f64> = ranked.iter().filter_map(|(_, ranks)| ranks.tau).collect();
    let (known, all) = (taus.len(), ranked.len());
    let is_same = taus.iter().all(|&value| tau(Some(value)) == tau(Some(1.0)));
    Some(match known {
        _ if all == 0 => return None,
        0 => "Too imprecise to say whether the order is the same natively. Measure longer.".to_owned(),
        _ if is_same && known == all => "Same order natively.".to_owned(),
        _ if is_same => {
            format!("Same order natively at {known} of {all} axis values. At the others, the order is uncertain.")
        }
        _ => {
            let tau = tau_range(taus);
            format!("The order does not clearly differ natively, but it is partly uncertain ({tau}).")
        }
    })
}

/// `Kendall's τ −1 to 0.33`.
fn tau_range(taus: impl IntoIterator<Item = f64>) -> String {
    let taus: Vec<f64> = taus.into_iter().collect();
    let ends = [taus.iter().copied().reduce(f64::min), taus.iter().copied().reduce(f64::max)];
    let [low, high] = ends.map(tau);
    if low == high { format!("Kendall's τ {low}") } else { format!("Kendall's τ {low} to {high}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::machine_ratio::TimeEstimate;
    use crate::compare::machines::FunctionOnBoth;
    use crate::messages::golden::assert_golden;

    const NAMES: [&str; 3] = ["sort", "sort_stable", "heap_sort"];

    /// The ratios of the first functions, each ±10%.
    fn at(x: impl Into<AxisValue>, ratios: &[f64], ranks: Option<RankAgreement>) -> MachinesAt {
        let function = |(function, &value): (usize, &f64)| {
            let time = TimeEstimate { value: 100.0, interval: None };
            let ratio = MachineRatio { value, interval: Some(Interval { low: 0.9 * value, high: 1.1 * value }) };
            FunctionOnBoth { function, browser: time, native: time, ratio }
        };
        let functions = ratios.iter().enumerate().map(function).collect();
        MachinesAt { x: x.into(), of: RatioStatistic::Medians, functions, ranks }
    }

    fn sentences(compared: &[MachinesAt]) -> Vec<String> {
        machine_sentences(&NAMES, compared)
    }

    #[test]
    fn states_the_range_of_the_ratios() {
        let table: &[&[MachinesAt]] = &[
            &[at(100.0, &[1.42], None), at(500.0, &[2.13], None), at(1_000.0, &[1.7], None)],
            &[at(100.0, &[0.5], None), at(500.0, &[0.8], None)],
            &[at(100.0, &[0.5], None), at(500.0, &[13.04], None)],
            &[at(100.0, &[1.401], None), at(500.0, &[1.402], None)],
            &[at(100.0, &[2.0], None)],
            &[at(AxisValue::Absent, &[0.5], None)],
        ];
        assert_golden("machine_ratios.txt", &table.iter().flat_map(|at| sentences(at)).collect::<Vec<_>>());
        assert_eq!(sentences(&[]), [""; 0]);
    }

    fn ranks(tau: Option<f64>, reversed: &[(usize, usize)]) -> RankAgreement {
        let pair = |&(faster_in_browser, faster_natively)| ReversedPair { faster_in_browser, faster_natively };
        RankAgreement { tau, reversed: reversed.iter().map(pair).collect() }
    }

    /// The sentences about the order at 1 000, 2 000 and so on, without those about ratios.
    fn orders(ranks: impl IntoIterator<Item = RankAgreement>) -> Vec<String> {
        let numbered = (1_u32..).zip(ranks).map(|(index, ranks)| at(f64::from(1_000 * index), &[], Some(ranks)));
        sentences(&numbered.collect::<Vec<MachinesAt>>())
    }

    #[test]
    fn names_the_functions_whose_order_differs() {
        let third = Some(1.0 / 3.0);
        let many = (0..7).map(|index| if index < 6 { ranks(Some(-1.0), &[(0, 1)]) } else { ranks(None, &[]) });
        let sentences = [
            orders([ranks(third, &[(1, 0)])]),
            orders([ranks(third, &[(1, 0)]), ranks(Some(1.0), &[]), ranks(Some(-1.0), &[(1, 0), (2, 0)])]),
            orders(many),
            sentences(&[at(AxisValue::Absent, &[], Some(ranks(Some(-1.0), &[(0, 1)])))]),
        ];
        assert_golden("machine_orders.txt", &sentences.concat());
    }

    #[test]
    fn states_agreement_as_far_as_it_is_certain() {
        let table: &[&[Option<f64>]] = &[
            &[Some(1.0), Some(1.0 - 1e-16)],
            &[Some(1.0), None, Some(1.0)],
            &[Some(0.816_5), None, Some(1.0)],
            &[None, None],
        ];
        let sentences = table.iter().flat_map(|taus| orders(taus.iter().map(|&tau| ranks(tau, &[]))));
        assert_golden("machine_agreement.txt", &sentences.collect::<Vec<_>>());
    }

    #[test]
    fn names_the_compared_statistics() {
        let of = |of| MachinesAt { of, ..at(100.0, &[1.0], None) };
        let (medians, means) = (of(RatioStatistic::Medians), of(RatioStatistic::Means));
        assert_eq!(compared_statistics(std::slice::from_ref(&medians)), "medians");
        assert_eq!(compared_statistics(std::slice::from_ref(&means)), "means");
        assert_eq!(compared_statistics(&[medians, means]), "medians, or means where a median is unavailable");
    }

    #[test]
    fn formats_a_ratio_without_an_interval() {
        assert_eq!(machine_ratio(MachineRatio { value: 1.417, interval: None }), "1.4");
        assert_eq!(tau(None), "–");
    }
}
