//! Detects virtual machines.

/// The name of the hypervisor; absent on physical machines, and if none can be detected.
pub(super) fn name(file: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    if let Some(kind) = file("/sys/hypervisor/type").filter(|kind| !kind.trim().is_empty()) {
        return Some(if kind.trim() == "xen" { "Xen".to_owned() } else { kind.trim().to_owned() });
    }
    let maker = file("/sys/class/dmi/id/sys_vendor").unwrap_or_default();
    let product = file("/sys/class/dmi/id/product_name").unwrap_or_default();
    let tree = file("/proc/device-tree/hypervisor/compatible").unwrap_or_default();
    let firmware = format!("{maker} {product} {tree}");
    // A cloud's bare-metal machines have the same vendor as its virtual ones.
    let is_bare_metal = product.contains(".metal");
    let hypervisor = HYPERVISORS.iter().find(|(text, _)| firmware.contains(text) && !is_bare_metal);
    hypervisor.map(|(_, name)| (*name).to_owned()).or_else(|| {
        let cpu = file("/proc/cpuinfo")?;
        let flags = cpu.lines().find(|line| line.starts_with("flags"))?;
        flags.split_whitespace().any(|flag| flag == "hypervisor").then(|| "an unnamed hypervisor".to_owned())
    })
}

/// Texts in the firmware's tables and their hypervisors, most specific first.
const HYPERVISORS: &[(&str, &str)] = &[
    ("Amazon EC2", "Amazon EC2"),
    ("Google Compute Engine", "Google Compute Engine"),
    ("VMware", "VMware"),
    ("VirtualBox", "VirtualBox"),
    ("Microsoft Corporation Virtual Machine", "Hyper-V"),
    ("Parallels", "Parallels"),
    ("KVM", "KVM"),
    ("linux,kvm", "KVM"),
    ("QEMU", "QEMU"),
];
