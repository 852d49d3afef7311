//! Whether the machine is a real one.

/// What pretends to be a machine; absent on a real one, and where nobody can tell.
pub(super) fn name(file: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    if let Some(kind) = file("/sys/hypervisor/type").filter(|kind| !kind.trim().is_empty()) {
        return Some(if kind.trim() == "xen" { "Xen".to_owned() } else { kind.trim().to_owned() });
    }
    let maker = file("/sys/class/dmi/id/sys_vendor").unwrap_or_default();
    let product = file("/sys/class/dmi/id/product_name").unwrap_or_default();
    let tree = file("/proc/device-tree/hypervisor/compatible").unwrap_or_default();
    let told = format!("{maker} {product} {tree}");
    // A cloud's own machines, which it rents as a whole, have the maker of its virtual ones.
    let is_whole = product.contains(".metal");
    let known = HYPERVISORS.iter().find(|(mark, _)| told.contains(mark) && !is_whole);
    known.map(|(_, name)| (*name).to_owned()).or_else(|| {
        let cpu = file("/proc/cpuinfo")?;
        let flags = cpu.lines().find(|line| line.starts_with("flags"))?;
        flags.split_whitespace().any(|flag| flag == "hypervisor").then(|| "a hypervisor without a name".to_owned())
    })
}

/// What stands in the tables of the firmware, and whose sign it is; the particular ones first.
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
