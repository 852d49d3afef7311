//! schemathesis, which generates requests from an OpenAPI document.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::Result;
use xshell::{PushEnv, Shell, cmd};

use super::platform::Platform;
use super::requirement::{Installation, Requirement};
use super::run::run;
use super::{cache, debian};

/// Pinned: each version generates other requests.
const VERSION: &str = "4.32.5";

/// Debian's package of `venv` and pip.
const DEBIAN_PACKAGE: &str = "python3-venv";

pub(crate) struct Schemathesis {
    folder: PathBuf,
}

impl Schemathesis {
    pub(super) fn new() -> Result<Self> {
        Ok(Self { folder: cache::benchbook_folder()?.join(format!("schemathesis-{VERSION}")) })
    }

    /// Sets the variable in which the tests find the Python that has schemathesis, until the result is dropped.
    pub(crate) fn set_variable<'s>(&self, shell: &'s Shell) -> PushEnv<'s> {
        shell.push_env("SCHEMATHESIS_PYTHON", self.python())
    }

    /// The programs in the same folder contain its path at the time of the installation, so only this one can be moved.
    fn python(&self) -> PathBuf {
        self.folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
    }

    fn with_pip(&self) -> Result<()> {
        cache::fill(&self.folder, |folder| {
            let shell = Shell::new()?;
            let python = system_python();
            run(cmd!(shell, "{python} -m venv {folder}"))?;
            let python = Self { folder: folder.to_owned() }.python();
            let package = format!("schemathesis=={VERSION}");
            run(cmd!(shell, "{python} -m pip install --quiet --disable-pip-version-check {package}"))
        })
    }

    fn with_apt(&self) -> Result<()> {
        debian::install(&[DEBIAN_PACKAGE])?;
        self.with_pip()
    }
}

fn system_python() -> &'static str {
    if cfg!(windows) { "python" } else { "python3" }
}

/// Whether Python can import these modules. After an upgrade of the system's Python, those of an environment are missing.
fn has_modules(python: impl AsRef<std::ffi::OsStr>, modules: &str) -> bool {
    let mut command = Command::new(python);
    let command = command.args(["-c", &format!("import {modules}")]).stdin(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

impl Requirement for Schemathesis {
    fn name(&self) -> String {
        format!("schemathesis {VERSION}")
    }

    fn is_installed(&self) -> Result<bool> {
        Ok(has_modules(self.python(), "schemathesis.cli"))
    }

    fn installations(&self) -> Vec<Installation<'_>> {
        // Debian's Python has `venv`, but not what it installs, without the package.
        if has_modules(system_python(), "venv, ensurepip") {
            let description = format!("Installing schemathesis {VERSION} with pip: about half a minute, once");
            return vec![Installation { description, install: Box::new(|| self.with_pip()) }];
        }
        if debian::can_install() {
            let description = format!(
                "Installing {DEBIAN_PACKAGE} with apt-get, then schemathesis {VERSION} with pip: a minute, once"
            );
            return vec![Installation { description, install: Box::new(|| self.with_apt()) }];
        }
        Vec::new()
    }

    fn fix(&self, platform: Platform) -> String {
        let command = match platform {
            Platform::Debian => "sudo apt-get install python3-venv",
            Platform::Linux => "Python 3 with pip from your package manager, such as: sudo dnf install python3-pip",
            Platform::Mac => "brew install python",
            Platform::Windows => "winget install Python.Python.3.13",
        };
        format!("{command}\nThen this command installs it with pip into {}", self.folder.display())
    }
}

#[cfg(test)]
mod tests {
    use super::super::platform;
    use super::*;

    #[test]
    fn every_platform_has_a_command() {
        let tool = Schemathesis { folder: "cache".into() };
        for (platform, command) in platform::ALL.into_iter().zip(["apt-get", "dnf", "brew", "winget"]) {
            let fix = tool.fix(platform);
            assert!(fix.contains(command) && fix.contains("into cache"), "{fix}");
        }
    }

    #[test]
    fn a_python_without_a_module_or_without_a_program_is_not_suitable() {
        assert!(!has_modules(system_python(), "a_module_that_does_not_exist"));
        assert!(!has_modules("a-program-that-does-not-exist", "sys"));
    }
}
