//! Curves of the time a call against the varied parameter.

use super::fixtures::{chart, compared, crossing, curves, figures, keys, of_series, sampled};
use super::{geometry, golden, svg};
use crate::*;

#[test]
fn a_curve_on_linear_axes() {
    golden("linear", &chart(Scale::Linear, keys()));
}

#[test]
fn a_curve_on_log_axes() {
    golden("log", &chart(Scale::Log, keys()));
}

#[test]
fn a_curve_on_mixed_axes() {
    let series = || vec![Series::new("sorting::sort_unstable", 0, Weight::Final, keys())];
    golden("log_x", &of_series(Scale::Log, Scale::Linear, series()));
    golden("log_y", &of_series(Scale::Linear, Scale::Log, series()));
}

#[test]
fn what_lies_before_a_log_axis_is_an_arrow_at_its_left_edge() {
    let mut points = keys();
    for (point, x) in points.iter_mut().zip([0.0, -5.0, -20.0, -30.0]) {
        point.x = x;
    }
    points[2].mark = Mark::Failed;
    points[3].mark = Mark::Under { bound: 3000.0, figures: figures(60.0, 200.0) };
    let series = |points| vec![Series::new("sorting::sort_unstable", 0, Weight::Final, points)];
    golden("log_x_not_positive", &of_series(Scale::Log, Scale::Linear, series(points.clone())));
    points[0].mark = Mark::Settled(figures(-1.0, 3.0));
    golden("not_positive_either", &of_series(Scale::Log, Scale::Log, series(points)));
}

#[test]
fn a_failed_point_is_a_cross_at_the_lower_edge() {
    let mut points = keys();
    points[6] = PlotPoint::new(points[6].x, Mark::Failed);
    golden("failed", &chart(Scale::Log, points));
}

#[test]
fn a_skipped_point_is_a_dash_at_the_lower_edge() {
    let mut points = keys();
    points[7].mark = Mark::Failed;
    points[8].mark = Mark::Skipped;
    golden("skipped", &chart(Scale::Log, points));
}

#[test]
fn a_point_whose_samples_never_settled_is_hollow() {
    let mut points = keys();
    points[4].mark = Mark::Unsettled(points[4].figures().expect("measured"));
    golden("unsettled", &chart(Scale::Log, points));
}

#[test]
fn an_upper_bound_is_a_bar_with_an_arrow_and_a_gap_in_the_curve() {
    let mut points = keys();
    points[0].mark = Mark::Under { bound: 300.0, figures: figures(-20.0, 90.0) };
    points[1].mark = Mark::Under { bound: 520.0, figures: figures(60.0, 200.0) };
    golden("under", &chart(Scale::Log, points));
}

#[test]
fn what_a_log_axis_cannot_show_is_an_arrow_at_its_edge() {
    let mut points = keys();
    points[2].mark = Mark::Settled(figures(5000.0, 6000.0));
    points[4].mark = Mark::Settled(figures(-1.0, 3.0));
    golden("not_positive", &chart(Scale::Log, points));
}

#[test]
fn a_single_point_has_a_bar_for_a_band() {
    golden("single", &chart(Scale::Log, keys()[4..5].to_vec()));
}

#[test]
fn no_points_leave_the_axes() {
    let mut chart = chart(Scale::Log, Vec::new());
    chart.x.range = Some(Window { low: 1e3, high: 1e5 });
    chart.view = View::fit(chart.series(), &chart.x, &chart.y);
    golden("empty", &chart);
}

#[test]
fn preliminary_curves_are_dashed_and_the_final_one_is_solid() {
    let ends = |i: usize| vec![keys()[i].clone(), keys()[i + 4].clone()];
    let curve = |weight, i| Series::new("sorting::sort_unstable", 0, weight, ends(i));
    let series = vec![curve(Weight::Preliminary(1), 0), curve(Weight::Preliminary(3), 2), curve(Weight::Final, 4)];
    let mut chart = of_series(Scale::Log, Scale::Log, series);
    curves(&mut chart).show_median = false;
    golden("weights", &chart);
}

#[test]
fn the_mean_can_be_hidden() {
    let mut chart = chart(Scale::Log, keys());
    curves(&mut chart).show_mean = false;
    golden("mean_hidden", &chart);
}

#[test]
fn the_median_can_be_hidden() {
    let mut chart = chart(Scale::Log, keys());
    curves(&mut chart).show_median = false;
    golden("median_hidden", &chart);
}

#[test]
fn withheld_quartiles_leave_a_gap_in_the_median_alone() {
    let mut points = keys();
    for point in &mut points[3..5] {
        let measured = point.figures().expect("measured");
        point.mark = Mark::Settled(Figures { quartiles: None, ..measured });
    }
    golden("quartiles_withheld", &chart(Scale::Log, points));
}

#[test]
fn a_zoomed_curve_is_cut_at_the_edges() {
    let mut chart = chart(Scale::Log, keys());
    chart.view = View { x: Window { low: 4e3, high: 4e4 }, y: Window { low: 2500.0, high: 9000.0 } };
    golden("zoomed", &chart);
}

#[test]
fn compared_functions_have_their_own_hues_and_markers() {
    golden("compared", &compared());
}

#[test]
fn an_unpaired_curve_is_dotted_beside_preliminary_and_final_ones() {
    let mut chart = compared();
    let series = &mut curves(&mut chart).series;
    series.truncate(3);
    series[1].weight = Weight::Preliminary(2);
    series[2].unpaired = true;
    golden("unpaired", &chart);
}

#[test]
fn where_one_curve_overtakes_another_is_marked_with_its_interval() {
    golden("crossing", &crossing(Scale::Log));
}

#[test]
fn the_interval_of_a_crossing_is_cut_at_the_edges() {
    let mut chart = crossing(Scale::Log);
    chart.view.x = Window { low: 9e3, high: 1e5 };
    let far = Crossing { x: 5e5, low: 5e4, high: f64::INFINITY };
    curves(&mut chart).crossings.extend([far, Crossing { x: 500.0, low: -3.0, high: 600.0 }]);
    golden("crossing_cut", &chart);
}

#[test]
fn marks_of_compared_functions_stand_on_each_other() {
    let mut chart = compared();
    for series in &mut curves(&mut chart).series {
        let mut points = series.points().to_vec();
        points[7].mark = Mark::Failed;
        points[8].mark = Mark::Skipped;
        *series = Series::new(series.name.clone(), series.ordinal, series.weight, points);
    }
    golden("compared_failed", &chart);
}

#[test]
fn samples_are_columns_under_the_curve_dense_ones_more_opaque() {
    golden("samples", &sampled(chart(Scale::Linear, keys()[3..6].to_vec()), 40));
}

#[test]
fn samples_of_compared_functions_stand_beside_each_other() {
    let mut chart = sampled(compared(), 30);
    chart.view.x = Window { low: 5e3, high: 15e3 };
    golden("compared_samples", &chart);
}

#[test]
fn strokes_are_bolder_at_a_high_contrast() {
    golden("high_contrast", &Chart { palette: Palette::high_contrast(true), ..chart(Scale::Log, keys()) });
}

#[test]
fn a_dense_screen_has_the_same_chart_in_more_pixels() {
    let chart = Chart { density: 2.0, ..chart(Scale::Log, keys()) };
    let (one, two) = (Layout::of(340, 240, 1.0).inner, Layout::of(680, 480, 2.0).inner);
    assert_eq!((two.left, two.top), (2.0 * one.left, 2.0 * one.top));
    let words =
        |svg: String| geometry(&svg).lines().filter(|line| line.starts_with("text")).collect::<Vec<_>>().join("\n");
    assert_eq!(words(svg(&chart, 680, 480)), words(svg(&Chart { density: 1.0, ..chart.clone() }, 340, 240)));
}

#[test]
fn a_canvas_smaller_than_its_margins_is_only_surface() {
    let lines = geometry(&svg(&chart(Scale::Log, keys()), 60, 30));
    assert!(lines.lines().all(|line| line.starts_with("svg") || line.starts_with("rect")), "{lines}");
}
