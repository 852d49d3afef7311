//! The sizes of the workloads.

use anyhow::{Result, bail};

/// The numbers of repetitions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    /// Rounds of cached responses, and the requests per server and round.
    pub(crate) rounds: usize,
    pub(crate) requests: usize,
    /// Rounds of the kernel for each number of clients.
    pub(crate) kernels: usize,
    /// The largest number of waiting clients.
    pub(crate) clients: usize,
    /// Child processes to start.
    pub(crate) children: usize,
    /// Results in the store, and queries of each kind.
    pub(crate) results: u64,
    pub(crate) queries: usize,
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
                queries: 2_000,
            }),
            "quick" => Ok(Self {
                rounds: 8,
                requests: 96,
                kernels: 4,
                clients: 1_000,
                children: 20,
                results: results.min(10_000),
                queries: 200,
            }),
            _ => bail!("unknown extent `{name}`; expected full or quick"),
        }
    }
}
