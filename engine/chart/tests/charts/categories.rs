//! Curves over categories.

use super::fixtures::{categories, curves, sampled, settled, stats};
use super::{attribute, golden, golden_of_size, svg};
use benchbook_chart::{
    AxisScale, Chart, Crossing, CurveSeries, CurveStage, Layout, PlotPoint, PointOutcome, PointStats, View, Window,
};
use benchbook_host::analyze::stability::Stability;

const ORDERS: [&str; 4] = ["Random", "Nearly sorted", "Reversed", "Sorted"];

/// Changes the points of a series.
fn change(chart: &mut Chart, series: usize, change: impl FnOnce(&mut [PlotPoint])) {
    let series = &mut curves(chart).series[series];
    let mut points = series.points().to_vec();
    change(&mut points);
    let dashed = series.dashed;
    *series = CurveSeries::new(series.name.clone(), series.ordinal, series.stage, points);
    series.dashed = dashed;
}

/// A point is a box with whiskers. A single value has no label, long labels are shortened, and many are thinned out.
#[test]
fn categories_have_slots_with_labels() {
    let long = ["std::collections::BTreeMap", "std::collections::HashMap", "Vec"];
    let many: Vec<String> = (1..=60).map(|number| format!("file_{number}.txt")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    for (name, title, labels, functions) in [
        ("categories", "Order", &ORDERS[..3], 1),
        ("categories_single_value", "", &[""], 4),
        ("categories_long_labels", "Type", &long, 2),
        ("categories_many", "File", &many, 2),
    ] {
        golden(name, &categories(AxisScale::Linear, title, labels, functions));
    }
}

#[test]
fn compared_functions_are_side_by_side_without_crossings() {
    let mut chart = categories(AxisScale::Linear, "Order", &ORDERS, 2);
    curves(&mut chart).crossings = vec![Crossing { x: 1.0, low: 0.5, high: 1.5, label: None }];
    golden("categories_compared", &chart);
}

#[test]
fn categories_on_log_axis() {
    let mut chart = categories(AxisScale::Log, "Order", &ORDERS, 4);
    change(&mut chart, 1, |points| {
        points[1].outcome = settled(stats(5000.0, 6000.0));
        points[2].outcome = settled(stats(-1.0, 3.0));
    });
    golden("categories_log_y", &chart);
}

#[test]
fn symbols_of_points_without_statistics_are_in_their_strips() {
    let mut chart = categories(AxisScale::Linear, "Order", &ORDERS, 2);
    for series in 0..2 {
        change(&mut chart, series, |points| {
            points[series].outcome = PointOutcome::UpperBound { bound: 3000.0, stats: stats(-20.0, 90.0) };
            points[2].outcome = PointOutcome::Failed;
            points[3].outcome = PointOutcome::Skipped;
        });
    }
    golden("categories_failed", &chart);
}

#[test]
fn stage_stability_and_pairing_are_visible() {
    let mut chart = categories(AxisScale::Linear, "Order", &ORDERS[..3], 3);
    for series in 0..3 {
        change(&mut chart, series, |points| {
            for (index, stability) in [(0, Stability::NotSettled), (1, Stability::Unknown)] {
                let stats = points[index].stats().expect("measured");
                points[index].outcome = PointOutcome::Measured { stats, stability };
            }
        });
    }
    let series = &mut curves(&mut chart).series;
    series[1].stage = CurveStage::Preliminary(2);
    series[2].dashed = true;
    golden("categories_stages", &chart);
}

#[test]
fn hides_mean_or_median() {
    let chart = categories(AxisScale::Linear, "Order", &ORDERS[..3], 2);
    let mut without_mean = chart.clone();
    curves(&mut without_mean).show_mean = false;
    change(&mut without_mean, 0, |points| {
        let measured = points[1].stats().expect("measured");
        points[1].outcome = settled(PointStats { quartiles: None, ..measured });
    });
    golden("categories_without_mean", &without_mean);
    let mut without_median = chart;
    curves(&mut without_median).show_median = false;
    golden("categories_without_median", &without_median);
}

#[test]
fn samples_are_columns_in_boxes() {
    golden("categories_samples", &sampled(categories(AxisScale::Linear, "Order", &ORDERS[..3], 2), 40));
}

#[test]
fn wide_plot_has_a_legend() {
    let mut chart = categories(AxisScale::Linear, "Order", &ORDERS, 4);
    change(&mut chart, 1, |points| points.iter_mut().for_each(|point| point.outcome = PointOutcome::Failed));
    golden_of_size("categories_legend", &chart, (720, 240));
}

#[test]
fn zoom_to_symbol_shows_it() {
    let mut chart = categories(AxisScale::Linear, "Order", &ORDERS, 4);
    let frame = chart.frame(&Layout::of(340, 240, 1.0));
    // The second of four strips, each a fifth of a slot wide, in the third slot.
    let strip = [1.8, 2.0].map(|x| frame.x_to_pixel(x).expect("linear"));
    chart.view = frame.zoom_to((strip[0], 0.0), (strip[1], 240.0)).expect("long enough");
    assert_eq!(chart.x.describe(chart.view.x), "Order, Reversed");
    golden("categories_zoomed_to_symbol", &chart);
}

#[test]
fn fitted_view_shows_all_slots_without_points() {
    let mut chart = categories(AxisScale::Linear, "Order", &ORDERS, 1);
    assert_eq!(chart.view.x, Window { low: -0.5, high: 3.5 });
    curves(&mut chart).series.clear();
    let view = curves(&mut chart).clone().fit(&chart.x, &chart.y);
    assert_eq!(view.x, chart.view.x);
    golden("categories_empty", &Chart { view: View { y: chart.view.y, ..view }, ..chart });
}

#[test]
fn boxes_do_not_overlap() {
    for functions in 1..=8 {
        let svg = svg(&categories(AxisScale::Linear, "Order", &ORDERS, functions), 340, 240);
        let boxes = svg.split('<').filter(|tag| attribute(tag, "opacity") == Some("0.22"));
        let mut extents: Vec<(i32, i32)> = boxes.filter_map(|tag| attribute(tag, "points")).map(extent).collect();
        extents.sort_unstable();
        assert_eq!(extents.len(), functions * ORDERS.len());
        assert!(extents.windows(2).all(|pair| pair[0].1 < pair[1].0), "{functions} functions: {extents:?}");
    }
}

/// The first and the last column of a polygon.
fn extent(points: &str) -> (i32, i32) {
    let columns = || points.split_whitespace().filter_map(|point| point.split_once(',')?.0.parse::<i32>().ok());
    (columns().min().unwrap_or_default(), columns().max().unwrap_or_default())
}
