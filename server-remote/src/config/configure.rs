//! Converts the values of all sources to a configuration.

use std::time::Duration;

use benchbook_host::quality::Qualities;
use tracing::Level;

use super::child_isolation::{ChildIsolation, IsolationMode};
use super::clear::ClearMode;
use super::database_command::DatabaseCommand;
use super::environment::Environment;
use super::numbers::{ChildLimits, Limits};
use super::problem::ConfigProblem;
use super::profile_command::ProfileCommand;
use super::settings::{Config, LogConfig, LogFormat, Maintenance, Profiling};
use super::values::{RawValue, RawValues};
use super::{files, network};
use crate::store::Retention;
use benchbook_accepted::HistoryFolder;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// The greatest age of stored results: a century.
const MAX_DAYS: u64 = 36_525;

/// Parses all values; absent only if that adds problems to `values`.
pub(super) fn configure(
    values: &mut RawValues,
    qualities: Qualities,
    clear: Option<ClearMode>,
    environment: &Environment,
) -> Option<Config> {
    let address = network::address(values);
    let tls = network::tls(values);
    let suites = values.read_each("suites", files::suite);
    let page = values.read("page", files::page);
    let notebooks = values.read("notebooks", files::notebooks);
    let history = values.read("history", files::history);
    let uploads = values.read("uploads", files::uploads);
    let database = files::database(values, environment);
    let name = values.read("name", name);
    let core = values.read("core", |raw| core(raw, environment));
    let limits = Limits::read(values);
    let children = ChildLimits::read(values);
    let isolation = ChildIsolation::read(values);
    let origins = network::origins(values);
    let hosts = network::hosts(values);
    let (token, is_token_generated) = network::token(values, address);
    if uploads.is_some() {
        check_uploads(values, token.is_some(), isolation.mode);
    }
    let retention = retention(values);
    let log = log(values);
    if !values.problems.is_empty() {
        return None;
    }
    Some(Config {
        address,
        tls,
        suites,
        follows_sources: false,
        page,
        notebooks,
        history: history.map(|path| HistoryFolder { path, is_chosen: true }),
        uploads,
        database: database?,
        retention,
        clear,
        name: name.unwrap_or_else(|| environment.default_name()),
        qualities,
        core: core.unwrap_or_else(|| environment.measuring_core()),
        limits,
        children,
        isolation,
        origins,
        hosts,
        token,
        is_token_generated,
        log,
    })
}

fn retention(values: &mut RawValues) -> Retention {
    let days = values.read("retention.days", |raw| raw.integer_between(1, MAX_DAYS));
    let max_bytes = values.read("retention.max_bytes", |raw| raw.integer_between(1 << 20, 1 << 50));
    Retention { max_age: days.and_then(|days| u32::try_from(days).ok()).map(|days| days * DAY), max_bytes }
}

/// Uploaded builds are programs of clients: only those with the token may upload them, and they must not reach anything on this machine.
fn check_uploads(values: &mut RawValues, has_token: bool, isolation: IsolationMode) {
    let requirements = [
        (has_token, "requires a token, since clients upload programs; add --token-file FILE"),
        (
            isolation == IsolationMode::Required,
            "requires that suites are isolated from this machine; add --isolation required",
        ),
    ];
    let problems = requirements.iter().filter(|(is_met, _)| !is_met).filter_map(|(_, advice)| {
        let uploads = values.get("uploads")?;
        Some(uploads.problem(*advice))
    });
    let problems: Vec<ConfigProblem> = problems.collect();
    values.problems.extend(problems);
}

/// Parses the values that a command on the database needs; absent only if there are problems. The files of other keys, such as
/// suites, may be missing.
pub(super) fn configure_maintenance(
    values: &mut RawValues,
    command: DatabaseCommand,
    environment: &Environment,
) -> Option<Maintenance> {
    let database = files::database(values, environment);
    let log = log(values);
    database.filter(|_| values.problems.is_empty()).map(|database| Maintenance { command, database, log })
}

/// The configuration of a command that profiles a function. `None` if there are problems.
pub(super) fn configure_profiling(
    values: &mut RawValues,
    command: ProfileCommand,
    environment: &Environment,
) -> Option<Profiling> {
    let core = values.read("core", |raw| core(raw, environment)).unwrap_or_else(|| environment.measuring_core());
    values.problems.is_empty().then_some(Profiling { command, core })
}

fn name(raw: &RawValue) -> Result<String, &'static str> {
    let is_allowed = |name: &&str| (1..=100).contains(&name.chars().count()) && !name.contains(char::is_control);
    raw.text().filter(is_allowed).map(str::to_owned).ok_or("allowed: 1 to 100 characters on one line")
}

fn core(raw: &RawValue, environment: &Environment) -> Result<Option<u32>, String> {
    if raw.text() == Some("none") {
        return Ok(None);
    }
    let core = raw.integer().and_then(|core| u32::try_from(core).ok());
    let exists = |core: &u32| environment.online.is_empty() || environment.online.contains(core);
    core.filter(exists).map(Some).ok_or_else(|| {
        let online: Vec<_> = environment.online.iter().map(u32::to_string).collect();
        format!("allowed: an online core ({}), or \"none\"", online.join(", "))
    })
}

fn log(values: &mut RawValues) -> LogConfig {
    let format = values.read("log.format", |raw| match raw.text() {
        Some("text") => Ok(LogFormat::Text),
        Some("json") => Ok(LogFormat::Json),
        _ => Err("allowed: text, json"),
    });
    let level = values.read("log.level", |raw| {
        let names = [
            ("error", Level::ERROR),
            ("warn", Level::WARN),
            ("info", Level::INFO),
            ("debug", Level::DEBUG),
            ("trace", Level::TRACE),
        ];
        let level = names.into_iter().find(|(name, _)| raw.text() == Some(name));
        level.map(|(_, level)| level).ok_or("allowed: error, warn, info, debug, trace")
    });
    LogConfig { format: format.unwrap_or(LogFormat::Text), level: level.unwrap_or(Level::INFO) }
}
