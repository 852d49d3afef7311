//! Names of functions and of their crates.

use crate::frame::Frame;

/// The crates of the standard library, and those that only it uses.
const LIBRARY: [&str; 5] = ["alloc", "compiler_builtins", "core", "dlmalloc", "std"];

/// The folder of the packages that the standard library contains, such as hashbrown. A package of that name from a registry is elsewhere.
const DEPENDENCIES: &str = "rust/deps/";

/// The folder of `compiler_builtins`.
const BUILTINS: &str = "compiler-builtins";

/// The names of our crates, whose code is around the calls.
const HARNESS: [&str; 4] = ["benchbook_criterion", "benchbook_divan", "benchbook_suite", "benchbook_contract"];

/// The module with the types that the attributes of functions generate.
const BINDINGS: &str = "::_::BINDINGS::";

/// Whether the code of a frame is around the calls, not part of them.
pub(crate) fn is_harness(frame: &Frame) -> bool {
    let name = &frame.name;
    match crate_of(name) {
        // What the compiler calls to allocate.
        _ if name.starts_with("__rust") => true,
        // A method of one of our traits.
        "" => HARNESS.iter().any(|harness| name.contains(&format!(" as {harness}::"))),
        of_name => HARNESS.contains(&of_name) || name.contains(BINDINGS),
    }
}

/// Whether a frame is of the standard library.
pub fn is_library(frame: &Frame) -> bool {
    let name = crate_of(&frame.name);
    let is_of_library = name.is_empty() || LIBRARY.contains(&name);
    match file(frame) {
        "" => LIBRARY.contains(&name),
        file if file.starts_with(DEPENDENCIES) => true,
        // A package of the workspace may be in a folder of the same name.
        _ => is_of_library && (LIBRARY.contains(&first_folder(frame)) || first_folder(frame) == BUILTINS),
    }
}

/// The crate that a name begins with: that of the type, if it is a method. Empty for a symbol that is not Rust's, and for methods of types without a crate.
pub(crate) fn crate_of(name: &str) -> &str {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let start = name.trim_start_matches(|letter: char| !is_part(letter));
    let start =
        ["mut ", "dyn ", "const "].into_iter().fold(start, |start, word| start.strip_prefix(word).unwrap_or(start));
    let end = start.find(|letter: char| !is_part(letter)).unwrap_or(start.len());
    if start[end..].starts_with("::") { &start[..end] } else { "" }
}

fn file(frame: &Frame) -> &str {
    frame.place.as_ref().map_or("", |place| place.file.as_str())
}

/// The folder of the package that the path of a frame's file begins with.
fn first_folder(frame: &Frame) -> &str {
    let file = file(frame);
    file.strip_prefix(DEPENDENCIES).unwrap_or(file).split_once('/').map_or("", |(folder, _)| folder)
}

/// The crate of a frame as shown, with its version if it is a package of a registry: `memchr 2.7.4`. Empty for a symbol that is not Rust's.
pub fn package(frame: &Frame) -> String {
    let folder = first_folder(frame);
    let is_version = |(at, _): &(usize, &str)| {
        let parts: Vec<&str> = folder[at + 1..].splitn(3, '.').collect();
        parts.len() == 3 && parts.iter().all(|part| part.starts_with(|letter: char| letter.is_ascii_digit()))
    };
    if let Some((at, _)) = folder.match_indices('-').find(is_version) {
        return format!("{} {}", &folder[..at], &folder[at + 1..]);
    }
    match crate_of(&frame.name) {
        "" if is_library(frame) => folder,
        name => name,
    }
    .to_owned()
}

/// A name without the arguments of generics and without its crate, if that is this one: `sorting::merge` for `demo::sorting::merge::<u32>`.
pub(crate) fn short_name(name: &str, own_crate: &str) -> String {
    let name = without_arguments(name);
    let in_crate =
        name.strip_prefix(own_crate).and_then(|rest| rest.strip_prefix("::")).filter(|_| !own_crate.is_empty());
    in_crate.unwrap_or(&name).to_owned()
}

/// The end of a short name, which tells functions apart where there is little room: `merge` for `sorting::merge`, `Vec::push`, `u64::lt` for
/// `<u64 as core::cmp::PartialOrd>::lt`.
pub fn brief_name(short_name: &str) -> String {
    let of_type = short_name.strip_prefix('<').and_then(|rest| rest.rsplit_once(">::"));
    if let Some((of_type, method)) = of_type {
        let of_type = of_type.split(" as ").next().unwrap_or(of_type);
        return format!("{}::{method}", of_type.rsplit("::").next().unwrap_or(of_type));
    }
    let parts: Vec<&str> = short_name.split("::").collect();
    let is_part_of_name = |part: &&str| part.starts_with(|letter: char| letter.is_uppercase() || letter == '{');
    let last = parts.len() - 1;
    let is_longer = is_part_of_name(&parts[last]) || (last > 0 && is_part_of_name(&parts[last - 1]));
    parts[last.saturating_sub(usize::from(is_longer))..].join("::")
}

/// A name without what is in angle brackets, except at its beginning: `<Buf as Write>::write` is a method of a trait.
pub(crate) fn without_arguments(name: &str) -> String {
    let (mut kept, mut depth, mut before) = (String::new(), 0_usize, ' ');
    for letter in name.chars() {
        match letter {
            '<' if depth > 0 || before == ':' || before.is_alphanumeric() || before == '_' => depth += 1,
            // The arrow of a function type closes no bracket.
            '>' if depth > 0 && before != '-' => depth -= 1,
            letter if depth == 0 => kept.push(letter),
            _ => {}
        }
        before = letter;
    }
    kept.replace("::::", "::").trim_end_matches("::").to_owned()
}

/// Whether this is the name of the function with a path in its suite: `demo::sorting::sort` is that of `sorting::sort<u32>`.
pub fn is_function(name: &str, path: &str) -> bool {
    let (name, path) = (without_arguments(name), without_arguments(path));
    name == path || name.split_once("::").is_some_and(|(_, in_crate)| in_crate == path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Place;

    fn frame(name: &str, file: &str) -> Frame {
        let place = (!file.is_empty()).then(|| Place { file: file.to_owned(), line: 1 });
        Frame { name: name.to_owned(), place, ..Frame::default() }
    }

    #[test]
    fn frames_belong_to_the_calls_the_library_or_the_harness() {
        for (name, file, harness, library, package) in [
            ("demo::sorting::sort", "src/sorting.rs", false, false, "demo"),
            (
                "<demo::sorting::_::BINDINGS::sort__keys as benchbook_suite::collect::batch::Bound>::time",
                "",
                true,
                false,
                "demo",
            ),
            (
                "benchbook_suite::collect::batch::time",
                "engine/suite/src/collect/batch.rs",
                true,
                false,
                "benchbook_suite",
            ),
            (
                "<alloc::vec::Vec<T> as core::iter::FromIterator<T>>::from_iter",
                "alloc/src/vec/mod.rs",
                false,
                true,
                "alloc",
            ),
            ("<T as core::convert::Into<U>>::into", "core/src/convert/mod.rs", false, true, "core"),
            ("<u64 as core::cmp::PartialOrd>::lt", "core/src/cmp.rs", false, true, "core"),
            ("__rust_alloc", "engine/src/lib.rs", true, false, ""),
            ("__rustc::__rust_realloc", "", true, false, "__rustc"),
            ("<T as demo::Size>::size", "src/size.rs", false, false, ""),
            ("memchr::memmem::find", "memchr-2.7.4/src/memmem/mod.rs", false, false, "memchr 2.7.4"),
            ("rand_core::x", "rand_core-0.9.0-rc.2/src/lib.rs", false, false, "rand_core 0.9.0-rc.2"),
            ("hashbrown::map::insert", "rust/deps/hashbrown-0.16.1/src/map.rs", false, true, "hashbrown 0.16.1"),
            ("hashbrown::map::insert", "hashbrown-0.15.0/src/map.rs", false, false, "hashbrown 0.15.0"),
            ("<u64 as core::cmp::PartialOrd>::lt", "core/src/cmp.rs", false, true, "core"),
            ("__rust_alloc", "engine/src/lib.rs", true, false, ""),
            ("__rustc::__rust_realloc", "", true, false, "__rustc"),
            ("<(MA,MB) as benchbook_suite::workload::BorrowModes<(A,B)>>::borrow", "", true, false, ""),
            ("memcmp", "compiler-builtins/compiler-builtins/src/mem/mod.rs", false, true, "compiler-builtins"),
            ("<alloc::vec::Vec<T> as demo::Size>::size", "src/size.rs", false, false, "alloc"),
            ("day_01::run", "day-01/src/lib.rs", false, false, "day_01"),
            ("my_core::price", "core/src/price.rs", false, false, "my_core"),
            ("memcpy", "", false, false, ""),
        ] {
            let frame = frame(name, file);
            assert_eq!((is_harness(&frame), is_library(&frame)), (harness, library), "{name}");
            assert_eq!(self::package(&frame), package, "{name}");
        }
    }

    #[test]
    fn names_are_shown_without_arguments() {
        for (name, expected) in [
            ("demo::sorting::merge", "sorting::merge"),
            ("demo::sorting::merge::<u32>", "sorting::merge"),
            ("demo::map::<fn(u8) -> u8, Vec<u8>>::{{closure}}", "map::{{closure}}"),
            ("<demo::Buf<T> as core::fmt::Write>::write_str", "<demo::Buf as core::fmt::Write>::write_str"),
            ("memchr::find", "memchr::find"),
        ] {
            assert_eq!(short_name(name, "demo"), expected);
        }
        for (name, expected) in [
            ("sorting::merge", "merge"),
            ("merge", "merge"),
            ("alloc::vec::Vec::push", "Vec::push"),
            ("sorting::sort_by_key::{{closure}}", "sort_by_key::{{closure}}"),
            ("<u64 as core::cmp::PartialOrd>::lt", "u64::lt"),
            ("<core::slice::iter::Iter as core::iter::Iterator>::next", "Iter::next"),
            ("", ""),
        ] {
            assert_eq!(brief_name(name), expected);
        }
        assert!(is_function("demo::sorting::sort", "sorting::sort<u32>") && is_function("demo::sort::<u8>", "sort"));
        assert!(!is_function("demo::sorting::sort", "sort") && !is_function("demo::sort::inner", "sort"));
    }
}
