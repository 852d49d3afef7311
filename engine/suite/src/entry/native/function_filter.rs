//! The functions that a command line selects.

/// Selects functions by their paths, as the arguments of `cargo test` and `cargo bench` do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionFilter {
    /// Parts of paths; a function is selected if its path contains one of them. Empty: all functions.
    pub names: Vec<String>,
    /// Whether a path must equal one of the names instead.
    pub is_exact: bool,
    /// Parts of the paths of functions that are not selected.
    pub skipped: Vec<String>,
}

impl FunctionFilter {
    /// Whether the function with this path is selected.
    pub fn selects(&self, path: &str) -> bool {
        let matches = |name: &String| if self.is_exact { path == name } else { path.contains(name.as_str()) };
        (self.names.is_empty() || self.names.iter().any(matches)) && !self.skipped.iter().any(matches)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_selected_by_their_paths() {
        let of = |names: &[&str], is_exact: bool, skipped: &[&str]| {
            let texts = |texts: &[&str]| texts.iter().map(ToString::to_string).collect();
            let filter = FunctionFilter { names: texts(names), is_exact, skipped: texts(skipped) };
            ["sort", "sort::stable", "sum"].into_iter().filter(|path| filter.selects(path)).collect::<Vec<_>>()
        };
        assert_eq!(of(&[], false, &[]), ["sort", "sort::stable", "sum"]);
        assert_eq!(of(&["so"], false, &[]), ["sort", "sort::stable"]);
        assert_eq!(of(&["sort", "su"], true, &[]), ["sort"]);
        assert_eq!(of(&[], false, &["stable"]), ["sort", "sum"]);
        assert_eq!(of(&["sort"], false, &["sort"]), [""; 0]);
    }
}
