//! The name and version of a suite.

/// The name and version of a suite; `suite!` provides them.
#[derive(Clone, Copy, Debug)]
pub struct Identity {
    /// The suite's name.
    pub name: &'static str,
    /// The version of its crate.
    pub version: &'static str,
    /// The crate's name as in `module_path!()`.
    pub crate_name: &'static str,
}

impl Identity {
    /// Returns the catalog's form of a path: without the crate if it is the suite's own.
    pub(crate) fn shorten(&self, path: &str) -> String {
        let own = path.strip_prefix(self.crate_name).and_then(|rest| rest.strip_prefix("::"));
        own.unwrap_or(path).to_owned()
    }
}
