//! The largest axis value within a time limit.

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::units::{Nanos, SPACE};

use super::*;
use benchbook_notebook::view::ViewAction;
use benchbook_report::largest::FunctionGrowth;

/// The sentences about a function that takes 10 ns per item, measured at these sizes.
fn sentences(sizes: impl IntoIterator<Item = f64>, limit: f64) -> Vec<String> {
    let points = sizes.into_iter().map(|size| measured(size, 10.0 * size)).chain([failed(50.0)]).collect();
    let cell = after([started(), in_browser(Priority::FIRST, points)]);
    let functions = FunctionGrowth::all(&cell.results.shown());
    functions
        .iter()
        .filter_map(|function| function.sentence(Nanos(limit)))
        .map(|text| text.replace(SPACE, " "))
        .collect()
}

#[test]
fn states_the_largest_value_within_a_limit() {
    let sizes = || (0..12).map(|index| (100.0 * 1.5_f64.powi(index)).round());
    assert_eq!(sentences(sizes(), 5e3), ["sort: up to size = 500 (420 to 630) within 5 µs."]);
    assert_eq!(
        sentences(sizes(), 999.0),
        ["sort takes more than 999 ns even at size = 100, the smallest measured value."]
    );
    let expected = "sort stays within 1 ms up to size = 8 650, the largest measured value; about size = 100 000 if it \
                    continues to grow like n.";
    assert_eq!(sentences(sizes(), 1e6), [expected]);
}

#[test]
fn an_estimate_on_an_axis_of_whole_numbers_has_no_fraction() {
    let points = [10.0, 20.0, 40.0, 80.0].map(|size| points::sampled(size, 10.0 * size)).to_vec();
    let cell = after([started(), in_browser(Priority::LAST, points)]);
    let functions = FunctionGrowth::all(&cell.results.shown());
    assert_eq!(
        functions[0].sentence(Nanos(279.0)).map(|text| text.replace(SPACE, " ")).as_deref(),
        Some("sort: up to size = 28 (28 to 28) within 279 ns.")
    );
}

#[test]
fn a_short_curve_is_not_extrapolated() {
    assert_eq!(
        sentences([100.0, 200.0], 1e6),
        ["sort stays within 1 ms up to size = 200, the largest measured value."]
    );
    assert_eq!(sentences([100.0], 1e6), [""; 0], "a single point is not a curve");
}

#[test]
fn texts_have_no_largest_value() {
    let text = Point { x: AxisValue::Text("A".to_owned()), ..measured(1.0, 5.0) };
    let cell = after([set_role("spread", Role::List), started(), in_browser(Priority::FIRST, vec![text])]);
    assert!(FunctionGrowth::all(&cell.results.shown()).is_empty());
}

#[test]
fn the_limit_is_part_of_the_presentation() {
    let set = |limit| CellAction::Edit(SetupEdit::View(ViewAction::Limit(limit)));
    assert_eq!(after([]).view.limit, None);
    assert_eq!(after([set(Some(Nanos(1e6)))]).view.limit, Some(Nanos(1e6)));
    assert_eq!(after([set(Some(Nanos(1e6))), set(None)]).view.limit, None);
}
