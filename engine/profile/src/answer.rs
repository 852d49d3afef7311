//! The first line of a profile.

use benchbook_host::analyze::growth::GrowthClass;
use benchbook_host::units::{axis_value, percent, significant};

use crate::amounts::{Amounts, ProfileMetric};
use crate::names::brief_name;
use crate::profile::Profile;
use crate::rows::ProfileRow;

/// The share of the total from which on a function's growth matters.
const MIN_SHARE: f64 = 0.01;

/// Which function takes the largest part itself, and how that part grows: "merge takes 61% of 2.64 M wasm instructions with size 10 000 and grows fastest
/// (n log n)". `rows`: those of the metric at the point.
pub fn answer(profile: &Profile, rows: &[ProfileRow], metric: ProfileMetric, point: usize) -> String {
    let value = |amounts: &[Amounts]| metric.of(&amounts[point]);
    let total: i64 = rows.iter().map(|row| value(&row.own)).sum();
    let at = match &profile.axis[..] {
        "" => String::new(),
        axis => format!(" with {axis} {}", axis_value(&profile.points[point].x)),
    };
    let Some(largest) = rows.iter().max_by_key(|row| value(&row.own)).filter(|_| total > 0) else {
        return format!("no {} per call{at}", metric.noun());
    };
    let amount = short_number(profile.per_call(point, metric, &profile.total(point)));
    let share = percent(value(&largest.own) as f64 / total as f64);
    let name = part(profile, largest);
    let others = rows.iter().filter(|row| ![&profile.root.name, &largest.name].contains(&&row.name));
    let others: Vec<&ProfileRow> = others.filter(|row| value(&row.own) as f64 >= MIN_SHARE * total as f64).collect();
    let growth = growth(largest, &others);
    format!("{name} {} {share} of {amount} {}{at}{growth}", metric.verb(), metric.noun())
}

/// A function in a sentence.
fn part(profile: &Profile, row: &ProfileRow) -> String {
    match row.name == profile.root.name {
        true if profile.includes_library => "its own code with the standard library's".to_owned(),
        true => "its own code".to_owned(),
        false => brief_name(&row.short_name),
    }
}

/// How the second point of a comparison differs from the first one, and where most of that is: "b takes 312 k more wasm instructions than a (+12%), 244 k of them in
/// insertion_sort". `names`: those of both. `rows`: those of the metric at the second point.
pub fn difference(profile: &Profile, rows: &[ProfileRow], metric: ProfileMetric, names: [&str; 2]) -> String {
    let of = |point: usize, amounts: &[Amounts]| profile.per_call(point, metric, &amounts[point]);
    let change = |amounts: &[Amounts]| of(1, amounts) - of(0, amounts);
    let totals = [0, 1].map(|point| profile.total(point));
    let ([before, after], noun) = (names, metric.noun());
    let total = change(&totals);
    if rows.iter().all(|row| change(&row.own) == 0.0) {
        let amount = short_number(of(1, &totals));
        return format!("{before} and {after}: the same {amount} {noun}, function by function");
    }
    let signed = |row: &&ProfileRow| change(&row.own) * if total < 0.0 { -1.0 } else { 1.0 };
    let largest = rows.iter().max_by(|one, other| signed(one).total_cmp(&signed(other)));
    let most = largest.map(|row| (change(&row.own), part(profile, row)));
    let (amount, direction) = (short_number(total.abs()), if total < 0.0 { "fewer" } else { "more" });
    let relative = match of(0, &totals) {
        0.0 => String::new(),
        whole => format!(" ({}{})", if total < 0.0 { "−" } else { "+" }, percent(total.abs() / whole.abs())),
    };
    match most {
        _ if total == 0.0 => format!("{before} and {after}: as many {noun}, in other functions"),
        Some((most, name)) if most.abs() <= total.abs() => {
            let most = short_number(most.abs());
            format!(
                "{after} {} {amount} {direction} {noun} than {before}{relative}, {most} of them in {name}",
                metric.verb()
            )
        }
        Some((most, name)) => {
            let most = short_number(most.abs());
            format!(
                "{after} {} {amount} {direction} {noun} than {before}{relative}: {most} {direction} in {name}, and less the other way elsewhere",
                metric.verb()
            )
        }
        None => format!("{after} {} {amount} {direction} {noun} than {before}{relative}", metric.verb()),
    }
}

fn growth(largest: &ProfileRow, others: &[&ProfileRow]) -> String {
    let Some(growth) = largest.own_growth else { return String::new() };
    let is_slower = |row: &&ProfileRow| row.own_growth.is_some_and(|other| other.compare(growth).is_lt());
    let grows_fastest = growth.class != GrowthClass::Constant && !others.is_empty() && others.iter().all(is_slower);
    if grows_fastest { format!(" and grows fastest ({})", growth.label()) } else { format!(" and {}", growth.phrase()) }
}

/// A share with one decimal, so that all digits of a column are below each other.
pub fn in_percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

/// A number with at most three significant digits, and `k`, `M` or `G` for thousands, millions or billions.
pub fn short_number(value: f64) -> String {
    let (unit, factor) = match value.abs() {
        size if size >= 999.5e6 => (" G", 1e9),
        size if size >= 999.5e3 => (" M", 1e6),
        size if size >= 9_999.5 => (" k", 1e3),
        _ => ("", 1.0),
    };
    let value = value / factor;
    let digits = if value.fract() == 0.0 && unit.is_empty() { 1 } else { 3 };
    format!("{}{}", significant(value, digits), unit.replace(' ', "\u{202f}"))
}

#[cfg(test)]
mod tests {
    use benchbook_contract::axis_value::AxisValue;

    use super::*;
    use crate::counts::ProfilePoint;
    use crate::frame::Frame;
    use crate::rows::rows;

    type Value = fn(f64) -> f64;

    /// A profile with amounts per call by n; 16 calls are counted.
    fn profile(own: Value, others: &[(&str, Value)]) -> Profile {
        let xs = [10.0, 32.0, 100.0, 316.0, 1_000.0, 3_162.0, 10_000.0];
        let amounts = |value: Value| {
            let instructions = |x: f64| 16 * value(x) as i64;
            xs.map(|x| Amounts { instructions: instructions(x), ..Amounts::default() }).to_vec()
        };
        let child = |(name, value): &(&str, Value)| Frame {
            name: format!("demo::{name}"),
            own: amounts(*value),
            ..Frame::default()
        };
        let root = Frame {
            name: "sort".to_owned(),
            own: amounts(own),
            children: others.iter().map(child).collect(),
            ..Frame::default()
        };
        let points = xs.map(|x| ProfilePoint { x: AxisValue::Number(x), calls: 16, memory: None }).to_vec();
        let (function, crate_name, axis) = ("sort".to_owned(), "demo".to_owned(), "size".to_owned());
        Profile { function, crate_name, axis, points, root, includes_library: false }
    }

    fn at_last(profile: &Profile, metric: ProfileMetric) -> String {
        let rows = rows(profile, metric, 6);
        answer(profile, &rows, metric, 6).replace('\u{202f}', " ")
    }

    #[test]
    fn the_answer_names_the_largest_part_and_its_growth() {
        let merge: Value = |n| 12.0 * n * n.ln();
        let insert: Value = |n| 50.0 * n;
        let instructions = ProfileMetric::Instructions;
        let sort = profile(|n| 2.0 * n, &[("merge", merge), ("insert", insert)]);
        assert_eq!(
            at_last(&sort, instructions),
            "merge takes 68% of 1.63 M wasm instructions with size 10 000 and grows fastest (n log n)"
        );
        // Its own part is linear, although all of it is not.
        let linear = profile(|n| 60.0 * n, &[("merge", |n| n * n / 500.0)]);
        assert_eq!(
            at_last(&linear, instructions),
            "its own code takes 75% of 800 k wasm instructions with size 10 000 and grows like n"
        );
        let loops = profile(|n| n * n, &[("merge", merge)]);
        assert_eq!(
            at_last(&loops, instructions),
            "its own code takes 99% of 101 M wasm instructions with size 10 000 and grows fastest (n²)"
        );
        let constant = profile(|_| 40.0, &[]);
        assert_eq!(
            at_last(&constant, instructions),
            "its own code takes 100% of 40 wasm instructions with size 10 000 and does not grow"
        );
        assert_eq!(at_last(&constant, ProfileMetric::Bytes), "no allocated bytes per call with size 10 000");
    }

    #[test]
    fn numbers_are_short() {
        let of = |value| short_number(value).replace('\u{202f}', " ");
        assert_eq!(
            [of(624.0), of(9_999.0), of(26_400.0), of(2.64e6), of(1e9), of(0.25)],
            ["624", "9 999", "26.4 k", "2.64 M", "1.00 G", "0.250"]
        );
    }
}
