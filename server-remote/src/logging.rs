//! The log, on standard error.

use std::io::{self, IsTerminal};

use tracing::level_filters::LevelFilter;
use tracing::subscriber::{SetGlobalDefaultError, set_global_default};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::{self, MakeWriter};
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::registry::Registry;

use crate::config::{LogConfig, LogFormat};

/// Starts logging.
///
/// # Errors
/// If logging was started before.
pub fn start(log: LogConfig) -> Result<(), SetGlobalDefaultError> {
    let ansi = io::stderr().is_terminal();
    set_global_default(Registry::default().with(layer(log, ansi, io::stderr)))
}

/// Formats and filters the lines. `ansi` colours text lines. Other crates log warnings and errors only.
fn layer<W>(log: LogConfig, ansi: bool, writer: W) -> Box<dyn Layer<Registry> + Send + Sync>
where
    W: for<'a> MakeWriter<'a> + Send + Sync + 'static,
{
    let others = LevelFilter::from_level(log.level).min(LevelFilter::WARN);
    let targets = Targets::new().with_default(others).with_target("benchbook", log.level);
    let layer = fmt::layer().with_writer(writer).with_ansi(ansi);
    match log.format {
        LogFormat::Text => layer.with_filter(targets).boxed(),
        LogFormat::Json => layer.json().flatten_event(true).with_filter(targets).boxed(),
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::sync::Mutex;

    use tracing::Level;
    use tracing::subscriber::with_default;

    use super::*;

    fn logged(format: LogFormat, level: Level) -> String {
        let file = tempfile::NamedTempFile::new().unwrap();
        let writer = Mutex::new(File::options().append(true).open(file.path()).unwrap());
        with_default(Registry::default().with(layer(LogConfig { format, level }, false, writer)), || {
            tracing::info!(client = "a", "measured");
            tracing::debug!("a detail");
            tracing::info!(target: "hyper", "a detail of another crate");
            tracing::warn!(target: "hyper", "a warning of another crate");
        });
        std::fs::read_to_string(file.path()).unwrap()
    }

    #[test]
    fn logs_text() {
        let text = logged(LogFormat::Text, Level::INFO);
        assert!(text.contains("INFO benchbook_server::logging::tests: measured client=\"a\"\n"), "{text}");
        assert!(!text.contains("detail") && text.contains("a warning of another crate"), "{text}");
        assert!(logged(LogFormat::Text, Level::DEBUG).contains("a detail\n"));
        assert!(logged(LogFormat::Text, Level::ERROR).is_empty());
    }

    #[test]
    fn logs_json() {
        let text = logged(LogFormat::Json, Level::INFO);
        let first: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        assert_eq!(
            (&first["level"], &first["message"], &first["client"]),
            (&"INFO".into(), &"measured".into(), &"a".into())
        );
    }
}
