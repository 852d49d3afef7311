//! Crates from crates.io with benches for criterion or divan.

use std::process::Command;

use anyhow::{Context, Result};

use crate::own_crate::OwnCrate;
use crate::packages::run;
use crate::registry::sources;
use crate::suites::workspace;

/// A dependency of this workspace, with a bench target.
pub struct CriterionCrate {
    /// The name of the package.
    pub name: &'static str,
    version: &'static str,
    /// The bench target.
    pub bench: &'static str,
    /// The number of its functions: benchmarks that differ only in their inputs are one.
    pub functions: usize,
}

/// Five of them.
pub const CRATES: [CriterionCrate; 5] = [
    CriterionCrate { name: "base64", version: "0.22.1", bench: "benchmarks", functions: 22 },
    CriterionCrate { name: "bytecount", version: "0.6.9", bench: "bench", functions: 5 },
    CriterionCrate { name: "hex", version: "0.4.3", bench: "hex", functions: 9 },
    CriterionCrate { name: "httparse", version: "1.10.1", bench: "parse", functions: 66 },
    CriterionCrate { name: "httpdate", version: "1.0.3", bench: "benchmarks", functions: 4 },
];

/// Five others, one of them with benches for divan. Benchbook measures them without an edit.
pub const UNEDITED: [CriterionCrate; 5] = [
    CriterionCrate { name: "bytesize", version: "2.7.0", bench: "display", functions: 5 },
    CriterionCrate { name: "crc32fast", version: "1.5.5", bench: "bench", functions: 4 },
    CriterionCrate { name: "itoa", version: "1.0.19", bench: "bench", functions: 14 },
    CriterionCrate { name: "ryu", version: "1.0.23", bench: "bench", functions: 16 },
    CriterionCrate { name: "semver", version: "1.0.28", bench: "parse", functions: 3 },
];

impl CriterionCrate {
    /// Copies the published crate into a folder of its name.
    pub fn copy(&self, own: &OwnCrate) -> Result<()> {
        own.copy(&sources(self.name, Some(self.version))?, self.name)
    }

    /// Replaces the dependency on criterion.
    pub fn migrate(&self, own: &OwnCrate) -> Result<()> {
        let criterion = workspace()?.root().join("engine/criterion");
        let criterion = criterion.to_str().context("a path in Unicode")?;
        self.run(own, &["remove", "--dev", "criterion"])?;
        let add = ["add", "--dev", "benchbook-criterion", "--path", criterion, "--rename", "criterion"];
        self.run(own, &add).map(drop)
    }

    /// Runs cargo in the copy, and returns its output.
    pub fn run(&self, own: &OwnCrate, arguments: &[&str]) -> Result<String> {
        run(self.cargo(own).args(arguments))
    }

    /// Cargo in the copy. It may download the other dependencies.
    pub fn cargo(&self, own: &OwnCrate) -> Command {
        let mut cargo = Command::new("cargo");
        cargo.current_dir(own.path().join(self.name)).env("CARGO_NET_OFFLINE", "false");
        cargo
    }
}
