//! Builds that clients upload: who may, what is accepted, and what remains.
//!
//! A system that cannot isolate suites accepts no uploads, so most of these tests are skipped there, with a message.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::time::Duration;

use benchbook_contract::catalog::Suite;
use benchbook_contract::parameter::Range;
use benchbook_host::api::{BuildMeasurement, MeasureResponse, QueueLoad, RunnerCatalog};
use benchbook_host::child::NativeSuite;
use benchbook_host::fingerprint::fingerprint;
use benchbook_host::quality::{BatchBounds, BatchCounts, Quality};
use benchbook_tests::requests::request;
use benchbook_tests::runner::RunnerProgram;
use benchbook_tests::suites::native;
use futures_util::StreamExt;
use reqwest::{Body, RequestBuilder};
use tempfile::TempDir;

use crate::TOKEN;
use crate::routes::error;

/// The time limit for a file to appear or disappear.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A program that cannot be opened.
const UNUSABLE: &[u8] = b"not a suite";

/// A runner that accepts uploads.
struct UploadRunner {
    runner: RunnerProgram,
    folder: TempDir,
}

impl UploadRunner {
    /// Starts the runner with further limits; `None` on a system that cannot isolate suites.
    fn start(limits: &str) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("uploads")).unwrap();
        Self::start_in(folder, limits)
    }

    fn start_in(folder: TempDir, limits: &str) -> Option<Self> {
        let config = folder.path().join("benchbook.toml");
        let uploads = folder.path().join("uploads");
        let lines = format!("uploads = {uploads:?}\ntoken = {TOKEN:?}\nisolation = \"required\"\n[limits]\n{limits}\n");
        fs::write(&config, lines).unwrap();
        // Other tests of this program measure on the default core.
        let arguments = ["--config", config.to_str().unwrap(), "--name", "bench-01", "--core", "none"];
        match RunnerProgram::start(&[], &arguments) {
            Ok(runner) => Some(Self { runner, folder }),
            Err(error) if error.to_string().contains("isolation is required") => {
                eprintln!("skipped: {error}");
                None
            }
            Err(error) => panic!("{error}"),
        }
    }

    fn uploads(&self) -> PathBuf {
        self.folder.path().join("uploads")
    }

    /// The names of the files in the folder, sorted.
    fn files(&self) -> Vec<String> {
        let names =
            fs::read_dir(self.uploads()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    fn upload(&self, body: impl Into<Body>) -> RequestBuilder {
        self.runner.post("builds").bearer_auth(TOKEN).body(body)
    }

    async fn is_known(&self, build: &[u8]) -> bool {
        let address = format!("builds/{}", fingerprint(build));
        let status = self.runner.get(&address).bearer_auth(TOKEN).send().await.unwrap().status().as_u16();
        assert!([200, 404].contains(&status), "{status}");
        status == 200
    }

    fn measure(&self, build: &[u8], measurement: &BuildMeasurement) -> RequestBuilder {
        let address = format!("builds/{}/measure", fingerprint(build));
        self.runner.post(&address).bearer_auth(TOKEN).json(measurement)
    }
}

/// The executable of a fixture.
fn executable(name: &str) -> Vec<u8> {
    fs::read(native(name).unwrap()).unwrap()
}

/// Another build of the same suite: bytes behind the program have no effect.
fn other_build(executable: &[u8], number: u8) -> Vec<u8> {
    [executable, &[number]].concat()
}

fn catalog(name: &str) -> Suite {
    NativeSuite::open(&native(name).unwrap()).unwrap().suite().clone()
}

/// Several processes for each of two points.
fn measurement(suite: &Suite, function: &str, processes: u32) -> BuildMeasurement {
    let generator = suite.generator(&suite.function(function).unwrap().generators[0]).unwrap();
    let axis = generator.default_axis().unwrap().numeric().unwrap();
    let low = axis.default_range().low;
    let range = Range { low, high: low + 16.0 * axis.step.unwrap_or(1.0) };
    let quality = Quality {
        points: 2,
        precision: 0.5,
        point_ms: 10.0,
        warm_up: BatchBounds { at_least: 1, at_most: 5, ms: 1.0 },
        samples: BatchCounts { at_least: 4, at_most: 40 },
        processes,
        timeout_ms: Some(1_000.0),
    };
    BuildMeasurement { request: request(suite, &[function], generator, range), quality }
}

async fn status(request: RequestBuilder) -> u16 {
    request.send().await.unwrap().status().as_u16()
}

/// `document.rs` tests who may upload. Nothing remains of what is rejected.
#[tokio::test(flavor = "current_thread")]
async fn an_uploaded_build_is_measured_with_the_quality_of_the_client() {
    let Some(own) = UploadRunner::start("upload_bytes = 100000000") else { return };
    // A client without the token must not have to send the whole program.
    assert_eq!(status(own.runner.post("builds").body(vec![0; 1_000])).await, 401);
    for (program, expected) in [
        (Vec::new(), "Exec format error"),
        (b"\x7fELF of another machine".to_vec(), "Exec format error"),
        (b"#!/bin/sh\nread line\n".to_vec(), "this runner: "),
        (fs::read("/bin/true").unwrap(), "this runner: "),
    ] {
        let (rejected, body) = error(own.upload(program).send().await.unwrap()).await;
        assert_eq!((rejected, body.problems.len()), (422, 1), "{}", body.error);
        let reason = &body.problems[0].message;
        assert!(reason.contains(expected), "{reason}");
        assert!(!reason.contains(own.folder.path().to_str().unwrap()), "{reason}");
    }
    let part = futures_util::stream::iter([Ok::<_, std::io::Error>(vec![0_u8; 100_000])]);
    let endless = Body::wrap_stream(part.chain(futures_util::stream::pending()));
    let upload = tokio::spawn(own.upload(endless).send());
    let until = async |count: usize| {
        while own.files().len() != count {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(TIMEOUT, until(1)).await.unwrap();
    upload.abort();
    tokio::time::timeout(TIMEOUT, until(0)).await.unwrap();

    let ladder = executable("ladder");
    let measurement = measurement(&catalog("ladder"), "rungs::one", 3);
    assert_eq!(status(own.measure(&ladder, &measurement)).await, 404);
    let card: serde_json::Value = own.upload(ladder.clone()).send().await.unwrap().json().await.unwrap();
    assert_eq!((&card["fingerprint"], &card["name"]), (&fingerprint(&ladder).into(), &"ladder".into()));
    let file = own.uploads().join(fingerprint(&ladder));
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o177, 0, "only the runner's user can read it");
    let mut means = Vec::new();
    for _ in 0..2 {
        let response = own.measure(&ladder, &measurement).send().await.unwrap();
        assert_eq!(response.status().as_u16(), 200);
        let response: MeasureResponse = response.json().await.unwrap();
        assert_eq!((response.machine.name.as_str(), response.points.len()), ("bench-01", 2));
        assert_eq!(response.suite.fingerprint, fingerprint(&ladder));
        assert_eq!(response.quality, measurement.quality);
        for point in &response.points {
            assert_eq!(point.measured().unwrap().runs.len(), 3, "{point:?}");
        }
        means.push(response.points[0].measured().unwrap().summary.mean);
        assert!(response.results.is_empty(), "a client's own quality is nothing for others: {:?}", response.results);
    }
    assert_ne!(means[0], means[1], "each response is a new measurement");
    // Other clients are not offered the suite.
    let catalog: RunnerCatalog =
        own.runner.get("catalog").bearer_auth(TOKEN).send().await.unwrap().json().await.unwrap();
    assert!(catalog.suites.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_build_is_stored_once_and_not_replaced_while_it_is_used() {
    let Some(own) = UploadRunner::start("uploads = 1") else { return };
    let misbehaving = executable("misbehaving");
    let both = [(); 2].map(|()| tokio::spawn(own.upload(misbehaving.clone()).send()));
    for response in both {
        assert_eq!(response.await.unwrap().unwrap().status().as_u16(), 200);
    }
    assert_eq!(own.files(), [fingerprint(&misbehaving)]);
    let hangs = measurement(&catalog("misbehaving"), "functions::hangs", 20);
    let measured = tokio::spawn(own.measure(&misbehaving, &hangs).send());
    let queue = || own.runner.get("queue").bearer_auth(TOKEN).send();
    while queue().await.unwrap().json::<QueueLoad>().await.unwrap().running == 0 {}
    // Opened between two points of the measurement.
    let (rejected, body) = error(own.upload(executable("ladder")).send().await.unwrap()).await;
    assert!(rejected == 429 && body.retry_after.is_some(), "{rejected}: {}", body.error);
    assert!(own.is_known(&misbehaving).await && own.files().len() == 1);
    measured.abort();
    own.runner.wait_for_log("no client is waiting for it").unwrap();
    let mut replaced = 429;
    while replaced == 429 {
        replaced = status(own.upload(executable("ladder"))).await;
    }
    assert_eq!(replaced, 200);
    assert!(!own.is_known(&misbehaving).await && own.files() == [fingerprint(&executable("ladder"))]);
}

#[tokio::test(flavor = "current_thread")]
async fn builds_survive_a_restart_even_if_they_cannot_be_opened_and_damaged_ones_are_deleted() {
    let Some(own) = UploadRunner::start("uploads = 3") else { return };
    let ladder = executable("ladder");
    let builds = [1, 2].map(|number| other_build(&ladder, number));
    for build in &builds {
        assert_eq!(status(own.upload(build.clone())).await, 200);
    }
    let UploadRunner { mut runner, folder } = own;
    runner.kill().unwrap();
    let uploads = folder.path().join("uploads");
    fs::write(uploads.join(fingerprint(&builds[1])), &ladder).unwrap();
    fs::write(uploads.join(".upload-a1B2c3"), &ladder[..1_000]).unwrap();
    // Undamaged, but cannot be opened.
    fs::write(uploads.join(fingerprint(UNUSABLE)), UNUSABLE).unwrap();
    let own = UploadRunner::start_in(folder, "uploads = 3").unwrap();
    let mut remaining = [fingerprint(&builds[0]), fingerprint(UNUSABLE)];
    remaining.sort();
    assert_eq!(own.files(), remaining);
    let known = [own.is_known(&builds[0]).await, own.is_known(&builds[1]).await, own.is_known(UNUSABLE).await];
    assert_eq!(known, [true, false, false]);
}
