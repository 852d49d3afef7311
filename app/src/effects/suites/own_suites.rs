//! Opening, storing and removing the user's own suites.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use gloo::events::EventListener;
use js_sys::ArrayBuffer;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::spawn_local;
use web_sys::{AbortController, BroadcastChannel, Event, File, MessageEvent};
use yew::prelude::*;

use super::Hosts;
use super::load;
use super::suite_file;
use crate::effects::storage::StorageHandle;
use crate::effects::storage::suites::StoredSuite;
use crate::effects::worker::local::LocalHost;
use crate::state::notebook::library::StorageAction;
use crate::state::suites::loaded_suite::SuiteId;
use crate::state::suites::own_suites::{OwnSuiteAction, SuiteOpening, UnusableSuite};
use crate::state::{PageAction, State};

/// The name of the channel on which tabs announce the suites that they have stored or removed.
const CHANNEL: &str = "benchbook-suites";

/// The page shows the progress of a download in steps of this many bytes, the last digit that it shows: so the figure is never out of
/// date, and the updates cost nothing.
const PROGRESS_BYTES: usize = 100_000;

/// The commands for the user's suites. They remain the same callbacks as long as the page lives.
#[derive(Clone, PartialEq)]
pub(crate) struct OwnSuiteCommands {
    /// Opens a file.
    pub(crate) open_file: Callback<File>,
    /// Opens the file at an address.
    pub(crate) open_address: Callback<String>,
    /// Cancels the download in progress.
    pub(crate) cancel: Callback<()>,
    /// Removes the suite of this name.
    pub(crate) remove: Callback<String>,
    /// Undoes the last removal.
    pub(crate) undo: Callback<()>,
}

/// What the commands work with.
#[derive(Clone)]
struct SuiteContext {
    hosts: Hosts,
    storage: Rc<StorageHandle>,
    channel: Rc<RefCell<Option<BroadcastChannel>>>,
    act: Callback<OwnSuiteAction>,
    on_storage: Callback<StorageAction>,
    /// Ends the last download.
    download: Rc<RefCell<Option<AbortController>>>,
    /// The number of identifiers so far.
    numbers: Rc<Cell<u32>>,
    /// The suites of the user, by name.
    suites: Rc<RefCell<BTreeMap<String, RetainedSuite>>>,
    /// The suite that the user removed last.
    removed: Rc<RefCell<Option<StoredSuite>>>,
}

/// A suite of the user: its binary, to store it again after a removal.
struct RetainedSuite {
    /// The identifier of its host; `None` if it cannot be loaded.
    id: Option<SuiteId>,
    stored: StoredSuite,
}

/// Loads the stored suites once the storage is open, follows the changes of other tabs, and returns the commands.
#[hook]
pub(crate) fn use_own_suites(
    state: &State,
    hosts: &Hosts,
    storage: &Rc<StorageHandle>,
    act: &Callback<PageAction>,
) -> OwnSuiteCommands {
    let context = SuiteContext {
        hosts: Rc::clone(hosts),
        storage: Rc::clone(storage),
        channel: use_memo((), |()| RefCell::default()),
        act: act.reform(PageAction::OwnSuites),
        on_storage: act.reform(PageAction::Storage),
        download: use_memo((), |()| RefCell::default()),
        numbers: use_memo((), |()| Cell::default()),
        suites: use_memo((), |()| RefCell::default()),
        removed: use_memo((), |()| RefCell::default()),
    };
    {
        let context = context.clone();
        use_effect_with(state.library.opened.as_ref().map(Result::is_ok), move |is_open| match is_open {
            Some(true) => spawn_local(context.restore_all()),
            // The list of notebooks reports that the browser has no storage for this page.
            Some(false) => context.act.emit(OwnSuiteAction::Listed(0)),
            None => {}
        });
    }
    use_announcements(&context);
    let commands = {
        let (act, is_standalone) = (act.clone(), state.is_standalone);
        use_memo((), |()| commands(&context, act, is_standalone))
    };
    OwnSuiteCommands::clone(&commands)
}

fn commands(context: &SuiteContext, act: Callback<PageAction>, is_standalone: bool) -> OwnSuiteCommands {
    let open_file = {
        let context = context.clone();
        Callback::from(move |file: File| {
            if is_standalone {
                let problem =
                    "This page shows one notebook and measures nothing. Open the suite on a page of Benchbook.";
                return act.emit(PageAction::OpenDocument(Err(problem.to_owned())));
            }
            spawn_local(context.clone().open_file(file));
        })
    };
    let open_address = {
        let context = context.clone();
        Callback::from(move |address: String| spawn_local(context.clone().open_address(address)))
    };
    let cancel = {
        let context = context.clone();
        Callback::from(move |()| context.cancel())
    };
    let remove = {
        let context = context.clone();
        Callback::from(move |name: String| context.remove(&name))
    };
    let undo = {
        let context = context.clone();
        Callback::from(move |()| context.undo())
    };
    OwnSuiteCommands { open_file, open_address, cancel, remove, undo }
}

/// Follows the changes of other tabs.
#[hook]
fn use_announcements(context: &SuiteContext) {
    let context = context.clone();
    use_effect_with((), move |()| {
        let channel = BroadcastChannel::new(CHANNEL).ok();
        let changes = context.clone();
        let listener = channel.as_ref().map(|channel| {
            EventListener::new(channel, "message", move |event: &Event| {
                let name = event.dyn_ref::<MessageEvent>().and_then(|event| event.data().as_string());
                if let Some(name) = name {
                    spawn_local(changes.clone().follow(name));
                }
            })
        });
        context.channel.replace(channel);
        move || drop(listener)
    });
}

impl SuiteContext {
    fn next_id(&self) -> SuiteId {
        self.numbers.set(self.numbers.get() + 1);
        SuiteId::Own(self.numbers.get())
    }

    /// Loads all stored suites.
    async fn restore_all(self) {
        let stored = match self.storage.storage().suites().await {
            Ok(stored) => stored,
            Err(problem) => {
                self.act.emit(OwnSuiteAction::Listed(0));
                return self.act.emit(OwnSuiteAction::NotStored(problem));
            }
        };
        self.act.emit(OwnSuiteAction::Listed(stored.len()));
        for suite in stored {
            let (this, act) = (self.clone(), self.act.clone());
            let on_end = Callback::from(move |()| act.emit(OwnSuiteAction::Restored));
            spawn_local(async move { this.load(suite, false, on_end).await });
        }
    }

    /// Loads a suite that was opened before. `replaces`: whether it is newer than an open one of the same name.
    async fn load(self, stored: StoredSuite, replaces: bool, on_end: Callback<()>) {
        let (id, source, binary) = (self.next_id(), stored.source.clone(), stored.binary.clone());
        let on_loaded = Callback::from(move |outcome: Result<load::SuiteAndHost, String>| {
            let is_open = self.suites.borrow().contains_key(&stored.name);
            if replaces || !is_open {
                match outcome {
                    Ok((suite, host)) => {
                        self.retain(id, host, stored.clone());
                        self.act.emit(OwnSuiteAction::Loaded(suite, stored.source.clone()));
                    }
                    Err(reason) => {
                        self.forget(&stored.name);
                        let unusable = RetainedSuite { id: None, stored: stored.clone() };
                        self.suites.borrow_mut().insert(stored.name.clone(), unusable);
                        self.act.emit(OwnSuiteAction::Unusable(UnusableSuite { name: stored.name.clone(), reason }));
                    }
                }
            }
            on_end.emit(());
        });
        load::open_suite(id, &source, binary, on_loaded).await;
    }

    async fn open_file(self, file: File) {
        let (id, source) = (self.next_id(), file.name());
        self.act.emit(OwnSuiteAction::Progress(SuiteOpening::of_file(id, source.clone())));
        let binary = suite_file::read(&file).await;
        self.open(id, source, binary).await;
    }

    async fn open_address(self, address: String) {
        let (id, source) = (self.next_id(), address);
        let Ok(abort) = AbortController::new() else { return };
        let signal = abort.signal();
        // The user has chosen another address.
        self.cancel();
        self.download.replace(Some(abort));
        let opening = SuiteOpening { received: Some(0), ..SuiteOpening::of_file(id, source.clone()) };
        self.act.emit(OwnSuiteAction::Progress(opening.clone()));
        let act = self.act.clone();
        let shown = Cell::new(0);
        let binary = suite_file::download(&source, &signal, |received, total| {
            // Rounded as it is shown.
            let steps = (received + PROGRESS_BYTES / 2) / PROGRESS_BYTES;
            if shown.replace(steps) != steps {
                act.emit(OwnSuiteAction::Progress(SuiteOpening { received: Some(received), total, ..opening.clone() }));
            }
        });
        let binary = binary.await;
        if signal.aborted() {
            return self.act.emit(OwnSuiteAction::Cancelled(id));
        }
        self.open(id, source, binary).await;
    }

    /// Cancels the last download. Nothing happens if it has ended.
    fn cancel(&self) {
        if let Some(abort) = self.download.take() {
            abort.abort();
        }
    }

    /// Opens a suite that the user chose, and stores it.
    async fn open(self, id: SuiteId, source: String, binary: Result<ArrayBuffer, String>) {
        let binary = match binary {
            Ok(binary) => binary,
            Err(reason) => return self.act.emit(OwnSuiteAction::Failed(id, load::problem(&source, &reason))),
        };
        let (label, opened) = (source.clone(), binary.clone());
        let on_loaded = Callback::from(move |outcome: Result<load::SuiteAndHost, String>| match outcome {
            Ok((suite, host)) => {
                let (name, source, binary) = (suite.suite.name.clone(), source.clone(), opened.clone());
                let stored = StoredSuite { name, source: source.clone(), binary };
                self.retain(id, host, stored.clone());
                self.act.emit(OwnSuiteAction::Opened(suite, source));
                spawn_local(self.clone().save(stored));
            }
            Err(problem) => self.act.emit(OwnSuiteAction::Failed(id, problem)),
        });
        load::open_suite(id, &label, binary, on_loaded).await;
    }

    /// Stores a suite, and notifies other tabs.
    async fn save(self, stored: StoredSuite) {
        match self.storage.storage().save_suite(&stored).await {
            Ok(()) => {
                self.announce(&stored.name);
                self.storage.persist().await;
            }
            Err(problem) => self.act.emit(OwnSuiteAction::NotStored(problem)),
        }
    }

    fn remove(&self, name: &str) {
        let Some(stored) = self.forget(name) else { return };
        self.removed.replace(Some(stored));
        self.act.emit(OwnSuiteAction::Removed(name.to_owned()));
        let (this, name) = (self.clone(), name.to_owned());
        spawn_local(async move {
            match this.storage.storage().remove_suite(&name).await {
                Ok(()) => {
                    this.announce(&name);
                    // There is room for notebooks now.
                    this.on_storage.emit(StorageAction::Changed(Ok(())));
                }
                Err(problem) => this.act.emit(OwnSuiteAction::NotStored(problem)),
            }
        });
    }

    fn undo(&self) {
        let Some(stored) = self.removed.take() else { return };
        self.act.emit(OwnSuiteAction::DismissNotice);
        spawn_local(self.clone().load(stored.clone(), true, Callback::noop()));
        spawn_local(self.clone().save(stored));
    }

    /// Follows another tab, which has stored or removed the suite of this name.
    async fn follow(self, name: String) {
        let Ok(stored) = self.storage.storage().suites().await else { return };
        match stored.into_iter().find(|stored| stored.name == name) {
            Some(stored) => self.load(stored, true, Callback::noop()).await,
            None => {
                self.forget(&name);
                self.act.emit(OwnSuiteAction::Dropped(name));
            }
        }
    }

    /// Keeps the host of a suite, in place of that of the suite with the same name.
    fn retain(&self, id: SuiteId, host: LocalHost, stored: StoredSuite) {
        self.forget(&stored.name);
        self.hosts.borrow_mut().push((id, host));
        self.suites.borrow_mut().insert(stored.name.clone(), RetainedSuite { id: Some(id), stored });
    }

    /// Stops the suite of this name.
    fn forget(&self, name: &str) -> Option<StoredSuite> {
        let RetainedSuite { id, stored } = self.suites.borrow_mut().remove(name)?;
        let all = self.hosts.take();
        let (gone, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|(other, _)| Some(*other) == id);
        self.hosts.replace(others);
        gone.iter().for_each(|(_, host)| host.stop());
        Some(stored)
    }

    fn announce(&self, name: &str) {
        if let Some(channel) = &*self.channel.borrow() {
            // Fails only if the channel is closed.
            let _ = channel.post_message(&name.into());
        }
    }
}
