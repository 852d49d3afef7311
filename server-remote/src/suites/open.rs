//! Opens the configured suites.

use anyhow::{Result, bail};
use benchbook_contract::catalog::MAX_NAME;
use benchbook_host::api::SuiteEntry;
use benchbook_host::child::{NativeSuite, SuiteError};

use crate::config::{Config, SuiteFiles};
use crate::suites::Protections;
use crate::suites::code::SuiteCode;
use crate::suites::table::{HostedSuite, SuiteModules, module_address};

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
    let mut suite = open_executable(files, config, protections)?;
    for missing in suite.native.unenforced() {
        tracing::warn!("a limit on {executable} does not apply: {missing}");
    }
    let name = suite.name().to_owned();
    if let Some(path) = &files.wasm {
        suite.wasm = Some(SuiteModules::read(path)?);
        suite.entry.can_count = suite.counting_module().is_some();
        suite.entry.wasm = Some(module_address(&name));
    } else {
        tracing::warn!("browsers cannot measure the suite {name}: there is no wasm build next to {executable}");
    }
    tracing::info!(suite = %name, functions = suite.entry.suite.functions.len(), "opened {executable}");
    Ok(suite)
}

/// Opens the executable of a suite, without its wasm build.
///
/// # Errors
/// If it cannot be started, or is not a suite.
pub(crate) fn open_executable(
    files: &SuiteFiles,
    config: &Config,
    protections: &Protections,
) -> Result<HostedSuite, SuiteError> {
    let native = NativeSuite::open_with(&files.executable, protections.settings(config, files))?;
    let (suite, card) = (native.suite().clone(), native.card().clone());
    let entry = SuiteEntry { suite, card, wasm: None, can_count: false, retained: Vec::new() };
    Ok(HostedSuite { native, entry, wasm: None, code: SuiteCode::default() })
}

/// Checks the names, which identify suites in requests and in the paths of wasm builds.
fn check_names(suites: &[HostedSuite]) -> Result<()> {
    for (index, suite) in suites.iter().enumerate() {
        check_name(suite.name(), suites[..index].iter().map(HostedSuite::name))?;
    }
    Ok(())
}

/// Checks that the name of a suite is valid, and differs from `others`. The name of a package may precede it, as in `encode/benches`.
///
/// # Errors
/// If the name is not unique, or contains other characters than file names may.
pub(crate) fn check_name<'a>(name: &str, mut others: impl Iterator<Item = &'a str>) -> Result<()> {
    let is_allowed = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
    let is_valid = |part: &str| !part.is_empty() && part.chars().all(is_allowed);
    if name.len() > MAX_NAME || !name.splitn(2, '/').all(is_valid) {
        bail!("invalid suite name `{name}`; use at most {MAX_NAME} letters, digits, `-`, `_` and `.` in its `suite!`");
    }
    if others.any(|other| other == name) {
        bail!("two suites have the name `{name}`; remove or rename one of them");
    }
    Ok(())
}
