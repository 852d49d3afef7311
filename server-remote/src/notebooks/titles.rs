//! The titles of notebook files. A file is read again only after it has changed.

use std::collections::BTreeMap;
use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::time::SystemTime;

use benchbook_host::api::NotebookTitle;
use benchbook_notebook::file::{self, FileError, MAX_BYTES};

use super::path::NotebookPath;

/// The titles by path, each with the version of the file that it was read from.
#[derive(Debug, Default)]
pub(super) struct TitleCache(BTreeMap<NotebookPath, (FileVersion, NotebookTitle)>);

/// Distinguishes the versions of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FileVersion {
    bytes: u64,
    /// Absent if the system does not record it.
    modified: Option<SystemTime>,
}

impl TitleCache {
    /// The title of an open file, read with the same checks as in the page. Equal versions of a file are read once.
    pub(super) fn title(&mut self, path: &NotebookPath, file: &File, metadata: &Metadata) -> NotebookTitle {
        let version = FileVersion { bytes: metadata.len(), modified: metadata.modified().ok() };
        if let Some((_, title)) = self.0.get(path).filter(|(cached, _)| *cached == version) {
            return title.clone();
        }
        match read_title(file, version.bytes) {
            Ok(title) => {
                self.0.insert(path.clone(), (version, title.clone()));
                title
            }
            Err(reason) => unreadable(&reason),
        }
    }

    /// Removes the titles of all other files. `paths` are in order.
    pub(super) fn retain(&mut self, paths: &[NotebookPath]) {
        self.0.retain(|path, _| paths.binary_search(path).is_ok());
    }
}

/// The error in place of the title of a file that cannot be read.
pub(super) fn unreadable(reason: &io::Error) -> NotebookTitle {
    NotebookTitle::Error(format!("The runner cannot read the file: {reason}. Make it readable for the runner's user."))
}

fn read_title(file: &File, bytes: u64) -> io::Result<NotebookTitle> {
    let invalid = |error: FileError| NotebookTitle::Error(error.to_string());
    if bytes > MAX_BYTES as u64 {
        return Ok(invalid(FileError::TooLarge { bytes: usize::try_from(bytes).unwrap_or(usize::MAX) }));
    }
    let mut content = Vec::with_capacity(bytes as usize);
    // The file may have grown since.
    file.take(1 + MAX_BYTES as u64).read_to_end(&mut content)?;
    let Ok(text) = String::from_utf8(content) else {
        return Ok(invalid(FileError::Damaged { reason: "it is not text in UTF-8".to_owned() }));
    };
    Ok(file::read(&text).map_or_else(invalid, |notebook| NotebookTitle::Title(notebook.title)))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::time::{Duration, UNIX_EPOCH};

    use tempfile::TempDir;

    use super::*;

    struct CachedFile {
        folder: TempDir,
        cache: TitleCache,
    }

    impl CachedFile {
        fn path() -> NotebookPath {
            NotebookPath::new("a.benchbook.json").unwrap()
        }

        /// Writes the file, with a modification time in seconds.
        fn write(&self, content: &[u8], modified: u64) {
            let path = self.folder.path().join(Self::path().as_str());
            fs::write(&path, content).unwrap();
            let file = File::options().write(true).open(path).unwrap();
            file.set_modified(UNIX_EPOCH + Duration::from_secs(modified)).unwrap();
        }

        fn title(&mut self) -> NotebookTitle {
            let file = File::open(self.folder.path().join(Self::path().as_str())).unwrap();
            self.cache.title(&Self::path(), &file, &file.metadata().unwrap())
        }
    }

    fn notebook(title: &str) -> Vec<u8> {
        format!(r#"{{"benchbook":1,"title":"{title}","cells":[]}}"#).into_bytes()
    }

    fn title(text: &str) -> NotebookTitle {
        NotebookTitle::Title(text.to_owned())
    }

    #[test]
    fn a_file_is_read_again_if_its_size_or_time_has_changed() {
        let mut file = CachedFile { folder: TempDir::new().unwrap(), cache: TitleCache::default() };
        file.write(&notebook("one"), 1);
        assert_eq!(file.title(), title("one"));
        // Only the version matters, so an unchanged file is not read.
        file.write(&notebook("two"), 1);
        assert_eq!(file.title(), title("one"));
        file.write(&notebook("two"), 2);
        assert_eq!(file.title(), title("two"));
        file.write(&notebook("three"), 2);
        assert_eq!(file.title(), title("three"));
        file.write(&notebook("seven"), 2);
        file.cache.retain(&[CachedFile::path()]);
        assert_eq!(file.title(), title("three"));
        file.cache.retain(&[]);
        assert_eq!(file.title(), title("seven"));
    }

    #[test]
    fn a_file_that_is_not_a_notebook_has_an_error() {
        let mut file = CachedFile { folder: TempDir::new().unwrap(), cache: TitleCache::default() };
        for (content, expected) in [
            (&b""[..], "damaged or incomplete"),
            (b"{", "damaged or incomplete"),
            (b"\"\xff\"", "not text in UTF-8"),
            (b"[]", "not a Benchbook notebook"),
            (b"{\"name\": 1}", "not a Benchbook notebook"),
            (b"{\"benchbook\": 1000}", "version 1000"),
            (b"{\"benchbook\": 1, \"title\": \"a\"}", "missing field `cells`"),
        ] {
            file.write(content, content.len() as u64);
            let NotebookTitle::Error(error) = file.title() else { panic!("{content:?} has a title") };
            assert!(error.contains(expected) && error.ends_with('.'), "{error}");
        }
        File::options()
            .write(true)
            .open(file.folder.path().join("a.benchbook.json"))
            .and_then(|file| file.set_len(1 + MAX_BYTES as u64))
            .unwrap();
        let NotebookTitle::Error(error) = file.title() else { panic!("the file is too large") };
        assert!(error.contains("the limit is 64 MiB"), "{error}");
    }
}
