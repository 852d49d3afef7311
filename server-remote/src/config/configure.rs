//! From the values of all places to a configuration.

use benchbook_host::quality::Qualities;
use tracing::Level;

use super::values::{Values, Written};
use super::{ChildLimits, Config, Forget, Limits, Log, LogFormat, Surroundings, files, network};

/// Reads all values; absent only where that left problems in `values`.
pub(super) fn configure(
    values: &mut Values,
    qualities: Qualities,
    forget: Option<Forget>,
    here: &Surroundings,
) -> Option<Config> {
    let address = network::address(values);
    let tls = network::tls(values);
    let suites = values.read_each("suites", files::suite);
    let page = values.read("page", files::page);
    let database = files::database(values, here);
    let name = values.read("name", name);
    let core = values.read("core", |written| core(written, here));
    let limits = Limits::read(values);
    let children = ChildLimits::read(values);
    let origins = network::origins(values);
    let hosts = network::hosts(values);
    let (token, token_is_new) = network::token(values, address);
    let log = log(values);
    if !values.problems.is_empty() {
        return None;
    }
    Some(Config {
        address,
        tls,
        suites,
        page,
        database: database?,
        forget,
        name: name.unwrap_or_else(|| here.name()),
        qualities,
        core: core.unwrap_or_else(|| here.measuring_core()),
        limits,
        children,
        origins,
        hosts,
        token,
        token_is_new,
        log,
    })
}

fn name(written: &Written) -> Result<String, &'static str> {
    let may_be = |name: &&str| (1..=100).contains(&name.chars().count()) && !name.contains(char::is_control);
    written.text().filter(may_be).map(str::to_owned).ok_or("allowed: 1 to 100 characters in a line")
}

fn core(written: &Written, here: &Surroundings) -> Result<Option<u32>, String> {
    if written.text() == Some("none") {
        return Ok(None);
    }
    let core = written.integer().and_then(|core| u32::try_from(core).ok());
    let is_there = |core: &u32| here.online.is_empty() || here.online.contains(core);
    core.filter(is_there).map(Some).ok_or_else(|| {
        let online: Vec<_> = here.online.iter().map(u32::to_string).collect();
        format!("allowed: a core that is online ({}), or \"none\"", online.join(", "))
    })
}

fn log(values: &mut Values) -> Log {
    let format = values.read("log.format", |written| match written.text() {
        Some("text") => Ok(LogFormat::Text),
        Some("json") => Ok(LogFormat::Json),
        _ => Err("allowed: text, json"),
    });
    let level = values.read("log.level", |written| {
        let names = [
            ("error", Level::ERROR),
            ("warn", Level::WARN),
            ("info", Level::INFO),
            ("debug", Level::DEBUG),
            ("trace", Level::TRACE),
        ];
        let level = names.into_iter().find(|(name, _)| written.text() == Some(name));
        level.map(|(_, level)| level).ok_or("allowed: error, warn, info, debug, trace")
    });
    Log { format: format.unwrap_or(LogFormat::Text), level: level.unwrap_or(Level::INFO) }
}
