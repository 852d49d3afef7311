//! Charts drawn as SVG, compared with the files in `golden/`. `BENCHBOOK_BLESS=1 cargo test` writes those anew.
//!
//! Lines, areas and markers are compared by their pixels; of texts only the words, since their extent depends on fonts.

use std::fmt::Write;
use std::path::Path;

use plotters::drawing::IntoDrawingArea;
use plotters::prelude::SVGBackend;
use proptest::prelude::*;

use super::*;

/// A vector of keys from 1k to 100k, measured at nine values; the noise is made up, yet always the same.
fn keys() -> Vec<PlotPoint> {
    (0..9).map(|i| point(10_f64.powf(3.0 + f64::from(i) / 4.0), f64::from(i))).collect()
}

fn point(x: f64, i: f64) -> PlotPoint {
    let median = 0.42 * x * (1.0 + 0.05 * (1.7 * i).sin());
    let quartiles = Some(Quartiles { q1: 0.975 * median, median, q3: 1.03 * median });
    let figures = Figures { mean: 1.04 * median, sd: median * (0.1 + 0.05 * i.sin().abs()), quartiles };
    PlotPoint::new(x, Mark::Settled(figures))
}

fn figures(mean: f64, sd: f64) -> Figures {
    Figures { mean, sd, quartiles: Some(Quartiles { q1: 0.9 * mean, median: 0.98 * mean, q3: 1.1 * mean }) }
}

fn chart(scale: Scale, points: Vec<PlotPoint>) -> Chart {
    weighted(scale, [(Weight::Final, points)])
}

/// Its curves, to be changed; the view stays.
fn curves(chart: &mut Chart) -> &mut Curves {
    let Content::Curves(curves) = &mut chart.content;
    curves
}

/// One function's curves, one for each weight.
fn weighted(scale: Scale, curves: impl IntoIterator<Item = (Weight, Vec<PlotPoint>)>) -> Chart {
    let curves = curves.into_iter().map(|(weight, points)| Series::new("sorting::sort_unstable", 0, weight, points));
    let series: Vec<Series> = curves.collect();
    let keys = Unit::Named("keys".to_owned());
    let x = AxisSpec { title: "Number of keys".to_owned(), unit: keys, scale, range: None };
    let y = AxisSpec { title: "Time a call".to_owned(), unit: Unit::Nanoseconds, scale, range: None };
    Chart {
        view: View::fit(&series, &x, &y),
        content: Content::Curves(Curves { series, show_mean: true, show_median: true }),
        x,
        y,
        palette: Palette::light(),
        font: Font::svg("sans-serif"),
        density: 1.0,
    }
}

fn svg(chart: &Chart, width: u32, height: u32) -> String {
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, (width, height)).into_drawing_area();
    let layout = draw(&area, chart).expect("a string takes everything");
    assert_eq!(layout, Layout::of(width, height, chart.density));
    drop(area);
    svg
}

/// The attribute's value in an element's tag.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    rest.split_once('"').map(|(value, _)| value.trim())
}

/// An SVG's elements, one a line: shapes by colour, opacity, stroke and pixels; texts by their words.
fn geometry(svg: &str) -> String {
    const SHOWN: [&str; 17] = [
        "fill",
        "stroke",
        "opacity",
        "stroke-width",
        "x",
        "y",
        "width",
        "height",
        "x1",
        "y1",
        "x2",
        "y2",
        "cx",
        "cy",
        "r",
        "points",
        "viewBox",
    ];
    let mut lines = String::new();
    let mut rest = svg;
    while let Some((_, after)) = rest.split_once('<') {
        let (tag, content) = after.split_once('>').expect("every tag ends");
        rest = content;
        let name = tag.split([' ', '/']).next().unwrap_or_default();
        if name == "text" {
            let words = content.split('<').next().unwrap_or_default().trim();
            writeln!(lines, "text {words}").expect("a string takes everything");
        } else if !name.is_empty() {
            let shown = SHOWN.iter().filter_map(|name| Some((name, attribute(tag, name)?)));
            let shown: String = shown.map(|(name, value)| format!(" {name}={value}")).collect();
            writeln!(lines, "{name}{shown}").expect("a string takes everything");
        }
    }
    lines
}

#[track_caller]
fn golden(name: &str, chart: &Chart) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("src/chart/golden/{name}.txt"));
    let drawn = geometry(&svg(chart, 340, 240));
    if std::env::var_os("BENCHBOOK_BLESS").is_some() {
        std::fs::write(&path, &drawn).expect("the golden folder is writable");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(drawn == expected, "{name} differs from {}; it was drawn as\n{drawn}", path.display());
}

#[test]
fn a_curve_on_linear_axes() {
    golden("linear", &chart(Scale::Linear, keys()));
}

#[test]
fn a_curve_on_log_axes() {
    golden("log", &chart(Scale::Log, keys()));
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
    let first = (Weight::Preliminary(1), ends(0));
    let third = (Weight::Preliminary(3), ends(2));
    let mut chart = weighted(Scale::Log, [first, third, (Weight::Final, ends(4))]);
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
fn compared_functions_have_their_own_shades_and_markers() {
    let mut chart = chart(Scale::Log, Vec::new());
    curves(&mut chart).series = (0..4)
        .map(|ordinal| {
            let slower = |i: u8| point(10_f64.powi(i32::from(i) + 3), f64::from(i) + 10.0 * ordinal as f64);
            Series::new(format!("sort_{ordinal}"), ordinal, Weight::Final, (0..3).map(slower).collect())
        })
        .collect();
    chart.view = View::fit(chart.series(), &chart.x, &chart.y);
    golden("compared", &chart);
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

proptest! {
    /// Whatever is asked for, drawing neither fails nor leaves the canvas.
    #[test]
    fn any_view_can_be_drawn(
        x in window(), y in window(), log: bool, width in 1_u32..900, height in 1_u32..400,
    ) {
        let mut chart = chart(if log { Scale::Log } else { Scale::Linear }, keys());
        chart.view = View { x, y };
        let svg = svg(&chart, width, height);
        let (width, height) = (f64::from(width), f64::from(height));
        for place in svg.split('<').filter_map(|tag| attribute(tag, "points")).flat_map(str::split_whitespace) {
            let (x, y) = place.split_once(',').expect("x,y");
            let (x, y): (f64, f64) = (x.parse().expect("a number"), y.parse().expect("a number"));
            // Markers at an edge stand out by their radius.
            prop_assert!((-8.0..=width + 8.0).contains(&x) && (-8.0..=height + 8.0).contains(&y), "{place}");
        }
    }
}

/// Windows that a person may zoom to, and any two numbers that a mistyped link may hold.
fn window() -> impl Strategy<Value = Window> {
    let any = proptest::num::f64::ANY;
    let sensible = (1.0..6.0, 0.001..4.0)
        .prop_map(|(low, decades): (f64, f64)| Window { low: 10_f64.powf(low), high: 10_f64.powf(low + decades) });
    prop_oneof![sensible, (any, any).prop_map(|(low, high)| Window { low, high })]
}
