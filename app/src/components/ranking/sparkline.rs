//! A small curve of a function's times, on the same logarithmic scale as those of the other functions.

use benchbook_host::ranking::{Ranking, TypicalTime};
use yew::prelude::*;

/// The size of a sparkline in page pixels.
const WIDTH: f64 = 88.0;
const HEIGHT: f64 = 20.0;

/// The sparkline of a function; empty if it has fewer than two times above 0.
pub(super) fn sparkline(ranking: &Ranking, function: usize, style: String) -> Html {
    let view_box = format!("0 0 {WIDTH} {HEIGHT}");
    match path(ranking, function) {
        Some(path) => html! {
            <svg class="spark" viewBox={view_box} aria-hidden="true" {style}><path d={path} /></svg>
        },
        None => html! {},
    }
}

/// The path through the times above 0; gaps are bridged.
fn path(ranking: &Ranking, function: usize) -> Option<String> {
    let values = ranking.values().len();
    let logarithm = |function: usize, value: usize| {
        ranking.time(function, value).map(TypicalTime::order).filter(|time| *time > 0.0).map(f64::ln)
    };
    let all = (0..ranking.functions()).flat_map(|one| (0..values).filter_map(move |value| logarithm(one, value)));
    let (low, high) = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), one| (low.min(one), high.max(one)));
    let height = |logarithm: f64| if high > low { HEIGHT * (high - logarithm) / (high - low) } else { HEIGHT / 2.0 };
    let position = |value: usize| WIDTH * value as f64 / (values - 1) as f64;
    let point = |value: usize| Some(format!("{:.1} {:.1}", position(value), height(logarithm(function, value)?)));
    let points: Vec<String> = (0..values).filter_map(point).collect();
    (points.len() > 1).then(|| format!("M{}", points.join(" ")))
}
