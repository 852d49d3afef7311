//! The table of the settings. The configuration file, the environment, the command line, its help and docs/settings.md follow it.

use super::numbers::{ChildLimits, Limits};
use super::setting::{Example, Setting};

/// The size of a scratch folder in memory, in bytes.
pub(super) const DEFAULT_SCRATCH: u64 = 1 << 30;

/// The only key whose value is not a text, a number or a list of texts.
pub(super) const QUALITIES: &str = "qualities";

const AT_THE_TOP: &[Setting] = &[
    Setting::text("address", "The address to listen on [default: 127.0.0.1:4040]", "\"0.0.0.0:4040\"").with_option("--address", "IP[:PORT]"),
    Setting::list("suites", "The native executables of suites. The wasm build of a suite is the file with the same stem next to it", "[\"suites/demo\"]").with_option("--suite", "PATH"),
    Setting::text("page", "The folder of a built page [default: the page inside this program]", "\"page\"").with_option("--page", "DIR"),
    Setting::text("notebooks", "A folder of notebook files (*.benchbook.json), such as a git checkout, which clients can open but not change", "\"notebooks\"").with_option("--notebooks", "DIR"),
    Setting::text("history", "A folder of accepted results (`cargo benchbook accept`), which clients can read and add to", "\"history\"").with_option("--history", "DIR"),
    Setting::text("uploads", "A folder for builds that clients upload, so that `cargo benchbook check --runner` measures them here. Requires a token and `--isolation required`", "\"uploads\"").with_option("--uploads", "DIR"),
    Setting::text("database", "The database of results [default: in this user's data folder]", "\"/var/lib/benchbook/results.sqlite\"").with_option("--database", "FILE"),
    Setting::text("name", "The display name of this machine [default: its host name]", "\"reference-01\"").with_option("--name", "NAME"),
    Setting::text("core", "The core to measure on, or `none` [default: an isolated one, or the last of several]", "3").with_option("--core", "CORE"),
    Setting::text("isolation", "Whether suites are isolated from this machine: `required`, `best` or `none` [default: best]", "\"required\"").with_option("--isolation", "MODE"),
    Setting::list("origins", "Origins whose pages may use the runner, such as https://bench.example.org", "[\"https://bench.example.org\"]").with_option("--origin", "ORIGIN"),
    Setting::list("hosts", "Host names that the runner accepts in addition to its address", "[\"reference-01.example.org\"]").with_option("--host", "NAME"),
    Setting::text("token", "The token that clients must send, instead of a file with it", ""),
    Setting::text("token_file", "A file with the token that clients must send [default: none on loopback, otherwise generated]", "\"token\"").with_option("--token-file", "FILE"),
    Setting::text(QUALITIES, "What the priorities mean: four tables, priority 1 first, as in notebook.json. Only in the file", ""),
    Setting::text("tls.certificate", "The certificate chain, PEM", "\"chain.pem\"").with_option("--tls-certificate", "FILE"),
    Setting::text("tls.key", "The certificate's private key, PEM", "\"key.pem\"").with_option("--tls-key", "FILE"),
];

const OF_CHILDREN: &[Setting] = &[
    Setting::list("children.readable", "Files and folders that isolated suites may read [default: none]", "[\"data\"]"),
    Setting::text("children.scratch", "The folder for scratch folders [default: in memory]", "\"disk\""),
    Setting::number("children.scratch_bytes", "The size of a scratch folder in memory", DEFAULT_SCRATCH),
    Setting::list(
        "children.may_start_processes",
        "The executables of the suites that may start processes [default: none]",
        "[\"suites/demo\"]",
    ),
    Setting::text(
        "children.user",
        "The user that suites run as; requires root [default: the runner's user]",
        "\"daemon\"",
    ),
];

const OF_RETENTION: &[Setting] = &[
    Setting::text(
        "retention.days",
        "Older results are deleted at startup and daily; the newest result of each point remains [default: none]",
        "365",
    ),
    Setting::text(
        "retention.max_bytes",
        "The size of the database above which the oldest results are deleted [default: none]",
        "2000000000",
    ),
];

const OF_THE_LOG: &[Setting] = &[
    Setting::text("log.format", "`text` or `json`, on standard error [default: text]", "\"text\"")
        .with_option("--log-format", "FORMAT"),
    Setting::text("log.level", "`error`, `warn`, `info`, `debug` or `trace` [default: info]", "\"info\"")
        .with_option("--log-level", "LEVEL"),
];

/// All settings, those of a table one after another.
pub(super) fn settings() -> impl Iterator<Item = &'static Setting> {
    let parts = [AT_THE_TOP, Limits::SETTINGS, ChildLimits::SETTINGS, OF_CHILDREN, OF_RETENTION, OF_THE_LOG];
    parts.into_iter().flatten()
}

/// An example of a file with the settings, for the help.
pub(super) fn example_file() -> String {
    let mut text = String::new();
    let mut table = "";
    for setting in settings() {
        let value = match setting.example {
            // A table of its own, or the alternative of another setting.
            Example::Text("") => continue,
            Example::Text(value) => value.to_owned(),
            Example::Number(value) => value.to_string(),
        };
        let (of, name) = setting.key.rsplit_once('.').unwrap_or(("", setting.key));
        if of != table {
            text += &format!("\n[{of}]\n");
            table = of;
        }
        text += &format!("{:36} # {}\n", format!("{name} = {value}"), setting.about);
    }
    text
}

/// A table of all settings in Markdown.
#[cfg(test)]
fn documentation() -> String {
    let mut text = "| key | option | example | meaning |\n| --- | --- | --- | --- |\n".to_owned();
    for Setting { key, about, example, option, .. } in settings() {
        let option = option.map_or_else(String::new, |(option, value)| format!("`{option} {value}`"));
        let example = match example {
            Example::Text("") => String::new(),
            Example::Text(value) => format!("`{value}`"),
            Example::Number(value) => format!("`{value}`, the default"),
        };
        text += &format!("| `{key}` | {option} | {example} | {about} |\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// `BENCHBOOK_BLESS=1 cargo test -p benchbook-server` rewrites the table.
    #[test]
    fn the_documents_have_the_table() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/settings.md");
        let text = fs::read_to_string(&path).expect("the document is readable");
        let (before, _) = text.split_once("| key |").expect("it has the table at its end");
        let expected = format!("{before}{}", documentation());
        if std::env::var_os("BENCHBOOK_BLESS").is_some() {
            fs::write(&path, &expected).expect("a writable file");
        }
        assert!(
            text == expected || std::env::var_os("BENCHBOOK_BLESS").is_some(),
            "docs/settings.md differs from the table"
        );
    }
}
