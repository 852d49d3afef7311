//! The process of Chromium. Starting it takes longer than most tests, so a browser can be used by several of them, one after another.

use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use std::{env, fs};

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal, getpgid, kill_process_group};
use tempfile::TempDir;
use tokio::time::sleep;

use super::patience::PATIENCE;

/// Chromium runs as root, without a screen and without background requests to the network. It does not keep pages
/// that the test has left: when a page reloads to isolate itself, the driver would otherwise continue with the previous
/// one. Nor does it load the pages with which the address bar shows suggestions, which take a second of processor time per window.
const ARGUMENTS: [&str; 11] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--disable-features=BackForwardCache,WebUIOmniboxPopup,WebUIOmniboxFullPopup,WebUIOmniboxAimPopup",
    "--remote-debugging-port=0",
];

/// Arguments with which chromedriver starts a browser.
const ARGUMENTS_OF_DRIVER: [&str; 10] = [
    "--allow-pre-commit-input",
    "--disable-client-side-phishing-detection",
    "--disable-default-apps",
    "--disable-hang-monitor",
    "--disable-popup-blocking",
    "--disable-prompt-on-repost",
    "--enable-automation",
    "--password-store=basic",
    "--test-type=webdriver",
    "--use-mock-keychain",
];

/// A shell script that ends the browser, and removes its profile, when the standard input ends: when the test program ends, in whatever way. Debian's
/// programs are scripts that start the browser, so all processes of the group are killed, including this one, from outside of the group.
const GUARD: &str = r#"profile=$1; shift; "$@" & cat > /dev/null; exec setsid --fork sh -c 'kill -s KILL -- "-$1"; rm -rf -- "$2"' guard $$ "$profile""#;

/// The file in the profile to which the browser writes the port of its DevTools protocol.
const PORT_FILE: &str = "DevToolsActivePort";

/// The interval at which a new browser's profile is examined for the port.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Browsers that no test uses.
static IDLE: Mutex<Vec<Chromium>> = Mutex::new(Vec::new());

/// The browser to start with these additional arguments: Chromium's headless shell, if `cargo xtask test` has set its path and there are no
/// additional arguments; otherwise Chromium, since tests with such arguments fail in the shell.
fn program(more: &[String]) -> String {
    let variables: &[&str] = if more.is_empty() { &["HEADLESS_SHELL", "CHROMIUM"] } else { &["CHROMIUM"] };
    variables.iter().find_map(|name| env::var(name).ok()).unwrap_or_else(|| "chromium".to_owned())
}

/// The guard of a program, in a process group of its own.
fn guarded(profile: &Path, program: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", GUARD, "guard"]).arg(profile).arg(program).process_group(0).stdin(Stdio::piped());
    command
}

/// A running browser. Dropping it ends the browser and removes its profile.
pub(super) struct Chromium {
    guard: Guard,
    profile: TempDir,
    port: u16,
}

/// The leader of the process group that contains the browser. Dropping it kills the group.
struct Guard(Child);

impl Guard {
    fn group(&self) -> Pid {
        Pid::from_child(&self.0)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        // An error means that the group no longer exists.
        let _ = kill_process_group(self.group(), Signal::KILL);
        let _status = self.0.wait();
    }
}

impl Chromium {
    /// An idle browser, or else a new one with a window of this size.
    pub(super) async fn idle_or_new(width: u32, height: u32) -> Result<Self> {
        let idle = IDLE.lock().expect("no thread panics with it").pop();
        match idle {
            Some(idle) => Ok(idle),
            None => Self::start(TempDir::new()?, width, height, &[]).await,
        }
    }

    /// Leaves the browser to the next test.
    pub(super) fn release(self) {
        IDLE.lock().expect("no thread panics with it").push(self);
    }

    /// Starts a browser with this profile, a window of this size, and additional arguments.
    pub(super) async fn start(profile: TempDir, width: u32, height: u32, more: &[String]) -> Result<Self> {
        let program = program(more);
        let file = profile.path().join(PORT_FILE);
        // Of an earlier browser with this profile.
        let _removed = fs::remove_file(&file);
        let mut command = guarded(profile.path(), &program);
        command.args(ARGUMENTS).args(ARGUMENTS_OF_DRIVER).args(more);
        command.arg(format!("--window-size={width},{height}"));
        command.arg(format!("--user-data-dir={}", profile.path().display()));
        // The headless shell opens no page of its own, and the driver needs one.
        command.arg("about:blank");
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let guard = Guard(command.spawn().context("failed to start the guard of Chromium")?);
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            let content = fs::read_to_string(&file).unwrap_or_default();
            if let Some((port, _)) = content.split_once('\n') {
                let port = port.parse().with_context(|| format!("{PORT_FILE} contains {content:?}"))?;
                return Ok(Self { guard, profile, port });
            }
            sleep(POLL_INTERVAL).await;
        }
        bail!("{program} does not listen: `cargo xtask test` installs it")
    }

    /// Kills the browser as a crash does, and returns its profile.
    pub(super) fn kill(self) -> TempDir {
        self.profile
    }

    /// The address of its DevTools protocol.
    pub(super) fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// The renderer processes, which run pages and their workers.
    pub(super) fn renderers(&self) -> Result<Vec<Pid>> {
        let mut renderers = Vec::new();
        for entry in fs::read_dir("/proc")?.flatten() {
            let number = entry.file_name().to_str().and_then(|name| name.parse().ok()).and_then(Pid::from_raw);
            let Some(pid) = number else { continue };
            let command = fs::read(entry.path().join("cmdline")).unwrap_or_default();
            // Checked after the command line: kernel processes have no group.
            let is_ours = || getpgid(Some(pid)).is_ok_and(|group| group == self.guard.group());
            if String::from_utf8_lossy(&command).contains("--type=renderer") && is_ours() {
                renderers.push(pid);
            }
        }
        Ok(renderers)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, BufReader, Read as _};

    use super::*;

    #[test]
    fn the_guard_ends_what_a_script_has_started() -> Result<()> {
        let profile = TempDir::new()?;
        let mut command = guarded(profile.path(), "sh");
        let mut guard =
            command.args(["-c", "sh -c 'echo started; sleep 60; echo left'; true"]).stdout(Stdio::piped()).spawn()?;
        let mut output = BufReader::new(guard.stdout.take().context("it is piped")?);
        let mut line = String::new();
        output.read_line(&mut line)?;
        assert_eq!(line, "started\n");
        drop(guard.stdin.take());
        // Until no process of the group can write.
        let mut rest = String::new();
        output.read_to_string(&mut rest)?;
        assert_eq!(rest, "");
        guard.wait()?;
        Ok(())
    }
}
