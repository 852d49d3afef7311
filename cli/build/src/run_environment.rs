//! The environment in which cargo runs a package's programs.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use cargo_metadata::Package;

use crate::rustflags::config_files;

/// The folder and the variables with which `cargo bench` and `cargo run` start a package's programs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunEnvironment {
    /// The package's folder.
    pub folder: PathBuf,
    /// The variables that describe the package, and those of the table `env` in cargo's configuration.
    pub variables: BTreeMap<String, OsString>,
}

impl RunEnvironment {
    /// That of a package. `root`: the folder of its workspace.
    pub fn of(package: &Package, root: &Path) -> Self {
        let folder = package.manifest_path.parent().map(|folder| folder.as_std_path().to_owned()).unwrap_or_default();
        let mut variables = configured(&config_files(root));
        variables.extend(described(package).into_iter().map(|(name, value)| (format!("CARGO_{name}"), value.into())));
        Self { folder, variables }
    }

    /// Applies it to a program that is about to start.
    pub fn apply(&self, command: &mut Command) {
        command.current_dir(&self.folder).envs(&self.variables);
    }
}

/// The variables about a package, without their prefix.
fn described(package: &Package) -> Vec<(&'static str, String)> {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let path =
        |path: &Option<cargo_metadata::camino::Utf8PathBuf>| path.as_ref().map(ToString::to_string).unwrap_or_default();
    let version = &package.version;
    vec![
        ("MANIFEST_DIR", package.manifest_path.parent().map(ToString::to_string).unwrap_or_default()),
        ("MANIFEST_PATH", package.manifest_path.to_string()),
        ("PKG_NAME", package.name.to_string()),
        ("PKG_VERSION", version.to_string()),
        ("PKG_VERSION_MAJOR", version.major.to_string()),
        ("PKG_VERSION_MINOR", version.minor.to_string()),
        ("PKG_VERSION_PATCH", version.patch.to_string()),
        ("PKG_VERSION_PRE", version.pre.to_string()),
        ("PKG_AUTHORS", package.authors.join(":")),
        ("PKG_DESCRIPTION", text(&package.description)),
        ("PKG_HOMEPAGE", text(&package.homepage)),
        ("PKG_REPOSITORY", text(&package.repository)),
        ("PKG_LICENSE", text(&package.license)),
        ("PKG_LICENSE_FILE", path(&package.license_file)),
        ("PKG_README", path(&package.readme)),
        ("PKG_RUST_VERSION", package.rust_version.as_ref().map(ToString::to_string).unwrap_or_default()),
    ]
}

/// The tables `env` of configuration files, the most specific file first. A variable that is set already stays, unless the table forces it.
fn configured(files: &[PathBuf]) -> BTreeMap<String, OsString> {
    let mut variables = BTreeMap::new();
    for file in files {
        let config =
            fs::read_to_string(file).ok().and_then(|text| text.parse::<toml::Table>().ok()).unwrap_or_default();
        for (name, setting) in config.get("env").and_then(toml::Value::as_table).into_iter().flatten() {
            let flag = |key: &str| setting.get(key).and_then(toml::Value::as_bool).unwrap_or(false);
            let Some(text) = setting.as_str().or_else(|| setting.get("value")?.as_str()) else { continue };
            if variables.contains_key(name) || (env::var_os(name).is_some() && !flag("force")) {
                continue;
            }
            // Relative to the folder that contains `.cargo`.
            let base = file.parent().and_then(Path::parent).filter(|_| flag("relative"));
            variables.insert(name.clone(), base.map_or_else(|| text.into(), |base| base.join(text).into_os_string()));
        }
    }
    variables
}

#[cfg(test)]
mod tests {
    use cargo_metadata::MetadataCommand;

    use super::*;

    #[test]
    fn a_program_has_the_variables_of_its_package_and_of_the_configuration() {
        let folder = tempfile::tempdir().unwrap();
        let write = |file: &str, text: &str| {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write(
            "Cargo.toml",
            "[package]\nname = \"mine\"\nversion = \"1.2.3-a\"\nedition = \"2021\"\nauthors = [\"A\", \"B\"]\n",
        );
        write("src/lib.rs", "");
        write(
            ".cargo/config.toml",
            "[env]\nOF_CONFIG = \"text\"\nDATA = { value = \"data\", relative = true }\nPATH = \"kept\"\nHOME = { value = \"/h\", force = true }\n",
        );
        let metadata = MetadataCommand::new().current_dir(folder.path()).no_deps().exec().unwrap();
        let root = metadata.workspace_root.as_std_path();
        let RunEnvironment { folder, variables } = RunEnvironment::of(&metadata.packages[0], root);
        assert_eq!(folder, root);
        let data = root.join("data");
        let variable = |name: &str| variables.get(name).and_then(|value| value.to_str());
        let expected = [
            ("CARGO_MANIFEST_DIR", root.to_str()),
            ("CARGO_PKG_NAME", Some("mine")),
            ("CARGO_PKG_VERSION", Some("1.2.3-a")),
            ("CARGO_PKG_VERSION_PRE", Some("a")),
            ("CARGO_PKG_AUTHORS", Some("A:B")),
            ("OF_CONFIG", Some("text")),
            ("DATA", data.to_str()),
            ("PATH", None),
            ("HOME", Some("/h")),
        ];
        expected.into_iter().for_each(|(name, value)| assert_eq!(variable(name), value, "{name}"));
    }
}
