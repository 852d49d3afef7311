//! What the host tells a generator.

use std::path::{Path, PathBuf};

use benchbook_contract::rng::{Rng, seeded};

/// What the host tells a generator beside the parameters' values.
#[derive(Debug)]
pub struct Service {
    pub(crate) priority: u8,
    pub(crate) seed: u64,
    pub(crate) axis: f64,
    pub(crate) scratch: Option<PathBuf>,
}

impl Service {
    /// How accurate the results should be, 1 to 4.
    pub fn priority(&self) -> u8 {
        self.priority
    }

    /// Where randomness starts; the same for all axis values and all functions of a request.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The axis value of this point, in the unit of the parameter that is varied.
    pub fn axis(&self) -> f64 {
        self.axis
    }

    /// Random numbers for what is prepared once, before the inputs; the inputs get their own.
    pub fn rng(&self) -> Rng {
        seeded([self.seed, u64::MAX, 0])
    }

    /// An empty folder of this workload's own, removed when it is closed; absent in a browser.
    pub fn scratch(&self) -> Option<&Path> {
        self.scratch.as_deref()
    }
}
