//! Loads the code of measured functions: what this browser executes from the suite's counting module, and native code from the runner.

use std::rc::Rc;

use benchbook_host::alternative::Alternative;
use benchbook_notebook::id::Id;
use benchbook_notebook::result::{SharedValue, StoredListing};
use serde_json::Value;

use super::counting::counting_module;
use crate::address::pairs::encode;
use crate::effects::runner::request::get;
use crate::effects::worker::local::LocalHost;
use crate::state::cell::Unlisted;
use crate::state::cell::action::RunEvent;
use crate::state::machines::runner::RunnerEndpoint;

/// Loads the code of functions, and says why some of it is missing. `host`: that of the suite. `runner`: the connected one, if any.
pub(super) async fn list(unlisted: &Unlisted, host: Option<&LocalHost>, runner: Option<&RunnerEndpoint>) -> RunEvent {
    let (mut results, mut listings, mut problem) = (Vec::new(), Vec::new(), None);
    let mut add = |id: &Id, function: &str, listing: Value| {
        let listing = SharedValue(Rc::new(listing));
        listings.push((id.clone(), StoredListing { function: function.to_owned(), listing }));
    };
    if let Some((id, functions)) = &unlisted.here {
        results.push(id.clone());
        match in_module(functions, &unlisted.generator, host).await {
            Ok(found) => found.into_iter().for_each(|(path, code)| match code {
                Some(code) => add(id, path, code),
                None => problem = Some(no_code(path)),
            }),
            Err(reason) => problem = Some(format!("The code that this browser executes is not available: {reason}.")),
        }
    }
    if let Some((id, functions, build)) = &unlisted.on_runner {
        results.push(id.clone());
        for path in functions {
            let Some(runner) = runner else {
                problem = Some(
                    "Connect to the runner that measured this, in the page's header, to load its machine code."
                        .to_owned(),
                );
                break;
            };
            let kept = match Alternative::parse(path).build {
                Some(_) => path.clone(),
                None => Alternative::in_build(path, build),
            };
            let [suite, function, generator] = [&unlisted.suite, &kept, &unlisted.generator].map(|text| encode(text));
            let listing =
                get(runner, &format!("assembly?suite={suite}&function={function}&generator={generator}")).await;
            match listing.map(|text| serde_json::from_str(&text)) {
                Ok(Ok(listing)) => add(id, path, listing),
                Ok(Err(_)) => problem = Some("The page can't read the runner's reply. Update the runner.".to_owned()),
                Err(error) => problem = Some(error.message().to_owned()),
            }
        }
    }
    RunEvent::Listed { results, listings, problem }
}

/// The code of functions that this browser measured, as far as they have any.
async fn in_module<'u>(
    functions: &'u [String],
    generator: &str,
    host: Option<&LocalHost>,
) -> Result<Vec<(&'u str, Option<Value>)>, String> {
    let host = host.ok_or("the suite is not loaded")?;
    let table = counting_module(host).await?.listings()?;
    Ok(functions.iter().map(|path| (path.as_str(), table.find(path, generator).cloned())).collect())
}

fn no_code(path: &str) -> String {
    format!(
        "{path} has no code of its own: benches of other harnesses are closures, which the compiler inlines. Annotate a function with #[measured]."
    )
}
