//! The source of a new suite.

use super::public_functions::{InputKind, PublicFunction};

/// The most functions of a crate in the example.
pub(crate) const MAX_FUNCTIONS: usize = 3;

/// Writes the source of a suite with this name. `library`: the crate that it measures and its suitable functions.
pub(crate) fn source(name: &str, library: Option<(&str, &[PublicFunction])>) -> String {
    let functions: Vec<(&str, &PublicFunction)> = library
        .iter()
        .flat_map(|(library, functions)| functions.iter().take(MAX_FUNCTIONS).map(|function| (*library, function)))
        .collect();
    let mut parts = vec![introduction(library.map(|(library, _)| library)), "use benchbook::prelude::*;\n".to_owned()];
    if functions.is_empty() {
        parts.push(placeholder(library.map(|(library, _)| library)));
        parts.push(generator(&InputKind::Numbers("u64".to_owned())));
    } else {
        parts.extend(functions.iter().map(|(library, function)| wrapper(library, function)));
        let mut inputs: Vec<&InputKind> = Vec::new();
        for (_, function) in &functions {
            if !inputs.contains(&&function.input) {
                inputs.push(&function.input);
            }
        }
        parts.extend(inputs.into_iter().map(generator));
    }
    parts.push(format!("benchbook::suite!({name:?});\n"));
    parts.join("\n")
}

fn introduction(library: Option<&str>) -> String {
    let what = library
        .map_or_else(|| "Functions to measure.".to_owned(), |library| format!("Measures functions of `{library}`."));
    format!(
        "//! {what} `cargo benchbook` opens them in the browser, and updates the curves whenever you save a file.\n\
         //!\n\
         //! `#[measured]` marks a function to measure, and `#[generator]` a function that prepares inputs for it. The parameters of a\n\
         //! generator become controls on the page. If functions must return the same result, give each the same name of alternatives, as in\n\
         //! `#[measured(generators(…), alternatives = \"sort\")]`: Benchbook then checks that their results are equal.\n"
    )
}

/// A function that calls one of the library.
fn wrapper(library: &str, function: &PublicFunction) -> String {
    let PublicFunction { path, docs, input, output } = function;
    let name = function_name(path);
    let docs = if docs.is_empty() { format!("Calls `{library}::{path}`.") } else { docs.clone() };
    let (argument, of) = match input {
        InputKind::Text => ("text", "&str".to_owned()),
        InputKind::Numbers(number) => ("numbers", format!("&[{number}]")),
        InputKind::NumbersToChange(number) => ("numbers", format!("&mut [{number}]")),
    };
    let arrow = if output.is_empty() { String::new() } else { format!(" -> {}", output.replace(' ', "")) };
    format!(
        "/// {docs}\n#[measured(generators({generator}))]\nfn {name}({argument}: {of}){arrow} {{\n    {library}::{path}({argument})\n}}\n",
        generator = generator_name(input),
    )
}

/// The name of the function in the suite, where those of all modules are next to each other: `words_count`, `table_parse`.
fn function_name(path: &str) -> String {
    path.replace("::", "_").to_lowercase()
}

fn placeholder(library: Option<&str>) -> String {
    let advice = library.map_or_else(
        || "an example. Replace it with your own function.".to_owned(),
        |library| format!("an example. Call a function of `{library}` here instead."),
    );
    format!(
        "/// Counts the distinct numbers: {advice}\n#[measured(generators(random_u64_numbers))]\nfn count_different(numbers: &[u64]) -> usize {{\n    \
         numbers.iter().collect::<std::collections::BTreeSet<_>>().len()\n}}\n"
    )
}

/// The name of a generator. The function hides a crate of the same name, so the name is an unlikely one for a crate.
fn generator_name(input: &InputKind) -> String {
    match input {
        InputKind::Text => "random_words".to_owned(),
        InputKind::Numbers(number) => format!("random_{number}_numbers"),
        InputKind::NumbersToChange(number) => format!("fresh_{number}_numbers"),
    }
}

fn generator(input: &InputKind) -> String {
    let name = generator_name(input);
    let (docs, title, workload, create) = match input {
        InputKind::Text => (
            "Words of random letters. All calls share a few texts.",
            "Words",
            "Shared<String>",
            "Shared::new(move |rng| {\n        let word = |rng: &mut Rng| (0..rng.random_range(1..10)).map(|_| rng.random_range('a'..='z')).collect::<String>();\n        \
             (0..size).map(|_| word(rng)).collect::<Vec<_>>().join(\" \")\n    })"
                .to_owned(),
        ),
        InputKind::Numbers(number) => (
            "Random numbers. All calls share a few inputs.",
            "Numbers",
            "Shared<Vec<NUMBER>>",
            format!("Shared::new(move |rng| (0..size).map(|_| rng.random::<{number}>()).collect())"),
        ),
        InputKind::NumbersToChange(number) => (
            "Random numbers, fresh for each call, since calls change them.",
            "Fresh numbers",
            "Fresh<Vec<NUMBER>>",
            format!("Fresh::new(move |rng| (0..size).map(|_| rng.random::<{number}>()).collect())"),
        ),
    };
    let number = match input {
        InputKind::Text => "",
        InputKind::Numbers(number) | InputKind::NumbersToChange(number) => number,
    };
    let (unit, size) =
        if *input == InputKind::Text { ("words", "Number of words") } else { ("numbers", "Length of the slice") };
    format!(
        "/// {docs}\n#[generator(name = {title:?})]\nfn {name}(\n    _service: &Service,\n    /// {size}.\n    \
         #[parameter(min = 1, max = 1_000_000, scale = \"log\", default = 10..=10_000, unit = {unit:?})]\n    size: usize,\n) -> {workload} {{\n    \
         {create}\n}}\n",
        workload = workload.replace("NUMBER", number),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(name: &str, input: InputKind, output: &str) -> PublicFunction {
        PublicFunction { path: name.to_owned(), docs: String::new(), input, output: output.to_owned() }
    }

    #[test]
    fn the_example_calls_functions_of_the_crate() {
        let functions = [
            function("sum", InputKind::Numbers("u64".to_owned()), "u64"),
            function("largest", InputKind::Numbers("u64".to_owned()), "Option < u64 >"),
            function("count", InputKind::Text, "usize"),
            function("fourth", InputKind::Text, ""),
        ];
        let source = source("mine", Some(("my_crate", &functions)));
        syn::parse_file(&source).expect("it is Rust");
        for expected in [
            "fn sum(numbers: &[u64]) -> u64 {\n    my_crate::sum(numbers)\n}",
            "fn largest(numbers: &[u64]) -> Option<u64> {",
            "#[measured(generators(random_words))]\nfn count(text: &str) -> usize {",
            "benchbook::suite!(\"mine\");",
        ] {
            assert!(source.contains(expected), "{expected}: {source}");
        }
        assert_eq!(source.matches("fn random_u64_numbers(").count(), 1);
        assert!(!source.contains("fourth"), "three are enough: {source}");
    }

    #[test]
    fn without_suitable_functions_the_example_states_what_to_do() {
        let source = source("mine", Some(("my_crate", &[])));
        syn::parse_file(&source).expect("it is Rust");
        assert!(source.contains("Call a function of `my_crate` here instead"), "{source}");
        assert!(super::source("mine", None).contains("Replace it with your own function"));
    }
}
