//! The source of a new suite.

use super::public_functions::{InputKind, PublicFunction};

/// The most functions of a crate in the example.
pub(crate) const MAX_FUNCTIONS: usize = 3;

/// What a new suite measures.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Measured<'f> {
    /// An example, which is not yet about anything.
    Example,
    /// Functions of a library, by its name in source code. Without any, an outline shows how to measure one.
    Library(&'f str, &'f [PublicFunction]),
    /// Functions that the suite is to contain itself, for which there is an outline.
    OwnFunctions,
}

/// Writes the source of a suite with this name.
pub(crate) fn source(name: &str, measured: Measured<'_>) -> String {
    let library = match measured {
        Measured::Library(library, _) => Some(library),
        Measured::Example | Measured::OwnFunctions => None,
    };
    let mut parts = vec![introduction(library), "use benchbook::prelude::*;\n".to_owned()];
    match measured {
        Measured::Example => parts.push(example()),
        Measured::Library(_, []) | Measured::OwnFunctions => {
            parts[1] = format!("// {}", parts[1]);
            parts.push(outline(library));
        }
        Measured::Library(library, functions) => {
            let functions = functions.iter().take(MAX_FUNCTIONS);
            parts.extend(functions.clone().map(|function| wrapper(library, function)));
            let mut inputs: Vec<&InputKind> = Vec::new();
            for PublicFunction { input, .. } in functions {
                if !inputs.contains(&input) {
                    inputs.push(input);
                }
            }
            parts.extend(inputs.into_iter().map(generator));
        }
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

/// A function with its generator.
fn example() -> String {
    let function = "/// Counts the distinct numbers: an example. Replace it with your own function.\n#[measured(generators(random_u64_numbers))]\nfn count_different(numbers: &[u64]) -> usize {\n    numbers.iter().collect::<std::collections::BTreeSet<_>>().len()\n}\n";
    format!("{function}\n{}", generator(&InputKind::Numbers("u64".to_owned())))
}

/// Comments that show how to measure a function, where none is known whose inputs can be prepared.
fn outline(library: Option<&str>) -> String {
    let call = library
        .map_or_else(|| "    // Its work.".to_owned(), |library| format!("    {library}::my_function(numbers);"));
    let function = format!(
        "/// What it does.\n#[measured(generators(random_u64_numbers))]\nfn my_function(numbers: &[u64]) {{\n{call}\n}}\n"
    );
    let code = format!("{function}\n{}", generator(&InputKind::Numbers("u64".to_owned())));
    let lines = code.lines().map(|line| format!("// {line}").trim_end().to_owned() + "\n");
    format!(
        "// No function is measured yet. Write one here, with a generator of its inputs. For example:\n//\n{}",
        lines.collect::<String>()
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
        let source = source("mine", Measured::Library("my_crate", &functions));
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
    fn without_suitable_functions_nothing_else_is_measured() {
        for (measured, expected) in [
            (Measured::Library("my_crate", &[]), "\n//     my_crate::my_function(numbers);\n"),
            (Measured::OwnFunctions, "\n//     // Its work.\n"),
        ] {
            let source = source("mine", measured);
            let file = syn::parse_file(&source).expect("it is Rust");
            assert_eq!(file.items.len(), 1, "only `suite!`: {source}");
            assert!(source.contains(expected), "{source}");
            // Without the comments, it is a suite.
            let (comments, _) = source.split_once("benchbook::suite!").expect("a suite");
            let code: Vec<&str> = comments
                .lines()
                .skip_while(|line| *line != "// /// What it does.")
                .filter_map(|line| line.strip_prefix("// "))
                .collect();
            assert_eq!(syn::parse_file(&code.join("\n")).expect("it is Rust").items.len(), 2, "{source}");
        }
        assert!(source("mine", Measured::Example).contains("Replace it with your own function"));
    }
}
