//! All texts that name a command or an option of `cargo benchbook`: the command line has it. The strings are those in the sources of everything that
//! prints or shows advice, so that new advice is checked, too.

use std::fs;
use std::path::Path;

use clap::error::ErrorKind;
use clap::{Arg, Command, CommandFactory};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use walkdir::WalkDir;

use crate::BenchbookTool;

/// The folders of the sources.
const SOURCES: [&str; 4] = ["app/src", "cli/src", "cli/build/src", "engine"];

/// Options of other programs that texts name: of a suite, of cargo, of git, of rustdoc, of the linker, and of the runner.
const OPTIONS_OF_OTHERS: [&str; 11] = [
    "exact",
    "generator",
    "help",
    "list",
    "profile-time",
    "skip",
    "benches",
    "html-in-header",
    "reproduce",
    "suite",
    "unshallow",
];

/// What ends a command within a text.
const ENDS: [&str; 8] = ["`", "\n", "  ", " && ", " > ", " >> ", ", ", ". "];

#[test]
fn advice_names_only_commands_and_options_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let (mut problems, mut commands) = (Vec::new(), 0);
    for file in SOURCES.iter().flat_map(|folder| WalkDir::new(root.join(folder))).map(Result::unwrap) {
        let path = file.path().strip_prefix(root).unwrap();
        let is_test = path.components().any(|part| part.as_os_str().to_string_lossy().contains("tests"));
        // The advice for the machine of a runner consists of commands of other programs.
        if is_test
            || path.starts_with("engine/accepted/src/machine")
            || path.extension().is_none_or(|extension| extension != "rs")
        {
            continue;
        }
        let mut texts = Vec::new();
        // The doc comments of this crate are also the help of its options.
        let has_help = path.starts_with("cli/src");
        collect_texts(fs::read_to_string(file.path()).unwrap().parse().unwrap(), has_help, &mut texts);
        commands += texts.iter().map(|text| text.matches("cargo benchbook").count()).sum::<usize>();
        problems
            .extend(texts.iter().flat_map(|text| text_problems(text)).map(|one| format!("{}: {one}", path.display())));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(commands > 50, "the texts are found");
}

#[test]
fn wrong_advice_is_a_problem() {
    for (text, expected) in [
        ("`cargo benchbook measure --save FILE` saves results to a file", None),
        ("measure with\n  cargo benchbook check\n  cargo benchbook accept --note \"why they are normal\"", None),
        ("publish it with `cargo benchbook publish`", None),
        ("run them with `cargo benchbook init --from-{name} --undo`", None),
        ("cargo benchbook new sorting && cd sorting && cargo benchbook", None),
        ("choose another one with --port", None),
        ("`cargo benchbook mesure`", Some("mesure")),
        ("`cargo benchbook measure --quick`", Some("--quick")),
        ("publish it: cargo benchbook publish FILE", Some("--out")),
        ("repeat it with --quick", Some("--quick")),
    ] {
        let problems = text_problems(text);
        let is_expected = expected.map_or(problems.is_empty(), |part| problems.iter().any(|one| one.contains(part)));
        assert!(is_expected, "{text}: {problems:?}");
    }
}

/// Adds the strings of a source, without its tests and command lines for other programs. `has_docs`: with its doc comments.
fn collect_texts(source: TokenStream, has_docs: bool, texts: &mut Vec<String>) {
    let mut tokens = source.into_iter();
    let mut last = String::new();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Group(attribute)
                if last == "#" && attribute.stream().to_string().replace(' ', "") == "cfg(test)" =>
            {
                let is_end = |token: &TokenTree| match token {
                    TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
                    other => other.to_string() == ";",
                };
                tokens.by_ref().find(is_end);
            }
            TokenTree::Group(attribute)
                if last == "#" && !has_docs && attribute.stream().to_string().starts_with("doc ") => {}
            TokenTree::Group(_) if last == "cmd!" => {}
            TokenTree::Group(group) => collect_texts(group.stream(), has_docs, texts),
            TokenTree::Literal(literal) => {
                let text = syn::parse_str::<syn::LitStr>(&literal.to_string()).ok();
                // A single word is an argument for another program.
                texts.extend(text.map(|text| text.value()).filter(|text| text.contains(' ')));
            }
            // Of a macro, or of an inner attribute.
            TokenTree::Punct(mark) if mark.as_char() == '!' => {
                last.extend((last != "#").then_some('!'));
                continue;
            }
            other => {
                last = other.to_string();
                continue;
            }
        }
        last.clear();
    }
}

/// What is wrong with the commands and options in a text.
fn text_problems(text: &str) -> Vec<String> {
    let mut parts = text.split("cargo benchbook");
    let mut prose = parts.next().unwrap_or_default().to_owned();
    let mut problems = Vec::new();
    for part in parts {
        let end = ENDS.iter().filter_map(|end| part.find(end)).min().unwrap_or(part.len());
        let (command, rest) = part.split_at(end);
        problems.extend(command_problem(command));
        prose += rest;
    }
    let tool = BenchbookTool::command();
    let known: Vec<&str> = [&tool].into_iter().chain(tool.get_subcommands()).flat_map(options).collect();
    let named = prose.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-');
    let named = named.filter_map(|word| word.strip_prefix("--"));
    let named = named.filter(|name| name.starts_with(|first: char| first.is_ascii_lowercase()));
    let unknown = named.filter(|name| !known.contains(name) && !OPTIONS_OF_OTHERS.contains(name));
    problems.extend(unknown.map(|name| format!("there is no option --{name}: {text}")));
    problems
}

fn options(command: &Command) -> impl Iterator<Item = &str> {
    command.get_arguments().filter_map(Arg::get_long)
}

/// Why the command line of the tool rejects a command; `arguments` follow its name. A command without arguments may be named without the required ones.
fn command_problem(arguments: &str) -> Option<String> {
    let words = words(arguments);
    let tool = BenchbookTool::command();
    match words.first() {
        // The name of any subcommand.
        Some(first) if first.starts_with('{') => return None,
        Some(first) if !first.starts_with('-') && tool.find_subcommand(first).is_none() => {
            return Some(format!("there is no command {first}"));
        }
        _ => {}
    }
    let error = tool.try_get_matches_from([vec!["benchbook".to_owned()], words.clone()].concat()).err()?;
    let is_named_only = words.len() == 1 && error.kind() == ErrorKind::MissingRequiredArgument;
    (!is_named_only).then(|| format!("cargo benchbook{arguments}: {error}"))
}

/// The words of a command, with an example for a name that is formatted.
fn words(command: &str) -> Vec<String> {
    let example = |word: &str| word.replace("{name}", "criterion").replace("{}", "criterion");
    let quoted = command.split('"').enumerate();
    quoted
        .flat_map(|(number, part)| match number % 2 {
            0 => part.split_whitespace().map(example).collect(),
            _ => vec![part.to_owned()],
        })
        .collect()
}
