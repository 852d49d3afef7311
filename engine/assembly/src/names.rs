//! The names of symbols: that of a function's timed loop, those of the function itself, and of what the loop never reaches.

/// The beginnings of the names of functions that the timed calls never reach: they panic, report a rejected allocation, or belong to the
/// clock and to other code around the timed loop.
const NEVER_REACHED: [&str; 19] = [
    "core::panicking::",
    "core::option::expect_failed",
    "core::option::unwrap_failed",
    "core::result::unwrap_failed",
    "core::slice::index::slice_",
    "core::slice::copy_from_slice_impl::len_mismatch_fail",
    "core::str::slice_error_fail",
    "core::cell::panic_",
    "alloc::raw_vec::handle_error",
    "alloc::raw_vec::capacity_overflow",
    "alloc::alloc::handle_alloc_error",
    "std::panicking::begin_panic",
    "std::panicking::rust_panic",
    "benchbook_suite::entry::allocator::report",
    "benchbook_suite::collect::clock::start",
    "std::time::Instant::",
    "<std::time::Instant>::",
    "benchbook_suite::collect::interruption::",
    "<benchbook_suite::collect::interruption::",
];

/// The address of the timed loop of a function with a generator, which contains the function itself or calls it; `None` unless there is exactly one.
/// `symbols`: the demangled names of the executable's functions without hashes, and their addresses.
///
/// `#[measured]` names the type that contains it after both: see `engine/macros/src/measured/binding.rs`.
pub fn timed_loop<'s>(
    symbols: impl IntoIterator<Item = (&'s str, u64)>,
    function: &str,
    generator: &str,
) -> Option<u64> {
    let wanted = type_path(function, generator);
    let mut loops = symbols.into_iter().filter(|(symbol, _)| is_timed_loop_of(symbol, &wanted));
    let (_, address) = loops.next()?;
    loops.next().is_none().then_some(address)
}

/// Whether a demangled symbol is that of the function with this path, or of one of its instances.
pub fn is_named(symbol: &str, function: &str) -> bool {
    // The name of a called function that a user chose.
    if symbol == function {
        return true;
    }
    let (path, _) = split_arguments(function);
    let name = symbol.split_once("::<").map_or(symbol, |(name, _)| name);
    name == path || name.split_once("::").is_some_and(|(_, in_crate)| in_crate == path)
}

/// The crate of a function or of what has a timed loop, by its demangled symbol.
fn crate_of(symbol: &str) -> Option<&str> {
    Some(implementor(symbol).unwrap_or(symbol).split_once("::")?.0)
}

/// Whether a name is that of the function with this path, as a timed loop or another function contains it. A timed loop is in the crate of its function, which
/// may call functions of other crates with the same path.
pub(crate) fn is_named_in(container: &str, name: &str, function: &str) -> bool {
    let is_in_crate = || name == function || !is_timed_loop(container) || crate_of(name) == crate_of(container);
    is_named(name, function) && is_in_crate()
}

/// A pattern for the symbol of the timed loop of a function, with `*` for any characters.
pub fn timed_loop_pattern(function: &str, generator: &str) -> String {
    format!("*{}*Bound>::time", type_path(function, generator))
}

/// Whether the timed calls never reach a function with this name.
pub fn is_never_reached(name: &str) -> bool {
    NEVER_REACHED.iter().any(|start| name.starts_with(start))
}

/// The path of the type as it ends in the symbol, without the crate: `sorting::_::BINDINGS::sort_u32__keys` for `sorting::sort<u32>` and
/// `inputs::keys`.
fn type_path(function: &str, generator: &str) -> String {
    let (path, arguments) = split_arguments(function);
    let (modules, name) =
        path.rsplit_once("::").map_or((String::new(), path), |(modules, name)| (format!("{modules}::"), name));
    let (generator, of_generator) = split_arguments(generator);
    let generator = generator.rsplit("::").next().unwrap_or(generator);
    format!("{modules}_::BINDINGS::{name}{arguments}__{generator}{of_generator}")
}

/// A path, and the letters and digits of its arguments.
fn split_arguments(path: &str) -> (&str, String) {
    let (path, arguments) = path.split_once('<').unwrap_or((path, ""));
    (path, arguments.chars().filter(char::is_ascii_alphanumeric).collect())
}

/// Whether a demangled symbol is that of a timed loop.
pub fn is_timed_loop(symbol: &str) -> bool {
    implementor(symbol).is_some()
}

/// Whether a demangled symbol is the timed loop of this type.
fn is_timed_loop_of(symbol: &str, wanted: &str) -> bool {
    implementor(symbol).and_then(|type_| type_.strip_suffix(wanted)).is_some_and(|before| before.ends_with("::"))
}

/// The type whose timed loop this is.
fn implementor(symbol: &str) -> Option<&str> {
    let (implementor, of_trait) = symbol.strip_prefix('<')?.split_once(" as ")?;
    of_trait.ends_with("::Bound>::time").then_some(implementor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_contain_function_and_generator() {
        let wanted = type_path("sorting::sort<u32, 8>", "inputs::keys<u32>");
        assert_eq!(wanted, "sorting::_::BINDINGS::sortu328__keysu32");
        let symbol = |implementor: &str, method: &str| {
            format!("<{implementor} as benchbook_suite::collect::batch::Bound>::{method}")
        };
        assert!(is_timed_loop_of(&symbol(&format!("demo::{wanted}"), "time"), &wanted));
        assert!(!is_timed_loop_of(&symbol(&format!("demo::{wanted}"), "time_empty"), &wanted));
        assert!(!is_timed_loop_of(&symbol(&format!("demo::re{wanted}"), "time"), &wanted));
        assert_eq!(type_path("mix", "numbers"), "_::BINDINGS::mix__numbers");
    }

    #[test]
    fn the_crate_is_the_first_part() {
        let timed_loop = "<demo::_::BINDINGS::f__inputs as benchbook_suite::Bound>::time";
        assert_eq!([timed_loop, "strsim::levenshtein", "memcpy"].map(crate_of), [Some("demo"), Some("strsim"), None]);
    }

    #[test]
    fn the_instances_of_a_function_have_its_name() {
        for (symbol, function, expected) in [
            ("demo::sorting::sort", "sorting::sort", true),
            ("demo::sorting::sort", "sort", false),
            ("demo::sorting::sort::inner", "sorting::sort", false),
            ("demo::sum::<u8>", "sum<u32>", true),
            ("<demo::Sums<I> as Iterator>::next", "<demo::Sums<I> as Iterator>::next", true),
        ] {
            assert_eq!(is_named(symbol, function), expected, "{symbol}, {function}");
        }
    }
}
