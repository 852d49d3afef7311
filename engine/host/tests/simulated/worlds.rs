//! Worlds to measure in: kinds of noise, clocks and calls. Several were not known to the authors of the sampler.

use std::fmt;

use super::fake::{Fake, Model, Spread};
use benchbook_contract::parameter::Range;
use benchbook_host::quality::{Priority, Qualities, Quality};
use benchbook_host::response::Point;

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
    /// The true mean relative to the nanoseconds per call.
    pub mean: f64,
    /// The true median relative to the nanoseconds per call, where it is known.
    pub median: Option<f64>,
    /// The shortest measurement that shows the noise, in milliseconds per point.
    pub point_ms: f64,
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
    mean: 1.0,
    median: Some(1.0),
    point_ms: 0.0,
    calls: (0.0, f64::INFINITY),
    coarsest_clock: f64::INFINITY,
    causes: &[],
};

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
        point_ms: 301.0,
        ..QUIET
    },
    Noise {
        name: "20 µs every 1 ms",
        ticks: Some((1e6, 20e3)),
        mean: 1.0 / 0.98,
        median: None,
        causes: &["two levels", "correlated"],
        ..QUIET
    },
    Noise {
        name: "a pause of 50 calls every 1 000",
        model: |per_call| Model { pause: Some((1_000, 50.0 * per_call)), ..lognormal(per_call) },
        mean: 1.05,
        median: None,
        calls: (0.0, 3e3),
        causes: &["two levels", "correlated"],
        ..QUIET
    },
];

/// Noise that changes while a function is measured.
pub const CHANGING: [Noise; 4] = [
    Noise {
        name: "15% slower every other 0.2 s",
        weather: Some(|now| if (now / 0.2e9) as u64 % 2 == 0 { 1.0 } else { 1.15 }),
        mean: 2.0 / (1.0 + 1.0 / 1.15),
        median: None,
        point_ms: 301.0,
        causes: &["changed", "slow machine", "two levels", "correlated"],
        ..QUIET
    },
    Noise {
        name: "waves of 5% in 50 ms",
        weather: Some(|now| 1.0 + 0.05 * (now * std::f64::consts::TAU / 50e6).sin()),
        mean: 0.998_75,
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
        point_ms: 1_000.0,
        causes: &["changed", "late change"],
        ..QUIET
    },
];

/// The nanoseconds per call.
pub const CALLS: [f64; 5] = [1.0, 50.0, 3e3, 200e3, 2e6];

/// The steps of a page's clock in nanoseconds: isolated, and not; with protection against fingerprinting.
pub const PAGE_CLOCKS: [f64; 4] = [5e3, 20e3, 100e3, 1e6];

/// That of a native clock.
pub const NATIVE_CLOCK: f64 = 30.0;

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
        let (shortest, longest) = self.noise.calls;
        let time = self.host.quality().point_ms;
        (shortest..=longest).contains(&self.per_call)
            && time >= self.noise.point_ms
            && self.host.clock() <= self.noise.coarsest_clock
    }

    /// Whether it takes little time to simulate.
    pub fn is_quick(&self) -> bool {
        self.host != Host::Runner || self.per_call >= 200e3
    }

    /// Its row in a table: the noise and the clock.
    pub fn row(&self) -> (&'static str, &'static str) {
        let clock = match self.host {
            Host::Runner => "30 ns",
            Host::Page(_, clock) if clock < 10e3 => "5 µs",
            Host::Page(_, clock) if clock < 50e3 => "20 µs",
            Host::Page(_, clock) if clock < 500e3 => "100 µs",
            Host::Page(..) => "1 ms",
        };
        (self.noise.name, clock)
    }

    /// A suite of functions with these times relative to the world's.
    fn fake(&self, times: &[f64], repeat: u32) -> Fake {
        let model = |time: &f64| (self.noise.model)(self.per_call * time);
        let mut fake = Fake::new(times.iter().map(model).collect());
        fake.random = u64::from(repeat) << 32;
        fake.inputs_seed = u64::from(repeat);
        fake.resolution = self.host.clock();
        fake.weather = self.noise.weather;
        fake.ticks = self.noise.ticks;
        fake.start_at(f64::from(repeat) * 0.618_034e9);
        fake
    }

    /// Measures functions with these times relative to the world's.
    pub fn measure(&self, times: &[f64], range: Range, repeat: u32) -> Vec<Point> {
        self.fake(times, repeat).measure_at(self.host.quality(), range)
    }

    /// The true mean in nanoseconds per call.
    pub fn mean(&self) -> f64 {
        self.per_call * self.noise.mean
    }

    /// The true median, where it is known.
    pub fn median(&self) -> Option<f64> {
        self.noise.median.map(|median| median * self.per_call)
    }
}

impl fmt::Display for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { noise, per_call, host } = self;
        let (_, clock) = self.row();
        match host {
            Host::Runner => write!(f, "{}, runner, {per_call} ns", noise.name),
            Host::Page(priority, _) => {
                write!(f, "{}, page at priority {priority}, clock of {clock}, {per_call} ns", noise.name)
            }
        }
    }
}
