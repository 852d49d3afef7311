//! The environment of the process, which determines the defaults.

use std::path::PathBuf;

use directories::ProjectDirs;

use benchbook_accepted::machine::{cpu_list, system};

/// The environment of the process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    /// The host name of this machine; empty if it has none.
    pub host_name: String,
    /// This user's folder for the data of programs; absent if there is no home folder.
    pub data_folder: Option<PathBuf>,
    /// The online cores; empty if unknown.
    pub online: Vec<u32>,
    /// The cores that this process may use.
    pub allowed: Vec<u32>,
    /// The cores that the kernel's scheduler does not use.
    pub isolated: Vec<u32>,
}

impl Environment {
    /// Detects the environment of this process.
    pub fn detect() -> Self {
        let cores = |path| system::read(path).map(|text| cpu_list::parse(&text)).unwrap_or_default();
        let status = system::read("/proc/self/status").unwrap_or_default();
        let allowed = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
        Self {
            host_name: system::host_name().unwrap_or_default(),
            data_folder: ProjectDirs::from("", "", "benchbook").map(|folders| folders.data_dir().to_owned()),
            online: cores("/sys/devices/system/cpu/online"),
            allowed: allowed.map(cpu_list::parse).unwrap_or_default(),
            isolated: cores("/sys/devices/system/cpu/isolated"),
        }
    }

    /// The default name of this machine.
    pub(super) fn default_name(&self) -> String {
        if self.host_name.is_empty() { "runner".to_owned() } else { self.host_name.clone() }
    }

    /// The default core to measure on: an isolated one, or the last of several, since the kernel does most of its own work on
    /// the first. Absent if there is only one.
    pub(super) fn measuring_core(&self) -> Option<u32> {
        let isolated = self.isolated.iter().rfind(|core| self.online.contains(core));
        isolated.or(self.allowed.last().filter(|_| self.allowed.len() > 1)).copied()
    }
}
