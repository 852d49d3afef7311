//! Measures the functions of a check on a runner.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Error, Result, anyhow, bail, ensure};
use benchbook_build::progress::BuildStep;
use benchbook_host::api::{BuildMeasurement, Event, STREAM};
use benchbook_host::child::NativeSuite;
use benchbook_host::history::MachineClass;
use benchbook_host::quality::Quality;
use benchbook_host::request::Request;
use benchbook_host::response::{MachineCard, Point, SuiteCard, add_point};
use serde::Deserialize;
use ureq::Body;
use ureq::http::header::RETRY_AFTER;
use ureq::http::{Response, StatusCode};

use super::Measurer;
use super::local::ThisMachine;
use super::measured::Measurements;
use crate::check::plan::PlannedCheck;
use crate::runner::RunnerApi;
use crate::runner::events::EventStream;

/// The longest time for an upload; the runner's is shorter.
const UPLOAD_TIMEOUT: Duration = Duration::from_mins(15);

/// The longest time until the stream of a measurement starts.
const START_TIMEOUT: Duration = Duration::from_mins(1);

/// How often an upload is repeated while the runner has no room for it, and the longest pause before each time, in seconds.
const UPLOAD_RETRIES: u32 = 10;
const MAX_PAUSE: u64 = 60;

/// The instruction sets whose names are the same in targets and on runners, and whose programs never run on one another.
const INSTRUCTION_SETS: [&str; 2] = ["aarch64", "x86_64"];

/// A runner that measures builds, which are uploaded to it.
#[derive(Debug)]
pub(crate) struct RunnerSession {
    connection: RunnerApi,
    card: MachineCard,
    /// This check, as the runner identifies its requests. Random, since other clients could cancel them.
    client: String,
    /// By fingerprint, whether the runner has a build, or why it does not.
    builds: RefCell<BTreeMap<String, Result<(), String>>>,
    /// Why the runner can no longer be reached: the other functions need not wait for it.
    lost: RefCell<Option<String>>,
}

/// A runner, and the suites on this machine whose builds it measures.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OnRunner<'s> {
    pub(crate) runner: &'s RunnerSession,
    pub(crate) suites: ThisMachine<'s>,
}

impl Measurer for OnRunner<'_> {
    fn measure(&mut self, check: &PlannedCheck) -> Result<Measurements> {
        let suite = self.suites.suite(check)?;
        let machine = MachineClass::of(&self.runner.card, &check.target, true);
        let mut measured = check.measured(&machine, |request, quality| self.runner.measure(suite, request, quality))?;
        self.suites.add_counts(check, &mut measured)?;
        Ok(measured)
    }
}

/// The part of the catalog that a check needs.
#[derive(Deserialize)]
struct RunnerFeatures {
    #[serde(default)]
    history: bool,
}

impl RunnerSession {
    /// Requests the card of the runner's machine.
    ///
    /// # Errors
    /// If it does not respond, or rejects the request.
    pub(crate) fn connect(connection: RunnerApi) -> Result<Self> {
        let card = connection.read("machine")?;
        let random = || RandomState::new().build_hasher().finish();
        let client = format!("check-{:016x}{:016x}", random(), random());
        Ok(Self { connection, card, client, builds: RefCell::default(), lost: RefCell::default() })
    }

    /// Whether the runner has a folder of accepted results.
    ///
    /// # Errors
    /// As for [`Self::connect`].
    pub(crate) fn has_history(&self) -> Result<bool> {
        Ok(self.connection.read::<RunnerFeatures>("catalog")?.history)
    }

    /// The access to the runner.
    pub(crate) fn connection(&self) -> &RunnerApi {
        &self.connection
    }

    /// Measures a function. Dropping the connection, also by ending this program, cancels the measurement.
    ///
    /// # Errors
    /// If the runner does not have the build and does not accept it, or if it cannot measure it.
    fn measure(&self, suite: &NativeSuite, request: Request, quality: &Quality) -> Result<Vec<Point>> {
        if let Some(reason) = &*self.lost.borrow() {
            bail!("{reason}");
        }
        let measurement =
            BuildMeasurement { request: Request { client: self.client.clone(), ..request }, quality: quality.clone() };
        self.measured(suite, &measurement).inspect_err(|error| {
            if error.chain().any(<dyn std::error::Error>::is::<ureq::Error>) {
                *self.lost.borrow_mut() = Some(format!("{error:#}"));
            }
        })
    }

    fn measured(&self, suite: &NativeSuite, measurement: &BuildMeasurement) -> Result<Vec<Point>> {
        let fingerprint = &suite.card().fingerprint;
        self.provide(suite)?;
        match self.request(fingerprint, measurement)? {
            Some(stream) => self.points(fingerprint, measurement, stream),
            None => {
                // Other clients have uploaded so many builds that this one was removed.
                self.builds.borrow_mut().clear();
                self.provide(suite)?;
                let stream = self.request(fingerprint, measurement)?.with_context(|| {
                    format!(
                        "the runner at {} removed this build again before it could be measured, since other clients upload too many builds. Try \
                         again later, or raise the runner's `limits.uploads`",
                        self.connection.address()
                    )
                })?;
                self.points(fingerprint, measurement, stream)
            }
        }
    }

    /// Uploads a build, unless the runner has it. A rejected upload is not attempted again, since it would fail again.
    fn provide(&self, suite: &NativeSuite) -> Result<()> {
        let fingerprint = &suite.card().fingerprint;
        let known = self.builds.borrow().get(fingerprint).cloned();
        let provided = match known {
            Some(provided) => provided,
            None => {
                let provided = self.find_or_upload(suite);
                if let Err(error) = &provided
                    && error.chain().any(<dyn std::error::Error>::is::<ureq::Error>)
                {
                    return provided;
                }
                let provided = provided.map_err(|error| format!("{error:#}"));
                self.builds.borrow_mut().insert(fingerprint.clone(), provided.clone());
                provided
            }
        };
        provided.map_err(Error::msg)
    }

    fn find_or_upload(&self, suite: &NativeSuite) -> Result<()> {
        let SuiteCard { name, fingerprint, build, .. } = suite.card();
        let (address, runner) = (self.connection.address(), self.card.architecture.as_str());
        let own = build.target.split('-').next().unwrap_or_default();
        let is_foreign = own != runner && [own, runner].iter().all(|set| INSTRUCTION_SETS.contains(set));
        ensure!(
            !is_foreign,
            "the suite `{name}` is compiled for {own}, but the runner at {address} is an {runner} machine. Run the check on a machine \
             with that architecture"
        );
        let mut found = self.connection.received(self.connection.get(format!("builds/{fingerprint}")).call())?;
        if found.status().as_u16() != 404 {
            return self.connection.check(&mut found);
        }
        let step = BuildStep::start(format!("Uploading the suite `{name}` to {address}"));
        let program = suite.read_program().with_context(|| format!("failed to read the executable of `{name}`"))?;
        let mut response = self.upload(&program)?;
        for _ in 0..UPLOAD_RETRIES {
            if response.status() != StatusCode::TOO_MANY_REQUESTS {
                break;
            }
            // Other clients upload builds, or wait for the measurements of theirs.
            step.set_text(format!("The runner at {address} has no room for the suite `{name}` yet"));
            let header = response.headers().get(RETRY_AFTER).and_then(|seconds| seconds.to_str().ok()?.parse().ok());
            thread::sleep(Duration::from_secs(header.unwrap_or(MAX_PAUSE).min(MAX_PAUSE)));
            response = self.upload(&program)?;
        }
        let rejected = || format!("the runner does not have this build of the suite `{name}`, and it was not uploaded");
        ensure!(
            response.status().as_u16() != 405,
            "the runner at {address} does not support uploads of builds. Update it"
        );
        self.connection.check(&mut response).with_context(rejected)?;
        let stored: SuiteCard = self.connection.parse(&mut response)?;
        ensure!(
            stored.fingerprint == *fingerprint,
            "the runner at {address} received a different executable. A proxy may have modified it"
        );
        Ok(())
    }

    /// Sends an executable to the runner.
    fn upload(&self, program: &[u8]) -> Result<Response<Body>> {
        let request = self.connection.post("builds").content_type("application/octet-stream");
        let request = request
            // A runner that rejects the upload responds before the executable is sent.
            .header("expect", "100-continue")
            .config()
            .timeout_global(Some(UPLOAD_TIMEOUT))
            .build();
        self.connection.received(request.send(program))
    }

    /// Requests a measurement; `None` if the runner no longer has the build.
    fn request(&self, fingerprint: &str, measurement: &BuildMeasurement) -> Result<Option<EventStream>> {
        let body = serde_json::to_vec(measurement)?;
        let post = self.connection.post(format!("builds/{fingerprint}/measure")).content_type("application/json");
        let post = post.header("accept", STREAM);
        let post = post.config().timeout_global(None).timeout_recv_response(Some(START_TIMEOUT)).build();
        let mut response = self.connection.received(post.send(&body[..]))?;
        if response.status().as_u16() == 404 {
            return Ok(None);
        }
        self.connection.check(&mut response)?;
        Ok(Some(EventStream::new(response.into_body(), self.connection.clone())))
    }

    /// The points of a complete measurement.
    fn points(&self, fingerprint: &str, measurement: &BuildMeasurement, mut stream: EventStream) -> Result<Vec<Point>> {
        let (function, address) = (measurement.request.functions.concat(), self.connection.address());
        let waits = format!("{function} waits for the runner");
        let step = BuildStep::start(waits.clone());
        let mut points = Vec::new();
        loop {
            match stream.next()? {
                Event::Queued { ahead, .. } => {
                    let requests = if ahead == 1 { "1 request" } else { &format!("{ahead} requests") };
                    step.set_text(format!("{waits}: {requests} ahead of this one"));
                }
                Event::Started(start) => {
                    let measured = &start.suite.fingerprint;
                    ensure!(measured == fingerprint, "the runner at {address} measures another build: {measured}");
                }
                Event::Progress(progress) => {
                    step.set_text(format!("{function} on the runner: {} of {} points", progress.done, progress.total));
                }
                Event::Counting { done, total } => {
                    step.set_text(format!("{function} on the runner: {done} of {total} points counted"));
                }
                Event::Point { point } => add_point(&mut points, *point),
                Event::Done(_) => return Ok(points),
                Event::Failed { reason } | Event::Stopped { reason } => {
                    return Err(anyhow!("`{function}` was not measured by the runner at {address}: {reason}"));
                }
            }
        }
    }
}
