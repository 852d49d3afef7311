//! What a runner answers: see `benchbook_host::api` for what each means.

use benchbook_host::analyze::interval::Interval;
use benchbook_host::analyze::statistics::Summary;
use benchbook_host::quality::Priority;
use benchbook_host::response::{
    Failure, FailureKind, Machine, MachineKind, Measured, Outcome, Outputs, Overhead, Point, Run, Sample, Warning,
};
use benchbook_host::sample::clock_card::ClockCard;
use benchbook_host::sample::collection::PrecisionForecast;
use benchbook_host::sample::measurement::Progress;

use super::{Json, Read, named, read, readable};

/// A line of the stream that answers a request.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Event {
    /// It waits: how many come first, and about how long, in milliseconds.
    Queued(u32, f64),
    /// It is measured, or was found: how accurate it will be, and where.
    Started(Priority, Machine),
    /// How far it is.
    Progress(Progress),
    /// A point.
    Point(Point),
    /// All points are there; how accurate they are.
    Done(Priority),
    /// It ends without all points: a sentence.
    Ended(String),
}

impl Read for Event {
    fn read(line: &Json) -> Option<Self> {
        Some(match line.at("type").text() {
            "queued" => Self::Queued(line.get("ahead")?, line.get("wait_ms")?),
            "started" => Self::Started(line.get("priority")?, line.get("machine")?),
            "progress" => Self::Progress(Progress::read(line)?),
            "point" => Self::Point(line.get("point")?),
            "done" => Self::Done(line.get("priority")?),
            "failed" | "stopped" => Self::Ended(line.get("reason")?),
            _ => return None,
        })
    }
}

impl Read for Priority {
    fn read(json: &Json) -> Option<Self> {
        Self::try_from(u32::read(json)? as u8).ok()
    }
}

impl Read for Point {
    fn read(json: &Json) -> Option<Self> {
        let outcome = match json.get("failed")? {
            Some(failure) => Outcome::Failed(failure),
            None => Outcome::Measured(Box::new(json.get("measured")?)),
        };
        Some(Self { function: json.get("function")?, x: json.get("x")?, outcome })
    }
}

readable! {
    Machine { kind, name, clock }
    ClockCard { resolution, jitter, cost }
    Progress { done, of, x, outlook }
    PrecisionForecast { reached, target, needs_ms, left_ms }
    Failure { kind, reason }
    Measured { summary, runs, outputs, warnings }
    Outputs { work, hash }
    Summary {
        n, blocks, runs, calls, mean, mean_of_all, sd, min, max, median, q1, q3, mean_interval, median_interval,
        relative_half_width, interval_doubtful, mild_outliers, severe_outliers, steady
    }
    Interval { low, high }
    Run { calls, overhead, settled, reference, samples, blocks }
    Overhead { per_call, half_width, disturbance or 0.0 }
    Sample { elapsed, warm_up, interrupted }
}

named! {
    MachineKind { "browser" => Browser, "native" => Native }
    FailureKind {
        "panic" => Panic, "generator" => Generator, "trap" => Trap, "memory" => Memory, "timed_out" => TimedOut,
        "skipped" => Skipped, "native_only" => NativeOnly, "contract" => Contract
    }
}

impl Read for Warning {
    fn read(json: &Json) -> Option<Self> {
        match json.at("type").text() {
            "imprecise" => read!(json, Self::Imprecise { reached, target, needs_ms }),
            "unsettled" => Some(Self::Unsettled),
            "changed" => read!(json, Self::Changed { before, after, gradual }),
            "skewed" => Some(Self::Skewed),
            "alone" => Some(Self::Alone),
            "slow_code" => read!(json, Self::SlowCode { tier }),
            "slow_machine" => read!(json, Self::SlowMachine { by }),
            "interrupted" => read!(json, Self::Interrupted { samples, ms }),
            "short_batches" => read!(json, Self::ShortBatches { batch, resolution }),
            "batched" => read!(json, Self::Batched { calls }),
            "severe_outliers" => read!(json, Self::SevereOutliers { left_out, of }),
            "under_resolution" => read!(json, Self::UnderResolution { under }),
            "one_call_a_batch" => Some(Self::OneCallABatch),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use benchbook_host::analyze::blocks;
    use benchbook_host::analyze::statistics::{Basis, summarize};
    use benchbook_host::api;

    use super::super::tests::come_back;
    use super::*;

    fn full() -> Point {
        let warnings = vec![
            Warning::Imprecise { reached: Some(0.5), target: 0.01, needs_ms: None },
            Warning::Unsettled,
            Warning::Changed { before: 2.0, after: 1.0, gradual: true },
            Warning::Skewed,
            Warning::SlowCode { tier: 1.5 },
            Warning::SlowMachine { by: 0.25 },
            Warning::Alone,
            Warning::Interrupted { samples: 3, ms: 12.5 },
            Warning::ShortBatches { batch: 10.0, resolution: 5_000.0 },
            Warning::Batched { calls: 64 },
            Warning::SevereOutliers { left_out: 2, of: 30 },
            Warning::UnderResolution { under: 0.25 },
            Warning::OneCallABatch,
        ];
        let times = [1.0, 2.0, 4.0, 3.0];
        let (settled, overhead) = (true, 0.0);
        let runs = [blocks::RunTimes { times: &times, blocks: &[2, 2], overhead }];
        let basis = Basis { runs: &runs, calls: 12, resolution: 0.1, quartiles_withheld: false, steady: settled };
        let sample = |elapsed, warm_up, interrupted| Sample { elapsed, warm_up, interrupted };
        let run = Run {
            calls: 3,
            overhead: Overhead { per_call: 0.5, half_width: 0.1, disturbance: 0.2 },
            settled,
            reference: Some(2_000.0),
            samples: vec![sample(1.5, true, false), sample(2.0, false, true)],
            blocks: vec![1],
        };
        let outputs = Some(Outputs { work: "sort".to_owned(), hash: "0f".to_owned() });
        let summary = summarize(&basis).expect("there are samples");
        let measured = Measured { summary, runs: vec![run], outputs, warnings };
        Point { function: "sort".to_owned(), x: 1_000.0, outcome: Outcome::Measured(Box::new(measured)) }
    }

    #[test]
    fn a_point_comes_back() {
        assert_eq!(come_back(&full()), Some(full()));
    }

    #[test]
    fn every_failure_comes_back() {
        use FailureKind::{Contract, Generator, Memory, NativeOnly, Panic, Skipped, TimedOut, Trap};
        for kind in [Panic, Generator, Trap, Memory, TimedOut, Skipped, NativeOnly, Contract] {
            let failure = Failure { kind, reason: "it did".to_owned() };
            let failed = Point { outcome: Outcome::Failed(failure), ..full() };
            assert_eq!(come_back(&failed), Some(failed));
        }
    }

    #[test]
    fn every_line_of_a_stream_is_read() {
        let clock = ClockCard { resolution: 1.0, jitter: 0.5, cost: 20.0 };
        let machine = Machine { kind: MachineKind::Native, name: "reference-01".to_owned(), clock };
        let quality = benchbook_host::quality::Qualities::default().of(Priority::LAST).clone();
        let build = benchbook_contract::catalog::Build {
            rustc: String::new(),
            target: String::new(),
            opt_level: String::new(),
            debug_assertions: false,
            target_features: Vec::new(),
        };
        let [name, version, catalog_hash, fingerprint] = [(); 4].map(|()| String::new());
        let suite = benchbook_host::response::SuiteCard { name, version, build, catalog_hash, fingerprint };
        let started =
            api::Started { priority: Priority::LAST, suite, quality, machine: machine.clone(), stored: 0, of: 9 };
        let outlook = Some(PrecisionForecast { reached: 0.1, target: 0.01, needs_ms: None, left_ms: 5.0 });
        let progress = Progress { done: 1, of: 9, x: 100.0, outlook };
        let done = api::Done { results: vec![7], priority: Priority::LAST, comparisons: Vec::new() };
        let reason = || "It ends.".to_owned();
        let table = [
            (api::Event::Queued { ahead: 3, wait_ms: 20 }, Event::Queued(3, 20.0)),
            (api::Event::Started(Box::new(started)), Event::Started(Priority::LAST, machine)),
            (api::Event::Progress(progress), Event::Progress(progress)),
            (api::Event::Point { point: Box::new(full()) }, Event::Point(full())),
            (api::Event::Done(Box::new(done)), Event::Done(Priority::LAST)),
            (api::Event::Failed { reason: reason() }, Event::Ended(reason())),
            (api::Event::Stopped { reason: reason() }, Event::Ended(reason())),
        ];
        for (sent, heard) in table {
            assert_eq!(come_back(&sent), Some(heard));
        }
        assert_eq!(come_back::<Event>(&serde_json::json!({ "type": "later" })), None);
    }
}
