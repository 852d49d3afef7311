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

/// The name of a suite: that of its target, `benches`, or with its package, `sorting/benches`, if `qualified` lists the target.
/// Commands that build several packages set the list in the variable `BENCHBOOK_QUALIFIED`; its items are separated by commas.
pub const fn program_name(
    with_package: &'static str,
    target: &'static str,
    qualified: Option<&'static str>,
) -> &'static str {
    match qualified {
        Some(list) if lists(list.as_bytes(), target.as_bytes()) => with_package,
        _ => target,
    }
}

const fn lists(list: &[u8], target: &[u8]) -> bool {
    let (mut start, mut end) = (0, 0);
    while end <= list.len() {
        if end == list.len() || list[end] == b',' {
            if is_at(list, start, end, target) {
                return true;
            }
            start = end + 1;
        }
        end += 1;
    }
    false
}

const fn is_at(list: &[u8], start: usize, end: usize, target: &[u8]) -> bool {
    let mut index = 0;
    while index < target.len() && start + index < end && list[start + index] == target[index] {
        index += 1;
    }
    index == target.len() && start + index == end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_listed_targets_are_named_with_their_package() {
        let name = |qualified| program_name("sorting/benches", "benches", qualified);
        for listed in ["benches", "other,benches", "benches,other"] {
            assert_eq!(name(Some(listed)), "sorting/benches", "{listed}");
        }
        for other in ["", "bench", "benches2", "other,benches2", ",", "my_benches"] {
            assert_eq!(name(Some(other)), "benches", "{other}");
        }
        assert_eq!(name(None), "benches");
    }
}
