//! Accepted results, and those that can be accepted: where they are stored, and how they are published.

#[cfg(test)]
pub(crate) mod fixtures;
pub(crate) mod last_check;
pub(crate) mod location;
pub(crate) mod noise;
pub(crate) mod person;
pub(crate) mod renamed;
pub(crate) mod site_history;
