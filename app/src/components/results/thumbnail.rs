//! A thumbnail: small curves of the functions' times, without axes.

use benchbook_chart::css;
use benchbook_report::thumbnail::{Thumbnail, ThumbnailCurve};
use yew::prelude::*;

use crate::components::widgets::interactive_chart::{palette, use_appearance};

#[derive(PartialEq, Properties)]
pub(crate) struct ThumbnailProps {
    pub(crate) thumbnail: Thumbnail,
}

/// The curves. They are stretched to the size of their box; the width of the lines is not.
#[component]
pub(crate) fn ThumbnailView(props: &ThumbnailProps) -> Html {
    let palette = palette(use_appearance(), props.thumbnail.curves.len());
    html! {
        <svg class="spark thumbnail" data-test="thumbnail" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
            { for props.thumbnail.curves.iter().map(|curve| html! {
                <path d={path(curve, [1.0, 1.0])} style={format!("color:{}", css(palette.median(curve.hue)))} vector-effect="non-scaling-stroke" />
            }) }
        </svg>
    }
}

/// The path through the points of a curve, in a box of this width and height.
pub(crate) fn path(curve: &ThumbnailCurve, [width, height]: [f64; 2]) -> String {
    let point = |[x, y]: &[f64; 2]| format!("{} {}", x * width, y * height);
    format!("M{}", curve.points.iter().map(point).collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use benchbook_report::ranking::MachineRanking;

    use super::*;
    use crate::state::tests::fixed_results::comparison;

    #[test]
    fn curves_span_their_box_on_a_common_scale() {
        let shown = comparison().shown();
        let rankings = MachineRanking::all(&shown);
        let thumbnail = Thumbnail::of(&shown, &rankings[0]).expect("it has figures");
        assert_eq!(thumbnail.curves.len(), rankings[0].ordinals.len());
        let points = || thumbnail.curves.iter().flat_map(|curve| &curve.points);
        let down = |extreme: fn(f64, f64) -> f64| points().map(|[_, y]| *y).reduce(extreme);
        assert_eq!((down(f64::min), down(f64::max)), (Some(0.0), Some(1.0)));
        let curve = ThumbnailCurve { name: "sort".to_owned(), hue: 0, points: vec![[0.0, 1.0], [1.0, 0.25]] };
        assert_eq!(path(&curve, [140.0, 44.0]), "M0 44 140 11");
    }
}
