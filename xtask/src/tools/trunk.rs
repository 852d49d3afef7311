//! trunk, which bundles and serves the page.

use anyhow::{Context, Result};
use xshell::{Shell, cmd};

use super::cache;
use super::find::{Tool, Wanted};

/// The newest that our Rust compiles: 0.22 wants 1.96.
const VERSION: &str = "0.21.14";

pub(super) fn get() -> Result<Tool> {
    let place = cache::ours()?.join(format!("trunk-{VERSION}"));
    let wanted = Wanted {
        names: &["trunk"],
        version: "~0.21".parse()?,
        cached: Some(place.join("bin").join(cache::executable("trunk"))),
    };
    wanted.find_or(|| {
        println!("Installing trunk {VERSION} with cargo: about 5 minutes on two cores, once");
        cache::fill(&place, |folder| {
            let shell = Shell::new()?;
            // As optimised as it is released, it takes 8 minutes; it waits for cargo nearly all of its life.
            shell.set_var("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1");
            shell.set_var("CARGO_PROFILE_RELEASE_LTO", "off");
            shell.set_var("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
            shell.set_var("CARGO_PROFILE_RELEASE_DEBUG", "0");
            cmd!(shell, "cargo install --locked --no-track trunk --version {VERSION} --root {folder}")
                .run()
                .with_context(|| {
                    format!(
                        "trunk could not be installed; `cargo install --locked trunk --version {VERSION}` tries again"
                    )
                })
        })
    })
}
