//! The location of accepted results: a folder, or a runner.

use std::env;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use benchbook_accepted::{HistoryFolder, ReadHistory};
use benchbook_build::progress::BuildStep;
use benchbook_host::api::{AcceptedHistory, AcceptedResults, Token};
use benchbook_host::history::AcceptedResult;

use crate::project::Project;
use crate::runner::RunnerApi;

/// The variable with the token of a runner, as in the runner's own environment.
const TOKEN_VARIABLE: &str = "BENCHBOOK_TOKEN";

/// The folder of accepted results in a workspace, unless another one is chosen.
const OWN_FOLDER: &str = ".benchbook/history";

/// The maximum number of results in a list of a runner: the greatest limit of the route.
const MAX_LISTED: u32 = 5_000;

/// The options that state where accepted results are stored.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct LocationOptions {
    /// The location of accepted results: a folder, or the address of a runner, such as `https://reference-01.example.org` [default: `history` in
    /// benchbook.toml, or else .benchbook/history in the workspace]
    #[arg(long, value_name = "DIR|URL")]
    history: Option<PathBuf>,
    /// A file with the runner's token [default: the variable BENCHBOOK_TOKEN]
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,
}

/// The location of accepted results.
#[derive(Clone, Debug)]
pub(crate) enum HistoryLocation {
    Folder(HistoryFolder),
    /// The folder of a runner.
    Runner(RunnerApi),
}

impl LocationOptions {
    /// The chosen location, or the folder of the project's local results.
    ///
    /// # Errors
    /// If the token cannot be read, or has no purpose.
    pub(crate) fn location(&self, project: &Project) -> Result<HistoryLocation> {
        self.location_with(project, None)
    }

    /// As [`Self::location`]. `runner`: the runner that measures, if there is one.
    ///
    /// # Errors
    /// If the token cannot be read, or has no purpose.
    pub(crate) fn location_with(&self, project: &Project, runner: Option<&RunnerApi>) -> Result<HistoryLocation> {
        let in_settings = project.history_setting()?;
        let chosen = self.history.clone().or(in_settings);
        let address = chosen.as_deref().and_then(Path::to_str).filter(|text| is_address(text));
        ensure!(
            self.token_file.is_none() || address.is_some() || runner.is_some(),
            "--token-file requires a runner. Pass its address with --history"
        );
        let Some(address) = address else {
            return Ok(HistoryLocation::Folder(history_folder(project, chosen.as_deref())));
        };
        let connection = RunnerApi::new(address, self.token()?);
        let is_other = runner.is_some_and(|runner| runner.address() != connection.address());
        ensure!(
            !is_other || !connection.has_token(),
            "--runner and --history name different runners, but there is only one token, which belongs to one of them. Use a folder as \
             the history"
        );
        Ok(HistoryLocation::Runner(connection))
    }

    /// Whether the user has chosen a location.
    pub(crate) fn is_chosen(&self) -> bool {
        self.history.is_some()
    }

    /// The runner at an address, with the token.
    ///
    /// # Errors
    /// If this is not the address of a runner, or the token cannot be read.
    pub(crate) fn runner(&self, address: &str) -> Result<RunnerApi> {
        ensure!(
            is_address(address),
            "`{address}` is not the address of a runner, such as https://reference-01.example.org:4040"
        );
        Ok(RunnerApi::new(address, self.token()?))
    }

    /// The runner's token. Errors do not contain it.
    fn token(&self) -> Result<Option<Token>> {
        let (text, source) = match &self.token_file {
            Some(file) => {
                let text = fs::read_to_string(file).with_context(|| format!("failed to read {}", file.display()))?;
                (text, file.display().to_string())
            }
            None => match env::var(TOKEN_VARIABLE) {
                Ok(text) if !text.trim().is_empty() => (text, format!("the variable {TOKEN_VARIABLE}")),
                _ => return Ok(None),
            },
        };
        let token = Token::parse(text.trim());
        token.map(Some).with_context(|| format!("{source} contains no token: a token has {}", Token::FORMAT))
    }
}

impl HistoryLocation {
    /// Reads the accepted results.
    ///
    /// # Errors
    /// If a runner does not respond, or rejects the request. A damaged file is a problem in the result.
    pub(crate) fn read(&self) -> Result<ReadHistory> {
        match self {
            Self::Folder(folder) => Ok(folder.read()),
            Self::Runner(runner) => {
                let _step = BuildStep::start(format!("Reading the accepted results of {}", runner.address()));
                let listed: AcceptedHistory = runner.read(format!("history?limit={MAX_LISTED}"))?;
                let files = listed.results.into_iter().map(|accepted| (PathBuf::new(), accepted)).collect();
                Ok(ReadHistory { files, problems: listed.warnings })
            }
        }
    }

    /// Adds a result, and returns its file in a folder.
    ///
    /// # Errors
    /// If it cannot be written, or if the runner rejects it.
    pub(crate) fn add(&self, accepted: &AcceptedResult) -> Result<Option<PathBuf>> {
        match self {
            Self::Folder(folder) => Ok(Some(folder.add(accepted)?)),
            Self::Runner(runner) => {
                let body = serde_json::to_vec(&AcceptedResults { results: vec![accepted.clone()] })?;
                let request = runner.post("history").content_type("application/json");
                let mut response = runner.received(request.send(&body[..]))?;
                runner.check(&mut response).map(|()| None)
            }
        }
    }
}

impl fmt::Display for HistoryLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(folder) => folder.path.display().fmt(f),
            Self::Runner(runner) => runner.address().fmt(f),
        }
    }
}

/// Whether a text is the address of a runner.
fn is_address(text: &str) -> bool {
    ["http://", "https://"].iter().any(|scheme| text.starts_with(scheme))
}

/// The chosen folder, or that of the project's own results. Earlier versions had the latter in cargo's output folder, which `cargo clean` deletes: it is moved.
pub(crate) fn history_folder(project: &Project, chosen: Option<&Path>) -> HistoryFolder {
    if let Some(path) = chosen {
        return HistoryFolder { path: path.to_owned(), is_chosen: true };
    }
    let (earlier, path) = (project.output.join("history"), project.root.join(OWN_FOLDER));
    let is_moved = earlier.exists() && !path.exists();
    if is_moved && fs::create_dir_all(project.root.join(OWN_FOLDER)).and_then(|()| fs::rename(&earlier, &path)).is_ok()
    {
        anstream::eprintln!(
            "note: the accepted results are in {} now, which `cargo clean` does not delete",
            path.display()
        );
    }
    HistoryFolder { path: if path.exists() || !earlier.exists() { path } else { earlier }, is_chosen: false }
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn results_are_kept_outside_of_the_output_folder() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().to_owned();
        let project = Project { output: root.join("target/benchbook"), root: root.clone(), ..Project::default() };
        let place = || LocationOptions::default().location(&project).unwrap().to_string();
        let expected = |path: &str| root.join(path).display().to_string();
        assert_eq!(place(), expected(".benchbook/history"));
        fs::create_dir_all(project.output.join("history/mix")).unwrap();
        assert_eq!(place(), expected(".benchbook/history"));
        assert!(root.join(".benchbook/history/mix").exists() && !project.output.join("history").exists(), "moved");
        fs::write(root.join("benchbook.toml"), "history = \"benches/history\"\n").unwrap();
        assert_eq!(place(), expected("benches/history"));
        let given = LocationOptions { history: Some("other".into()), ..LocationOptions::default() };
        assert_eq!(given.location(&project).unwrap().to_string(), "other");
    }

    #[test]
    fn a_token_needs_the_runner_to_which_it_belongs() {
        const TOKEN: &str = "a-token-of-sufficient-length-0123";
        let folder = tempfile::tempdir().unwrap();
        let token_file = folder.path().join("token");
        fs::write(&token_file, TOKEN).unwrap();
        let root = folder.path().to_owned();
        let project = Project { output: root.join("target"), root, ..Project::default() };
        let options = |history: Option<&str>| LocationOptions {
            history: history.map(PathBuf::from),
            token_file: Some(token_file.clone()),
        };
        let error = |history, runner: Option<&RunnerApi>| {
            options(history).location_with(&project, runner).unwrap_err().to_string()
        };
        assert!(error(None, None).starts_with("--token-file requires a runner"));
        assert!(error(Some("results"), None).starts_with("--token-file requires a runner"));
        let runner = options(None).runner("http://127.0.0.1:9").unwrap();
        assert!(error(Some("http://127.0.0.1:10"), Some(&runner)).contains("name different runners"));
        let same = options(Some("http://127.0.0.1:9")).location_with(&project, Some(&runner)).unwrap();
        assert_eq!(same.to_string(), "http://127.0.0.1:9");
        let no_address = options(None).runner("reference-01").unwrap_err().to_string();
        assert!(no_address.starts_with("`reference-01` is not the address of a runner"), "{no_address}");
        fs::write(&token_file, "short").unwrap();
        let invalid = format!("{:#}", options(None).runner("http://127.0.0.1:9").unwrap_err());
        assert!(invalid.contains("contains no token") && !invalid.contains("short"), "{invalid}");
    }
}
