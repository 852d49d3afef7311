//! The suites of a workspace, and their builds.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use benchbook_build::compile::{self, SuiteTarget, SuiteTargetKind};
use benchbook_host::child::{ChildSettings, NativeSuite, Reaper};
use cargo_metadata::{Metadata, MetadataCommand, Package, TargetKind};

/// Which suites of the workspace to use.
#[derive(clap::Args)]
pub(crate) struct SuiteOptions {
    /// Only suites of this package
    #[arg(long, short, value_name = "NAME", help_heading = "Suites")]
    package: Option<String>,
    /// Only the suite of this bench target
    #[arg(long, value_name = "NAME", help_heading = "Suites", conflicts_with_all = ["example", "bin"])]
    bench: Option<String>,
    /// Only the suite of this example
    #[arg(long, value_name = "NAME", help_heading = "Suites", conflicts_with = "bin")]
    example: Option<String>,
    /// Only the suite of this binary
    #[arg(long, value_name = "NAME", help_heading = "Suites")]
    bin: Option<String>,
    /// The Cargo.toml of the workspace or of a package [default: of the current folder]
    #[arg(long, value_name = "PATH", help_heading = "Suites")]
    manifest_path: Option<PathBuf>,
}

/// What to do in a workspace without suites.
const NO_SUITE: &str = "\
no suites found. A suite is a binary, example or bench target of a package that depends on `benchbook`. Its source calls
  benchbook::suite!(\"NAME\");";

impl SuiteOptions {
    /// Builds the selected suites for this machine and opens them. A suite that fails is reported; the others remain usable.
    ///
    /// # Errors
    /// If there is no such suite, or if all fail.
    pub(crate) fn open(&self) -> Result<Vec<NativeSuite>> {
        let mut command = MetadataCommand::new();
        if let Some(path) = &self.manifest_path {
            command.manifest_path(path);
        }
        let metadata = command.no_deps().exec().context("reading the workspace")?;
        let targets = self.targets(&metadata)?;
        let (mut opened, mut failed) = (Vec::new(), Vec::new());
        for target in &targets {
            match open(metadata.workspace_root.as_std_path(), target) {
                Ok(suite) => opened.push(suite),
                Err(error) => failed.push(error),
            }
        }
        if opened.is_empty()
            && let Some(error) = failed.pop()
        {
            return Err(error);
        }
        for error in failed {
            anstream::eprintln!("warning: {error:#}");
        }
        Ok(opened)
    }

    fn targets(&self, metadata: &Metadata) -> Result<Vec<SuiteTarget>> {
        let packages = metadata.workspace_packages();
        if let Some(name) = &self.package
            && !packages.iter().any(|package| package.name == *name)
        {
            bail!("this workspace has no package `{name}`");
        }
        let chosen =
            packages.into_iter().filter(|package| self.package.as_ref().is_none_or(|name| package.name == *name));
        let mut targets = Vec::new();
        for package in chosen {
            targets.extend(suites_of(package)?);
        }
        if targets.is_empty() {
            bail!(NO_SUITE);
        }
        let all: Vec<String> = targets.iter().map(|target| format!("`{}`", target.name)).collect();
        targets.retain(|target| self.selects(target));
        if targets.is_empty() {
            bail!("no suite matches. The suites are {}", all.join(", "));
        }
        Ok(targets)
    }

    fn selects(&self, target: &SuiteTarget) -> bool {
        let named = [
            (&self.bench, SuiteTargetKind::Bench),
            (&self.example, SuiteTargetKind::Example),
            (&self.bin, SuiteTargetKind::Bin),
        ];
        named
            .into_iter()
            .all(|(name, kind)| name.as_ref().is_none_or(|name| target.kind == kind && target.name == *name))
    }
}

/// The suites of a package: targets whose source contains `suite!`, if the package depends on `benchbook`.
fn suites_of(package: &Package) -> Result<Vec<SuiteTarget>> {
    if !package.dependencies.iter().any(|dependency| dependency.name == "benchbook") {
        return Ok(Vec::new());
    }
    let mut suites = Vec::new();
    for target in &package.targets {
        let kind = [
            (TargetKind::Bin, SuiteTargetKind::Bin),
            (TargetKind::Example, SuiteTargetKind::Example),
            (TargetKind::Bench, SuiteTargetKind::Bench),
        ];
        let Some((_, kind)) = kind.into_iter().find(|(kind, _)| target.is_kind(kind.clone())) else { continue };
        let source = fs::read_to_string(&target.src_path).with_context(|| format!("reading {}", target.src_path))?;
        if contains_suite(&source) {
            suites.push(SuiteTarget { package: package.name.to_string(), name: target.name.clone(), kind });
        }
    }
    Ok(suites)
}

/// Whether a source calls the macro `suite!`, outside of line comments.
fn contains_suite(source: &str) -> bool {
    let is_call = |code: &str| {
        let mut before = code.match_indices("suite!").map(|(at, _)| code[..at].chars().next_back());
        before.any(|before| before.is_none_or(|before| !before.is_alphanumeric() && before != '_'))
    };
    source.lines().any(|line| line.split("//").next().is_some_and(is_call))
}

fn open(root: &Path, target: &SuiteTarget) -> Result<NativeSuite> {
    let program = compile::native_suite(root, target)?;
    // Without a reaper, only the descendants of a suite may outlive a killed tool.
    let settings = ChildSettings { reaper: Reaper::start().ok(), ..ChildSettings::default() };
    NativeSuite::open_with(&program, settings).with_context(|| format!("starting the suite `{}`", target.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suite_is_found_by_its_macro() {
        for (source, expected) in [
            ("benchbook::suite!(\"mine\");", true),
            ("use benchbook::suite;\nsuite! { \"mine\" }", true),
            ("// benchbook::suite!(\"mine\");\nfn main() {}", false),
            ("/// See suite!\nfn main() {}", false),
            ("test_suite!(mine);", false),
            ("fn main() {}", false),
        ] {
            assert_eq!(contains_suite(source), expected, "{source}");
        }
    }
}
