//! The features that builds enable.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::{Package, Target};

/// The chosen features. Each package is built by itself, with those that it has.
#[derive(Clone, Debug, Default)]
pub struct ChosenFeatures {
    /// Names for all packages, as cargo's option `--features` accepts them: one or several in a string, also those of a package
    /// (`mine/batch`) or of a dependency.
    pub everywhere: Vec<String>,
    /// Names for single packages.
    pub of_packages: BTreeMap<String, Vec<String>>,
    /// Enables all features.
    pub all: bool,
    /// Disables the feature `default`.
    pub no_default: bool,
}

impl ChosenFeatures {
    /// The arguments of cargo for a package.
    pub fn arguments(&self, package: &Package) -> Vec<String> {
        let mut arguments = Vec::new();
        let names = self.names(package);
        if !names.is_empty() {
            arguments.extend(["--features".to_owned(), names.join(",")]);
        }
        let flags = [(self.all, "--all-features"), (self.no_default, "--no-default-features")];
        arguments.extend(flags.into_iter().filter(|(is_set, _)| *is_set).map(|(_, flag)| flag.to_owned()));
        arguments
    }

    /// The features that a target requires, as far as they are not enabled.
    pub fn lacking<'t>(&self, package: &Package, target: &'t Target) -> Vec<&'t str> {
        let enabled = self.enabled(package);
        let is_lacking = |name: &&String| !self.all && !enabled.contains(name.as_str());
        target.required_features.iter().filter(is_lacking).map(String::as_str).collect()
    }

    /// The chosen names that none of these packages has, or that the package they were chosen for lacks.
    pub fn unknown<'p>(&self, packages: impl Iterator<Item = &'p Package> + Clone) -> Vec<&str> {
        let is_known = |name: &&str| packages.clone().any(|package| of_package(package, name).is_some());
        let everywhere = self.everywhere.iter().flat_map(|names| split(names)).filter(|name| !is_known(name));
        let lacks = |(package, name): &(&String, &str)| {
            packages.clone().any(|one| one.name == **package && of_package(one, name).is_none())
        };
        let of_packages = self
            .of_packages
            .iter()
            .flat_map(|(package, names)| names.iter().flat_map(|names| split(names)).map(move |name| (package, name)));
        everywhere.chain(of_packages.filter(lacks).map(|(_, name)| name)).collect()
    }

    fn names<'a>(&'a self, package: &'a Package) -> Vec<&'a str> {
        let own = self.of_packages.get(package.name.as_str()).into_iter().flatten();
        self.everywhere
            .iter()
            .chain(own)
            .flat_map(|names| split(names))
            .filter_map(|name| of_package(package, name))
            .collect()
    }

    /// The features of a package that are enabled, directly or by another one.
    fn enabled<'a>(&'a self, package: &'a Package) -> BTreeSet<&'a str> {
        let mut enabled = BTreeSet::new();
        let mut pending = self.names(package);
        pending.extend((!self.no_default).then_some("default"));
        while let Some(name) = pending.pop() {
            if enabled.insert(name) {
                pending.extend(package.features.get(name).into_iter().flatten().map(String::as_str));
                // A feature of an optional dependency enables the dependency, too.
                pending
                    .extend(name.split_once('/').map(|(dependency, _)| dependency).filter(|one| !one.ends_with('?')));
            }
        }
        enabled
    }
}

fn split(names: &str) -> impl Iterator<Item = &str> {
    names.split([',', ' ']).filter(|name| !name.is_empty())
}

/// A feature as cargo names it when it builds this package; `None` if the package does not have it.
fn of_package<'n>(package: &Package, name: &'n str) -> Option<&'n str> {
    let is_dependency =
        |name: &str| package.dependencies.iter().any(|one| one.rename.as_ref().unwrap_or(&one.name) == name);
    match name.split_once('/') {
        Some((before, feature)) if package.name == before => Some(feature),
        Some((before, _)) => is_dependency(before.trim_end_matches('?')).then_some(name),
        // `default` exists always.
        None => (name == "default" || package.features.contains_key(name)).then_some(name),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use cargo_metadata::MetadataCommand;

    use super::*;

    fn package() -> Package {
        let folder = tempfile::tempdir().unwrap();
        let manifest = "[package]\nname = \"mine\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\
                        [features]\ndefault = [\"std\"]\nstd = [\"alloc\"]\nalloc = []\nbatch = [\"std\"]\n\
                        [dependencies]\nserde = { version = \"1\", optional = true }\n\
                        [[bench]]\nname = \"batched\"\nrequired-features = [\"batch\", \"alloc\"]\n";
        fs::write(folder.path().join("Cargo.toml"), manifest).unwrap();
        for (file, text) in [("src/lib.rs", ""), ("benches/batched.rs", "")] {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let metadata = MetadataCommand::new().current_dir(folder.path()).no_deps().exec().unwrap();
        metadata.packages.into_iter().next().unwrap()
    }

    #[test]
    fn a_target_lacks_the_required_features_that_nothing_enables() {
        let package = package();
        let batched = package.targets.iter().find(|target| target.name == "batched").unwrap();
        let chosen = |names: &[&str]| ChosenFeatures {
            everywhere: names.iter().map(|name| (*name).to_owned()).collect(),
            ..ChosenFeatures::default()
        };
        let of_package = BTreeMap::from([("mine".to_owned(), vec!["batch".to_owned()])]);
        for (features, expected) in [
            (chosen(&[]), &["batch"][..]),
            (chosen(&["other"]), &["batch"]),
            (chosen(&["batch"]), &[]),
            (chosen(&["other, mine/batch"]), &[]),
            (ChosenFeatures { no_default: true, ..chosen(&[]) }, &["batch", "alloc"]),
            (ChosenFeatures { no_default: true, ..chosen(&["batch"]) }, &[]),
            (ChosenFeatures { all: true, ..chosen(&[]) }, &[]),
            (ChosenFeatures { of_packages: of_package, ..chosen(&[]) }, &[]),
        ] {
            assert_eq!(features.lacking(&package, batched), expected, "{features:?}");
        }
    }

    #[test]
    fn a_package_gets_the_features_that_it_has() {
        let package = package();
        let everywhere = ["batch serde/derive", "mine/std", "theirs,theirs/std"].map(str::to_owned).to_vec();
        let features = ChosenFeatures { everywhere, no_default: true, ..ChosenFeatures::default() };
        let expected = ["--features", "batch,serde/derive,std", "--no-default-features"];
        assert_eq!(features.arguments(&package), expected);
        assert_eq!(features.unknown([&package].into_iter()), ["theirs", "theirs/std"]);
        let of_packages = BTreeMap::from([("mine".to_owned(), vec!["batsh".to_owned(), "std".to_owned()])]);
        assert_eq!(
            ChosenFeatures { of_packages, ..ChosenFeatures::default() }.unknown([&package].into_iter()),
            ["batsh"]
        );
        assert!(ChosenFeatures::default().arguments(&package).is_empty());
    }
}
