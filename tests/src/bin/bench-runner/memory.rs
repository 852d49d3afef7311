//! What a client that waits costs in memory.

use anyhow::Result;

use crate::cores::Cores;
use crate::crowd::{Crowd, Wish};
use crate::extent::Extent;

/// Measures and prints; there is nothing to miss.
pub(crate) async fn bench(extent: &Extent, cores: &Cores) -> Result<Vec<String>> {
    let clients = extent.clients;
    println!("\n## Memory of {clients} clients that wait\n");
    println!("| they asked | runner before, KiB | with them | a client | all hung up |");
    println!("| --- | ---: | ---: | ---: | ---: |");
    for (name, wish) in [("all the same", Wish::Same), ("each another thing", Wish::Own)] {
        let mut crowd = Crowd::start(wish, cores).await?;
        // What is there for the first few is there for all.
        crowd.become_of(10).await?;
        let before = crowd.resident()?;
        crowd.become_of(10 + clients).await?;
        let with = crowd.resident()?;
        crowd.become_of(10).await?;
        let after = crowd.resident()?;
        println!("| {name} | {before:.0} | {with:.0} | {:.1} | {after:.0} |", (with - before) / clients as f64);
    }
    Ok(Vec::new())
}
