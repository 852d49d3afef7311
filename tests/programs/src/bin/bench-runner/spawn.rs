//! The time from the start of a suite's process to its first response, isolated and not.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::os::fd::AsRawFd;
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use benchbook_contract::environment::HOST_VARIABLE;
use benchbook_contract::protocol::{HostMessage, PROTOCOL};
use benchbook_isolate::{Executable, Guard, Isolation, LaunchRequest, Launcher};
use benchbook_programs::figures::Figures;
use benchbook_server::config::ChildLimits;
use benchbook_tests::suites::native;
use rustix::fs::{MemfdFlags, memfd_create};

use crate::cores::Cores;
use crate::extent::Extent;
use crate::kernel::isolation;

/// The longest median of an isolated process, in milliseconds.
const GOAL_MS: f64 = 6.0;

/// Starts processes of a small suite as the runner does.
struct Starter {
    launcher: Launcher,
    /// Inherited by the launcher.
    executable: File,
    guard: Guard,
}

impl Starter {
    fn new(cores: &Cores) -> Result<Self> {
        // As in the runner: an isolated child may execute files in memory, but not those of the host.
        let mut executable = File::from(memfd_create("ladder", MemfdFlags::empty())?);
        executable.write_all(&fs::read(native("ladder")?)?)?;
        let guard = ChildLimits::default().guard(Some(cores.measuring));
        Ok(Self { launcher: Launcher::own_program()?, executable, guard })
    }

    /// The time from the start of the launcher to the suite's catalog, its first response, which needs no measurement.
    fn first_response(&self, isolation: Isolation) -> Result<Duration> {
        let request = LaunchRequest {
            executable: Some(Executable::OpenFile(self.executable.as_raw_fd())),
            name: "ladder".into(),
            guard: self.guard.clone(),
            isolation,
            scratch: None,
        };
        let describe = serde_json::to_string(&HostMessage::describe(&[]))?;
        let start = Instant::now();
        let mut command = self.launcher.command(&request)?;
        // Without it, a suite would measure by itself, and print a table.
        command.env(HOST_VARIABLE, PROTOCOL.to_string());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let mut input = child.stdin.take().context("the child has no input")?;
        writeln!(input, "{describe}")?;
        let mut response = String::new();
        BufReader::new(child.stdout.take().context("the child has no output")?).read_line(&mut response)?;
        let time = start.elapsed();
        ensure!(response.contains("catalog"), "the suite sent `{response}` instead of its catalog");
        drop(input);
        ensure!(child.wait()?.success(), "the suite failed");
        Ok(time)
    }
}

/// Measures and prints, and returns the missed goals.
pub(crate) fn bench(extent: &Extent, cores: &Cores) -> Result<Vec<String>> {
    let starter = Starter::new(cores)?;
    cores.use_serving()?;
    println!("\n## Start of a child process\n");
    println!("| children | isolated | median, ms | p99 |");
    println!("| ---: | --- | ---: | ---: |");
    let mut missed = Vec::new();
    for is_isolated in [false, true] {
        let time = || Ok(1e3 * starter.first_response(isolation(is_isolated))?.as_secs_f64());
        let times: Vec<f64> = (0..extent.children).map(|_| time()).collect::<Result<_>>()?;
        let figures: Figures = times.into_iter().collect();
        let (median, isolated) = (figures.quantile(0.5), if is_isolated { "yes" } else { "no" });
        println!("| {} | {isolated} | {median:.2} | {:.2} |", extent.children, figures.quantile(0.99));
        if is_isolated && median > GOAL_MS {
            missed.push(format!("the start of an isolated process within {GOAL_MS} ms"));
        }
    }
    println!("\nGoal: a median of at most {GOAL_MS} ms for an isolated process.");
    Ok(missed)
}
