//! Tests of the answers.

use std::sync::LazyLock;

use benchbook_contract::axis_value::AxisValue;

use super::*;
use crate::ranking::examples::{ranking, sizes};

static NAMES: LazyLock<[String; 3]> =
    LazyLock::new(|| ["fx_hash_map_get", "hash_map_get", "sorted_vec_get"].map(str::to_owned));

fn context(functions: usize, unit: &'static str) -> AnswerContext<'static> {
    AnswerContext { names: &NAMES[..functions], unit, margin: 0.01 }
}

/// The answer for functions with these times at 10, 100, 1 000 and so on.
fn answer_of(times: &[&[f64]]) -> String {
    let values: Vec<f64> = (1..=times[0].len() as i32).map(|power| 10.0_f64.powi(power)).collect();
    with_plain_spaces(answer(&ranking(&sizes(&values), times), context(times.len(), "entries")))
}

fn answer_at(values: &[&str], times: &[&[f64]]) -> String {
    let values: Vec<AxisValue> = values.iter().map(|&value| value.into()).collect();
    with_plain_spaces(answer(&ranking(&values, times), context(times.len(), "")))
}

fn with_plain_spaces(sentence: Option<String>) -> String {
    sentence.expect("there are figures").replace(crate::units::SPACE, " ")
}

#[test]
fn names_the_fastest_and_who_overtakes_whom() {
    let table: [(&[&[f64]], &str); 9] = [
        (
            &[&[2.0, 2.0, 2.0], &[9.0, 9.0, 9.0], &[4.0, 8.0, 16.0]],
            "`fx_hash_map_get` is fastest from 10 to 1 000 entries; `hash_map_get` overtakes `sorted_vec_get` at 147.8 entries (146.6 to 149).",
        ),
        (
            &[&[2.0, 4.0, 8.0], &[3.0, 3.0, 3.0]],
            "`fx_hash_map_get` is faster at 10 entries, `hash_map_get` from 100 to 1 000; `hash_map_get` overtakes `fx_hash_map_get` at 38.46 entries (38.18 to 38.74).",
        ),
        (
            &[&[2.0, 3.0, 3.0, 3.0], &[3.0, 3.0, 3.0, 4.0]],
            "`fx_hash_map_get` is faster from 10 to 10 000 entries; equal within ±1 % at 2 of 4 values.",
        ),
        (&[&[2.0], &[3.0]], "`fx_hash_map_get` is faster at 10 entries."),
        (&[&[3.0, 3.0], &[3.0, 3.0]], "`fx_hash_map_get` and `hash_map_get` take the same time within ±1 %."),
        (
            &[&[3.0, 3.0], &[3.0, 3.0], &[9.0, 9.0]],
            "`fx_hash_map_get` and `hash_map_get` are the fastest and take the same time within ±1 %.",
        ),
        (
            &[&[2.0, 4.0, 2.0, 4.0, 2.0], &[3.0, 3.0, 3.0, 3.0, 3.0]],
            "`fx_hash_map_get` is faster at 10, 1 000 and 100 000 entries, `hash_map_get` at 100 and 10 000; `hash_map_get` overtakes `fx_hash_map_get` at 38 entries (23 to 59); `fx_hash_map_get` overtakes `hash_map_get` at 260 entries (170 to 440); 2 more crossovers.",
        ),
        (&[&[13.0, 31_600.0]], "`fx_hash_map_get` takes 13.0 ns at 10 entries and 31.6 µs at 100 entries."),
        (&[&[13.0]], "`fx_hash_map_get` takes 13.0 ns at 10 entries."),
    ];
    for (times, expected) in table {
        assert_eq!(answer_of(times), expected);
    }
}

#[test]
fn lists_the_values_of_an_axis_without_order() {
    let table: [(&[&[f64]], &str); 3] = [
        (
            &[&[2.0, 2.0, 5.0], &[3.0, 3.0, 3.0]],
            "`fx_hash_map_get` is faster at Random and Sorted, `hash_map_get` at Reversed.",
        ),
        (
            &[&[2.0, 3.0, 2.0], &[3.0, 3.0, 3.0]],
            "`fx_hash_map_get` is faster at Random and Reversed; equal within ±1 % at 1 of 3 values.",
        ),
        (&[&[2.0, 3.0, 7.0]], "`fx_hash_map_get` takes between 2.00 ns (Random) and 7.00 ns (Reversed)."),
    ];
    for (times, expected) in table {
        assert_eq!(answer_at(&["Random", "Sorted", "Reversed"], times), expected);
    }
}

#[test]
fn a_time_in_parentheses_has_no_others_inside() {
    let times = [TypicalTime::Median(13.0), TypicalTime::Mean(8.61), TypicalTime::Below(0.5)].map(in_parentheses);
    assert_eq!(times.map(|time| with_plain_spaces(Some(time))), [" (13.0 ns)", " (mean 8.61 ns)", " (< 500 ps)"]);
}

#[test]
fn answers_without_an_axis() {
    let single =
        |times: &[&[f64]]| with_plain_spaces(answer(&ranking(&[AxisValue::Absent], times), context(times.len(), "")));
    assert_eq!(
        single(&[&[31.6], &[13.0], &[84.3]]),
        "`hash_map_get` is fastest (13.0 ns); `fx_hash_map_get` takes 2.43 times as long (2.42 to 2.44)."
    );
    assert_eq!(
        single(&[&[31.6], &[13.0]]),
        "`hash_map_get` is faster (13.0 ns); `fx_hash_map_get` takes 2.43 times as long (2.42 to 2.44)."
    );
    assert_eq!(single(&[&[13.0]]), "`fx_hash_map_get` takes 13.0 ns.");
    assert_eq!(single(&[&[13.0], &[13.0]]), "`fx_hash_map_get` and `hash_map_get` take the same time within ±1 %.");
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
    let native = ranking(&values, &[&[2.0, 4.0, 8.0], &[3.0, 3.0, 3.0]]);
    let other = |times: &[&[f64]]| {
        let ranking = ranking(&values, times);
        with_plain_spaces(answer_for_other_machine(&native, &ranking, "Chrome 156", context(2, "entries")))
    };
    assert_eq!(
        other(&[&[4.0, 9.0, 16.0], &[6.0, 6.0, 6.0]]),
        "Chrome 156: same winner at each value; `hash_map_get` overtakes `fx_hash_map_get` at 31.6 entries (28.9 to 34.6)."
    );
    assert_eq!(
        other(&[&[4.0, 5.0, 16.0], &[6.0, 6.0, 6.0]]),
        "Chrome 156: `fx_hash_map_get` is faster from 10 to 100 entries, `hash_map_get` at 1 000; `hash_map_get` overtakes `fx_hash_map_get` at 143 entries (130 to 170).",
        "the winner at 100 entries differs"
    );
    assert_eq!(
        other(&[&[4.0, 6.0, 16.0], &[6.0, 6.0, 6.0]]).split_once("; ").map(|(start, _)| start.to_owned()).as_deref(),
        Some("Chrome 156: `fx_hash_map_get` is faster at 10 entries, `hash_map_get` at 1 000"),
        "100 entries are undecided"
    );
    let constant = |times: [f64; 2]| {
        let ranking = ranking(&values, &[&[times[0]; 3], &[times[1]; 3]]);
        with_plain_spaces(answer_for_other_machine(&ranking, &ranking, "Chrome 156", context(2, "entries")))
    };
    assert_eq!(constant([2.0, 3.0]), "Chrome 156: same winner.");
}

#[test]
fn equality_requires_the_same_functions_at_every_value() {
    // Each function is equal to another one at one value, but the third function is three times slower there.
    let times: &[&[f64]] = &[&[2.0, 6.0], &[2.0, 2.0], &[6.0, 2.0]];
    let all = "Undecided: any of `fx_hash_map_get`, `hash_map_get` and `sorted_vec_get` may be the fastest.";
    assert_eq!(answer_of(times), all);
}

#[test]
fn functions_that_were_not_compared_are_named() {
    let missing = f64::INFINITY;
    assert_eq!(
        answer_of(&[&[2.0, 2.0], &[3.0, 3.0], &[missing, missing]]),
        "`fx_hash_map_get` is fastest from 10 to 100 entries; `sorted_vec_get` was not compared."
    );
    let ranking = ranking(&sizes(&[10.0, 100.0]), &[&[2.0, 2.0], &[3.0, 3.0], &[missing, missing]]);
    assert_eq!(fastest_range(&ranking, 2), "");
}

#[test]
fn states_the_range_of_each_function() {
    let table: [(&[&[f64]], [&str; 2]); 4] = [
        (&[&[2.0, 4.0, 8.0], &[3.0, 3.0, 3.0]], ["10", "100 to 1 000"]),
        (&[&[2.0, 4.0, 2.0], &[3.0, 3.0, 3.0]], ["10, 1 000", "100"]),
        (&[&[2.0, 2.0, 2.0], &[3.0, 3.0, 3.0]], ["10 to 1 000", "never"]),
        (&[&[3.0, 3.0, 2.0], &[3.0, 3.0, 3.0]], ["1 000", "undecided"]),
    ];
    for (times, expected) in table {
        let ranking = ranking(&sizes(&[10.0, 100.0, 1_000.0]), times);
        let ranges = [0, 1].map(|function| fastest_range(&ranking, function).replace(crate::units::SPACE, " "));
        assert_eq!(ranges, expected);
    }
    let single = ranking(&[AxisValue::Absent], &[&[2.0], &[3.0]]);
    assert_eq!([0, 1].map(|function| fastest_range(&single, function)), ["yes", "no"]);
}
