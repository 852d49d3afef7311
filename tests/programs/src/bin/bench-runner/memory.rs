//! The memory per waiting client.

use anyhow::Result;

use crate::cores::Cores;
use crate::crowd::{Crowd, JobSharing};
use crate::extent::Extent;

/// The number of crowds, one after another.
const CROWDS: usize = 10;

/// Measures and prints. This part has no goal.
pub(crate) async fn bench(extent: &Extent, cores: &Cores) -> Result<Vec<String>> {
    let clients = extent.clients;
    println!("\n## Memory of {clients} waiting clients\n");
    println!(
        "| requests | runner before, KiB | with clients | per client | after they disconnect | with the tenth crowd |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: |");
    for (name, sharing) in [("equal", JobSharing::Shared), ("all different", JobSharing::Separate)] {
        let mut crowd = Crowd::start(sharing, cores).await?;
        // The first clients allocate what all share.
        crowd.resize(10).await?;
        let before = crowd.resident()?;
        crowd.resize(10 + clients).await?;
        let with = crowd.resident()?;
        crowd.resize(10).await?;
        let after = crowd.resident()?;
        // The allocator keeps freed memory for later clients, but nothing of those that left.
        for _ in 1..CROWDS {
            crowd.resize(10).await?;
            crowd.resize(10 + clients).await?;
        }
        let again = crowd.resident()?;
        let per_client = (with - before) / clients as f64;
        println!("| {name} | {before:.0} | {with:.0} | {per_client:.1} | {after:.0} | {again:.0} |");
    }
    Ok(Vec::new())
}
