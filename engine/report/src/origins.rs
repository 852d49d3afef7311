//! The origin of the results of a cell: the machine, the build and the compiler of each.

use benchbook_host::response::{Machine, MachineKind};
use benchbook_notebook::result::CellResult;

use super::results::Results;
use super::shown_trace::BUILD_DIGITS;

/// A line for each machine and build whose curves are shown: the original results first, then the repeated ones, then the overlays.
pub fn origin_lines(results: &Results) -> Vec<String> {
    let shown: Vec<_> = results.earlier[results.hidden()..].iter().chain(&results.latest).collect();
    let Some(last) = shown.last().copied() else { return Vec::new() };
    let mut lines: Vec<String> = Vec::new();
    for result in shown.into_iter().chain(&results.overlays) {
        let line = origin_line(result, &last.setup.machine);
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines
}

/// The origin of a result in relation to the machine that measured last, which may have the same name:
/// `native code on reference-01 (AMD EPYC 9R14, KVM, core 1) · demo 0.1.0 (3f2a81c0…) · rustc 1.95.0, suite profile, opt-level 3, LTO thin · commit 77c0a41f0b12`
fn origin_line(result: &CellResult, last: &Machine) -> String {
    let (setup, suite) = (&result.setup, &result.setup.suite);
    let fingerprint: String = suite.fingerprint.chars().take(BUILD_DIGITS).collect();
    // Without the commit and the date of the compiler.
    let compiler = suite.build.compiler();
    let machine = if setup.machine.is_same(last) { last.name.clone() } else { setup.machine.name_next_to(last) };
    let machine = match (setup.machine.kind, &setup.machine.processor) {
        (MachineKind::Browser, None) => format!("WebAssembly in {machine}"),
        (MachineKind::Browser, Some(processor)) => format!("WebAssembly in {machine} on {processor}"),
        (MachineKind::Native, None) => format!("native code on {machine}"),
        (MachineKind::Native, Some(processor)) => format!("native code on {machine} ({processor})"),
    };
    let (name, version, settings) = (&suite.name, &suite.version, suite.build.settings());
    let commit = suite.commit.as_ref().map_or_else(String::new, |commit| format!(" · commit {commit}"));
    format!("{machine} · {name} {version} ({fingerprint}…) · {compiler}, {settings}{commit}")
}
