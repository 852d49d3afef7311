//! Clients that wait for their turn: streams behind a measurement that never ends and computes nothing.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use benchbook::api::{Event, Load};
use benchbook::request::Request;
use benchbook_tests::ready_runner::{EventStream, ReadyRunner, RunnerSetup};
use benchbook_tests::suites::native;

use crate::cores::Cores;

/// It sleeps at its last axis value, so that the core which measures is free.
const SLEEPS: &str = "processes::complains_and_hangs";

/// What all others wait for.
const WANTED: &str = "rungs::one";

/// What those who wait asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    /// All the same: one job, which has many readers.
    Same,
    /// Each another thing: a job each.
    Own,
}

/// A runner, and those who wait at it. Dropping it ends all of them.
pub(crate) struct Crowd {
    ready: ReadyRunner,
    _at_work: EventStream,
    waiting: Vec<EventStream>,
    wish: Wish,
}

impl Crowd {
    /// A runner at which nobody waits yet.
    pub(crate) async fn start(wish: Wish, cores: &Cores) -> Result<Self> {
        let suites = vec![native("misbehaving")?, native("ladder")?];
        let lines = format!("core = {}\n", cores.measuring);
        let ready =
            RunnerSetup { suites, lines, timeout_ms: Some(3_600_000), ..RunnerSetup::default() }.start().await?;
        let mut at_work = ready.stream(&ready.request(&[SLEEPS], 1)).await?;
        // The third of three points never comes.
        for _ in 0..2 {
            at_work.until(|event| matches!(event, Event::Point { .. })).await?;
        }
        Ok(Self { ready, _at_work: at_work, waiting: Vec::new(), wish })
    }

    /// Has so many wait, and no more.
    pub(crate) async fn become_of(&mut self, count: usize) -> Result<()> {
        self.waiting.truncate(count);
        while self.waiting.len() < count {
            let number = self.waiting.len() as u64;
            let seed = (self.wish == Wish::Own).then_some(number);
            let asked = Request { client: format!("client-{number}"), seed, ..self.ready.request(&[WANTED], 1) };
            let mut events = self.ready.stream(&asked).await?;
            events.until(|event| matches!(event, Event::Queued { .. })).await?;
            self.waiting.push(events);
        }
        // Who hung up is noticed a little later.
        for _ in 0..1_000 {
            let load: Load = self.ready.runner.get("queue").send().await?.error_for_status()?.json().await?;
            if load.clients as usize == 1 + count {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        bail!("the runner does not notice who waits and who does not")
    }

    /// What the runner holds in memory, in KiB.
    pub(crate) fn resident(&self) -> Result<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.ready.runner.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("it tells its memory")?;
        Ok(line.trim().trim_end_matches("kB").trim_end().parse()?)
    }
}
