//! Ratios on many machines.

use std::rc::Rc;

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::analyze::interval::Interval;
use benchbook_host::response::{Comparison, RatioAt};
use benchbook_notebook::id::Id;
use benchbook_notebook::result::CellResult;
use benchbook_report::ratio_distribution::RatioDistribution;
use benchbook_report::results::Results;

use super::fixed_results::comparison;

const X: f64 = 1_000.0;

/// The result of a machine that found this ratio with an interval of ±1%.
fn with_ratio(index: usize, ratio: f64) -> Rc<CellResult> {
    let result = &comparison().latest[0];
    let mut changed = result.without_samples();
    changed.id = Id::from_random(index as u64);
    let setup = Rc::make_mut(&mut changed.setup);
    (setup.machine.name, setup.machine.id) = ("Firefox 153".to_owned(), Some(index.to_string()));
    setup.machine.processor = Some(format!("processor {index}"));
    let stored: &Comparison = &changed.comparisons[0];
    let interval = Some(Interval { low: 0.99 * ratio, high: 1.01 * ratio });
    let at = RatioAt { x: X.into(), ratio: Some(ratio), interval, equivalence: interval, ..RatioAt::default() };
    changed.comparisons = Rc::new(vec![Comparison { ratios: vec![at], ..stored.clone() }]);
    Rc::new(changed)
}

fn results(ratios: &[f64]) -> Results {
    let mut all: Vec<Rc<CellResult>> =
        ratios.iter().enumerate().map(|(index, ratio)| with_ratio(index, *ratio)).collect();
    let latest = all.pop().into_iter().collect();
    Results { earlier: all, latest, ..Results::default() }
}

fn distribution(results: &Results) -> Option<RatioDistribution> {
    RatioDistribution::of(results, &AxisValue::from(X), 0.05)
}

#[test]
fn states_quartiles_findings_and_outliers() {
    // NumPy: np.quantile([0.5, 1.9, 2, 2.1, 2.2, 2.3, 2.4, 9], [.25, .5, .75]) is [1.975, 2.15, 2.325].
    let found = distribution(&results(&[2.1, 1.9, 9.0, 2.0, 2.3, 0.5, 2.2, 2.4])).expect("eight machines");
    let function = &found.functions[0];
    let expected = [1.975, 2.15, 2.325];
    assert!(function.quartiles.iter().zip(expected).all(|(one, other)| (one - other).abs() < 1e-12), "{function:?}");
    let outliers: Vec<&str> = function.outliers().map(|one| one.machine.as_str()).collect();
    assert_eq!(outliers, ["Firefox 153 on processor 5", "Firefox 153 on processor 2"]);
    assert_eq!(
        found.sentences(),
        [
            "On 8 machines, `sort<u64, \"a|b\">` takes 2.15 times as long as `sort_unstable` at 1\u{202f}000 (median; half of the machines: 1.98 to 2.32, all: 0.500 to 9.00): \
          slower on 7, faster on 1. Outliers: Firefox 153 on processor 5 (0.500); Firefox 153 on processor 2 (9.00)."
        ]
    );
}

#[test]
fn few_machines_have_no_outliers_and_two_no_distribution() {
    let found = distribution(&results(&[1.0, 1.01, 50.0, 2.0])).expect("four machines");
    assert_eq!(found.functions[0].outliers().count(), 0);
    assert!(found.sentences()[0].contains("slower on 2, the same on 2."), "{:?}", found.sentences());
    assert_eq!(distribution(&results(&[1.0, 2.0])), None);
}

#[test]
fn results_of_other_builds_are_not_included() {
    let mut mixed = results(&[2.0, 2.1, 2.2, 8.0]);
    let last = Rc::make_mut(&mut mixed.latest[0]);
    Rc::make_mut(&mut last.setup).suite.fingerprint = "e".repeat(64);
    let found = distribution(&mixed).expect("three machines");
    assert_eq!((found.functions[0].ratios.len(), found.excluded), (3, 1));
}
