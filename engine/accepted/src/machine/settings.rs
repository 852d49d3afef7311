//! The settings of a machine that affect measurements, as a checklist.

use benchbook_host::response::{MachineCard, MachineWarning};

use super::warnings::{self, SMT_CONTROL, warning};

/// A checked setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineSetting {
    /// Its name, such as `governor`.
    pub name: &'static str,
    /// Its value, such as `performance`. Absent if this machine doesn't show it.
    pub value: Option<String>,
    /// Why the value makes measurements less precise, and how to change it. Absent if it doesn't, or is unknown.
    pub warning: Option<MachineWarning>,
}

/// The settings of a machine on which the kernel chooses the measuring core. `file` returns the text of a kernel file.
pub fn settings(card: &MachineCard, file: &dyn Fn(&str) -> Option<String>) -> Vec<MachineSetting> {
    let on_or_off = |is_on: bool| if is_on { "on" } else { "off" }.to_owned();
    let is_readable = file("/proc/cpuinfo").is_some();
    let virtualisation = card.virtualisation.clone().or_else(|| is_readable.then(|| "none".to_owned()));
    let load = card.load.zip(card.cores).map(|([load, ..], cores)| format!("{load} on {cores} cores"));
    let swapped = card.swapped_bytes.map(|bytes| format!("{} MiB", bytes.div_ceil(1 << 20)));
    [
        ("virtualisation", virtualisation, warnings::virtualised(card)),
        ("governor", card.governor.clone(), warnings::governor(card)),
        ("turbo", card.turbo.map(on_or_off), warnings::turbo(card, file)),
        ("shared cores (SMT)", card.smt.map(on_or_off), shared_cores(card)),
        ("load", load, warnings::load(card)),
        ("swapped memory", swapped, warnings::swap(card)),
    ]
    .map(|(name, value, warning)| MachineSetting { name, value, warning })
    .into()
}

fn shared_cores(card: &MachineCard) -> Option<MachineWarning> {
    card.smt.filter(|is_on| *is_on)?;
    let text =
        "Two threads share each core, so other processes can slow down the measured one undetected. Turn it off.";
    warning(text, format!("echo off | sudo tee {SMT_CONTROL}"))
}
