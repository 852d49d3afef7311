//! A thumbnail: small curves of the functions' times, on a common logarithmic scale.

use std::rc::Rc;

use benchbook_chart::css;
use benchbook_host::ranking::{Ranking, TypicalTime};
use yew::prelude::*;

use crate::components::widgets::interactive_chart::{palette, use_appearance};
use benchbook_report::ranking::MachineRanking;
use benchbook_report::shown_trace::ShownTrace;

/// Width and height in page pixels.
const THUMBNAIL: (f64, f64) = (140.0, 44.0);

#[derive(PartialEq, Properties)]
pub(crate) struct ThumbnailProps {
    pub(crate) shown: Vec<ShownTrace>,
    pub(crate) rankings: Rc<Vec<MachineRanking>>,
}

/// The curves behind the answer, without axes.
#[component]
pub(crate) fn Thumbnail(props: &ThumbnailProps) -> Html {
    let palette = palette(use_appearance(), props.shown.len());
    let colour = |ranking: &MachineRanking, function: usize| {
        props.shown.get(ranking.ordinals[function]).map(|shown| css(palette.median(shown.hue))).unwrap_or_default()
    };
    let first = props.rankings.first();
    html! { { for first.and_then(|first| thumbnail(&first.ranking, |function| colour(first, function))) } }
}

/// The curves of all functions in these colours; `None` if no function has two times above 0.
fn thumbnail(ranking: &Ranking, colour: impl Fn(usize) -> String) -> Option<Html> {
    let curve = |function: usize| {
        let path = path(ranking, function)?;
        Some(html! { <path d={path} style={format!("color:{}", colour(function))} /> })
    };
    let curves: Vec<Html> = (0..ranking.functions()).filter_map(curve).collect();
    (!curves.is_empty()).then(|| {
        html! { <svg class="spark thumbnail" data-test="thumbnail" viewBox={format!("0 0 {} {}", THUMBNAIL.0, THUMBNAIL.1)} aria-hidden="true">{ for curves }</svg> }
    })
}

/// The path through the times above 0; gaps are bridged.
fn path(ranking: &Ranking, function: usize) -> Option<String> {
    let (width, height) = THUMBNAIL;
    let values = ranking.values().len();
    let logarithm = |function: usize, value: usize| {
        ranking.time(function, value).map(TypicalTime::order).filter(|time| *time > 0.0).map(f64::ln)
    };
    let all = (0..ranking.functions()).flat_map(|one| (0..values).filter_map(move |value| logarithm(one, value)));
    let (low, high) = all.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), one| (low.min(one), high.max(one)));
    let down = |logarithm: f64| if high > low { height * (high - logarithm) / (high - low) } else { height / 2.0 };
    let right = |value: usize| width * value as f64 / (values - 1) as f64;
    let point = |value: usize| Some(format!("{:.1} {:.1}", right(value), down(logarithm(function, value)?)));
    let points: Vec<String> = (0..values).filter_map(point).collect();
    (points.len() > 1).then(|| format!("M{}", points.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::tests::fixed_results::comparison;
    use benchbook_report::ranking::MachineRanking;

    #[test]
    fn curves_span_their_box_on_a_common_scale() {
        let rankings = MachineRanking::all(&comparison().shown());
        let ranking = &rankings.first().expect("it has figures").ranking;
        let paths: Vec<String> = (0..ranking.functions()).filter_map(|one| path(ranking, one)).collect();
        assert_eq!(paths.len(), ranking.functions());
        let numbers = |path: &String| {
            let numbers = path[1..].split(' ').map(|number| number.parse::<f64>().expect("a number"));
            numbers.collect::<Vec<f64>>()
        };
        let downs = paths.iter().flat_map(|path| numbers(path).into_iter().skip(1).step_by(2));
        let (low, high) = downs.fold((f64::INFINITY, 0.0_f64), |(low, high), down| (low.min(down), high.max(down)));
        assert_eq!((low, high), (0.0, THUMBNAIL.1));
        assert!(paths.iter().all(|path| path.starts_with("M0.0 ")), "{paths:?}");
    }
}
