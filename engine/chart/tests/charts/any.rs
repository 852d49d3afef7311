//! Drawing never fails and never leaves the canvas, and pointer queries never panic, whatever the view.

use benchbook_chart::{
    AxisScale, Chart, Content, Crossing, CrossingLabel, CurveSeries, CurveStage, PlotPoint, PointOutcome, View, Window,
};
use benchbook_host::analyze::stability::Stability;
use proptest::prelude::*;

use super::fixtures::{
    categories, chart, compared, curves, histogram, keys, sampled, samples, sequence, settled, stats,
};
use super::{attribute, svg};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn draws_any_view_of_curves(
        view in view(), x_log: bool, y_log: bool, compares: bool, dense: bool, width in 1_u32..900, height in 1_u32..400,
    ) {
        let mut chart = if compares { compared() } else { chart(AxisScale::Log, keys()) };
        for (index, series) in curves(&mut chart).series.iter_mut().enumerate() {
            let mut points = series.points().to_vec();
            points[index].x = [0.0, -7.0, 1e4, 2e4][index];
            points[3].outcome = PointOutcome::Failed;
            points[4].outcome = PointOutcome::Skipped;
            points[5].outcome = PointOutcome::UpperBound { bound: if dense { 0.0 } else { 800.0 }, stats: stats(-1.0, 3.0) };
            points[6].outcome = PointOutcome::Measured { stats: stats(5000.0, 6000.0), stability: Stability::NotSettled };
            *series = CurveSeries::new(series.name.clone(), series.ordinal, CurveStage::Preliminary(index as u8), points);
            series.dashed = index == 2;
        }
        let label = CrossingLabel { text: "a label of some length".to_owned(), short: "a label".to_owned() };
        curves(&mut chart).crossings =
            vec![Crossing { x: view.x.high, low: view.y.low, high: view.y.high, label: Some(label) }];
        curves(&mut chart).limit = Some(if dense { view.y.low } else { 5000.0 });
        let mut chart = sampled(chart, 20);
        chart.view = view;
        (chart.x.scale, chart.y.scale) = (scale(x_log), scale(y_log));
        chart.density = if dense { 2.0 } else { 1.0 };
        prop_assert_eq!(outside(&chart, width, height), None);
    }

    #[test]
    fn draws_and_queries_any_view_of_categories(
        link in (any_window(), any_window()), view in view(), labels in proptest::collection::vec(".{0,40}", 0..40),
        functions in 0_usize..9, y_log: bool, dense: bool, width in 1_u32..900, height in 1_u32..400,
        from in (-50.0..950.0, -50.0..450.0), to in (-50.0..950.0, -50.0..450.0), factor in 0.1..10.0, value: f64,
    ) {
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        let mut chart = categories(scale(y_log), "Order", &labels, functions);
        for series in &mut curves(&mut chart).series {
            let mut points = series.points().to_vec();
            points.extend([-1.0, 0.3, value].map(|x| PlotPoint::new(x, settled(stats(5000.0, 6000.0)))));
            for (point, outcome) in points.iter_mut().zip([
                PointOutcome::Failed,
                PointOutcome::Skipped,
                PointOutcome::UpperBound { bound: 800.0, stats: stats(-1.0, 3.0) },
                PointOutcome::Measured { stats: stats(-1.0, 3.0), stability: Stability::Unknown },
            ]) {
                point.outcome = outcome;
            }
            *series = CurveSeries::new(series.name.clone(), series.ordinal, CurveStage::Preliminary(2), points);
        }
        let mut chart = sampled(chart, 20);
        chart.density = if dense { 2.0 } else { 1.0 };
        let fitted = chart.view;
        let linked = View::from_parts([link.0.low, link.0.high], [link.1.low, link.1.high], chart.x.scale, chart.y.scale);
        for view in [Some(fitted), Some(view), linked].into_iter().flatten() {
            chart.view = view;
            prop_assert_eq!(outside(&chart, width, height), None);
            prop_assert!(!chart.x.describe(view.x).is_empty());
            let frame = chart.frame(&chart.layout(width, height));
            let moved = [frame.zoom_about(from, factor), frame.pan(from.0, to.1), frame.shift(to.0 / 100.0, 0.5)];
            for view in moved.into_iter().chain(frame.zoom_to(from, to)) {
                chart.view = view;
                prop_assert_eq!(outside(&chart, width, height), None);
                prop_assert!(!chart.x.describe(view.x).is_empty());
            }
            for value in [frame.x_from_pixel(from.0), value] {
                let label = chart.x.label_at(value);
                prop_assert_eq!(label.is_some(), !labels.is_empty() && (-0.5..=labels.len() as f64 - 0.5).contains(&value));
            }
        }
    }

    #[test]
    fn draws_and_queries_any_view_of_samples(
        view in view(), count in 0_usize..1500, warm_up in 0_usize..200, x_log: bool, y_log: bool, width in 1_u32..900,
        height in 1_u32..400, pixel in -50.0..950.0,
    ) {
        let mut times = samples(2000.0, count).to_vec();
        times.extend([-3.0, 0.0, 9e7]);
        let warm_up = warm_up.min(times.len());
        let mut sequence = sequence(AxisScale::Linear, times.iter().copied().collect(), warm_up);
        let mut histogram = histogram(AxisScale::Linear, AxisScale::Linear, &times);
        for chart in [&mut sequence, &mut histogram] {
            let fitted = chart.view;
            (chart.x.scale, chart.y.scale) = (scale(x_log), scale(y_log));
            for view in [fitted, view] {
                chart.view = view;
                prop_assert_eq!(outside(chart, width, height), None);
                let frame = chart.frame(&chart.layout(width, height));
                match &chart.content {
                    Content::Sequence(samples) => if let Some(range) = samples.at(&frame, pixel) {
                        prop_assert!(1 <= range.first && range.first <= range.last && range.last <= times.len());
                        prop_assert!(range.low <= range.high);
                    },
                    Content::Histogram(histogram) => drop(histogram.at(&frame, pixel).copied()),
                    Content::Curves(_) => unreachable!("samples of one point"),
                }
            }
        }
    }
}

fn scale(log: bool) -> AxisScale {
    if log { AxisScale::Log } else { AxisScale::Linear }
}

/// A corner that is not on the canvas.
fn outside(chart: &Chart, width: u32, height: u32) -> Option<String> {
    // Markers at an edge extend beyond it by their radius.
    let out = 8.0 * chart.density;
    let (width, height) = (f64::from(width) + out, f64::from(height) + out);
    let svg = svg(chart, width as u32 - out as u32, height as u32 - out as u32);
    let corners = svg.split('<').filter_map(|tag| attribute(tag, "points")).flat_map(str::split_whitespace);
    let is_outside = |corner: &&str| {
        let (x, y) = corner.split_once(',').expect("x,y");
        let (x, y): (f64, f64) = (x.parse().expect("a number"), y.parse().expect("a number"));
        !((-out..=width).contains(&x) && (-out..=height).contains(&y))
    };
    corners.filter(is_outside).map(str::to_owned).next()
}

fn view() -> impl Strategy<Value = View> {
    (window(), window()).prop_map(|(x, y)| View { x, y })
}

/// Windows that a user may zoom to, and any two numbers that a mistyped link may contain.
fn window() -> impl Strategy<Value = Window> {
    let sensible = (1.0..6.0, 0.001..4.0)
        .prop_map(|(low, decades): (f64, f64)| Window { low: 10_f64.powf(low), high: 10_f64.powf(low + decades) });
    prop_oneof![sensible, any_window()]
}

fn any_window() -> impl Strategy<Value = Window> {
    let any = proptest::num::f64::ANY;
    (any, any).prop_map(|(low, high)| Window { low, high })
}
