//! The plot: the curves of all that is shown, on a board.

mod legend;
mod model;
mod reading;

use std::rc::Rc;

use yew::prelude::*;

use super::board::{Board, Stops, palette, use_looks, use_size};
use crate::chart::View;
use crate::settings::presentation::{Presentation, PresentationAction};
use crate::state::comparison::FunctionComparison;
use crate::state::shown_trace::ShownTrace;
use legend::legend;
pub(super) use model::TYPEFACE;

#[derive(PartialEq, Properties)]
pub(crate) struct PlotProps {
    /// All that is shown; not empty.
    pub(crate) shown: Vec<ShownTrace>,
    /// Those that were measured together.
    pub(crate) versus: Rc<Vec<FunctionComparison>>,
    pub(crate) presentation: Presentation,
    pub(crate) on_present: Callback<PresentationAction>,
}

#[component]
pub(crate) fn Plot(props: &PlotProps) -> Html {
    let canvas = use_node_ref();
    let (size, looks) = (use_size(&canvas), use_looks());
    let palette = palette(looks, props.shown.len());
    // Made anew with new figures alone, and not with each frame of a zoom: raw samples are many.
    let series = use_memo((props.shown.clone(), props.presentation.show_samples), |(shown, with_samples)| {
        model::series(shown, *with_samples)
    });
    let stops = use_memo(Rc::clone(&series), |series| model::stops(series));
    let known = (Rc::clone(&series), Rc::clone(&props.versus), props.presentation.clone(), looks);
    let known = use_memo(known, |(series, versus, presentation, looks)| {
        let curves = (series.to_vec(), model::crossings(versus));
        let (chart, whole) = model::chart(&props.shown, curves, presentation, palette, looks.density);
        (Rc::new(chart), whole)
    });
    let (chart, whole) = &*known;
    let tell = {
        let shown = props.shown.clone();
        Callback::from(move |x: f64| reading::told(&shown, x))
    };
    let is_zoomed = props.presentation.zoom.is_some();
    let View { x, y } = chart.view;
    html! {
        <>
            { legend(&props.shown, &props.presentation, palette, (chart.x.scale, chart.y.scale), &props.on_present) }
            <div class="plot" data-test="plot" data-zoomed={is_zoomed.to_string()}
                data-view={format!("{} {} {} {}", x.low, x.high, y.low, y.high)} data-series={model::figures_of(chart)}
                data-crossings={model::crossings_of(chart)}>
                <Board {canvas} {size} chart={Rc::clone(chart)} whole={*whole} label={model::described(&props.shown, chart)} {is_zoomed}
                    on_zoom={props.on_present.reform(PresentationAction::Zoom)} stops={Stops::clone(&stops)} {tell} />
            </div>
            <p class="hints">
                <span class="fine">{ "Drag zooms, Shift and drag moves, the wheel zooms, double click shows all." }</span>
                <span class="coarse">{ "A finger zooms, a double tap shows all." }</span>
                { " With keys: + − and arrows, 0 shows all, comma and point read the points." }
            </p>
        </>
    }
}
