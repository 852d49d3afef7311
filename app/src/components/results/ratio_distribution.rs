//! The ratios of the functions on many machines: what readers of a notebook measured, next to its author.

use std::rc::Rc;

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::catalog::name_of;
use benchbook_host::messages::verdicts::ratio_and_interval;
use benchbook_host::units::significant;
use benchbook_report::ratio_distribution::{FunctionRatios, RatioDistribution, RatioOfMachine};
use benchbook_report::results::Results;
use yew::prelude::*;

use crate::components::widgets::code::with_code;

/// The width and the height of a strip in its own units. The page scales it.
const STRIP: (f64, f64) = (600.0, 34.0);

#[derive(PartialEq, Properties)]
pub(super) struct RatiosOnMachinesProps {
    pub(super) results: Results,
    /// The axis value of the ranking; `None` without a ranking.
    pub(super) x: Option<AxisValue>,
    /// The relative difference up to which times count as the same.
    pub(super) margin: f64,
    /// Whether later points may change the ratios.
    pub(super) is_measuring: bool,
}

/// The distribution of the ratios over the machines; empty during a measurement, and with too few machines. The element is always
/// present, for the same reason as in `Machines`.
#[component]
pub(super) fn RatiosOnMachines(props: &RatiosOnMachinesProps) -> Html {
    let complete = (!props.is_measuring).then(|| (props.results.clone(), props.x.clone(), props.margin));
    let distribution = use_memo(complete, |complete| {
        let (results, x, margin) = complete.as_ref()?;
        RatioDistribution::of(results, x.as_ref()?, *margin).map(Rc::new)
    });
    let Some(distribution) = &*distribution else { return html! { <div class="machines"></div> } };
    html! {
        <div class="machines">
            { for distribution.sentences().iter().zip(&distribution.functions).map(|(sentence, function)| html! {
                <>
                    <p class="verdict" data-test="on-machines">{ with_code(sentence) }</p>
                    { strip(function) }
                </>
            }) }
            <p class="hints">
                { "Each dot is a machine; the box spans the quartiles. Outliers are beyond Tukey's fences, on a logarithmic scale." }
                if distribution.excluded > 0 {
                    { format!(" Not included: {} of another build, another kind of machine, or with other arguments.", distribution.excluded) }
                }
            </p>
            <details>
                <summary data-test="on-machines-details">{ "All machines" }</summary>
                { table(distribution) }
            </details>
        </div>
    }
}

/// The machines as dots on a logarithmic scale of ratios, with the quartiles as a box.
fn strip(function: &FunctionRatios) -> Html {
    let (width, height) = STRIP;
    let ratios = || function.ratios.iter().map(|one| one.ratio);
    // A ratio of 1 is always visible.
    let (low, high) = ratios().fold((1.0_f64, 1.0_f64), |(low, high), one| (low.min(one), high.max(one)));
    let (low, high) = (low.ln() - 0.05, high.ln() + 0.05);
    let right = |ratio: f64| width * (ratio.ln() - low) / (high - low);
    let (middle, [q1, median, q3]) = (0.5 * height, function.quartiles.map(right));
    let line = |class: &'static str, at: f64, half: f64| {
        html! {
            <line {class} x1={at.to_string()} x2={at.to_string()} y1={(middle - half).to_string()} y2={(middle + half).to_string()} />
        }
    };
    let dot = |one: &RatioOfMachine| {
        html! {
            <circle class={one.is_outlier.then_some("outlier")} cx={right(one.ratio).to_string()} cy={middle.to_string()} r="3.5"></circle>
        }
    };
    html! {
        <svg class="strip" viewBox={format!("0 0 {width} {height}")} aria-hidden="true" data-test="on-machines-strip">
            { line("one", right(1.0), 0.5 * height) }
            <rect x={q1.to_string()} y={(middle - 9.0).to_string()} width={(q3 - q1).max(1.0).to_string()} height="18" />
            { line("median", median, 9.0) }
            { for function.ratios.iter().map(dot) }
        </svg>
    }
}

/// Each machine with its ratios.
fn table(distribution: &RatioDistribution) -> Html {
    let row = |function: &FunctionRatios, one: &RatioOfMachine| {
        let ratio = match one.interval {
            Some(interval) => {
                let (ratio, interval) = ratio_and_interval(one.ratio, interval);
                format!("{ratio} ({interval})")
            }
            None => significant(one.ratio, 3),
        };
        html! {
            <tr data-path={function.path.clone()} data-ratio={one.ratio.to_string()} data-outlier={one.is_outlier.then_some("true")}>
                <th scope="row" class="text">{ &one.machine }</th>
                <td class="text">{ name_of(&function.path) }</td>
                <td>{ ratio }</td>
                <td class="text">{ one.finding() }{ if one.is_outlier { ", outlier" } else { "" } }</td>
            </tr>
        }
    };
    html! {
        <div class="scroll" tabindex="0" role="region" aria-label="Ratios on all machines">
            <table data-test="on-machines-table">
                <thead>
                    <tr>
                        <th scope="col" class="text">{ "machine" }</th>
                        <th scope="col" class="text">{ "function" }</th>
                        <th scope="col">{ format!("ratio to {}", name_of(&distribution.baseline)) }</th>
                        <th scope="col" class="text">{ "finding" }</th>
                    </tr>
                </thead>
                <tbody>{ for distribution.functions.iter().flat_map(|function| function.ratios.iter().map(move |one| row(function, one))) }</tbody>
            </table>
        </div>
    }
}
