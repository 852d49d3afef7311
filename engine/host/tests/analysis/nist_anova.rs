//! The one-way analysis of variance of NIST's Statistical Reference Datasets
//! (<https://www.itl.nist.gov/div898/strd/anova/anova.html>), in the public domain.
//!
//! The test checks the log relative error of the statistic F, the number of correct digits: −log₁₀(|computed − certified| / |certified|), at
//! most 15. The values of some sets differ only in their last digits, which a floating-point number cannot represent exactly, so that no
//! computation has more digits.

use benchbook_host::analyze::history::variance::AnalysisOfVariance;

/// A set, its certified F, and the required digits.
struct Set {
    name: &'static str,
    groups: Vec<Vec<f64>>,
    f: f64,
    digits: f64,
}

#[test]
fn the_statistic_matches_the_certified_values() {
    let set = |name, groups, f, digits| Set { name, groups, f, digits };
    let sets = [
        set("SiRstv", read(include_str!("../nist/sirstv.txt")), 1.180_462_374_402_55, 12.0),
        set("AtmWtAg", read(include_str!("../nist/atmwtag.txt")), 15.946_733_567_793_0, 9.0),
        set("SmLs01", small_differences(1.0, 21), 21.0, 13.0),
        set("SmLs02", small_differences(1.0, 201), 201.0, 13.0),
        set("SmLs03", small_differences(1.0, 2_001), 2_001.0, 13.0),
        set("SmLs04", small_differences(1e6, 21), 21.0, 8.0),
        set("SmLs05", small_differences(1e6, 201), 201.0, 8.0),
        set("SmLs06", small_differences(1e6, 2_001), 2_001.0, 8.0),
        set("SmLs07", small_differences(1e12, 21), 21.0, 2.0),
        set("SmLs08", small_differences(1e12, 201), 201.0, 2.0),
        set("SmLs09", small_differences(1e12, 2_001), 2_001.0, 2.0),
    ];
    for Set { name, groups, f, digits } in sets {
        let groups: Vec<&[f64]> = groups.iter().map(Vec::as_slice).collect();
        let analysis = AnalysisOfVariance::of(&groups).unwrap();
        let correct = -((analysis.f - f).abs() / f).max(1e-15).log10();
        println!("{name}: {correct:.1} digits of F");
        assert!(correct >= digits, "{name}: {correct} digits of {}", analysis.f);
    }
}

/// A group in each line.
fn read(text: &str) -> Vec<Vec<f64>> {
    text.lines().map(|line| line.split(' ').map(|value| value.parse().expect("a number")).collect()).collect()
}

/// The sets of S. D. Simon and J. P. Lesage: nine groups, in each of which the first value is the mean, and the others alternate between 0.1 below and
/// 0.1 above it.
fn small_differences(offset: f64, count: usize) -> Vec<Vec<f64>> {
    const TENTHS: [u32; 9] = [4, 3, 5, 3, 5, 3, 5, 3, 5];
    // Parsed as decimal numbers, as in NIST's files.
    let value = |tenths: u32| format!("{offset}.{tenths}").parse().expect("a number");
    let group = |tenths: u32| {
        let others = (1..count).map(|index| if index % 2 == 1 { tenths - 1 } else { tenths + 1 });
        std::iter::once(tenths).chain(others).map(value).collect()
    };
    TENTHS.into_iter().map(group).collect()
}
