//! The command that writes the files of a systemd service.

use std::path::PathBuf;

use clap::Args;

/// Write the files of a runner that systemd starts: program, suites, configuration, token and unit
#[derive(Args, Clone, Debug, PartialEq, Eq)]
#[command(after_help = SETUP_HELP)]
pub struct SetupCommand {
    /// The names that clients use for this machine; the first one is its display name
    #[arg(long = "host", value_name = "NAME", num_args = 1.., required = true)]
    pub hosts: Vec<String>,
    /// The native executables of suites. The wasm build of a suite is the file with the same stem next to it
    #[arg(long = "suite", value_name = "PATH", num_args = 1.., required = true)]
    pub suites: Vec<PathBuf>,
    /// The core that is reserved for measuring [default: an isolated one, or the last of several]
    #[arg(long)]
    pub core: Option<u32>,
    /// The certificate chain, PEM. Without it, the runner listens on 127.0.0.1 only, for a proxy with TLS
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub tls_certificate: Option<PathBuf>,
    /// The certificate's private key, PEM
    #[arg(long, value_name = "FILE", requires = "tls_certificate")]
    pub tls_key: Option<PathBuf>,
    /// The port to listen on
    #[arg(long, default_value_t = 4040)]
    pub port: u16,
    /// Write to the folders opt, etc and var/lib in this one
    #[arg(long, value_name = "DIR", default_value = "/")]
    pub prefix: PathBuf,
    /// Replace a configuration and a unit that differ from the new ones
    #[arg(long)]
    pub replace: bool,
}

const SETUP_HELP: &str = "\
Examples:
  sudo benchbook-server setup --host reference-01.example.org --suite target/suites/demo --core 3 \\
      --tls-certificate chain.pem --tls-key key.pem
  sudo benchbook-server setup --host reference-01.example.org --suite target/suites/demo    behind a proxy with TLS
  benchbook-server setup --host localhost --suite target/suites/demo --prefix trial         to look at the files

Run it again with a new build or certificate. The token and the results stay.";
