//! The view that fits curves.

use super::Curves;
use super::point::{PointOutcome, PointStats};
use super::series::CurveSeries;
use crate::axis::AxisSpec;
use crate::fit::{fit_parameter, fit_ratio, fit_time};
use crate::scale::AxisScale;
use crate::view::View;

/// On a logarithmic axis, a band's lower edge counts down to this fraction of its line. If the sd is close to the mean,
/// mean − sd is close to 0 and would take up the entire axis.
const BAND_FLOOR: f64 = 0.2;
/// A whisker counts up to this multiple of the mean. A single interruption can make the sd much longer than that.
const WHISKER_CEILING: f64 = 2.0;
/// On a logarithmic axis, the arrow of an upper bound extends down to this fraction of it, so that the lowest one fits.
const ARROW_FLOOR: f64 = 0.5;

/// The view that shows every point of these curves.
pub(super) fn fit(curves: &Curves, x: &AxisSpec, y: &AxisSpec) -> View {
    let points = || curves.series.iter().flat_map(CurveSeries::points);
    let parameters = points().map(|point| point.x).chain(ends(x));
    let times = points().flat_map(|point| extremes(point.outcome, y.scale, curves));
    let fit_y = if y.range.is_some() { fit_ratio } else { fit_time };
    View { x: fit_parameter(parameters, x.scale), y: fit_y(times.chain(ends(y)), y.scale) }
}

fn ends(axis: &AxisSpec) -> impl Iterator<Item = f64> {
    axis.range.into_iter().flat_map(|range| [range.low, range.high])
}

/// The times that a view must contain to show this point with its bands.
fn extremes(outcome: PointOutcome, scale: AxisScale, curves: &Curves) -> impl Iterator<Item = f64> {
    let bounds = match outcome {
        PointOutcome::UpperBound { bound, .. } if scale == AxisScale::Log => [Some(bound), Some(bound * ARROW_FLOOR)],
        PointOutcome::UpperBound { bound, .. } => [Some(bound), None],
        PointOutcome::Measured { .. } | PointOutcome::Failed | PointOutcome::Skipped => [None, None],
    };
    let curve = outcome.stats_on_curve().copied().into_iter().flat_map(move |stats| with_bands(stats, scale, curves));
    bounds.into_iter().flatten().chain(curve)
}

fn with_bands(
    PointStats { mean, sd, quartiles }: PointStats,
    scale: AxisScale,
    curves: &Curves,
) -> impl Iterator<Item = f64> + use<> {
    let floor = |edge: f64, line: f64| match scale {
        AxisScale::Log => edge.max(line * BAND_FLOOR),
        // A wide band does not extend the axis below 0; a negative line does.
        AxisScale::Linear if line >= 0.0 => edge.max(0.0),
        AxisScale::Linear => edge,
    };
    let has_mean = curves.show_mean || quartiles.is_none();
    let of_mean = has_mean.then(|| [floor(mean - sd, mean), mean, (mean + sd).min(mean.abs() * WHISKER_CEILING)]);
    let of_median = quartiles.filter(|_| curves.show_median).map(|q| [floor(q.q1, q.median), q.median, q.q3]);
    of_mean.into_iter().chain(of_median).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axis::Unit;
    use crate::curves::point::{PlotPoint, Quartiles};
    use crate::curves::series::CurveStage;
    use crate::fit::EMPTY;
    use crate::scale::Window;

    use benchbook_host::analyze::stability::Stability;

    fn axis(scale: AxisScale, range: Option<Window>) -> AxisSpec {
        AxisSpec { title: String::new(), unit: Unit::Nanoseconds, scale, range }
    }

    fn curves(series: Vec<CurveSeries>) -> Curves {
        let (crossings, limit) = (Vec::new(), None);
        Curves { series, crossings, limit, show_mean: true, show_median: true, show_samples: false }
    }

    fn fitted(scale: AxisScale, points: Vec<PlotPoint>) -> View {
        fit(&curves(vec![CurveSeries::new("f", 0, CurveStage::Final, points)]), &axis(scale, None), &axis(scale, None))
    }

    fn settled(stats: PointStats) -> PointOutcome {
        PointOutcome::Measured { stats, stability: Stability::Settled }
    }

    /// The view of points with these axis values, means and standard deviations.
    fn fitted_means(scale: AxisScale, points: &[(f64, f64, f64)]) -> View {
        let measured = |&(x, mean, sd)| PlotPoint::new(x, settled(PointStats { mean, sd, quartiles: None }));
        fitted(scale, points.iter().map(measured).collect())
    }

    #[test]
    fn x_axis_spans_first_to_last_value() {
        assert_eq!(
            fitted_means(AxisScale::Linear, &[(7.0, 1.0, 0.0), (2.0, 1.0, 0.0)]).x,
            Window { low: 2.0, high: 7.0 }
        );
    }

    #[test]
    fn shows_requested_range_before_points_arrive() {
        let x = axis(AxisScale::Linear, Some(Window { low: 0.0, high: 50.0 }));
        let view = fit(&curves(Vec::new()), &x, &axis(AxisScale::Log, None));
        assert_eq!(view, View { x: Window { low: 0.0, high: 50.0 }, y: EMPTY });
    }

    #[test]
    fn linear_time_axis_starts_at_zero_unless_a_mean_is_negative() {
        let y = |points: &[(f64, f64, f64)]| fitted_means(AxisScale::Linear, points).y;
        let narrow = y(&[(1.0, 80.0, 0.0), (2.0, 90.0, 10.0)]);
        assert!(narrow.low == 0.0 && (100.0..110.0).contains(&narrow.high), "{narrow:?}");
        assert_eq!(y(&[(1.0, 1.0, 3.0), (2.0, 3.0, 1.0)]).low, 0.0, "a wide band");
        let negative = y(&[(1.0, -1.0, 1.0), (2.0, 3.0, 1.0)]);
        assert!(negative.low < -2.0 && negative.high > 4.0, "{negative:?}");
        let stats = PointStats { mean: -3.0, sd: 900.0, quartiles: None };
        let bound = PointOutcome::UpperBound { bound: 40.0, stats };
        let bounded = fitted(AxisScale::Linear, vec![PlotPoint::new(1.0, bound)]).y;
        assert!(bounded.low == 0.0 && (40.0..45.0).contains(&bounded.high), "only the bound counts: {bounded:?}");
    }

    #[test]
    fn an_axis_of_ratios_starts_near_one() {
        let ratios = |least: f64, greatest: f64| {
            let point = |x, mean| PlotPoint::new(x, settled(PointStats { mean, sd: 0.0, quartiles: None }));
            let series = CurveSeries::new("f", 0, CurveStage::Final, vec![point(1.0, least), point(2.0, greatest)]);
            let one = Some(Window { low: 1.0, high: 1.0 });
            fit(&curves(vec![series]), &axis(AxisScale::Linear, None), &axis(AxisScale::Linear, one)).y
        };
        let wide = ratios(1.2, 1.5);
        assert!((0.9..1.0).contains(&wide.low) && (1.5..1.6).contains(&wide.high), "{wide:?}");
        let narrow = ratios(1.0, 1.002);
        assert!(narrow.high - narrow.low > 0.19, "two thousandths look small: {narrow:?}");
    }

    #[test]
    fn quartiles_extend_a_log_axis_and_a_wide_band_does_not_fill_it() {
        let wide = fitted_means(AxisScale::Log, &[(1.0, 100.0, 99.9), (2.0, 200.0, 300.0)]).y;
        assert!((10.0..20.0).contains(&wide.low), "{wide:?}");
        let quartiles = Some(Quartiles { q1: 1.0, median: 2.0, q3: 500.0 });
        let stats = PointStats { mean: 9.0, sd: 1.0, quartiles };
        assert!(fitted(AxisScale::Log, vec![PlotPoint::new(1.0, settled(stats))]).y.high > 500.0);
    }

    #[test]
    fn single_point_and_flat_curve_have_margins() {
        let view = fitted_means(AxisScale::Log, &[(1000.0, 20.0, 0.0)]);
        assert!(view.x.low < 1000.0 && view.x.high > 1000.0 && view.y.high / view.y.low > 4.0, "{view:?}");
        let view = fitted_means(AxisScale::Linear, &[(0.0, 0.0, 0.0)]);
        assert!(view.x.low < 0.0 && view.x.high > 0.0 && view.y.high > 0.0, "{view:?}");
    }
}
