//! The cargo profile of suites.

use std::path::Path;
use std::{env, fs, iter};

use toml::{Table, Value};

use crate::rustflags;
use crate::target::Target;

/// The folder of a suite next to its library.
const SUITE_FOLDER: &str = "benchbook";

/// The name of the profile.
pub const SUITE_PROFILE: &str = "suite";

/// The profile in a workspace that does not define it: what the user's programs are released with.
const SETTINGS: [&str; 1] = ["inherits = \"release\""];

/// Further settings for wasm: without link-time optimisation, the linker drops the functions that library crates register.
const WASM_SETTINGS: [&str; 2] = ["lto = \"thin\"", "codegen-units = 1"];

/// Settings for wasm in each profile, also where the user's says otherwise: counting needs the lines and names of the code. What is timed
/// contains neither. Native executables have them for profilers.
const DEBUG_INFORMATION: [&str; 2] = ["debug = 1", "strip = \"none\""];

/// The profiles that another one inherits from, at most; cargo rejects cycles.
const MAX_INHERITED: usize = 100;

/// The arguments of cargo that select a profile; `root` is the folder of the workspace. The profile `suite` needs no line in
/// the user's Cargo.toml, but one that is there applies as it is.
pub(crate) fn arguments(root: &Path, profile: &str, target: Target, has_line_numbers: bool) -> Vec<String> {
    let mut arguments = vec!["--profile".to_owned(), profile.to_owned()];
    let settings = own_settings(&read(&root.join("Cargo.toml")), profile, target);
    let debug_information = DEBUG_INFORMATION.iter().filter(|_| target == Target::Wasm || has_line_numbers);
    let debug_information = debug_information.map(|setting| format!("profile.{profile}.{setting}"));
    let of_library = settings_of(&library_profiles(root));
    let settings = of_library.into_iter().chain(settings).chain(debug_information);
    arguments.extend(settings.flat_map(|setting| ["--config".to_owned(), setting]));
    arguments
}

/// The argument of cargo that compiles each crate as a single unit, unless the user has chosen a number of units: with several, a function that is added moves others
/// between them, which changes their code.
pub(crate) fn one_unit(root: &Path, profile: &str, target: Target) -> Option<[String; 2]> {
    let manifest = read(&root.join("Cargo.toml"));
    let ours = own_settings(&manifest, profile, target).join("\n").parse().unwrap_or_default();
    let files: Vec<Table> =
        rustflags::config_files(root).iter().map(|file| read(file)).chain([manifest, library_profiles(root)]).collect();
    let chosen = inherited_setting(profile, "codegen-units", &ours, |name| env::var(name).ok(), &files);
    chosen.is_none().then(|| ["--config".to_owned(), format!("profile.{profile}.codegen-units = 1")])
}

/// The environment variables that tell a suite's build card what its build script cannot determine; `None` if it is unknown. `arguments`: the
/// user's own.
pub(crate) fn variables(
    root: &Path,
    profile: &str,
    target: Target,
    arguments: &[String],
) -> [(&'static str, Option<String>); 2] {
    let manifest = read(&root.join("Cargo.toml"));
    let ours = own_settings(&manifest, profile, target).join("\n").parse().unwrap_or_default();
    let files: Vec<Table> =
        rustflags::config_files(root).iter().map(|file| read(file)).chain([manifest, library_profiles(root)]).collect();
    let is_overridden = arguments.iter().any(|argument| argument.starts_with("--config"));
    let lto = lto(profile, &ours, |name| env::var(name).ok(), &files).filter(|_| !is_overridden);
    [("BENCHBOOK_PROFILE", Some(profile.to_owned())), ("BENCHBOOK_LTO", lto.map(str::to_owned))]
}

/// Our settings, if a workspace with this Cargo.toml does not define the profile.
fn own_settings(manifest: &Table, profile: &str, target: Target) -> Vec<String> {
    let is_defined = manifest.get("profile").and_then(|profiles| profiles.get(SUITE_PROFILE)).is_some();
    if profile != SUITE_PROFILE || is_defined {
        return Vec::new();
    }
    let of_wasm = WASM_SETTINGS.iter().filter(|_| target == Target::Wasm);
    SETTINGS.iter().chain(of_wasm).map(|setting| format!("profile.{SUITE_PROFILE}.{setting}")).collect()
}

/// The profiles `release` and `bench` of the library whose suite is in its folder `benchbook/`: that is a workspace of its own, to which cargo does not apply
/// them. Empty for other folders; without those that the suite defines itself.
fn library_profiles(root: &Path) -> Table {
    let mut profiles = Table::new();
    if root.file_name().is_some_and(|name| name == SUITE_FOLDER) {
        let mut around =
            root.ancestors().skip(1).map(|folder| read(&folder.join("Cargo.toml"))).filter(|file| !file.is_empty());
        let nearest = around.next().unwrap_or_default();
        let is_workspace = |file: &Table| file.contains_key("workspace");
        let of_library = if is_workspace(&nearest) { nearest } else { around.find(is_workspace).unwrap_or(nearest) };
        let own = read(&root.join("Cargo.toml"));
        let defined = |file: &Table, name: &str| file.get("profile").and_then(|profiles| profiles.get(name)).cloned();
        for name in ["release", "bench"] {
            if let (Some(profile), None) = (defined(&of_library, name), defined(&own, name)) {
                profiles.insert(name.to_owned(), profile);
            }
        }
    }
    Table::from_iter([("profile".to_owned(), Value::Table(profiles))])
}

/// The settings of a table as cargo's `--config` takes them: `profile.release.lto = "fat"`.
fn settings_of(table: &Table) -> Vec<String> {
    let setting = |(key, value): (&String, &Value)| {
        // A key may be the name of a package, or `*`. Values are written as in JSON.
        let key = if key.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_".contains(letter)) {
            key.clone()
        } else {
            format!("{key:?}")
        };
        match value {
            Value::Table(table) => settings_of(table).into_iter().map(|rest| format!("{key}.{rest}")).collect(),
            value => vec![format!("{key} = {}", serde_json::to_string(value).unwrap_or_default())],
        }
    };
    table.iter().flat_map(setting).collect()
}

/// A TOML file; empty if it is missing or invalid, which cargo reports.
fn read(file: &Path) -> Table {
    fs::read_to_string(file).ok().and_then(|text| text.parse().ok()).unwrap_or_default()
}

/// The link-time optimisation of a profile as cargo spells it. Cargo uses our settings first, then environment variables, then the files: its
/// configuration, then Cargo.toml; and only then the profile that this one inherits from. `None` if a file includes others, and for values that
/// only the compiler knows.
fn lto(
    profile: &str,
    ours: &Table,
    variable: impl Fn(&str) -> Option<String>,
    files: &[Table],
) -> Option<&'static str> {
    if files.iter().any(|file| file.contains_key("include")) {
        return None;
    }
    let value = inherited_setting(profile, "lto", ours, variable, files);
    match value.as_deref().unwrap_or("false") {
        "false" => Some("false"),
        "off" | "n" | "no" | "none" => Some("off"),
        "thin" => Some("thin"),
        "true" | "fat" => Some("fat"),
        _ => None,
    }
}

/// A setting of a profile, or of those that it inherits from.
fn inherited_setting(
    profile: &str,
    key: &str,
    ours: &Table,
    variable: impl Fn(&str) -> Option<String>,
    files: &[Table],
) -> Option<String> {
    let setting = |profile: &str, key: &str| {
        let in_file = |file: &Table| {
            let value = file.get("profile")?.get(profile)?.get(key)?;
            let text = value.as_str().map(str::to_owned).or_else(|| value.as_bool().map(|value| value.to_string()));
            text.or_else(|| value.as_integer().map(|value| value.to_string()))
        };
        let name = format!("CARGO_PROFILE_{profile}_{key}").to_uppercase().replace('-', "_");
        in_file(ours).or_else(|| variable(&name)).or_else(|| files.iter().find_map(in_file))
    };
    let inherited = |profile: &String| match profile.as_str() {
        "dev" | "release" => None,
        "test" => Some("dev".to_owned()),
        "bench" => Some("release".to_owned()),
        profile => setting(profile, "inherits"),
    };
    let mut profiles = iter::successors(Some(profile.to_owned()), inherited).take(MAX_INHERITED);
    profiles.find_map(|profile| setting(&profile, key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_of_the_user_applies_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let with = |manifest: &str, profile: &str, target: Target| {
            fs::write(folder.path().join("Cargo.toml"), manifest).unwrap();
            arguments(folder.path(), profile, target, false)
        };
        let release = ["--profile", "suite", "--config", "profile.suite.inherits = \"release\""];
        assert_eq!(with("[package]\nname = \"mine\"", "suite", Target::Native), release);
        let wasm = with("", "suite", Target::Wasm);
        assert_eq!(wasm[..4], release);
        assert!(wasm.iter().any(|argument| argument == "profile.suite.lto = \"thin\""), "{wasm:?}");
        let own = with("[profile.suite]\ninherits = \"bench\"", "suite", Target::Native);
        assert_eq!(own, ["--profile", "suite"]);
        assert_eq!(with("", "bench", Target::Native), ["--profile", "bench"]);
    }

    #[test]
    fn link_time_optimisation_is_what_cargo_uses() {
        const RELEASE: &str = "[profile.release]\nlto = true";
        const OWN: &str = "[profile.suite]\ninherits = \"my-fast\"\n[profile.my-fast]\ninherits = \"release\"";
        let own_and_release = format!("{OWN}\n{RELEASE}");
        for (profile, target, variable, config, manifest, expected) in [
            ("suite", Target::Native, "", "", "", Some("false")),
            ("suite", Target::Wasm, "", "", "", Some("thin")),
            ("suite", Target::Wasm, "CARGO_PROFILE_SUITE_LTO=off", "", RELEASE, Some("thin")),
            ("suite", Target::Native, "", "", RELEASE, Some("fat")),
            ("suite", Target::Wasm, "", "", &own_and_release, Some("fat")),
            ("suite", Target::Native, "CARGO_PROFILE_MY_FAST_LTO=thin", "", &own_and_release, Some("thin")),
            ("bench", Target::Native, "", "[profile.release]\nlto = \"off\"", RELEASE, Some("off")),
            (
                "bench",
                Target::Native,
                "CARGO_PROFILE_RELEASE_LTO=true",
                "[profile.bench]\nlto = false",
                RELEASE,
                Some("false"),
            ),
            ("dev", Target::Native, "", "", RELEASE, Some("false")),
            ("test", Target::Native, "CARGO_PROFILE_DEV_LTO=n", "", "", Some("off")),
            ("release", Target::Native, "", "[profile.release]\nlto = \"later\"", "", None),
            ("release", Target::Native, "", "include = [\"more.toml\"]", RELEASE, None),
            ("a", Target::Native, "", "", "[profile.a]\ninherits = \"a\"", Some("false")),
        ] {
            let [config, manifest] = [config, manifest].map(|text| text.parse::<Table>().unwrap());
            let ours = own_settings(&manifest, profile, target).join("\n").parse().unwrap();
            let of_name = |name: &str| Some(variable.strip_prefix(name)?.strip_prefix('=')?.to_owned());
            let found = lto(profile, &ours, of_name, &[config.clone(), manifest.clone()]);
            assert_eq!(found, expected, "{profile} for {target:?} with {variable}, {config:?} and {manifest:?}");
        }
    }

    #[test]
    fn a_suite_next_to_its_library_is_built_like_it() {
        let folder = tempfile::tempdir().unwrap();
        let suite = folder.path().join("benchbook");
        fs::create_dir(&suite).unwrap();
        let library = "[package]\nname = \"mine\"\n\n[profile.release]\nlto = \"fat\"\ncodegen-units = 1\n\n[profile.release.package.\"*\"]\nopt-level = 2\n\n[profile.dev]\nopt-level = 1\n";
        fs::write(folder.path().join("Cargo.toml"), library).unwrap();
        let settings = |manifest: &str| {
            fs::write(suite.join("Cargo.toml"), manifest).unwrap();
            let arguments = arguments(&suite, "suite", Target::Native, false);
            arguments.into_iter().filter(|argument| argument.starts_with("profile.release")).collect::<Vec<_>>()
        };
        let of_library = [
            "profile.release.codegen-units = 1",
            "profile.release.lto = \"fat\"",
            "profile.release.package.\"*\".opt-level = 2",
        ];
        assert_eq!(settings("[workspace]\n"), of_library);
        let variables = variables(&suite, "suite", Target::Native, &[]);
        assert_eq!(variables[1], ("BENCHBOOK_LTO", Some("fat".to_owned())));
        assert_eq!(one_unit(&suite, "suite", Target::Native), None);
        assert_eq!(settings("[workspace]\n[profile.release]\nlto = false\n"), [""; 0]);
        // That of a workspace, if the library is a member.
        fs::create_dir_all(folder.path().join("members/one/benchbook")).unwrap();
        fs::write(folder.path().join("Cargo.toml"), format!("[workspace]\n{library}")).unwrap();
        fs::write(folder.path().join("members/one/Cargo.toml"), "[package]\nname = \"one\"\n").unwrap();
        let member = library_profiles(&folder.path().join("members/one/benchbook"));
        assert_eq!(settings_of(&member).len(), 3);
        assert_eq!(settings_of(&library_profiles(folder.path())), [""; 0]);
    }

    #[test]
    fn crates_are_one_unit_unless_the_user_has_chosen() {
        let folder = tempfile::tempdir().unwrap();
        let with = |manifest: &str, profile: &str| {
            fs::write(folder.path().join("Cargo.toml"), manifest).unwrap();
            one_unit(folder.path(), profile, Target::Native).map(|[_, setting]| setting)
        };
        assert_eq!(with("", "suite").as_deref(), Some("profile.suite.codegen-units = 1"));
        assert_eq!(with("[profile.release]\nlto = true", "bench").as_deref(), Some("profile.bench.codegen-units = 1"));
        assert_eq!(with("[profile.release]\ncodegen-units = 4", "suite"), None);
    }

    #[test]
    fn the_users_own_configuration_may_change_everything() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("Cargo.toml"), "[profile.bench]\nlto = \"thin\"").unwrap();
        let with = |arguments: &[String]| variables(folder.path(), "bench", Target::Native, arguments);
        let profile = ("BENCHBOOK_PROFILE", Some("bench".to_owned()));
        assert_eq!(with(&[]), [profile.clone(), ("BENCHBOOK_LTO", Some("thin".to_owned()))]);
        assert_eq!(with(&["--config=more.toml".to_owned()]), [profile, ("BENCHBOOK_LTO", None)]);
    }
}
