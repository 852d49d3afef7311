//! The relative plot: how many times as long each function takes as the fastest one of its measurement.

use benchbook_chart::{AxisScale, AxisSpec, CurveSeries, Palette, PlotPoint};
use benchbook_contract::axis_value::AxisValue;
use benchbook_host::compare::ranking::TypicalTime;
use benchbook_host::metric::TIME;
use benchbook_host::quality::Priority;
use benchbook_notebook::view::CellView;
use yew::prelude::*;

use super::positions::Positions;
use super::readout_table::{CurveFigures, readout_table};
use super::stage::stage;
use crate::components::results::ranking::has_ratios;
use crate::components::results::ratios::{ratio_axis, ratio_point};
use benchbook_report::comparison::RatioToFastest;
use benchbook_report::ranking::MachineRanking;
use benchbook_report::shown_trace::ShownTrace;

/// The greatest factor between the medians of curves that are shown relative to each other unless the user chooses otherwise.
const CLOSE: f64 = 2.0;

/// The view as it is drawn: with times or ratios, as the user chose; otherwise ratios if all curves have some, and are close to each other over an axis of numbers.
/// During the first priority, that would change back and forth.
pub(in crate::components::results) fn drawn_view(
    view: &CellView,
    shown: &[ShownTrace],
    rankings: &[MachineRanking],
    is_measuring: bool,
) -> CellView {
    let is_relative = *view.metric() == TIME
        && has_ratios(rankings)
        && view.relative.unwrap_or_else(|| {
            // They were chosen for times, also in links and files from before there were automatic ratios.
            let is_for_times =
                view.zoom.is_some() || view.y_scale.is_some() || view.limit.is_some() || view.show_samples;
            !is_for_times
                && rankings.iter().map(|ranking| ranking.ordinals.len()).sum::<usize>() == shown.len()
                && !(is_measuring && shown.iter().any(has_first_priority_only))
                && rankings.iter().all(are_close)
                // Times that may be zero have none.
                && series(shown, rankings, &Positions::of(shown)).len() == shown.len()
        });
    CellView { relative: Some(is_relative), ..view.clone() }
}

fn has_first_priority_only(one: &ShownTrace) -> bool {
    one.trace.curve.readings().iter().all(|reading| reading.priority() == Priority::FIRST)
}

/// Whether all functions have results at three numbers or more, with typical times within a factor of [`CLOSE`] wherever they have results.
fn are_close(ranking: &MachineRanking) -> bool {
    let ranking = &ranking.ranking;
    let is_close = |value: usize| {
        let times = ranking.ranked_at(value).iter().filter_map(|&function| ranking.time(function, value));
        let (low, high) = times
            .map(TypicalTime::order)
            .fold((f64::INFINITY, 0.0_f64), |(low, high), time| (low.min(time), high.max(time)));
        high <= CLOSE * low
    };
    let values = 0..ranking.values().len();
    let is_complete = |&value: &usize| ranking.ranked_at(value).len() == ranking.functions();
    ranking.is_ordered() && values.clone().filter(is_complete).count() > 2 && values.into_iter().all(is_close)
}

/// A series for each ranked function: its ratios to the fastest one, with their intervals. Overlays have no ratios.
pub(super) fn series(shown: &[ShownTrace], rankings: &[MachineRanking], positions: &Positions) -> Vec<CurveSeries> {
    let one = |(ordinal, shown): (usize, &ShownTrace)| {
        let points = shown.trace.curve.readings().iter().filter_map(|reading| {
            let (ratio, interval) = RatioToFastest::of(rankings, ordinal, &reading.x)?.ratio()?;
            Some(ratio_point(positions.position(&reading.x)?, ratio, interval))
        });
        let points: Vec<PlotPoint> = points.collect();
        let mut series = CurveSeries::new(&shown.label, shown.hue, stage(shown), points);
        series.dashed = shown.is_elsewhere;
        (!series.points().is_empty()).then_some(series)
    };
    shown.iter().enumerate().filter_map(one).collect()
}

/// The vertical axis. `scale`: the scale that the user chose, if any.
pub(super) fn axis(series: &[CurveSeries], scale: Option<AxisScale>) -> AxisSpec {
    ratio_axis("Time relative to the fastest".to_owned(), series, scale)
}

/// The readout at an axis value: the ratio of each function.
pub(super) fn readout(
    shown: &[ShownTrace],
    visible: &[ShownTrace],
    rankings: &[MachineRanking],
    x: &AxisValue,
    palette: Palette,
) -> Html {
    let ratio = |index: usize| {
        // Rankings refer to all curves, also to hidden ones.
        let ordinal = shown.iter().position(|one| *one == visible[index]).unwrap_or(index);
        RatioToFastest::of(rankings, ordinal, x).and_then(RatioToFastest::text).into_iter().collect()
    };
    readout_table(visible, x, palette, &CurveFigures { headings: &["ratio"], of: &ratio })
}

#[cfg(test)]
mod tests {
    use benchbook_contract::parameter::Scale;
    use benchbook_host::units::Nanos;
    use benchbook_report::results::Results;

    use super::*;
    use crate::state::tests::fixed_results::{categories, comparison, first_curves, flat_curves};

    fn is_shown(results: &Results, view: &CellView) -> bool {
        let shown = results.shown();
        drawn_view(view, &shown, &MachineRanking::all(&shown), false).is_relative()
    }

    #[test]
    fn ratios_to_the_fastest_are_at_least_one() {
        let shown = comparison().shown();
        let series = series(&shown, &MachineRanking::all(&shown), &Positions::of(&shown));
        let ratios = |series: &CurveSeries| -> Vec<f64> {
            series.points().iter().filter_map(|point| Some(point.stats()?.mean)).collect()
        };
        let [one, other] = [0, 1].map(|index| ratios(&series[index]));
        assert!(
            one.iter().zip(&other).all(|(one, other)| one.min(*other) == 1.0 && one.max(*other) >= 1.0),
            "{one:?} {other:?}"
        );
        assert!(one.contains(&1.0) && other.contains(&1.0), "the curves cross: {one:?} {other:?}");
    }

    #[test]
    fn close_curves_are_relative_by_themselves() {
        let by_itself = |results: &Results| is_shown(results, &CellView::default());
        assert_eq!(
            [1.5, 1.9, 2.1, 0.6, 0.4].map(|ratio| by_itself(&first_curves(ratio, Priority::LAST))),
            [true, true, false, true, false]
        );
        assert!(by_itself(&comparison()), "two points failed, the others are close");
        assert!(!by_itself(&categories()), "texts have no order");
        assert!(!by_itself(&flat_curves([0.0, 0.0], Priority::LAST)), "times that may be zero have no ratios");
    }

    #[test]
    fn nothing_switches_while_the_first_priority_is_measured() {
        let while_measuring = |results: &Results| {
            let shown = results.shown();
            drawn_view(&CellView::default(), &shown, &MachineRanking::all(&shown), true).is_relative()
        };
        assert_eq!(
            [Priority::FIRST, Priority::LAST].map(|priority| while_measuring(&first_curves(1.5, priority))),
            [false, true]
        );
    }

    #[test]
    fn a_view_that_was_set_for_times_shows_times() {
        let zoom = benchbook_notebook::view::Zoom::new([100.0, 900.0], [10.0, 60.0]);
        let views = [
            CellView { zoom, ..CellView::default() },
            CellView { y_scale: Some(Scale::Linear), ..CellView::default() },
            CellView { limit: Some(Nanos(5.0)), ..CellView::default() },
            CellView { show_samples: true, ..CellView::default() },
        ];
        assert!(views.iter().all(|view| !is_shown(&first_curves(1.5, Priority::LAST), view)));
        assert!(is_shown(&first_curves(1.5, Priority::LAST), &CellView { relative: Some(true), ..views[0].clone() }));
    }

    #[test]
    fn the_user_chooses_ratios_or_times() {
        for results in [comparison(), categories()] {
            let chosen = |relative| is_shown(&results, &CellView { relative: Some(relative), ..CellView::default() });
            assert_eq!([true, false].map(chosen), [true, false]);
        }
    }
}
