//! A second version of a folder, in the cache folder.

use std::env;
use std::fs::{self, File};
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result};
use benchbook_host::fingerprint::fingerprint;
use directories::BaseDirs;

/// A second version of a folder. It is outside the original: in it, cargo would also find the original's configuration.
#[derive(Clone, Debug)]
pub(crate) struct Mirror {
    /// The folder that stands for the root of the file system: the second version has the path of the original in it, so that relative paths
    /// to other folders have a place.
    root: PathBuf,
    /// The second version.
    pub(crate) folder: PathBuf,
    /// The original.
    pub(crate) original: PathBuf,
}

/// The digits of a fingerprint in the name of a folder.
const DIGITS: usize = 16;

impl Mirror {
    /// The second version of a folder for a purpose, which names its parent. Creates nothing.
    pub(crate) fn new(purpose: &str, original: &Path) -> Self {
        let cache = BaseDirs::new().map_or_else(env::temp_dir, |folders| folders.cache_dir().to_owned());
        let name = fingerprint(original.as_os_str().as_encoded_bytes());
        let root = cache.join("benchbook").join(purpose).join(name.get(..DIGITS).unwrap_or(&name));
        Self { folder: root.join(below_root(original)), original: original.to_owned(), root }
    }

    /// Deletes it, if it exists.
    ///
    /// # Errors
    /// If that fails.
    pub(crate) fn delete(&self) -> Result<()> {
        for folder in [self.root.clone(), self.companion("harnesses")] {
            if folder.exists() {
                fs::remove_dir_all(&folder).with_context(|| format!("failed to delete {}", folder.display()))?;
            }
        }
        let lock_file = self.companion("lock-file");
        if lock_file.exists() {
            fs::remove_file(&lock_file).with_context(|| format!("failed to delete {}", lock_file.display()))?;
        }
        Ok(())
    }

    /// Waits until no other process uses it.
    ///
    /// # Errors
    /// If the file of the lock cannot be created.
    pub(crate) fn lock(&self) -> Result<File> {
        let path = self.companion("lock");
        let locking = || format!("failed to lock {}", path.display());
        fs::create_dir_all(path.parent().context("the file has no folder (this is a bug)")?).with_context(locking)?;
        let file = File::create(&path).with_context(locking)?;
        file.lock().with_context(locking)?;
        Ok(file)
    }

    /// Makes a folder outside the original, such as that of a dependency, available at the same relative path, with a symbolic link. Does
    /// nothing for other folders, and where links need a permission.
    ///
    /// # Errors
    /// If the link cannot be created.
    pub(crate) fn link(&self, dependency: &Path) -> Result<()> {
        let shared = self.original.components().zip(dependency.components());
        let shared = shared.take_while(|(one, other)| one == other).count();
        if shared == self.original.components().count() {
            return Ok(());
        }
        if shared == dependency.components().count() {
            // It is around the original, so that its folder exists already.
            let entries =
                fs::read_dir(dependency).with_context(|| format!("failed to read {}", dependency.display()))?;
            return entries
                .flatten()
                .map(|entry| entry.path())
                .filter(|path| !self.original.starts_with(path))
                .try_for_each(|path| self.link_one(&path));
        }
        // The whole folder next to the original or to a folder around it: a dependency may be a member of a workspace.
        self.link_one(&dependency.components().take(shared + 1).collect::<PathBuf>())
    }

    fn link_one(&self, target: &Path) -> Result<()> {
        let link = self.root.join(below_root(target));
        if link.symlink_metadata().is_ok() {
            return Ok(());
        }
        symlink(target, &link)
    }

    /// Makes the settings of cargo and rustup in the folders around the original available, with symbolic links. Those of the user's own
    /// cargo folder apply anyway.
    ///
    /// # Errors
    /// If a link cannot be created.
    pub(crate) fn link_settings(&self) -> Result<()> {
        let home = cargo_home();
        for around in self.original.ancestors().skip(1) {
            for name in [".cargo", "rust-toolchain.toml", "rust-toolchain"] {
                let (settings, link) = (around.join(name), self.root.join(below_root(around)).join(name));
                if settings.exists() && Some(&settings) != home.as_ref() && link.symlink_metadata().is_err() {
                    symlink(&settings, &link)?;
                }
            }
        }
        Ok(())
    }

    /// A file or folder that belongs to it, next to its root.
    pub(crate) fn companion(&self, extension: &str) -> PathBuf {
        self.root.with_extension(extension)
    }

    /// The file or folder that corresponds to one of the original.
    ///
    /// # Errors
    /// If it is outside.
    pub(crate) fn counterpart(&self, path: &Path) -> Result<PathBuf> {
        let outside = || format!("{} is outside {}", path.display(), self.original.display());
        // git resolves symbolic links.
        let path = path.canonicalize().with_context(outside)?;
        Ok(self.folder.join(path.strip_prefix(self.original.canonicalize()?).with_context(outside)?))
    }
}

/// The folder of cargo's own files.
fn cargo_home() -> Option<PathBuf> {
    env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(BaseDirs::new()?.home_dir().join(".cargo")))
}

/// Creates a symbolic link. Does nothing where links need a permission.
///
/// # Errors
/// If it cannot be created.
pub(crate) fn symlink(target: &Path, link: &Path) -> Result<()> {
    #[cfg(unix)]
    std::os::unix::fs::symlink(target, link)
        .with_context(|| format!("failed to create the link {}", link.display()))?;
    Ok(())
}

/// An absolute path without the root or the drive.
fn below_root(path: &Path) -> PathBuf {
    path.components().filter(|part| matches!(part, Component::Normal(_))).collect()
}
