//! What the defaults come from.

use std::path::PathBuf;

use directories::ProjectDirs;

use crate::machine::{cpu_list, system};

/// What the defaults come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// What this machine calls itself; empty where it does not.
    pub host_name: String,
    /// Where this user's programs keep their data; absent where there is no home.
    pub data_folder: Option<PathBuf>,
    /// Cores online; empty where nobody tells.
    pub online: Vec<u32>,
    /// Those of them that this process may use.
    pub allowed: Vec<u32>,
    /// Those that the kernel gives to nobody by itself.
    pub isolated: Vec<u32>,
}

impl Surroundings {
    /// Those of this process.
    pub fn here() -> Self {
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

    /// What to call this machine where nobody says.
    pub(super) fn name(&self) -> String {
        if self.host_name.is_empty() { "runner".to_owned() } else { self.host_name.clone() }
    }

    /// The core to measure on: an isolated one, or the last of several, since the kernel puts most of its own work on the
    /// first; absent where there is one only.
    pub(super) fn measuring_core(&self) -> Option<u32> {
        let isolated = self.isolated.iter().rfind(|core| self.online.contains(core));
        isolated.or(self.allowed.last().filter(|_| self.allowed.len() > 1)).copied()
    }
}
