//! The HTML that shows a cell on another page.

use yew::prelude::*;

use crate::address::embed::embed_code;
use crate::components::widgets::copy::CopyButton;
use crate::effects::browser;

#[derive(PartialEq, Properties)]
pub(crate) struct EmbedButtonProps {
    /// The fragment of the link to the cell.
    pub(crate) link: String,
    /// The name of the cell.
    pub(crate) name: String,
}

/// An entry of the Share menu that copies the code.
#[component]
pub(crate) fn EmbedButton(props: &EmbedButtonProps) -> Html {
    let (link, name) = (props.link.clone(), props.name.clone());
    let label = format!("Embed “{name}”");
    let text = Callback::from(move |()| embed_code(&browser::page_without_fragment(), &link, &name));
    html! { <CopyButton {text} class="plain" test="embed" {label} /> }
}
