//! Compilers for other platforms.

use anyhow::Result;
use benchbook_build::wasm_library;
use xshell::{Shell, cmd};

use super::debian;
use super::platform::Platform;
use super::requirement::{Installation, Requirement};
use super::run::run;

/// A platform that this machine can compile for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OtherPlatform {
    /// Rust's name for it.
    pub(crate) target: &'static str,
    /// Its linker and C compiler, which SQLite needs.
    pub(crate) linker: &'static str,
    /// What runs its programs on this machine.
    pub(crate) emulator: Option<Emulator>,
    /// The packages of Debian with all of that.
    packages: &'static [&'static str],
}

/// A program that runs those of another processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Emulator {
    pub(crate) program: &'static str,
    /// The folder of the other platform's libraries.
    pub(crate) libraries: &'static str,
}

impl OtherPlatform {
    pub(crate) const ALL: [Self; 2] = [
        Self {
            target: "aarch64-unknown-linux-gnu",
            linker: "aarch64-linux-gnu-gcc",
            emulator: Some(Emulator { program: "qemu-aarch64", libraries: "/usr/aarch64-linux-gnu" }),
            packages: &["gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross", "qemu-user"],
        },
        Self {
            target: "x86_64-pc-windows-gnu",
            linker: "x86_64-w64-mingw32-gcc",
            emulator: None,
            packages: &["gcc-mingw-w64-x86-64"],
        },
    ];

    fn with_rustup_and_apt(&self) -> Result<()> {
        let (shell, target) = (Shell::new()?, self.target);
        run(cmd!(shell, "rustup target add {target}"))?;
        debian::install(self.packages)
    }
}

impl Requirement for OtherPlatform {
    fn name(&self) -> String {
        format!("a compiler for {}", self.target)
    }

    fn is_installed(&self) -> Result<bool> {
        let programs = [self.linker].into_iter().chain(self.emulator.map(|emulator| emulator.program));
        Ok(wasm_library::is_installed_for(self.target)?
            && programs.into_iter().all(|program| which::which(program).is_ok()))
    }

    fn installations(&self) -> Vec<Installation<'_>> {
        if !debian::can_install() || which::which("rustup").is_err() {
            return Vec::new();
        }
        let description = format!("Installing {} with rustup and apt-get: about half a minute, once", self.name());
        vec![Installation { description, install: Box::new(|| self.with_rustup_and_apt()) }]
    }

    fn fix(&self, _: Platform) -> String {
        format!("rustup target add {}\nDebian: apt-get install {}", self.target, self.packages.join(" "))
    }
}
