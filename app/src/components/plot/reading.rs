//! What the pointer reads: the figures of the nearest point, and a line through it.

use benchbook::units::{self, TimeUnit};
use yew::prelude::*;

use super::pointer::Pointer;
use crate::state::cell::MeasuredCurve;

/// Between the line and the box with the figures, in pixels of the page.
const GAP: f64 = 8.0;

/// The reading at a column, in pixels of the page; absent where there is no point in view.
pub(super) fn of(result: &MeasuredCurve, pointer: &Pointer, column: f64) -> Option<Html> {
    let chart = &pointer.chart;
    let (frame, inner, density) = (pointer.frame(), pointer.layout().inner, chart.density);
    let hit = frame.nearest(chart.series(), column * density).first().copied()?;
    let x = chart.series().get(hit.series)?.points().get(hit.point)?.x;
    let left = frame.x_to_pixel(x)? / density;
    let (top, height) = (inner.top / density, inner.height() / density);
    // The box keeps to the side with more room.
    let side = if left > f64::from(pointer.size.0) / 2.0 {
        format!("right:calc(100% - {}px)", left - GAP)
    } else {
        format!("left:{}px", left + GAP)
    };
    Some(html! {
        <>
            <span class="crosshair" style={format!("left:{left}px;top:{top}px;height:{height}px")}></span>
            <div class="reading" data-test="reading" style={format!("top:{top}px;{side}")}>
                { for lines(result, x).into_iter().map(|line| html! { <p>{ line }</p> }) }
            </div>
        </>
    })
}

/// What is known of the point at `x`, a line each.
fn lines(result: &MeasuredCurve, x: f64) -> Vec<String> {
    let unit =
        result.generator.parameter(&result.axis).and_then(|axis| axis.numeric()?.unit.clone()).unwrap_or_default();
    let Some(reading) = result.curve.readings().iter().find(|reading| reading.x == x) else { return Vec::new() };
    let at = format!("{} {unit}", units::number(x));
    let Some(measured) = reading.measured() else {
        return vec![format!("{} · failed", at.trim_end())];
    };
    let summary = &measured.summary;
    let time = TimeUnit::for_largest(summary.mean + summary.sd);
    let samples = units::count(u64::from(summary.n));
    let mut lines = vec![
        format!("{} · {samples} samples · priority {}", at.trim_end(), reading.priority().number()),
        format!("mean {} ± {}", time.digits(summary.mean), time.format(summary.sd)),
    ];
    if let (Some(q1), Some(median), Some(q3)) = (summary.q1, summary.median, summary.q3) {
        lines.push(format!("median {} ({} … {})", time.format(median), time.digits(q1), time.digits(q3)));
    }
    lines
}
