//! Builds the environment card from the kernel's files.

use benchbook_contract::compilation::RUSTC;
use benchbook_host::response::{Frequencies, MachineCard, MeasuringCore};

use super::{cpu, cpu_list, virtualisation, warnings};

/// The inputs of a card that are not in the kernel's files.
#[derive(Clone, Copy, Debug)]
pub struct CardInputs<'a> {
    /// The display name of the machine.
    pub name: &'a str,
    /// The instruction set, such as `x86_64`.
    pub architecture: &'a str,
    /// The name and release of the kernel.
    pub kernel: Option<&'a str>,
    /// The measuring core; absent if the kernel chooses.
    pub core: Option<u32>,
}

/// Builds a card. `file` returns the text of a kernel file by path; it returns nothing on systems without `/proc` and `/sys`.
pub fn card(inputs: &CardInputs<'_>, file: &dyn Fn(&str) -> Option<String>) -> MachineCard {
    let word = |path: &str| file(path).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    let list = |path: &str| file(path).map(|text| cpu_list::parse(&text)).unwrap_or_default();
    let online = list("/sys/devices/system/cpu/online");
    // Without a measuring core, the first one represents all.
    let scaling = |name: &str| {
        let core = inputs.core.or(online.first().copied()).unwrap_or_default();
        word(&format!("/sys/devices/system/cpu/cpu{core}/cpufreq/{name}"))
    };
    let khz = |name| scaling(name)?.parse().ok();
    let frequency =
        khz("scaling_min_freq").zip(khz("scaling_max_freq")).map(|(min_khz, max_khz)| Frequencies { min_khz, max_khz });
    let memory = file("/proc/meminfo").unwrap_or_default();
    let measuring = inputs.core.map(|core| MeasuringCore {
        core,
        isolated: list("/sys/devices/system/cpu/isolated").contains(&core),
        siblings: list(&format!("/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list"))
            .into_iter()
            .filter(|sibling| *sibling != core && online.contains(sibling))
            .collect(),
    });
    let nodes = list("/sys/devices/system/node/online");
    let nodes: Vec<_> =
        nodes.iter().filter_map(|node| word(&format!("/sys/devices/system/node/node{node}/cpulist"))).collect();
    let mut card = MachineCard {
        name: inputs.name.to_owned(),
        cpu: cpu::model(file),
        architecture: inputs.architecture.to_owned(),
        cores: u32::try_from(online.len()).ok().filter(|cores| *cores > 0),
        smt: word("/sys/devices/system/cpu/smt/active").map(|active| active == "1"),
        governor: scaling("scaling_governor"),
        turbo: turbo(&word),
        frequency,
        load: file("/proc/loadavg").and_then(|text| load(&text)),
        virtualisation: virtualisation::name(file),
        kernel: inputs.kernel.map(str::to_owned),
        rustc: RUSTC.to_owned(),
        memory_bytes: bytes(&memory, "MemTotal"),
        swapped_bytes: bytes(&memory, "SwapTotal")
            .zip(bytes(&memory, "SwapFree"))
            .map(|(total, free)| total.saturating_sub(free)),
        measuring,
        nodes: if nodes.len() > 1 { nodes } else { Vec::new() },
        counters: None,
        protections: Vec::new(),
        clock: None,
        warnings: Vec::new(),
    };
    card.warnings = warnings::warnings(&card, file);
    card
}

/// The setting of Intel's driver is inverted.
fn turbo(word: &dyn Fn(&str) -> Option<String>) -> Option<bool> {
    let intel = word(warnings::NO_TURBO).map(|text| text == "0");
    intel.or_else(|| word(warnings::BOOST).map(|text| text == "1"))
}

fn load(text: &str) -> Option<[f64; 3]> {
    let mut averages = text.split_whitespace().map_while(|word| word.parse().ok());
    Some([averages.next()?, averages.next()?, averages.next()?])
}

/// A line of `/proc/meminfo` in bytes. The unit of the file is KiB, although it prints kB.
fn bytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1_024)
}
