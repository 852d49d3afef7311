//! The commands that work on the database without serving clients.

use std::path::PathBuf;
use std::time::Duration;

use benchbook_host::time_text::parse_time;
use benchbook_host::units::Nanos;
use bytesize::ByteSize;
use clap::{Args, Subcommand};

use crate::store::Retention;

/// A command that works on the database without serving clients. The configuration determines the database.
#[derive(Clone, Debug, PartialEq, Subcommand)]
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
    /// Delete results beyond the given limits, except the newest one of each point
    #[command(after_help = PRUNE_HELP)]
    Prune {
        /// The limits
        #[command(flatten)]
        limits: PruneLimits,
        /// Print the results that would be deleted, and delete nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// Print the largest axis value that each function of a stored result processes within a time
    #[command(after_help = LARGEST_HELP)]
    Largest {
        /// The number of the result, as in the archive
        result: u64,
        /// The time with its unit, such as 1ms, 200ns or 1.5s
        #[arg(long, value_name = "TIME", value_parser = parse_time)]
        time: Nanos,
    },
}

/// The limits of `prune`, at least one.
#[derive(Args, Clone, Debug, PartialEq, Eq)]
#[group(required = true, multiple = true)]
pub struct PruneLimits {
    /// Delete results of at least this age, such as 365d or 6months
    #[arg(long, value_name = "AGE", value_parser = humantime::parse_duration)]
    older_than: Option<Duration>,
    /// Delete the oldest results until the database has at most this size, such as 2GB or 500MiB
    #[arg(long, value_name = "SIZE")]
    max_size: Option<ByteSize>,
}

impl PruneLimits {
    /// The limits for the store.
    pub fn retention(&self) -> Retention {
        Retention { max_age: self.older_than, max_bytes: self.max_size.map(|size| size.as_u64()) }
    }
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

const PRUNE_HELP: &str = "\
Examples:
  benchbook-server prune --older-than 365d --dry-run
  benchbook-server prune --max-size 2GB --config /etc/benchbook.toml

Stop the runner first. To delete old results while it runs, set retention.days or retention.max_bytes in its configuration.
A point is a function with its generator, arguments and axis value, in any build and on any machine.";

const LARGEST_HELP: &str = "\
Examples:
  benchbook-server largest 812 --time 1ms
  benchbook-server largest 812 --time 200ns --config /etc/benchbook.toml

Nothing is measured, and the database is not written to. A runner may use it.";
