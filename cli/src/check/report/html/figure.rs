//! A plot with its title, legend and text alternative.

use maud::{Markup, PreEscaped, html};

/// A series in the legend of a plot.
pub(super) struct LegendEntry {
    /// Selects the colour and the marker.
    pub(super) number: usize,
    pub(super) text: String,
}

/// The markers of the series in a plot.
const MARKERS: [&str; 4] = ["●", "■", "▲", "◆"];

/// A figure. `image`: SVG whose texts are escaped.
pub(super) fn figure(title: &str, description: &str, image: &str, legend: &[LegendEntry]) -> Markup {
    html! {
        figure {
            figcaption { (title) }
            // Children of an image are hidden from assistive technology.
            div role="img" aria-label=(description) { (PreEscaped(image)) }
            ul.legend {
                @for LegendEntry { number, text } in legend {
                    li { span class={ "series-" (number) } aria-hidden="true" { (MARKERS[number % MARKERS.len()]) } " " (text) }
                }
            }
        }
    }
}
