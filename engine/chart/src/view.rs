//! Which part of the plane is visible, and the part that fits the data.

use super::curves::{Figures, Mark, Series};
use super::model::AxisSpec;
use super::scale::{Scale, Span, Window};

/// The visible part of the plane, in data coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Of the axis across.
    pub x: Window,
    /// Of the axis upwards.
    pub y: Window,
}

/// Room above and below the curves, in parts of the height.
const MARGIN: f64 = 0.06;
/// The least a logarithmic axis shows, in decades, so that a flat curve looks flat and has two labels beside it: a
/// factor of 5.
const LEAST_DECADES: f64 = 0.7;
/// A band's lower edge counts down to this part of its line on a logarithmic axis. Where sd comes near the mean,
/// mean − sd comes near 0, and would take all of the axis.
const BAND_FLOOR: f64 = 0.2;
/// The arrow of an upper bound reaches down to this part of it on a logarithmic axis, so that the last one has room.
const ARROW_FLOOR: f64 = 0.5;
/// The least that an axis of equal samples shows: on a linear axis in parts of them, on a logarithmic one in decades.
const LEAST_SPREAD: f64 = 0.01;
/// The least that it shows about 0, in nanoseconds.
const LEAST_ABOUT_ZERO: f64 = 0.01;
/// What an axis shows where there is neither a point nor a range: some round numbers.
const NOTHING: Window = Window { low: 1.0, high: 1000.0 };

impl View {
    /// The view that shows every point. Resetting a zoom is fitting again.
    pub fn fit(series: &[Series], x: &AxisSpec, y: &AxisSpec) -> Self {
        let points = || series.iter().flat_map(Series::points);
        let parameters = points().map(|point| point.x).chain(ends(x));
        let times = points().flat_map(|point| extremes(point.mark, y.scale));
        Self { x: fit_parameter(parameters, x.scale), y: fit_time(times.chain(ends(y)), y.scale) }
    }

    /// A view that came from outside, such as from a link, by the ends of its windows. What these scales can show in part,
    /// or too finely to draw, is mended; nothing where there is no part of it.
    pub fn from_parts(x: [f64; 2], y: [f64; 2], x_scale: Scale, y_scale: Scale) -> Option<Self> {
        Some(Self { x: drawable(x, x_scale)?, y: drawable(y, y_scale)? })
    }
}

/// The window between these ends, in either order, wide enough for its scale; nothing where one is not a number, or where
/// the scale does not reach.
fn drawable([one, other]: [f64; 2], scale: Scale) -> Option<Window> {
    if !(one.is_finite() && other.is_finite()) {
        return None;
    }
    let window = Window { low: one.min(other), high: one.max(other) };
    let high = scale.position(window.high)?;
    let low = scale.position(window.low);
    // With some room, so that what was widened here comes back as it is.
    let is_wide = |span: Span| span.length() >= 0.99 * scale.finest(span);
    let as_it_came =
        low.map(|low| Span { low, high }).filter(|&span| is_wide(span) && span.farthest() <= scale.farthest());
    if as_it_came.is_some() {
        return Some(window);
    }
    let span = scale.span(window);
    let mended = span.at_least(scale.finest(span));
    (mended.farthest() <= scale.farthest()).then(|| scale.window(mended))
}

fn ends(axis: &AxisSpec) -> impl Iterator<Item = f64> {
    axis.range.into_iter().flat_map(|range| [range.low, range.high])
}

/// The values that a view must hold to show this mark, with its bands.
fn extremes(mark: Mark, scale: Scale) -> impl Iterator<Item = f64> {
    let bounds = match mark {
        Mark::Under { bound, .. } if scale == Scale::Log => [Some(bound), Some(bound * ARROW_FLOOR)],
        Mark::Under { bound, .. } => [Some(bound), None],
        Mark::Settled(_) | Mark::Unsettled(_) | Mark::Failed | Mark::Skipped => [None, None],
    };
    let curve = mark.on_curve().copied().into_iter().flat_map(move |figures| with_bands(figures, scale));
    bounds.into_iter().flatten().chain(curve)
}

fn with_bands(Figures { mean, sd, quartiles }: Figures, scale: Scale) -> impl Iterator<Item = f64> {
    let floor = |edge: f64, line: f64| match scale {
        Scale::Log => edge.max(line * BAND_FLOOR),
        // A wide band is no reason to show times below 0; a line that lies there is.
        Scale::Linear if line >= 0.0 => edge.max(0.0),
        Scale::Linear => edge,
    };
    let of_mean = [floor(mean - sd, mean), mean, mean + sd];
    let of_median = quartiles.map(|q| [floor(q.q1, q.median), q.median, q.q3]);
    of_mean.into_iter().chain(of_median.into_iter().flatten())
}

/// From the first axis value to the last, without a margin: the requested range fills the width.
fn fit_parameter(values: impl Iterator<Item = f64>, scale: Scale) -> Window {
    let Some(span) = hull(values, scale) else { return NOTHING };
    let least = match scale {
        Scale::Log => LEAST_DECADES,
        Scale::Linear => span.low.abs().max(1.0),
    };
    scale.window(if span.length() > 0.0 { span } else { span.at_least(least) })
}

/// All times with a margin; a linear axis begins at 0, so that heights can be compared.
fn fit_time(values: impl Iterator<Item = f64>, scale: Scale) -> Window {
    let Some(span) = hull(values, scale) else { return NOTHING };
    match scale {
        Scale::Log => scale.window(span.padded(MARGIN).at_least(LEAST_DECADES)),
        Scale::Linear => {
            let with_zero = Span { low: span.low.min(0.0), high: span.high.max(0.0) };
            let padded = with_zero.padded(MARGIN);
            match (with_zero.low < 0.0, with_zero.high > 0.0) {
                (false, false) => Window { low: 0.0, high: 1.0 },
                (false, true) => Window { low: 0.0, high: padded.high },
                (true, _) => Window { low: padded.low, high: padded.high },
            }
        }
    }
}

/// All values with a margin. An axis on which they are the matter themselves does not begin at 0: what differs shows.
pub(super) fn fit_spread(values: impl Iterator<Item = f64>, scale: Scale) -> Window {
    let Some(span) = hull(values, scale) else { return NOTHING };
    let least = match scale {
        Scale::Log => LEAST_SPREAD,
        Scale::Linear => (span.low.abs().max(span.high.abs()) * LEAST_SPREAD).max(LEAST_ABOUT_ZERO),
    };
    scale.window(span.padded(MARGIN).at_least(least))
}

/// From 0 up to the greatest number with a margin; on a logarithmic axis from half a one, so that 1 can be seen.
pub(super) fn fit_counts(greatest: usize, scale: Scale) -> Window {
    let greatest = greatest.max(1) as f64;
    match scale {
        Scale::Log => Window { low: 0.5, high: greatest * 2_f64.powf(2.0 * MARGIN) },
        Scale::Linear => Window { low: 0.0, high: greatest * (1.0 + 2.0 * MARGIN) },
    }
}

/// The least span that holds every value that the scale can show; its length may be 0.
fn hull(values: impl Iterator<Item = f64>, scale: Scale) -> Option<Span> {
    values.filter_map(|value| scale.position(value)).fold(None, |hull: Option<Span>, position| {
        let Span { low, high } = hull.unwrap_or(Span { low: position, high: position });
        Some(Span { low: low.min(position), high: high.max(position) })
    })
}

#[cfg(test)]
mod tests {
    use super::super::curves::{PlotPoint, Quartiles, Weight};
    use super::super::model::Unit;
    use super::*;
    use proptest::prelude::*;

    fn axis(scale: Scale, range: Option<Window>) -> AxisSpec {
        AxisSpec { title: String::new(), unit: Unit::Nanoseconds, scale, range }
    }

    fn fit(scale: Scale, points: &[(f64, f64, f64)]) -> View {
        let measured = |&(x, mean, sd)| PlotPoint::new(x, Mark::Settled(Figures { mean, sd, quartiles: None }));
        let series = [Series::new("f", 0, Weight::Final, points.iter().map(measured).collect())];
        View::fit(&series, &axis(scale, None), &axis(scale, None))
    }

    #[test]
    fn a_view_from_outside_is_mended_or_refused() {
        let linear = |low, high| drawable([low, high], Scale::Linear).map(|window| (window.low, window.high));
        let log = |low, high| drawable([low, high], Scale::Log).map(|window| (window.low, window.high));
        assert_eq!(linear(-3.0, 8.0), Some((-3.0, 8.0)));
        assert_eq!(linear(8.0, -3.0), Some((-3.0, 8.0)), "reversed");
        assert_eq!(linear(100.0, 100.0), Some((50.0, 150.0)), "without a width");
        assert_eq!(linear(100.0, 100.000_01).map(|(low, high)| high - low > 0.09), Some(true), "too narrow");
        assert_eq!(linear(-1e300, 1e300), Some((-1e15, 1e15)), "too wide");
        assert_eq!(log(1e3, 1e5), Some((1e3, 1e5)));
        assert_eq!(log(-5.0, 1e4), Some((10.0, 1e4)), "down to 0 and beyond");
        assert_eq!([log(-5.0, 0.0), log(f64::NAN, 1.0), linear(0.0, f64::INFINITY)], [None; 3]);
    }

    proptest! {
        #[test]
        fn whatever_comes_from_outside_can_be_drawn_and_passed_on(
            x in [proptest::num::f64::ANY, proptest::num::f64::ANY], y in [-1e3..1e6, -1e3..1e6], log: bool,
        ) {
            let scale = if log { Scale::Log } else { Scale::Linear };
            if let Some(view) = View::from_parts(x, y, scale, scale) {
                for window in [view.x, view.y] {
                    prop_assert!(window.low < window.high && window.low.is_finite() && window.high.is_finite());
                    prop_assert!(scale.position(window.low).is_some());
                }
                let again = View::from_parts([view.x.low, view.x.high], [view.y.low, view.y.high], scale, scale);
                let near = |a: Window, b: Window| (a.low - b.low).abs() <= 1e-9 * a.low.abs() && (a.high - b.high).abs() <= 1e-9 * a.high.abs();
                prop_assert!(again.is_some_and(|again| near(again.x, view.x) && near(again.y, view.y)), "{:?} {:?}", view, again);
            }
        }
    }

    #[test]
    fn x_runs_from_the_first_value_to_the_last() {
        assert_eq!(fit(Scale::Linear, &[(7.0, 1.0, 0.0), (2.0, 1.0, 0.0)]).x, Window { low: 2.0, high: 7.0 });
    }

    #[test]
    fn the_requested_range_is_shown_before_its_points_come() {
        let x = axis(Scale::Linear, Some(Window { low: 0.0, high: 50.0 }));
        let view = View::fit(&[], &x, &axis(Scale::Log, None));
        assert_eq!(view, View { x: Window { low: 0.0, high: 50.0 }, y: NOTHING });
    }

    #[test]
    fn a_linear_time_axis_begins_at_0() {
        let y = fit(Scale::Linear, &[(1.0, 80.0, 0.0), (2.0, 90.0, 10.0)]).y;
        assert!(y.low == 0.0 && (100.0..110.0).contains(&y.high), "{y:?}");
    }

    #[test]
    fn a_wide_band_does_not_show_times_below_0() {
        assert_eq!(fit(Scale::Linear, &[(1.0, 1.0, 3.0), (2.0, 3.0, 1.0)]).y.low, 0.0);
    }

    #[test]
    fn a_linear_time_axis_shows_what_is_below_0() {
        let y = fit(Scale::Linear, &[(1.0, -1.0, 1.0), (2.0, 3.0, 1.0)]).y;
        assert!(y.low < -2.0 && y.high > 4.0, "{y:?}");
    }

    #[test]
    fn a_wide_band_does_not_take_the_whole_log_axis() {
        let y = fit(Scale::Log, &[(1.0, 100.0, 99.9), (2.0, 200.0, 300.0)]).y;
        assert!((10.0..20.0).contains(&y.low), "{y:?}");
    }

    #[test]
    fn one_point_and_a_flat_curve_have_room_about_them() {
        let view = fit(Scale::Log, &[(1000.0, 20.0, 0.0)]);
        assert!(view.x.low < 1000.0 && view.x.high > 1000.0 && view.y.high / view.y.low > 4.0, "{view:?}");
        let view = fit(Scale::Linear, &[(0.0, 0.0, 0.0)]);
        assert!(view.x.low < 0.0 && view.x.high > 0.0 && view.y.high > 0.0, "{view:?}");
    }

    #[test]
    fn an_upper_bound_counts_and_the_figures_under_it_do_not() {
        let figures = Figures { mean: -3.0, sd: 900.0, quartiles: None };
        let points = vec![PlotPoint::new(1.0, Mark::Under { bound: 40.0, figures })];
        let series = [Series::new("f", 0, Weight::Final, points)];
        let y = View::fit(&series, &axis(Scale::Linear, None), &axis(Scale::Linear, None)).y;
        assert!(y.low == 0.0 && (40.0..45.0).contains(&y.high), "{y:?}");
    }

    #[test]
    fn quartiles_count() {
        let quartiles = Some(Quartiles { q1: 1.0, median: 2.0, q3: 500.0 });
        let points = vec![PlotPoint::new(1.0, Mark::Settled(Figures { mean: 9.0, sd: 1.0, quartiles }))];
        let series = [Series::new("f", 0, Weight::Final, points)];
        assert!(View::fit(&series, &axis(Scale::Log, None), &axis(Scale::Log, None)).y.high > 500.0);
    }
}
