//! The HTML that shows a cell on another page.

use yew::prelude::*;

use crate::address::embed::embed_code;
use crate::components::widgets::copy::CopyButton;
use crate::effects::browser;

/// An entry of the Share menu that copies the code. `link`: the fragment of the link to the cell; `name`: that of the cell.
pub(crate) fn embed_button(link: String, name: &str) -> Html {
    let name = name.to_owned();
    let label = format!("Embed “{name}”");
    let text = Callback::from(move |()| embed_code(&browser::page_without_fragment(), &link, &name));
    html! { <CopyButton {text} class="plain" test="embed" {label} /> }
}
