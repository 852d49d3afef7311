//! The program `benchbook-server`.

use std::env;
use std::process::ExitCode;

use benchbook_host::child::run_reaper_if_requested;
use benchbook_server::config::{Config, Environment};
use benchbook_server::{logging, service};

fn main() -> ExitCode {
    // The runner starts this program a second time, as the reaper of abandoned child processes.
    if run_reaper_if_requested() {
        return ExitCode::SUCCESS;
    }
    let config = match Config::read(env::args_os(), |name| env::var_os(name), &Environment::detect()) {
        Ok(config) => config,
        Err(error) => return error.report(),
    };
    let started = logging::start(config.log).map_err(Into::into);
    match started.and_then(|()| service::run(config)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!("{error:#}");
            ExitCode::FAILURE
        }
    }
}
