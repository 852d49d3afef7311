//! The identity of a suite.

/// Who a suite is; `suite!` fills it in.
#[derive(Clone, Copy, Debug)]
pub struct Identity {
    /// The suite's name.
    pub name: &'static str,
    /// The version of its crate.
    pub version: &'static str,
    /// The crate's own name, as `module_path!()` begins.
    pub crate_name: &'static str,
}

impl Identity {
    /// A path as the catalog has it: the suite's own crate is left out, other crates stay named.
    pub(crate) fn shorten(&self, path: &str) -> String {
        let own = path.strip_prefix(self.crate_name).and_then(|rest| rest.strip_prefix("::"));
        own.unwrap_or(path).to_owned()
    }
}
