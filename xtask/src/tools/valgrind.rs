//! valgrind, whose tool callgrind counts the instructions of a process.

use std::path::PathBuf;

use anyhow::Result;

use super::debian;
use super::platform::Platform;
use super::requirement::{Installation, Requirement};

/// Any release: they count alike.
pub(super) struct Valgrind;

impl Valgrind {
    /// Finds it on PATH.
    pub(super) fn find() -> Option<PathBuf> {
        which::which("valgrind").ok()
    }
}

impl Requirement for Valgrind {
    fn name(&self) -> String {
        "valgrind".to_owned()
    }

    fn is_installed(&self) -> Result<bool> {
        Ok(Self::find().is_some())
    }

    fn installations(&self) -> Vec<Installation<'_>> {
        if !debian::can_install() {
            return Vec::new();
        }
        let description = "Installing valgrind with apt-get: about a minute, once".to_owned();
        vec![Installation { description, install: Box::new(|| debian::install(&["valgrind"])) }]
    }

    fn fix(&self, platform: Platform) -> String {
        match platform {
            Platform::Debian => "sudo apt-get install valgrind",
            Platform::Linux => "valgrind from your package manager, such as: sudo dnf install valgrind",
            Platform::Mac | Platform::Windows => "valgrind does not run on this system: use Linux",
        }
        .to_owned()
    }
}
