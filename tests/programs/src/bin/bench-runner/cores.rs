//! The two cores of the benchmark.

use anyhow::{Result, ensure};

/// Two cores of this machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cores {
    /// The core of the runner.
    pub(crate) serving: u32,
    /// The core that measures or sends requests.
    pub(crate) measuring: u32,
}

impl Cores {
    /// Picks the first and the last core that this program may use, and binds this thread and its children to them.
    pub(crate) fn here() -> Result<Self> {
        let allowed = allowed()?;
        ensure!(allowed.len() >= 2, "this benchmark needs two cores");
        let cores = Self { serving: allowed[0], measuring: allowed[allowed.len() - 1] };
        cores.use_both()?;
        Ok(cores)
    }

    /// Binds this thread and its future children to both cores.
    pub(crate) fn use_both(&self) -> Result<()> {
        bind_to(&[self.serving, self.measuring])
    }

    /// Binds them to the serving core.
    pub(crate) fn use_serving(&self) -> Result<()> {
        bind_to(&[self.serving])
    }

    /// Binds them to the measuring core.
    pub(crate) fn use_measuring(&self) -> Result<()> {
        bind_to(&[self.measuring])
    }
}

#[cfg(target_os = "linux")]
fn allowed() -> Result<Vec<u32>> {
    use rustix::thread::{CpuSet, sched_getaffinity};

    let set = sched_getaffinity(None)?;
    Ok((0..CpuSet::MAX_CPU).filter(|core| set.is_set(*core)).map(|core| core as u32).collect())
}

#[cfg(target_os = "linux")]
fn bind_to(cores: &[u32]) -> Result<()> {
    use rustix::thread::{CpuSet, sched_setaffinity};

    let mut set = CpuSet::new();
    cores.iter().for_each(|core| set.set(*core as usize));
    Ok(sched_setaffinity(None, &set)?)
}

#[cfg(not(target_os = "linux"))]
fn allowed() -> Result<Vec<u32>> {
    anyhow::bail!("this benchmark needs Linux, which binds threads to cores")
}

#[cfg(not(target_os = "linux"))]
fn bind_to(_cores: &[u32]) -> Result<()> {
    Ok(())
}
