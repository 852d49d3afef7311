//! The machine that measures: its environment card, and what of it makes figures worse.
//!
//! [`card`] is pure: it gets the texts of the kernel's files from a function. [`system`] is the only place that looks at
//! this machine.

mod card;
mod cpu;
pub mod cpu_list;
pub mod system;
mod virtualisation;
mod warnings;

use benchbook_host::api::MachineCard;

pub use card::{Asked, card};

/// The card of this machine as it is now; `core` measures.
pub fn here(name: &str, core: Option<u32>) -> MachineCard {
    let kernel = system::kernel();
    let asked = Asked { name, architecture: std::env::consts::ARCH, kernel: kernel.as_deref(), core };
    card(asked, &system::read)
}

/// Keeps this thread, and those that it starts, off the core that measures, where there is another.
///
/// # Errors
/// Why not.
#[cfg(target_os = "linux")]
pub fn leave(core: u32) -> Result<(), String> {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    let mut others = sched_getaffinity(None).map_err(|error| error.to_string())?;
    if core as usize >= CpuSet::MAX_CPU {
        return Err("there is no such core".to_owned());
    }
    others.unset(core as usize);
    if others.count() == 0 {
        return Err("there is no other".to_owned());
    }
    sched_setaffinity(None, &others).map_err(|error| error.to_string())
}

/// Keeps this thread off the core that measures: not here.
///
/// # Errors
/// That this system has no such thing.
#[cfg(not(target_os = "linux"))]
pub fn leave(_core: u32) -> Result<(), String> {
    Err("this system pins no threads".to_owned())
}

/// Lets this process open as many files, connections among them, as the system lets it at most.
///
/// # Errors
/// Why not.
#[cfg(unix)]
pub fn allow_many_files() -> Result<(), String> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }).map_err(|error| error.to_string())
}

/// Nothing bounds them here.
///
/// # Errors
/// None.
#[cfg(not(unix))]
pub fn allow_many_files() -> Result<(), String> {
    Ok(())
}
