//! The folder as the routes use it: lists its notebooks, and opens one of them.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use benchbook_host::api::{NotebookCard, NotebookList, NotebookTitle};
use benchbook_notebook::file::MAX_BYTES;
use thiserror::Error;
use tokio::sync::{Mutex, oneshot};
use tokio::task::spawn_blocking;

use super::open::open_notebook;
use super::path::NotebookPath;
use super::search::{SearchLimits, search};
use super::titles::{TitleCache, unreadable};

/// A folder of notebook files. Every request reads it again, since the files may have changed.
#[derive(Debug)]
pub struct NotebookFolder {
    folder: PathBuf,
    titles: Arc<Mutex<TitleCache>>,
}

/// A notebook file, open for reading.
#[derive(Debug)]
pub struct NotebookFile {
    /// The file.
    pub file: File,
    /// Its size in bytes when it was opened.
    pub bytes: u64,
}

/// The folder, or a file in it, cannot be read.
#[derive(Debug, Error)]
#[error("the notebooks in {} cannot be read: {reason}", folder.display())]
pub struct UnreadableNotebooks {
    folder: PathBuf,
    reason: io::Error,
}

impl NotebookFolder {
    /// Notebooks in this folder.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder, titles: Arc::default() }
    }

    /// Lists all notebooks with their titles. One list is made at a time, and ends early if no client is waiting for it.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub async fn list(&self) -> Result<NotebookList, UnreadableNotebooks> {
        // Waits here rather than on a blocking thread, since the store needs those too.
        let mut titles = Arc::clone(&self.titles).lock_owned().await;
        let folder = self.folder.clone();
        let (sender, receiver) = oneshot::channel();
        spawn_blocking(move || {
            let list = list(&folder, &mut titles, || sender.is_closed());
            // If the client has disconnected, the titles remain cached for the next one.
            let _ = sender.send(list);
        });
        let list = receiver.await.unwrap_or_else(|_| Err(io::Error::other("the search panicked")));
        list.map_err(|reason| self.unreadable(reason))
    }

    /// Opens the notebook at a path, which may be any text. Returns `None` if no notebook is there, or if it exceeds the maximum size.
    ///
    /// # Errors
    /// If the folder or the file cannot be read.
    pub async fn open(&self, path: &str) -> Result<Option<NotebookFile>, UnreadableNotebooks> {
        let Some(path) = NotebookPath::new(path) else { return Ok(None) };
        let folder = self.folder.clone();
        let opened = spawn_blocking(move || {
            let Some(file) = open_notebook(&folder, &path)? else { return Ok(None) };
            let bytes = file.metadata()?.len();
            Ok((bytes <= MAX_BYTES as u64).then_some(NotebookFile { file, bytes }))
        });
        let opened = opened.await.unwrap_or_else(|error| Err(io::Error::other(error)));
        opened.map_err(|reason| self.unreadable(reason))
    }

    fn unreadable(&self, reason: io::Error) -> UnreadableNotebooks {
        UnreadableNotebooks { folder: self.folder.clone(), reason }
    }
}

/// Lists the notebooks, or some of them if the list is abandoned.
fn list(folder: &Path, titles: &mut TitleCache, is_abandoned: impl Fn() -> bool) -> io::Result<NotebookList> {
    let found = search(folder, SearchLimits::default())?;
    titles.retain(&found.paths);
    let mut notebooks = Vec::new();
    for path in found.paths {
        if is_abandoned() {
            break;
        }
        match open_notebook(folder, &path) {
            Ok(Some(file)) => {
                let metadata = file.metadata()?;
                let title = titles.title(&path, &file, &metadata);
                notebooks.push(card(&path, title, &metadata));
            }
            // Deleted since the search.
            Ok(None) => {}
            Err(reason) => {
                if let Ok(metadata) = fs::symlink_metadata(folder.join(path.as_str())) {
                    notebooks.push(card(&path, unreadable(&reason), &metadata));
                }
            }
        }
    }
    Ok(NotebookList { notebooks, warnings: found.warnings })
}

fn card(path: &NotebookPath, title: NotebookTitle, metadata: &Metadata) -> NotebookCard {
    let since_1970 = metadata.modified().ok().and_then(|modified| modified.duration_since(UNIX_EPOCH).ok());
    let modified = since_1970.map_or(0, |time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
    NotebookCard { path: path.as_str().to_owned(), title, bytes: metadata.len(), modified }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::time::Duration;

    use tempfile::TempDir;

    use super::*;

    fn write(folder: &TempDir, name: &str, title: &str, modified_ms: u64) {
        let file = File::create(folder.path().join(name)).unwrap();
        fs::write(folder.path().join(name), format!(r#"{{"benchbook":1,"title":"{title}","cells":[]}}"#)).unwrap();
        file.set_modified(UNIX_EPOCH + Duration::from_millis(modified_ms)).unwrap();
    }

    #[test]
    fn a_card_has_title_size_and_time() {
        let folder = TempDir::new().unwrap();
        write(&folder, "a.benchbook.json", "Maps", 1_700_000_000_123);
        let listed = list(folder.path(), &mut TitleCache::default(), || false).unwrap();
        let expected = NotebookCard {
            path: "a.benchbook.json".to_owned(),
            title: NotebookTitle::Title("Maps".to_owned()),
            bytes: 41,
            modified: 1_700_000_000_123,
        };
        assert_eq!((listed.notebooks, listed.warnings), (vec![expected], Vec::new()));
    }

    #[test]
    fn an_abandoned_list_ends_and_its_titles_remain_cached() {
        let folder = TempDir::new().unwrap();
        for name in ["a.benchbook.json", "b.benchbook.json"] {
            write(&folder, name, "one", 1);
        }
        let mut titles = TitleCache::default();
        let checks = Cell::new(0);
        let listed = list(folder.path(), &mut titles, || checks.replace(checks.get() + 1) == 1).unwrap();
        assert_eq!(listed.notebooks.len(), 1);
        for name in ["a.benchbook.json", "b.benchbook.json"] {
            write(&folder, name, "two", 1);
        }
        // The first title was cached, and the second one was not.
        let listed = list(folder.path(), &mut titles, || false).unwrap();
        let listed: Vec<NotebookTitle> = listed.notebooks.into_iter().map(|card| card.title).collect();
        assert_eq!(listed, ["one", "two"].map(|title| NotebookTitle::Title(title.to_owned())));
    }

    #[tokio::test]
    async fn opens_no_file_beyond_the_maximum_size() {
        let folder = TempDir::new().unwrap();
        let file = File::create(folder.path().join("a.benchbook.json")).unwrap();
        let notebooks = NotebookFolder::new(folder.path().to_owned());
        for (bytes, is_opened) in [(MAX_BYTES as u64, true), (1 + MAX_BYTES as u64, false)] {
            file.set_len(bytes).unwrap();
            let opened = notebooks.open("a.benchbook.json").await.unwrap();
            assert_eq!(opened.map(|file| file.bytes), is_opened.then_some(bytes));
        }
    }

    #[tokio::test]
    async fn a_missing_folder_is_an_error_with_its_path() {
        let folder = TempDir::new().unwrap();
        let notebooks = NotebookFolder::new(folder.path().join("missing"));
        for error in [notebooks.list().await.unwrap_err(), notebooks.open("a.benchbook.json").await.unwrap_err()] {
            assert!(error.to_string().contains("missing cannot be read"), "{error}");
        }
        assert!(notebooks.open("../a").await.unwrap().is_none());
    }
}
