//! The head of the page: name, title, clock and machine, help, looks.

use benchbook_host::sample::clock_card::ClockCard;
use yew::prelude::*;

use super::copy::CopyButton;
use super::machine_card::machine_card;
use super::theme::theme_button;

#[derive(PartialEq, Properties)]
pub(crate) struct HeaderProps {
    /// What the notebook is called; may be empty.
    pub(crate) title: String,
    /// The chip of the runner.
    pub(crate) runner: Html,
    /// The clock, once one was measured.
    pub(crate) clock: Option<ClockCard>,
    /// The fragment of a link to what is shown; absent where nothing is.
    pub(crate) link: Option<String>,
    pub(crate) on_home: Callback<()>,
    pub(crate) on_help: Callback<()>,
}

#[component]
pub(crate) fn Header(props: &HeaderProps) -> Html {
    let on_home = props.on_home.reform(|_: MouseEvent| ());
    let on_help = props.on_help.reform(|_: MouseEvent| ());
    html! {
        <header>
            <button class="home" data-test="home" title="To the start" onclick={on_home}>{ "Benchbook" }</button>
            <span class="title">{ &props.title }</span>
            <span class="grow"></span>
            if let Some(clock) = &props.clock {
                { machine_card(clock) }
            }
            { props.runner.clone() }
            if let Some(link) = props.link.clone() {
                <CopyButton text={Callback::from(move |()| address_of(&link))} test="share" label="Copy link" />
            }
            <button class="round" data-test="help" aria-label="Help" title="Help and keys (?)" onclick={on_help}>{ "?" }</button>
            { theme_button() }
        </header>
    }
}

/// The address of a link into this page. The page's own address follows what is shown a little later.
fn address_of(link: &str) -> String {
    let page = web_sys::window().and_then(|window| window.location().href().ok()).unwrap_or_default();
    format!("{}#{link}", page.split('#').next().unwrap_or_default())
}
