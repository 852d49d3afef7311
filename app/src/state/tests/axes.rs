//! Lists of values, and measurements without an axis.

use benchbook_contract::axis_value::AxisValue;
use benchbook_host::request::Request;

use super::*;
use crate::state::cell::controls::Controls;

fn control(action: ControlAction) -> CellAction {
    CellAction::Edit(SetupEdit::Control(action))
}

fn type_list(text: &str) -> CellAction {
    control(ControlAction::TypeList("size".to_owned(), text.to_owned()))
}

/// The cell's request, which its suite accepts.
fn request(cell: &LiveCell) -> Request {
    let request = cell.request("me").expect("the values are valid");
    Plan::new(&cell.suite.suite, request.clone()).expect("the request is valid");
    request
}

fn at(x: impl Into<AxisValue>, mean: f64) -> Point {
    Point { x: x.into(), ..measured(0.0, mean) }
}

#[test]
fn a_list_of_numbers_starts_with_the_default_range() {
    let cell = after([set_role("size", Role::List)]);
    assert_eq!(request(&cell).arguments["size"], Argument::Values(vec![100.0.into(), 1_000.0.into()]));
    let cell = after([set_role("size", Role::List), type_list("200; 300, 500")]);
    assert!(cell.request("me").is_err(), "the separators differ");
    let cell = after([set_role("size", Role::List), type_list("500, 200")]);
    assert_eq!(request(&cell).arguments["size"], Argument::Values(vec![500.0.into(), 200.0.into()]));
}

#[test]
fn a_choice_varies_over_all_options_by_default() {
    let cell = after([set_role("spread", Role::List)]);
    assert_eq!(request(&cell).arguments["spread"], Argument::Values(vec!["A".into(), "B".into()]));
    assert_eq!(request(&cell).arguments["size"], Argument::Number(100.0), "the previous axis has one value");
    let texts = |texts: &[&str]| {
        let list = texts.iter().map(ToString::to_string).collect();
        after([set_role("spread", Role::List), control(ControlAction::SetTexts("spread".to_owned(), list))])
    };
    assert_eq!(request(&texts(&["B"])).arguments["spread"], Argument::Values(vec!["B".into()]));
    for invalid in [&[][..], &["A", "A"]] {
        assert!(texts(invalid).request("me").is_err(), "{invalid:?}");
    }
    assert_eq!(after([set_role("spread", Role::Range)]).controls.axis, "size", "a choice has no range");
}

#[test]
fn a_varied_choice_is_the_axis_without_a_number() {
    let mut generator = suite().suite.generators.remove(0);
    for parameter in &mut generator.parameters {
        if let Kind::Choice { varied, .. } = &mut parameter.kind {
            *varied = true;
        }
    }
    assert_eq!(Controls::new(&generator).axis, "size");
    generator.parameters.retain(|parameter| parameter.name == "spread");
    let mut controls = Controls::new(&generator);
    let spread = |controls: &Controls| controls.arguments(&generator).expect("the values are valid")["spread"].clone();
    assert_eq!(spread(&controls), Argument::Values(vec!["A".into(), "B".into()]));
    controls.apply(&generator, ControlAction::SetRole("spread".to_owned(), Role::Fixed));
    assert_eq!(spread(&controls), Argument::Text("A".to_owned()));
    // A link says that it does not vary.
    let written = controls.written();
    let mut opened = Controls::new(&generator);
    assert_eq!(opened.open(&generator, &written), Vec::<String>::new());
    assert_eq!(spread(&opened), Argument::Text("A".to_owned()));
}

#[test]
fn without_an_axis_every_parameter_has_one_value() {
    let cell = after([set_role("size", Role::Fixed)]);
    assert_eq!(request(&cell).arguments["size"], Argument::Number(100.0));
    let plan = Plan::new(&cell.suite.suite, request(&cell)).expect("the request is valid");
    assert_eq!(plan.axis_values(33), [AxisValue::Absent]);
    let unchanged = after([set_role("depth", Role::Fixed)]);
    assert_eq!(unchanged.controls.axis, "size", "the depth was not the axis");
}

#[test]
fn a_curve_has_the_order_of_its_list() {
    let order = [
        set_role("spread", Role::List),
        control(ControlAction::SetTexts("spread".to_owned(), vec!["B".to_owned(), "A".to_owned()])),
        started(),
        in_browser(Priority::FIRST, vec![at("A", 5.0), at("B", 6.0)]),
        in_browser(second(), vec![at("A", 7.0)]),
    ];
    let cell = after(order);
    let traces = cell.results.traces();
    let readings = traces[0].curve.readings();
    let found: Vec<_> = readings.iter().map(|reading| (reading.x.to_string(), reading.priority())).collect();
    assert_eq!(found, [("B".to_owned(), Priority::FIRST), ("A".to_owned(), second())]);
}

#[test]
fn a_measurement_without_an_axis_has_one_point() {
    let cell = after([
        set_role("size", Role::Fixed),
        started(),
        in_browser(Priority::FIRST, vec![at(AxisValue::Absent, 5.0)]),
        in_browser(second(), vec![at(AxisValue::Absent, 6.0)]),
    ]);
    let traces = cell.results.traces();
    let readings = traces[0].curve.readings();
    assert_eq!(readings.len(), 1);
    assert_eq!(readings[0].measured().map(|measured| measured.summary.mean), Some(6.0));
    let setup = cell.results.setup().expect("it was measured");
    assert_eq!((setup.axis_name(), setup.axis_heading().as_str()), ("", ""));
    assert_eq!(Rc::clone(setup).summary(), "Keys: depth 300, size 100, spread A");
}
