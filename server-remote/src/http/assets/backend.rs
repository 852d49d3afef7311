//! Connects the table with tower-http, which handles paths, encodings, ranges and conditional requests.

use std::future::{Ready, ready};
use std::io::{self, Cursor, ErrorKind, SeekFrom};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::SystemTime;

use axum::body::Bytes;
use tokio::io::{AsyncRead, AsyncSeek, ReadBuf};
use tower_http::services::fs::{Backend, File, Metadata};

use super::table::AssetTable;

/// An open file.
#[derive(Debug)]
pub struct AssetFile {
    bytes: Cursor<Bytes>,
    metadata: AssetMetadata,
}

/// The properties of a file or a folder.
#[derive(Clone, Copy, Debug)]
pub struct AssetMetadata {
    is_folder: bool,
    bytes: u64,
    modified: SystemTime,
}

impl Backend for AssetTable {
    type File = AssetFile;
    type Metadata = AssetMetadata;
    type OpenFuture = Ready<io::Result<AssetFile>>;
    type MetadataFuture = Ready<io::Result<AssetMetadata>>;

    fn open(&self, path: PathBuf) -> Self::OpenFuture {
        ready(open(self, &path))
    }

    fn metadata(&self, path: PathBuf) -> Self::MetadataFuture {
        // The only folder with an index.
        let is_root = path == Path::new(".");
        let root = AssetMetadata { is_folder: true, bytes: 0, modified: self.created };
        ready(if is_root { Ok(root) } else { open(self, &path).map(|file| file.metadata) })
    }
}

/// Opens a file. tower-http adds `./` to its path, and has decoded and checked the rest.
fn open(table: &AssetTable, path: &Path) -> io::Result<AssetFile> {
    let bytes = table.bytes(path.strip_prefix(".").unwrap_or(path)).ok_or(ErrorKind::NotFound)?;
    let metadata = AssetMetadata { is_folder: false, bytes: bytes.len() as u64, modified: table.created };
    Ok(AssetFile { bytes: Cursor::new(bytes), metadata })
}

impl File for AssetFile {
    type Metadata = AssetMetadata;
    type MetadataFuture<'a> = Ready<io::Result<AssetMetadata>>;

    fn metadata(&self) -> Self::MetadataFuture<'_> {
        ready(Ok(self.metadata))
    }
}

impl Metadata for AssetMetadata {
    fn is_dir(&self) -> bool {
        self.is_folder
    }

    fn modified(&self) -> io::Result<SystemTime> {
        Ok(self.modified)
    }

    fn len(&self) -> u64 {
        self.bytes
    }
}

impl AsyncRead for AssetFile {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.bytes).poll_read(context, buffer)
    }
}

impl AsyncSeek for AssetFile {
    fn start_seek(mut self: Pin<&mut Self>, position: SeekFrom) -> io::Result<()> {
        Pin::new(&mut self.bytes).start_seek(position)
    }

    fn poll_complete(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<u64>> {
        Pin::new(&mut self.bytes).poll_complete(context)
    }
}
