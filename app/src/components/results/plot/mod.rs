//! The plot: the shown curves in an interactive chart.

mod limit_field;
mod machine_switches;
pub(crate) mod metric_select;
mod model;
pub(crate) mod positions;
mod readout;
mod readout_table;
mod relative;
mod series;
mod stage;
#[cfg(test)]
mod tests;
mod toolbar;

use std::cell::RefCell;
use std::rc::Rc;

use benchbook_chart::{Chart, View, svg};
use benchbook_contract::axis_value::AxisValue;
use benchbook_host::units::Nanos;
use web_sys::HtmlCanvasElement;
use yew::prelude::*;

use crate::components::results::ranking::has_ratios;
use crate::components::widgets::interactive_chart::{
    CanvasSize, InteractiveChart, LimitLine, SnapPoints, line_names, palette, use_appearance, use_size,
};
use benchbook_host::metric::TIME;
use benchbook_notebook::view::{CellView, ViewAction, Zoom};
use benchbook_report::ranking::MachineRanking;
use benchbook_report::shown_trace::ShownTrace;
use positions::Positions;
pub(super) use readout::Readout;
pub(super) use relative::drawn_view;
use series::{SeriesCommands, names_on_lines, series_list};
use toolbar::Toolbar;

/// The plot as it was drawn last, for exports.
#[derive(Clone, Default)]
pub(super) struct DrawnPlot(Rc<RefCell<Option<DrawnChart>>>);

/// A chart on its canvas.
struct DrawnChart {
    chart: Rc<Chart>,
    size: CanvasSize,
    canvas: NodeRef,
}

impl PartialEq for DrawnPlot {
    /// Compares by identity: a new drawing does not change the components that may export it.
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

/// The narrowest exported image, in page pixels: a narrow plot has no room for the names of functions.
const MIN_EXPORT_WIDTH: u32 = 720;

impl DrawnPlot {
    /// The plot as SVG, at least as wide as its names need; `None` before the first drawing.
    pub(super) fn svg(&self) -> Option<String> {
        let drawn = self.0.borrow();
        let DrawnChart { chart, size: (width, height), .. } = drawn.as_ref().filter(|drawn| drawn.is_visible())?;
        Some(svg(chart, ((*width).max(MIN_EXPORT_WIDTH), *height)))
    }

    /// The canvas with the plot; `None` while it is hidden, since hidden plots are not drawn.
    pub(super) fn canvas(&self) -> Option<HtmlCanvasElement> {
        self.0.borrow().as_ref().filter(|drawn| drawn.is_visible())?.canvas.cast()
    }
}

impl DrawnChart {
    fn is_visible(&self) -> bool {
        self.size.0 > 0
    }
}

#[derive(PartialEq, Properties)]
pub(crate) struct PlotProps {
    /// The shown traces, at least one.
    pub(crate) shown: Vec<ShownTrace>,
    pub(crate) rankings: Rc<Vec<MachineRanking>>,
    /// The view as it is drawn.
    pub(crate) view: CellView,
    /// Receives the drawn plot.
    pub(super) drawn: DrawnPlot,
    pub(crate) on_present: Callback<ViewAction>,
    /// Receives the axis value under the cursor.
    pub(crate) on_cursor: Callback<Option<AxisValue>>,
}

#[component]
pub(crate) fn Plot(props: &PlotProps) -> Html {
    let canvas = use_node_ref();
    let (size, appearance) = (use_size(&canvas), use_appearance());
    let palette = palette(appearance, props.shown.len());
    let positions = use_memo(props.shown.clone(), |shown| Positions::of(shown));
    // Recomputed only with new points, not in each frame of a zoom, since there are many raw samples.
    let metric = props.view.metric();
    // Only times have ratios.
    let has_ratios = *metric == TIME && has_ratios(&props.rankings);
    let (view, is_relative) = (&props.view, props.view.is_relative());
    let relative_to = is_relative.then(|| Rc::clone(&props.rankings));
    let hidden = (view.hidden_machines.clone(), view.hidden_functions.clone());
    let inputs = (props.shown.clone(), Rc::clone(&positions), metric, view.show_samples, relative_to, hidden);
    let series = use_memo(inputs, |(shown, positions, metric, with_samples, relative_to, _)| {
        let mut series = match relative_to {
            Some(rankings) => relative::series(shown, rankings, positions),
            None => model::series(shown, positions, metric, *with_samples),
        };
        series.retain(|series| {
            let of_series = shown.iter().find(|one| one.label == series.name);
            of_series.is_none_or(|one| !model::is_hidden(one, shown, view))
        });
        series
    });
    let snap_points = use_memo(Rc::clone(&series), |series| model::snap_points(series));
    let inputs = (Rc::clone(&series), Rc::clone(&props.rankings), view.clone(), appearance, Rc::clone(&positions));
    let chart_and_view = use_memo(inputs, |(series, rankings, view, appearance, _)| {
        // Only times have crossings.
        let crossings = if *metric == TIME { model::crossings(&props.shown, rankings, view) } else { Vec::new() };
        let curves = (series.to_vec(), crossings);
        let (chart, full_view) = model::chart(&props.shown, curves, &positions, view, palette, appearance.density);
        (Rc::new(chart), full_view)
    });
    let (chart, full_view) = &*chart_and_view;
    {
        let (drawn, canvas) = (props.drawn.clone(), canvas.clone());
        use_effect_with((Rc::clone(chart), size), move |(chart, size)| {
            drawn.0.replace(Some(DrawnChart { chart: Rc::clone(chart), size: *size, canvas }));
        });
    }
    let on_select = use_callback(
        (Rc::clone(&positions), props.on_cursor.clone()),
        |position: Option<f64>, (positions, on_cursor)| {
            on_cursor.emit(position.and_then(|position| positions.value_at(position)));
        },
    );
    let is_zoomed = props.view.zoom.is_some();
    let pending_click = use_mut_ref(|| None);
    let on_zoom = props.on_present.reform(|view: Option<View>| {
        ViewAction::Zoom(view.and_then(|View { x, y }| Zoom::new([x.low, x.high], [y.low, y.high])))
    });
    let has_limit = !chart.x.is_categorical() && *metric == TIME && !is_relative;
    let limit = props.view.limit.filter(|_| has_limit).map(|limit| {
        let on_move = props.on_present.reform(|limit| ViewAction::Limit(Some(Nanos(limit))));
        LimitLine { value: limit.0, on_move }
    });
    let series_commands = SeriesCommands { shown: &props.shown, view, on_present: &props.on_present };
    html! {
        <>
            <Toolbar shown={props.shown.clone()} view={view.clone()} scales={[chart.x.scale, chart.y.scale]} has_categories={chart.x.is_categorical()}
                {has_ratios} {has_limit} on_present={props.on_present.clone()} />
            <div class="plot" data-test="plot">
                <InteractiveChart {canvas} {size} chart={Rc::clone(chart)} full_view={*full_view}
                    label={model::description(&props.shown, chart)} {is_zoomed} {on_zoom}
                    snap_points={SnapPoints::clone(&snap_points)} {on_select} {limit} />
                { names_on_lines(&line_names(chart, size), &series_commands, &pending_click) }
            </div>
            { series_list(&series_commands, palette) }
        </>
    }
}
