//! The cargo profile of suites.

use std::fs;
use std::path::Path;

use crate::target::Target;

/// The name of the profile.
pub const SUITE_PROFILE: &str = "suite";

/// The profile in a workspace that does not define it: what the user's programs are released with.
const SETTINGS: [&str; 1] = ["inherits = \"release\""];

/// Further settings for wasm: without link-time optimisation, the linker drops the functions that library crates register.
const WASM_SETTINGS: [&str; 2] = ["lto = \"thin\"", "codegen-units = 1"];

/// The arguments of cargo that select a profile; `root` is the folder of the workspace. The profile `suite` needs no line in
/// the user's Cargo.toml, but one that is there applies as it is.
pub(crate) fn arguments(root: &Path, profile: &str, target: Target) -> Vec<String> {
    let mut arguments = vec!["--profile".to_owned(), profile.to_owned()];
    if profile == SUITE_PROFILE && !defines_suite(&fs::read_to_string(root.join("Cargo.toml")).unwrap_or_default()) {
        let of_wasm = WASM_SETTINGS.iter().filter(|_| target == Target::Wasm);
        let setting = |setting| ["--config".to_owned(), format!("profile.{SUITE_PROFILE}.{setting}")];
        arguments.extend(SETTINGS.iter().chain(of_wasm).flat_map(setting));
    }
    arguments
}

/// Whether a Cargo.toml defines the profile. Cargo reports an invalid one.
fn defines_suite(manifest: &str) -> bool {
    let manifest = manifest.parse::<toml::Table>().unwrap_or_default();
    manifest.get("profile").and_then(|profiles| profiles.get(SUITE_PROFILE)).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_of_the_user_applies_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let with = |manifest: &str, profile: &str, target: Target| {
            fs::write(folder.path().join("Cargo.toml"), manifest).unwrap();
            arguments(folder.path(), profile, target)
        };
        let release = ["--profile", "suite", "--config", "profile.suite.inherits = \"release\""];
        assert_eq!(with("[package]\nname = \"mine\"", "suite", Target::Native), release);
        let wasm = with("", "suite", Target::Wasm);
        assert_eq!(wasm[..4], release);
        assert!(wasm.iter().any(|argument| argument == "profile.suite.lto = \"thin\""), "{wasm:?}");
        let own = with("[profile.suite]\ninherits = \"bench\"", "suite", Target::Wasm);
        assert_eq!(own, ["--profile", "suite"]);
        assert_eq!(with("", "bench", Target::Wasm), ["--profile", "bench"]);
    }
}
