//! The plot: the shown curves in an interactive chart.

mod legend;
mod limit_field;
mod metric_select;
mod model;
pub(super) mod positions;
mod readout;

use std::rc::Rc;

use benchbook_host::units::Nanos;
use yew::prelude::*;

use super::interactive_chart::{InteractiveChart, LimitLine, SnapPoints, palette, use_appearance, use_size};
use crate::settings::presentation::{Presentation, PresentationAction};
use crate::state::comparison::FunctionComparison;
use crate::state::shown_trace::ShownTrace;
use benchbook_host::metric::TIME;
use legend::legend;
use limit_field::LimitField;
use metric_select::MetricSelect;
use positions::Positions;

#[derive(PartialEq, Properties)]
pub(crate) struct PlotProps {
    /// The shown traces, at least one.
    pub(crate) shown: Vec<ShownTrace>,
    /// The comparisons of functions that were measured together.
    pub(crate) comparisons: Rc<Vec<FunctionComparison>>,
    pub(crate) presentation: Presentation,
    pub(crate) on_present: Callback<PresentationAction>,
}

#[component]
pub(crate) fn Plot(props: &PlotProps) -> Html {
    let canvas = use_node_ref();
    let (size, appearance) = (use_size(&canvas), use_appearance());
    let palette = palette(appearance, props.shown.len());
    let positions = use_memo(props.shown.clone(), |shown| Positions::of(shown));
    // Recomputed only with new points, not in each frame of a zoom, since there are many raw samples.
    let metric = props.presentation.metric();
    let inputs = (props.shown.clone(), Rc::clone(&positions), metric, props.presentation.show_samples);
    let series = use_memo(inputs, |(shown, positions, metric, with_samples)| {
        model::series(shown, positions, metric, *with_samples)
    });
    let snap_points = use_memo(Rc::clone(&series), |series| model::snap_points(series));
    let inputs = (Rc::clone(&series), Rc::clone(&props.comparisons), props.presentation.clone(), appearance);
    let chart_and_view = use_memo(inputs, |(series, comparisons, presentation, appearance)| {
        // Crossings are those of the times.
        let crossings = if *metric == TIME { model::crossings(comparisons) } else { Vec::new() };
        let curves = (series.to_vec(), crossings);
        let (chart, full_view) =
            model::chart(&props.shown, curves, &positions, presentation, palette, appearance.density);
        (Rc::new(chart), full_view)
    });
    let (chart, full_view) = &*chart_and_view;
    let readout = {
        let (shown, positions) = (props.shown.clone(), Rc::clone(&positions));
        Callback::from(move |position: f64| {
            positions.value_at(position).map(|x| readout::lines(&shown, metric, &x)).unwrap_or_default()
        })
    };
    let is_zoomed = props.presentation.zoom.is_some();
    let has_limit = !chart.x.is_categorical() && *metric == TIME;
    let limit = props.presentation.limit.filter(|_| has_limit).map(|limit| {
        let on_move = props.on_present.reform(|limit| PresentationAction::Limit(Some(Nanos(limit))));
        LimitLine { value: limit.0, on_move }
    });
    html! {
        <>
            <MetricSelect shown={props.shown.clone()} {metric} on_present={props.on_present.clone()} />
            { legend(&props.shown, &props.presentation, palette, chart, &props.on_present) }
            // A separate node, as in the chart: the field is conditional.
            <div class="limit">
                if has_limit {
                    <LimitField limit={props.presentation.limit} on_present={props.on_present.clone()} />
                }
            </div>
            <div class="plot" data-test="plot">
                <InteractiveChart {canvas} {size} chart={Rc::clone(chart)} full_view={*full_view}
                    label={model::description(&props.shown, chart)} {is_zoomed} on_zoom={props.on_present.reform(PresentationAction::Zoom)}
                    snap_points={SnapPoints::clone(&snap_points)} {readout} {limit} />
            </div>
            <p class="hints">
                <span class="fine">{ "Drag or scroll to zoom, Shift-drag to pan, double-click to reset." }</span>
                <span class="coarse">{ "Drag to zoom, double-tap to reset." }</span>
                { " Keys: + and − zoom, arrows pan, 0 resets, comma and period step through the points." }
            </p>
        </>
    }
}
