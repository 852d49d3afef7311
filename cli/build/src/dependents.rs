//! The crates through which a suite depends on another crate.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::member;
use crate::progress::BuildStep;
use crate::suite_target::SuiteTarget;
use crate::target::WASM;
use crate::without_package_variables;
use xshell::{Shell, cmd};

/// The crates from `dependency` to the package of a suite, each of which depends on the one before it, as in the output of
/// `cargo tree --invert`. `root` is the folder of the workspace. Dev-dependencies count only for the targets that are compiled with them.
///
/// # Errors
/// If cargo fails, for example because the package does not depend on the crate.
pub(crate) fn path_to(root: &Path, suite: &SuiteTarget, dependency: &str) -> Result<Vec<String>> {
    let _step = BuildStep::start(format!("Finding the dependents of {dependency}"));
    let package = member::package(root, &suite.package)?.id.repr;
    let edges = if suite.kind.has_dev_dependencies() { "normal,dev" } else { "normal" };
    let shell = Shell::new()?;
    shell.change_dir(root);
    let tree = cmd!(
        shell,
        "cargo tree --package {package} --invert {dependency} --target {WASM} --edges {edges} --prefix depth"
    );
    let mut tree: Command = without_package_variables(tree).into();
    let output = tree.output().context("failed to start `cargo tree`")?;
    ensure!(output.status.success(), "`cargo tree` failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    Ok(first_path(&String::from_utf8_lossy(&output.stdout)))
}

/// The first path in an inverted tree whose lines begin with the depth: `0wasm-bindgen v0.2.100`, `1js-sys v0.3.77`.
fn first_path(tree: &str) -> Vec<String> {
    let mut path = Vec::new();
    for line in tree.lines() {
        let name_at = line.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(line.len());
        let (depth, name) = line.split_at(name_at);
        if depth.parse() != Ok(path.len()) {
            break;
        }
        path.extend(name.split(' ').next().map(str::to_owned));
    }
    path
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::suite_target::{SuiteHarness, SuiteTargetKind};

    #[test]
    fn the_first_path_ends_at_the_first_line_that_is_no_deeper() {
        let tree = "0wasm-bindgen v0.2.130\n1js-sys v0.3.107\n2chrono v0.4.42\n3my-suite v0.1.0 (/home/me/my-suite)\n\
                    2web-time v1.1.0\n3my-suite v0.1.0 (/home/me/my-suite) (*)\n";
        assert_eq!(first_path(tree), ["wasm-bindgen", "js-sys", "chrono", "my-suite"]);
        assert_eq!(first_path(""), [""; 0]);
    }

    #[test]
    fn dev_dependencies_count_for_benches_and_examples() {
        let folder = tempfile::tempdir().unwrap();
        let package = |name: &str, dependencies: &str| {
            let source = folder.path().join(name).join("src/lib.rs");
            fs::create_dir_all(source.parent().unwrap()).unwrap();
            fs::write(&source, "").unwrap();
            let manifest =
                format!("[package]\nname = \"{name}\"\nversion = \"1.0.0\"\nedition = \"2021\"\n{dependencies}");
            fs::write(folder.path().join(name).join("Cargo.toml"), manifest).unwrap();
        };
        package("wasm-bindgen", "");
        package("dates", "[dependencies]\nwasm-bindgen = { path = \"../wasm-bindgen\" }\n");
        package("mine", "[dev-dependencies]\ndates = { path = \"../dates\" }\n\n[workspace]\n");
        let path = |kind| {
            let suite = SuiteTarget {
                package: "mine".to_owned(),
                kind,
                name: "mine".to_owned(),
                harness: SuiteHarness::Benchbook,
                is_qualified: false,
            };
            path_to(&folder.path().join("mine"), &suite, "wasm-bindgen").unwrap_or_default()
        };
        for kind in [SuiteTargetKind::Bench, SuiteTargetKind::Example] {
            assert_eq!(path(kind), ["wasm-bindgen", "dates", "mine"]);
        }
        assert_eq!(path(SuiteTargetKind::Bin), [""; 0]);
    }
}
