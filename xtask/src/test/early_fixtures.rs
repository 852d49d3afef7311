//! Compiles the suites of the tests while the page is built.

use std::thread::{self, JoinHandle};

use benchbook_build::{Target, compile};
use xtask::workspace::Workspace;

/// The suites whose compilation takes longest.
const SUITES: [&str; 2] = ["misbehaving", "impostors"];

/// Native builds of suites in the background. The build of the page keeps only one core busy most of the time.
pub(super) struct EarlyFixtures(JoinHandle<()>);

impl EarlyFixtures {
    pub(super) fn start(workspace: &Workspace) -> Self {
        let root = workspace.root().to_owned();
        Self(thread::spawn(move || {
            for suite in SUITES {
                // The tests build it again, and report the errors.
                let _built = compile::executables(&root, suite, Target::Native);
            }
        }))
    }

    pub(super) fn wait(self) {
        // A panic only means that the tests compile more.
        let _panicked = self.0.join();
    }
}
