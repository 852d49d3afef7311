//! Tests of the answers.

use std::sync::LazyLock;

use benchbook_contract::axis_value::AxisValue;

use super::*;
use crate::compare::ranking::examples::{ranking, sizes};
use crate::messages::golden::assert_golden;

static NAMES: LazyLock<[String; 3]> =
    LazyLock::new(|| ["fx_hash_map_get", "hash_map_get", "sorted_vec_get"].map(str::to_owned));

fn context(functions: usize, unit: &'static str) -> AnswerContext<'static> {
    AnswerContext { names: &NAMES[..functions], unit, margin: 0.01 }
}

/// The answer for functions with these times at the values.
fn answer_at(values: &[AxisValue], times: &[&[f64]], unit: &'static str) -> String {
    with_plain_spaces(answer(&ranking(values, times), context(times.len(), unit)))
}

fn with_plain_spaces(sentence: Option<String>) -> String {
    sentence.expect("there are figures").replace(crate::units::SPACE, " ")
}

#[test]
fn names_the_fastest_and_who_overtakes_whom() {
    let along_an_axis: &[&[&[f64]]] = &[
        &[&[2.0, 2.0, 2.0], &[9.0, 9.0, 9.0], &[4.0, 8.0, 16.0]],
        &[&[2.0, 4.0, 8.0], &[3.0, 3.0, 3.0]],
        &[&[2.0, 3.0, 3.0, 3.0], &[3.0, 3.0, 3.0, 4.0]],
        &[&[2.0], &[3.0]],
        &[&[3.0, 3.0], &[3.0, 3.0]],
        &[&[3.0, 3.0], &[3.0, 3.0], &[9.0, 9.0]],
        &[&[2.0, 4.0, 2.0, 4.0, 2.0], &[3.0, 3.0, 3.0, 3.0, 3.0]],
        &[&[13.0, 31_600.0]],
        &[&[13.0]],
        // Each function is equal to another one at one value, but the third function is three times slower there.
        &[&[2.0, 6.0], &[2.0, 2.0], &[6.0, 2.0]],
        // The third function was not compared.
        &[&[2.0, 2.0], &[3.0, 3.0], &[f64::INFINITY, f64::INFINITY]],
    ];
    let without_order: &[&[&[f64]]] =
        &[&[&[2.0, 2.0, 5.0], &[3.0, 3.0, 3.0]], &[&[2.0, 3.0, 2.0], &[3.0, 3.0, 3.0]], &[&[2.0, 3.0, 7.0]]];
    let without_an_axis: &[&[&[f64]]] =
        &[&[&[31.6], &[13.0], &[84.3]], &[&[31.6], &[13.0]], &[&[13.0]], &[&[13.0], &[13.0]]];
    let order = ["Random", "Sorted", "Reversed"].map(AxisValue::from);
    let answers = along_an_axis.iter().map(|times| {
        let values: Vec<f64> = (1..=times[0].len() as i32).map(|power| 10.0_f64.powi(power)).collect();
        answer_at(&sizes(&values), times, "entries")
    });
    let answers = answers.chain(without_order.iter().map(|times| answer_at(&order, times, "")));
    let answers = answers.chain(without_an_axis.iter().map(|times| answer_at(&[AxisValue::Absent], times, "")));
    assert_golden("answers.txt", &answers.collect::<Vec<_>>());
    let ranking = ranking(&sizes(&[10.0, 100.0]), along_an_axis[10]);
    assert_eq!(fastest_range(&ranking, 2), "");
}

#[test]
fn the_claims_of_an_answer_are_its_clauses() {
    let values = sizes(&[10.0, 100.0, 1_000.0]);
    let times: &[&[f64]] = &[&[2.0, 2.0, 2.0], &[9.0, 9.0, 9.0], &[4.0, 8.0, 16.0]];
    let ranking = ranking(&values, times);
    let all = claims(&ranking, context(3, "entries"));
    assert!(all.len() > 1 && all[0].starts_with("`fx_hash_map_get` is fastest"), "{all:?}");
    assert_eq!(answer(&ranking, context(3, "entries")), Some(format!("{}.", all.join("; "))));
}

#[test]
fn the_claim_about_a_single_function_has_an_interval() {
    let claim_of = |times: &[f64]| {
        let ranking = ranking(&sizes(&[10.0, 100.0]), &[times]);
        let interval = ranking.time_interval(0, 1);
        let claim = claims(&ranking, context(1, "entries")).concat();
        (claim.replace(crate::units::SPACE, " "), interval)
    };
    let (claim, interval) = claim_of(&[13.0, 31_600.0]);
    let Interval { low, high } = interval.expect("the examples have intervals");
    assert!(low < 31_600.0 && 31_600.0 < high, "{low} {high}");
    let unit = TimeUnit::for_largest(high);
    let expected =
        format!("`fx_hash_map_get` takes 31.6 µs ({} to {}) at 100 entries", unit.digits(low), unit.digits(high));
    assert_eq!(claim, expected);
    // The last value is missing.
    assert!(claim_of(&[13.0, f64::INFINITY]).0.ends_with("at 10 entries"));
}

#[test]
fn a_time_in_parentheses_has_no_others_inside() {
    let times = [TypicalTime::Median(13.0), TypicalTime::Mean(8.61), TypicalTime::Below(0.5)].map(in_parentheses);
    assert_eq!(times.map(|time| with_plain_spaces(Some(time))), [" (13.0 ns)", " (mean 8.61 ns)", " (under 500 ps)"]);
}

#[test]
fn is_silent_without_figures() {
    let missing = f64::INFINITY;
    assert_eq!(answer(&ranking(&sizes(&[10.0]), &[&[missing]]), context(1, "")), None);
    assert_eq!(answer(&ranking(&sizes(&[10.0]), &[&[missing], &[5.0]]), context(2, "")), None);
    assert_eq!(answer(&ranking(&[], &[]), context(0, "")), None);
    let apart = ranking(&sizes(&[10.0, 100.0]), &[&[5.0, missing], &[missing, 5.0]]);
    assert_eq!((answer(&apart, context(2, "")), fastest_range(&apart, 0)), (None, String::new()));
}

#[test]
fn relates_another_machine_to_the_first() {
    let values = sizes(&[10.0, 100.0, 1_000.0]);
    let other = |first: [[f64; 3]; 2], other: [[f64; 3]; 2]| {
        let [first, other] = [first, other].map(|times| ranking(&values, &[&times[0], &times[1]]));
        with_plain_spaces(answer_for_other_machine(&first, &other, "Chrome 156", context(2, "entries")))
    };
    let native = [[2.0, 4.0, 8.0], [3.0, 3.0, 3.0]];
    let constant = [[2.0; 3], [3.0; 3]];
    let sentences = [
        other(native, [[4.0, 9.0, 16.0], [6.0, 6.0, 6.0]]),
        // The winner at 100 entries differs, and then it is undecided.
        other(native, [[4.0, 5.0, 16.0], [6.0, 6.0, 6.0]]),
        other(native, [[4.0, 6.0, 16.0], [6.0, 6.0, 6.0]]),
        other(constant, constant),
    ];
    assert_golden("other_machine.txt", &sentences);
}

#[test]
fn states_the_range_of_each_function() {
    let table: [(&[&[f64]], [&str; 2]); 4] = [
        (&[&[2.0, 4.0, 8.0], &[3.0, 3.0, 3.0]], ["fastest at 10", "fastest at 100 to 1 000"]),
        (&[&[2.0, 4.0, 2.0], &[3.0, 3.0, 3.0]], ["fastest at 10, 1 000", "fastest at 100"]),
        (&[&[2.0, 2.0, 2.0], &[3.0, 3.0, 3.0]], ["fastest everywhere", "never fastest"]),
        (
            &[&[3.0, 3.0, 2.0], &[3.0, 3.0, 3.0]],
            ["fastest at 1 000; may be at 10 to 100", "may be fastest at 10 to 100"],
        ),
    ];
    for (times, expected) in table {
        let ranking = ranking(&sizes(&[10.0, 100.0, 1_000.0]), times);
        let ranges = [0, 1].map(|function| fastest_range(&ranking, function).replace(crate::units::SPACE, " "));
        assert_eq!(ranges, expected);
    }
    let single = ranking(&[AxisValue::Absent], &[&[2.0], &[3.0]]);
    assert_eq!([0, 1].map(|function| fastest_range(&single, function)), ["fastest", ""]);
}
