//! Opens the configured suites.

use anyhow::{Context, Result, bail};
use benchbook_contract::catalog::MAX_NAME;
use benchbook_host::api::SuiteEntry;
use benchbook_host::child::NativeSuite;

use crate::config::{Config, SuiteFiles};
use crate::protections::Protections;
use crate::suite_table::{HostedSuite, module_address};

/// Opens all suites.
///
/// # Errors
/// If a suite cannot be opened, or its name is invalid or not unique.
pub(crate) fn open_suites(config: &Config, protections: &Protections) -> Result<Vec<HostedSuite>> {
    let suites: Vec<_> = config.suites.iter().map(|files| open(files, config, protections)).collect::<Result<_>>()?;
    check_names(&suites)?;
    Ok(suites)
}

/// Opens a suite.
///
/// # Errors
/// If it cannot be started, or is not a suite.
pub(crate) fn open(files: &SuiteFiles, config: &Config, protections: &Protections) -> Result<HostedSuite> {
    let executable = files.executable.display();
    let native = NativeSuite::open_with(&files.executable, protections.settings(config, files))?;
    for missing in native.unenforced() {
        tracing::warn!("a limit on {executable} does not apply: {missing}");
    }
    let name = native.suite().name.clone();
    let wasm = match &files.wasm {
        Some(path) => Some(std::fs::read(path).with_context(|| format!("reading {}", path.display()))?),
        None => None,
    };
    if wasm.is_none() {
        tracing::warn!("browsers cannot measure the suite {name}: there is no wasm build next to {executable}");
    }
    let entry = SuiteEntry {
        suite: native.suite().clone(),
        card: native.card().clone(),
        wasm: wasm.is_some().then(|| module_address(&name)),
        retained: Vec::new(),
    };
    tracing::info!(suite = %name, functions = entry.suite.functions.len(), "opened {executable}");
    Ok(HostedSuite { native, entry, wasm: wasm.map(Into::into) })
}

/// Checks the names, which identify suites in requests and in the paths of wasm builds.
fn check_names(suites: &[HostedSuite]) -> Result<()> {
    for (index, suite) in suites.iter().enumerate() {
        check_name(suite.name(), suites[..index].iter().map(HostedSuite::name))?;
    }
    Ok(())
}

/// Checks that the name of a suite is valid, and differs from `others`.
///
/// # Errors
/// If the name is not unique, or contains other characters than file names may.
pub(crate) fn check_name<'a>(name: &str, mut others: impl Iterator<Item = &'a str>) -> Result<()> {
    let is_allowed = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
    if name.is_empty() || name.len() > MAX_NAME || !name.chars().all(is_allowed) {
        bail!("invalid suite name `{name}`; use at most {MAX_NAME} letters, digits, `-`, `_` and `.` in its `suite!`");
    }
    if others.any(|other| other == name) {
        bail!("two suites have the name `{name}`; remove or rename one of them");
    }
    Ok(())
}
