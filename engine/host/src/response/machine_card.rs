//! `GET machine`: the machine that a runner measures on.

use serde::{Deserialize, Serialize};

use super::{ClockCard, CounterCard};

/// The properties of a machine. A property is absent if the system does not report it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct MachineCard {
    /// The configured name.
    pub name: String,
    /// The processor model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<String>,
    /// The instruction set, such as `x86_64`.
    pub architecture: String,
    /// Online cores; logical ones if the cores have several threads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cores: Option<u32>,
    /// Whether threads share a core (SMT).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub smt: Option<bool>,
    /// The frequency governor of the measuring core, such as `performance`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub governor: Option<String>,
    /// Whether the processor may temporarily exceed its nominal frequency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turbo: Option<bool>,
    /// The frequency range that the governor chooses from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frequency: Option<Frequencies>,
    /// The load average: running and runnable tasks over 1, 5 and 15 minutes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(inner(range(min = 0.0))))]
    pub load: Option<[f64; 3]>,
    /// The hypervisor, such as `KVM`. Absent on bare metal, or if it cannot be detected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub virtualisation: Option<String>,
    /// Name and release of the kernel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kernel: Option<String>,
    /// The compiler that built the runner. A suite's compiler is in its build card.
    pub rustc: String,
    /// Main memory in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
    /// Swapped-out memory in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub swapped_bytes: Option<u64>,
    /// The core that measures. Absent if the kernel schedules the suites on any core.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measuring: Option<MeasuringCore>,
    /// The cores of each NUMA node, such as `0-15,32-47`. Empty if there is only one node.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<String>,
    /// The clock of the suites on this machine, as measured. Absent until a suite has started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockCard>,
    /// The hardware counters, as far as the runner can use them. Absent until a suite has started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counters: Option<CounterCard>,
    /// What protects the machine from the suites.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub protections: Vec<ProtectionStatus>,
    /// Properties that make the figures less accurate.
    pub warnings: Vec<MachineWarning>,
}

/// A range of frequencies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct Frequencies {
    /// The lowest in kHz.
    pub min_khz: u64,
    /// The highest in kHz.
    pub max_khz: u64,
}

/// The core that measures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct MeasuringCore {
    /// The core's number.
    pub core: u32,
    /// Whether the kernel is configured to schedule nothing else on it.
    pub isolated: bool,
    /// Other online hardware threads of the same core. They share its resources.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub siblings: Vec<u32>,
}

/// A mechanism that protects a runner's machine from the suites.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct ProtectionStatus {
    /// The mechanism: `namespaces`, `landlock`, `seccomp`, `limits` or `private_memory`.
    #[cfg_attr(feature = "schema", schemars(extend("enum" = ["namespaces", "landlock", "seccomp", "limits", "private_memory"])))]
    pub name: String,
    /// Whether it applies to every process of a suite.
    pub active: bool,
    /// Why it does not. Absent if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A property of the machine that makes the figures less accurate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct MachineWarning {
    /// The property and its effect on the figures.
    #[serde(rename = "says")]
    pub message: String,
    /// A command that fixes it. Absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "mend")]
    pub fix: Option<String>,
}

impl MachineCard {
    /// What times depend on, as far as the system reports it: `AMD EPYC 9R14, KVM, governor performance, turbo off, core 1`. A result has it as it was
    /// when the runner started.
    pub fn summary(&self) -> String {
        let cpu = self.cpu.clone().unwrap_or_else(|| self.architecture.clone());
        let core = self.measuring.as_ref().map(|measuring| match measuring.isolated {
            true => format!("isolated core {}", measuring.core),
            false => format!("core {}", measuring.core),
        });
        let governor = self.governor.as_ref().map(|governor| format!("governor {governor}"));
        let turbo = self.turbo.map(|turbo| if turbo { "turbo on" } else { "turbo off" }.to_owned());
        let parts = [Some(cpu), self.virtualisation.clone(), governor, turbo, core];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// Identifies a machine by its configured name, its processor and its kernel: results with equal identities come
    /// from the same machine.
    pub fn identity(&self) -> String {
        let or_unknown = |part: &Option<String>| part.clone().unwrap_or_else(|| "unknown".to_owned());
        format!("{}; {}; {}", self.name, or_unknown(&self.cpu), or_unknown(&self.kernel))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_has_what_the_system_reports() {
        let bare: MachineCard = serde_json::from_value(
            serde_json::json!({ "name": "m", "architecture": "x86_64", "rustc": "", "warnings": [] }),
        )
        .expect("the other properties are optional");
        assert_eq!(bare.summary(), "x86_64");
        let card = MachineCard {
            cpu: Some("AMD EPYC 9R14".to_owned()),
            virtualisation: Some("KVM".to_owned()),
            governor: Some("performance".to_owned()),
            turbo: Some(false),
            measuring: Some(MeasuringCore { core: 1, isolated: true, siblings: Vec::new() }),
            ..bare
        };
        assert_eq!(card.summary(), "AMD EPYC 9R14, KVM, governor performance, turbo off, isolated core 1");
    }
}
