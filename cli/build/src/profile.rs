//! The cargo profile of suites.

use std::fs;
use std::path::Path;

/// The name of the profile.
pub const SUITE_PROFILE: &str = "suite";

/// The profile in a workspace that does not define it: the user's release profile, optimised for speed. Registration by
/// `inventory` requires link-time optimisation.
const SETTINGS: [&str; 4] = ["inherits = \"release\"", "opt-level = 3", "lto = \"thin\"", "codegen-units = 1"];

/// The arguments of cargo that select a profile; `root` is the folder of the workspace. The profile `suite` needs no line in
/// the user's Cargo.toml, but one that is there applies as it is.
pub(crate) fn arguments(root: &Path, profile: &str) -> Vec<String> {
    let mut arguments = vec!["--profile".to_owned(), profile.to_owned()];
    if profile == SUITE_PROFILE && !defines_suite(&fs::read_to_string(root.join("Cargo.toml")).unwrap_or_default()) {
        let setting = |setting| ["--config".to_owned(), format!("profile.{SUITE_PROFILE}.{setting}")];
        arguments.extend(SETTINGS.into_iter().flat_map(setting));
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
        let with = |manifest: &str, profile: &str| {
            fs::write(folder.path().join("Cargo.toml"), manifest).unwrap();
            arguments(folder.path(), profile)
        };
        let own = with("[package]\nname = \"mine\"", "suite");
        assert_eq!(own[..4], ["--profile", "suite", "--config", "profile.suite.inherits = \"release\""]);
        assert_eq!(with("[profile.suite]\ninherits = \"bench\"", "suite"), ["--profile", "suite"]);
        assert_eq!(with("", "bench"), ["--profile", "bench"]);
    }
}
