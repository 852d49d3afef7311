//! What the commands need beyond cargo. Each tool is looked for on PATH, then in the user's cache folder, by name and
//! version; what is in neither is installed there, once.

mod axe;
mod browser;
mod cache;
mod debian;
mod environment;
mod find;
mod npm;
mod platform;
mod requirement;
mod run;
mod rust;
mod trunk;
mod wasm_bindgen;
mod wasm_opt;

use anyhow::{Context, Result};
use xtask::workspace::Workspace;

pub(crate) use axe::Axe;
pub(crate) use browser::Browser;
pub(crate) use environment::Environment;
pub(crate) use find::Tool;

use browser::AnyBrowser;
use platform::Platform;
use requirement::Requirement;
use rust::RustPart;
use trunk::Trunk;
use wasm_bindgen::WasmBindgen;
use wasm_opt::WasmOpt;

/// What a command is about to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Need {
    /// Check the format of the sources.
    Format,
    /// Run the lints, for the browser too.
    Lints,
    /// Build suites.
    Suites,
    /// Build the page, and its suites.
    Page,
    /// Drive a browser.
    Browser,
    /// Look in the page for what keeps people from using it.
    Accessibility,
}

/// Makes sure of all that these need; where something can't be had, nothing is installed.
pub(crate) fn ensure(workspace: &Workspace, needs: &[Need]) -> Result<()> {
    let any = |of: &[Need]| needs.iter().any(|need| of.contains(need));
    let mut required: Vec<Box<dyn Requirement>> = Vec::new();
    if any(&[Need::Format]) {
        required.push(Box::new(RustPart::Command("rustfmt", "fmt")));
    }
    if any(&[Need::Lints]) {
        required.push(Box::new(RustPart::Command("clippy", "clippy")));
    }
    if any(&[Need::Lints, Need::Suites, Need::Page]) {
        required.push(Box::new(RustPart::WasmLibrary));
    }
    if any(&[Need::Suites, Need::Page]) {
        required.push(Box::new(wanted_wasm_opt(workspace)?));
    }
    if any(&[Need::Browser]) {
        required.push(Box::new(AnyBrowser));
    }
    if any(&[Need::Accessibility]) {
        required.push(Box::new(Axe::new()?));
    }
    // The long ones last: what fails in seconds shall not fail after minutes.
    if any(&[Need::Page]) {
        required.push(Box::new(wanted_wasm_bindgen(workspace)?));
        required.push(Box::new(Trunk::new()?));
    }
    requirement::ensure(&required, Platform::here())
}

/// What trunk has to find, once [`Need::Page`] is ensured.
pub(crate) fn environment(workspace: &Workspace) -> Result<Environment> {
    Ok(Environment {
        trunk: Trunk::new()?.find().context(GONE)?,
        wasm_bindgen: wanted_wasm_bindgen(workspace)?.find().context(GONE)?,
        wasm_opt: wasm_opt(workspace)?,
        wanted_wasm_opt: workspace.wasm_opt()?,
    })
}

/// The tool, once [`Need::Suites`] is ensured.
pub(crate) fn wasm_opt(workspace: &Workspace) -> Result<Tool> {
    wanted_wasm_opt(workspace)?.find().context(GONE)
}

/// The browser, once [`Need::Browser`] is ensured.
pub(crate) fn browser() -> Result<Browser> {
    Browser::find()?.context(GONE)
}

/// The script, once [`Need::Accessibility`] is ensured.
pub(crate) fn axe() -> Result<Axe> {
    Axe::new()
}

const GONE: &str = "a tool was there a moment ago, and is gone; repeat the command";

fn wanted_wasm_bindgen(workspace: &Workspace) -> Result<WasmBindgen> {
    WasmBindgen::new(workspace.wasm_bindgen()?)
}

fn wanted_wasm_opt(workspace: &Workspace) -> Result<WasmOpt> {
    WasmOpt::new(workspace.wasm_opt()?)
}
