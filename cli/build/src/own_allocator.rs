//! Suites with a global allocator of their own. A program can have only one, so they are built without the one that counts allocations.

use std::fs;
use std::path::Path;

use cargo_metadata::Package;

use crate::harness::contains;
use crate::suite_target::crate_name;

/// The environment variable for the macros of our harnesses: the crates with an allocator of their own, separated by commas.
pub(crate) const VARIABLE: &str = "BENCHBOOK_OWN_ALLOCATORS";

/// Its value for the targets of a package, whichever of them are built: after a change, cargo compiles all of them again.
pub(crate) fn crates_of(package: &Package) -> String {
    let with_own = package.targets.iter().filter(|target| has_allocator(target.src_path.as_std_path()));
    with_own.map(|target| crate_name(&target.name)).collect::<Vec<_>>().join(",")
}

/// Whether the source file of a target or one of its modules defines an allocator.
fn has_allocator(root: &Path) -> bool {
    let defines_one = |source: &str| contains("global_allocator", source);
    let source = fs::read_to_string(root).unwrap_or_default();
    let file = |name: String| fs::read_to_string(root.with_file_name(name)).unwrap_or_default();
    let mut modules = source.lines().filter_map(module_name);
    defines_one(&source)
        || modules
            .any(|name| [format!("{name}.rs"), format!("{name}/mod.rs")].map(file).iter().any(|one| defines_one(one)))
}

/// The name of a module in a file of its own, from the line that declares it.
fn module_name(line: &str) -> Option<&str> {
    let code = line.split("//").next()?.trim().strip_suffix(';')?;
    let (before, name) = code.rsplit_once(' ')?;
    (before == "mod" || before.ends_with(" mod")).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_allocator_is_found_in_the_file_of_a_target_and_in_its_modules() {
        let folder = tempfile::tempdir().unwrap();
        let write = |file: &str, source: &str| {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, source).unwrap();
        };
        write("benches/common/mod.rs", "#[global_allocator]\nstatic A: Jemalloc = Jemalloc;");
        for (source, expected) in [
            ("#[global_allocator]\nstatic A: MiMalloc = MiMalloc;", true),
            ("#[cfg_attr(unix, global_allocator)]\nstatic A: MiMalloc = MiMalloc;", true),
            ("mod common;\ncriterion_main!(benches);", true),
            ("pub(crate) mod common; // With jemalloc.\ncriterion_main!(benches);", true),
            ("mod other;\ncriterion_main!(benches);", false),
            ("// Without #[global_allocator].\ncriterion_main!(benches);", false),
        ] {
            write("benches/one.rs", source);
            assert_eq!(has_allocator(&folder.path().join("benches/one.rs")), expected, "{source}");
        }
    }
}
