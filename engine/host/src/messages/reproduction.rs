//! Sentences about a repeated measurement: which conclusions of the original one held.

use benchbook_contract::axis_value::AxisValue;

use super::answer::AnswerContext;
use super::at::at_value;
use super::verdicts::ratio_and_interval;
use crate::compare::ranking::{RankedRatio, Ranking};

/// The most conclusions of each kind that are listed; the others are counted.
const MAX_LISTED: usize = 3;

/// The outcome of a conclusion when it was measured again.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Repetition {
    /// The same function is faster, and the intervals of the ratios overlap.
    Held,
    /// The same function is faster, but the intervals do not overlap.
    OtherRatio(RankedRatio),
    /// The other function is faster.
    Reversed,
    /// It is not certain which function is faster.
    Uncertain,
    /// Its axis value was not measured again.
    NotMeasured,
}

/// A conclusion: a function that the original measurement shows to be faster than another one at an axis value.
struct Conclusion<'a> {
    faster: usize,
    slower: usize,
    x: &'a AxisValue,
    ratio: RankedRatio,
    outcome: Repetition,
}

/// Returns how many conclusions of the original measurement held in the repeated one, then those that did not, the reversed ones
/// first. Empty if the original has no conclusions, such as for a single function, or only at axis values that were not measured again. Both rank the same functions in the same order.
///
/// A conclusion is a ratio of two functions whose simultaneous 95% interval excludes 1. It held if the repeated interval is on the
/// same side of 1 and overlaps the original one. Conclusions at axis values that were not measured again are only counted.
pub fn reproduction_sentences(
    original: &Ranking,
    repeated: &Ranking,
    machine: &str,
    context: AnswerContext<'_>,
) -> Vec<String> {
    let (conclusions, others): (Vec<Conclusion<'_>>, Vec<Conclusion<'_>>) =
        conclusions(original, repeated).into_iter().partition(|one| one.outcome != Repetition::NotMeasured);
    if conclusions.is_empty() {
        return Vec::new();
    }
    let held = conclusions.iter().filter(|one| one.outcome == Repetition::Held).count();
    let count = match (held, conclusions.len()) {
        (1, 1) => "The result".to_owned(),
        (2, 2) => "Both results".to_owned(),
        (held, all) if held == all => format!("All {all} results"),
        (held, all) => format!("{held} of {all} results"),
    };
    let others = match others.len() {
        0 => String::new(),
        1 => " Another result is about a value that was not measured here.".to_owned(),
        others => format!(" {others} other results are about values that were not measured here."),
    };
    let summary =
        format!("{count} from {machine} {} here.{others}", if conclusions.len() == 1 { "holds" } else { "hold" });
    let of_kind = |kind: fn(&Repetition) -> bool, text: &dyn Fn(&Conclusion<'_>) -> String| {
        let failed: Vec<&Conclusion<'_>> = conclusions.iter().filter(|one| kind(&one.outcome)).collect();
        let more = failed.len().saturating_sub(MAX_LISTED);
        let listed = failed.into_iter().take(MAX_LISTED).map(|one| {
            let [faster, slower] = [one.faster, one.slower].map(|function| &context.names[function]);
            let at = at_value(one.x, context.unit);
            format!("`{faster}` was faster than `{slower}`{at}; {}.", text(one))
        });
        listed.chain((more > 0).then(|| format!("{more} more like this."))).collect::<Vec<String>>()
    };
    let reversed = of_kind(|outcome| *outcome == Repetition::Reversed, &|_| "here it is slower".to_owned());
    let other = of_kind(|outcome| matches!(outcome, Repetition::OtherRatio(_)), &other_ratio);
    let uncertain = of_kind(|outcome| *outcome == Repetition::Uncertain, &|_| "here this is not certain".to_owned());
    [vec![summary], reversed, other, uncertain].concat()
}

/// Both ratios of a conclusion.
fn other_ratio(conclusion: &Conclusion<'_>) -> String {
    let text = |ratio: RankedRatio| {
        let (ratio, interval) = ratio_and_interval(ratio.ratio, ratio.interval);
        format!("{ratio} ({interval})")
    };
    let Repetition::OtherRatio(here) = conclusion.outcome else { return String::new() };
    format!("here it is, too, but the ratio is {} instead of {}", text(here), text(conclusion.ratio))
}

fn conclusions<'a>(original: &'a Ranking, repeated: &Ranking) -> Vec<Conclusion<'a>> {
    let mut conclusions = Vec::new();
    for (value, x) in original.values().iter().enumerate() {
        let again = repeated.values().iter().position(|other| other == x);
        for faster in 0..original.functions() {
            for slower in (0..original.functions()).filter(|&slower| slower != faster) {
                let Some(ratio) = original.ratio(slower, faster, value).filter(|ratio| ratio.interval.low > 1.0) else {
                    continue;
                };
                let outcome = match again {
                    Some(value) => outcome(ratio, repeated.ratio(slower, faster, value)),
                    None => Repetition::NotMeasured,
                };
                conclusions.push(Conclusion { faster, slower, x, ratio, outcome });
            }
        }
    }
    conclusions
}

fn outcome(original: RankedRatio, repeated: Option<RankedRatio>) -> Repetition {
    match repeated {
        Some(here) if here.interval.high < 1.0 => Repetition::Reversed,
        Some(here) if here.interval.low > 1.0 => {
            let overlaps = here.interval.low <= original.interval.high && original.interval.low <= here.interval.high;
            if overlaps { Repetition::Held } else { Repetition::OtherRatio(here) }
        }
        Some(_) | None => Repetition::Uncertain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::ranking::examples::{ranking, sizes};

    /// The sentences for two functions with these times at 10 and 100, originally and here.
    fn sentences(original: [[f64; 2]; 2], repeated: [[f64; 2]; 2]) -> Vec<String> {
        let names = ["sort", "radix_sort"].map(str::to_owned);
        let ranked = |times: [[f64; 2]; 2]| ranking(&sizes(&[10.0, 100.0]), &[&times[0], &times[1]]);
        let context = AnswerContext { names: &names, unit: "keys", margin: 0.01 };
        let sentences = reproduction_sentences(&ranked(original), &ranked(repeated), "reference-01", context);
        sentences.into_iter().map(|sentence| sentence.replace(crate::units::SPACE, " ")).collect()
    }

    const ORIGINAL: [[f64; 2]; 2] = [[100.0, 1_000.0], [200.0, 500.0]];

    #[test]
    fn conclusions_hold_on_a_machine_that_is_slower_by_one_factor() {
        let expected = "Both results from reference-01 hold here.";
        assert_eq!(sentences(ORIGINAL, ORIGINAL.map(|times| times.map(|time| 3.0 * time))), [expected]);
    }

    #[test]
    fn conclusions_at_values_that_were_not_measured_again_are_only_counted() {
        let names = ["sort", "radix_sort"].map(str::to_owned);
        let context = AnswerContext { names: &names, unit: "keys", margin: 0.01 };
        let original = ranking(&sizes(&[10.0, 100.0, 1_000.0]), &[&[10.0, 100.0, 1_000.0], &[20.0, 200.0, 2_000.0]]);
        let again = |size, times: [f64; 1]| ranking(&sizes(&[size]), &[&times, &[200.0]]);
        let sentences = |repeated| reproduction_sentences(&original, &repeated, "reference-01", context);
        let [summary] = &sentences(again(100.0, [100.0]))[..] else { panic!("it held") };
        let rest = "2 other results are about values that were not measured here.";
        assert_eq!(*summary, format!("The result from reference-01 holds here. {rest}"));
        assert_eq!(sentences(again(50.0, [100.0])), Vec::<String>::new());
    }

    #[test]
    fn lists_the_conclusions_that_did_not_hold() {
        let found = sentences(ORIGINAL, [[300.0, 1_000.0], [200.0, 250.0]]);
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found[0].starts_with("0 of 2 results from reference-01 hold here."), "{}", found[0]);
        assert_eq!(found[1], "`sort` was faster than `radix_sort` at 10 keys; here it is slower.");
        let other = "`radix_sort` was faster than `sort` at 100 keys; here it is, too, but the ratio is 4.0";
        assert!(found[2].starts_with(other) && found[2].contains(" instead of 2.0"), "{}", found[2]);
    }

    #[test]
    fn a_difference_that_disappears_is_uncertain() {
        let found = sentences(ORIGINAL, [[100.0, 1_000.0], [100.0, 500.0]]);
        assert_eq!(found[1..], ["`sort` was faster than `radix_sort` at 10 keys; here this is not certain."]);
        assert!(found[0].starts_with("1 of 2 results"), "{}", found[0]);
    }

    #[test]
    fn equal_times_have_no_conclusions() {
        assert_eq!(sentences([[100.0, 100.0]; 2], ORIGINAL), [""; 0]);
    }
}
