//! Loads the code of measured functions: what this browser executes from the suite's counting module, and native code from the runner.

use std::rc::Rc;

use benchbook_assembly::Listing;
use benchbook_host::alternative::Alternative;
use benchbook_notebook::id::Id;
use benchbook_notebook::result::{SharedValue, StoredListing};
use serde::Deserialize;
use serde_json::Value;

use super::counting::counting_module;
use crate::address::pairs::encode;
use crate::effects::runner::request::get;
use crate::effects::worker::local::LocalHost;
use crate::state::cell::Unlisted;
use crate::state::cell::action::RunEvent;
use crate::state::machines::runner::RunnerEndpoint;

/// The code of functions, and why some of it is missing: sentences.
#[derive(Default)]
struct Loaded {
    listings: Vec<StoredListing>,
    problems: Vec<String>,
}

/// Loads the code of functions. `host`: that of the suite. `runner`: the connected one, if any.
pub(super) async fn list(unlisted: &Unlisted, host: Option<&LocalHost>, runner: Option<&RunnerEndpoint>) -> RunEvent {
    let (mut results, mut listings, mut problems) = (Vec::new(), Vec::new(), Vec::new());
    let mut add = |id: &Id, loaded: Loaded| {
        results.push(id.clone());
        listings.extend(loaded.listings.into_iter().map(|listing| (id.clone(), listing)));
        problems.extend(loaded.problems);
    };
    if let Some((id, functions)) = &unlisted.here {
        add(id, in_module(functions, &unlisted.generator, host).await);
    }
    if let Some((id, functions, build)) = &unlisted.on_runner {
        add(id, on_runner(functions, build, unlisted, runner).await);
    }
    problems.dedup();
    RunEvent::Listed { results, listings, problems }
}

/// The code of functions that this browser measured.
async fn in_module(functions: &[String], generator: &str, host: Option<&LocalHost>) -> Loaded {
    let mut loaded = Loaded::default();
    let table = match host {
        Some(host) => counting_module(host).await.and_then(|module| module.listings()),
        None => Err("the suite is not loaded".to_owned()),
    };
    match table {
        Ok(table) => functions.iter().for_each(|path| match table.find(path, generator) {
            Some(code) => loaded.add(path, code.get(), "Build the suite again."),
            None => loaded.problems.push(format!("{path} has no code of its own: benches of other harnesses are closures, which the compiler inlines. Annotate a function with #[measured].")),
        }),
        Err(reason) => {
            loaded.problems.push(format!("Can't load the wasm code: {reason}."));
        }
    }
    loaded
}

/// The code of functions in the build that a runner measured.
async fn on_runner(
    functions: &[String],
    build: &str,
    Unlisted { suite, generator, .. }: &Unlisted,
    runner: Option<&RunnerEndpoint>,
) -> Loaded {
    let mut loaded = Loaded::default();
    let Some(runner) = runner else {
        loaded
            .problems
            .push("To load the machine code, connect to the runner that measured it, in the page's header.".to_owned());
        return loaded;
    };
    for path in functions {
        let in_build = match Alternative::parse(path).build {
            Some(_) => path.clone(),
            None => Alternative::in_build(path, build),
        };
        let [suite, function, generator] = [suite, &in_build, generator].map(|text| encode(text));
        match get(runner, &format!("assembly?suite={suite}&function={function}&generator={generator}")).await {
            Ok(code) => loaded.add(path, &code, "Update the runner."),
            Err(error) => loaded.problems.push(error.message().to_owned()),
        }
    }
    loaded
}

impl Loaded {
    /// Adds the code of a function. `advice`: what helps if it cannot be read.
    fn add(&mut self, path: &str, code: &str, advice: &str) {
        let code = serde_json::from_str(code).ok();
        let is_valid = |code: &Value| Listing::deserialize(code).is_ok_and(|listing| listing.is_valid());
        match code.filter(is_valid) {
            Some(code) => {
                let listing = SharedValue(Rc::new(code));
                self.listings.push(StoredListing { function: path.to_owned(), listing });
            }
            None => self.problems.push(format!("This page can't read the code of {path}. {advice}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_valid_code_is_stored() {
        let mut loaded = Loaded::default();
        let listing =
            r#"{"function":"demo::f","format":"wasm","bytes":1,"instructions":[{"offset":0,"text":"end"}],"loops":[]}"#;
        loaded.add("f", listing, "Update the runner.");
        assert_eq!((loaded.listings.len(), loaded.problems.len()), (1, 0));
        let impossible = listing.replace(r#""text""#, r#""place":7,"text""#);
        for damaged in ["{", "{}", &impossible] {
            loaded.add("g", damaged, "Update the runner.");
            assert_eq!(
                loaded.problems.pop().as_deref(),
                Some("This page can't read the code of g. Update the runner.")
            );
        }
        assert_eq!(loaded.listings.len(), 1);
    }
}
