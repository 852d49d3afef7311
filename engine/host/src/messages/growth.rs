//! Sentences about growth.

use crate::analyze::growth::{Exponent, Growth, GrowthClass, GrowthCurve, GrowthVerdict};
use crate::units::{number, percent, significant};

/// How the time of a function grows with the axis `axis`.
pub fn growth_sentence(function: &str, axis: &str, growth: &Growth) -> String {
    match &growth.verdict {
        GrowthVerdict::Class { best, .. } if best.class == GrowthClass::Constant && best.break_at.is_none() => {
            let high = percent(growth.range.powf(growth.exponent.interval.high.max(0.0)) - 1.0);
            let deviation = percent(best.deviation);
            format!(
                "{function} is nearly independent of {axis} (at most {high} over the range; {}; typical deviation {deviation}).",
                exponent(growth)
            )
        }
        GrowthVerdict::Class { best, runner_up, .. } => {
            let second = runner_up.map(|class| format!("; second best: {class}")).unwrap_or_default();
            let (deviation, exponent) = (percent(best.deviation), exponent(growth));
            let details = format!("({exponent}; typical deviation {deviation}{second})");
            let break_sentence = break_sentence(best);
            match best.class {
                GrowthClass::Constant => {
                    format!("{function} is constant except for one jump {details}.{break_sentence}")
                }
                class => {
                    let constant = constant_part(growth, class);
                    format!("{function} grows like {constant}{class}, with n = {axis} {details}.{break_sentence}")
                }
            }
        }
        GrowthVerdict::Undecided(candidates) => {
            let names: Vec<String> = candidates.iter().map(ToString::to_string).collect();
            let names = names.join(" or ");
            let fastest = candidates.iter().copied().max_by(|one, other| one.power().total_cmp(&other.power()));
            let constant = fastest.map(|class| constant_part(growth, class)).unwrap_or_default();
            format!(
                "{function} may grow like {constant}{names}, with n = {axis} ({}). Measure a wider range, or more points.",
                exponent(growth)
            )
        }
    }
}

/// A class faster than the exponent over the range fits only together with a constant part, which dominates at the low end.
fn constant_part(growth: &Growth, class: GrowthClass) -> &'static str {
    if class.power() > growth.exponent.interval.high { "a constant plus " } else { "" }
}

/// The exponent with its interval.
fn exponent(growth: &Growth) -> String {
    let Exponent { estimate, interval } = growth.exponent;
    let [estimate, low, high] =
        [estimate, interval.low, interval.high].map(|value| format!("{value:.2}").replace('-', "−"));
    format!("exponent {estimate}, from {low} to {high}")
}

fn break_sentence(curve: &GrowthCurve) -> String {
    let Some(at) = curve.break_at else { return String::new() };
    let (after, before, factor) = (number(at.after), number(at.before), significant(at.factor, 2));
    format!(" Between {after} and {before}, it jumps by a factor of {factor}.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::growth::GrowthBreak;
    use crate::analyze::interval::Interval;

    fn sentence(verdict: GrowthVerdict) -> String {
        let exponent = Exponent { estimate: 1.083, interval: Interval { low: -0.044, high: 1.112 } };
        growth_sentence("sort", "size", &Growth { verdict, exponent, range: 1_000.0 }).replace(crate::units::SPACE, " ")
    }

    fn class(class: GrowthClass, break_at: Option<GrowthBreak>) -> GrowthVerdict {
        let best = GrowthCurve { class, intercept: 0.0, coefficient: 1.0, deviation: 0.031, break_at };
        GrowthVerdict::Class { best, support: 0.97, runner_up: Some(GrowthClass::Linear) }
    }

    #[test]
    fn states_class_exponent_deviation_and_runner_up() {
        assert_eq!(
            sentence(class(GrowthClass::Linearithmic, None)),
            "sort grows like n log n, with n = size (exponent 1.08, from −0.04 to 1.11; typical deviation 3.1%; second best: n)."
        );
        let exponent = Exponent { estimate: 0.004, interval: Interval { low: -0.01, high: 0.018 } };
        let growth = Growth { verdict: class(GrowthClass::Constant, None), exponent, range: 1_000.0 };
        assert_eq!(
            growth_sentence("sort", "size", &growth).replace(crate::units::SPACE, " "),
            "sort is nearly independent of size (at most 13% over the range; exponent 0.00, from −0.01 to 0.02; typical deviation 3.1%)."
        );
        let break_at = GrowthBreak { after: 900.0, before: 1_200.0, factor: 2.134 };
        assert!(
            sentence(class(GrowthClass::Quadratic, Some(break_at)))
                .ends_with("second best: n). Between 900 and 1 200, it jumps by a factor of 2.1.")
        );
    }

    #[test]
    fn a_class_above_the_exponent_has_a_constant_part() {
        let decided = sentence(class(GrowthClass::Quadratic, None));
        assert!(decided.starts_with("sort grows like a constant plus n², with n = size (exponent 1.08"), "{decided}");
        let undecided = sentence(GrowthVerdict::Undecided(vec![GrowthClass::Cubic, GrowthClass::Linear]));
        assert!(undecided.starts_with("sort may grow like a constant plus n³ or n, with"), "{undecided}");
    }

    #[test]
    fn names_the_candidates_if_undecided() {
        assert_eq!(
            sentence(GrowthVerdict::Undecided(vec![GrowthClass::Linear, GrowthClass::Linearithmic])),
            "sort may grow like n or n log n, with n = size (exponent 1.08, from −0.04 to 1.11). Measure a wider range, or more points."
        );
    }
}
