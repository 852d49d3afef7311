//! The symbol of a function's timed loop in a native executable, and what the loop never reaches.

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
pub(crate) fn timed_loop<'s>(
    symbols: impl IntoIterator<Item = (&'s str, u64)>,
    function: &str,
    generator: &str,
) -> Option<u64> {
    let wanted = type_path(function, generator);
    let mut loops = symbols.into_iter().filter(|(symbol, _)| is_timed_loop(symbol, &wanted));
    let (_, address) = loops.next()?;
    loops.next().is_none().then_some(address)
}

/// The address of the function with this path itself; `None` if it was inlined everywhere, or if several symbols have the name, such as those of the instances of a
/// generic function. `symbols`: as for [`timed_loop`].
pub(crate) fn function_symbol<'s>(symbols: impl IntoIterator<Item = (&'s str, u64)>, function: &str) -> Option<u64> {
    let mut found = symbols.into_iter().filter(|(symbol, _)| is_named(symbol, function));
    let (_, address) = found.next()?;
    found.all(|(_, other)| other == address).then_some(address)
}

/// Whether a demangled symbol is that of the function with this path, or of one of its instances.
pub(crate) fn is_named(symbol: &str, function: &str) -> bool {
    let (path, _) = split_arguments(function);
    let name = symbol.split_once("::<").map_or(symbol, |(name, _)| name);
    name == path || name.split_once("::").is_some_and(|(_, in_crate)| in_crate == path)
}

/// A pattern for the symbol of the timed loop of a function, with `*` for any characters.
pub(crate) fn timed_loop_pattern(function: &str, generator: &str) -> String {
    format!("*{}*Bound>::time", type_path(function, generator))
}

/// Whether the timed calls never reach a function with this name.
pub(crate) fn is_never_reached(name: &str) -> bool {
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

/// Whether a demangled symbol is the timed loop of this type.
fn is_timed_loop(symbol: &str, wanted: &str) -> bool {
    let implementor = symbol.strip_prefix('<').and_then(|symbol| symbol.split_once(" as "));
    implementor.is_some_and(|(implementor, of_trait)| {
        let is_wanted = implementor.strip_suffix(wanted).is_some_and(|before| before.ends_with("::"));
        is_wanted && of_trait.ends_with("::Bound>::time")
    })
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
        assert!(is_timed_loop(&symbol(&format!("demo::{wanted}"), "time"), &wanted));
        assert!(!is_timed_loop(&symbol(&format!("demo::{wanted}"), "time_empty"), &wanted));
        assert!(!is_timed_loop(&symbol(&format!("demo::re{wanted}"), "time"), &wanted));
        assert_eq!(type_path("mix", "numbers"), "_::BINDINGS::mix__numbers");
    }

    #[test]
    fn a_function_has_a_symbol_unless_it_was_inlined() {
        let symbols = [
            ("demo::sorting::sort", 1),
            ("demo::sorting::sort::inner", 2),
            ("demo::sum::<u8>", 3),
            ("demo::sum::<u32>", 4),
        ];
        let of = |function| function_symbol(symbols, function);
        assert_eq!([of("sorting::sort"), of("sort"), of("sorting::sort::inner")], [Some(1), None, Some(2)]);
        assert_eq!(of("sum<u32>"), None, "there are two");
    }
}
