//! Paths of source files in a map: those of the machine that compiled the module, without the folders of that machine.

/// A folder of the machine that compiled the module, and what replaces it in paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathPrefix {
    /// The folder, such as the root of the workspace.
    pub folder: String,
    /// The start of the new path; empty to leave the folder out.
    pub replacement: String,
}

/// Folders whose files belong to the crate above: a path outside of all known places starts with the name of that crate.
const CRATE_FOLDERS: [&str; 4] = ["src", "tests", "benches", "examples"];

/// A path in a map: with `/` between its parts, and never absolute.
///
/// The first prefix that matches is replaced. Otherwise, the path of a file of
/// - the standard library starts with the name of its crate: `core/src/slice/mod.rs`,
/// - a package that the standard library contains starts with `rust/deps`: `rust/deps/dlmalloc-0.2.10/src/dlmalloc.rs`,
/// - a package from a registry starts with its name and version: `memchr-2.7.4/src/lib.rs`,
/// - a git dependency starts with its checkout,
/// - any other folder starts with the folder above the last `src`, `tests`, `benches` or `examples`, or is only the file's name.
pub fn source_path(path: &str, prefixes: &[PathPrefix]) -> String {
    let parts = parts(path);
    for prefix in prefixes {
        let folder = self::parts(&prefix.folder);
        let rest = parts.strip_prefix(folder.as_slice()).filter(|_| !folder.is_empty());
        if let Some(rest) = rest {
            let replacement = self::parts(&prefix.replacement);
            return without_root(&[replacement.as_slice(), rest].concat());
        }
    }
    without_root(&parts)
}

/// The parts of a path without `.` and `..`. An absolute one starts with an empty part, or with a drive.
fn parts(path: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    for (index, part) in path.split(['/', '\\']).enumerate() {
        match part {
            "" if index == 0 && !path.is_empty() => parts.push(part),
            "" | "." => {}
            ".." => match parts.last() {
                None | Some(&"") => {}
                Some(_) => _ = parts.pop(),
            },
            part => parts.push(part),
        }
    }
    parts
}

fn without_root(parts: &[&str]) -> String {
    if !parts.first().is_some_and(|first| first.is_empty() || first.ends_with(':')) {
        return parts.join("/");
    }
    let known = match parts {
        // What the released compilers write for the standard library and its dependencies.
        ["", "rustc", _, "library", rest @ ..] => Some(rest),
        ["", rest @ ..] if rest.starts_with(&["rust", "deps"]) => Some(rest),
        _ => None,
    };
    let rest = known
        .or_else(|| after(parts, &["rustlib", "src", "rust", "library"]))
        .or_else(|| after(parts, &["registry", "src"]).and_then(|rest| rest.get(1..)))
        .or_else(|| after(parts, &["git", "checkouts"]));
    rest.unwrap_or_else(|| below_crate(parts)).join("/")
}

/// The parts after the last occurrence of these.
fn after<'p, 's>(parts: &'p [&'s str], folders: &[&str]) -> Option<&'p [&'s str]> {
    let start = parts.windows(folders.len()).rposition(|window| window == folders)?;
    parts.get(start + folders.len()..)
}

fn below_crate<'p, 's>(parts: &'p [&'s str]) -> &'p [&'s str] {
    let file = parts.len().saturating_sub(1);
    let crate_folder = parts[..file].iter().rposition(|part| CRATE_FOLDERS.contains(part));
    // The first part is the root of the file system.
    let start = crate_folder.map_or(file, |folder| if folder > 1 { folder - 1 } else { folder });
    &parts[start..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prefix(folder: &str, replacement: &str) -> PathPrefix {
        PathPrefix { folder: folder.to_owned(), replacement: replacement.to_owned() }
    }

    #[test]
    fn paths_have_no_folders_of_the_machine() {
        let prefixes = [
            prefix("", "none"),
            prefix("/home/ann/shop/", ""),
            prefix("C:\\work\\shop", "shop"),
            prefix("/mnt", "/data"),
        ];
        for (path, expected) in [
            ("/home/ann/shop/core/src/price.rs", "core/src/price.rs"),
            ("/home/ann/shop/core/../src/./price.rs", "src/price.rs"),
            ("/home/ann/shopping/core/src/price.rs", "core/src/price.rs"),
            ("C:\\work\\shop\\src\\lib.rs", "shop/src/lib.rs"),
            ("/mnt/price.rs", "price.rs"),
            ("src/lib.rs", "src/lib.rs"),
            ("../other/src/lib.rs", "other/src/lib.rs"),
            ("/rustc/59807616e1e0c0f4e7a8/library/core/src/slice/mod.rs", "core/src/slice/mod.rs"),
            ("/rustc/59807616e1e0c0f4e7a8/library/std/src/../../alloc/src/vec/mod.rs", "alloc/src/vec/mod.rs"),
            ("/rust/deps/dlmalloc-0.2.10/src/dlmalloc.rs", "rust/deps/dlmalloc-0.2.10/src/dlmalloc.rs"),
            ("/home/ann/.rustup/toolchains/stable/lib/rustlib/src/rust/library/std/src/io.rs", "std/src/io.rs"),
            (
                "/home/ann/.cargo/registry/src/index.crates.io-1949cf8c/memchr-2.7.4/src/lib.rs",
                "memchr-2.7.4/src/lib.rs",
            ),
            ("/home/ann/.cargo/git/checkouts/shop-9d1c/5f3a/src/lib.rs", "shop-9d1c/5f3a/src/lib.rs"),
            ("/home/ann/other/src/bin/main.rs", "other/src/bin/main.rs"),
            ("/home/ann/other/generated.rs", "generated.rs"),
            ("D:\\other\\generated.rs", "generated.rs"),
            ("/src/lib.rs", "src/lib.rs"),
            ("/", ""),
            ("", ""),
        ] {
            assert_eq!(source_path(path, &prefixes), expected, "{path}");
        }
    }
}
