//! Which core does what.

use anyhow::{Result, ensure};

/// Two cores of this machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cores {
    /// Answers.
    pub(crate) serving: u32,
    /// Measures, or asks what is served.
    pub(crate) measuring: u32,
}

impl Cores {
    /// The first and the last of those that this program may use; this thread, and what it starts, runs on them alone.
    pub(crate) fn here() -> Result<Self> {
        let allowed = allowed()?;
        ensure!(allowed.len() >= 2, "it takes two cores: one that serves, and one that asks or measures");
        let cores = Self { serving: allowed[0], measuring: allowed[allowed.len() - 1] };
        cores.use_both()?;
        Ok(cores)
    }

    /// This thread, and what it starts from now on, runs on both.
    pub(crate) fn use_both(&self) -> Result<()> {
        keep_to(&[self.serving, self.measuring])
    }

    /// The same on the one that serves.
    pub(crate) fn use_serving(&self) -> Result<()> {
        keep_to(&[self.serving])
    }

    /// The same on the other.
    pub(crate) fn use_measuring(&self) -> Result<()> {
        keep_to(&[self.measuring])
    }
}

#[cfg(target_os = "linux")]
fn allowed() -> Result<Vec<u32>> {
    use rustix::thread::{CpuSet, sched_getaffinity};

    let set = sched_getaffinity(None)?;
    Ok((0..CpuSet::MAX_CPU).filter(|core| set.is_set(*core)).map(|core| core as u32).collect())
}

#[cfg(target_os = "linux")]
fn keep_to(cores: &[u32]) -> Result<()> {
    use rustix::thread::{CpuSet, sched_setaffinity};

    let mut set = CpuSet::new();
    cores.iter().for_each(|core| set.set(*core as usize));
    Ok(sched_setaffinity(None, &set)?)
}

#[cfg(not(target_os = "linux"))]
fn allowed() -> Result<Vec<u32>> {
    anyhow::bail!("the runner is measured on Linux: other systems pin nothing to a core")
}

#[cfg(not(target_os = "linux"))]
fn keep_to(_cores: &[u32]) -> Result<()> {
    Ok(())
}
