//! Whatever is asked for, drawing neither fails nor leaves the canvas, and the pointer reads without harm.

use proptest::prelude::*;

use super::fixtures::{chart, compared, curves, figures, histogram, in_order, keys, sampled, samples};
use super::{attribute, svg};
use crate::*;

proptest! {
    #[test]
    fn any_view_of_curves_can_be_drawn(
        view in view(), x_log: bool, y_log: bool, compares: bool, dense: bool, width in 1_u32..900, height in 1_u32..400,
    ) {
        let mut chart = if compares { compared() } else { chart(Scale::Log, keys()) };
        for (index, series) in curves(&mut chart).series.iter_mut().enumerate() {
            let mut points = series.points().to_vec();
            points[index].x = [0.0, -7.0, 1e4, 2e4][index];
            points[3].mark = Mark::Failed;
            points[4].mark = Mark::Skipped;
            points[5].mark = Mark::Under { bound: if dense { 0.0 } else { 800.0 }, figures: figures(-1.0, 3.0) };
            points[6].mark = Mark::Unsettled(figures(5000.0, 6000.0));
            *series = Series::new(series.name.clone(), series.ordinal, Weight::Preliminary(index as u8), points);
            series.unpaired = index == 2;
        }
        curves(&mut chart).crossings = vec![Crossing { x: view.x.high, low: view.y.low, high: view.y.high }];
        let mut chart = sampled(chart, 20);
        chart.view = view;
        (chart.x.scale, chart.y.scale) = (scale(x_log), scale(y_log));
        chart.density = if dense { 2.0 } else { 1.0 };
        prop_assert_eq!(outside(&chart, width, height), None);
    }

    #[test]
    fn any_view_of_samples_can_be_drawn_and_read(
        view in view(), count in 0_usize..1500, warm_up in 0_usize..200, x_log: bool, y_log: bool, width in 1_u32..900,
        height in 1_u32..400, pixel in -50.0..950.0,
    ) {
        let mut times = samples(2000.0, count).to_vec();
        times.extend([-3.0, 0.0, 9e7]);
        let warm_up = warm_up.min(times.len());
        let mut in_order = in_order(Scale::Linear, times.iter().copied().collect(), warm_up);
        let mut histogram = histogram(Scale::Linear, Scale::Linear, &times);
        for chart in [&mut in_order, &mut histogram] {
            let fitted = chart.view;
            (chart.x.scale, chart.y.scale) = (scale(x_log), scale(y_log));
            for view in [fitted, view] {
                chart.view = view;
                prop_assert_eq!(outside(chart, width, height), None);
                let frame = chart.frame(&Layout::of(width, height, 1.0));
                match &chart.content {
                    Content::InOrder(samples) => if let Some(stretch) = samples.at(&frame, pixel) {
                        prop_assert!(1 <= stretch.first && stretch.first <= stretch.last && stretch.last <= times.len());
                        prop_assert!(stretch.low <= stretch.high);
                    },
                    Content::Histogram(histogram) => drop(histogram.at(&frame, pixel).copied()),
                    Content::Curves(_) => unreachable!("samples of one point"),
                }
            }
        }
    }
}

fn scale(log: bool) -> Scale {
    if log { Scale::Log } else { Scale::Linear }
}

/// A place that was drawn and is not on the canvas.
fn outside(chart: &Chart, width: u32, height: u32) -> Option<String> {
    // Markers at an edge stand out by their radius.
    let out = 8.0 * chart.density;
    let (width, height) = (f64::from(width) + out, f64::from(height) + out);
    let svg = svg(chart, width as u32 - out as u32, height as u32 - out as u32);
    let places = svg.split('<').filter_map(|tag| attribute(tag, "points")).flat_map(str::split_whitespace);
    let is_outside = |place: &&str| {
        let (x, y) = place.split_once(',').expect("x,y");
        let (x, y): (f64, f64) = (x.parse().expect("a number"), y.parse().expect("a number"));
        !((-out..=width).contains(&x) && (-out..=height).contains(&y))
    };
    places.filter(is_outside).map(str::to_owned).next()
}

fn view() -> impl Strategy<Value = View> {
    (window(), window()).prop_map(|(x, y)| View { x, y })
}

/// Windows that a person may zoom to, and any two numbers that a mistyped link may hold.
fn window() -> impl Strategy<Value = Window> {
    let any = proptest::num::f64::ANY;
    let sensible = (1.0..6.0, 0.001..4.0)
        .prop_map(|(low, decades): (f64, f64)| Window { low: 10_f64.powf(low), high: 10_f64.powf(low + decades) });
    prop_oneof![sensible, (any, any).prop_map(|(low, high)| Window { low, high })]
}
