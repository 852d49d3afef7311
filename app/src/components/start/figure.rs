//! A finished result: its question, its answer, and its curves with their names.

use benchbook_chart::{Palette, css};
use benchbook_report::digest::NotebookDigest;
use benchbook_report::thumbnail::Thumbnail;
use yew::prelude::*;

use crate::components::results::quality::badge_mark;
use crate::components::results::thumbnail::path;
use crate::components::widgets::code::with_code;
use crate::components::widgets::date::day;
use crate::components::widgets::interactive_chart::{palette, use_appearance};

/// The width and height of the picture, and the box of the curves in it, in the units of the picture. The names are right of the picture,
/// where the style sheet has room for them.
const PICTURE: [f64; 2] = [LEFT + CURVES[0] + 4.0, 270.0];
const LEFT: f64 = 64.0;
const TOP: f64 = 12.0;
const CURVES: [f64; 2] = [320.0, 220.0];

/// The least distance between the names of two curves.
const NAME_DISTANCE: f64 = 17.0;

#[derive(PartialEq, Properties)]
pub(super) struct ResultFigureProps {
    /// The question.
    pub(super) question: String,
    /// The result; absent until there is one.
    pub(super) digest: Option<NotebookDigest>,
}

/// The result. Without one, a frame of the same size says where the first one appears.
#[component]
pub(super) fn ResultFigure(props: &ResultFigureProps) -> Html {
    let appearance = use_appearance();
    let Some((digest, thumbnail)) = props.digest.as_ref().and_then(|one| Some((one, one.thumbnail.as_ref()?))) else {
        return html! {
            <figure class="result-figure" key="frame">
                <figcaption><span class="soft" dir="auto">{ &props.question }</span></figcaption>
                <p class="soft">{ "Your first curve appears a second after Measure." }</p>
            </figure>
        };
    };
    let colours = palette(appearance, thumbnail.curves.len());
    html! {
        <figure class="result-figure" data-test="result-figure" key="result">
            <figcaption>
                <span class="soft" dir="auto">{ &props.question }</span>
                <b class="says">{ with_code(&digest.answer) }</b>
            </figcaption>
            { picture(thumbnail, colours) }
            <ul class="curve-names">
                { for thumbnail.curves.iter().map(|curve| html! { <li style={format!("color:{}", css(colours.median(curve.hue)))}>{ &curve.name }</li> }) }
            </ul>
            <p class="soft result-origin">
                { for digest.badge.map(badge_mark) }
                <span>{ &digest.machine }</span>
                <span>{ format!("measured {}", day(digest.measured)) }</span>
                <span>{ "times on a log scale" }</span>
            </p>
        </figure>
    }
}

fn picture(thumbnail: &Thumbnail, palette: Palette) -> Html {
    let Thumbnail { curves, values: [first, last], times: [shortest, longest] } = thumbnail;
    let [width, height] = CURVES;
    let ends: Vec<f64> = curves.iter().map(|curve| curve.points.last().map_or(0.0, |[_, y]| y * height)).collect();
    let names = curves.iter().zip(spread(&ends, NAME_DISTANCE, height)).map(|(curve, y)| {
        html! { <text x={(width + 12.0).to_string()} y={(y + 4.0).to_string()} style={format!("fill:{}", css(palette.median(curve.hue)))}>{ &curve.name }</text> }
    });
    let lines = curves.iter().map(|curve| {
        html! { <path d={path(curve, CURVES)} style={format!("color:{}", css(palette.median(curve.hue)))} /> }
    });
    let label = format!(
        "Times of {} from {first} to {last}",
        curves.iter().map(|curve| curve.name.as_str()).collect::<Vec<_>>().join(", ")
    );
    html! {
        <svg class="spark" role="img" aria-label={label} viewBox={format!("0 0 {} {}", PICTURE[0], PICTURE[1])} preserveAspectRatio="xMinYMid">
            <g transform={format!("translate({LEFT} {TOP})")}>
                <path class="frame" d={format!("M0 0V{height}H{width}")} />
                { for lines }
                <g class="names">{ for names }</g>
                <g class="ends">
                    <text x="-8" y="4" text-anchor="end">{ longest }</text>
                    <text x="-8" y={(height + 4.0).to_string()} text-anchor="end">{ shortest }</text>
                    <text x="0" y={(height + 22.0).to_string()}>{ first }</text>
                    <text x={width.to_string()} y={(height + 22.0).to_string()} text-anchor="end">{ last }</text>
                </g>
            </g>
        </svg>
    }
}

/// Moves places apart until neighbouring ones have the distance `least`, as little as possible downwards, and then upwards if the last one
/// exceeds `end`. Returns them in the given order.
fn spread(places: &[f64], least: f64, end: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|one, other| places[*one].total_cmp(&places[*other]));
    let mut spread = places.to_vec();
    for pair in order.windows(2) {
        spread[pair[1]] = spread[pair[1]].max(spread[pair[0]] + least);
    }
    let mut limit = end;
    for one in order.into_iter().rev() {
        spread[one] = spread[one].min(limit);
        limit = spread[one] - least;
    }
    spread
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn names_keep_their_distance_and_their_order() {
        for (places, expected) in [
            (&[10.0, 100.0][..], &[10.0, 100.0][..]),
            (&[50.0, 48.0, 49.0], &[82.0, 48.0, 65.0]),
            (&[200.0, 220.0, 218.0], &[186.0, 220.0, 203.0]),
            (&[], &[]),
        ] {
            assert_eq!(spread(places, 17.0, 220.0), expected);
        }
    }
}
