//! A chart of curves with marks that are links.

use std::rc::Rc;

use benchbook_chart::{AxisScale, AxisSpec, Chart, Content, CurveSeries, Curves, Font, Unit, View, Window};
use benchbook_host::history::CheckedMetric;
use yew::prelude::*;

use crate::components::widgets::interactive_chart::{
    InteractiveChart, SnapPoints, TYPEFACE, frame, palette, use_appearance, use_size,
};

/// The height of a mark in page pixels.
const MARK_HEIGHT: f64 = 24.0;

/// The axis of a metric.
pub(super) fn metric_axis(metric: CheckedMetric, scale: AxisScale) -> AxisSpec {
    let unit = if metric.is_exact() { Unit::whole() } else { Unit::Nanoseconds };
    AxisSpec { title: metric.title().to_owned(), unit, scale, range: None }
}

/// A link at a position of the horizontal axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ChartMark {
    pub(super) x: f64,
    /// The fragment of the link.
    pub(super) link: String,
    /// Whether the curve is higher from here on: the mark is then at the lower edge, where it covers no point.
    pub(super) is_slower: bool,
    /// Its name.
    pub(super) label: String,
}

#[derive(PartialEq, Properties)]
pub(super) struct MarkedChartProps {
    pub(super) curves: Rc<Curves>,
    /// The horizontal and the vertical axis.
    pub(super) axes: (AxisSpec, AxisSpec),
    /// The range of the vertical axis; absent: the one that fits the curves, with zero on a linear axis.
    #[prop_or_default]
    pub(super) y_range: Option<Window>,
    /// The text alternative.
    pub(super) label: String,
    /// Returns the content of the readout at the position of a point.
    pub(super) readout: Callback<f64, Html>,
    #[prop_or_default]
    pub(super) marks: Vec<ChartMark>,
    /// The name for tests.
    pub(super) test: &'static str,
}

#[component]
pub(super) fn MarkedChart(props: &MarkedChartProps) -> Html {
    let MarkedChartProps { curves, axes, y_range, marks, .. } = props;
    let canvas = use_node_ref();
    let zoom = use_state_eq(|| None::<View>);
    let (size, appearance) = (use_size(&canvas), use_appearance());
    let palette = palette(appearance, curves.series.len());
    let snap_points = use_memo(Rc::clone(curves), |curves| {
        let points = curves.series.iter().flat_map(CurveSeries::points);
        points.map(|point| point.x).collect::<SnapPoints>()
    });
    let inputs = (Rc::clone(curves), axes.clone(), *y_range, *zoom, appearance);
    let chart_and_view = use_memo(inputs, |(curves, (x, y), y_range, zoom, appearance)| {
        let fitted = curves.fit(x, y);
        let full_view = View { y: y_range.unwrap_or(fitted.y), ..fitted };
        let chart = Chart {
            view: zoom.unwrap_or(full_view),
            content: Content::Curves(Curves::clone(curves)),
            x: x.clone(),
            y: y.clone(),
            palette,
            font: Font::canvas(TYPEFACE),
            density: appearance.density,
        };
        (Rc::new(chart), full_view)
    });
    let (chart, full_view) = &*chart_and_view;
    let on_zoom = {
        let zoom = zoom.setter();
        Callback::from(move |view: Option<View>| zoom.set(view))
    };
    let geometry = frame(chart, size);
    let mark_view = |mark: &ChartMark| {
        let left = geometry.x_to_pixel(mark.x).filter(|_| size.0 > 0 && geometry.shows_x(mark.x))? / geometry.density();
        let inner = geometry.inner();
        let (symbol, top) = match mark.is_slower {
            true => ("▲", inner.bottom / geometry.density() - MARK_HEIGHT),
            false => ("▼", inner.top / geometry.density()),
        };
        Some(html! {
            <a class="chart-mark" href={format!("#{}", mark.link)} data-test="chart-mark" aria-label={mark.label.clone()} title={mark.label.clone()}
                style={format!("left:{left}px;top:{top}px")}>{ symbol }</a>
        })
    };
    html! {
        <div class="plot" data-test={props.test}>
            <InteractiveChart {canvas} {size} chart={Rc::clone(chart)} full_view={*full_view} label={props.label.clone()} is_zoomed={zoom.is_some()}
                {on_zoom} snap_points={SnapPoints::clone(&snap_points)} readout={props.readout.clone()} />
            <div>{ for marks.iter().filter_map(mark_view) }</div>
        </div>
    }
}
