//! A suite on one of its two targets: a process, or wasm in an interpreter, measured as the page does it.

use benchbook_contract::catalog::{Generator, Suite};
use benchbook_contract::parameter::{Numeric, Range};
use benchbook_host::child::NativeSuite;
use benchbook_host::fingerprint::catalog_hash;
use benchbook_host::quality::Quality;
use benchbook_host::request::Request;
use benchbook_host::response::{Failure, Outcome, Point};
use benchbook_tests::requests::{self, lower_end};
use benchbook_tests::suites::SuiteBuilds;
use benchbook_tests::wasm::WasmModule;

pub enum Target {
    Native(Box<NativeSuite>),
    Wasm(Box<Suite>, WasmModule),
}

impl Target {
    pub fn native(builds: &SuiteBuilds) -> Self {
        Self::Native(Box::new(NativeSuite::open(&builds.program).unwrap()))
    }

    pub fn wasm(builds: &SuiteBuilds) -> Self {
        let module = WasmModule::new(&builds.wasm().unwrap()).unwrap();
        Self::Wasm(Box::new(module.describe().unwrap()), module)
    }

    /// Both targets, which have the same catalog.
    pub fn both(builds: &SuiteBuilds) -> [Self; 2] {
        let both = [Self::native(builds), Self::wasm(builds)];
        assert_eq!(catalog_hash(both[0].suite()), catalog_hash(both[1].suite()));
        both
    }

    pub fn is_native(&self) -> bool {
        matches!(self, Self::Native(_))
    }

    pub fn suite(&self) -> &Suite {
        match self {
            Self::Native(suite) => suite.suite(),
            Self::Wasm(suite, _) => suite,
        }
    }

    pub fn measure(&self, request: Request, quality: Quality) -> Vec<Point> {
        match self {
            Self::Native(suite) => {
                let mut seen = Vec::new();
                let response = requests::measure(suite, request, quality, |point| seen.push(point.clone())).unwrap();
                assert_eq!(seen, response.points, "each point is reported as it completes");
                response.points
            }
            Self::Wasm(_, module) => module.measure(request, quality).unwrap(),
        }
    }

    /// Asserts that each point of each request can be measured, except those of native functions in wasm.
    pub fn assert_measured(&self, requests: impl IntoIterator<Item = Request>, quality: &Quality) {
        for request in requests {
            for point in self.measure(request, quality.clone()) {
                // A browser has a single thread.
                if self.is_native() || !self.suite().function(&point.function).unwrap().native {
                    assert!(point.measured().is_some(), "{point:?}");
                } else {
                    assert!(failure(&point).reason.contains("is native: only a runner can measure it"), "{point:?}");
                }
            }
        }
    }
}

pub fn failure(point: &Point) -> &Failure {
    match &point.outcome {
        Outcome::Failed(failure) => failure,
        Outcome::Measured(_) => panic!("{} at {} was measured", point.function, point.x),
    }
}

/// The range for generators without an axis, where it is ignored.
pub const NO_AXIS: Range = Range { low: 0.0, high: 0.0 };

/// The lower end of a generator's axis.
pub fn lower_end_of(generator: &Generator) -> Range {
    axis_of(generator).map_or(NO_AXIS, lower_end)
}

pub fn axis_of(generator: &Generator) -> Option<&Numeric> {
    generator.default_axis().and_then(|axis| axis.numeric())
}
