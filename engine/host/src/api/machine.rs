//! `GET machine`: where a runner measures.

use serde::{Deserialize, Serialize};

use crate::sample::clock_card::ClockCard;

/// The environment card: what is known of a machine. Absent is what the system does not tell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MachineCard {
    /// What people call it.
    pub name: String,
    /// The model of its processor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<String>,
    /// What the processor executes, such as `x86_64`.
    pub architecture: String,
    /// How many cores are online, logical ones where cores have threads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cores: Option<u32>,
    /// Whether threads share a core (SMT).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub smt: Option<bool>,
    /// What decides on the frequency of the measuring core, such as `performance`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub governor: Option<String>,
    /// Whether the frequency may rise above the nominal one for a while.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turbo: Option<bool>,
    /// The frequencies that the governor chooses from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frequency: Option<Frequencies>,
    /// How many tasks ran or wanted to, on average over 1, 5 and 15 minutes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub load: Option<[f64; 3]>,
    /// What pretends to be a machine, such as `KVM`; absent on a real one, and where nobody can tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub virtualisation: Option<String>,
    /// Name and release of the kernel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kernel: Option<String>,
    /// The compiler of the runner. That of a suite is in its build card.
    pub rustc: String,
    /// Main memory in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
    /// What of main memory was moved to disk, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub swapped_bytes: Option<u64>,
    /// The core that measures; absent where the kernel chooses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measuring: Option<MeasuringCore>,
    /// The cores of each part of the machine that has memory of its own (NUMA), such as `0-15,32-47`; empty where it is
    /// one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<String>,
    /// The clock of the suites that measure there, as measured; absent until one was started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClockCard>,
    /// What makes its figures worse.
    pub warnings: Vec<MachineWarning>,
}

/// A range of frequencies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frequencies {
    /// The lowest in kHz.
    pub min_khz: u64,
    /// The highest in kHz.
    pub max_khz: u64,
}

/// The core that measures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeasuringCore {
    /// Its number.
    pub core: u32,
    /// Whether the kernel gives it to nobody by itself.
    pub isolated: bool,
    /// Other threads of the same core that are online, and take from it what they use.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub siblings: Vec<u32>,
}

/// Something that makes figures worse.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MachineWarning {
    /// What it is and what it does to figures, for people.
    pub says: String,
    /// The command that mends it; absent where none does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mend: Option<String>,
}

impl MachineCard {
    /// Results are of the same machine where this is the same: the name that people gave it, its processor and its kernel.
    pub fn identity(&self) -> String {
        let told = |part: &Option<String>| part.clone().unwrap_or_else(|| "unknown".to_owned());
        format!("{}; {}; {}", self.name, told(&self.cpu), told(&self.kernel))
    }
}
