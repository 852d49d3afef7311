//! Removes this process's access to files, the network and other processes, with capabilities and Landlock.

use std::io;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError,
    RulesetStatus, Scope, path_beneath_rules,
};
use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities, set_no_new_privs};

use crate::isolation::{DEVICES, Isolation, LIBRARIES};

/// The newest version of Landlock whose restrictions are requested. Older kernels apply those that they know.
const VERSION: ABI = ABI::V6;

/// Drops the privileges that the namespaces grant: the child executes as an ordinary process in them.
pub(super) fn drop_capabilities() -> io::Result<()> {
    set_no_new_privs(true)?;
    let none = CapabilitySet::empty();
    set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none })?;
    Ok(())
}

/// Limits access to the executable, the libraries, the readable files, and the scratch folder. Forbids TCP connections,
/// and signals to processes other than the child's own.
pub(super) fn limit_files(isolation: &Isolation, scratch: Option<&Path>) -> io::Result<()> {
    match restrict(isolation, scratch) {
        Ok(RulesetStatus::NotEnforced) => Err(io::Error::other("this kernel does not support Landlock")),
        Ok(_) => Ok(()),
        Err(error) => Err(io::Error::other(format!("failed to limit access with Landlock: {error}"))),
    }
}

fn restrict(isolation: &Isolation, scratch: Option<&Path>) -> Result<RulesetStatus, RulesetError> {
    let read = AccessFs::from_read(VERSION);
    let files = LIBRARIES.into_iter().map(PathBuf::from).chain(isolation.readable.iter().cloned());
    // A path to the process itself: Landlock resolves it now, and the process id does not change.
    let own = if isolation.namespaces { "/proc" } else { "/proc/self" };
    let scratch = isolation.scratch_folder(scratch);
    let ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(VERSION))?
        .handle_access(AccessNet::from_all(VERSION))?
        .scope(Scope::from_all(VERSION))?
        .create()?
        .add_rules(path_beneath_rules(files, read))?
        .add_rules(path_beneath_rules([own], AccessFs::ReadFile | AccessFs::ReadDir))?
        .add_rules(path_beneath_rules(DEVICES, AccessFs::ReadFile | AccessFs::WriteFile))?
        .add_rules(path_beneath_rules(scratch, AccessFs::from_all(VERSION)))?;
    Ok(ruleset.restrict_self()?.ruleset)
}
