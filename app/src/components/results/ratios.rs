//! Ratios in plots: their points and their axis.

use benchbook_chart::{AxisScale, AxisSpec, CurveSeries, PlotPoint, PointOutcome, PointStats, Quartiles, Unit, Window};
use benchbook_host::analyze::interval::Interval;
use benchbook_host::analyze::stability::Stability;

/// The factor between the ratios from which on their axis is logarithmic: a linear one would show the lesser ratios close
/// to 0.
const LOG_RANGE: f64 = 20.0;

/// A ratio as the median, its interval as the quartiles. A ratio without an interval has a band of no height.
pub(super) fn ratio_point(x: f64, value: f64, interval: Option<Interval>) -> PlotPoint {
    let Interval { low, high } = interval.unwrap_or(Interval { low: value, high: value });
    let quartiles = Some(Quartiles { q1: low, median: value, q3: high });
    let stats = PointStats { mean: value, sd: 0.0, quartiles };
    PlotPoint::new(x, PointOutcome::Measured { stats, stability: Stability::Settled })
}

/// The vertical axis, which always includes 1: equal times. `scale`: the scale that the user chose, if any.
pub(super) fn ratio_axis(title: String, series: &[CurveSeries], scale: Option<AxisScale>) -> AxisSpec {
    let ratios = series.iter().flat_map(CurveSeries::points).filter_map(|point| Some(point.stats()?.mean));
    let (least, greatest) =
        ratios.fold((1.0_f64, 1.0_f64), |(least, greatest), ratio| (least.min(ratio), greatest.max(ratio)));
    let default = if greatest / least < LOG_RANGE { AxisScale::Linear } else { AxisScale::Log };
    let range = Some(Window { low: 1.0, high: 1.0 });
    AxisSpec { title, unit: Unit::Named(String::new()), scale: scale.unwrap_or(default), range }
}

#[cfg(test)]
mod tests {
    use benchbook_chart::{CurveStage, Curves};

    use super::*;

    fn series_of(ratios: &[f64]) -> Vec<CurveSeries> {
        let point = |(&value, x): (&f64, u32)| {
            ratio_point(x.into(), value, Some(Interval { low: 0.9 * value, high: 1.1 * value }))
        };
        let points = ratios.iter().zip(1_u32..).map(point).collect();
        vec![CurveSeries::new("sort", 0, CurveStage::Final, points)]
    }

    fn axis_of(ratios: &[f64]) -> AxisSpec {
        ratio_axis(String::new(), &series_of(ratios), None)
    }

    #[test]
    fn the_axis_includes_one() {
        for ratios in [&[2.0, 3.0][..], &[0.2, 0.5], &[40.0, 50.0], &[0.01], &[]] {
            let curves = Curves {
                series: series_of(ratios),
                crossings: Vec::new(),
                limit: None,
                show_mean: false,
                show_median: true,
                show_samples: false,
            };
            let view = curves.fit(&AxisSpec::categories("", vec![String::new()]), &axis_of(ratios));
            assert!(view.y.low < 1.0 && 1.0 < view.y.high, "{ratios:?}: {view:?}");
        }
    }

    #[test]
    fn the_axis_is_logarithmic_if_ratios_are_far_apart() {
        assert_eq!(axis_of(&[0.5, 3.0]).scale, AxisScale::Linear);
        assert_eq!(axis_of(&[1.5, 30.0]).scale, AxisScale::Log);
        assert_eq!(axis_of(&[0.1, 3.0]).scale, AxisScale::Log);
        assert_eq!(ratio_axis(String::new(), &series_of(&[0.1]), Some(AxisScale::Log)).scale, AxisScale::Log);
    }

    #[test]
    fn a_ratio_without_interval_has_a_band_of_no_height() {
        let drawn = ratio_point(1.0, 1.5, None).stats().and_then(|stats| stats.quartiles);
        assert_eq!(drawn, Some(Quartiles { q1: 1.5, median: 1.5, q3: 1.5 }));
    }
}
