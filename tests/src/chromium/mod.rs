//! A host for wasm suites in Chromium: the suite runs in a worker of a page, the measurement runs in this process. It
//! produces the same responses as [`benchbook_host::child`] does with a child process.

mod worker;

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use benchbook_contract::catalog::Suite;
use benchbook_contract::protocol::{HostMessage, PROTOCOL, SuiteMessage};
use benchbook_host::child::SuiteError;
use benchbook_host::compare::pairing::comparisons;
use benchbook_host::fingerprint::fingerprint;
use benchbook_host::quality::{Qualities, Quality};
use benchbook_host::request::{Plan, Request};
use benchbook_host::response::{ClockCard, METHOD, Machine, MachineKind, Point, Response, SuiteCard};
use benchbook_host::sample::ending::Ending;
use benchbook_host::sample::measurement::{Measurement, MeasurementSettings};
use benchbook_host::sample::series::MeasurementSeries;
use worker::{Event, Worker};

/// The time limit for the catalog and for the clock's samples.
const GREETING: Duration = Duration::from_secs(10);

/// A suite in Chromium, with its catalog.
pub struct ChromiumSuite {
    worker: Worker,
    suite: Suite,
    card: SuiteCard,
    machine: Machine,
    /// Slots are never reused, so that late replies cannot be mistaken for current ones.
    next_slot: u32,
}

impl ChromiumSuite {
    /// Starts a browser and loads the module at this path. The page is isolated, so the clock's resolution is 5 µs.
    pub async fn open(module: &Path) -> Result<Self> {
        let fingerprint = fingerprint(&fs::read(module)?);
        let worker = Worker::start(module).await?;
        let suite = match worker.request(HostMessage::describe(&[]), GREETING).await? {
            SuiteMessage::Catalog { protocol: PROTOCOL, suite, .. } => suite,
            other => bail!("not a catalog of protocol {PROTOCOL}: {other:?}"),
        };
        let clock = match worker.request(HostMessage::Collect(ClockCard::request()), GREETING).await? {
            SuiteMessage::Samples(steps) => ClockCard::from_steps(&steps),
            other => bail!("no samples of the clock: {other:?}"),
        };
        let machine = Machine {
            kind: MachineKind::Browser,
            name: worker.browser_name().await?,
            id: None,
            processor: None,
            clock: clock.context("the suite's clock does not advance")?,
        };
        Ok(Self { card: SuiteCard::new(&suite, fingerprint), worker, suite, machine, next_slot: 1 })
    }

    /// The suite's catalog.
    pub fn suite(&self) -> &Suite {
        &self.suite
    }

    /// The browser and its clock.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Measures a request as the page does: an instance that traps or times out is replaced, and the measurement
    /// continues.
    pub async fn measure(&mut self, request: Request, qualities: &Qualities) -> Result<Response> {
        let plan = Plan::new(&self.suite, request.clone()).map_err(SuiteError::Request)?;
        let (quality, axis) = (plan.quality(qualities), plan.axis().cloned());
        let points = self.run_in_workers(plan, quality.clone()).await?;
        Ok(Response {
            method: METHOD,
            comparisons: comparisons(&request.functions, axis.as_ref(), &points),
            priority: request.priority,
            request,
            suite: self.card.clone(),
            quality,
            machine: self.machine.clone(),
            points,
        })
    }

    /// Sends messages unchecked and returns the replies that arrive before the instance ends.
    pub async fn until_it_ends(&mut self, messages: &[HostMessage], timeout: Duration) -> Result<Vec<SuiteMessage>> {
        let (start, mut messages, mut replies) = (Instant::now(), messages, Vec::new());
        while start.elapsed() < timeout {
            for event in self.worker.exchange(messages, timeout).await? {
                match event {
                    Event::Message(reply) => {
                        replies.push(serde_json::from_str(&reply).context("failed to parse a reply")?);
                    }
                    Event::Ended(_) => return Ok(replies),
                    Event::Rejected(reason) => bail!("the worker cannot instantiate the module: {reason}"),
                }
            }
            messages = &[];
        }
        bail!("the instance has not ended within {timeout:?}")
    }

    /// Sends a message and returns its single reply.
    pub async fn request(&self, message: HostMessage, timeout: Duration) -> Result<SuiteMessage> {
        self.worker.request(message, timeout).await
    }

    /// Ends the browser.
    pub async fn close(self) -> Result<()> {
        self.worker.close().await
    }

    /// Measures in as many workers as the quality demands, one after another. Unlike the page's, all of them have the same
    /// module.
    async fn run_in_workers(&mut self, plan: Plan, quality: Quality) -> Result<Vec<Point>> {
        let mut series = MeasurementSeries::new(MeasurementSettings {
            kind: MachineKind::Browser,
            seed: Some(u64::from(self.next_slot)),
            first_slot: self.next_slot,
            ..MeasurementSettings::new(plan, quality, self.machine.clock)
        });
        loop {
            self.run(series.measurement_mut()).await?;
            if !series.begin_next() {
                return Ok(series.into_points());
            }
            self.worker.restart().await?;
        }
    }

    /// Drives a measurement until it is complete.
    async fn run(&mut self, measurement: &mut Measurement) -> Result<()> {
        let timeout = Duration::from_secs_f64(measurement.timeout_ms() / 1e3);
        // The time of the suite's last progress, or of its start.
        let mut moved = Instant::now();
        let mut messages = measurement.messages();
        while !measurement.is_done() {
            let Some(left) = timeout.checked_sub(moved.elapsed()) else {
                self.worker.restart().await?;
                measurement.handle_exit(&Ending::TimedOut(timeout.as_millis() as u32));
                messages = measurement.messages();
                moved = Instant::now();
                continue;
            };
            for event in self.worker.exchange(&std::mem::take(&mut messages), left).await? {
                if take(measurement, event)? {
                    moved = Instant::now();
                }
                messages.extend(measurement.messages());
            }
        }
        self.next_slot = measurement.next_slot();
        Ok(())
    }
}

/// Passes an event to the measurement. Returns whether the measurement made progress.
fn take(measurement: &mut Measurement, event: Event) -> Result<bool> {
    match event {
        Event::Message(reply) => {
            Ok(measurement.handle_reply(serde_json::from_str(&reply).context("failed to parse a reply")?))
        }
        Event::Ended(reason) => {
            measurement.handle_exit(&Ending::Died(reason));
            Ok(true)
        }
        Event::Rejected(reason) => bail!("the worker cannot instantiate the module: {reason}"),
    }
}
