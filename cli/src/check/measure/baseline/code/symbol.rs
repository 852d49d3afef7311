//! The symbol of a function's timed loop.

use super::executable::LinkedProgram;

/// The address of the timed loop of a function with a generator; `None` unless there is exactly one.
///
/// `#[measured]` names the type that contains it after both: see `engine/macros/src/measured/binding.rs`.
pub(super) fn timed_loop(executable: &LinkedProgram, function: &str, generator: &str) -> Option<u64> {
    let wanted = type_path(function, generator);
    match executable.functions(|symbol| is_timed_loop(symbol, &wanted)).as_slice() {
        [one] => Some(*one),
        _ => None,
    }
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
}
