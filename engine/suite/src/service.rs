//! The context of a workload: seed, priority, scratch folder.

use std::path::{Path, PathBuf};

use benchbook_contract::rng::{Rng, seeded};

/// The context in which a generator prepares a workload. Generators take it as their first parameter.
#[derive(Debug)]
pub struct Service {
    pub(crate) priority: u8,
    pub(crate) seed: u64,
    pub(crate) scratch: Option<PathBuf>,
}

impl Service {
    /// Returns the priority of the measurement, from 1 (quick) to 4 (precise).
    pub fn priority(&self) -> u8 {
        self.priority
    }

    /// Returns the seed, below 2⁵³. It is the same for all axis values and all functions of a request.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns a random number generator for data that the workload prepares once. Each call returns a new one, which
    /// starts from the seed and yields the same numbers. For inputs, use the one passed to the closure of
    /// [`Fresh::new`](crate::Fresh::new), [`Owned::new`](crate::Owned::new), [`Shared::new`](crate::Shared::new) or
    /// [`Calls::new`](crate::Calls::new).
    pub fn rng(&self) -> Rng {
        seeded([self.seed, u64::MAX, 0])
    }

    /// Returns a scratch folder for this workload, which is empty at first and is removed after the `after_all` hook.
    /// `None` in a browser, or if the folder cannot be created.
    pub fn scratch(&self) -> Option<&Path> {
        self.scratch.as_deref()
    }
}
