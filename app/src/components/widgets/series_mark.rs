//! The mark of a function in lists, with the colour and the shape that its points have in the plot.

use benchbook_chart::{Palette, css};
use yew::prelude::*;

/// The mark of the series with this index among the compared ones.
pub(crate) fn series_mark(hue: usize, palette: Palette) -> Html {
    // The shapes of the plot's markers, in the same order.
    let shape = match hue % 4 {
        0 => html! { <circle r="4" /> },
        1 => html! { <path d="M-3.6-3.6h7.2v7.2h-7.2z" /> },
        2 => html! { <path d="M0-4.6 4.4 3.2h-8.8z" /> },
        _ => html! { <path d="M0-5 5 0 0 5-5 0z" /> },
    };
    html! {
        <svg class="mark" viewBox="-5 -5 10 10" aria-hidden="true" style={format!("color:{}", css(palette.median(hue)))}>{ shape }</svg>
    }
}
