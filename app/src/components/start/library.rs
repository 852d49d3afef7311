//! The notebooks in this browser, and other ways to open one.

use std::rc::Rc;

use benchbook_notebook::id::Id;
use benchbook_notebook::notebook::UNTITLED;
use web_sys::{File, HtmlInputElement};
use yew::prelude::*;

use super::open_file::OpenFile;
use crate::address::Address;
use crate::components::results::quality::badge_mark;
use crate::components::widgets::code::with_code;
use crate::components::widgets::date::date;
use crate::effects::storage::StorageHandle;
use crate::state::PageAction;
use crate::state::notebook::library::{Library, StorageAction, StoredNotebook};

#[derive(PartialEq, Properties)]
pub(crate) struct LibraryProps {
    pub(crate) library: Library,
    pub(crate) storage: Rc<StorageHandle>,
    /// Opens a file that turns out to be a suite.
    pub(crate) open_suite: Callback<File>,
    pub(crate) act: Callback<PageAction>,
}

#[component]
pub(crate) fn LibraryView(props: &LibraryProps) -> Html {
    let LibraryProps { library, storage, open_suite, act } = props;
    // The notebook that is being renamed, and its new title.
    let renamed = use_state_eq(|| None::<(Id, String)>);
    let on_search = act.reform(|event: InputEvent| {
        PageAction::Storage(StorageAction::Search(event.target_unchecked_into::<HtmlInputElement>().value()))
    });
    let on_new = act.reform(|_: MouseEvent| PageAction::New);
    let on_empty = {
        let (storage, act) = (Rc::clone(storage), act.clone());
        let deleted: Vec<Id> = library.deleted().iter().map(|card| card.id.clone()).collect();
        Callback::from(move |_: MouseEvent| storage.remove(deleted.clone(), &act))
    };
    let (matches, deleted) = (library.matches(), library.deleted());
    let has_notebooks = library.cards.as_ref().is_some_and(|cards| !cards.is_empty());
    html! {
        <section class="library" data-test="library">
            <h2>{ "Your notebooks" }</h2>
            { for library.problems().into_iter().map(|problem| html! {
                <p class="problem-note" role="alert" data-test="problem">{ with_code(problem) }</p>
            }) }
            <div class="go">
                <button data-test="new-notebook" onclick={on_new}>{ "New notebook" }</button>
                <OpenFile {open_suite} {act} />
            </div>
            if has_notebooks {
                <input type="search" dir="auto" placeholder="Search titles and texts" aria-label="Search notebooks" data-test="search-notebooks"
                    value={library.search.clone()} oninput={on_search} />
                <ul class="notebooks">{ for matches.iter().map(|card| row(card, props, &renamed)) }</ul>
                if matches.is_empty() && !library.search.trim().is_empty() {
                    <p>{ "No notebook matches." }</p>
                }
            }
            if !deleted.is_empty() {
                <details data-test="deleted-notebooks">
                    <summary>{ format!("Deleted ({})", deleted.len()) }</summary>
                    <ul class="notebooks">{ for deleted.iter().map(|card| deleted_row(card, props)) }</ul>
                    <p>{ "They are removed for good after a week. " }
                        <button class="small" data-test="empty-deleted" onclick={on_empty}>{ "Remove now" }</button>
                    </p>
                </details>
            }
            if let Some(storage) = library.storage {
                <p class="soft" data-test="storage-use">
                    { format!("Stored in this browser: {} of {} used.", data_size(storage.used), data_size(storage.quota)) }
                </p>
            }
        </section>
    }
}

fn row(card: &StoredNotebook, props: &LibraryProps, renamed: &UseStateHandle<Option<(Id, String)>>) -> Html {
    let (storage, act) = (&props.storage, &props.act);
    let address = Address::Stored { notebook: card.id.clone(), cell: None, elsewhere: None };
    let title = title(card);
    let command = |test: &'static str, text: &'static str, onclick: Callback<MouseEvent>| {
        html! { <button class="small" data-test={test} aria-label={format!("{text} {title}")} {onclick}>{ text }</button> }
    };
    let on_rename = {
        let (renamed, id, title) = (renamed.clone(), card.id.clone(), card.title.clone());
        Callback::from(move |_: MouseEvent| renamed.set(Some((id.clone(), title.clone()))))
    };
    let on_duplicate = {
        let (storage, act, id) = (Rc::clone(storage), act.clone(), card.id.clone());
        Callback::from(move |_: MouseEvent| storage.duplicate(id.clone(), &act))
    };
    let on_delete = {
        let (storage, act, id) = (Rc::clone(storage), act.clone(), card.id.clone());
        Callback::from(move |_: MouseEvent| storage.set_deleted(id.clone(), true, &act))
    };
    let cells = match card.cells {
        Some(1) => "1 cell".to_owned(),
        Some(cells) => format!("{cells} cells"),
        None => "written by a newer version, or damaged".to_owned(),
    };
    let field = (**renamed)
        .as_ref()
        .filter(|(id, _)| *id == card.id)
        .map(|(_, title)| rename_field(card, title, props, renamed));
    html! {
        <li key={card.id.to_string()} data-test="stored-notebook" data-id={card.id.to_string()}>
            <span class="name">
                if let Some(field) = field {
                    { field }
                } else {
                    <a href={format!("#{}", address.link())} data-test="open-notebook" dir="auto">{ &title }</a>
                }
            </span>
            <span class="notebook-answer" data-test="notebook-answer">{ answer(card) }</span>
            <span class="notebook-quality">{ for card.digest.badge.map(badge_mark) }</span>
            <small>{ format!("{cells} · {}", date(card.changed)) }</small>
            { command("rename-notebook", "Rename", on_rename) }
            { command("duplicate-notebook", "Duplicate", on_duplicate) }
            { command("delete-notebook", "Delete", on_delete) }
        </li>
    }
}

/// What the notebook says.
fn answer(card: &StoredNotebook) -> Html {
    match (card.cells, card.digest.answer.as_str()) {
        (Some(0), _) => html! { "Empty: choose a function to start." },
        (_, "") => html! {},
        (_, answer) => with_code(answer),
    }
}

/// The field for a new title. Enter and leaving the field rename the notebook, Escape does not.
fn rename_field(
    card: &StoredNotebook,
    title: &str,
    props: &LibraryProps,
    renamed: &UseStateHandle<Option<(Id, String)>>,
) -> Html {
    let oninput = {
        let (renamed, id) = (renamed.clone(), card.id.clone());
        Callback::from(move |event: InputEvent| {
            renamed.set(Some((id.clone(), event.target_unchecked_into::<HtmlInputElement>().value())));
        })
    };
    let end = {
        let (renamed, storage, act) = (renamed.clone(), Rc::clone(&props.storage), props.act.clone());
        Callback::from(move |()| {
            if let Some((id, title)) = &*renamed {
                storage.rename(id.clone(), title.clone(), &act);
            }
            renamed.set(None);
        })
    };
    let onkeydown = {
        let (renamed, end) = (renamed.clone(), end.clone());
        Callback::from(move |event: KeyboardEvent| match event.key().as_str() {
            "Enter" => end.emit(()),
            "Escape" => {
                event.prevent_default();
                renamed.set(None);
            }
            _ => {}
        })
    };
    html! {
        <input type="text" dir="auto" aria-label="New title" data-test="new-title" autofocus=true placeholder={self::title(card)} value={title.to_owned()} {oninput} {onkeydown}
            onblur={end.reform(|_: FocusEvent| ())} />
    }
}

fn deleted_row(card: &StoredNotebook, props: &LibraryProps) -> Html {
    let on_restore = {
        let (storage, act, id) = (Rc::clone(&props.storage), props.act.clone(), card.id.clone());
        Callback::from(move |_: MouseEvent| storage.set_deleted(id.clone(), false, &act))
    };
    html! {
        <li key={card.id.to_string()} data-test="deleted-notebook">
            <span class="name" dir="auto">{ title(card) }</span>
            <button class="small" data-test="restore-notebook" aria-label={format!("Restore {}", title(card))} onclick={on_restore}>{ "Restore" }</button>
        </li>
    }
}

/// The title of a notebook, or else the name of its first cell.
fn title(card: &StoredNotebook) -> String {
    [&card.title, &card.first_cell]
        .into_iter()
        .find(|name| !name.is_empty())
        .cloned()
        .unwrap_or_else(|| UNTITLED.to_owned())
}

fn data_size(bytes: f64) -> String {
    let megabytes = bytes / 1e6;
    match megabytes {
        ..10.0 => format!("{megabytes:.1} MB"),
        10.0..1e3 => format!("{megabytes:.0} MB"),
        _ => format!("{:.1} GB", megabytes / 1e3),
    }
}
