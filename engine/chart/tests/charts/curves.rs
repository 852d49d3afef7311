//! Curves of the time per call against the varied parameter.

use super::fixtures::{chart, compared, crossing, curves, keys, of_series, sampled, settled, stats};
use super::{geometry, golden, golden_of_size, svg};
use benchbook_chart::{
    AxisScale, Chart, Crossing, CrossingLabel, CurveSeries, CurveStage, Layout, Palette, PlotPoint, PointOutcome,
    PointStats, View, Window, line_names,
};
use benchbook_host::analyze::stability::Stability;

/// One function's final curve, on these axes.
fn curve(x: AxisScale, y: AxisScale, points: Vec<PlotPoint>) -> Chart {
    of_series(x, y, vec![CurveSeries::new("sorting::sort_unstable", 0, CurveStage::Final, points)])
}

/// The curve on logarithmic axes after a change of its points.
fn changed(change: impl FnOnce(&mut [PlotPoint])) -> Chart {
    let mut points = keys();
    change(&mut points);
    chart(AxisScale::Log, points)
}

#[test]
fn curves_on_linear_logarithmic_and_mixed_axes() {
    use AxisScale::{Linear, Log};
    for (name, x, y) in [("linear", Linear, Linear), ("log", Log, Log), ("log_x", Log, Linear), ("log_y", Linear, Log)]
    {
        golden(name, &curve(x, y, keys()));
    }
}

#[test]
fn value_left_of_log_axis_is_arrow_at_left_edge() {
    let mut points = keys();
    for (point, x) in points.iter_mut().zip([0.0, -5.0, -20.0, -30.0]) {
        point.x = x;
    }
    points[2].outcome = PointOutcome::Failed;
    points[3].outcome = PointOutcome::UpperBound { bound: 3000.0, stats: stats(60.0, 200.0) };
    golden("log_x_not_positive", &curve(AxisScale::Log, AxisScale::Linear, points.clone()));
    points[0].outcome = settled(stats(-1.0, 3.0));
    golden("not_positive_either", &curve(AxisScale::Log, AxisScale::Log, points));
}

/// A cross for a failed point and a dash for a skipped one, at the lower edge; a bar with an arrow for an upper bound, with a gap in the
/// curve; an arrow at the lower edge for a value below a logarithmic axis.
#[test]
fn points_without_a_time_have_symbols() {
    golden("failed", &changed(|points| points[6].outcome = PointOutcome::Failed));
    golden(
        "skipped",
        &changed(|points| (points[7].outcome, points[8].outcome) = (PointOutcome::Failed, PointOutcome::Skipped)),
    );
    let bound = |bound, stats| PointOutcome::UpperBound { bound, stats };
    golden(
        "under",
        &changed(|points| {
            points[0].outcome = bound(300.0, stats(-20.0, 90.0));
            points[1].outcome = bound(520.0, stats(60.0, 200.0));
        }),
    );
    golden(
        "not_positive",
        &changed(|points| {
            points[2].outcome = settled(stats(5000.0, 6000.0));
            points[4].outcome = settled(stats(-1.0, 3.0));
        }),
    );
}

/// Unavailable quartiles leave a gap only in the median.
#[test]
fn unsettled_point_is_hollow_and_unknown_one_is_pale() {
    let unsettled = changed(|points| {
        for (index, stability) in [(4, Stability::NotSettled), (6, Stability::Unknown)] {
            let stats = points[index].stats().expect("measured");
            points[index].outcome = PointOutcome::Measured { stats, stability };
        }
    });
    golden("unsettled", &unsettled);
    let withheld = changed(|points| {
        for point in &mut points[3..5] {
            let measured = point.stats().expect("measured");
            point.outcome = settled(PointStats { quartiles: None, ..measured });
        }
    });
    golden("quartiles_withheld", &withheld);
}

#[test]
fn band_of_single_point_is_bar_and_axes_are_drawn_without_points() {
    golden("single", &chart(AxisScale::Log, keys()[4..5].to_vec()));
    let mut chart = chart(AxisScale::Log, Vec::new());
    chart.x.range = Some(Window { low: 1e3, high: 1e5 });
    chart.view = curves(&mut chart).clone().fit(&chart.x, &chart.y);
    golden("empty", &chart);
}

#[test]
fn preliminary_curves_are_dashed_and_final_curve_is_solid() {
    let ends = |i: usize| vec![keys()[i].clone(), keys()[i + 4].clone()];
    let curve = |stage, i| CurveSeries::new("sorting::sort_unstable", 0, stage, ends(i));
    let series =
        vec![curve(CurveStage::Preliminary(1), 0), curve(CurveStage::Preliminary(3), 2), curve(CurveStage::Final, 4)];
    let mut chart = of_series(AxisScale::Log, AxisScale::Log, series);
    curves(&mut chart).show_median = false;
    golden("weights", &chart);
}

#[test]
fn hides_mean_or_median() {
    let mut chart = chart(AxisScale::Log, keys());
    for (name, show_mean, show_median) in [("mean_hidden", false, true), ("median_hidden", true, false)] {
        let curves = curves(&mut chart);
        (curves.show_mean, curves.show_median) = (show_mean, show_median);
        golden(name, &chart);
    }
}

#[test]
fn zoomed_curve_is_clipped_at_edges() {
    let mut chart = chart(AxisScale::Log, keys());
    chart.view = View { x: Window { low: 4e3, high: 4e4 }, y: Window { low: 2500.0, high: 9000.0 } };
    golden("zoomed", &chart);
}

/// The curve of another machine is dashed among preliminary and final ones. Symbols in gaps are stacked.
#[test]
fn compared_functions_have_distinct_hues_and_markers() {
    golden("compared", &compared());
    let mut chart = compared();
    let series = &mut curves(&mut chart).series;
    series.truncate(3);
    series[1].stage = CurveStage::Preliminary(2);
    series[2].dashed = true;
    golden("unpaired", &chart);
    let mut chart = compared();
    for series in &mut curves(&mut chart).series {
        let mut points = series.points().to_vec();
        points[7].outcome = PointOutcome::Failed;
        points[8].outcome = PointOutcome::Skipped;
        *series = CurveSeries::new(series.name.clone(), series.ordinal, series.stage, points);
    }
    golden("compared_failed", &chart);
}

#[test]
fn wide_charts_of_compared_functions_have_names_at_the_ends_of_lines() {
    let mut chart = compared();
    let series = &mut curves(&mut chart).series;
    // The last two end at the same time, so that their names must move apart.
    series[3] =
        CurveSeries::new("a_function_with_quite_a_long_name", 3, CurveStage::Final, series[2].points().to_vec());
    golden_of_size("end_labels", &chart, (700, 240));
    names_are_where_they_are_drawn(&chart);
}

/// The page puts buttons there.
fn names_are_where_they_are_drawn(chart: &Chart) {
    let drawn = geometry(&svg(chart, 700, 240));
    let names = line_names(chart, &chart.layout(700, 240));
    assert_eq!(names.len(), 4);
    for (name, area) in names {
        let start: String = name.chars().take(20).collect();
        let line = drawn.lines().find(|line| line.starts_with(&format!("text {start}"))).expect("it is drawn");
        let number = |key: &str| -> f64 {
            let (_, rest) = line.rsplit_once(&format!("{key}=")).expect("a position");
            rest.split(' ').next().and_then(|text| text.parse().ok()).expect("a number")
        };
        let (x, y) = (number("x"), number("y"));
        assert!((area.left * chart.density - x).abs() < 2.0, "{name}: {area:?} {line}");
        let rows = [area.top, area.bottom].map(|row| row * chart.density);
        assert!(rows[0] < y && y < rows[1] + 2.0, "{name}: {area:?} {line}");
    }
}

#[test]
fn label_of_crossing_fits_next_to_the_title_of_the_axis() {
    let mut chart = crossing(AxisScale::Log);
    let label = CrossingLabel {
        text: "sort_1 overtakes sort_0 between 7 000 and 15 000".to_owned(),
        short: "between 7 000 and 15 000".to_owned(),
    };
    curves(&mut chart).crossings[0].label = Some(label.clone());
    golden_of_size("crossing_label", &chart, (700, 240));
    golden("crossing_label_short", &chart);
    let texts = |chart: &Chart, width: u32| geometry(&svg(chart, width, 240));
    assert!(!texts(&chart, 200).contains("between 7 000"), "too narrow for any label");
    // Outside the view, there is no line to label.
    chart.view.x = Window { low: 2e4, high: 1e5 };
    assert!(!texts(&chart, 700).contains(&label.short));
}

#[test]
fn crossing_has_line_and_range_clipped_at_edges() {
    golden("crossing", &crossing(AxisScale::Log));
    let mut chart = crossing(AxisScale::Log);
    chart.view.x = Window { low: 9e3, high: 1e5 };
    let far = Crossing { x: 5e5, low: 5e4, high: f64::INFINITY, label: None };
    curves(&mut chart).crossings.extend([far, Crossing { x: 500.0, low: -3.0, high: 600.0, label: None }]);
    golden("crossing_cut", &chart);
}

#[test]
fn time_limit_is_a_horizontal_line() {
    let mut chart = crossing(AxisScale::Log);
    curves(&mut chart).limit = Some(5e3);
    golden("limit", &chart);
    // Outside the view, and at a value without a logarithm.
    for limit in [1e12, 0.0] {
        curves(&mut chart).limit = Some(limit);
        golden("crossing", &chart);
    }
}

/// Those of compared functions are adjacent.
#[test]
fn samples_are_columns_behind_curve_more_opaque_if_dense() {
    golden("samples", &sampled(chart(AxisScale::Linear, keys()[3..6].to_vec()), 40));
    let mut chart = sampled(compared(), 30);
    chart.view.x = Window { low: 5e3, high: 15e3 };
    golden("compared_samples", &chart);
}

#[test]
fn strokes_are_bolder_at_high_contrast() {
    golden("high_contrast", &Chart { palette: Palette::high_contrast(true), ..chart(AxisScale::Log, keys()) });
}

#[test]
fn dense_screen_has_same_layout_and_texts() {
    let chart = Chart { density: 2.0, ..chart(AxisScale::Log, keys()) };
    let (one, two) = (Layout::of(340, 240, 1.0).inner, Layout::of(680, 480, 2.0).inner);
    assert_eq!((two.left, two.top), (2.0 * one.left, 2.0 * one.top));
    let texts = |svg: String| -> Vec<String> {
        let lines = geometry(&svg);
        let texts = lines.lines().filter_map(|line| line.strip_prefix("text ")?.split_once(" x="));
        texts.map(|(content, _)| content.to_owned()).collect()
    };
    let texts_of_two = texts(svg(&chart, 680, 480));
    assert!(!texts_of_two.is_empty());
    assert_eq!(texts_of_two, texts(svg(&Chart { density: 1.0, ..chart }, 340, 240)));
}

#[test]
fn canvas_smaller_than_margins_is_only_surface() {
    let lines = geometry(&svg(&chart(AxisScale::Log, keys()), 60, 30));
    assert!(lines.lines().all(|line| line.starts_with("svg") || line.starts_with("rect")), "{lines}");
}
