//! Saving and loading the notebooks in this browser.

mod connection;
mod database;
mod error;
mod stores;
pub(crate) mod suites;

use std::cell::RefCell;
use std::rc::Rc;

use benchbook_notebook::edit::Edit;
use benchbook_notebook::id::Id;
use benchbook_notebook::notebook::Notebook;
use gloo::events::EventListener;
use gloo::timers::callback::Timeout;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::{BroadcastChannel, Event, MessageEvent};
use yew::prelude::*;

use super::browser::new_id;
use crate::effects::browser::latest::LatestState;
use crate::state::notebook::library::{StorageAction, StoredNotebook};
use crate::state::{PageAction, State};
use database::{Storage, request_persistence, storage_use};

/// The name of the channel on which tabs announce the notebooks that they have changed.
const CHANNEL: &str = "benchbook-notebooks";

/// The storage, and the channel to other tabs. Handles of one page are equal.
#[derive(Clone)]
pub(crate) struct StorageHandle {
    storage: Storage,
    channel: Rc<RefCell<Option<BroadcastChannel>>>,
    /// Whether this tab has saved a notebook or a suite.
    has_saved: Rc<RefCell<bool>>,
}

impl PartialEq for StorageHandle {
    fn eq(&self, other: &Self) -> bool {
        self.storage.is_same(&other.storage)
    }
}

impl StorageHandle {
    /// The storage of this page. `on_closed` is called whenever the browser closes it.
    fn new(on_closed: impl Fn() + 'static) -> Self {
        Self { storage: Storage::new(on_closed), channel: Rc::default(), has_saved: Rc::default() }
    }

    /// The storage.
    pub(crate) fn storage(&self) -> &Storage {
        &self.storage
    }

    /// Requests once that the browser keep the data of this page, since there is some now.
    pub(crate) async fn persist(&self) {
        if !self.has_saved.replace(true) {
            request_persistence().await;
        }
    }

    /// Notifies other tabs that a notebook has changed.
    fn announce(&self, id: &Id) {
        if let Some(channel) = &*self.channel.borrow() {
            // Fails only if the channel is closed.
            let _ = channel.post_message(&id.as_str().into());
        }
    }

    /// Deletes a notebook so that it can be restored, or restores it.
    pub(crate) fn set_deleted(&self, id: Id, is_deleted: bool, act: &Callback<PageAction>) {
        let deleted = is_deleted.then(js_sys::Date::now);
        self.change(act, async move |storage| storage.set_deleted(&id, deleted).await.map(|()| vec![id]));
    }

    /// Removes notebooks for good.
    pub(crate) fn remove(&self, ids: Vec<Id>, act: &Callback<PageAction>) {
        self.change(act, async move |storage| storage.remove(&ids).await.map(|()| ids));
    }

    /// Renames a notebook.
    pub(crate) fn rename(&self, id: Id, title: String, act: &Callback<PageAction>) {
        self.change(act, async move |storage| {
            let Some(version) = storage.load(&id).await? else { return Ok(Vec::new()) };
            let mut document = version.document.clone();
            let edit = Edit::SetTitle { title };
            if document.apply(edit.clone()).is_some() {
                storage.save(&id, &document, Some(&version), &[edit]).await?;
            }
            Ok(vec![id])
        });
    }

    /// Stores a copy of a notebook.
    pub(crate) fn duplicate(&self, id: Id, act: &Callback<PageAction>) {
        self.change(act, async move |storage| {
            let Some(version) = storage.load(&id).await? else { return Ok(Vec::new()) };
            let Notebook { title, cells } = version.document;
            let title = if title.is_empty() { title } else { format!("Copy of {title}") };
            let cells = cells.iter().map(|cell| Rc::new(cell.copied(new_id))).collect();
            let copy = new_id();
            storage.save(&copy, &Notebook { title, cells }, None, &[]).await?;
            Ok(vec![copy])
        });
    }

    /// Changes stored notebooks. `change` returns their identifiers.
    fn change(
        &self,
        act: &Callback<PageAction>,
        change: impl AsyncFnOnce(Storage) -> Result<Vec<Id>, String> + 'static,
    ) {
        let (this, act) = (self.clone(), act.reform(PageAction::Storage));
        spawn_local(async move {
            let outcome = change(this.storage.clone()).await;
            for id in outcome.as_ref().into_iter().flatten() {
                this.announce(id);
                // A message does not reach the tab that sends it.
                act.emit(StorageAction::ChangedElsewhere(id.clone()));
            }
            act.emit(StorageAction::Changed(outcome.map(drop)));
        });
    }

    async fn load(&self, id: &Id) -> Option<StorageAction> {
        Some(StorageAction::Loaded(id.clone(), self.storage.load(id).await))
    }

    async fn reload(&self, id: &Id) -> Option<StorageAction> {
        let version = self.storage.load(id).await.ok()??;
        Some(StorageAction::Reloaded(id.clone(), version))
    }

    async fn list(&self) -> Option<StorageAction> {
        let outcome = list(&self.storage).await;
        Some(StorageAction::Listed(outcome, storage_use().await))
    }
}

/// Lists the notebooks, and removes those that were deleted long ago.
async fn list(storage: &Storage) -> Result<Vec<StoredNotebook>, String> {
    let now = js_sys::Date::now();
    let (expired, cards): (Vec<_>, Vec<_>) = storage.list().await?.into_iter().partition(|card| card.is_expired(now));
    if !expired.is_empty() {
        storage.remove(&expired.into_iter().map(|card| card.id).collect::<Vec<_>>()).await?;
    }
    Ok(cards)
}

/// Opens the storage once, then saves every edit, loads the notebook that the address names, and follows the changes of other tabs.
#[hook]
pub(crate) fn use_storage(state: &State, latest: &LatestState, act: &Callback<PageAction>) -> Rc<StorageHandle> {
    let on_storage = act.reform(PageAction::Storage);
    let handle = {
        let on_closed = on_storage.clone();
        use_memo((), |()| StorageHandle::new(move || on_closed.emit(StorageAction::Closed)))
    };
    use_opened(&handle, !state.is_standalone && !state.is_embedded, &on_storage);
    use_other_tabs(&handle, &on_storage);
    let is_open = state.library.opened.is_some();
    {
        let (handle, on_storage) = (Rc::clone(&handle), on_storage.clone());
        let is_listed = is_open && state.notebook().is_none();
        use_effect_with((is_listed, state.library.changes), move |(is_listed, _)| {
            if *is_listed {
                emit(async move { handle.list().await }, on_storage);
            }
        });
    }
    {
        let (handle, on_storage) = (Rc::clone(&handle), on_storage.clone());
        use_effect_with(state.wanted_notebook().filter(|_| is_open), move |wanted| {
            if let Some(id) = wanted.clone() {
                emit(async move { handle.load(&id).await }, on_storage);
            }
        });
    }
    {
        let (handle, on_storage) = (Rc::clone(&handle), on_storage.clone());
        use_effect_with((state.outdated_notebooks(), state.library.changes), move |(outdated, _)| {
            for id in outdated.clone() {
                let handle = Rc::clone(&handle);
                emit(async move { handle.reload(&id).await }, on_storage.clone());
            }
        });
    }
    let unsaved = state.unsaved_notebooks();
    let settle_ms = unsaved.iter().map(|notebook| notebook.saving.settle_ms()).min();
    let unsaved = unsaved.iter().map(|notebook| notebook.id.clone()).collect::<Vec<Id>>();
    {
        let (handle, latest) = (Rc::clone(&handle), latest.clone());
        use_effect_with((unsaved, settle_ms.filter(|_| is_open)), move |(_, settle_ms)| {
            let save = move || save_all(&handle, &latest.get(), &on_storage);
            // Dropping the timer cancels it; another render with the same notebooks leaves it.
            let timer = match *settle_ms {
                Some(0) => {
                    save();
                    None
                }
                settle_ms => settle_ms.map(|settle_ms| Timeout::new(settle_ms, save)),
            };
            move || drop(timer)
        });
    }
    use_warning(latest);
    handle
}

fn emit(action: impl Future<Output = Option<StorageAction>> + 'static, on_storage: Callback<StorageAction>) {
    spawn_local(async move {
        if let Some(action) = action.await {
            on_storage.emit(action);
        }
    });
}

#[hook]
fn use_opened(handle: &Rc<StorageHandle>, has_storage: bool, on_storage: &Callback<StorageAction>) {
    let (handle, on_storage) = (Rc::clone(handle), on_storage.clone());
    use_effect_with((), move |()| {
        if !has_storage {
            return;
        }
        spawn_local(async move {
            on_storage.emit(StorageAction::Opened(handle.storage.open().await));
        });
    });
}

/// Follows the changes of other tabs.
#[hook]
fn use_other_tabs(handle: &Rc<StorageHandle>, on_storage: &Callback<StorageAction>) {
    let (handle, on_storage) = (Rc::clone(handle), on_storage.clone());
    use_effect_with((), move |()| {
        let channel = BroadcastChannel::new(CHANNEL).ok();
        let listener = channel.as_ref().map(|channel| {
            EventListener::new(channel, "message", move |event: &Event| {
                let data = event.dyn_ref::<MessageEvent>().and_then(|event| event.data().as_string());
                if let Some(id) = data.and_then(|data| Id::try_from(data).ok()) {
                    on_storage.emit(StorageAction::ChangedElsewhere(id));
                }
            })
        });
        handle.channel.replace(channel);
        move || drop(listener)
    });
}

/// Warns the user before the tab is closed while edits are not saved.
#[hook]
fn use_warning(latest: &LatestState) {
    let latest = latest.clone();
    use_effect_with((), move |()| {
        let listener = web_sys::window().map(|window| {
            let options = gloo::events::EventListenerOptions::enable_prevent_default();
            EventListener::new_with_options(&window, "beforeunload", options, move |event| {
                if latest.get().has_unsaved_edits() {
                    event.prevent_default();
                }
            })
        });
        move || drop(listener)
    });
}

/// Writes the edits of all notebooks that have some.
fn save_all(handle: &Rc<StorageHandle>, state: &State, on_storage: &Callback<StorageAction>) {
    for notebook in state.unsaved_notebooks() {
        let (id, document) = (notebook.id.clone(), notebook.document.clone());
        let (base, edits) = (notebook.saving.stored.clone(), notebook.saving.edits.clone());
        let (handle, on_storage) = (Rc::clone(handle), on_storage.clone());
        on_storage.emit(StorageAction::SaveStarted(id.clone()));
        spawn_local(async move {
            match handle.storage.save(&id, &document, base.as_ref(), &edits).await {
                Ok(saved) => {
                    handle.announce(&id);
                    on_storage.emit(StorageAction::Saved(id, saved));
                    handle.persist().await;
                }
                Err(reason) => on_storage.emit(StorageAction::SaveFailed(id, reason)),
            }
        });
    }
}
