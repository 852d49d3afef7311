//! The output for a user who runs the executable in a terminal.

use super::profile::ProfileOptions;
use crate::entry::peer::Peer;
use crate::identity::Identity;
use benchbook_contract::catalog::{Function, Suite};

/// Profiles a function, or prints help and the catalog. `cargo bench` passes `--bench` to bench targets.
pub(super) fn run(peer: &mut Peer, identity: Identity, arguments: &[String]) {
    if arguments.iter().any(|argument| argument.starts_with(ProfileOptions::OPTION)) {
        if let Err(problem) = ProfileOptions::parse(arguments).and_then(|options| options.run(peer)) {
            eprintln!("{}: {problem}", identity.name);
            std::process::exit(2);
        }
        return;
    }
    let unknown = arguments.iter().find(|argument| !matches!(argument.as_str(), "-h" | "--help" | "list" | "--bench"));
    if let Some(unknown) = unknown {
        eprintln!("{}: unknown argument `{unknown}`; see --help", identity.name);
        std::process::exit(2);
    }
    println!("{}", help(identity));
    match peer.declarations() {
        Ok(declarations) => println!("{}", table(&declarations.catalog())),
        Err(reason) => {
            eprintln!("{}: {reason}", identity.name);
            std::process::exit(1);
        }
    }
}

fn help(identity: Identity) -> String {
    let Identity { name, version, .. } = identity;
    format!(
        "{name} {version}, a Benchbook suite.\n\
         \n\
         A host (the notebook's runner) starts this program and exchanges JSON messages with it over standard input\n\
         and output, one per line. To see a reply:\n\
         \n    echo '{{\"type\":\"describe\",\"protocol\":4}}' | {name}\n\
         \nTo call a function in a loop, for a profiler such as perf, samply or Instruments:\n\
         \n    {name} --profile-time 10s FUNCTION [--generator PATH] [NAME=VALUE]...\n\
         \nTo measure its functions, open the notebook. Its functions are:\n"
    )
}

/// Lists the functions, each with its summary and generators.
fn table(suite: &Suite) -> String {
    let width = suite.functions.iter().map(|function| function.path.len()).max().unwrap_or(0);
    let row = |function: &Function| {
        let summary = function.docs.lines().next().unwrap_or("");
        let native = if function.native { " (native only)" } else { "" };
        let generators = function.generators.join(", ");
        format!("    {:width$}  {summary}{native}\n    {:width$}  from {generators}\n", function.path, "")
    };
    suite.functions.iter().map(row).collect()
}
