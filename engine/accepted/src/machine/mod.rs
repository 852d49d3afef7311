//! The machine that measures: its environment card, and warnings about its settings.
//!
//! [`card`] is pure: a function provides the texts of the kernel's files. Only [`system`] reads this machine's files.

mod card;
mod cpu;
pub mod cpu_list;
pub mod system;
mod virtualisation;
mod warnings;

use benchbook_host::response::MachineCard;

pub use card::{CardInputs, card};

/// The current card of this machine; `core` measures.
pub fn current_card(name: &str, core: Option<u32>) -> MachineCard {
    let kernel = system::kernel();
    let inputs = CardInputs { name, architecture: std::env::consts::ARCH, kernel: kernel.as_deref(), core };
    card(&inputs, &system::read)
}
