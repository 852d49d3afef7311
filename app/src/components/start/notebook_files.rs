//! The notebook files that the site and a runner offer to read.

use benchbook_host::api::{NotebookCard, NotebookList, NotebookTitle};
use benchbook_notebook::file;
use benchbook_notebook::notebook::Notebook;
use wasm_bindgen_futures::spawn_local;
use yew::prelude::*;

use crate::address::pairs::encode;
use crate::address::{Address, FileAddress};
use crate::components::widgets::date::date;
use crate::effects::documents::files::request;
use crate::effects::runner::request::get;
use crate::state::machines::runner::{RunnerEndpoint, RunnerStatus};
use crate::state::{PageAction, State};

/// Lists the notebooks of the runner while the start is shown, and loads the file that the address names.
#[hook]
pub(crate) fn use_notebook_files(state: &State, act: &Callback<PageAction>) {
    let runner = &state.runner;
    let endpoint = runner.endpoint.clone().filter(|_| runner.status == RunnerStatus::Ready);
    {
        let act = act.clone();
        use_effect_with(endpoint.clone().filter(|_| state.notebook().is_none()), move |endpoint| {
            let Some(endpoint) = endpoint.clone() else { return };
            spawn_local(async move {
                let list = get(&endpoint, "notebooks").await.ok().and_then(|body| serde_json::from_str(&body).ok());
                act.emit(PageAction::RunnerNotebooks(list));
            });
        });
    }
    let wanted = match state.wanted_file() {
        Some(FileAddress::Runner(path)) => endpoint.map(|endpoint| Source::Runner(endpoint, path)),
        Some(FileAddress::Site(_)) => state.wanted_site_file().map(Source::Site),
        None => None,
    };
    let act = act.clone();
    use_effect_with(wanted, move |wanted| {
        let Some(wanted) = wanted.clone() else { return };
        spawn_local(async move { act.emit(wanted.load().await) });
    });
}

/// From where to load a notebook.
#[derive(Clone, PartialEq)]
enum Source {
    /// An address that `notebook.json` lists.
    Site(String),
    /// A path of a runner.
    Runner(RunnerEndpoint, String),
}

impl Source {
    async fn load(self) -> PageAction {
        match self {
            Self::Site(address) => {
                let loaded = request(&address).await;
                PageAction::FileLoaded(FileAddress::Site(address), loaded)
            }
            Self::Runner(endpoint, path) => {
                let loaded = load_from_runner(&endpoint, &path).await;
                PageAction::FileLoaded(FileAddress::Runner(path), loaded)
            }
        }
    }
}

async fn load_from_runner(endpoint: &RunnerEndpoint, path: &str) -> Result<Notebook, String> {
    let body = get(endpoint, &format!("notebooks/file?path={}", encode(path))).await;
    let body = body.map_err(|error| error.message().to_owned())?;
    file::read(&body).map_err(|error| error.to_string())
}

/// The notebooks of the runner, as links; nothing if it offers none. `machine`: the name of the runner's machine.
pub(crate) fn runner_notebooks(list: &NotebookList, machine: &str) -> Html {
    let NotebookList { notebooks, warnings } = list;
    if notebooks.is_empty() && warnings.is_empty() {
        return html! {};
    }
    html! {
        <section class="library" data-test="runner-notebooks">
            <h2>{ format!("Notebooks on {machine}") }</h2>
            { for warnings.iter().map(|warning| html! { <p class="problem-note">{ warning }</p> }) }
            <ul class="notebooks">{ for notebooks.iter().map(row) }</ul>
        </section>
    }
}

fn row(card: &NotebookCard) -> Html {
    let link = Address::File { file: FileAddress::Runner(card.path.clone()), cell: None }.link();
    let name = match &card.title {
        NotebookTitle::Title(title) if !title.is_empty() => html! {
            <a href={format!("#{link}")} data-test="open-runner-notebook" dir="auto">{ title }</a>
        },
        NotebookTitle::Title(_) => html! {
            <a href={format!("#{link}")} data-test="open-runner-notebook">{ &card.path }</a>
        },
        NotebookTitle::Error(reason) => html! { <span class="wrong">{ reason }</span> },
    };
    html! {
        <li key={card.path.clone()}>
            <span class="name">{ name }<small>{ format!("{} · {}", card.path, date(card.modified as f64)) }</small></span>
        </li>
    }
}
