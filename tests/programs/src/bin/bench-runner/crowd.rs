//! Clients that wait for their turn, behind a measurement that never ends and computes nothing.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use benchbook_host::api::{Event, QueueLoad};
use benchbook_host::request::Request;
use benchbook_tests::ready_runner::{EventStream, ReadyRunner, RunnerSetup};
use benchbook_tests::suites::native;

use crate::cores::Cores;

/// The running function. It sleeps at its last axis value, so that the measuring core is idle.
const RUNNING: &str = "processes::complains_and_hangs";

/// The function of the waiting requests.
const QUEUED: &str = "rungs::one";

/// Whether the waiting clients share a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JobSharing {
    /// All requests are equal: one job with many readers.
    Shared,
    /// All requests differ: one job per client.
    Separate,
}

/// A runner and its waiting clients. Dropping it ends all of them.
pub(crate) struct Crowd {
    ready: ReadyRunner,
    _running: EventStream,
    waiting: Vec<EventStream>,
    sharing: JobSharing,
}

impl Crowd {
    /// Starts a runner without waiting clients.
    pub(crate) async fn start(sharing: JobSharing, cores: &Cores) -> Result<Self> {
        let suites = vec![native("misbehaving")?, native("ladder")?];
        let lines = format!("core = {}\n", cores.measuring);
        let ready =
            RunnerSetup { suites, lines, timeout_ms: Some(3_600_000), ..RunnerSetup::default() }.start().await?;
        let mut running = ready.stream(&ready.request(&[RUNNING], 1)).await?;
        // The third of three points never comes.
        for _ in 0..2 {
            running.until(|event| matches!(event, Event::Point { .. })).await?;
        }
        Ok(Self { ready, _running: running, waiting: Vec::new(), sharing })
    }

    /// Connects or disconnects clients until `count` of them wait.
    pub(crate) async fn resize(&mut self, count: usize) -> Result<()> {
        self.waiting.truncate(count);
        let connected = self.waiting.len();
        while self.waiting.len() < count {
            let number = self.waiting.len() as u64;
            let seed = (self.sharing == JobSharing::Separate).then_some(number);
            let request = Request { client: format!("client-{number}"), seed, ..self.ready.request(&[QUEUED], 1) };
            self.waiting.push(self.ready.stream(&request).await?);
        }
        // The runner reports positions with a delay, so all clients wait for theirs together.
        for events in &mut self.waiting[connected..] {
            events.until(|event| matches!(event, Event::Queued { .. })).await?;
        }
        // The runner notices disconnected clients with a delay.
        for _ in 0..1_000 {
            let load: QueueLoad = self.ready.runner.get("queue").send().await?.error_for_status()?.json().await?;
            if load.clients as usize == 1 + count {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        bail!("the runner reports another number of waiting clients")
    }

    /// The resident memory of the runner, in KiB.
    pub(crate) fn resident(&self) -> Result<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.ready.runner.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("the status has no VmRSS")?;
        Ok(line.trim().trim_end_matches("kB").trim_end().parse()?)
    }
}
