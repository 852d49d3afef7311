//! Files that are made from a compiled one, and made again only if that has changed.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result};

use crate::progress::{BuildStep, print_line};

/// What is made of a file.
pub(crate) struct DerivedFile<'a> {
    /// The compiled file.
    pub(crate) source: &'a Path,
    /// The file to write. Whatever else determines its contents, such as the version of a tool, is part of its path.
    pub(crate) to: PathBuf,
    /// What is done, such as “Optimising”.
    pub(crate) step: &'a str,
}

impl DerivedFile<'_> {
    /// Writes the file with `make`, unless it was made from the same version of the source, and returns its path.
    pub(crate) fn make(self, make: impl FnOnce(&Path, &Path) -> Result<()>) -> Result<PathBuf> {
        let Self { source, to, step } = self;
        // Equal times, not newer ones: cargo can restore an older build.
        let compiled_at = modified(source)?;
        if modified(&to).is_ok_and(|made| made == compiled_at) {
            return Ok(to);
        }
        let making = || format!("failed to write {}", to.display());
        fs::create_dir_all(to.parent().context("the file has no folder (this is a bug)")?).with_context(making)?;
        let name = to.file_name().unwrap_or_default().to_string_lossy();
        // Like cargo's lines, also without a terminal: a large module takes a minute.
        print_line(&format!("{step:>12} {name}"));
        let _step = BuildStep::start(format!("{step} {name}"));
        make(source, &to)?;
        File::options().write(true).open(&to)?.set_modified(compiled_at).with_context(making)?;
        Ok(to)
    }
}

fn modified(path: &Path) -> Result<SystemTime> {
    fs::metadata(path)
        .and_then(|metadata| metadata.modified())
        .with_context(|| format!("failed to read {}", path.display()))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_file_is_made_again_if_its_source_is_newer_or_older() {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("compiled.wasm");
        fs::write(&source, "code").unwrap();
        let made = Cell::new(0);
        let make = || {
            let derived = DerivedFile { source: &source, to: folder.path().join("made/compiled.wasm"), step: "Making" };
            derived.make(|from, to| {
                made.set(made.get() + 1);
                Ok(fs::copy(from, to).map(drop)?)
            })
        };
        let compiled_at = modified(&source).unwrap();
        for (time, expected) in
            [(compiled_at, 1), (compiled_at, 1), (compiled_at - Duration::from_secs(60), 2), (compiled_at, 3)]
        {
            File::options().write(true).open(&source).unwrap().set_modified(time).unwrap();
            assert_eq!(fs::read(make().unwrap()).unwrap(), b"code");
            assert_eq!(made.get(), expected);
        }
    }
}
