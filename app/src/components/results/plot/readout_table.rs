//! The readout of several curves: a table of functions and machines at an axis value.

use benchbook_chart::Palette;
use benchbook_contract::axis_value::AxisValue;
use benchbook_host::units;
use yew::prelude::*;

use crate::components::widgets::breakable::breakable;
use crate::components::widgets::series_mark::series_mark;
use benchbook_report::shown_trace::{ShownTrace, measurements};

/// The figures of a curve at the axis value.
pub(super) struct CurveFigures<'a> {
    /// Their headings, the most important one first.
    pub(super) headings: &'a [&'static str],
    /// The figures of the curve with this index, in the order of the headings; empty if it has none there.
    pub(super) of: &'a dyn Fn(usize) -> Vec<String>,
}

/// A row for each function. A single machine has a column for each figure; several machines have a column each, with the first figure.
pub(super) fn readout_table(shown: &[ShownTrace], x: &AxisValue, palette: Palette, figures: &CurveFigures<'_>) -> Html {
    let machines = measurements(shown);
    let headings: Vec<String> = match machines.as_slice() {
        [_] => figures.headings.iter().map(ToString::to_string).collect(),
        machines => machines.iter().map(|curves| machine_heading(shown, curves[0], x)).collect(),
    };
    let row = |first: &ShownTrace| {
        let curve_of = |curves: &[usize]| curves.iter().copied().find(|&curve| shown[curve].name == first.name);
        let mut cells: Vec<String> = match machines.as_slice() {
            [only] => curve_of(only).map(figures.of).unwrap_or_default(),
            machines => {
                let figure =
                    |curves: &Vec<usize>| curve_of(curves).and_then(|curve| (figures.of)(curve).into_iter().next());
                machines.iter().map(|curves| figure(curves).unwrap_or_default()).collect()
            }
        };
        cells.resize(headings.len(), String::new());
        html! {
            <tr data-test="reading-row">
                <th scope="row">{ series_mark(first.hue, palette) }{ breakable(&first.name) }</th>
                { for cells.into_iter().map(|cell| html! { <td>{ cell }</td> }) }
            </tr>
        }
    };
    let is_first = |&(index, one): &(usize, &ShownTrace)| shown[..index].iter().all(|other| other.name != one.name);
    let corner = match shown.first() {
        Some(first) if !x.is_absent() => {
            html! { <th scope="col">{ format!("at {}", with_unit(x, first.trace.setup.axis_unit())) }</th> }
        }
        _ => html! { <td></td> },
    };
    html! {
        <table>
            <thead><tr>{ corner }{ for headings.iter().map(|heading| html! { <th scope="col">{ heading }</th> }) }</tr></thead>
            <tbody>{ for shown.iter().enumerate().filter(is_first).map(|(_, first)| row(first)) }</tbody>
        </table>
    }
}

/// The heading of a machine's column: its difference from the other machines. The axis of another generator may have another unit.
fn machine_heading(shown: &[ShownTrace], curve: usize, x: &AxisValue) -> String {
    let (one, setup) = (&shown[curve], &shown[curve].trace.setup);
    let difference = one.label.strip_prefix(&one.name).and_then(|rest| rest.strip_prefix(" · "));
    let heading = match difference {
        Some(difference) if one.is_separate => difference.to_owned(),
        _ => setup.target_name().to_owned(),
    };
    let unit = setup.axis_unit();
    if shown[0].trace.setup.axis_unit() == unit { heading } else { format!("{heading} (at {})", with_unit(x, unit)) }
}

fn with_unit(x: &AxisValue, unit: &str) -> String {
    format!("{} {unit}", units::axis_value(x)).trim_end().to_owned()
}
