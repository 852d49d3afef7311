//! The model of the processor.

/// The model as reported by the kernel. On ARM, which reports only numbers, the name of the core.
pub(super) fn model(file: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let text = file("/proc/cpuinfo")?;
    let model = field(&text, "model name").or_else(|| field(&text, "cpu model")).map(str::to_owned);
    model.or_else(|| arm(&text)).or_else(|| {
        let board = file("/proc/device-tree/model")?;
        Some(board.trim_end_matches('\0').trim().to_owned()).filter(|board| !board.is_empty())
    })
}

/// The first value of a field.
fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == name && !value.trim().is_empty()).then(|| value.trim())
    })
}

fn arm(text: &str) -> Option<String> {
    let implementer = field(text, "CPU implementer")?;
    let part = field(text, "CPU part")?;
    let core = CORES.iter().find(|(maker, number, _)| *maker == implementer && *number == part);
    Some(core.map_or_else(|| format!("ARM core {part} of implementer {implementer}"), |core| core.2.to_owned()))
}

/// Implementer, part and name of common servers and boards, from the main ID registers in ARM's technical reference manuals.
const CORES: &[(&str, &str, &str)] = &[
    ("0x41", "0xd03", "ARM Cortex-A53"),
    ("0x41", "0xd08", "ARM Cortex-A72"),
    ("0x41", "0xd0b", "ARM Cortex-A76"),
    ("0x41", "0xd0c", "ARM Neoverse N1"),
    ("0x41", "0xd40", "ARM Neoverse V1"),
    ("0x41", "0xd49", "ARM Neoverse N2"),
    ("0x41", "0xd4f", "ARM Neoverse V2"),
    ("0xc0", "0xac3", "Ampere-1"),
];
