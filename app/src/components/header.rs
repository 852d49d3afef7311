//! The header of the page: start, title, clock, runner, link, help, theme.

use benchbook_host::sample::clock_card::ClockCard;
use yew::prelude::*;

use super::copy::CopyButton;
use super::landmarks::Landmarks;
use super::machine_card::machine_card;
use super::theme::theme_button;

#[derive(PartialEq, Properties)]
pub(crate) struct HeaderProps {
    /// The title of the notebook; may be empty.
    pub(crate) title: String,
    /// Absent until a suite's clock is measured.
    pub(crate) clock: Option<ClockCard>,
    /// Whether a clock may still be measured.
    pub(crate) is_loading: bool,
    /// The chip of the runner.
    pub(crate) runner: Html,
    /// The fragment of a link to the current view; absent on the start view.
    pub(crate) link: Option<String>,
    pub(super) landmarks: Landmarks,
    pub(crate) on_home: Callback<()>,
    pub(crate) on_help: Callback<()>,
}

#[component]
pub(crate) fn Header(props: &HeaderProps) -> Html {
    let on_home = props.on_home.reform(|_: MouseEvent| ());
    let on_help = props.on_help.reform(|_: MouseEvent| ());
    html! {
        <header>
            <button class="home" data-test="home" title="Start" onclick={on_home}>{ "Benchbook" }</button>
            <span class="title">{ &props.title }</span>
            <div class="chips">
                if let Some(clock) = &props.clock {
                    { machine_card(clock, &props.landmarks) }
                } else if props.is_loading {
                    <span class="chip pending">{ "clock …" }</span>
                }
                { props.runner.clone() }
            </div>
            if let Some(link) = props.link.clone() {
                <CopyButton text={Callback::from(move |()| address_of(&link))} test="share" label="Copy link" />
            }
            <button class="round" data-test="help" aria-label="Help" title="Help (?)" onclick={on_help}>{ "?" }</button>
            { theme_button() }
        </header>
    }
}

/// The address of a link into this page. The page's own address follows its state with a delay, and may be outdated.
fn address_of(link: &str) -> String {
    let page = web_sys::window().and_then(|window| window.location().href().ok()).unwrap_or_default();
    format!("{}#{link}", page.split('#').next().unwrap_or_default())
}
