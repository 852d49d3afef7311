//! The names of compared functions right of the plot: which charts have them, and how much room they take.

use crate::layout::CHARACTER;

/// The narrowest chart with names, in page pixels. In narrower ones, the page's legend suffices.
const MIN_WIDTH: f64 = 560.0;

/// The maximum share of the width for names.
const MAX_PART: f64 = 0.25;

/// The distance between two names, in page pixels: the height of a line.
pub(crate) const LINE: f64 = 13.0;

/// The width of the names in page pixels; `None` for a narrow chart and for fewer than two names. `width`: the chart's, in page
/// pixels.
pub(crate) fn name_width<'a>(names: impl Iterator<Item = &'a str>, width: f64) -> Option<f64> {
    let lengths: Vec<usize> = names.map(|name| name.chars().count()).collect();
    let longest = *lengths.iter().max()?;
    (width >= MIN_WIDTH && lengths.len() > 1).then(|| (longest as f64 * CHARACTER).min(MAX_PART * width))
}

/// A name, shortened to this width in page pixels.
pub(crate) fn fitted(name: &str, width: f64) -> String {
    let room = (width / CHARACTER) as usize;
    if name.chars().count() <= room {
        return name.to_owned();
    }
    let beginning: String = name.chars().take(room.saturating_sub(1)).collect();
    format!("{beginning}…")
}

/// Moves names apart so that two of them are at least `distance` apart and all are between `low` and `high`, if they fit.
/// `positions` are ascending.
pub(crate) fn spread(positions: &mut [f64], distance: f64, low: f64, high: f64) {
    let mut least = low;
    for position in positions.iter_mut() {
        *position = position.max(least);
        least = *position + distance;
    }
    let mut most = high;
    for position in positions.iter_mut().rev() {
        *position = position.min(most);
        most = *position - distance;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_move_apart_but_stay_inside() {
        let spread_of = |mut positions: Vec<f64>| {
            spread(&mut positions, 10.0, 0.0, 100.0);
            positions
        };
        assert_eq!(spread_of(vec![10.0, 50.0, 90.0]), [10.0, 50.0, 90.0]);
        assert_eq!(spread_of(vec![50.0, 50.0, 51.0]), [50.0, 60.0, 70.0]);
        assert_eq!(spread_of(vec![95.0, 99.0, 120.0]), [80.0, 90.0, 100.0]);
        assert_eq!(spread_of(vec![-20.0, -10.0]), [0.0, 10.0]);
        assert_eq!(spread_of(Vec::new()), [0.0; 0]);
    }

    #[test]
    fn narrow_charts_and_single_series_have_no_names() {
        let names = |count: usize| ["sort", "sort_stable"].into_iter().take(count);
        assert_eq!(name_width(names(2), 800.0), Some(66.0));
        assert_eq!(
            (name_width(names(2), 500.0), name_width(names(1), 800.0), name_width(names(0), 800.0)),
            (None, None, None)
        );
        assert_eq!(name_width(["a".repeat(100).as_str(), "b"].into_iter(), 800.0), Some(200.0));
    }

    #[test]
    fn long_names_are_shortened() {
        assert_eq!(fitted("sort_stable", 66.0), "sort_stable");
        assert_eq!(fitted("sort_stable", 60.0), "sort_stab…");
        assert_eq!(fitted("größe", 24.0), "grö…");
    }
}
