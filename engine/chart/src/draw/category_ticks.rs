//! The ticks of a categorical axis: the labels of the visible categories, shortened or thinned out so that they fit; and the
//! lines between the slots.

use std::collections::HashSet;

use super::text::CHARACTER;
use super::ticks::Tick;
use crate::layout::{LEFT, RIGHT};
use crate::scale::Span;

/// The gap between two labels, in page pixels.
const GAP: f64 = 8.0;
/// The fewest characters to which labels are shortened if every category has one. If there is room for fewer, some
/// categories have no label.
const FEWEST: usize = 5;
/// The fewest characters to which labels are shortened if some categories have none.
const FEWEST_IF_THINNED: usize = 10;
/// The last character of a shortened label, or the one in its middle.
const ELLIPSIS: char = '…';

/// The ticks of a categorical axis, and the lines between its slots.
pub(super) struct CategoryTicks {
    /// The labels. Categories with an empty label have none.
    pub(super) ticks: Vec<Tick>,
    /// The positions of lines between the slots. `None` if labels are thinned out: the lines are at the ticks then, and show
    /// which category a label belongs to.
    pub(super) separators: Option<Vec<f64>>,
}

impl CategoryTicks {
    /// The ticks of the categories with these labels, along an axis of this length in page pixels.
    pub(super) fn of(labels: &[String], span: Span, length: f64) -> Self {
        let slot = length / span.length();
        let visible = || labels.iter().enumerate().filter(|(index, _)| span.contains(*index as f64));
        let longest = visible().map(|(_, label)| label.chars().count()).max().unwrap_or(0);
        let room = |every: usize| characters(every as f64 * slot - GAP);
        let fewest = |every: usize| longest.min(if every == 1 { FEWEST } else { FEWEST_IF_THINNED });
        let every = strides(labels.len()).find(|&every| room(every) >= fewest(every)).unwrap_or(labels.len().max(1));
        let shown: Vec<(f64, &str)> = visible()
            .filter(|(index, label)| index % every == 0 && !label.is_empty())
            .map(|(index, label)| (index as f64, label.as_str()))
            .collect();
        let shorten = shortening(shown.iter().map(|(_, label)| *label), room(every));
        let tick = |(position, label): (f64, &str)| {
            // A label must not extend beyond the canvas.
            let to_edge = ((position - span.low) * slot + LEFT).min((span.high - position) * slot + RIGHT);
            Tick { position, label: shorten(label, room(every).min(characters(2.0 * to_edge))) }
        };
        let ticks = shown.into_iter().map(tick).collect();
        let between = (1..labels.len()).map(|index| index as f64 - 0.5).filter(|position| span.contains(*position));
        Self { ticks, separators: (every == 1).then(|| between.collect()) }
    }
}

/// The number of characters that fit into a width.
fn characters(width: f64) -> usize {
    (width / CHARACTER) as usize
}

/// 1, 2, 5, 10 and so on: which categories have a label, up to every `count`th.
fn strides(count: usize) -> impl Iterator<Item = usize> {
    let decades = std::iter::successors(Some(1_usize), |decade| decade.checked_mul(10));
    let strides = decades.flat_map(|decade| [1, 2, 5].map(|factor| decade.saturating_mul(factor)));
    strides.take_while(move |&stride| stride <= count)
}

/// The function that shortens labels to `max` characters: [`beginning`] unless more labels remain distinct with
/// [`both_ends`], as with types or files whose names have the same beginning.
fn shortening<'a>(labels: impl Iterator<Item = &'a str> + Clone, max: usize) -> fn(&str, usize) -> String {
    let distinct = |shorten: fn(&str, usize) -> String| {
        labels.clone().map(|label| shorten(label, max)).collect::<HashSet<String>>().len()
    };
    if distinct(both_ends) > distinct(beginning) { both_ends } else { beginning }
}

/// Shortens "Nearly sorted" to "Nearly s…".
fn beginning(label: &str, max: usize) -> String {
    shortened(label, max, 0)
}

/// Shortens `std::vec::Vec<u8>` to `std::…c<u8>`.
fn both_ends(label: &str, max: usize) -> String {
    shortened(label, max, max.saturating_sub(1) / 2)
}

/// A label of at most `max` characters: the beginning, [`ELLIPSIS`] and the last `tail` characters if it is longer.
fn shortened(label: &str, max: usize, tail: usize) -> String {
    let count = label.chars().count();
    if count <= max {
        return label.to_owned();
    }
    let head: String = label.chars().take(max.saturating_sub(tail + 1)).collect();
    head.trim_end().chars().chain([ELLIPSIS]).chain(label.chars().skip(count - tail)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(labels: &[&str], (low, high): (f64, f64), length: f64) -> String {
        let labels: Vec<String> = labels.iter().map(|&label| label.to_owned()).collect();
        let ticks = CategoryTicks::of(&labels, Span { low, high }, length).ticks;
        ticks.into_iter().map(|tick| format!("{} {}", tick.position, tick.label)).collect::<Vec<_>>().join(" | ")
    }

    #[test]
    fn visible_categories_have_labels_that_fit() {
        let orders = ["Random", "Reversed", "Sorted"];
        let uneven = ["Random", "Nearly sorted", "Reversed"];
        let types = ["std::vec::Vec<u8>", "std::vec::Vec<u16>"];
        let ends = ["A long label on the left", "A long label on the right"];
        let files: Vec<String> = (0..60).map(|index| format!("file_{index}")).collect();
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        for (labels, span, length, expected) in [
            (&orders[..], (-0.5, 2.5), 300.0, "0 Random | 1 Reversed | 2 Sorted"),
            (&orders, (0.4, 1.6), 300.0, "1 Reversed"),
            (&orders, (0.1, 0.9), 300.0, ""),
            (&orders, (1e14, 1e15), 300.0, ""),
            // An empty label is not shown.
            (&[""], (-0.5, 0.5), 300.0, ""),
            (&["", "a.txt"], (-0.5, 1.5), 300.0, "1 a.txt"),
            (&[], (-0.5, 0.5), 300.0, ""),
            // Long labels are shortened, also at the edge of a zoomed view, where they stay on the canvas.
            (&uneven, (-0.5, 2.5), 180.0, "0 Random | 1 Nearly… | 2 Reversed"),
            (&["input_small.txt", "input_large.txt"], (-0.5, 1.5), 130.0, "0 input_sm… | 1 input_la…"),
            (&types, (-0.5, 1.5), 150.0, "0 std::…c<u8> | 1 std::…<u16>"),
            (&ends, (0.0, 1.0), 300.0, "0 A long label on the… | 1 A lon…"),
            // Many labels are thinned out.
            (&files, (-0.5, 59.5), 240.0, "0 file_0 | 20 file_20 | 40 file_40"),
            (&files, (19.5, 23.5), 240.0, "20 file_20 | 21 file_21 | 22 file_22 | 23 file_23"),
        ] {
            assert_eq!(shown(labels, span, length), expected, "{span:?}");
        }
    }

    #[test]
    fn lines_separate_slots_if_every_category_has_a_label() {
        let separators = |count: usize, length| {
            let labels = vec!["label".to_owned(); count];
            CategoryTicks::of(&labels, Span { low: -0.5, high: count as f64 - 0.5 }, length).separators
        };
        assert_eq!(separators(3, 300.0), Some(vec![0.5, 1.5]));
        assert_eq!(separators(1, 300.0), Some(Vec::new()));
        assert_eq!(separators(12, 120.0), None);
    }

    proptest! {
        #[test]
        fn labels_do_not_overlap_and_stay_on_canvas(
            labels in proptest::collection::vec(".{0,30}", 0..80), low in -5.0..80.0, slots in 0.05..90.0, length in 0.0..1500.0,
        ) {
            let span = Span { low, high: low + slots };
            let ticks = CategoryTicks::of(&labels, span, length).ticks;
            let ends = |tick: &Tick| {
                let (middle, width) = (span.fraction(tick.position) * length, CHARACTER * tick.label.chars().count() as f64);
                (middle - width / 2.0, middle + width / 2.0)
            };
            for tick in &ticks {
                prop_assert!(tick.position.fract() == 0.0 && span.contains(tick.position) && !tick.label.is_empty());
                prop_assert!(ends(tick).0 >= -LEFT && ends(tick).1 <= length + RIGHT, "{:?}", tick);
            }
            for pair in ticks.windows(2) {
                prop_assert!(ends(&pair[0]).1 <= ends(&pair[1]).0, "{:?}", pair);
            }
        }
    }
}
