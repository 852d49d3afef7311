//! The machine that measures: its environment card, its settings with warnings, and the time that other virtual machines take.
//!
//! [`card`] and [`settings`] are pure: a function provides the texts of the kernel's files. Only [`system`] reads this machine's files.

mod card;
mod cpu;
pub mod cpu_list;
mod cpu_time;
mod settings;
pub mod system;
mod virtualisation;
mod warnings;

use benchbook_host::response::MachineCard;

pub use card::{CardInputs, card};
pub use cpu_time::CpuTime;
pub use settings::{MachineSetting, settings};
pub use warnings::{BOOST, NO_TURBO};

/// The current card of this machine; `core` measures.
pub fn current_card(name: &str, core: Option<u32>) -> MachineCard {
    let kernel = system::kernel();
    let inputs = CardInputs { name, architecture: std::env::consts::ARCH, kernel: kernel.as_deref(), core };
    card(&inputs, &system::read)
}

/// The current settings of this machine, whose card is `card`.
pub fn current_settings(card: &MachineCard) -> Vec<MachineSetting> {
    settings(card, &system::read)
}

/// The time of this machine's processors until now. `None` on systems without `/proc/stat`.
pub fn current_cpu_time() -> Option<CpuTime> {
    CpuTime::parse(&system::read("/proc/stat")?)
}
