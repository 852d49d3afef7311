//! Generated results for tests of stores. Equal seeds generate equal results.

use benchbook_contract::axis_value::AxisValue;
use benchbook_contract::catalog::Build;
use benchbook_contract::parameter::{Argument, Arguments, Range};
use benchbook_contract::protocol::Counts;
use benchbook_host::analyze::interval::Interval;
use benchbook_host::analyze::stability::Stability;
use benchbook_host::analyze::statistics::Summary;
use benchbook_host::quality::{Priority, Qualities};
use benchbook_host::request::Request;
use benchbook_host::response::{
    AnotherDay, ClockCard, CounterAbsence, DeclaredWork, EventCounts, EventEstimate, EventsPerCall, Failure,
    FailureKind, FirstCalls, METHOD, Machine, MachineKind, MeasuredPoint, MemoryUse, Outcome, Overhead, Point,
    Response, Run, Sample, StartUpTimes, SuiteCard, Warning, WasmCounts, WasmInstructions,
};
use benchbook_server::store::{NewResult, PointQuery, SqliteStore, StoreError};
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The number of distinct values of each property. In a small world, many results match the same query.
#[derive(Clone, Copy, Debug)]
pub struct World {
    /// Suites, with one build each.
    pub suites: u32,
    /// Machines.
    pub machines: u32,
    /// Functions of each suite.
    pub functions: u32,
    /// Generators of each suite.
    pub generators: u32,
    /// Values of the parameter other than the axis.
    pub values: u32,
    /// Axis values, in powers of two.
    pub xs: u32,
    /// The maximum number of functions per result.
    pub together: u32,
    /// Samples per point.
    pub samples: u32,
}

impl World {
    /// So small that every query matches several results.
    pub const SMALL: Self =
        Self { suites: 2, machines: 2, functions: 3, generators: 2, values: 2, xs: 4, together: 3, samples: 3 };

    /// A runner after years: few suites and machines, many arguments.
    pub const LARGE: Self =
        Self { suites: 5, machines: 2, functions: 60, generators: 4, values: 500, xs: 5, together: 2, samples: 20 };

    /// Generates a result.
    pub fn result(&self, seed: u64) -> NewResult {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let request = self.request(&mut rng);
        let mut points = Vec::new();
        for x in (0..self.xs).filter(|_| rng.random_bool(0.8)).map(axis_value).collect::<Vec<f64>>() {
            points.extend(request.functions.iter().map(|function| self.point(function, x, &mut rng)));
        }
        if points.is_empty() {
            points.push(self.point(&request.functions[0], axis_value(0), &mut rng));
        }
        let priority = request.priority;
        let quality = Qualities::default().of(priority).clone();
        let name = request.suite.clone();
        let suite = SuiteCard {
            fingerprint: fingerprint(&name),
            catalog_hash: fingerprint(&name),
            name,
            version: "0.1.0".to_owned(),
            commit: None,
            build: Build {
                rustc: "rustc 1.95.0".to_owned(),
                target: "x86_64-unknown-linux-gnu".to_owned(),
                opt_level: "3".to_owned(),
                target_features: vec!["sse2".to_owned()],
                ..Build::default()
            },
        };
        let clock = ClockCard { resolution: 1.0, jitter: 0.5, cost: 20.0 + rng.random::<f64>() };
        NewResult {
            response: Response {
                method: METHOD,
                request,
                priority,
                suite,
                quality,
                machine: Machine {
                    kind: MachineKind::Native,
                    name: "reference".to_owned(),
                    id: None,
                    processor: None,
                    clock,
                },
                points,
                comparisons: Vec::new(),
            },
            machine: machine(rng.random_range(0..self.machines)),
            axis: AXIS.to_owned(),
            seed: rng.random_range(0..2),
        }
    }

    /// Generates a query, which may have matches.
    pub fn query(&self, seed: u64) -> PointQuery {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let Request { suite, functions, generator, arguments, priority, .. } = self.request(&mut rng);
        PointQuery {
            fingerprint: fingerprint(&suite),
            method: METHOD,
            machine: machine(rng.random_range(0..self.machines)),
            functions,
            generator,
            arguments,
            axis: AXIS.to_owned(),
            seed: rng.random_range(0..2),
            xs: (0..self.xs).rev().map(axis_value).map(AxisValue::Number).collect(),
            quality: Qualities::default().of(priority).clone(),
            first_calls: seed.is_multiple_of(4),
            wasm_instructions: seed.is_multiple_of(5),
        }
    }

    fn request(&self, rng: &mut impl Rng) -> Request {
        let mut functions: Vec<String> = Vec::new();
        let together = rng.random_range(1..=self.together);
        while functions.len() < together as usize {
            let function = format!("sorting::sort_{}", rng.random_range(0..self.functions));
            if !functions.contains(&function) {
                functions.push(function);
            }
        }
        let low = axis_value(rng.random_range(0..self.xs));
        let arguments = Arguments::from([
            (AXIS.to_owned(), Argument::Range(Range { low, high: 2.0 * low })),
            ("distinct".to_owned(), Argument::Number(f64::from(rng.random_range(0..self.values)) / 2.0)),
            ("spread".to_owned(), Argument::Text("Random".to_owned())),
        ]);
        Request {
            client: format!("{:016x}", rng.random::<u64>()),
            ..Request::new(
                format!("suite-{}", rng.random_range(0..self.suites)),
                functions,
                format!("sorting::keys_{}", rng.random_range(0..self.generators)),
                arguments,
                Priority::all().nth(rng.random_range(0..4)).unwrap_or(Priority::FIRST),
            )
        }
    }

    fn point(&self, function: &str, x: f64, rng: &mut impl Rng) -> Point {
        let outcome = if rng.random_bool(0.1) {
            let reason = format!("panicked at {x}");
            Outcome::Failed(Failure { kind: FailureKind::Panic, reason })
        } else {
            Outcome::Measured(Box::new(measured(self.samples, x, rng)))
        };
        Point { function: function.to_owned(), x: x.into(), outcome }
    }
}

/// The query that matches all points of a result, if none of them failed.
pub fn query_for(result: &NewResult) -> PointQuery {
    let NewResult { response, machine, axis, seed } = result;
    let mut xs: Vec<AxisValue> = response.points.iter().map(|point| point.x.clone()).collect();
    xs.dedup();
    PointQuery {
        fingerprint: response.suite.fingerprint.clone(),
        method: response.method,
        machine: machine.clone(),
        functions: response.request.functions.clone(),
        generator: response.request.generator.clone(),
        arguments: response.request.arguments.clone(),
        axis: axis.clone(),
        seed: *seed,
        xs,
        quality: response.quality.clone(),
        first_calls: response.request.first_calls,
        wasm_instructions: response.request.wasm_instructions,
    }
}

/// The number of results per transaction of [`fill`].
const BATCH: u64 = 2_000;

/// Stores `count` results of a world, generated from the seeds 0 to `count` − 1.
///
/// # Errors
/// If the store returns an error.
pub fn fill(store: &SqliteStore, world: World, count: u64) -> Result<(), StoreError> {
    for first in (0..count).step_by(BATCH as usize) {
        let results: Vec<NewResult> = (first..count.min(first + BATCH)).map(|seed| world.result(seed)).collect();
        store.add_all(&results)?;
    }
    Ok(())
}

const AXIS: &str = "size";

fn axis_value(index: u32) -> f64 {
    f64::from(1_000 << index)
}

fn machine(index: u32) -> String {
    format!("reference-{index}, AMD EPYC 9654, Linux 6.12.{index}")
}

fn fingerprint(suite: &str) -> String {
    format!("{suite:0>64}")
}

fn wasm_counts(rng: &mut impl Rng) -> WasmCounts {
    let counts = WasmInstructions {
        calls: 16,
        arithmetic: rng.random_range(0..1_000_000),
        load: -2,
        ..WasmInstructions::default()
    };
    match rng.random_range(0..3) {
        0 => WasmCounts::Counted(counts),
        1 => WasmCounts::Varying { first: counts, second: WasmInstructions { store: 1, ..counts } },
        _ => WasmCounts::Uncountable("there is no counting module".to_owned()),
    }
}

fn memory_use(rng: &mut impl Rng) -> MemoryUse {
    let [allocations, bytes, peak] = [(); 3].map(|()| rng.random_range(0..1 << 53));
    MemoryUse { calls: 16, counts: Counts { allocations, bytes, peak } }
}

fn events(rng: &mut impl Rng) -> EventCounts {
    if rng.random_bool(0.3) {
        return EventCounts::Absent(CounterAbsence::Busy);
    }
    let mut estimate = || {
        let mean = 1e6 * rng.random::<f64>();
        EventEstimate { mean, sd: 0.1 * mean, interval: Interval { low: 0.9 * mean, high: 1.1 * mean } }
    };
    EventCounts::Counted(EventsPerCall {
        calls: 1_000,
        differences: 12,
        instructions: estimate(),
        cycles: Some(estimate()),
        branch_misses: Some(estimate()),
        cache_misses: None,
    })
}

fn measured(count: u32, x: f64, rng: &mut impl Rng) -> MeasuredPoint {
    let calls = 64;
    let times: Vec<f64> = (0..count).map(|_| x * (1.0 + rng.random::<f64>())).collect();
    let samples = times.iter().enumerate().map(|(index, time)| Sample {
        elapsed: time * calls as f64,
        warm_up: index == 0,
        interrupted: false,
        inferred: false,
    });
    let mean = times.iter().sum::<f64>() / f64::from(count);
    let summary = Summary {
        n: count - 1,
        blocks: 1,
        runs: 1,
        calls: calls * u64::from(count - 1),
        mean,
        uninterrupted_mean: None,
        sd: 0.1 * mean,
        min: 0.9 * mean,
        max: 2.0 * mean,
        median: Some(mean),
        q1: Some(0.95 * mean),
        q3: None,
        mean_interval: Some(Interval { low: 0.9 * mean, high: 1.1 * mean }),
        median_interval: None,
        relative_half_width: Some(0.1),
        is_correlated: false,
        interval_doubtful: false,
        mild_outliers: 0,
        extreme_outliers: 0,
        stability: Stability::Settled,
    };
    let run = Run {
        calls,
        overhead: Overhead { per_call: 0.5, half_width: 0.01, ..Overhead::default() },
        stability: Stability::Settled,
        reference: Some(1_000.0 * rng.random::<f64>()),
        samples: samples.collect(),
        blocks: vec![count - 1],
        inputs: None,
        new_inputs: None,
        longer_batches: None,
        later_blocks: Vec::new(),
    };
    let work =
        DeclaredWork { elements: rng.random_bool(0.5).then_some(1_000), bytes: rng.random_bool(0.3).then_some(8_000) };
    let first_calls = work.elements.map(|_| FirstCalls {
        call: Some(StartUpTimes { summary: summary.clone(), samples: run.samples.clone() }),
        ..FirstCalls::default()
    });
    MeasuredPoint {
        summary: summary.clone(),
        runs: vec![run],
        outputs: None,
        work,
        first_calls,
        memory: rng.random_bool(0.8).then(|| memory_use(rng)),
        events: rng.random_bool(0.5).then(|| events(rng)),
        wasm_instructions: rng.random_bool(0.5).then(|| wasm_counts(rng)),
        another_day: rng.random_bool(0.5).then_some(AnotherDay {
            mean: Interval { low: 0.9 * summary.mean, high: 1.1 * summary.mean },
            occasions: 5,
            hours: 100.0,
            at_usual_speed: None,
        }),
        warnings: vec![Warning::Batched { calls }],
    }
}
