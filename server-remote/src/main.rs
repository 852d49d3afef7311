//! The program `benchbook-server`.

use std::env;
use std::io;
use std::process::ExitCode;

use benchbook_count::count_if_requested;
use benchbook_host::child::run_helper_if_requested;
use benchbook_server::config::{Config, Environment, Invocation, Maintenance, SetupCommand};
use benchbook_server::{logging, maintenance, profile, secrets, service};

fn main() -> ExitCode {
    // The runner starts this program again, as the launcher of suites and the reaper of abandoned processes.
    if run_helper_if_requested() {
        return ExitCode::SUCCESS;
    }
    // It also executes the counting modules of suites.
    if count_if_requested() {
        return ExitCode::SUCCESS;
    }
    // Returns only without a token in the environment, or if it cannot be hidden.
    let hidden = secrets::hide_token();
    match Invocation::read(env::args_os(), |name| env::var_os(name), &Environment::detect()) {
        Ok(Invocation::Serve(config)) => serve(*config, hidden),
        Ok(Invocation::Maintain(maintenance)) => maintain(&maintenance),
        Ok(Invocation::Profile(profiling)) => exit_code(profile::run(&profiling)),
        Ok(Invocation::SetUp(command)) => exit_code(set_up(&command)),
        Err(error) => error.report(),
    }
}

/// Serves clients. `hidden`: whether the token was hidden, if it is in the environment.
fn serve(config: Config, hidden: io::Result<()>) -> ExitCode {
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

/// Writes the files of a service that runs this program.
fn set_up(command: &SetupCommand) -> anyhow::Result<()> {
    service::files::write(command, &env::current_exe()?, &mut io::stdout())
}

fn maintain(maintenance: &Maintenance) -> ExitCode {
    let started = logging::start(maintenance.log).map_err(Into::into);
    exit_code(started.and_then(|()| maintenance::run(maintenance, &mut io::stdout())))
}

/// Prints the error, if there is one.
fn exit_code(result: anyhow::Result<()>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
