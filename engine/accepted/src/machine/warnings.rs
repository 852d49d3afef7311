//! Warnings about settings of the machine that make measurements less precise, with commands that fix them.

use benchbook_host::response::{MachineCard, MachineWarning};

/// The setting of Intel's driver that disables turbo.
pub const NO_TURBO: &str = "/sys/devices/system/cpu/intel_pstate/no_turbo";

/// The setting of other drivers that enables turbo.
pub const BOOST: &str = "/sys/devices/system/cpu/cpufreq/boost";

/// The setting that lets two threads share a core.
pub(super) const SMT_CONTROL: &str = "/sys/devices/system/cpu/smt/control";

/// The warnings about a card. `file` returns the text of a kernel file, which shows which setting this kernel has.
pub(super) fn warnings(card: &MachineCard, file: &dyn Fn(&str) -> Option<String>) -> Vec<MachineWarning> {
    let all = [virtualised(card), core(card), governor(card), turbo(card, file), sibling(card), load(card), swap(card)];
    all.into_iter().flatten().collect()
}

pub(super) fn warning(message: impl Into<String>, fix: impl Into<Option<String>>) -> Option<MachineWarning> {
    Some(MachineWarning { message: message.into(), fix: fix.into() })
}

pub(super) fn virtualised(card: &MachineCard) -> Option<MachineWarning> {
    let hypervisor = card.virtualisation.as_ref()?;
    let text = format!(
        "Virtual machine ({hypervisor}): other guests may share its core and caches undetected. Measure on a physical or \
         bare-metal machine."
    );
    warning(text, None)
}

fn core(card: &MachineCard) -> Option<MachineWarning> {
    match &card.measuring {
        Some(measuring) if measuring.isolated => None,
        Some(measuring) => {
            let core = measuring.core;
            let text = format!(
                "Other processes may use the measuring core {core}. Isolate it, then reboot. The command is for GRUB on Debian; \
                 elsewhere add both options to the kernel's command line."
            );
            let line = format!("GRUB_CMDLINE_LINUX=\"$GRUB_CMDLINE_LINUX isolcpus={core} nohz_full={core}\"");
            let command = format!(
                "echo '{line}' | sudo tee /etc/default/grub.d/benchbook.cfg && sudo update-grub && sudo reboot"
            );
            warning(text, command)
        }
        None if card.cores == Some(1) => warning(
            "This machine has a single core, which the measured process shares with all others, including the runner. Use \
             a machine with several cores.",
            None,
        ),
        None => warning(
            "No measuring core is configured, so the kernel moves the measured process between cores. Choose a core.",
            card.cores.map(|cores| format!("benchbook-server --core {}", cores - 1)),
        ),
    }
}

pub(super) fn governor(card: &MachineCard) -> Option<MachineWarning> {
    let governor = card.governor.as_ref().filter(|governor| *governor != "performance")?;
    let cores = card.measuring.as_ref().map_or_else(|| "*".to_owned(), |measuring| measuring.core.to_string());
    warning(
        format!("The governor `{governor}` changes the frequency during measurements. Use `performance`."),
        format!("echo performance | sudo tee /sys/devices/system/cpu/cpu{cores}/cpufreq/scaling_governor"),
    )
}

pub(super) fn turbo(card: &MachineCard, file: &dyn Fn(&str) -> Option<String>) -> Option<MachineWarning> {
    card.turbo.filter(|turbo| *turbo)?;
    let command = if file(NO_TURBO).is_some() {
        format!("echo 1 | sudo tee {NO_TURBO}")
    } else {
        format!("echo 0 | sudo tee {BOOST}")
    };
    let text = "Turbo is on: the frequency depends on the temperature and on the load of other cores. Turn it off.";
    warning(text, command)
}

fn sibling(card: &MachineCard) -> Option<MachineWarning> {
    let measuring = card.measuring.as_ref().filter(|measuring| !measuring.siblings.is_empty())?;
    let siblings: Vec<_> = measuring.siblings.iter().map(u32::to_string).collect();
    let files: Vec<_> = siblings.iter().map(|core| format!("/sys/devices/system/cpu/cpu{core}/online")).collect();
    warning(
        format!(
            "The measuring core {} shares its execution units and caches with core {}. Take that one offline.",
            measuring.core,
            siblings.join(", ")
        ),
        format!("echo 0 | sudo tee {}", files.join(" ")),
    )
}

/// The measured process accounts for a load of 1. In addition, a quarter of the other cores may be busy: beyond that, too
/// many processes share memory bandwidth and frequency.
pub(super) fn load(card: &MachineCard) -> Option<MachineWarning> {
    let [load, ..] = card.load?;
    let cores = card.cores?;
    if load <= 1.0 + f64::from(cores - 1) / 4.0 {
        return None;
    }
    warning(
        format!("The machine is busy: load {load} on {cores} cores in the last minute. Stop other processes."),
        "ps -eo pcpu,pid,user,comm --sort=-pcpu | head".to_owned(),
    )
}

pub(super) fn swap(card: &MachineCard) -> Option<MachineWarning> {
    let swapped = card.swapped_bytes.filter(|bytes| *bytes > 0)?;
    let mib = swapped.div_ceil(1 << 20);
    warning(
        format!("{mib} MiB of memory are swapped out; reading them back takes milliseconds. Turn swap off."),
        "sudo swapoff -a".to_owned(),
    )
}
