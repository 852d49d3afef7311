//! The tools that the commands need besides cargo. Each tool is searched on PATH and in the user's cache folder, by name
//! and version. If it is in neither, it is installed into the cache folder, once.

mod axe;
mod cache;
mod cargo_tool;
mod chromium;
mod debian;
mod environment;
mod javascript;
mod npm;
mod other_browsers;
mod other_platform;
mod platform;
mod requirement;
mod run;
mod rust;
mod schemathesis;
mod valgrind;
mod wasm_bindgen;
mod wasm_opt;

use std::env;
use std::path::PathBuf;

use anyhow::{Context, Result};
use benchbook_build::tool::Tool;
use xtask::workspace::Workspace;

pub(crate) use axe::Axe;
pub(crate) use chromium::Chromium;
pub(crate) use environment::PageTools;
pub(crate) use javascript::JavaScriptLibrary;
pub(crate) use other_browsers::{Firefox, WebKit};
pub(crate) use other_platform::{Emulator, OtherPlatform};
pub(crate) use schemathesis::Schemathesis;

use cargo_tool::CargoTool;
use chromium::{ChromiumRequirement, HeadlessShellRequirement, find_headless_shell};
use other_browsers::{FirefoxRequirement, WebKitRequirement};
use platform::Platform;
use requirement::Requirement;
use rust::RustComponent;
use valgrind::Valgrind;
use wasm_bindgen::WasmBindgen;
use wasm_opt::WasmOpt;

/// The purpose for which a command needs tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Need {
    /// Check the formatting of the sources.
    Format,
    /// Run the lints, for wasm too, and check the dependencies.
    Lints,
    /// Build suites.
    Suites,
    /// Build the page and its suites.
    Page,
    /// Drive Chromium.
    Chromium,
    /// Check the accessibility of the page.
    Accessibility,
    /// Measure with libraries in JavaScript.
    JavaScript,
    /// Generate requests from the runner's OpenAPI document.
    Requests,
    /// Count the instructions of native programs.
    Valgrind,
    /// Read exported profiles.
    ProfileReaders,
    /// Write the documents as a book.
    Book,
}

/// Installs the tools that are missing. If one of them cannot be installed, installs none.
pub(crate) fn ensure(workspace: &Workspace, needs: &[Need]) -> Result<()> {
    let any = |of: &[Need]| needs.iter().any(|need| of.contains(need));
    let mut required: Vec<Box<dyn Requirement>> = Vec::new();
    if any(&[Need::Format]) {
        required.push(Box::new(RustComponent::Command("rustfmt", "fmt")));
    }
    if any(&[Need::Lints]) {
        required.push(Box::new(RustComponent::Command("clippy", "clippy")));
    }
    if any(&[Need::Lints, Need::Suites, Need::Page]) {
        required.push(Box::new(RustComponent::WasmLibrary));
    }
    if any(&[Need::Suites, Need::Page]) {
        required.push(Box::new(required_wasm_opt(workspace)?));
    }
    if any(&[Need::Chromium]) {
        required.push(Box::new(ChromiumRequirement));
    }
    if any(&[Need::Accessibility]) {
        required.push(Box::new(Axe::new()?));
    }
    if any(&[Need::JavaScript]) {
        required.extend(
            [JavaScriptLibrary::TINYBENCH, JavaScriptLibrary::MITATA]
                .map(|library| Box::new(library) as Box<dyn Requirement>),
        );
    }
    if any(&[Need::Requests]) {
        required.push(Box::new(Schemathesis::new()?));
    }
    if any(&[Need::ProfileReaders]) {
        required.push(Box::new(JavaScriptLibrary::PROFILER_CLI));
    }
    if any(&[Need::Valgrind]) {
        required.push(Box::new(Valgrind));
    }
    // The slow ones last, so that the others fail early.
    if any(&[Need::Page]) {
        required.push(Box::new(required_wasm_bindgen(workspace)?));
        required.push(Box::new(CargoTool::TRUNK));
    }
    if any(&[Need::Book]) {
        required.push(Box::new(CargoTool::MDBOOK));
    }
    if any(&[Need::Lints]) {
        required.push(Box::new(CargoTool::DENY));
    }
    requirement::ensure(&required, Platform::current())
}

/// The environment of trunk; call [`ensure`] with [`Need::Page`] first.
pub(crate) fn environment(workspace: &Workspace) -> Result<PageTools> {
    Ok(PageTools {
        trunk: CargoTool::TRUNK.find()?.context(REMOVED)?,
        wasm_bindgen: required_wasm_bindgen(workspace)?.find().context(REMOVED)?,
        wasm_opt: wasm_opt(workspace)?,
        required_wasm_opt: workspace.wasm_opt()?,
    })
}

/// mdbook; call [`ensure`] with [`Need::Book`] first.
pub(crate) fn mdbook() -> Result<Tool> {
    CargoTool::MDBOOK.find()?.context(REMOVED)
}

/// cargo-deny; call [`ensure`] with [`Need::Lints`] first.
pub(crate) fn cargo_deny() -> Result<Tool> {
    CargoTool::DENY.find()?.context(REMOVED)
}

/// wasm-opt; call [`ensure`] with [`Need::Suites`] first.
pub(crate) fn wasm_opt(workspace: &Workspace) -> Result<Tool> {
    required_wasm_opt(workspace)?.find().context(REMOVED)
}

/// valgrind; call [`ensure`] with [`Need::Valgrind`] first.
pub(crate) fn valgrind() -> Result<PathBuf> {
    Valgrind::find().context(REMOVED)
}

/// Chromium; call [`ensure`] with [`Need::Chromium`] first.
pub(crate) fn chromium() -> Result<Chromium> {
    Chromium::find()?.context(REMOVED)
}

/// Chromium's headless shell, installed if this machine permits that; call [`ensure`] with [`Need::Chromium`] first. If it is absent, the reason
/// is printed. A browser that the user has chosen with the variable CHROMIUM is used instead.
pub(crate) fn headless_shell() -> Result<Option<PathBuf>> {
    if env::var_os("CHROMIUM").is_some() {
        return Ok(None);
    }
    // A failed installation has been printed, too.
    let is_installed = requirement::ensure_optional(&HeadlessShellRequirement, Platform::current()).unwrap_or(false);
    if is_installed { find_headless_shell() } else { Ok(None) }
}

/// axe-core; call [`ensure`] with [`Need::Accessibility`] first.
pub(crate) fn axe() -> Result<Axe> {
    Axe::new()
}

/// schemathesis; call [`ensure`] with [`Need::Requests`] first.
pub(crate) fn schemathesis() -> Result<Schemathesis> {
    Schemathesis::new()
}

/// Firefox, installed if this machine permits that. If it is absent, the reason is printed.
pub(crate) fn firefox() -> Result<Option<Firefox>> {
    let is_installed = requirement::ensure_optional(&FirefoxRequirement, Platform::current())?;
    if is_installed { Firefox::find() } else { Ok(None) }
}

/// WebKit, installed if this machine permits that. If it is absent, the reason is printed.
pub(crate) fn webkit() -> Result<Option<WebKit>> {
    let is_installed = requirement::ensure_optional(&WebKitRequirement, Platform::current())?;
    Ok(is_installed.then(WebKit::find).flatten())
}

/// The platforms that this machine can compile for, once their compilers are installed, if it permits that. If one is absent, the reason is printed.
pub(crate) fn other_platforms() -> Result<Vec<OtherPlatform>> {
    let mut installed = Vec::new();
    for platform in OtherPlatform::ALL {
        if requirement::ensure_optional(&platform, Platform::current())? {
            installed.push(platform);
        }
    }
    Ok(installed)
}

const REMOVED: &str = "a tool has disappeared since it was checked; repeat the command";

fn required_wasm_bindgen(workspace: &Workspace) -> Result<WasmBindgen> {
    WasmBindgen::new(workspace.wasm_bindgen()?)
}

fn required_wasm_opt(workspace: &Workspace) -> Result<WasmOpt> {
    WasmOpt::new(workspace.wasm_opt()?)
}
