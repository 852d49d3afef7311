//! The machine code of a suite's functions.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use axum::body::Bytes;
use benchbook_assembly::{Executable, SourceFiles, SourceLines, measured_functions};
use benchbook_contract::catalog::Function;
use benchbook_host::child::NativeSuite;

/// The code of a suite's functions, read once it is requested: that takes a few tenths of a second, during which something may be measured.
#[derive(Debug, Default)]
pub struct SuiteCode(OnceLock<Result<Listings, String>>);

/// Listings as JSON.
#[derive(Debug)]
struct Listings {
    /// The indices of listings, by the paths of functions and of generators.
    functions: BTreeMap<[String; 2], usize>,
    listings: Vec<Bytes>,
}

impl SuiteCode {
    /// The code of a function with a generator, as JSON; `None` if it has none. May block.
    ///
    /// # Errors
    /// A sentence that says why the code of this suite cannot be read.
    pub(crate) fn listing(&self, suite: &NativeSuite, function: &str, generator: &str) -> Result<Option<Bytes>, &str> {
        let known = match self.0.get() {
            Some(known) => known,
            None => {
                // The next request tries again.
                let program = suite
                    .read_program()
                    .map_err(|_| "The runner cannot read the executable of this suite. Try again.")?;
                self.0.get_or_init(|| Listings::read(&program, &suite.suite().functions))
            }
        };
        let Listings { functions, listings } = known.as_ref().map_err(String::as_str)?;
        let index = functions.get(&[function, generator].map(str::to_owned));
        Ok(index.and_then(|index| listings.get(*index)).cloned())
    }
}

impl Listings {
    fn read(program: &[u8], catalog: &[Function]) -> Result<Self, String> {
        let executable =
            Executable::read(program).map_err(|error| format!("The runner cannot show this code: {error}."))?;
        // An executable can name any file of this machine.
        let files = SourceFiles { workspace: "", read: |_| None };
        let lines = SourceLines::of_executable(program, files);
        let functions = catalog.iter().flat_map(|function| {
            function.generators.iter().map(|generator| (function.path.as_str(), generator.as_str()))
        });
        let table = measured_functions(&executable.program(lines.as_ref()), functions);
        let listings = table.listings.iter().map(|listing| serde_json::to_vec(listing).map(Bytes::from));
        let listings = listings
            .collect::<Result<_, _>>()
            .map_err(|error| format!("The runner cannot write this code: {error}."))?;
        let functions = table.functions.into_iter().map(|one| ([one.function, one.generator], one.listing)).collect();
        Ok(Self { functions, listings })
    }
}
