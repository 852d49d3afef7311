//! The configuration from all of its sources, and the reported problems.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use benchbook_accepted::HistoryFolder;
use benchbook_host::quality::{Priority, Qualities};
use benchbook_host::units::Nanos;
use benchbook_server::config::{
    ChildIsolation, ChildLimits, ClearMode, Config, DatabaseCommand, Environment, Invocation, IsolationMode, Limits,
    LogConfig, LogFormat, ProfileCommand, Profiling, ReadError, SuiteFiles, ValueSource,
};
use benchbook_server::store::Retention;
use proptest::prelude::*;
use tempfile::TempDir;
use tracing::Level;

use crate::golden_files::assert_golden;

/// A folder with the files that a configuration may name, and a machine of four cores, the last one isolated.
struct ConfigFixture {
    folder: TempDir,
    environment: Environment,
}

impl ConfigFixture {
    fn new() -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        for file in ["demo", "demo.wasm", "other", "index.html", "chain.pem", "key.pem", "empty"] {
            fs::write(folder.path().join(file), "").expect("the file is writable");
        }
        fs::write(folder.path().join("token"), "0123456789abcdef\n").expect("the file is writable");
        let environment = Environment {
            host_name: "quiet".to_owned(),
            data_folder: Some(PathBuf::from("/home/someone/data")),
            online: vec![0, 1, 2, 3],
            allowed: vec![0, 1, 2],
            isolated: vec![3],
        };
        Self { folder, environment }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Replaces `FOLDER` by the folder everywhere. A file that is not empty is the configuration file.
    fn read(&self, arguments: &str, variables: &[(&str, &str)], file: &str) -> Result<Config, ReadError> {
        self.invocation(arguments, variables, file).map(|invocation| match invocation {
            Invocation::Serve(config) => *config,
            other => panic!("{other:?}"),
        })
    }

    /// As [`ConfigFixture::read`], for any command.
    fn invocation(&self, arguments: &str, variables: &[(&str, &str)], file: &str) -> Result<Invocation, ReadError> {
        let folder = self.folder.path().to_str().expect("a UTF-8 path");
        let fill = |text: &str| text.replace("FOLDER", folder);
        let mut words = vec!["benchbook-server".to_owned()];
        words.extend(arguments.split_whitespace().map(fill));
        if !file.is_empty() {
            fs::write(self.path("bench.toml"), fill(file)).expect("the file is writable");
            words.extend(["--config".to_owned(), self.path("bench.toml").to_str().expect("a UTF-8 path").to_owned()]);
        }
        let variable = |requested: &str| {
            let variable = variables.iter().find(|(name, _)| *name == requested);
            variable.map(|(_, value)| OsString::from(fill(value)))
        };
        Invocation::read(words.into_iter().map(OsString::from), variable, &self.environment)
    }

    fn problems(&self, arguments: &str, variables: &[(&str, &str)], file: &str) -> String {
        match self.read(arguments, variables, file) {
            Ok(config) => panic!("the configuration is valid: {config:?}"),
            Err(error) => error.to_string().replace(self.folder.path().to_str().expect("a UTF-8 path"), "FOLDER"),
        }
    }
}

#[test]
fn all_values_have_defaults() {
    let fixture = ConfigFixture::new();
    let config = fixture.read("", &[], "").unwrap();
    let expected = Config {
        follows_sources: false,
        address: "127.0.0.1:4040".parse().unwrap(),
        tls: None,
        suites: Vec::new(),
        page: None,
        notebooks: None,
        history: None,
        uploads: None,
        database: PathBuf::from("/home/someone/data/results.sqlite"),
        retention: Retention::default(),
        clear: None,
        name: "quiet".to_owned(),
        qualities: Qualities::default(),
        core: Some(3),
        limits: Limits::default(),
        children: ChildLimits::default(),
        isolation: ChildIsolation::default(),
        origins: Vec::new(),
        hosts: Vec::new(),
        token: None,
        is_token_generated: false,
        log: LogConfig { format: LogFormat::Text, level: Level::INFO },
    };
    assert_eq!(config, expected);
}

/// A file with all keys except `qualities`.
const FILE: &str = r#"
address = "[::1]:9000"
suites = ["demo", "other"]
page = "."
notebooks = "."
history = "."
uploads = "."
database = "results.sqlite"
name = "reference-01"
core = 2
isolation = "required"
origins = ["https://bench.example.org", "http://127.0.0.1:8080"]
hosts = ["Reference-01.example.org"]
token_file = "token"

[tls]
certificate = "chain.pem"
key = "key.pem"

[limits]
clients = 10
queued_seconds = 60
queued_seconds_per_address = 600
body_bytes = 10_000
points = 99
point_seconds = 30
streams = 20
streams_per_client = 4
streams_per_address = 10
patience_seconds = 5
uploads = 2
upload_bytes = 1_000_000
uploads_bytes = 2_000_000

[children]
readable = ["."]
scratch_bytes = 2_097_152
may_start_processes = ["demo"]
user = "daemon"
memory_bytes = 0x1000_0000
cpu_seconds = 100
open_files = 64
file_bytes = 0
processes = 7

[retention]
days = 30
max_bytes = 1_000_000_000

[log]
format = "json"
level = "debug"
"#;

const QUALITIES: &str = "
[[qualities]]
points = 3
precision = 0.5
point_ms = 10
warm_up = { at_least = 1, at_most = 9, ms = 2.5 }
samples = { at_least = 2, at_most = 50 }
processes = 1
";

#[test]
fn reads_all_keys_of_a_file() {
    let fixture = ConfigFixture::new();
    let config = fixture.read("", &[], &format!("{FILE}{}", QUALITIES.repeat(4))).unwrap();
    assert_eq!(config.address.to_string(), "[::1]:9000");
    assert_eq!(
        config.suites,
        [
            SuiteFiles {
                executable: fixture.path("demo"),
                wasm: Some(fixture.path("demo.wasm")),
                ..SuiteFiles::default()
            },
            SuiteFiles { executable: fixture.path("other"), ..SuiteFiles::default() }
        ]
    );
    assert_eq!(config.page, Some(fixture.path(".")));
    assert_eq!(config.notebooks, Some(fixture.path("")));
    assert_eq!(config.uploads, Some(fixture.path("")));
    assert_eq!(config.history, Some(HistoryFolder { path: fixture.path(""), is_chosen: true }));
    assert_eq!(config.database, fixture.path("results.sqlite"));
    assert_eq!((config.name.as_str(), config.core), ("reference-01", Some(2)));
    let origins: Vec<_> = config.origins.iter().map(ToString::to_string).collect();
    assert_eq!(origins, ["https://bench.example.org", "http://127.0.0.1:8080"]);
    assert_eq!(config.hosts, ["reference-01.example.org"]);
    assert!(config.token.unwrap().reveal() == "0123456789abcdef" && !config.is_token_generated);
    let tls = config.tls.unwrap();
    assert_eq!((tls.certificate, tls.key), (fixture.path("chain.pem"), fixture.path("key.pem")));
    let limits = Limits {
        clients: 10,
        queued_seconds: 60,
        queued_seconds_per_address: 600,
        body_bytes: 10_000,
        points: 99,
        point_seconds: 30,
        streams: 20,
        streams_per_client: 4,
        streams_per_address: 10,
        patience_seconds: 5,
        uploads: 2,
        upload_bytes: 1_000_000,
        uploads_bytes: 2_000_000,
    };
    assert_eq!(config.limits, limits);
    let children = ChildLimits { memory_bytes: 1 << 28, cpu_seconds: 100, open_files: 64, file_bytes: 0, processes: 7 };
    assert_eq!(config.children, children);
    let isolation = ChildIsolation {
        mode: IsolationMode::Required,
        readable: vec![fs::canonicalize(fixture.path(".")).unwrap()],
        scratch: None,
        scratch_bytes: 2 << 20,
        may_start_processes: vec![fixture.path("demo")],
        user: config.isolation.user,
    };
    assert_eq!(config.isolation, isolation);
    assert_ne!(isolation.user.unwrap().user, 0);
    let month = Duration::from_secs(30 * 24 * 60 * 60);
    assert_eq!(config.retention, Retention { max_age: Some(month), max_bytes: Some(1_000_000_000) });
    assert_eq!(config.log, LogConfig { format: LogFormat::Json, level: Level::DEBUG });
    let quality = config.qualities.of(Priority::LAST);
    assert_eq!((quality.points, quality.precision, quality.warm_up.ms), (3, 0.5, 2.5));
}

#[test]
fn the_example_in_the_help_is_valid() {
    let fixture = ConfigFixture::new();
    for folder in ["suites", "page", "notebooks", "history", "uploads", "data", "disk"] {
        fs::create_dir_all(fixture.path(folder)).unwrap();
    }
    fs::write(fixture.path("suites/demo"), "").unwrap();
    fs::write(fixture.path("page/index.html"), "").unwrap();
    let Err(ReadError::CommandLine(help)) = fixture.read("--help", &[], "") else { panic!("the help was requested") };
    let help = help.to_string();
    let shown = help.split("need the file:\n").nth(1).unwrap();
    let (settings, quality) = shown.split_once("  [[qualities]]").unwrap();
    let file = format!("{settings}{}", format!("[[qualities]]{quality}\n").repeat(4));
    let config = fixture.read("", &[], &file).unwrap();
    assert_eq!(config.limits, Limits::default());
    assert_eq!(config.children, ChildLimits::default());
    let first = |qualities: &Qualities| qualities.of(Priority::FIRST).clone();
    assert_eq!(first(&config.qualities), first(&Qualities::default()));
}

#[test]
fn options_override_variables_and_variables_override_the_file() {
    let fixture = ConfigFixture::new();
    let read = |arguments, variables: &[_], file| fixture.read(arguments, variables, file).unwrap();
    let variable = [("BENCHBOOK_NAME", "variable"), ("BENCHBOOK_LIMITS_CLIENTS", "5")];
    let file = "name = \"file\"\nlimits.clients = 4";
    assert_eq!(read("--name option", &variable, file).name, "option");
    assert_eq!(read("", &variable, file).name, "variable");
    assert_eq!(read("", &variable, file).limits.clients, 5);
    assert_eq!(read("", &[("BENCHBOOK_NAME", "")], file).name, "file");
    assert_eq!(read("", &[], file).limits.clients, 4);
    let suites = read("--suite FOLDER/demo FOLDER/other", &[("BENCHBOOK_SUITES", "FOLDER/demo")], "").suites;
    assert_eq!(suites.len(), 2);
    assert_eq!(read("", &[("BENCHBOOK_SUITES", "FOLDER/demo, FOLDER/other")], "").suites, suites);
    assert_eq!(read("", &[("BENCHBOOK_CONFIG", "FOLDER/empty")], "").name, "quiet");
    assert_eq!(read("--core none", &[], "core = 1").core, None);
}

#[test]
fn a_port_overrides_an_address_of_the_same_or_lower_precedence() {
    let fixture = ConfigFixture::new();
    let file = "address = \"127.0.0.2:1\"";
    for (arguments, variables, file, expected) in [
        ("--port 9000", &[][..], "", "127.0.0.1:9000"),
        ("--port 9000", &[], file, "127.0.0.2:9000"),
        ("--port 9000 --address 127.0.0.3:1", &[], file, "127.0.0.3:9000"),
        ("--address 127.0.0.3:1", &[("BENCHBOOK_PORT", "9000")], file, "127.0.0.3:1"),
        ("--address 127.0.0.3", &[], file, "127.0.0.3:4040"),
        ("--address localhost:0", &[], file, "127.0.0.1:0"),
        ("--address ::1", &[], file, "[::1]:4040"),
    ] {
        let config = fixture.read(arguments, variables, file).unwrap();
        assert_eq!(config.address.to_string(), expected, "{arguments} {variables:?} {file}");
    }
}

#[test]
fn generates_a_token_for_addresses_that_other_machines_reach() {
    let fixture = ConfigFixture::new();
    for (arguments, variables, expected) in [
        ("", &[][..], (false, false)),
        ("--address 0.0.0.0", &[], (true, true)),
        ("--address 0.0.0.0 --token-file FOLDER/token", &[], (true, false)),
        ("", &[("BENCHBOOK_TOKEN", "0123456789abcdef")], (true, false)),
    ] {
        let config = fixture.read(arguments, variables, "").unwrap();
        assert_eq!((config.token.is_some(), config.is_token_generated), expected, "{arguments} {variables:?}");
    }
}

#[test]
fn the_measuring_core_is_an_isolated_one_or_the_last_of_several() {
    let mut fixture = ConfigFixture::new();
    for (allowed, isolated, expected) in
        [(&[0, 1, 2, 3][..], &[1, 2][..], Some(2)), (&[0, 1, 2], &[], Some(2)), (&[0], &[], None), (&[], &[], None)]
    {
        fixture.environment.allowed = allowed.to_vec();
        fixture.environment.isolated = isolated.to_vec();
        assert_eq!(fixture.read("", &[], "").unwrap().core, expected, "{allowed:?} {isolated:?}");
    }
}

#[test]
fn results_are_deleted_only_with_the_option() {
    let fixture = ConfigFixture::new();
    assert_eq!(fixture.read("--empty", &[], "").unwrap().clear, Some(ClearMode::Confirm));
    assert_eq!(fixture.read("--empty --yes", &[], "").unwrap().clear, Some(ClearMode::Immediate));
    assert!(matches!(fixture.read("--yes", &[], ""), Err(ReadError::CommandLine(_))));
}

#[test]
fn profiling_uses_the_configured_core() {
    let fixture = ConfigFixture::new();
    let line = "profile suites/demo sorting::sort size=10 --generator sorting::keys --profile-time 2s";
    for (file, core) in [("", Some(3)), ("core = 1", Some(1)), ("core = \"none\"", None)] {
        let Ok(Invocation::Profile(profiling)) = fixture.invocation(line, &[], file) else {
            panic!("{line} is invalid")
        };
        let command = ProfileCommand {
            suite: PathBuf::from("suites/demo"),
            function: "sorting::sort".to_owned(),
            arguments: vec!["size=10".to_owned()],
            generator: Some("sorting::keys".to_owned()),
            profile_time: Duration::from_secs(2),
        };
        assert_eq!(profiling, Profiling { command, core });
    }
    for (line, file) in
        [("profile demo", ""), ("profile demo f --profile-time fast", ""), ("profile demo f", "core = 99")]
    {
        assert!(fixture.invocation(line, &[], file).is_err(), "{line}");
    }
}

#[test]
fn commands_use_the_configured_database() {
    use DatabaseCommand::{Backup, Largest, Prune, Restore, Verify};
    let fixture = ConfigFixture::new();
    let file = || PathBuf::from("copy");
    let verify = Verify { file: None };
    // The suite is missing, which concerns only the runner.
    let settings = "database = \"results.sqlite\"\nsuites = [\"nowhere\"]";
    for (arguments, variables, settings, command, database) in [
        ("backup copy", &[][..], "", Backup { file: file() }, "/home/someone/data/results.sqlite"),
        ("verify --database here", &[], "", verify.clone(), "here"),
        ("verify copy", &[("BENCHBOOK_DATABASE", "there")], "", Verify { file: Some(file()) }, "there"),
        ("largest 7 --time 1.5ms --database here", &[], "", Largest { result: 7, time: Nanos(1.5e6) }, "here"),
        ("restore copy", &[], settings, Restore { file: file() }, "FOLDER/results.sqlite"),
    ] {
        let Ok(Invocation::Maintain(maintenance)) = fixture.invocation(arguments, variables, settings) else {
            panic!("{arguments} is invalid");
        };
        let database = database.replace("FOLDER", fixture.folder.path().to_str().unwrap());
        assert_eq!((maintenance.command, maintenance.database), (command, PathBuf::from(database)), "{arguments}");
    }
    let Ok(Invocation::Maintain(maintenance)) =
        fixture.invocation("prune --older-than 2d --max-size 1.5GB --dry-run", &[], "")
    else {
        panic!("the command is valid");
    };
    let Prune { limits, dry_run: true } = maintenance.command else { panic!("{maintenance:?}") };
    let two_days = Duration::from_secs(2 * 24 * 60 * 60);
    assert_eq!(limits.retention(), Retention { max_age: Some(two_days), max_bytes: Some(1_500_000_000) });
    for arguments in [
        "backup",
        "restore",
        "verify one two",
        "largest 7",
        "largest 7 --time 5",
        "largest newest --time 5ms",
        "--empty verify",
        "verify --port 1",
        "prune",
        "prune --older-than 3",
        "prune --max-size large",
    ] {
        let rejected = fixture.invocation(arguments, &[], "");
        assert!(matches!(rejected, Err(ReadError::CommandLine(_))), "{arguments}: {rejected:?}");
    }
    assert!(matches!(fixture.invocation("verify", &[], "databse = \"x\""), Err(ReadError::Problems(_))));
}

#[test]
fn warns_of_likely_mistakes() {
    let fixture = ConfigFixture::new();
    let warnings = |arguments| fixture.read(arguments, &[], "").unwrap().warnings();
    assert!(warnings("--suite FOLDER/demo").is_empty());
    assert!(warnings("")[0].contains("--suite"));
    let open = warnings("--suite FOLDER/demo --address 0.0.0.0");
    assert!(open[0].contains("without TLS") && open.len() == 1, "{open:?}");
}

/// A name, arguments, variables, and a configuration file.
type InvalidCase<'a> = (&'a str, &'a str, &'a [(&'a str, &'a str)], &'a str);

fn of_file<'a>(name: &'a str, file: &'a str) -> InvalidCase<'a> {
    (name, "", &[], file)
}

#[test]
fn reports_problems_with_source_value_and_advice() {
    let fixture = ConfigFixture::new();
    let qualities = [
        QUALITIES.replace("points = 3", "points = 1"),
        QUALITIES.replace("point_ms = 10", "point_ms = \"10 ms\""),
        QUALITIES.replace("processes", "proceses"),
        QUALITIES.replace("at_least = 1", "at_least = 10"),
    ]
    .concat();
    let cases: [InvalidCase<'_>; 12] = [
        ("a command line", "--port 99999 --core 4 --suite FOLDER/demo.wasm FOLDER/nowhere", &[], ""),
        (
            "an environment",
            "",
            &[
                ("BENCHBOOK_ORIGINS", "https://bench.example.org/,*"),
                ("BENCHBOOK_LIMITS_CLIENTS", "many"),
                ("BENCHBOOK_TOKEN", "hunter2"),
            ],
            "",
        ),
        of_file(
            "unknown keys",
            "databse = \"x\"\nlimits.cleints = 5\nsomething = 1\ntokn = \"hunter2\"\n[children]\nthreads = 3\n[tsl]\nkey = 1\n",
        ),
        of_file(
            "values of another kind",
            "address = 4040\nsuites = \"demo\"\nhosts = [1, \"https://x\"]\nlimits = 5\ncore = -1\nname = \"\"\n\n[log]\nlevel = \"loud\"\nformat = \"xml\"\n",
        ),
        of_file(
            "limits",
            "[limits]\nclients = 0\nbody_bytes = \"1 MB\"\npoints = 5000\n[children]\nmemory_bytes = 1.5\nuser = \"no-such-user\"\n",
        ),
        of_file(
            "files",
            "page = \"/\"\nnotebooks = \"nowhere\"\nhistory = \"nowhere\"\ndatabase = \".\"\ntoken_file = \"empty\"\ntls.key = \"key.pem\"\n",
        ),
        ("uploads without a token and isolation", "--uploads FOLDER", &[], "limits.upload_bytes = 1\n"),
        ("a missing file", "--config FOLDER/nowhere.toml", &[], ""),
        of_file("invalid TOML", "name = \"a\"\naddress = 127.0.0.1\n[limits\nclients = 5\n"),
        of_file("a key twice", "name = \"a\"\nname = \"b\"\n"),
        of_file("one quality", QUALITIES),
        of_file("four qualities", &qualities),
    ];
    let reports: Vec<String> = cases
        .iter()
        .map(|(name, arguments, variables, file)| {
            format!("# {name}\n\n{}\n", fixture.problems(arguments, variables, file))
        })
        .collect();
    assert!(!reports.concat().contains("hunter2"), "a token is secret, even an invalid one");
    assert_golden("config.txt", &reports.join("\n"));
}

/// Reports the lines of a damaged file, whatever the damage.
#[test]
fn reports_the_line_of_any_damage() {
    let fixture = ConfigFixture::new();
    let whole = format!("{FILE}{QUALITIES}");
    let damage = (0_usize..1_000, 0_usize..20, "[]\\[\"='{}.,#\n\r\t a1-ö\u{0}]{0,8}");
    proptest!(ProptestConfig::with_cases(500), |((at, length, put) in damage)| {
        let text: String = whole.chars().take(at).chain(put.chars()).chain(whole.chars().skip(at + length)).collect();
        if let Err(ReadError::Problems(problems)) = fixture.read("", &[], &text) {
            prop_assert!(!problems.is_empty());
            let lines = text.split('\n').count();
            for problem in problems {
                if let Some(ValueSource::File { line, .. }) = problem.source {
                    prop_assert!((1..=lines).contains(&line), "line {line} of {lines}");
                }
            }
        }
    });
}
