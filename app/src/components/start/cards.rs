//! The notebooks that the site offers to read, as cards.

use yew::prelude::*;

use crate::address::{Address, FileAddress};
use crate::components::results::quality::badge_mark;
use crate::components::results::thumbnail::ThumbnailView;
use crate::components::widgets::code::with_code;
use crate::state::site_config::ListedNotebook;

/// A card for each notebook: its question, its answer, its curves, and the quality of its results. Nothing if the site lists none.
pub(super) fn site_notebooks(list: &[ListedNotebook]) -> Html {
    if list.is_empty() {
        return html! {};
    }
    html! {
        <section data-test="site-notebooks">
            <h2>{ "Notebooks to read" }</h2>
            <ul class="cards">{ for list.iter().map(card) }</ul>
        </section>
    }
}

fn card(listed: &ListedNotebook) -> Html {
    let address = Address::File { file: FileAddress::Site(listed.address.clone()), cell: None };
    let digest = listed.digest.as_ref();
    html! {
        <li>
            <a href={format!("#{}", address.link())} data-test="open-site-notebook">
                <span class="question" dir="auto">{ &listed.title }</span>
                if let Some(digest) = digest {
                    <b>{ with_code(&digest.answer) }</b>
                    if let Some(thumbnail) = digest.thumbnail.clone() {
                        <ThumbnailView {thumbnail} />
                    }
                    <span class="soft">
                        { for digest.badge.map(badge_mark) }
                        { match digest.functions {
                            1 => "1 function".to_owned(),
                            functions => format!("{functions} functions"),
                        } }
                    </span>
                }
            </a>
        </li>
    }
}
