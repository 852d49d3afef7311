//! The commands that work on the database without serving clients.

use std::path::PathBuf;

use clap::Subcommand;

/// A command that works on the database without serving clients. The configuration determines the database.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum DatabaseCommand {
    /// Copy the database to a new file, even while a runner uses it
    #[command(after_help = BACKUP_HELP)]
    Backup {
        /// The new file; an existing one is never overwritten
        file: PathBuf,
    },
    /// Check a database as at startup, without writing to it, and print its version and the numbers of results and points
    #[command(after_help = VERIFY_HELP)]
    Verify {
        /// The database to check, such as a backup [default: the runner's]
        file: Option<PathBuf>,
    },
    /// Replace the database by a backup, and rename the previous one
    #[command(after_help = RESTORE_HELP)]
    Restore {
        /// The backup
        file: PathBuf,
    },
}

const BACKUP_HELP: &str = "\
Examples:
  benchbook-server backup /backup/results-2026-01-31.sqlite
  benchbook-server backup results.bak --database /var/lib/benchbook/results.sqlite
  benchbook-server backup results.bak --config /etc/benchbook.toml

The file appears once it is complete, checked and on disk. Run the command as the runner's user or as root.";

const VERIFY_HELP: &str = "\
Examples:
  benchbook-server verify --config /etc/benchbook.toml
  benchbook-server verify /backup/results-2026-01-31.sqlite

Exits with 0 if the database is intact, otherwise with 1. A runner may use the database.";

const RESTORE_HELP: &str = "\
Examples:
  benchbook-server restore /backup/results-2026-01-31.sqlite
  benchbook-server restore results.bak --config /etc/benchbook.toml

Stop the runner first. The backup is checked and copied; the output states the new name of the previous database. Run the
command as the runner's user or as root.";
