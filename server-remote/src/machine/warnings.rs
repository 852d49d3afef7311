//! What of a machine makes figures worse, and the command that mends it.

use benchbook_host::api::{MachineCard, MachineWarning};

/// Where Intel's driver is told to do without turbo.
pub(super) const NO_TURBO: &str = "/sys/devices/system/cpu/intel_pstate/no_turbo";

/// Where other drivers are told to do with it.
pub(super) const BOOST: &str = "/sys/devices/system/cpu/cpufreq/boost";

/// What is to be said of a card; `file` knows which of two files this kernel has.
pub(super) fn of(card: &MachineCard, file: &dyn Fn(&str) -> Option<String>) -> Vec<MachineWarning> {
    let all = [virtualised(card), core(card), governor(card), turbo(card, file), sibling(card), load(card), swap(card)];
    all.into_iter().flatten().collect()
}

fn warning(says: impl Into<String>, mend: impl Into<Option<String>>) -> Option<MachineWarning> {
    Some(MachineWarning { says: says.into(), mend: mend.into() })
}

fn virtualised(card: &MachineCard) -> Option<MachineWarning> {
    let hypervisor = card.virtualisation.as_ref()?;
    let says = format!(
        "This machine is a virtual one ({hypervisor}): others may use its core and its caches, unseen. Measure on a real \
         one, or on one that is rented as a whole."
    );
    warning(says, None)
}

fn core(card: &MachineCard) -> Option<MachineWarning> {
    match &card.measuring {
        Some(measuring) if measuring.isolated => None,
        Some(measuring) => {
            let core = measuring.core;
            let says = format!(
                "Core {core} measures, and the kernel gives it to other programs too. Isolate it, and start the machine \
                 anew (with GRUB on Debian; elsewhere add both to the kernel's command line)."
            );
            let line = format!("GRUB_CMDLINE_LINUX=\"$GRUB_CMDLINE_LINUX isolcpus={core} nohz_full={core}\"");
            let command = format!(
                "echo '{line}' | sudo tee /etc/default/grub.d/benchbook.cfg && sudo update-grub && sudo reboot"
            );
            warning(says, command)
        }
        None if card.cores == Some(1) => warning(
            "This machine has one core: whatever else it does, the runner included, disturbs what is measured.",
            None,
        ),
        None => warning(
            "No core is set apart for measuring, so the kernel moves what is measured from core to core.",
            card.cores.map(|cores| format!("benchbook-server --core {}", cores - 1)),
        ),
    }
}

fn governor(card: &MachineCard) -> Option<MachineWarning> {
    let governor = card.governor.as_ref().filter(|governor| *governor != "performance")?;
    let cores = card.measuring.as_ref().map_or_else(|| "*".to_owned(), |measuring| measuring.core.to_string());
    warning(
        format!("The governor `{governor}` changes the frequency while something is measured."),
        format!("echo performance | sudo tee /sys/devices/system/cpu/cpu{cores}/cpufreq/scaling_governor"),
    )
}

fn turbo(card: &MachineCard, file: &dyn Fn(&str) -> Option<String>) -> Option<MachineWarning> {
    card.turbo.filter(|turbo| *turbo)?;
    let command = if file(NO_TURBO).is_some() {
        format!("echo 1 | sudo tee {NO_TURBO}")
    } else {
        format!("echo 0 | sudo tee {BOOST}")
    };
    warning("Turbo is on: the frequency depends on how warm the processor is and on what other cores do.", command)
}

fn sibling(card: &MachineCard) -> Option<MachineWarning> {
    let measuring = card.measuring.as_ref().filter(|measuring| !measuring.siblings.is_empty())?;
    let siblings: Vec<_> = measuring.siblings.iter().map(u32::to_string).collect();
    let files: Vec<_> = siblings.iter().map(|core| format!("/sys/devices/system/cpu/cpu{core}/online")).collect();
    warning(
        format!(
            "Core {} shares its units and caches with core {}, which is online.",
            measuring.core,
            siblings.join(", ")
        ),
        format!("echo 0 | sudo tee {}", files.join(" ")),
    )
}

/// One task is what measures. A few others do little harm on a machine of many cores: a quarter of the rest may be busy
/// before memory and frequency are shared with too many.
fn load(card: &MachineCard) -> Option<MachineWarning> {
    let [load, ..] = card.load?;
    let cores = card.cores?;
    if load <= 1.0 + f64::from(cores - 1) / 4.0 {
        return None;
    }
    warning(
        format!("The machine is busy: {load} tasks ran in the last minute, on average, and it has {cores} cores."),
        "ps -eo pcpu,pid,user,comm --sort=-pcpu | head".to_owned(),
    )
}

fn swap(card: &MachineCard) -> Option<MachineWarning> {
    let swapped = card.swapped_bytes.filter(|bytes| *bytes > 0)?;
    warning(
        format!(
            "{} MiB of memory were moved to disk, and reading them back takes milliseconds.",
            swapped.div_ceil(1 << 20)
        ),
        "sudo swapoff -a".to_owned(),
    )
}
