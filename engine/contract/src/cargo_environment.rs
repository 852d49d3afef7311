//! What cargo's environment variables say about a build. The build script includes this file.

use std::ffi::OsStr;
use std::path::Path;

/// The name of the profile whose folder contains the output folder of a build script, `…/PROFILE/build/PACKAGE/out`. `dev` and `test` share
/// a folder, and so do `release` and `bench`: the first name of each pair is returned.
pub(crate) fn profile_of(out_dir: &Path) -> Option<&str> {
    let folders: Vec<&str> = out_dir.iter().filter_map(OsStr::to_str).collect();
    let build = folders.iter().rposition(|name| *name == "build")?;
    match *folders.get(build.checked_sub(1)?)? {
        "debug" => Some("dev"),
        profile => Some(profile),
    }
}

/// The processor that the compiler's flags choose. `flags`: the value of `CARGO_ENCODED_RUSTFLAGS`.
pub(crate) fn target_cpu(flags: &str) -> Option<&str> {
    let settings = flags
        .split('\x1f')
        .map(|flag| flag.strip_prefix("-C").or_else(|| flag.strip_prefix("--codegen=")).unwrap_or(flag));
    // The compiler uses the last one.
    settings.filter_map(|setting| setting.strip_prefix("target-cpu=")).next_back()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_names_the_profile() {
        for (folder, expected) in [
            ("/crate/target/debug/build/benchbook-contract-0123/out", Some("dev")),
            ("/crate/target/x86_64-unknown-linux-gnu/suite/build/benchbook-contract-0123/out", Some("suite")),
            ("/build/target/release/build/benchbook-contract/0123/out", Some("release")),
            ("/crate/out", None),
            ("build/out", None),
        ] {
            assert_eq!(profile_of(Path::new(folder)), expected, "{folder}");
        }
    }

    #[test]
    fn the_last_flag_chooses_the_processor() {
        for (flags, expected) in [
            ("", None),
            ("-Ctarget-feature=+avx2", None),
            ("-C\x1ftarget-cpu=native", Some("native")),
            ("-Ctarget-cpu=native\x1f-Cdebuginfo=1", Some("native")),
            ("--codegen\x1ftarget-cpu=x86-64-v3", Some("x86-64-v3")),
            ("--codegen=target-cpu=native\x1f-Ctarget-cpu=znver4", Some("znver4")),
            ("-Clink-arg=target-cpu=native", None),
        ] {
            assert_eq!(target_cpu(flags), expected, "{flags:?}");
        }
    }
}
