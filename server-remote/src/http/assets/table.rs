//! The files by path.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::SystemTime;

use axum::body::Bytes;
use tower_http::services::ServeDir;
use tower_http::services::fs::DefaultServeDirFallback;

use super::asset::Asset;

/// Files in memory, by their relative paths. Clones share them.
#[derive(Clone, Debug)]
pub struct AssetTable {
    assets: Arc<BTreeMap<PathBuf, Asset>>,
    /// The modification time of every file. tower-http derives the entity tags from it and from the sizes. The times of the
    /// files themselves would not do: a package may set them all to the same one, and two builds of `index.html` often have
    /// the same size.
    pub(super) created: SystemTime,
}

impl AssetTable {
    /// Creates a table. None of its files is compressed yet.
    pub fn new(files: impl IntoIterator<Item = (PathBuf, Bytes)>) -> Self {
        let assets = files.into_iter().map(|(path, bytes)| (path, Asset::new(bytes))).collect();
        Self { assets: Arc::new(assets), created: SystemTime::now() }
    }

    /// Compresses all files. Until a file is compressed, it is served as it is.
    pub fn compress(&self) {
        self.assets.values().for_each(Asset::compress);
    }

    /// Compresses all files on a thread of its own.
    ///
    /// # Errors
    /// If the system cannot start a thread.
    pub fn compress_in_background(&self) -> io::Result<()> {
        let table = self.clone();
        thread::Builder::new().name("compressing".to_owned()).spawn(move || table.compress())?;
        Ok(())
    }

    /// Serves the files in the form that the client prefers, with entity tags.
    pub fn serve(self) -> ServeDir<DefaultServeDirFallback, Self> {
        ServeDir::with_backend("", self).precompressed_br().precompressed_gzip()
    }

    /// The bytes at a path: of a file, or of its compressed form if the extension of that form follows the path.
    pub(super) fn bytes(&self, path: &Path) -> Option<Bytes> {
        if let Some(asset) = self.assets.get(path) {
            return Some(asset.plain.clone());
        }
        let extension = path.extension()?.to_str()?;
        self.assets.get(&path.with_extension(""))?.compressed(extension).cloned()
    }
}

impl Default for AssetTable {
    /// A table without files.
    fn default() -> Self {
        Self::new([])
    }
}
