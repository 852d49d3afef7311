//! The files of a systemd service: they are a valid configuration, and nothing of an administrator's is lost.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use benchbook_server::config::{Config, Environment, Invocation};
use benchbook_server::service::files;
use tempfile::TempDir;

use crate::golden_files::assert_golden;

/// A folder with a suite and a certificate; the files are written to `root` in it.
struct Machine(TempDir);

impl Machine {
    fn new() -> Self {
        let machine = Self(TempDir::new().expect("a temporary folder"));
        for file in ["demo", "demo.wasm", "demo.counted.wasm", "chain.pem", "key.pem"] {
            fs::write(machine.0.path().join(file), file).expect("the file is writable");
        }
        machine
    }

    fn root(&self) -> PathBuf {
        self.0.path().join("root")
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.root().join(file)).expect("the file was written")
    }

    /// Runs the command with further options. Returns its output.
    fn set_up(&self, options: &[&str]) -> anyhow::Result<String> {
        let file = |name: &str| self.0.path().join(name).into_os_string();
        let mut arguments: Vec<OsString> =
            ["benchbook-server", "setup", "--host", "reference-01.example.org", "--suite"].map(OsString::from).to_vec();
        arguments.extend([file("demo"), "--prefix".into(), self.root().into_os_string()]);
        arguments
            .extend(options.iter().map(|option| if option.ends_with(".pem") { file(option) } else { option.into() }));
        let environment = Environment {
            online: vec![0, 1, 2, 3],
            allowed: vec![0, 1, 2],
            isolated: vec![3],
            ..Environment::default()
        };
        let invocation = Invocation::read(arguments, |_| None, &environment);
        let Ok(Invocation::SetUp(command)) = invocation else { panic!("{invocation:?}") };
        let mut output = Vec::new();
        files::write(&command, &self.0.path().join("demo"), &mut output)?;
        Ok(String::from_utf8(output)?)
    }

    /// The configuration that the unit starts the runner with.
    fn config(&self, has_tls: bool) -> Config {
        let credential = |name: &str| Some(self.root().join("etc/benchbook").join(name).into_os_string());
        let variables = |name: &str| match name {
            "BENCHBOOK_TOKEN_FILE" => credential("token"),
            "BENCHBOOK_TLS_KEY" if has_tls => credential("key.pem"),
            _ => None,
        };
        let arguments =
            ["benchbook-server".into(), "--config".into(), self.root().join("etc/benchbook.toml").into_os_string()];
        let environment = Environment {
            online: vec![0, 1, 2, 3],
            allowed: vec![0, 1, 2],
            isolated: vec![3],
            ..Environment::default()
        };
        match Invocation::read(arguments, variables, &environment) {
            Ok(Invocation::Serve(config)) => *config,
            other => panic!("{other:?}"),
        }
    }
}

#[cfg(unix)]
fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).expect("the file was written").permissions().mode() & 0o777
}

#[test]
#[cfg(unix)]
fn the_files_are_a_runner_with_tls() {
    let machine = Machine::new();
    let output = machine
        .set_up(&["--core", "3", "--tls-certificate", "chain.pem", "--tls-key", "key.pem"])
        .expect("it succeeds");
    let config = machine.config(true);
    assert_eq!((config.address.to_string().as_str(), config.core), ("0.0.0.0:4040", Some(3)));
    assert_eq!(config.suites[0].executable, machine.root().join("opt/benchbook/suites/demo"));
    assert!(config.suites[0].wasm.is_some() && config.tls.is_some());
    assert_eq!(mode(&machine.root().join("opt/benchbook/benchbook-server")), 0o755);
    for secret in ["token", "key.pem"] {
        assert_eq!(mode(&machine.root().join("etc/benchbook").join(secret)), 0o600, "{secret}");
    }
    let root = machine.root();
    let root = root.to_str().expect("a UTF-8 path");
    assert_golden("benchbook.service", &machine.read("etc/systemd/system/benchbook.service").replace(root, ""));
    assert_golden("benchbook.toml", &machine.read("etc/benchbook.toml").replace(root, ""));
    assert!(output.contains("https://reference-01.example.org:4040/api/v1/machine"), "{output}");
    assert!(output.contains(&format!("add --cacert {root}/etc/benchbook/chain.pem to curl")), "{output}");
}

#[test]
fn without_a_certificate_only_a_proxy_reaches_the_runner() {
    let machine = Machine::new();
    let output = machine.set_up(&["--port", "5000"]).expect("it succeeds");
    let config = machine.config(false);
    assert!(config.address.to_string() == "127.0.0.1:5000" && config.tls.is_none());
    assert!(!machine.read("etc/systemd/system/benchbook.service").contains("key"));
    assert!(output.contains("http://127.0.0.1:5000/api"), "{output}");
}

#[test]
fn only_a_low_port_needs_a_capability() {
    for (port, expected) in [("443", true), ("5000", false)] {
        let machine = Machine::new();
        machine.set_up(&["--port", port]).expect("it succeeds");
        let unit = machine.read("etc/systemd/system/benchbook.service");
        assert_eq!(unit.contains("AmbientCapabilities=CAP_NET_BIND_SERVICE\n"), expected, "{unit}");
    }
}

#[test]
fn a_new_build_without_wasm_leaves_no_earlier_module() {
    let machine = Machine::new();
    machine.set_up(&[]).expect("it succeeds");
    for name in ["demo.wasm", "demo.counted.wasm"] {
        let module = machine.root().join("opt/benchbook/suites").join(name);
        assert!(module.exists());
        fs::remove_file(machine.0.path().join(name)).expect("it exists");
        let output = machine.set_up(&[]).expect("it succeeds");
        assert!(!module.exists() && output.contains(&format!("{name}, since the new suite has none")), "{output}");
    }
}

#[test]
fn a_second_run_keeps_the_token_and_what_an_administrator_edited() {
    let machine = Machine::new();
    machine.set_up(&[]).expect("it succeeds");
    let token = machine.read("etc/benchbook/token");
    machine.set_up(&[]).expect("nothing differs");
    let settings = machine.root().join("etc/benchbook.toml");
    let edited = machine.read("etc/benchbook.toml") + "\n[retention]\ndays = 365\n";
    fs::write(&settings, &edited).expect("the file is writable");
    fs::write(machine.0.path().join("demo"), "a new build").expect("the file is writable");
    let output = machine.set_up(&[]).expect("it keeps the settings");
    assert!(output.contains("etc/benchbook.toml, which was edited; --replace replaces it"), "{output}");
    assert_eq!(machine.read("etc/benchbook.toml"), edited);
    assert_eq!(machine.read("opt/benchbook/suites/demo"), "a new build");
    machine.set_up(&["--replace"]).expect("it may replace them");
    assert!(!machine.read("etc/benchbook.toml").contains("retention"));
    assert_eq!(machine.read("etc/benchbook/token"), token);
}
