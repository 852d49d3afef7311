//! Finds the code of measured functions: in this browser, in the suite's counting module; of native code, the runner lists it.

use std::rc::Rc;

use benchbook_host::alternative::Alternative;
use benchbook_host::response::MachineKind;
use benchbook_notebook::result::{SharedValue, StoredListing};
use serde_json::Value;

use super::counting::counting_module;
use crate::address::pairs::encode;
use crate::effects::runner::request::get;
use crate::effects::worker::local::LocalHost;
use crate::state::cell::Unlisted;
use crate::state::cell::action::RunEvent;
use crate::state::machines::runner::RunnerEndpoint;

/// Finds the code of functions, and why some of it is missing. `host`: that of the suite. `runner`: the one that may have measured them; `None` if none is connected.
pub(super) async fn list(unlisted: &Unlisted, host: Option<&LocalHost>, runner: Option<&RunnerEndpoint>) -> RunEvent {
    let (mut listings, mut problem) = (Vec::new(), None);
    let mut add = |kind: MachineKind, function: &str, listing: Value| {
        let listing = SharedValue(Rc::new(listing));
        listings.push((kind, StoredListing { function: function.to_owned(), listing }));
    };
    if !unlisted.here.is_empty() {
        match in_module(unlisted, host).await {
            Ok(found) => found.into_iter().for_each(|(path, code)| match code {
                Some(code) => add(MachineKind::Browser, path, code),
                None => problem = Some(no_code(path)),
            }),
            Err(reason) => problem = Some(format!("The code that this browser executes is not available: {reason}.")),
        }
    }
    for (build, path) in
        unlisted.on_runner.iter().flat_map(|(build, paths)| paths.iter().map(move |path| (build, path)))
    {
        let Some(runner) = runner else {
            problem =
                Some("The machine code is on the runner that measured it. Choose it in the page's header.".to_owned());
            break;
        };
        let kept = match Alternative::parse(path).build {
            Some(_) => path.clone(),
            None => Alternative::in_build(path, build),
        };
        let [suite, function, generator] = [&unlisted.suite, &kept, &unlisted.generator].map(|text| encode(text));
        let listing = get(runner, &format!("assembly?suite={suite}&function={function}&generator={generator}")).await;
        match listing.map(|text| serde_json::from_str(&text)) {
            Ok(Ok(listing)) => add(MachineKind::Native, path, listing),
            Ok(Err(_)) => problem = Some("The runner sent no listing. Update it.".to_owned()),
            Err(error) => problem = Some(error.message().to_owned()),
        }
    }
    RunEvent::Listed { listings, problem }
}

/// The code of functions that this browser measured, as far as they have any.
async fn in_module<'u>(
    unlisted: &'u Unlisted,
    host: Option<&LocalHost>,
) -> Result<Vec<(&'u str, Option<Value>)>, String> {
    let host = host.ok_or("the suite is not loaded")?;
    let table = counting_module(host).await?.listings()?;
    let of = |path: &'u String| (path.as_str(), table.find(path, &unlisted.generator).cloned());
    Ok(unlisted.here.iter().map(of).collect())
}

fn no_code(path: &str) -> String {
    format!(
        "{path} has no code of its own: benches of other harnesses are closures, which the compiler inlines. Annotate a function with #[measured]."
    )
}
