//! The histogram of the samples.

use std::rc::Rc;

use benchbook_chart::{AxisScale, BinKind, Chart, Content, Font, Histogram, SortedTimes};
use benchbook_host::units::{TimeUnit, count};
use yew::prelude::*;

use super::point::{PointSamples, use_zoom};
use crate::components::widgets::interactive_chart::{
    CanvasSize, InteractiveChart, SnapPoints, TYPEFACE, layout, palette, readout_lines, use_appearance, use_size,
};

#[derive(PartialEq, Properties)]
pub(super) struct HistogramProps {
    pub(super) point: PointSamples,
}

#[component]
pub(super) fn HistogramView(props: &HistogramProps) -> Html {
    let canvas = use_node_ref();
    let (zoom, on_zoom) = use_zoom(&props.point);
    let (size, appearance) = (use_size(&canvas), use_appearance());
    let sorted = use_memo(props.point.clone(), |point| point.measured.counted().collect::<SortedTimes>());
    let inputs = (Rc::clone(&sorted), props.point.clone(), size, appearance);
    let histogram = use_memo(inputs, |(sorted, point, size, appearance)| {
        Histogram::of(sorted, point.step_per_call, point.centre(), &layout(*size, appearance.density))
    });
    let snap_points: Rc<SnapPoints> = use_memo(Rc::clone(&histogram), |histogram| {
        histogram.bins.iter().map(|bin| bin.window.low.midpoint(bin.window.high)).collect()
    });
    let (mut x, y) = Histogram::axes(AxisScale::Linear, AxisScale::Linear);
    x.title = props.point.title.to_owned();
    let full_view = histogram.fit(&x, &y);
    let inputs = (Rc::clone(&histogram), zoom, appearance, props.point.functions);
    let chart = use_memo(inputs, |(histogram, zoom, appearance, functions)| Chart {
        view: zoom.unwrap_or(full_view),
        content: Content::Histogram(Histogram::clone(histogram)),
        x: x.clone(),
        y: y.clone(),
        palette: palette(*appearance, *functions),
        font: Font::canvas(TYPEFACE),
        density: appearance.density,
    });
    let readout = {
        let (histogram, chart) = (Rc::clone(&histogram), Rc::clone(&chart));
        Callback::from(move |time: f64| readout(&histogram, &chart, size, time))
    };
    let total: usize = histogram.bins.iter().map(|bin| bin.count).sum();
    html! {
        <div class="plot" data-test="histogram">
            <InteractiveChart {canvas} {size} chart={Rc::clone(&chart)} {full_view} is_zoomed={zoom.is_some()} {on_zoom}
                snap_points={SnapPoints::clone(&snap_points)} {readout}
                label={format!("Histogram of {} samples, without warm-up", count(total as u64))} />
        </div>
    }
}

/// The readout of the bin that contains a time.
fn readout(histogram: &Histogram, chart: &Chart, size: CanvasSize, time: f64) -> Html {
    let frame = chart.frame(&layout(size, chart.density));
    let bin = frame.x_to_pixel(time).and_then(|column| histogram.at(&frame, column));
    let Some(bin) = bin else { return Html::default() };
    let unit = TimeUnit::for_largest(bin.window.high);
    let times = match bin.kind {
        BinKind::Regular => format!("{} to {}", unit.digits(bin.window.low), unit.format(bin.window.high)),
        BinKind::LowOutliers(fence) => format!("below {}", unit.format(fence)),
        BinKind::HighOutliers(fence) => format!("above {}", unit.format(fence)),
    };
    let samples = match bin.count {
        1 => "1 sample".to_owned(),
        several => format!("{} samples", count(several as u64)),
    };
    readout_lines([html! { { times } }, html! { { samples } }])
}
