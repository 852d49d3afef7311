//! The program `benchbook-server`.

use std::env;
use std::process::ExitCode;

use benchbook_host::child::run_helper_if_requested;
use benchbook_server::config::{Config, Environment};
use benchbook_server::{logging, secrets, service};

fn main() -> ExitCode {
    // The runner starts this program again, as the launcher of suites and the reaper of abandoned processes.
    if run_helper_if_requested() {
        return ExitCode::SUCCESS;
    }
    // Returns only without a token in the environment, or if it cannot be hidden.
    let hidden = secrets::hide_token();
    let config = match Config::read(env::args_os(), |name| env::var_os(name), &Environment::detect()) {
        Ok(config) => config,
        Err(error) => return error.report(),
    };
    let started = logging::start(config.log).map_err(Into::into);
    if let Err(reason) = hidden.and_then(|()| secrets::erase_passed_token()) {
        tracing::warn!("suites that are not isolated may read the token: {reason}");
    }
    match started.and_then(|()| service::run(config)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!("{error:#}");
            ExitCode::FAILURE
        }
    }
}
