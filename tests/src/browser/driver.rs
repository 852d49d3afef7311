//! chromedriver, and the process groups of drivers.

use std::env;
use std::process::Stdio;

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// The leader of a driver's process group. Dropping it kills the group.
pub(crate) struct Driver(pub(crate) Child);

impl Drop for Driver {
    fn drop(&mut self) {
        if let Some(group) = self.0.id().and_then(|id| Pid::from_raw(id.cast_signed())) {
            // An error means that the group no longer exists.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

/// How often chromedriver may fail to listen.
const ATTEMPTS: u32 = 5;

/// Starts chromedriver on any free port. It chooses a free port of IPv4, and exits if another program has that port of IPv6, so
/// it gets several attempts.
pub(super) async fn start() -> Result<(Driver, u16)> {
    let program = env::var("CHROMEDRIVER").unwrap_or_else(|_| "chromedriver".to_owned());
    for _ in 0..ATTEMPTS {
        let driver = Command::new(&program)
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .with_context(|| format!("failed to start {program}: `cargo xtask test` installs it"))?;
        let mut driver = Driver(driver);
        if let Some(port) = port_of(&mut driver.0).await? {
            return Ok((driver, port));
        }
    }
    bail!("chromedriver exited {ATTEMPTS} times before it listened")
}

/// Reads the port from chromedriver's startup message; `None` if it exits before.
async fn port_of(driver: &mut Child) -> Result<Option<u16>> {
    let output = driver.stdout.take().context("chromedriver's standard output is piped")?;
    let mut lines = BufReader::new(output).lines();
    while let Some(line) = lines.next_line().await? {
        let digits = line.split("port ").nth(1).map(|rest| rest.trim_end_matches('.'));
        if let Some(port) = digits.and_then(|digits| digits.parse().ok())
            && line.contains("successfully")
        {
            // Further output is discarded; a full pipe would block chromedriver.
            tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
            return Ok(Some(port));
        }
    }
    Ok(None)
}
