//! Which suites of a workspace to use, and how to find them.

use std::collections::BTreeMap;
use std::env;
use std::path::{self, Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use benchbook_build::SUITE_PROFILE;
use benchbook_build::compile::BuildOptions;
use benchbook_build::features::ChosenFeatures;
use benchbook_build::harness::HarnessCrates;
use benchbook_build::source_folders::metadata;
use benchbook_build::suite_target::{LeftOut, SuiteTarget, SuiteTargetKind, may_have_suites, suites_of};
use cargo_metadata::{Metadata, Package};

use crate::project::benchbook_toml::BenchbookToml;
use crate::project::commit::Commit;
use crate::project::library::LibraryOptions;
use crate::project::trial::Trial;
use crate::project::{OpenedSuite, Project, ProjectPart, folder_of};

/// The folder of the suite next to a crate, and the name of a bench target that is a suite.
pub(crate) const FOLDER: &str = "benchbook";

/// Which suites of the workspace to use, and how to build them.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct SuiteOptions {
    /// Only suites of this package. Like the next three options, it can be repeated
    #[arg(long, short, value_name = "NAME", help_heading = "Suites")]
    package: Vec<String>,
    /// Only the suites of the named targets, such as this bench target
    #[arg(long, value_name = "NAME", help_heading = "Suites")]
    bench: Vec<String>,
    /// Only the suites of the named targets, such as this example
    #[arg(long, value_name = "NAME", help_heading = "Suites")]
    example: Vec<String>,
    /// Only the suites of the named targets, such as this binary
    #[arg(long, value_name = "NAME", help_heading = "Suites")]
    bin: Vec<String>,
    /// The Cargo.toml of the workspace or of a package [default: of the current folder]
    #[arg(long, value_name = "PATH", help_heading = "Suites")]
    manifest_path: Option<PathBuf>,
    /// The cargo profile to build with [default: `suite` if Cargo.toml defines it, else the settings of `release`]
    #[arg(long, value_name = "NAME", help_heading = "Build")]
    profile: Option<String>,
    /// Activate features of the packages
    #[arg(long, short = 'F', value_name = "FEATURES", help_heading = "Build")]
    features: Vec<String>,
    /// Activate all features
    #[arg(long, help_heading = "Build")]
    all_features: bool,
    /// Do not activate the default features
    #[arg(long, help_heading = "Build")]
    no_default_features: bool,
    /// Require that Cargo.lock is up to date
    #[arg(long, help_heading = "Build")]
    locked: bool,
    /// Build without a network
    #[arg(long, help_heading = "Build")]
    offline: bool,
    /// Treat every note as an error; in `check`, also undecided comparisons
    #[arg(long = "strict", help_heading = "Suites")]
    pub(crate) is_strict: bool,
    /// Whether crates are compiled as a single unit, so that commits can be compared.
    #[arg(skip)]
    pub(crate) has_one_unit: bool,
    #[command(flatten)]
    pub(crate) library: LibraryOptions,
}

/// The error in a workspace without suites. It displays as what to do.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("{NO_SUITE}")]
pub(crate) struct NoSuite;

const NO_SUITE: &str = "\
no suites found. Add one to this crate with
  cargo benchbook init
A suite is a binary, example or bench target whose source calls `suite!` of `benchbook`, `criterion_main!` or `final_summary` of \
`benchbook-criterion`, or `divan::main` of `benchbook-divan`.";

/// The Cargo.toml in the current folder, or in the nearest one above it.
///
/// # Errors
/// If there is no Cargo.toml.
pub(crate) fn nearest_manifest() -> Result<PathBuf> {
    manifest_above(&env::current_dir()?).context(
        "no Cargo.toml in this folder or above it. Change to the folder of a crate, or create a suite with `cargo benchbook new NAME`",
    )
}

/// The nearest Cargo.toml. In the suite's own folder it is that of the crate around it, so that both have the same port and results.
fn manifest_above(folder: &Path) -> Option<PathBuf> {
    let nearest = folder.ancestors().find(|folder| folder.join("Cargo.toml").is_file())?;
    let around = nearest.parent().map(|parent| parent.join("Cargo.toml"));
    let around = around.filter(|path| nearest.file_name().is_some_and(|name| name == FOLDER) && path.is_file());
    Some(around.unwrap_or_else(|| nearest.join("Cargo.toml")))
}

impl SuiteOptions {
    /// Finds the selected suites of the workspace.
    ///
    /// # Errors
    /// If there is no workspace, or no such suite.
    pub(crate) fn project(&self) -> Result<Project> {
        let main = metadata(&self.manifest()?)?;
        let project = match self.project_of(workspaces(&main)?, HarnessCrates::AsDeclared) {
            Err(error) if error.is::<NoSuite>() => self.trial(&main)?.ok_or(error),
            project => project,
        };
        project.map(Project::with_commits)
    }

    /// The suites of a copy of a workspace in which our crates replace a harness; `None` if the selected packages have no benches for a
    /// harness.
    fn trial(&self, workspace: &Metadata) -> Result<Option<Project>> {
        let packages: Vec<&Package> =
            workspace.workspace_packages().into_iter().filter(|package| self.is_chosen(&package.name)).collect();
        let Some(trial) = Trial::of(workspace, &packages)? else { return Ok(None) };
        trial.announce();
        let copy = metadata(&trial.update(workspace, &self.library, self.offline)?)?;
        let mut project = self.project_of(vec![copy], HarnessCrates::Replaced)?;
        project.root = workspace.workspace_root.clone().into_std_path_buf();
        // The lock file of the copy also needs our crates.
        project.build.arguments.retain(|argument| argument != "--locked");
        project.left_out.iter_mut().for_each(|note| *note = trial.in_terms_of_original(note));
        project.parts.iter_mut().for_each(|part| part.trial = Some(trial.clone()));
        Ok(Some(project))
    }

    /// The same options, whatever the current folder is.
    ///
    /// # Errors
    /// If there is no Cargo.toml.
    pub(crate) fn with_absolute_manifest(&self) -> Result<Self> {
        Ok(self.clone().with_manifest(path::absolute(self.manifest()?)?))
    }

    /// The same options for another workspace or package.
    pub(crate) fn with_manifest(self, manifest: PathBuf) -> Self {
        Self { manifest_path: Some(manifest), ..self }
    }

    /// The Cargo.toml of the workspace or of a package.
    ///
    /// # Errors
    /// If there is no Cargo.toml.
    pub(crate) fn manifest(&self) -> Result<PathBuf> {
        self.manifest_path.clone().map_or_else(nearest_manifest, Ok)
    }

    /// Builds the selected suites for this machine and opens them. A suite that fails is reported; the others remain usable.
    ///
    /// # Errors
    /// If there is no such suite, or if all fail.
    pub(crate) fn open(&self) -> Result<Vec<OpenedSuite>> {
        self.project()?.open()
    }

    pub(crate) fn build_options(&self) -> BuildOptions {
        let flags = [(self.locked, "--locked"), (self.offline, "--offline")];
        let arguments = flags.into_iter().filter(|(is_set, _)| *is_set).map(|(_, flag)| flag.to_owned()).collect();
        let profile = self.profile.clone().unwrap_or_else(|| SUITE_PROFILE.to_owned());
        let features = ChosenFeatures {
            everywhere: self.features.clone(),
            of_packages: BTreeMap::new(),
            all: self.all_features,
            no_default: self.no_default_features,
        };
        BuildOptions {
            profile,
            arguments,
            features,
            has_line_numbers: false,
            has_frame_pointers: false,
            has_one_unit: self.has_one_unit,
        }
    }

    fn is_chosen(&self, package: &str) -> bool {
        self.package.is_empty() || self.package.iter().any(|name| name == package)
    }

    /// The selected suites of workspaces, the first of which contains the current folder.
    fn project_of(&self, workspaces: Vec<Metadata>, crates: HarnessCrates) -> Result<Project> {
        let packages = || workspaces.iter().flat_map(|one| &one.packages);
        if let Some(name) = self.package.iter().find(|name| !packages().any(|package| package.name == **name)) {
            bail!("this workspace has no package `{name}`");
        }
        let main = workspaces.first().context("no workspace (this is a bug)")?;
        let root = main.workspace_root.clone().into_std_path_buf();
        let output = main.target_directory.join("benchbook").into_std_path_buf();
        let mut build = self.build_options();
        for workspace in &workspaces {
            build
                .features
                .everywhere
                .extend(BenchbookToml::in_folder(workspace.workspace_root.as_std_path())?.features);
        }
        let (mut parts, mut left_out) = (Vec::new(), Vec::<LeftOut>::new());
        for metadata in &workspaces {
            let may_have_suites = |package: &&Package| may_have_suites(package, crates);
            let mut suites = Vec::new();
            for package in metadata.workspace_packages().into_iter().filter(may_have_suites) {
                let own = BenchbookToml::in_folder(folder_of(package))?.features;
                build.features.of_packages.insert(package.name.to_string(), own);
                let found = suites_of(package, crates, &build.features);
                suites.push(found.suites);
                left_out.extend(found.left_out);
            }
            parts.push(ProjectPart {
                metadata: metadata.clone(),
                packages: suites,
                trial: None,
                commit: Commit::default(),
            });
        }
        if let [feature, ..] = build.features.unknown(packages())[..] {
            bail!("no package of this workspace has the feature `{feature}`");
        }
        // Names depend neither on the selection nor on the features: histories are kept by name.
        let suites = parts.iter_mut().flat_map(|part| part.packages.iter_mut().flatten());
        SuiteTarget::qualify(suites.chain(left_out.iter_mut().map(|one| &mut one.target)));
        let left_out = left_out.iter().filter(|one| self.is_chosen(&one.target.package));
        let left_out: Vec<String> = left_out.map(ToString::to_string).collect();
        self.select(&mut parts, &left_out)?;
        let commit = Commit::default();
        Ok(Project { root, output, parts, build, commit, left_out, is_strict: self.is_strict })
    }

    /// Removes the suites that the user did not name.
    fn select(&self, parts: &mut Vec<ProjectPart>, left_out: &[String]) -> Result<()> {
        for part in &mut *parts {
            part.packages.iter_mut().for_each(|targets| targets.retain(|target| self.is_chosen(&target.package)));
        }
        let all: Vec<String> = parts.iter().flat_map(ProjectPart::suites).map(|target| format!("`{target}`")).collect();
        if all.is_empty() {
            ensure!(left_out.is_empty(), "no suite can be built: {}", left_out.join("\n"));
            return Err(NoSuite.into());
        }
        let named = self.named_targets();
        let is_named = |target: &SuiteTarget, (kind, name): &(SuiteTargetKind, &String)| {
            target.kind == *kind && target.name == **name
        };
        let has_match = |named: &&(SuiteTargetKind, &String)| {
            parts.iter().flat_map(ProjectPart::suites).any(|target| is_named(target, named))
        };
        if let Some((kind, name)) = named.iter().find(|named| !has_match(named)) {
            bail!("no suite matches {} {name}. The suites are {}", kind.option(), all.join(", "));
        }
        for part in &mut *parts {
            let is_selected =
                |target: &SuiteTarget| named.is_empty() || named.iter().any(|named| is_named(target, named));
            part.packages.iter_mut().for_each(|targets| targets.retain(is_selected));
            part.packages.retain(|targets| !targets.is_empty());
        }
        parts.retain(|part| !part.packages.is_empty());
        Ok(())
    }

    /// Whether the user has named neither packages nor targets.
    pub(crate) fn selects_all(&self) -> bool {
        self.package.is_empty() && self.named_targets().is_empty()
    }

    /// The targets that the user named.
    fn named_targets(&self) -> Vec<(SuiteTargetKind, &String)> {
        let kinds = [
            (SuiteTargetKind::Bench, &self.bench),
            (SuiteTargetKind::Example, &self.example),
            (SuiteTargetKind::Bin, &self.bin),
        ];
        kinds.into_iter().flat_map(|(kind, names)| names.iter().map(move |name| (kind, name))).collect()
    }
}

/// A workspace, and those of the suites next to its crates.
fn workspaces(main: &Metadata) -> Result<Vec<Metadata>> {
    let mut workspaces = vec![main.clone()];
    for package in main.workspace_packages() {
        let nested = package.manifest_path.with_file_name(FOLDER).join("Cargo.toml");
        let is_known = main.packages.iter().any(|member| member.manifest_path == nested);
        if nested.is_file() && !is_known {
            workspaces.push(metadata(nested.as_std_path())?);
        }
    }
    Ok(workspaces)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use clap::Parser as _;

    use super::*;
    use crate::commands::init::can_add_suite;

    /// Writes a file and its folder.
    fn write(root: &Path, file: &str, text: &str) {
        let path = root.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// The project in a folder, with the suites that these arguments select.
    fn project(root: &Path, arguments: &[&str]) -> Result<Project> {
        let manifest = root.join("Cargo.toml");
        parsed(&[arguments, &["--manifest-path", manifest.to_str().unwrap()]].concat()).project()
    }

    #[test]
    fn the_folder_of_the_suite_belongs_to_the_crate_around_it() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for file in
            ["mine/Cargo.toml", "mine/benchbook/Cargo.toml", "mine/benchbook/src/main.rs", "benchbook/Cargo.toml"]
        {
            write(root, file, "");
        }
        let found =
            |path: &str| manifest_above(&root.join(path)).map(|path| path.strip_prefix(root).unwrap().to_owned());
        assert_eq!(found("mine/benchbook/src"), Some("mine/Cargo.toml".into()));
        assert_eq!(found("mine"), Some("mine/Cargo.toml".into()));
        assert_eq!(found("benchbook"), Some("benchbook/Cargo.toml".into()), "a crate with this name");
    }

    #[test]
    fn a_suite_next_to_its_crate_is_built_for_the_first_time_once() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let package = "[package]\nname = \"NAME\"\nedition = \"2024\"\n\n[workspace]\n";
        let dependency = "\n[dependencies]\nbenchbook = \"0.1\"\n";
        write(root, "Cargo.toml", &package.replace("NAME", "mine"));
        write(root, "src/lib.rs", "");
        write(root, "benchbook/Cargo.toml", &(package.replace("NAME", "mine-benchbook") + dependency));
        write(root, "benchbook/src/main.rs", "benchbook::suite!();\n");
        let project = project(root, &[]).unwrap();
        assert!(project.is_first_build());
        let built = project.parts.iter().find(|part| part.suites().next().is_some()).unwrap();
        fs::create_dir_all(built.metadata.target_directory.join("suite")).unwrap();
        assert!(!project.is_first_build());
    }

    #[test]
    fn a_suite_is_offered_only_where_it_can_be_added() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let package = "[package]\nname = \"mine\"\nedition = \"2024\"\n";
        for (file, text) in [
            ("library/Cargo.toml", package),
            ("library/src/lib.rs", ""),
            ("program/Cargo.toml", package),
            ("program/src/main.rs", "fn main() {}"),
            ("virtual/Cargo.toml", "[workspace]\n"),
        ] {
            write(root, file, text);
        }
        for (crate_folder, arguments, expected) in [
            ("library", &[][..], true),
            ("library", &["--package", "mine"], false),
            ("library", &["--bench", "sorting"], false),
            ("program", &[], false),
            ("virtual", &[], false),
        ] {
            let manifest = root.join(crate_folder).join("Cargo.toml");
            let options = parsed(&[arguments, &["--manifest-path", manifest.to_str().unwrap()]].concat());
            assert_eq!(can_add_suite(&options), expected, "{crate_folder} {arguments:?}");
        }
    }

    #[derive(clap::Parser)]
    struct Parsed {
        #[command(flatten)]
        suites: SuiteOptions,
    }

    fn parsed(arguments: &[&str]) -> SuiteOptions {
        Parsed::parse_from(["list"].iter().chain(arguments)).suites
    }

    #[test]
    fn packages_and_targets_can_be_named_repeatedly() {
        let folder = tempfile::tempdir().unwrap();
        let write = |file: &str, text: &str| write(folder.path(), file, text);
        write("Cargo.toml", "[workspace]\nmembers = [\"one\", \"two\", \"three\", \"unrelated\"]\nresolver = \"3\"\n");
        for package in ["one", "two", "three"] {
            let bench = format!("[[bench]]\nname = \"{package}_bench\"\nharness = false\n");
            let manifest = format!(
                "[package]\nname = \"{package}\"\nedition = \"2024\"\n\n[dependencies]\nbenchbook = \"1\"\n\n{bench}"
            );
            write(&format!("{package}/Cargo.toml"), &manifest);
            write(&format!("{package}/src/main.rs"), "benchbook::suite!(\"bin\");");
            write(&format!("{package}/examples/{package}_example.rs"), "benchbook::suite!(\"example\");");
            write(&format!("{package}/benches/{package}_bench.rs"), "benchbook::suite!(\"bench\");");
        }
        // Its `suite!` belongs to another crate.
        write("unrelated/Cargo.toml", "[package]\nname = \"unrelated\"\nedition = \"2024\"\n");
        write("unrelated/src/main.rs", "other::suite!(\"unrelated\");");
        let project = |arguments: &[&str]| {
            let names = |project: Project| project.suites().map(|suite| suite.name.clone()).collect::<Vec<_>>();
            project(folder.path(), arguments).map(names).map_err(|error| error.to_string())
        };
        let all = project(&[]).unwrap();
        assert!(all.len() == 9 && all.iter().all(|name| name != "unrelated"), "{all:?}");
        for (arguments, expected) in [
            (&["--bench", "one_bench", "--bench", "two_bench"][..], &["one_bench", "two_bench"][..]),
            (
                &["--bench", "one_bench", "--example", "two_example", "--bin", "three"],
                &["one_bench", "three", "two_example"],
            ),
            (&["-p", "one", "--package", "two", "--bin", "one"], &["one"]),
            (
                &["-p", "three", "-p", "one"],
                &["one", "one_bench", "one_example", "three", "three_bench", "three_example"],
            ),
        ] {
            let mut found = project(arguments).unwrap();
            found.sort();
            assert_eq!(found, expected, "{arguments:?}");
        }
        for (arguments, expected) in [
            (
                &["-p", "one", "--bench", "one_bench", "--bench", "two_bench"][..],
                "no suite matches --bench two_bench. The suites are ",
            ),
            (&["-p", "one", "-p", "four"], "this workspace has no package `four`"),
        ] {
            let error = project(arguments).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn suites_of_the_same_name_in_two_packages_are_named_after_both() {
        let folder = tempfile::tempdir().unwrap();
        let write = |file: &str, text: &str| write(folder.path(), file, text);
        write("Cargo.toml", "[workspace]\nmembers = [\"encode\", \"decode\"]\nresolver = \"3\"\n");
        for package in ["encode", "decode"] {
            let bench = |name: &str| format!("[[bench]]\nname = \"{name}\"\nharness = false\n");
            let own = bench(&format!("{package}-large")) + &bench("all-sizes");
            let package_table = format!("[package]\nname = \"{package}\"\nedition = \"2024\"\n");
            write(
                &format!("{package}/Cargo.toml"),
                &format!("{package_table}[dependencies]\nbenchbook = \"1\"\n{own}"),
            );
            for name in ["all-sizes", &format!("{package}-large")] {
                write(&format!("{package}/benches/{name}.rs"), "benchbook::suite!();");
            }
        }
        let names = |arguments: &[&str]| {
            let project = project(folder.path(), arguments).unwrap();
            let mut names: Vec<_> = project.suites().map(|suite| (suite.to_string(), suite.file_stem())).collect();
            names.sort();
            names
        };
        let named = |name: &str| (name.to_owned(), name.replace('/', "--"));
        let both = ["decode-large", "decode/all-sizes", "encode-large", "encode/all-sizes"].map(named);
        assert_eq!(names(&[]), both);
        assert_eq!(names(&["-p", "encode"]), both[2..], "the names do not depend on the selection");

        let gated = fs::read_to_string(folder.path().join("decode/Cargo.toml")).unwrap();
        write("decode/Cargo.toml", &format!("{gated}required-features = [\"batch\"]\n[features]\nbatch = []\n"));
        let without_gated = [&both[..1], &both[2..]].concat();
        assert_eq!(names(&[]), without_gated, "they do not depend on the features");
    }

    #[test]
    fn a_workspace_without_suites_explains_how_to_begin() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), "src/lib.rs", "");
        write(folder.path(), "Cargo.toml", "[package]\nname = \"empty\"\nedition = \"2024\"\n");
        let error = project(folder.path(), &[]).unwrap_err();
        assert!(error.is::<NoSuite>() && error.to_string().contains("cargo benchbook init"), "{error}");
    }

    #[test]
    fn targets_that_cannot_be_suites_are_explained() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), "src/lib.rs", "");
        let own_harness = "harness = false";
        for (dependency, source, harness, expected) in [
            ("benchbook", "benchbook::suite!();", "", "`one` is left out: it runs Rust's test harness. Add to "),
            (
                "benchbook-criterion",
                "criterion::criterion_main!(all);",
                own_harness,
                "under another name. Change it to:\n  criterion = { package = \"benchbook-criterion\"",
            ),
            (
                "benchbook-divan",
                "fn main() { divan::main(); }",
                own_harness,
                "under another name. Change it to:\n  divan = { package = \"benchbook-divan\"",
            ),
        ] {
            let package = "[package]\nname = \"mine\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
            let other = match dependency {
                "benchbook" => String::new(),
                other => format!("{other} = \"0.1\"\n"),
            };
            let dependencies = format!("[dev-dependencies]\nbenchbook = \"0.1\"\n{other}");
            let bench = format!("[[bench]]\nname = \"one\"\n{harness}\n");
            let manifest = format!("{package}\n{dependencies}\n{bench}\n[workspace]\n");
            write(folder.path(), "Cargo.toml", &manifest);
            write(folder.path(), "benches/one.rs", source);
            let error = project(folder.path(), &[]).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
            // The others remain.
            write(folder.path(), "benches/two.rs", "benchbook::suite!();");
            write(folder.path(), "Cargo.toml", &format!("{manifest}[[bench]]\nname = \"two\"\nharness = false\n"));
            let project = project(folder.path(), &[]).unwrap();
            assert_eq!(project.suites().map(|suite| suite.name.as_str()).collect::<Vec<_>>(), ["two"]);
            assert!(project.left_out.len() == 1 && project.left_out[0].contains(expected), "{:?}", project.left_out);
            assert!(project.report_notes([]).is_ok());
            assert!(Project { is_strict: true, ..project }.report_notes([]).is_err());
            fs::remove_file(folder.path().join("benches/two.rs")).unwrap();
        }
    }

    #[test]
    fn targets_without_their_features_are_left_out_until_something_enables_them() {
        let folder = tempfile::tempdir().unwrap();
        let bench = |name: &str| format!("[[bench]]\nname = \"{name}\"\nharness = false\n");
        let manifest = format!(
            "[package]\nname = \"gated\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[features]\nbatch = []\n\
             [dev-dependencies]\nbenchbook = \"0.1\"\n{}{}required-features = [\"batch\"]\n",
            bench("plain"),
            bench("batched")
        );
        write(folder.path(), "Cargo.toml", &manifest);
        write(folder.path(), "src/lib.rs", "");
        for name in ["plain", "batched"] {
            write(folder.path(), &format!("benches/{name}.rs"), "benchbook::suite!();");
        }
        let found = |arguments: &[&str]| {
            let project = project(folder.path(), arguments).unwrap();
            (project.suites().count(), project.left_out)
        };
        let (count, left_out) = found(&[]);
        assert!(
            count == 1 && left_out[0].contains("`batched` is left out") && left_out[0].contains("--features batch")
        );
        assert_eq!(found(&["--features", "batch"]), (2, Vec::new()));
        write(folder.path(), "benchbook.toml", "features = [\"batch\"]");
        assert_eq!(found(&[]), (2, Vec::new()));
        let error = project(folder.path(), &["-F", "theirs"]).unwrap_err().to_string();
        assert_eq!(error, "no package of this workspace has the feature `theirs`");
    }

    #[test]
    fn options_of_cargo_are_passed_on() {
        let options = parsed(&["--offline", "--locked", "-F", "fast", "--features", "small", "--profile", "bench"])
            .build_options();
        assert_eq!(options.arguments, ["--locked", "--offline"]);
        assert_eq!(options.features.everywhere, ["fast", "small"]);
        assert_eq!(options.profile, "bench");
    }
}
