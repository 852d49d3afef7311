//! How to measure a crate of one's own.

use yew::prelude::*;

use crate::components::widgets::copy::CopyButton;

/// What opens the page on the functions of a crate, in its folder.
const OPEN: &str = "cargo benchbook";

/// Two commands, each with a button that copies it. `install`: the one that installs the tool.
pub(super) fn own_crate(install: &str) -> Html {
    let command = |label: &'static str, command: String, test: &'static str| {
        let text = command.clone();
        html! {
            <li>
                <span class="soft">{ label }</span>
                <span class="command"><code>{ command }</code><CopyButton text={Callback::from(move |()| text.clone())} {test} label="Copy" class="link" /></span>
            </li>
        }
    };
    html! {
        <section class="own-crate" data-test="own-crate">
            <h2>{ "Measure your own crate" }</h2>
            <ol class="commands">
                { command("Install the tool, once", install.to_owned(), "copy-install") }
                { command("In your crate’s folder: opens this page on your functions", OPEN.to_owned(), "copy-open") }
            </ol>
            <p class="soft">{ "Benches written for criterion or divan run without an edit. After each save, the page measures the new build together with the old one." }</p>
        </section>
    }
}
