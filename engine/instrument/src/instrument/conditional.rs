//! Code that is compiled only for some targets, by its source: what was counted in wasm is then not what other targets execute.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::path::Path;

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};

/// Predicates of `cfg` about the processor. Code that names others, such as the operating system or the size of pointers, mostly does the same on all
/// targets.
const TARGETS: [&str; 2] = ["target_arch", "target_feature"];

/// Macros whose arms are compiled depending on predicates.
const CHOICES: [&str; 2] = ["cfg_if", "cfg_select"];

/// Such files of the standard library, whose sources nobody needs to have: the groups of its hash map without vector instructions.
const OF_LIBRARY: [[&str; 2]; 1] = [["/rust/deps/hashbrown-", "/control/group/generic.rs"]];

/// Which lines of source files are compiled only for some targets. Each file is read once.
#[derive(Default)]
pub(crate) struct ConditionalCode {
    files: HashMap<String, FileConditions>,
    read: Option<fn(&str) -> Option<String>>,
}

#[derive(Default)]
struct FileConditions {
    /// Whether its module is declared for some targets only, or it says so itself.
    is_conditional: bool,
    lines: Vec<RangeInclusive<usize>>,
    /// The line of each declaration of a module in another file.
    modules: HashMap<String, usize>,
}

impl ConditionalCode {
    /// `read`: returns the text of a source file, by its path on the machine that compiled it.
    pub(crate) fn new(read: Option<fn(&str) -> Option<String>>) -> Self {
        Self { files: HashMap::new(), read }
    }

    /// Whether a line is compiled only for some targets. Lines of files that cannot be read are not.
    pub(crate) fn contains(&mut self, path: &str, line: u32) -> bool {
        let is_of_library = OF_LIBRARY.iter().any(|[start, end]| path.starts_with(start) && path.ends_with(end));
        let file = self.file(path);
        is_of_library || file.is_conditional || file.has(line as usize)
    }

    fn file(&mut self, path: &str) -> &FileConditions {
        if !self.files.contains_key(path) {
            // Before its parents are looked at, which might lead back to it.
            self.files.insert(path.to_owned(), FileConditions::default());
            let source = self.read.and_then(|read| read(path));
            if let Some(mut file) = source.map(|source| FileConditions::of(&source)) {
                file.is_conditional |= self.is_conditional_module(path);
                self.files.insert(path.to_owned(), file);
            }
        }
        &self.files[path]
    }

    /// Whether the module of a file, or one around it, is declared for some targets only.
    fn is_conditional_module(&mut self, path: &str) -> bool {
        let Some((module, parents)) = parents(path) else { return false };
        parents.iter().any(|parent| {
            let file = self.file(parent);
            let Some(&line) = file.modules.get(&module) else { return false };
            file.is_conditional || file.has(line)
        })
    }
}

/// The name of the module in a file, and the files that may declare it; `None` for the root of a crate.
fn parents(path: &str) -> Option<(String, Vec<String>)> {
    let path = Path::new(path);
    let stem = path.file_stem()?.to_str()?;
    let (name, folder) = match stem {
        "lib" | "main" => return None,
        "mod" => (path.parent()?.file_name()?.to_str()?, path.parent()?.parent()?),
        stem => (stem, path.parent()?),
    };
    let in_folder = ["mod.rs", "lib.rs", "main.rs"].map(|file| folder.join(file));
    let files = in_folder.into_iter().chain([folder.with_extension("rs")]);
    Some((name.to_owned(), files.filter(|file| file != path).map(|file| file.to_string_lossy().into_owned()).collect()))
}

impl FileConditions {
    fn of(source: &str) -> Self {
        let mut file = Self::default();
        // What cannot be parsed is rare, and compiled by other means.
        if let Ok(tokens) = source.parse() {
            file.visit(tokens, None);
        }
        file
    }

    fn has(&self, line: usize) -> bool {
        self.lines.iter().any(|lines| lines.contains(&line))
    }

    /// Adds what is conditional in these tokens. `function`: the lines of the function that they belong to, all of which count as conditional if a
    /// part of it is.
    fn visit(&mut self, tokens: TokenStream, function: Option<&RangeInclusive<usize>>) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        // The first lines of a function and of a conditional item whose ends are not reached yet.
        let (mut signature, mut item) = (None, None);
        for (index, token) in tokens.iter().enumerate() {
            let line = token.span().start().line;
            let next = |offset: usize| tokens.get(index + offset);
            match token {
                TokenTree::Punct(punct) if punct.as_char() == '#' => {
                    if let (Some(TokenTree::Punct(_)), Some(TokenTree::Group(attribute))) = (next(1), next(2)) {
                        self.is_conditional |= is_condition(&attribute.stream());
                    }
                    if let Some(TokenTree::Group(attribute)) = next(1)
                        && is_condition(&attribute.stream())
                    {
                        match function {
                            Some(function) => self.lines.push(function.clone()),
                            None => item = item.or(Some(line)),
                        }
                    }
                }
                TokenTree::Punct(punct) if punct.as_char() == ';' => {
                    self.lines.extend(item.take().map(|first| first..=line));
                    signature = None;
                }
                TokenTree::Ident(ident) if ident == "fn" => signature = Some(line),
                TokenTree::Ident(ident) if ident == "mod" => {
                    if let (Some(TokenTree::Ident(name)), Some(TokenTree::Punct(_))) = (next(1), next(2)) {
                        self.modules.insert(name.to_string(), line);
                    }
                }
                TokenTree::Ident(ident) => {
                    if let (Some(TokenTree::Punct(punct)), Some(TokenTree::Group(input))) = (next(1), next(2))
                        && punct.as_char() == '!'
                        && depends_on_target(ident, &input.stream())
                    {
                        let own = line..=input.span_close().start().line;
                        self.lines.push(function.cloned().unwrap_or(own));
                    }
                }
                TokenTree::Group(group) => {
                    let last = group.span_close().start().line;
                    match signature.filter(|_| group.delimiter() == Delimiter::Brace) {
                        Some(first) => self.visit(group.stream(), Some(&(first..=last))),
                        None => self.visit(group.stream(), function),
                    }
                    if group.delimiter() == Delimiter::Brace {
                        self.lines.extend(item.take().map(|first| first..=last));
                        signature = None;
                    }
                }
                _ => {}
            }
        }
    }
}

/// Whether an attribute is a `cfg` about the target.
fn is_condition(attribute: &TokenStream) -> bool {
    matches!(attribute.clone().into_iter().next(), Some(TokenTree::Ident(ident)) if ident == "cfg")
        && names_target(attribute)
}

/// Whether a call of a macro is compiled or executed depending on the target.
fn depends_on_target(name: &Ident, input: &TokenStream) -> bool {
    let name = name.to_string();
    // The bodies of the arms contain code, not conditions.
    let is_arm = |token: &TokenTree| matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
    let conditions = || input.clone().into_iter().filter(|token| !is_arm(token)).collect();
    name.ends_with("_feature_detected")
        || (name == "cfg" && names_target(input))
        || (CHOICES.contains(&name.as_str()) && names_target(&conditions()))
}

fn names_target(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        TokenTree::Ident(ident) => TARGETS.iter().any(|target| ident == *target),
        TokenTree::Group(group) => names_target(&group.stream()),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines that end with `//?` are those that are conditional.
    fn assert_conditional(source: &str) {
        let file = FileConditions::of(source);
        for (index, text) in source.lines().enumerate() {
            assert_eq!(file.has(index + 1), text.ends_with("//?"), "line {}: {text}", index + 1);
        }
    }

    #[test]
    fn an_item_for_some_targets_is_conditional_and_its_neighbours_are_not() {
        assert_conditional(
            r#"
fn before() {}
#[cfg(target_arch = "x86_64")] //?
#[inline] //?
fn find(text: &[u8; 4]) -> bool { //?
    true //?
} //?
#[cfg(not(any(target_arch = "x86_64", unix)))] //?
const WIDTH: [usize; 1] = [8]; //?
#[cfg(target_pointer_width = "64")]
fn wide() {}
#[cfg(test)]
#[cfg_attr(target_arch = "x86_64", inline)]
fn after() {}
"#,
        );
    }

    #[test]
    fn a_function_with_a_part_for_some_targets_is_conditional() {
        assert_conditional(
            r#"
impl Finder {
    fn new() -> Self { Self }
    fn find( //?
        &self, //?
    ) -> bool { //?
        #[cfg(target_feature = "sse2")] //?
        { return fast(); } //?
        slow() //?
    } //?
    fn detects() { if is_x86_feature_detected!("avx2") { } } //?
    fn asks() { if cfg!(target_arch = "arm") { } } //?
    fn writes() { if cfg!(target_os = "linux") { } }
    fn other() { if cfg!(debug_assertions) { } }
}
"#,
        );
    }

    #[test]
    fn arms_of_a_choice_are_conditional() {
        assert_conditional(
            r#"
cfg_if! { //?
    if #[cfg(target_arch = "x86_64")] { //?
        mod sse2; //?
    } else { //?
        mod generic; //?
    } //?
} //?
cfg_if! {
    if #[cfg(feature = "std")] { fn arms(all: &[u8]) { if cfg!(unix) { all.windows(2); } } }
}
cfg_select! { //?
    all(target_arch = "arm", unix) => { mod arm; } //?
    _ => { mod other; } //?
} //?
cfg_select! {
    unix => { struct target_arch; }
}
mod other;
"#,
        );
    }

    /// As in `hashbrown`, whose groups are modules of their own.
    fn read(path: &str) -> Option<String> {
        let text = match path {
            "/map/src/lib.rs" => "mod group;\nmod raw;\nmod whole;\n#[cfg(target_arch = \"arm\")]\nmod system;",
            "/map/src/group/mod.rs" => {
                "cfg_if! { if #[cfg(target_feature = \"sse2\")] { mod sse2; } else { mod generic; } }\nmod bits;"
            }
            "/map/src/system.rs" => "mod files;",
            "/map/src/whole.rs" => "#![cfg(target_arch = \"arm\")]\nfn f() {}",
            "/map/src/group/generic.rs" | "/map/src/group/bits.rs" | "/map/src/raw.rs" | "/map/src/system/files.rs" => {
                "fn f() {}"
            }
            _ => return None,
        };
        Some(text.to_owned())
    }

    #[test]
    fn a_file_whose_module_is_declared_for_some_targets_is_conditional() {
        let mut code = ConditionalCode::new(Some(read));
        for (path, expected) in [
            ("/map/src/group/generic.rs", true),
            ("/map/src/group/bits.rs", false),
            ("/map/src/raw.rs", false),
            ("/map/src/system/files.rs", true),
            ("/map/src/whole.rs", true),
            ("/map/src/absent.rs", false),
            ("/rust/deps/hashbrown-0.16.1/src/control/group/generic.rs", true),
            ("/rust/deps/hashbrown-0.16.1/src/raw.rs", false),
        ] {
            assert_eq!(code.contains(path, 1), expected, "{path}");
        }
        assert!(!ConditionalCode::new(None).contains("/map/src/group/generic.rs", 1));
    }
}
