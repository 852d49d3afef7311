//! The figures as a table: a row a point.

use std::rc::Rc;

use benchbook::catalog::Function;
use benchbook::response::Measured;
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
                        <th scope="col">{ result.axis_heading() }</th>
                        { for ["mean", "sd", "q1", "median", "q3"].map(|name| html! { <th scope="col">{ format!("{name} [{symbol}]") }</th> }) }
                        <th scope="col">{ "precision" }</th>
                        <th scope="col">{ "samples" }</th>
                        <th scope="col">{ "priority" }</th>
                    </tr>
                </thead>
                <tbody>{ for result.curve.readings().iter().map(|reading| row(props, reading, unit)) }</tbody>
            </table>
        </div>
    }
}

/// A unit in which the middle of the column reads well: the ends may lie far from each other.
fn unit_for(result: &MeasuredCurve) -> TimeUnit {
    let means = result.curve.readings().iter().filter_map(|reading| Some(reading.measured()?.summary.mean));
    let positive: Vec<f64> = means.filter(|mean| *mean > 0.0).map(f64::ln).collect();
    let middle = positive.iter().sum::<f64>() / positive.len().max(1) as f64;
    TimeUnit::for_largest(middle.exp())
}

fn row(props: &TableProps, reading: &Reading, unit: TimeUnit) -> Html {
    let (measured, failure) = (reading.measured(), reading.failure());
    let attribute = |of: fn(&Measured) -> Option<f64>| measured.and_then(of).map(|value| value.to_string());
    let reason = failure.map(|(_, failure)| failure.reason.clone());
    html! {
        <tr data-path={props.function.path.clone()} data-x={reading.x.to_string()} data-priority={reading.priority().number().to_string()}
            data-machine={props.result.face()} data-failed={reason.clone().filter(|_| measured.is_none())}
            data-mean={attribute(|m| Some(m.summary.mean))} data-sd={attribute(|m| Some(m.summary.sd))}
            data-q1={attribute(|m| m.summary.q1)} data-median={attribute(|m| m.summary.median)} data-q3={attribute(|m| m.summary.q3)}>
            <th scope="row">{ number(reading.x) }</th>
            if let Some(measured) = measured {
                { figures(measured, unit) }
            } else {
                <td class="reason" colspan="7">{ reason.clone() }</td>
            }
            <td>
                { reading.priority().number() }
                if let (Some(_), Some((priority, _))) = (measured, failure) {
                    <span class="reason" title={reason}>{ format!(" ({} failed)", priority.number()) }</span>
                }
            </td>
        </tr>
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
