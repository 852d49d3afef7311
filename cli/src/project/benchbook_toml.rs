//! `benchbook.toml`: the settings of a package or a workspace.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use benchbook_host::history::CheckedMetric;
use clap::ValueEnum;
use serde::de::Error;
use serde::{Deserialize, Deserializer};

use crate::arguments::{self, SetArgument};
use crate::project::deliberate::Deliberate;

/// The name of the file, next to a crate's Cargo.toml.
pub(crate) const FILE: &str = "benchbook.toml";

/// The contents of the file.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BenchbookToml {
    /// The features with which all commands build the package, or the packages of the workspace.
    #[serde(default)]
    pub(crate) features: Vec<String>,
    /// The location of accepted results: a folder, relative to this file, or the address of a runner.
    pub(crate) history: Option<PathBuf>,
    /// Regressions that are no failures.
    #[serde(default)]
    pub(crate) accepted: Vec<Deliberate>,
    /// The groups of checks by name.
    #[serde(default)]
    pub(crate) groups: BTreeMap<String, CheckGroup>,
}

/// Functions that are checked together, with the same settings.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct CheckGroup {
    /// Parts of the paths of the functions; every function if the list is empty.
    #[serde(default)]
    pub(crate) functions: Vec<String>,
    /// The generator of the inputs: its path or name. Absent: the first one of each function.
    pub(crate) generator: Option<String>,
    /// Values of parameters, as on the command line: `"size=1k"`.
    #[serde(default, deserialize_with = "parsed_list")]
    pub(crate) set: Vec<SetArgument>,
    /// The target for the half-width of the mean's interval, such as `"2%"`.
    #[serde(default, deserialize_with = "percentage")]
    pub(crate) precision: Option<f64>,
    /// The smallest change that counts, such as `"1%"`.
    #[serde(default, deserialize_with = "effect")]
    pub(crate) minimum_effect: Option<f64>,
    /// What is compared.
    pub(crate) mode: Option<CheckMode>,
    /// The number of processes, 2 to 100.
    #[serde(default, deserialize_with = "processes")]
    pub(crate) samples: Option<u32>,
    /// The longest time for a point, such as `"5s"`.
    #[serde(default, deserialize_with = "time")]
    pub(crate) time_out: Option<Duration>,
    /// The longest time to warm up a point.
    #[serde(default, deserialize_with = "time")]
    pub(crate) warm_up: Option<Duration>,
    /// The probability that a run reports no change if nothing has changed, such as `"99%"`.
    #[serde(default, deserialize_with = "confidence")]
    pub(crate) confidence: Option<f64>,
}

/// What a check compares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum CheckMode {
    /// The time of a call after warm-up
    #[default]
    Steady,
    /// The time of the first call in a process
    Startup,
    /// The allocations, the allocated bytes and the peak bytes of a call, compared exactly
    Memory,
    /// The wasm instructions that a call executes, counted exactly: the same on every machine
    Counts,
    /// All of these
    All,
}

impl CheckMode {
    /// The timed metrics of the mode. All of them are measured together.
    pub(crate) fn timed_metrics(self) -> &'static [CheckedMetric] {
        match self {
            Self::Steady => &[CheckedMetric::Time],
            Self::Startup => &[CheckedMetric::FirstCall],
            Self::Memory | Self::Counts => &[],
            Self::All => &[CheckedMetric::Time, CheckedMetric::FirstCall],
        }
    }

    /// The exact metrics of the mode that the suite counts itself, natively. They are counted together, apart from the timed ones.
    pub(crate) fn exact_metrics(self) -> &'static [CheckedMetric] {
        match self {
            Self::Steady | Self::Startup | Self::Counts => &[],
            Self::Memory | Self::All => &CheckedMetric::MEMORY,
        }
    }

    /// Whether wasm instructions are counted, in the suite's counting module.
    pub(crate) fn counts_instructions(self) -> bool {
        matches!(self, Self::Counts | Self::All)
    }

    /// All metrics of the mode.
    pub(crate) fn metrics(self) -> impl Iterator<Item = CheckedMetric> {
        let counted = self.counts_instructions().then_some(CheckedMetric::WasmInstructions);
        self.timed_metrics().iter().chain(self.exact_metrics()).copied().chain(counted)
    }
}

impl BenchbookToml {
    /// Reads the files in these folders. If several define a group, that of the first folder counts.
    ///
    /// # Errors
    /// As for [`Self::in_folder`].
    pub(crate) fn in_folders<'f>(folders: impl IntoIterator<Item = &'f Path>) -> Result<Self> {
        let mut all = Self::default();
        for folder in folders {
            let Self { groups, accepted, .. } = Self::in_folder(folder)?;
            all.accepted.extend(accepted);
            for (name, group) in groups {
                all.groups.entry(name).or_insert(group);
            }
        }
        Ok(all)
    }

    /// The confidence that the named groups choose; `None` if they choose none. It applies to the whole run.
    ///
    /// # Errors
    /// If two of them choose different ones.
    pub(crate) fn confidence(&self, names: &[String]) -> Result<Option<f64>> {
        let chosen = names.iter().filter_map(|name| Some((name, self.groups.get(name)?.confidence?)));
        let mut chosen = chosen.collect::<Vec<_>>().into_iter();
        let Some((first, confidence)) = chosen.next() else { return Ok(None) };
        if let Some((other, _)) = chosen.find(|(_, other)| *other != confidence) {
            bail!(
                "the groups `{first}` and `{other}` have different confidences, but a run has one. Choose it with --confidence, or check them one by one"
            );
        }
        Ok(Some(confidence))
    }

    /// Reads the file in a folder; the default without one.
    ///
    /// # Errors
    /// If it cannot be read, or has an invalid entry: the error names its line.
    pub(crate) fn in_folder(folder: &Path) -> Result<Self> {
        let path = folder.join(FILE);
        match fs::read_to_string(&path) {
            Ok(text) => toml::from_str(&text).with_context(|| format!("{} is invalid", path.display())),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(error).with_context(|| format!("failed to read {}", path.display())),
        }
    }
}

fn parsed_list<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    let texts = Vec::<String>::deserialize(deserializer)?;
    texts.iter().map(|text| text.parse().map_err(D::Error::custom)).collect()
}

fn percentage<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    arguments::precision(&String::deserialize(deserializer)?).map(Some).map_err(D::Error::custom)
}

fn processes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    let count = u32::deserialize(deserializer)?;
    if arguments::SAMPLES.contains(&count) {
        Ok(Some(count))
    } else {
        Err(D::Error::custom("expected 2 to 100 samples"))
    }
}

fn time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
    arguments::time(&String::deserialize(deserializer)?).map(Some).map_err(D::Error::custom)
}

fn confidence<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    arguments::confidence(&String::deserialize(deserializer)?).map(Some).map_err(D::Error::custom)
}

fn effect<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    arguments::minimum_effect(&String::deserialize(deserializer)?).map(Some).map_err(D::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_from_the_folder() {
        let folder = tempfile::tempdir().expect("a folder");
        assert_eq!(BenchbookToml::in_folder(folder.path()).expect("no file is needed"), BenchbookToml::default());
        let text = "\
history = \"benches/history\"
features = [\"batch\"]

[groups.quick]
functions = [\"sort\"]
set = [\"size=1k\", \"spread=Sorted\"]
precision = \"5%\"

[groups.nightly]
minimum-effect = \"0.5%\"
mode = \"all\"
samples = 20
time-out = \"5s\"
warm-up = \"300ms\"
confidence = \"99.5%\"
";
        fs::write(folder.path().join(FILE), text).expect("it is written");
        let BenchbookToml { features, groups, history, .. } =
            BenchbookToml::in_folder(folder.path()).expect("it is valid");
        assert_eq!(features, ["batch"]);
        assert_eq!(history.as_deref(), Some(Path::new("benches/history")));
        let quick = CheckGroup {
            functions: vec!["sort".to_owned()],
            set: ["size=1k", "spread=Sorted"].map(|text| text.parse().expect("valid")).to_vec(),
            precision: Some(0.05),
            ..CheckGroup::default()
        };
        assert_eq!(groups["quick"], quick);
        let nightly = CheckGroup {
            minimum_effect: Some(0.005),
            mode: Some(CheckMode::All),
            samples: Some(20),
            time_out: Some(Duration::from_secs(5)),
            warm_up: Some(Duration::from_millis(300)),
            confidence: Some(0.995),
            ..CheckGroup::default()
        };
        assert_eq!(groups["nightly"], nightly);
    }

    #[test]
    fn groups_of_a_run_have_one_confidence() {
        let group = |confidence| CheckGroup { confidence, ..CheckGroup::default() };
        let groups = [("a", Some(0.99)), ("b", Some(0.95)), ("c", None)];
        let groups = groups.map(|(name, confidence)| (name.to_owned(), group(confidence))).into();
        let settings = BenchbookToml { groups, ..BenchbookToml::default() };
        let confidence =
            |names: &[&str]| settings.confidence(&names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>());
        assert_eq!(confidence(&["a", "c", "sort"]).unwrap(), Some(0.99));
        assert_eq!(confidence(&["c"]).unwrap(), None);
        assert!(confidence(&["a", "b"]).unwrap_err().to_string().contains("`a` and `b` have different confidences"));
    }

    #[test]
    fn errors_state_the_line() {
        for (text, expected) in [
            ("[groups.a]\nprecision = \"2\"", "expected a percentage such as 1%"),
            ("[groups.a]\nset = [\"size\"]", "expected NAME=VALUE"),
            ("[groups.a]\nminimum-effect = \"-1%\"", "expected 0% to below 100%"),
            ("[groups.a]\nmode = \"slow\"", "unknown variant `slow`"),
            ("[groups.a]\nsamples = 1", "expected 2 to 100 samples"),
            ("[groups.a]\nconfidence = \"50%\"", "expected 90% to 99.9%"),
            ("[groups.a]\nfuntions = []", "unknown field `funtions`"),
        ] {
            let folder = tempfile::tempdir().expect("a folder");
            fs::write(folder.path().join(FILE), text).expect("it is written");
            let error = format!("{:#}", BenchbookToml::in_folder(folder.path()).expect_err("it is invalid"));
            assert!(error.contains(expected) && error.contains("line 2"), "{error}");
        }
    }
}
