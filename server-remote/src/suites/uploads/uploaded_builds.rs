//! The uploaded builds of a runner.

use std::io;
use std::net::IpAddr;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::Body;
use benchbook_host::child::ProcessCounts;
use tempfile::NamedTempFile;
use tokio::task::spawn_blocking;

use super::bounded_builds::{BoundedBuilds, BuildFile, UploadBounds};
use super::error::UploadError;
use super::folder::{StoredBuild, UploadFolder};
use super::opener::BuildOpener;
use super::receive::receive;
use crate::hub::{StreamLimits, Streams};
use crate::queue::CoreTurns;
use crate::suites::table::HostedSuite;

/// The maximum numbers of simultaneous uploads. Their temporary files are in addition to the bounds on the stored builds. The clients
/// of an address cannot occupy all of them.
const UPLOADS: StreamLimits = StreamLimits { total: 4, client: 2, address: 2 };

/// The uploaded builds of a runner. Clones share them.
#[derive(Clone, Debug)]
pub struct UploadedBuilds(Arc<UploadState>);

#[derive(Debug)]
struct UploadState {
    folder: UploadFolder,
    bounds: UploadBounds,
    opener: BuildOpener,
    uploads: Arc<Streams>,
    builds: Mutex<OpenBuilds>,
}

#[derive(Debug)]
struct OpenBuilds {
    bounded: BoundedBuilds<HostedSuite>,
    /// The processes of builds that were removed.
    removed: ProcessCounts,
}

impl UploadedBuilds {
    /// Opens the builds of a folder. Those that are damaged or exceed the bounds are deleted. Those that cannot be opened now are
    /// unavailable, but remain until a later start: the reason may be temporary.
    ///
    /// # Errors
    /// If the folder cannot be used.
    pub(crate) fn open(path: &Path, bounds: UploadBounds, opener: BuildOpener) -> Result<Self, UploadError> {
        let (folder, stored) = UploadFolder::open(path)?;
        let builds = OpenBuilds { bounded: BoundedBuilds::new(bounds), removed: ProcessCounts::default() };
        let state = UploadState {
            folder,
            bounds,
            opener,
            uploads: Arc::new(Streams::new(UPLOADS)),
            builds: Mutex::new(builds),
        };
        let (mut count, mut total) = (0, 0);
        let (retained, others): (Vec<&StoredBuild>, Vec<&StoredBuild>) = stored.iter().partition(|build| {
            let fits =
                count < bounds.builds && build.bytes <= bounds.build_bytes && total + build.bytes <= bounds.bytes;
            (count, total) = if fits { (count + 1, total + build.bytes) } else { (count, total) };
            fits
        });
        for build in others {
            state.folder.delete(&build.fingerprint)?;
        }
        // The latest one is opened last, and so counts as used last.
        for build in retained.into_iter().rev() {
            if let Err(error) = state.restore(build) {
                tracing::warn!(fingerprint = build.fingerprint, "an uploaded build is unavailable: {error}");
            }
        }
        Ok(Self(Arc::new(state)))
    }

    /// The maximum size of an executable in bytes.
    pub fn max_bytes(&self) -> u64 {
        self.0.bounds.build_bytes
    }

    /// Finds a build.
    pub fn find(&self, fingerprint: &str) -> Option<Arc<HostedSuite>> {
        self.0.lock().bounded.find(fingerprint)
    }

    /// The child processes of all builds, also of those that were removed.
    pub fn processes(&self) -> ProcessCounts {
        let builds = self.0.lock();
        builds.bounded.iter().map(|suite| suite.native.processes()).chain([builds.removed]).sum()
    }

    /// Receives an executable from the client at `address`, opens it, and stores it. `patience`: how long the client may send nothing.
    ///
    /// # Errors
    /// If it is too large, does not arrive, or cannot be opened; or if there is no room for it. Nothing of it remains.
    pub async fn add(
        &self,
        address: IpAddr,
        body: Body,
        patience: Duration,
        turns: Arc<CoreTurns>,
    ) -> Result<Arc<HostedSuite>, UploadError> {
        // An upload does not name its client.
        let permit = self.0.uploads.open(&address.to_string(), address).map_err(|_| UploadError::Busy)?;
        let file = receive(&self.0.folder, body, self.0.bounds.build_bytes, patience).await?;
        let state = Arc::clone(&self.0);
        let added = spawn_blocking(move || {
            // Even if the client has disconnected in the meantime.
            let _permit = permit;
            state.add(file, &turns)
        });
        added.await.unwrap_or_else(|error| Err(UploadError::Folder(io::Error::other(error))))
    }
}

impl UploadState {
    fn lock(&self) -> MutexGuard<'_, OpenBuilds> {
        self.builds.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Opens a complete file and stores it. The fingerprint is that of the sealed copy that is executed from now on.
    fn add(&self, file: NamedTempFile, turns: &CoreTurns) -> Result<Arc<HostedSuite>, UploadError> {
        let bytes = file.as_file().metadata()?.len();
        let suite = {
            let _turn = turns.open();
            Arc::new(self.opener.open(file.path())?)
        };
        let fingerprint = suite.entry.card.fingerprint.clone();
        let mut builds = self.lock();
        if let Some(known) = builds.bounded.find(&fingerprint) {
            return Ok(known);
        }
        let removed = builds.bounded.make_room(bytes)?;
        builds.removed = removed.iter().map(|one| one.build.native.processes()).chain([builds.removed]).sum();
        let stored = self.folder.store(file, &fingerprint);
        for BuildFile { fingerprint, .. } in removed {
            match self.folder.delete(&fingerprint) {
                Ok(()) => tracing::info!(fingerprint, "removed an uploaded build"),
                // The next start deletes it if it exceeds the bounds.
                Err(error) => tracing::error!(fingerprint, "an uploaded build was not removed: {error}"),
            }
        }
        stored?;
        tracing::info!(fingerprint, suite = suite.name(), bytes, "stored an uploaded build");
        builds.bounded.add(BuildFile { fingerprint, bytes, build: Arc::clone(&suite) });
        Ok(suite)
    }

    /// Opens a stored build, and deletes it if it is damaged.
    fn restore(&self, stored: &StoredBuild) -> Result<(), UploadError> {
        let suite = self.opener.open(&self.folder.file(&stored.fingerprint))?;
        if suite.entry.card.fingerprint != stored.fingerprint {
            self.folder.delete(&stored.fingerprint)?;
            return Err(UploadError::Unusable("its content does not match its name, so it was deleted".to_owned()));
        }
        let StoredBuild { fingerprint, bytes } = stored.clone();
        self.lock().bounded.add(BuildFile { fingerprint, bytes, build: Arc::new(suite) });
        Ok(())
    }
}
