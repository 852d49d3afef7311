//! Compiles suites in the background while unit tests run.

use std::thread::{self, JoinHandle};

use benchbook_build::{Target, compile};
use xtask::workspace::Workspace;

/// The packages that are compiled early, and for which target. Those of the page come first, then those whose compilation takes longest.
const SUITES: [(&str, Target); 15] = [
    ("demo", Target::Native),
    ("demo", Target::Wasm),
    ("misbehaving", Target::Native),
    ("ladder", Target::Native),
    ("ladder", Target::Wasm),
    ("misbehaving", Target::Wasm),
    ("criterion_benches", Target::Native),
    ("criterion_benches", Target::Wasm),
    ("divan_benches", Target::Native),
    ("divan_benches", Target::Wasm),
    ("declarations", Target::Native),
    ("declarations", Target::Wasm),
    ("allocating", Target::Native),
    ("allocating", Target::Wasm),
    ("library", Target::Native),
];

/// Builds of suites in the background. Unit tests keep only one core busy most of the time.
pub(super) struct EarlyFixtures(JoinHandle<()>);

impl EarlyFixtures {
    pub(super) fn start(workspace: &Workspace) -> Self {
        let root = workspace.root().to_owned();
        Self(thread::spawn(move || {
            for (suite, target) in SUITES {
                // The tests build it again, and report the errors.
                let _built = compile::executables(&root, suite, target);
            }
        }))
    }

    pub(super) fn wait(self) {
        // A panic only means that the tests compile more.
        let _panicked = self.0.join();
    }
}
