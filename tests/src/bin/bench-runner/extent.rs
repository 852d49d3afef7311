//! How much is measured.

use anyhow::{Result, bail};

/// Counts of everything that is repeated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    /// Rounds of cached answers, and the requests of each side in a round.
    pub(crate) rounds: usize,
    pub(crate) requests: usize,
    /// Rounds of the kernel under each number of clients.
    pub(crate) kernels: usize,
    /// The most clients that wait.
    pub(crate) clients: usize,
    /// Children that are started.
    pub(crate) children: usize,
    /// Results of the store, and questions of each kind.
    pub(crate) results: u64,
    pub(crate) questions: usize,
}

impl Extent {
    pub(crate) fn of(name: &str, results: u64) -> Result<Self> {
        match name {
            "full" => Ok(Self {
                rounds: 40,
                requests: 480,
                kernels: 24,
                clients: 1_000,
                children: 200,
                results,
                questions: 2_000,
            }),
            "quick" => Ok(Self {
                rounds: 8,
                requests: 96,
                kernels: 4,
                clients: 1_000,
                children: 20,
                results: results.min(10_000),
                questions: 200,
            }),
            _ => bail!("there is no extent `{name}`: full, quick"),
        }
    }
}
