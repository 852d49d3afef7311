//! Why cargo could not build a suite.

use std::fmt;

/// Why cargo could not build a suite. It displays as the first error, without its location.
#[derive(Clone, Debug)]
pub struct FailedBuild {
    log: String,
}

impl FailedBuild {
    pub(crate) fn new(log: String) -> Self {
        Self { log }
    }

    /// Cargo's complete output, with the errors in rustc's words.
    pub fn log(&self) -> &str {
        &self.log
    }

    /// What to do about an error that rustc cannot explain.
    pub fn advice(&self) -> Option<&'static str> {
        let is_conflict = |line: &str| {
            line.contains("cannot define multiple global allocators")
                || line.contains("conflicts with global allocator in")
        };
        self.log.lines().any(is_conflict).then_some(TWO_ALLOCATORS)
    }

    /// The package that does not compile, if cargo reported one.
    pub fn package(&self) -> Option<&str> {
        self.log.lines().find_map(|line| {
            let (_, after) =
                line.split_once("could not compile `").or_else(|| line.split_once("custom build command for `"))?;
            after.split(['`', ' ']).next()
        })
    }
}

/// What to do if rustc finds two global allocators.
const TWO_ALLOCATORS: &str = "there are two global allocators, the program's own and the one that counts allocations. For a suite with `suite!`, remove its own. \
    A bench for criterion is built without the other one if `#[global_allocator]` is in the file of the bench, or in a module of that file: move it there";

impl fmt::Display for FailedBuild {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Build scripts of C libraries print the reason after cargo's own error.
        let errors = || self.log.lines().map(str::trim_start).filter(|line| line.starts_with("error"));
        let is_general = |line: &&str| line.contains("custom build command for");
        f.write_str(errors().find(|line| !is_general(line)).or_else(|| errors().next()).unwrap_or("cargo failed"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_allocators_have_an_advice_of_ours() {
        for (error, has_advice) in [
            ("error: cannot define multiple global allocators\n  --> benches/one.rs:3:1", true),
            ("error: the `#[global_allocator]` in this crate conflicts with global allocator in: mine", true),
            ("error: the `#[global_allocator]` in mine conflicts with global allocator in: theirs", true),
            ("error[E0425]: cannot find value `x` in this scope", false),
        ] {
            assert_eq!(FailedBuild::new(error.to_owned()).advice().is_some(), has_advice, "{error}");
        }
    }

    #[test]
    fn names_the_package_and_the_first_error() {
        let table = [
            (
                "   Compiling getrandom v0.2.16\n\
                 error: the wasm*-unknown-unknown targets are not supported by default\n   --> src/lib.rs:346:9\n\
                 error[E0433]: failed to resolve: use of unresolved module `imp`\n\
                 error: could not compile `getrandom` (lib) due to 2 previous errors",
                Some("getrandom"),
                "error: the wasm*-unknown-unknown targets are not supported by default",
            ),
            (
                "error: failed to run custom build command for `zstd-sys v2.0.16+zstd.1.5.7`\n\
                 Caused by:\n  process didn't exit successfully\n  --- stderr\n\n\
                 \x20 error occurred in cc-rs: failed to find tool \"clang\": No such file or directory",
                Some("zstd-sys"),
                "error occurred in cc-rs: failed to find tool \"clang\": No such file or directory",
            ),
            (
                "error: failed to run custom build command for `openssl-sys v0.9.109`\n  --- stderr\n  not found",
                Some("openssl-sys"),
                "error: failed to run custom build command for `openssl-sys v0.9.109`",
            ),
            ("", None, "cargo failed"),
        ];
        for (log, package, error) in table {
            let failed = FailedBuild::new(log.to_owned());
            assert_eq!((failed.package(), failed.to_string().as_str()), (package, error));
            assert_eq!(failed.log(), log);
        }
    }
}
