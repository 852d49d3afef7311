//! The templates for continuous integration, whose steps run here with a `cargo` that prints a report.

use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context, Result, ensure};
use benchbook_tests::ci_templates::{ShellStep, action_steps, gitlab_step, yaml};

/// Records its arguments. A check prints the commit that it compares with, or nothing for `--broken`.
const CARGO: &str = r#"#!/bin/sh
echo "$*" >> "$RUNNER_TEMP/arguments"
case "$*" in
  *--broken*) exit 3 ;;
  benchbook*) echo "slower than $(git log -1 --format=%s "$4")"; exit 1 ;;
esac
"#;

/// A checkout of a pull request's merge, without the commits before it.
struct Checkout {
    folder: tempfile::TempDir,
    head: String,
}

impl Checkout {
    fn new() -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let programs = folder.path().join("programs");
        fs::create_dir(&programs)?;
        for (name, script) in [("cargo", CARGO), ("rustup", "#!/bin/sh\n")] {
            fs::write(programs.join(name), script)?;
            fs::set_permissions(programs.join(name), fs::Permissions::from_mode(0o755))?;
        }
        let origin = folder.path().join("origin");
        let origin = origin.to_str().context("a valid path")?;
        git(folder.path(), &["init", "--quiet", origin])?;
        for message in ["main", "merge"] {
            let identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-C", origin];
            git(folder.path(), &[&identity[..], &["commit", "--quiet", "--allow-empty", "-m", message]].concat())?;
        }
        git(folder.path(), &["clone", "--quiet", "--depth", "1", &format!("file://{origin}"), "checkout"])?;
        let head = git(folder.path(), &["-C", "checkout", "rev-parse", "HEAD"])?.trim().to_owned();
        Ok(Self { folder, head })
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("checkout")
    }

    fn run(&self, step: &ShellStep) -> Result<Output> {
        let programs = [self.folder.path().join("programs")];
        // An installed tool would be used.
        let is_without_tool = |folder: &PathBuf| !folder.join("cargo-benchbook").exists();
        let path = env::var_os("PATH").context("PATH is set")?;
        let path = programs.into_iter().chain(env::split_paths(&path).filter(is_without_tool));
        let mut command = step.command(&self.path());
        command.env("PATH", env::join_paths(path)?).env("RUNNER_TEMP", self.folder.path());
        command.env("GITHUB_SHA", &self.head).env("CARGO_HOME", self.folder.path());
        for name in ["GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT"] {
            command.env(name, self.folder.path().join(name));
        }
        Ok(command.output()?)
    }

    fn read(&self, file: &str) -> Result<String> {
        Ok(fs::read_to_string(self.folder.path().join(file))?)
    }
}

fn git(folder: &Path, arguments: &[&str]) -> Result<String> {
    let output = Command::new("git").current_dir(folder).args(arguments).output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8(output.stdout)?)
}

#[test]
fn the_action_compares_with_the_target_branch_and_keeps_the_report() -> Result<()> {
    let checkout = Checkout::new()?;
    let inputs = [("arguments", "quick* --at-least 5%"), ("version", "0.1.0")];
    let [install, check] = <[ShellStep; 2]>::try_from(action_steps(&inputs, 7)?).ok().context("two steps")?;
    assert!(checkout.run(&install)?.status.success());
    // The arguments are not names of files.
    fs::write(checkout.path().join("quick.rs"), "")?;
    let checked = checkout.run(&check)?;
    assert_eq!(checked.status.code(), Some(1), "{}", String::from_utf8_lossy(&checked.stderr));
    let expected = "install --locked cargo-benchbook --version 0.1.0\nbenchbook check --baseline HEAD^1 --markdown quick* --at-least 5%\n";
    assert_eq!(checkout.read("arguments")?, expected);
    assert_eq!(checkout.read("benchbook-report/report.md")?, "slower than main\n");
    assert_eq!(checkout.read("benchbook-report/number")?, "7\n");
    assert_eq!(checkout.read("GITHUB_STEP_SUMMARY")?, "slower than main\n");
    assert!(checkout.read("GITHUB_OUTPUT")?.starts_with("status=1\nreport="));

    let steps = action_steps(&[("arguments", "--broken")], 7)?;
    assert_eq!(checkout.run(&steps[1])?.status.code(), Some(3));
    let expected = "The check failed, with status 3. The log of the job shows why.\n";
    assert_eq!(checkout.read("benchbook-report/report.md")?, expected);
    Ok(())
}

#[test]
fn code_of_a_pull_request_gets_no_token_and_its_texts_are_not_executed() -> Result<()> {
    for file in ["action.yml", ".github/workflows/benchmarks.yml"] {
        let text = yaml(file)?.to_string().to_lowercase();
        assert!(
            !text.contains("secrets") && !text.contains("github.token") && !text.contains("-token"),
            "{file}: {text}"
        );
    }
    let is_without_expressions = |step: &ShellStep| !step.script.contains("${{");
    assert!(action_steps(&[], 7)?.iter().all(is_without_expressions));
    let workflow = yaml(".github/workflows/benchmarks.yml")?;
    assert_eq!(workflow["permissions"].to_string(), r#"{"contents":"read"}"#);
    // The workflow that may write does not run anything of the pull request.
    let commenting = yaml(".github/workflows/benchmarks-comment.yml")?["jobs"]["comment"]["steps"].clone();
    let steps = commenting.as_array().context("steps")?;
    assert!(steps.iter().all(|step| step["run"].is_null()), "{commenting}");
    assert!(!commenting.to_string().contains("checkout"), "{commenting}");
    Ok(())
}

#[test]
fn the_template_of_gitlab_compares_with_the_base_of_the_merge_request() -> Result<()> {
    let checkout = Checkout::new()?;
    let checked = checkout.run(&gitlab_step("HEAD", "quick* --at-least 5%")?)?;
    assert_eq!(checked.status.code(), Some(1), "{}", String::from_utf8_lossy(&checked.stderr));
    let expected = "install --locked cargo-benchbook\nbenchbook check --baseline HEAD --markdown --junit report.xml quick* --at-least 5%\n";
    assert_eq!(checkout.read("arguments")?, expected);
    assert!(String::from_utf8(checked.stdout)?.ends_with("slower than merge\n"));
    Ok(())
}
