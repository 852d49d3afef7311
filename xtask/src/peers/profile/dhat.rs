//! Whether the functions that allocate, and how often, are those that dhat finds.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use benchbook_build::Target;
use benchbook_build::compile;
use serde::Deserialize;
use xtask::workspace::Workspace;

use super::{Report, profile};
use crate::peers::environment::WORKSPACE;

/// What dhat writes about a function.
#[derive(Deserialize)]
struct Heap {
    #[serde(rename = "pps")]
    places: Vec<AllocatingPlace>,
    #[serde(rename = "ftbl")]
    frames: Vec<String>,
}

/// A call stack that allocated.
#[derive(Deserialize)]
struct AllocatingPlace {
    /// Allocations and reallocations.
    #[serde(rename = "tbk")]
    blocks: u64,
    /// Bytes held when the whole program held most.
    #[serde(rename = "gb")]
    peak: u64,
    /// Indices of frames, the innermost one first.
    #[serde(rename = "fs")]
    stack: Vec<usize>,
}

/// The functions in the profile are those of this module.
const MODULE: &str = "peer_functions::allocations::";

/// Functions whose memory consists of pointers, which are half as large in wasm.
const POINTERS: [&str; 2] = ["box_each", "insert"];

/// Prints a table of the allocations.
///
/// # Errors
/// If they differ for a function.
pub(super) fn check(workspace: &Workspace, folder: &Path) -> Result<()> {
    let root = workspace.root().join(WORKSPACE);
    let debug = ["--config", "profile.suite.debug=1"];
    let programs = compile::executables(&root, "peer-dhat", Target::Native, &debug)?;
    let program = programs.get("peer-dhat").with_context(|| format!("{WORKSPACE} has no executable `peer-dhat`"))?;
    let folder = folder.join("dhat");
    fs::create_dir_all(&folder).with_context(|| format!("failed to create {}", folder.display()))?;
    let output = Command::new(program).arg(&folder).output().context("failed to start peer-dhat")?;
    ensure!(output.status.success(), "dhat failed:\n{}", String::from_utf8_lossy(&output.stderr));

    println!(
        "\n| function | allocations per call, by function | bytes held at once | dhat |\n| --- | --- | ---: | --- |"
    );
    let mut different = Vec::new();
    let files = fs::read_dir(&folder).with_context(|| format!("failed to read {}", folder.display()))?;
    let mut paths = files.map(|file| Ok(file?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    for path in paths {
        let function = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let heap: Heap = serde_json::from_str(&fs::read_to_string(&path)?).context("dhat's file has another format")?;
        let arguments = [&format!("allocations::{function}::call"), "--by", "allocations", "--json"];
        let report = Report::parse(&profile(workspace, &root, "peer-suite", &arguments)?)?;
        let peak = report.total()?.peak;
        let (of_dhat, peak_of_dhat) = (heap.sites()?, heap.places.iter().map(|place| place.peak).sum::<u64>());
        let ours = sites(&report);
        let has_peak = !POINTERS.contains(&function.as_str());
        let is_equal = ours == of_dhat && (!has_peak || u64::try_from(peak) == Ok(peak_of_dhat));
        let verdict = if is_equal { "equal".to_owned() } else { format!("**{of_dhat:?}, {peak_of_dhat}**") };
        println!("| `{function}` | {} | {peak} | {verdict} |", listed(&ours));
        different.extend((!is_equal).then_some(function));
    }
    ensure!(different.is_empty(), "the allocations differ from dhat's for {}", different.join(", "));
    Ok(())
}

impl Heap {
    /// The allocations of each function of the module that is innermost in a stack.
    fn sites(&self) -> Result<BTreeMap<String, u64>> {
        let mut sites = BTreeMap::new();
        for place in &self.places {
            let name = place.stack.iter().find_map(|frame| {
                let (_, name) = self.frames.get(*frame)?.split_once(MODULE)?;
                name.split(" (").next()
            });
            let name = name.context("dhat found an allocation outside of the functions")?;
            *sites.entry(name.to_owned()).or_default() += place.blocks;
        }
        Ok(sites)
    }
}

fn sites(report: &Report) -> BTreeMap<String, u64> {
    let site = |row: &super::Row| {
        let allocations = row.own[report.shown].allocations.unsigned_abs() / report.calls();
        let name = row.name.split_once(MODULE).map_or(row.name.as_str(), |(_, name)| name);
        (allocations > 0).then(|| (name.to_owned(), allocations))
    };
    report.functions.iter().filter_map(site).collect()
}

fn listed(sites: &BTreeMap<String, u64>) -> String {
    let sites: Vec<String> = sites.iter().map(|(name, allocations)| format!("{name}: {allocations}")).collect();
    if sites.is_empty() { "none".to_owned() } else { sites.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_is_the_innermost_function_of_the_module() {
        let heap: Heap = serde_json::from_str(
            r#"{"pps": [{"tbk": 6, "gb": 1024, "tb": 2016, "fs": [1, 2, 3]}, {"tbk": 1, "gb": 0, "fs": [2]}, {"tbk": 3, "gb": 0, "fs": [4, 3]}],
            "ftbl": ["[root]", "0x1: alloc::vec::Vec<T,A>::push (mod.rs:1)", "0x2: peer_functions::allocations::push (a.rs:2)",
            "0x3: peer_functions::allocations::outer (a.rs:9)", "0x4: peer_functions::allocations::outer::{{closure}} (a.rs:8)"]}"#,
        )
        .unwrap();
        assert_eq!(
            heap.sites().unwrap(),
            BTreeMap::from([("outer::{{closure}}".to_owned(), 3), ("push".to_owned(), 7)])
        );
    }
}
