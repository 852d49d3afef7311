//! The ratio curve: how many times as long each function takes in the browser, against the varied parameter.

use std::rc::Rc;

use benchbook_chart::{AxisSpec, Chart, Content, CurveSeries, CurveStage, Curves, Font, Palette, View, css};
use benchbook_contract::axis_value::AxisValue;
use benchbook_host::compare::machines::FunctionOnBoth;
use benchbook_host::messages::machines::machine_ratio;
use benchbook_host::units::axis_value;
use yew::prelude::*;

use crate::components::results::plot::positions::Positions;
use crate::components::results::ratios::{ratio_axis, ratio_point};
use crate::components::widgets::interactive_chart::{
    InteractiveChart, SnapPoints, TYPEFACE, palette, readout_lines, use_appearance, use_size,
};
use benchbook_report::machine_comparison::MachineComparison;
use benchbook_report::shown_trace::ShownTrace;

/// The title of the vertical axis.
const TITLE: &str = "Browser time ÷ native time";

#[derive(PartialEq, Properties)]
pub(super) struct RatioChartProps {
    /// The comparison.
    pub(super) comparison: Rc<MachineComparison>,
    /// The shown traces, which determine the horizontal axis.
    pub(super) shown: Vec<ShownTrace>,
}

#[component]
pub(super) fn RatioChart(props: &RatioChartProps) -> Html {
    let RatioChartProps { comparison, shown } = props;
    let canvas = use_node_ref();
    let zoom = use_state_eq(|| None::<View>);
    let (size, appearance) = (use_size(&canvas), use_appearance());
    let palette = palette(appearance, comparison.functions.len());
    let positions = use_memo(shown.clone(), |shown| Positions::of(shown));
    let inputs = (Rc::clone(comparison), Rc::clone(&positions));
    let curves = use_memo(inputs, |(comparison, positions)| curves(comparison, positions));
    let snap_points = use_memo(Rc::clone(&curves), |curves| {
        let points = curves.series.iter().flat_map(CurveSeries::points);
        points.map(|point| point.x).collect::<SnapPoints>()
    });
    let inputs = (Rc::clone(&curves), *zoom, appearance);
    let chart_and_view = use_memo(inputs, |(curves, zoom, appearance)| {
        let axes = (positions.axis(shown, None), ratio_axis(TITLE.to_owned(), &curves.series, None));
        let (chart, full_view) = chart(curves, axes, *zoom, palette, appearance.density);
        (Rc::new(chart), full_view)
    });
    let (chart, full_view) = &*chart_and_view;
    let on_zoom = {
        let zoom = zoom.setter();
        Callback::from(move |view: Option<View>| zoom.set(view))
    };
    let readout = {
        let (comparison, positions) = (Rc::clone(comparison), Rc::clone(&positions));
        Callback::from(move |position: f64| {
            positions.value_at(position).map(|x| readout(&comparison, &x)).unwrap_or_default()
        })
    };
    html! {
        <>
            <div class="legend">
                if comparison.functions.len() > 1 {
                    <ul class="series">
                        { for comparison.functions.iter().enumerate().map(|(function, name)| html! {
                            <li><i style={format!("color:{}", css(palette.median(function)))}></i>{ name }</li>
                        }) }
                    </ul>
                }
            </div>
            <div class="plot" data-test="machines-plot">
                <InteractiveChart {canvas} {size} chart={Rc::clone(chart)} full_view={*full_view}
                    label={description(comparison, chart)} is_zoomed={zoom.is_some()} {on_zoom}
                    snap_points={SnapPoints::clone(&snap_points)} {readout} />
            </div>
        </>
    }
}

/// The chart of these curves, and the view that shows everything.
fn chart(
    curves: &Curves,
    (x, y): (AxisSpec, AxisSpec),
    zoom: Option<View>,
    palette: Palette,
    density: f64,
) -> (Chart, View) {
    let full_view = curves.fit(&x, &y);
    let chart = Chart {
        view: zoom.unwrap_or(full_view),
        content: Content::Curves(curves.clone()),
        x,
        y,
        palette,
        font: Font::canvas(TYPEFACE),
        density,
    };
    (chart, full_view)
}

/// A series for each function: the ratio as the median, its interval as the quartiles.
fn curves(comparison: &MachineComparison, positions: &Positions) -> Curves {
    let series = comparison.functions.iter().enumerate().map(|(function, name)| {
        let points = comparison.of_function(function);
        let points = points.filter_map(|(x, FunctionOnBoth { ratio, .. })| {
            Some(ratio_point(positions.position(x)?, ratio.value, ratio.interval))
        });
        CurveSeries::new(name, function, CurveStage::Final, points.collect())
    });
    Curves {
        series: series.collect(),
        crossings: Vec::new(),
        limit: None,
        show_mean: false,
        show_median: true,
        show_samples: false,
    }
}

/// The text alternative.
fn description(comparison: &MachineComparison, chart: &Chart) -> String {
    let by = if chart.x.title.is_empty() { String::new() } else { format!(" by {}", chart.x.title) };
    format!("{TITLE} of {}{by}. The table below lists the ratios.", comparison.functions.join(", "))
}

/// The lines of the readout at an axis value: the ratio of each function.
fn readout(comparison: &MachineComparison, x: &AxisValue) -> Html {
    let at = format!("{} {}", axis_value(x), comparison.setup.axis_unit());
    let mut lines = Vec::new();
    if !x.is_absent() {
        lines.push(html! { { at.trim_end() } });
    }
    for (function, name) in comparison.functions.iter().enumerate() {
        let found = comparison.of_function(function).find(|(value, _)| *value == x);
        lines.extend(found.map(|(_, on_both)| html! { <><b>{ name }</b>{ ": " }{ machine_ratio(on_both.ratio) }</> }));
    }
    readout_lines(lines)
}
