//! The HTML that shows a cell on another page.

use yew::prelude::*;

use super::copy::CopyButton;
use crate::address::embed::embed_code;
use crate::host::browser;

#[derive(PartialEq, Properties)]
pub(super) struct EmbedButtonProps {
    /// The fragment of the link to the cell.
    pub(super) link: String,
    /// The name of the cell.
    pub(super) name: String,
}

/// A button that copies the code.
#[component]
pub(super) fn EmbedButton(props: &EmbedButtonProps) -> Html {
    let (link, name) = (props.link.clone(), props.name.clone());
    let text = Callback::from(move |()| embed_code(&browser::page_without_fragment(), &link, &name));
    html! { <CopyButton {text} test="embed" label="Embed" /> }
}
