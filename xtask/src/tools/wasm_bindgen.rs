//! wasm-bindgen's command, which trunk calls; its version must be the library's.

use std::fs;

use anyhow::{Context, Result};
use semver::Version;
use xshell::{Shell, cmd};

use super::cache;
use super::find::{Tool, Wanted};

pub(super) fn get(version: &Version) -> Result<Tool> {
    let place = cache::trunks()?.join(format!("wasm-bindgen-{version}"));
    let name = cache::executable("wasm-bindgen");
    let wanted =
        Wanted { names: &["wasm-bindgen"], version: format!("={version}").parse()?, cached: Some(place.join(&name)) };
    wanted.find_or(|| {
        println!("Installing wasm-bindgen {version} with cargo: about 2 minutes on two cores, once");
        let version = version.to_string();
        cache::fill(&place, |folder| {
            let shell = Shell::new()?;
            // Not `--locked`: the versions that it was published with can no longer all be had.
            cmd!(shell, "cargo install wasm-bindgen-cli --version {version} --no-track --root {folder}")
                .run()
                .with_context(|| {
                    format!(
                        "wasm-bindgen could not be installed; \
                         `cargo install wasm-bindgen-cli --version {version}` tries again"
                    )
                })?;
            // Where trunk expects it: its release archives have no `bin`.
            Ok(fs::rename(folder.join("bin").join(&name), folder.join(&name))?)
        })
    })
}
