//! The samples in measurement order.

use std::ops::Range;
use std::rc::Rc;

use benchbook_chart::{AxisScale, Chart, Content, Font, SampleSequence};
use benchbook_host::response::{MeasuredPoint, Run};
use benchbook_host::units::{TimeUnit, count};
use yew::prelude::*;

use super::point::{PointSamples, use_zoom};
use crate::components::widgets::interactive_chart::{
    CanvasSize, InteractiveChart, SnapPoints, TYPEFACE, layout, palette, readout_lines, use_appearance, use_size,
};

#[derive(PartialEq, Properties)]
pub(super) struct SequenceProps {
    pub(super) point: PointSamples,
}

#[component]
pub(super) fn SequenceView(props: &SequenceProps) -> Html {
    let canvas = use_node_ref();
    let (zoom, on_zoom) = use_zoom(&props.point);
    let (size, appearance) = (use_size(&canvas), use_appearance());
    let samples = use_memo(props.point.clone(), |point| SampleSequence {
        times: point.measured.samples().map(|(run, sample)| run.time_of(sample)).collect(),
        warm_up: warm_up(&point.measured),
        interrupted: { point.measured.samples().enumerate() }
            .filter(|(_, (_, sample))| sample.interrupted)
            .map(|(index, _)| index)
            .collect(),
        centre: point.centre(),
    });
    let total = samples.times.len();
    let (x, mut y) = SampleSequence::axes(AxisScale::Linear);
    y.title = props.point.title.to_owned();
    let full_view = use_memo(Rc::clone(&samples), |samples| samples.fit(&y));
    let inputs = (Rc::clone(&samples), zoom, appearance, props.point.functions);
    let chart = use_memo(inputs, |(samples, zoom, appearance, functions)| Chart {
        view: zoom.unwrap_or(*full_view),
        content: Content::Sequence(SampleSequence::clone(samples)),
        x: x.clone(),
        y: y.clone(),
        palette: palette(*appearance, *functions),
        font: Font::canvas(TYPEFACE),
        density: appearance.density,
    });
    let readout = {
        let (samples, chart) = (Rc::clone(&samples), Rc::clone(&chart));
        Callback::from(move |number: f64| readout(&samples, &chart, size, number))
    };
    html! {
        <div class="plot" data-test="in-order">
            <InteractiveChart {canvas} {size} chart={Rc::clone(&chart)} full_view={*full_view} is_zoomed={zoom.is_some()} {on_zoom}
                snap_points={SnapPoints::numbers(total)} {readout}
                label={label(&samples)} />
        </div>
    }
}

/// The indices of the warm-up samples of each process.
fn warm_up(measured: &MeasuredPoint) -> Vec<Range<usize>> {
    let mut start = 0;
    let of_run = |run: &Run| {
        let first = start;
        start += run.samples.len();
        first..first + run.samples.iter().filter(|sample| sample.warm_up).count()
    };
    measured.runs.iter().map(of_run).collect()
}

fn label(samples: &SampleSequence) -> String {
    let warm_up: usize = samples.warm_up.iter().map(ExactSizeIterator::len).sum();
    format!(
        "{} samples in measurement order, {} of them warm-up",
        count(samples.times.len() as u64),
        count(warm_up as u64)
    )
}

/// The readout of the samples in the column of this one.
fn readout(samples: &SampleSequence, chart: &Chart, size: CanvasSize, number: f64) -> Html {
    let frame = chart.frame(&layout(size, chart.density));
    let range = frame.x_to_pixel(number).and_then(|column| samples.at(&frame, column));
    let Some(range) = range else { return Html::default() };
    let time = TimeUnit::for_largest(range.high);
    let (number, times) = if range.first == range.last {
        (format!("sample {}", count(range.first as u64)), time.format(range.high))
    } else {
        (
            format!("samples {} to {}", count(range.first as u64), count(range.last as u64)),
            format!("{} to {}", time.digits(range.low), time.format(range.high)),
        )
    };
    let mut lines = vec![html! { { number } }, html! { { times } }];
    if range.warm_up {
        lines.push(html! { { "warm-up" } });
    }
    if range.interrupted > 0 {
        lines.push(html! { { "interrupted" } });
    }
    readout_lines(lines)
}
