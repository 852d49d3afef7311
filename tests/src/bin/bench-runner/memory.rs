//! The memory per waiting client.

use anyhow::Result;

use crate::cores::Cores;
use crate::crowd::{Crowd, JobSharing};
use crate::extent::Extent;

/// Measures and prints. This part has no goal.
pub(crate) async fn bench(extent: &Extent, cores: &Cores) -> Result<Vec<String>> {
    let clients = extent.clients;
    println!("\n## Memory of {clients} waiting clients\n");
    println!("| requests | runner before, KiB | with clients | per client | after they disconnect |");
    println!("| --- | ---: | ---: | ---: | ---: |");
    for (name, sharing) in [("equal", JobSharing::Shared), ("all different", JobSharing::Separate)] {
        let mut crowd = Crowd::start(sharing, cores).await?;
        // The first clients allocate what all share.
        crowd.resize(10).await?;
        let before = crowd.resident()?;
        crowd.resize(10 + clients).await?;
        let with = crowd.resident()?;
        crowd.resize(10).await?;
        let after = crowd.resident()?;
        println!("| {name} | {before:.0} | {with:.0} | {:.1} | {after:.0} |", (with - before) / clients as f64);
    }
    Ok(Vec::new())
}
