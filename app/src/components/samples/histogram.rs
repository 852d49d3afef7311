//! How the samples are spread.

use std::rc::Rc;

use benchbook::units::{TimeUnit, count};
use yew::prelude::*;

use super::{PointSamples, use_zoom};
use crate::components::board::{Board, Size, Stops, layout, palette, use_looks, use_size};
use crate::components::plot::TYPEFACE;
use benchbook_chart::{Chart, Content, Font, Histogram, Holds, Scale, Sorted};

#[derive(PartialEq, Properties)]
pub(super) struct HistogramProps {
    pub(super) point: PointSamples,
}

#[component]
pub(super) fn HistogramView(props: &HistogramProps) -> Html {
    let canvas = use_node_ref();
    let (zoom, on_zoom) = use_zoom(&props.point);
    let (size, looks) = (use_size(&canvas), use_looks());
    let sorted = use_memo(props.point.clone(), |point| point.measured.counted().collect::<Sorted>());
    let known = (Rc::clone(&sorted), props.point.clone(), size, looks);
    let bars = use_memo(known, |(sorted, point, size, looks)| {
        Histogram::of(sorted, point.resolution, point.centre(), &layout(*size, looks.density))
    });
    let stops: Rc<Stops> =
        use_memo(Rc::clone(&bars), |bars| bars.bins.iter().map(|bin| bin.place.low.midpoint(bin.place.high)).collect());
    let (x, y) = Histogram::axes(Scale::Linear, Scale::Linear);
    let whole = bars.fit(&x, &y);
    let known = (Rc::clone(&bars), zoom, looks, props.point.functions);
    let chart = use_memo(known, |(bars, zoom, looks, functions)| Chart {
        view: zoom.unwrap_or(whole),
        content: Content::Histogram(Histogram::clone(bars)),
        x: x.clone(),
        y: y.clone(),
        palette: palette(*looks, *functions),
        font: Font::canvas(TYPEFACE),
        density: looks.density,
    });
    let tell = {
        let (bars, chart) = (Rc::clone(&bars), Rc::clone(&chart));
        Callback::from(move |time: f64| told(&bars, &chart, size, time))
    };
    let total: usize = bars.bins.iter().map(|bin| bin.count).sum();
    html! {
        <div class="plot" data-test="histogram" data-zoomed={zoom.is_some().to_string()} data-count={total.to_string()}
            data-bins={bars.bins.len().to_string()}>
            <Board {canvas} {size} chart={Rc::clone(&chart)} {whole} is_zoomed={zoom.is_some()} {on_zoom} stops={Stops::clone(&stops)} {tell}
                label={format!("How {} samples are spread, warm-up left out", count(total as u64))} />
        </div>
    }
}

/// The bin that holds a time.
fn told(bars: &Histogram, chart: &Chart, size: Size, time: f64) -> Vec<Html> {
    let frame = chart.frame(&layout(size, chart.density));
    let bin = frame.x_to_pixel(time).and_then(|column| bars.at(&frame, column));
    let Some(bin) = bin else { return Vec::new() };
    let unit = TimeUnit::for_largest(bin.place.high);
    let times = match bin.holds {
        Holds::Place => format!("{} to {}", unit.digits(bin.place.low), unit.format(bin.place.high)),
        Holds::Under(fence) => format!("under {}: severe outliers", unit.format(fence)),
        Holds::Over(fence) => format!("over {}: severe outliers", unit.format(fence)),
    };
    let samples = match bin.count {
        1 => "1 sample".to_owned(),
        several => format!("{} samples", count(several as u64)),
    };
    vec![html! { { times } }, html! { { samples } }]
}
