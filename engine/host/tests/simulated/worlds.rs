//! Worlds to measure in: kinds of noise, clocks and calls. Several were not known to the authors of the sampler.

use std::fmt;

use super::fake::{Fake, Model, Spread};
use benchbook_contract::parameter::Range;
use benchbook_host::quality::{Priority, Qualities, Quality};
use benchbook_host::response::Point;
use benchbook_host::units::Nanos;

/// The true mean of a function, relative to its nanoseconds per call.
#[derive(Clone, Copy)]
pub enum TrueMean {
    Known(f64),
    /// That of the weather while it is measured.
    OfWindow,
    Unknown,
}

/// A kind of noise.
#[derive(Clone, Copy)]
pub struct Noise {
    pub name: &'static str,
    /// A function that takes so many nanoseconds per call.
    pub model: fn(f64) -> Model,
    /// The factor by which everything is slower at a time in nanoseconds, if it changes.
    pub weather: Option<fn(f64) -> f64>,
    /// The period and duration of what interrupts from time to time, in nanoseconds.
    pub ticks: Option<(f64, f64)>,
    /// The probability that a batch is interrupted, and the nanoseconds that this adds.
    pub stalls: (f64, f64),
    /// The true mean relative to the nanoseconds per call, where it is known.
    pub mean: TrueMean,
    /// The true median relative to the nanoseconds per call, where it is known.
    pub median: Option<f64>,
    /// The shortest and the longest measurement that shows the noise, in milliseconds per point.
    pub point_ms: (f64, f64),
    /// The shortest and the longest call with this noise, in nanoseconds.
    pub calls: (f64, f64),
    /// The coarsest clock that shows it, in nanoseconds.
    pub coarsest_clock: f64,
    /// The labels that are right with this noise.
    pub causes: &'static [&'static str],
}

/// A function without noise.
fn quiet(per_call: f64) -> Model {
    Model { per_call, noise: 0.0, ..Model::default() }
}

fn lognormal(per_call: f64) -> Model {
    Model { spread: Spread::Lognormal(0.01), ..quiet(per_call) }
}

/// The base of the others: batches vary by 1%.
pub const QUIET: Noise = Noise {
    name: "lognormal 1%",
    model: lognormal,
    weather: None,
    ticks: None,
    stalls: (0.0, 0.0),
    mean: TrueMean::Known(1.0),
    median: Some(1.0),
    point_ms: (0.0, f64::INFINITY),
    calls: (0.0, f64::INFINITY),
    coarsest_clock: f64::INFINITY,
    causes: &[],
};

/// Labels that are always right: they say what the interval is like.
pub const ALWAYS_RIGHT: [&str; 2] = ["imprecise", "not above zero"];

impl Noise {
    /// Whether a label is right with this noise.
    pub fn is_cause_of(&self, label: &str) -> bool {
        ALWAYS_RIGHT.contains(&label) || self.causes.contains(&label)
    }
}

/// Noise that does not change while a function is measured.
pub const STATIONARY: [Noise; 12] = [
    QUIET,
    Noise {
        name: "lognormal 5%",
        model: |per_call| Model { spread: Spread::Lognormal(0.05), ..quiet(per_call) },
        median: Some(0.998_751),
        ..QUIET
    },
    Noise {
        name: "lognormal 30%",
        model: |per_call| Model { spread: Spread::Lognormal(0.3), ..quiet(per_call) },
        median: Some(0.955_997),
        causes: &["skewed"],
        ..QUIET
    },
    Noise {
        name: "exponential 20%",
        model: |per_call| Model { spread: Spread::Exponential(0.2), ..quiet(per_call) },
        median: Some(0.938_629),
        causes: &["skewed"],
        ..QUIET
    },
    Noise {
        name: "20% of batches 10% slower",
        model: |per_call| Model { spread: Spread::TwoModes(0.2, 0.1), noise: 0.02, ..quiet(per_call) },
        median: None,
        causes: &["two levels", "skewed"],
        ..QUIET
    },
    Noise {
        name: "gamma, 1% of batches × 10",
        model: |per_call| Model { spread: Spread::HeavyTail(4), ..quiet(per_call) },
        median: None,
        causes: &["interrupted", "skewed", "not above zero"],
        ..QUIET
    },
    Noise {
        name: "3%, correlated over 2 ms",
        model: |per_call| Model { spread: Spread::Wandering(2e6, 0.03), ..quiet(per_call) },
        causes: &["correlated", "changed"],
        ..QUIET
    },
    Noise {
        name: "input sets vary by 2%",
        model: |per_call| Model { own_inputs: 0.02 * 1.732_050_8, ..lognormal(per_call) },
        ..QUIET
    },
    Noise {
        name: "inputs lognormal, sigma 1",
        model: |per_call| Model { single_inputs: 1.0, ..lognormal(per_call) },
        median: None,
        calls: (3e3, f64::INFINITY),
        causes: &["skewed"],
        ..QUIET
    },
    Noise {
        name: "processes vary by 1.5%",
        model: |per_call| Model { processes: 0.015, ..lognormal(per_call) },
        median: None,
        point_ms: (301.0, f64::INFINITY),
        ..QUIET
    },
    Noise {
        name: "20 µs every 1 ms",
        ticks: Some((1e6, 20e3)),
        mean: TrueMean::Known(1.0 / 0.98),
        median: None,
        causes: &["two levels", "correlated"],
        ..QUIET
    },
    Noise {
        name: "a pause of 50 calls every 1 000",
        model: |per_call| Model { pause: Some((1_000, 50.0 * per_call)), ..lognormal(per_call) },
        mean: TrueMean::Known(1.05),
        median: None,
        calls: (0.0, 3e3),
        causes: &["two levels", "correlated"],
        ..QUIET
    },
];

/// Noise that changes while a function is measured.
pub const CHANGING: [Noise; 8] = [
    Noise {
        name: "15% slower every other 0.2 s",
        weather: Some(|now| if (now / 0.2e9) as u64 % 2 == 0 { 1.0 } else { 1.15 }),
        mean: TrueMean::Known(2.0 / (1.0 + 1.0 / 1.15)),
        median: None,
        point_ms: (301.0, f64::INFINITY),
        causes: &["changed", "slow machine", "two levels", "correlated", "rough"],
        ..QUIET
    },
    Noise {
        name: "waves of 5% in 50 ms",
        weather: Some(|now| 1.0 + 0.05 * (now * std::f64::consts::TAU / 50e6).sin()),
        mean: TrueMean::Known(0.998_75),
        median: None,
        // Batches of a coarser clock are about as long as the waves.
        coarsest_clock: 100e3,
        causes: &["correlated", "changed"],
        ..QUIET
    },
    Noise {
        name: "20 µs more per batch",
        model: |per_call| Model { batch_start: 20e3, ..lognormal(per_call) },
        median: None,
        calls: (50.0, 3e3),
        coarsest_clock: 5e3,
        causes: &["batch start"],
        ..QUIET
    },
    Noise {
        name: "1.3 × slower in the first 300 ms of a process",
        model: |per_call| Model { late_code: (300e6, 1.3), ..lognormal(per_call) },
        median: None,
        point_ms: (1_000.0, f64::INFINITY),
        causes: &["changed", "late change", "rough"],
        ..QUIET
    },
    Noise {
        name: "1.3 × slower in the first 600 ms of a process",
        model: |per_call| Model { late_code: (600e6, 1.3), ..lognormal(per_call) },
        median: None,
        point_ms: (1_000.0, f64::INFINITY),
        causes: &["changed", "late change", "rough"],
        ..QUIET
    },
    Noise {
        name: "2 × slower in the first 10 batches, which vary by 23%",
        model: |per_call| Model { tier: (10, 2.0), noise: 0.4, ..quiet(per_call) },
        median: None,
        // Otherwise the warm-up contains them.
        point_ms: (0.0, 100.0),
        calls: (2e6, 2e6),
        coarsest_clock: 100e3,
        causes: &["not settled", "changed", "interrupted", "skewed"],
        ..QUIET
    },
    Noise {
        name: "5% of batches interrupted for 5 ms",
        stalls: (0.05, 5e6),
        mean: TrueMean::Unknown,
        median: None,
        causes: &["interrupted", "skewed", "two levels"],
        ..QUIET
    },
    Noise {
        name: "5% faster and slower within a minute",
        weather: Some(|now| 1.0 + 0.05 * (now * std::f64::consts::TAU / 60e9).sin()),
        mean: TrueMean::OfWindow,
        median: None,
        ..QUIET
    },
];

/// The nanoseconds between the starts of two repetitions: not a multiple of any period.
const START: f64 = 0.618_034e9;

/// The moments of a measurement at which the weather is averaged.
const MOMENTS: f64 = 1_000.0;

/// The nanoseconds per call.
pub const CALLS: [f64; 5] = [1.0, 50.0, 3e3, 200e3, 2e6];

/// The steps of a page's clock in nanoseconds: isolated, and not; with protection against fingerprinting.
pub const PAGE_CLOCKS: [f64; 4] = [5e3, 20e3, 100e3, 1e6];

/// That of a native clock.
pub const NATIVE_CLOCK: f64 = 30.0;

/// The names of the runner's clock and of [`PAGE_CLOCKS`].
pub const CLOCK_NAMES: [&str; 5] = ["30 ns", "5 µs", "20 µs", "100 µs", "1 ms"];

/// A way to measure, and the step of its clock in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Host {
    /// A page at a priority.
    Page(u8, f64),
    /// A runner at the last priority.
    Runner,
}

impl Host {
    /// The pages with each clock at each priority, and the runner.
    pub fn all() -> Vec<Self> {
        let page = |clock: f64| (1..=4).map(move |priority| Self::Page(priority, clock));
        PAGE_CLOCKS.into_iter().flat_map(page).chain([Self::Runner]).collect()
    }

    pub fn quality(self) -> Quality {
        let (qualities, priority) = match self {
            Self::Page(priority, _) => (Qualities::in_browser(), priority),
            Self::Runner => (Qualities::default(), 4),
        };
        qualities.of(Priority::try_from(priority).expect("1 to 4")).clone()
    }

    pub fn clock(self) -> f64 {
        match self {
            Self::Page(_, clock) => clock,
            Self::Runner => NATIVE_CLOCK,
        }
    }

    pub fn clock_name(self) -> &'static str {
        let index = PAGE_CLOCKS.iter().position(|&clock| clock == self.clock());
        CLOCK_NAMES[index.map_or(0, |index| index + 1)]
    }
}

/// Functions with the same true time, in one kind of noise.
#[derive(Clone, Copy)]
pub struct World {
    pub noise: &'static Noise,
    pub per_call: f64,
    pub host: Host,
}

impl World {
    /// Whether this noise shows with such calls on this host.
    pub fn exists(&self) -> bool {
        let contains = |(low, high): (f64, f64), value: f64| (low..=high).contains(&value);
        contains(self.noise.calls, self.per_call)
            && contains(self.noise.point_ms, self.host.quality().point_ms)
            && self.host.clock() <= self.noise.coarsest_clock
    }

    /// Whether it takes little time to simulate.
    pub fn is_quick(&self) -> bool {
        self.host != Host::Runner || self.per_call >= 200e3
    }

    /// A suite of functions with these times relative to the world's.
    fn fake(&self, times: &[f64], repeat: u32) -> Fake {
        let model = |time: &f64| (self.noise.model)(self.per_call * time);
        let mut fake = Fake::new(times.iter().map(model).collect());
        fake.random = u64::from(repeat) << 32;
        fake.inputs_seed = u64::from(repeat);
        // As in a browser and on a runner, so that no order recurs.
        fake.order_seed = Some(u64::from(repeat));
        fake.resolution = self.host.clock();
        fake.weather = self.noise.weather;
        fake.ticks = self.noise.ticks;
        fake.stalls = self.noise.stalls;
        fake.start_at(f64::from(repeat) * START);
        fake
    }

    /// Measures functions with these times relative to the world's.
    pub fn measure(&self, times: &[f64], range: Range, repeat: u32) -> Vec<Point> {
        self.measure_with_mean(times, range, repeat).0
    }

    /// The same, with the true mean in nanoseconds per call at a time of 1, where it is known.
    pub fn measure_with_mean(&self, times: &[f64], range: Range, repeat: u32) -> (Vec<Point>, Option<f64>) {
        let mut fake = self.fake(times, repeat);
        let start = fake.now();
        let points = fake.measure_at(self.host.quality(), range);
        let relative = match (self.noise.mean, self.noise.weather) {
            (TrueMean::Known(mean), _) => Some(mean),
            (TrueMean::OfWindow, Some(weather)) => {
                let step = (fake.now() - start) / MOMENTS;
                let sum: f64 = (0..MOMENTS as u32).map(|moment| weather(start + f64::from(moment) * step)).sum();
                Some(sum / MOMENTS)
            }
            _ => None,
        };
        (points, relative.map(|relative| relative * self.per_call))
    }

    /// The time of a call in words.
    pub fn call(&self) -> String {
        Nanos(self.per_call).to_string()
    }

    /// The true median, where it is known.
    pub fn median(&self) -> Option<f64> {
        self.noise.median.map(|median| median * self.per_call)
    }
}

impl fmt::Display for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}; {}", self.noise.name, self.host, self.call())
    }
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Runner => write!(f, "runner"),
            Self::Page(priority, _) => write!(f, "{}, priority {priority}", self.clock_name()),
        }
    }
}
