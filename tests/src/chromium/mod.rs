//! The host of a wasm suite in a real Chromium: the suite in a worker of a page, the measurement out here. So the same
//! code gets a response from a browser as [`benchbook_host::child`] does from a child process.

mod site;
mod worker;

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use benchbook_contract::catalog::Suite;
use benchbook_contract::protocol::{HostMessage, PROTOCOL, SuiteMessage};
use benchbook_host::child::SuiteError;
use benchbook_host::fingerprint::fingerprint;
use benchbook_host::pairing::comparisons;
use benchbook_host::quality::Qualities;
use benchbook_host::request::{Plan, Request};
use benchbook_host::response::{Machine, MachineKind, Point, Response, SuiteCard};
use benchbook_host::sample::clock_card::ClockCard;
use benchbook_host::sample::ending::Ending;
use benchbook_host::sample::measurement::Measurement;
use worker::{Event, Worker};

/// How long a suite may take to describe itself and to show its clock.
const GREETING: Duration = Duration::from_secs(10);

/// A suite in Chromium that described itself.
pub struct ChromiumSuite {
    worker: Worker,
    suite: Suite,
    card: SuiteCard,
    machine: Machine,
    /// Slots are never used twice, so that late answers cannot be mistaken.
    next_slot: u32,
}

impl ChromiumSuite {
    /// Starts a browser with the module in it. In a page that is isolated the clock steps by 5 µs, in another by 100 µs.
    ///
    /// # Errors
    /// Where there is no browser, or the module is no suite.
    pub async fn open(module: Vec<u8>, isolated: bool) -> Result<Self> {
        let fingerprint = fingerprint(&module);
        let worker = Worker::start(module, isolated).await?;
        let suite = match worker.ask(HostMessage::Describe { protocol: PROTOCOL }, GREETING).await? {
            SuiteMessage::Catalog { protocol: PROTOCOL, suite, .. } => suite,
            other => bail!("the suite does not describe itself in protocol {PROTOCOL}: {other:?}"),
        };
        let clock = match worker.ask(HostMessage::Collect(ClockCard::order()), GREETING).await? {
            SuiteMessage::Samples(steps) => ClockCard::from_steps(&steps),
            other => bail!("the suite does not show its clock: {other:?}"),
        };
        let machine = Machine {
            kind: MachineKind::Browser,
            name: worker.browser_name().await?,
            clock: clock.context("its clock stands still")?,
        };
        Ok(Self { card: SuiteCard::new(&suite, fingerprint), worker, suite, machine, next_slot: 1 })
    }

    /// What it says of itself.
    pub fn suite(&self) -> &Suite {
        &self.suite
    }

    /// The browser, and its clock.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Measures a request as the page does: what traps or takes too long is replaced, and the rest goes on.
    ///
    /// # Errors
    /// Where the request does not fit, or the browser or the suite can no longer be used.
    pub async fn measure(&mut self, request: Request, qualities: &Qualities) -> Result<Response> {
        let plan = Plan::new(&self.suite, request.clone()).map_err(SuiteError::Request)?;
        let (quality, scale) = (plan.quality(qualities), plan.numeric().scale);
        let measurement = Measurement::new(plan, quality.clone(), self.machine.clock);
        let points = self.run(measurement.with_first_slot(self.next_slot).in_browser()).await?;
        Ok(Response {
            comparisons: comparisons(&request.functions, scale, &points),
            priority: request.priority,
            request,
            suite: self.card.clone(),
            quality,
            machine: self.machine.clone(),
            points,
        })
    }

    /// Sends messages as they are, and takes what becomes of them until the suite has ended: what it answered.
    ///
    /// # Errors
    /// Where it does not end within `patience`.
    pub async fn until_it_ends(&mut self, messages: &[HostMessage], patience: Duration) -> Result<Vec<SuiteMessage>> {
        let (start, mut messages, mut answers) = (Instant::now(), messages, Vec::new());
        while start.elapsed() < patience {
            for event in self.worker.exchange(messages, patience).await? {
                match event {
                    Event::Answer(answer) => answers.push(serde_json::from_str(&answer).context("reading an answer")?),
                    Event::Ended(_) => return Ok(answers),
                    Event::Refused(reason) => bail!("the worker can run no suite: {reason}"),
                }
            }
            messages = &[];
        }
        bail!("it has not ended within {patience:?}")
    }

    /// Sends a message, and takes the one answer.
    ///
    /// # Errors
    /// Where there is none within `patience`, or the suite ends.
    pub async fn ask(&self, message: HostMessage, patience: Duration) -> Result<SuiteMessage> {
        self.worker.ask(message, patience).await
    }

    /// Ends the browser.
    ///
    /// # Errors
    /// Where it does not answer.
    pub async fn close(self) -> Result<()> {
        self.worker.close().await
    }

    /// Drives a measurement to its end.
    async fn run(&mut self, mut measurement: Measurement) -> Result<Vec<Point>> {
        let timeout = Duration::from_secs_f64(measurement.timeout_ms() / 1e3);
        // When the suite last brought the measurement on, or began.
        let mut moved = Instant::now();
        let mut messages = measurement.messages();
        while !measurement.is_done() {
            let Some(left) = timeout.checked_sub(moved.elapsed()) else {
                self.worker.restart().await?;
                measurement.ended(&Ending::TimedOut(timeout.as_millis() as u32));
                messages = measurement.messages();
                moved = Instant::now();
                continue;
            };
            for event in self.worker.exchange(&std::mem::take(&mut messages), left).await? {
                if take(&mut measurement, event)? {
                    moved = Instant::now();
                }
                messages.extend(measurement.messages());
            }
        }
        self.next_slot = measurement.next_slot();
        Ok(measurement.into_points())
    }
}

/// Hands an event to the measurement, and says whether it brought it on.
fn take(measurement: &mut Measurement, event: Event) -> Result<bool> {
    match event {
        Event::Answer(answer) => Ok(measurement.answer(serde_json::from_str(&answer).context("reading an answer")?)),
        Event::Ended(reason) => {
            measurement.ended(&Ending::Died(reason));
            Ok(true)
        }
        Event::Refused(reason) => bail!("the worker can run no suite: {reason}"),
    }
}
