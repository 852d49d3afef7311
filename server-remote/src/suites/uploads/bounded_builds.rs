//! The list of uploaded builds, within bounds.

use std::sync::Arc;

use super::error::UploadError;
use crate::config::Limits;

/// Bounds on the uploaded builds. Their executables are on disk and, as sealed copies, in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UploadBounds {
    /// The maximum number of builds.
    pub builds: usize,
    /// The maximum size of an executable in bytes.
    pub build_bytes: u64,
    /// The maximum size of all executables together in bytes.
    pub bytes: u64,
}

impl From<&Limits> for UploadBounds {
    fn from(limits: &Limits) -> Self {
        Self {
            builds: limits.uploads as usize,
            build_bytes: u64::from(limits.upload_bytes.min(limits.uploads_bytes)),
            bytes: u64::from(limits.uploads_bytes),
        }
    }
}

/// Uploaded builds, the least recently used first.
#[derive(Debug)]
pub(super) struct BoundedBuilds<B> {
    bounds: UploadBounds,
    entries: Vec<BuildFile<B>>,
}

/// A build with its file.
#[derive(Debug)]
pub(super) struct BuildFile<B> {
    pub(super) fingerprint: String,
    pub(super) bytes: u64,
    pub(super) build: Arc<B>,
}

impl<B> BoundedBuilds<B> {
    pub(super) fn new(bounds: UploadBounds) -> Self {
        Self { bounds, entries: Vec::new() }
    }

    /// Finds a build, which becomes the most recently used one.
    pub(super) fn find(&mut self, fingerprint: &str) -> Option<Arc<B>> {
        let index = self.entries.iter().position(|entry| entry.fingerprint == fingerprint)?;
        let entry = self.entries.remove(index);
        let build = Arc::clone(&entry.build);
        self.entries.push(entry);
        Some(build)
    }

    /// Removes builds until one more of this size fits, the least recently used first, and returns them. A build in use remains, since
    /// its executable would remain in memory in any case.
    ///
    /// # Errors
    /// If there is no room even so. Then nothing is removed.
    pub(super) fn make_room(&mut self, bytes: u64) -> Result<Vec<BuildFile<B>>, UploadError> {
        let (mut count, mut total) = (self.entries.len(), self.bytes());
        let fits = |count: usize, total: u64| count < self.bounds.builds && total + bytes <= self.bounds.bytes;
        let mut removed = Vec::new();
        for (index, entry) in self.entries.iter().enumerate() {
            if fits(count, total) {
                break;
            }
            if Arc::strong_count(&entry.build) == 1 {
                removed.push(index);
                (count, total) = (count - 1, total - entry.bytes);
            }
        }
        if !fits(count, total) {
            return Err(UploadError::NoRoom);
        }
        Ok(removed.into_iter().rev().map(|index| self.entries.remove(index)).collect())
    }

    /// Adds a build, for which [`Self::make_room`] has made room.
    pub(super) fn add(&mut self, entry: BuildFile<B>) {
        self.entries.push(entry);
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Arc<B>> {
        self.entries.iter().map(|entry| &entry.build)
    }

    fn bytes(&self) -> u64 {
        self.entries.iter().map(|entry| entry.bytes).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn builds(sizes: &[(&str, u64)]) -> BoundedBuilds<()> {
        let mut builds = BoundedBuilds::new(UploadBounds { builds: 3, build_bytes: 100, bytes: 100 });
        for (name, bytes) in sizes {
            builds.add(BuildFile { fingerprint: (*name).to_owned(), bytes: *bytes, build: Arc::default() });
        }
        builds
    }

    fn names(builds: &BoundedBuilds<()>) -> Vec<&str> {
        builds.entries.iter().map(|entry| entry.fingerprint.as_str()).collect()
    }

    #[test]
    fn the_least_recently_used_builds_make_room() {
        let mut builds = builds(&[("a", 10), ("b", 20), ("c", 30)]);
        assert!(builds.find("a").is_some() && builds.find("d").is_none());
        let removed = builds.make_room(10).expect("one is removed, since there are three");
        assert_eq!((removed.len(), removed[0].fingerprint.as_str()), (1, "b"));
        assert_eq!(names(&builds), ["c", "a"]);
        assert!(builds.make_room(60).expect("it fits").is_empty());
        assert_eq!(builds.make_room(100).expect("all are removed").len(), 2);
        assert_eq!(names(&builds), [""; 0]);
    }

    #[test]
    fn builds_in_use_remain() {
        let mut builds = builds(&[("a", 40), ("b", 20), ("c", 40)]);
        let in_use = builds.find("a");
        let removed = builds.make_room(50).expect("both others are removed");
        assert_eq!((removed.len(), names(&builds)), (2, vec!["a"]));
        assert!(matches!(builds.make_room(61), Err(UploadError::NoRoom)));
        assert_eq!(names(&builds), ["a"]);
        drop(in_use);
        assert_eq!(builds.make_room(61).expect("it is no longer in use").len(), 1);
    }
}
