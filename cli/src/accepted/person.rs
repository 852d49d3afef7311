//! The person who accepts results.

use std::env;

use anyhow::{Context, Result};

use crate::project::Project;
use crate::project::commit::git;

/// The option that states who accepts results.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct PersonOption {
    /// Your name [default: git's user.name]
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
}

impl PersonOption {
    /// The given name, or else git's, or else the system's.
    ///
    /// # Errors
    /// If there is no name.
    pub(crate) fn name(&self, project: &Project) -> Result<String> {
        let of_git = || git(&project.root, &["config", "user.name"]);
        let of_system = || ["USER", "USERNAME"].iter().find_map(|variable| env::var(variable).ok());
        let of_user = || of_git().or_else(of_system).filter(|name| !name.is_empty());
        self.by.clone().or_else(of_user).context("your name is unknown. Add --by NAME")
    }
}
