//! The head of the page: name, title, clock, looks.

use benchbook::sample::clock_card::ClockCard;
use benchbook::units::Nanos;
use yew::prelude::*;

use super::theme::ThemeButton;

#[derive(PartialEq, Properties)]
pub(crate) struct HeaderProps {
    /// What the notebook is called; may be empty.
    pub(crate) title: String,
    /// The clock, once one was measured.
    pub(crate) clock: Option<ClockCard>,
    /// Whether the page is cross-origin isolated, so that the clock is fine.
    pub(crate) isolated: bool,
}

#[component]
pub(crate) fn Header(props: &HeaderProps) -> Html {
    html! {
        <header>
            <b>{ "Benchbook" }</b>
            <span class="title">{ &props.title }</span>
            <span class="grow"></span>
            if let Some(clock) = &props.clock {
                { clock_chip(clock, props.isolated) }
            }
            <ThemeButton />
        </header>
    }
}

/// The clock in short; it opens to what can be done about it.
fn clock_chip(clock: &ClockCard, isolated: bool) -> Html {
    let (word, advice) = match isolated {
        true => ("isolated", "This page is cross-origin isolated, so the browser's clock is as fine as it gets."),
        false => (
            "coarse",
            "This page is not cross-origin isolated, so the browser's clock is coarse. Served over https or from localhost \
             with the headers Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp, it \
             would be up to 20 times finer.",
        ),
    };
    html! {
        <details class="chip" data-test="clock" data-resolution={clock.resolution.to_string()} data-isolated={isolated.to_string()}>
            <summary>{ format!("clock {} · {word}", Nanos(clock.resolution)) }</summary>
            <p>{ advice }</p>
        </details>
    }
}
