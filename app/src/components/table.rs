//! The figures as a table: a row a point.

use std::rc::Rc;

use benchbook::catalog::Function;
use benchbook::parameter::Numeric;
use benchbook::response::{Measured, Outcome};
use benchbook::units::{TimeUnit, number, plus_minus};
use yew::prelude::*;

use crate::state::cell::MeasuredCurve;
use crate::state::curve::Reading;

#[derive(PartialEq, Properties)]
pub(crate) struct TableProps {
    pub(crate) result: MeasuredCurve,
    pub(crate) function: Rc<Function>,
}

#[component]
pub(crate) fn Table(props: &TableProps) -> Html {
    let result = &props.result;
    let unit = unit_for(result);
    let symbol = unit.symbol();
    html! {
        <div class="scroll" tabindex="0" role="region" aria-label="Figures">
            <table data-test="table">
                <thead>
                    <tr>
                        <th scope="col">{ axis_title(result) }</th>
                        { for ["mean", "sd", "q1", "median", "q3"].map(|name| html! { <th scope="col">{ format!("{name} [{symbol}]") }</th> }) }
                        <th scope="col">{ "precision" }</th>
                        <th scope="col">{ "samples" }</th>
                        <th scope="col">{ "priority" }</th>
                    </tr>
                </thead>
                <tbody>{ for result.curve.readings().iter().map(|reading| row(&props.function.path, reading, unit)) }</tbody>
            </table>
        </div>
    }
}

/// A unit in which the middle of the column reads well: the ends may lie far from each other.
fn unit_for(result: &MeasuredCurve) -> TimeUnit {
    let means: Vec<f64> =
        result.curve.readings().iter().filter_map(|reading| Some(reading.point.measured()?.summary.mean)).collect();
    let positive: Vec<f64> = means.into_iter().filter(|mean| *mean > 0.0).map(f64::ln).collect();
    let middle = positive.iter().sum::<f64>() / positive.len().max(1) as f64;
    TimeUnit::for_largest(middle.exp())
}

fn row(path: &str, reading: &Reading, unit: TimeUnit) -> Html {
    let point = &reading.point;
    let shared = |figures: Html, measured: Option<&Measured>, failed: Option<String>| {
        let attribute = |of: fn(&Measured) -> Option<f64>| measured.and_then(of).map(|value| value.to_string());
        html! {
            <tr data-path={path.to_owned()} data-x={point.x.to_string()} data-priority={reading.priority.number().to_string()}
                data-machine="browser" data-failed={failed}
                data-mean={attribute(|m| Some(m.summary.mean))} data-sd={attribute(|m| Some(m.summary.sd))}
                data-q1={attribute(|m| m.summary.q1)} data-median={attribute(|m| m.summary.median)} data-q3={attribute(|m| m.summary.q3)}>
                <th scope="row">{ number(point.x) }</th>
                { figures }
                <td>{ reading.priority.number() }</td>
            </tr>
        }
    };
    match &point.outcome {
        Outcome::Measured(measured) => shared(figures(measured, unit), Some(measured), None),
        Outcome::Failed(failure) => shared(
            html! { <td class="reason" colspan="7">{ &failure.reason }</td> },
            None,
            Some(failure.reason.clone()),
        ),
    }
}

fn figures(measured: &Measured, unit: TimeUnit) -> Html {
    let summary = &measured.summary;
    let time = |value: Option<f64>| value.map_or_else(|| "withheld".to_owned(), |value| unit.digits(value));
    let times = [Some(summary.mean), Some(summary.sd), summary.q1, summary.median, summary.q3];
    html! {
        <>
            { for times.map(|value| html! { <td>{ time(value) }</td> }) }
            <td>{ summary.relative_half_width.map(plus_minus).unwrap_or_default() }</td>
            <td>{ summary.n }</td>
        </>
    }
}

/// What is varied, with its unit.
fn axis_title(result: &MeasuredCurve) -> String {
    let Some(parameter) = result.generator.parameter(&result.axis) else { return result.axis.clone() };
    let unit = parameter.numeric().and_then(|numeric: &Numeric| numeric.unit.clone());
    unit.unwrap_or_else(|| parameter.name.clone())
}
