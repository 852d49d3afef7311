//! The samples in the order taken.

use std::rc::Rc;

use benchbook::units::{TimeUnit, count};
use yew::prelude::*;

use super::{PointSamples, use_zoom};
use crate::components::board::{Board, Size, Stops, layout, palette, use_looks, use_size};
use crate::components::plot::TYPEFACE;
use benchbook_chart::{Chart, Content, Font, InOrder, Scale, View};

#[derive(PartialEq, Properties)]
pub(super) struct InOrderProps {
    pub(super) point: PointSamples,
}

#[component]
pub(super) fn InOrderView(props: &InOrderProps) -> Html {
    let canvas = use_node_ref();
    let (zoom, on_zoom) = use_zoom(&props.point);
    let (size, looks) = (use_size(&canvas), use_looks());
    let samples = use_memo(props.point.clone(), |point| InOrder {
        times: point.measured.samples().map(|(run, sample)| run.time_of(sample)).collect(),
        warm_up: point.measured.samples().filter(|(_, sample)| sample.warm_up).count(),
        interrupted: { point.measured.samples().enumerate() }
            .filter(|(_, (_, sample))| sample.interrupted)
            .map(|(index, _)| index)
            .collect(),
        centre: point.centre(),
    });
    let count_of = samples.times.len();
    let (x, y) = InOrder::axes(Scale::Linear);
    let whole = use_memo(Rc::clone(&samples), |samples| samples.fit(&y));
    let known = (Rc::clone(&samples), zoom, looks, props.point.functions);
    let chart = use_memo(known, |(samples, zoom, looks, functions)| Chart {
        view: zoom.unwrap_or(*whole),
        content: Content::InOrder(InOrder::clone(samples)),
        x: x.clone(),
        y: y.clone(),
        palette: palette(*looks, *functions),
        font: Font::canvas(TYPEFACE),
        density: looks.density,
    });
    let tell = {
        let (samples, chart) = (Rc::clone(&samples), Rc::clone(&chart));
        Callback::from(move |number: f64| told(&samples, &chart, size, number))
    };
    let View { x, y } = chart.view;
    html! {
        <div class="plot" data-test="in-order" data-zoomed={zoom.is_some().to_string()} data-count={count_of.to_string()}
            data-warm-up={samples.warm_up.to_string()}
            data-interrupted={samples.interrupted.len().to_string()} data-view={format!("{} {} {} {}", x.low, x.high, y.low, y.high)}>
            <Board {canvas} {size} chart={Rc::clone(&chart)} whole={*whole} is_zoomed={zoom.is_some()} {on_zoom} stops={Stops::numbers(count_of)} {tell}
                label={format!("{} samples in the order taken, the first {} to warm up", count(count_of as u64), samples.warm_up)} />
        </div>
    }
}

/// The samples under the column of one of them.
fn told(samples: &InOrder, chart: &Chart, size: Size, number: f64) -> Vec<Html> {
    let frame = chart.frame(&layout(size, chart.density));
    let stretch = frame.x_to_pixel(number).and_then(|column| samples.at(&frame, column));
    let Some(stretch) = stretch else { return Vec::new() };
    let time = TimeUnit::for_largest(stretch.high);
    let (number, times) = if stretch.first == stretch.last {
        (format!("sample {}", count(stretch.first as u64)), time.format(stretch.high))
    } else {
        (
            format!("samples {} to {}", count(stretch.first as u64), count(stretch.last as u64)),
            format!("{} to {}", time.digits(stretch.low), time.format(stretch.high)),
        )
    };
    let mut lines = vec![html! { { number } }, html! { { times } }];
    if stretch.warm_up {
        lines.push(html! { { "warming up" } });
    }
    if stretch.interrupted > 0 {
        lines.push(html! { { "interrupted: something else had the processor" } });
    }
    lines
}
