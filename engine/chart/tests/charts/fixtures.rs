//! Synthetic measurements with reproducible noise.

use benchbook_chart::{
    AxisScale, AxisSpec, CentreLines, Chart, Content, Crossing, CurveSeries, CurveStage, Curves, Font, Histogram,
    Layout, Palette, PlotPoint, PointOutcome, PointStats, Quartiles, SampleSequence, SampleTimes, Unit, View,
};
use benchbook_host::analyze::stability::Stability;

/// Measurements of nine vectors of 1k to 100k keys.
pub(super) fn keys() -> Vec<PlotPoint> {
    (0..9).map(|i| point(10_f64.powf(3.0 + f64::from(i) / 4.0), f64::from(i), 1.0)).collect()
}

/// The `i`th point, at `x` keys, of a function that takes `slowness` times as long.
pub(super) fn point(x: f64, i: f64, slowness: f64) -> PlotPoint {
    let median = slowness * 0.42 * x * (1.0 + 0.05 * (1.7 * i).sin());
    let quartiles = Some(Quartiles { q1: 0.975 * median, median, q3: 1.03 * median });
    let stats = PointStats { mean: 1.04 * median, sd: median * (0.1 + 0.05 * i.sin().abs()), quartiles };
    PlotPoint::new(x, settled(stats))
}

pub(super) fn stats(mean: f64, sd: f64) -> PointStats {
    PointStats { mean, sd, quartiles: Some(Quartiles { q1: 0.9 * mean, median: 0.98 * mean, q3: 1.1 * mean }) }
}

/// One function's final curve.
pub(super) fn chart(scale: AxisScale, points: Vec<PlotPoint>) -> Chart {
    of_series(scale, scale, vec![CurveSeries::new("sorting::sort_unstable", 0, CurveStage::Final, points)])
}

/// Four functions over the same values, each slower than the previous one.
pub(super) fn compared() -> Chart {
    let function = |(ordinal, slowness): (usize, f64)| {
        let points = (0..9).map(|i| {
            let noise = f64::from(i) + 10.0 * ordinal as f64;
            point(10_f64.powf(3.0 + f64::from(i) / 4.0), noise, slowness)
        });
        CurveSeries::new(format!("sort_{ordinal}"), ordinal, CurveStage::Final, points.collect())
    };
    let series = [1.0, 1.5, 2.4, 4.5].into_iter().enumerate().map(function).collect();
    let chart = of_series(AxisScale::Log, AxisScale::Log, series);
    Chart { palette: chart.palette.comparing(), ..chart }
}

/// Two functions, the second of which overtakes the first, with the range around the crossing.
pub(super) fn crossing(scale: AxisScale) -> Chart {
    let function = |ordinal: usize, power: f64| {
        let points = keys().into_iter().map(|at| point(at.x, 0.0, (at.x / 1e4).powf(power)));
        CurveSeries::new(format!("sort_{ordinal}"), ordinal, CurveStage::Final, points.collect())
    };
    let mut chart = of_series(scale, scale, vec![function(0, 0.3), function(1, -0.2)]);
    curves(&mut chart).crossings = vec![Crossing { x: 1e4, low: 7e3, high: 1.5e4, label: None }];
    Chart { palette: chart.palette.comparing(), ..chart }
}

/// Curves on axes with these scales.
pub(super) fn of_series(x: AxisScale, y: AxisScale, series: Vec<CurveSeries>) -> Chart {
    let keys = Unit::Named("keys".to_owned());
    on_x_axis(AxisSpec { title: "Number of keys".to_owned(), unit: keys, scale: x, range: None }, y, series)
}

fn on_x_axis(x: AxisSpec, y: AxisScale, series: Vec<CurveSeries>) -> Chart {
    let y = AxisSpec::time_per_call(y);
    let curves =
        Curves { series, crossings: Vec::new(), limit: None, show_mean: true, show_median: true, show_samples: false };
    let view = curves.fit(&x, &y);
    on_axes((x, y), view, Content::Curves(curves))
}

/// Functions over categories with these labels, each slower than the previous one.
pub(super) fn categories(y: AxisScale, title: &str, labels: &[&str], functions: usize) -> Chart {
    let function = |ordinal: usize| {
        let point = |index: usize| {
            let slowness = (1.0 + 0.4 * ordinal as f64) * (1.0 + 0.5 * (2.3 * index as f64).sin());
            PlotPoint { x: index as f64, ..point(1e4, (index + 10 * ordinal) as f64, slowness) }
        };
        let points = (0..labels.len()).map(point).collect();
        CurveSeries::new(format!("sort_{ordinal}"), ordinal, CurveStage::Final, points)
    };
    let x = AxisSpec::categories(title, labels.iter().map(|&label| label.to_owned()).collect());
    let chart = on_x_axis(x, y, (0..functions).map(function).collect());
    if functions > 1 { Chart { palette: chart.palette.comparing(), ..chart } } else { chart }
}

/// Samples of one point, starting with warm-up, with lines near their centre.
pub(super) fn sequence(y: AxisScale, times: SampleTimes, warm_up: usize) -> Chart {
    let centre = CentreLines { ordinal: 0, mean: Some(2030.0), median: Some(1960.0) };
    let samples =
        SampleSequence { times, warm_up: std::iter::once(0..warm_up).collect(), interrupted: Vec::new(), centre };
    let axes = SampleSequence::axes(y);
    let view = samples.fit(&axes.1);
    on_axes(axes, view, Content::Sequence(samples))
}

/// The sample sequence of a chart, for changes that do not affect the view.
pub(super) fn sequence_of(chart: &mut Chart) -> &mut SampleSequence {
    let Content::Sequence(samples) = &mut chart.content else { panic!("not a sample sequence") };
    samples
}

/// A histogram of the samples of one point, on the canvas of the golden files.
pub(super) fn histogram(x: AxisScale, y: AxisScale, times: &[f64]) -> Chart {
    let centre = CentreLines { ordinal: 0, mean: Some(2030.0), median: Some(1960.0) };
    let histogram = Histogram::of(&times.iter().copied().collect(), 0.0, centre, &Layout::of(340, 240, 1.0));
    let axes = Histogram::axes(x, y);
    let view = histogram.fit(&axes.0, &axes.1);
    on_axes(axes, view, Content::Histogram(histogram))
}

fn on_axes((x, y): (AxisSpec, AxisSpec), view: View, content: Content) -> Chart {
    Chart { content, x, y, view, palette: Palette::light(), font: Font::svg("sans-serif"), density: 1.0 }
}

/// The curves of a chart, for changes that do not affect the view.
pub(super) fn curves(chart: &mut Chart) -> &mut Curves {
    let Content::Curves(curves) = &mut chart.content else { panic!("not curves") };
    curves
}

/// `count` samples around a time in measurement order, most of them near it and some far above.
pub(super) fn samples(centre: f64, count: usize) -> SampleTimes {
    // The additive recurrence of the golden ratio: evenly spread, without repetition, and without a generator.
    let noise = |i: usize| (i as f64 * 0.618_033_988_749_895).fract();
    (0..count).map(|i| centre * (0.9 + 0.1 * noise(i) + 0.2 * noise(i).powi(8) + 0.04 * noise(3 * i))).collect()
}

/// The outcome of a point whose times settled.
pub(super) fn settled(stats: PointStats) -> PointOutcome {
    PointOutcome::Measured { stats, stability: Stability::Settled }
}

/// Adds `count` raw samples to each point of the curves.
pub(super) fn sampled(mut chart: Chart, count: usize) -> Chart {
    let curves = curves(&mut chart);
    curves.show_samples = true;
    for series in &mut curves.series {
        let with_samples = |point: &PlotPoint| match point.outcome {
            PointOutcome::Measured { stats, .. } => {
                point.clone().with_samples(samples(stats.mean, count).iter().copied().collect())
            }
            _ => point.clone(),
        };
        let points = series.points().iter().map(with_samples).collect();
        *series = CurveSeries::new(series.name.clone(), series.ordinal, series.stage, points);
    }
    chart
}
