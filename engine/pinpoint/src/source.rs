//! Functions in source files.

use std::ops::RangeInclusive;

use similar::{ChangeTag, TextDiff};

/// A source file, with its functions and closures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceFile {
    lines: Vec<String>,
    functions: Vec<SourceFunction>,
}

/// A function or a closure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SourceFunction {
    /// Its lines, from 1.
    pub(crate) lines: RangeInclusive<u32>,
    /// Its tokens without its name, attributes and comments.
    pub(crate) tokens: String,
    pub(crate) kind: FunctionKind,
}

/// What has a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FunctionKind {
    Function,
    Closure,
}

impl FunctionKind {
    /// That of a function with a demangled name.
    pub(crate) fn of(name: &str) -> Self {
        if name.ends_with("{{closure}}") { Self::Closure } else { Self::Function }
    }
}

impl SourceFile {
    /// Reads a file. One that is not Rust has lines, but no functions.
    #[cfg(feature = "sources")]
    pub fn read(text: &str) -> Self {
        Self { lines: text.lines().map(str::to_owned).collect(), functions: functions::functions(text) }
    }

    /// The innermost one of a kind that contains a line.
    pub(crate) fn function(&self, line: u32, kind: FunctionKind) -> Option<&SourceFunction> {
        let containing =
            self.functions.iter().filter(|function| function.kind == kind && function.lines.contains(&line));
        containing.min_by_key(|function| function.lines.end() - function.lines.start())
    }

    /// A line, from 1.
    pub(crate) fn line(&self, line: u32) -> Option<&str> {
        self.lines.get(line.checked_sub(1)? as usize).map(String::as_str)
    }
}

#[cfg(feature = "sources")]
mod functions {
    use proc_macro2::Span;
    use quote::ToTokens;
    use syn::spanned::Spanned;
    use syn::visit::{self, Visit};
    use syn::{Block, ExprClosure, ImplItemFn, ItemFn, Signature, TraitItemFn};

    use super::{FunctionKind, SourceFunction};

    /// All functions and closures of a file; none if it is not Rust.
    pub(super) fn functions(text: &str) -> Vec<SourceFunction> {
        let mut found = Functions::default();
        if let Ok(file) = syn::parse_file(text) {
            found.visit_file(&file);
        }
        found.0
    }

    #[derive(Default)]
    struct Functions(Vec<SourceFunction>);

    impl Functions {
        fn add(&mut self, span: Span, tokens: String, kind: FunctionKind) {
            let line = |line: usize| u32::try_from(line).unwrap_or(u32::MAX);
            self.0.push(SourceFunction { lines: line(span.start().line)..=line(span.end().line), tokens, kind });
        }

        fn add_function(&mut self, signature: &Signature, body: &Block) {
            let Signature { generics, inputs, output, .. } = signature;
            let tokens = format!("{} {} {} {}", text(generics), text(inputs), text(output), text(body));
            let span = signature.span();
            self.add(span.join(body.span()).unwrap_or(span), tokens, FunctionKind::Function);
        }
    }

    fn text(tokens: &impl ToTokens) -> String {
        tokens.to_token_stream().to_string()
    }

    impl<'s> Visit<'s> for Functions {
        fn visit_item_fn(&mut self, function: &'s ItemFn) {
            self.add_function(&function.sig, &function.block);
            visit::visit_item_fn(self, function);
        }

        fn visit_impl_item_fn(&mut self, function: &'s ImplItemFn) {
            self.add_function(&function.sig, &function.block);
            visit::visit_impl_item_fn(self, function);
        }

        fn visit_trait_item_fn(&mut self, function: &'s TraitItemFn) {
            if let Some(body) = &function.default {
                self.add_function(&function.sig, body);
            }
            visit::visit_trait_item_fn(self, function);
        }

        fn visit_expr_closure(&mut self, closure: &'s ExprClosure) {
            self.add(closure.span(), text(closure), FunctionKind::Closure);
            visit::visit_expr_closure(self, closure);
        }
    }
}

/// A line of a difference.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SourceLine {
    /// Its number in each build, the earlier one first; absent where the build does not have it.
    pub lines: [Option<u32>; 2],
    /// The line, without its end.
    pub text: String,
}

impl SourceLine {
    /// Whether only one build has it.
    pub fn is_changed(&self) -> bool {
        self.lines.contains(&None)
    }
}

/// The lines around a change.
const CONTEXT: usize = 2;

/// What differs between functions of two files, with the lines around each change.
pub(crate) fn changed_lines(files: [&SourceFile; 2], functions: [&SourceFunction; 2]) -> Vec<SourceLine> {
    let texts: [Vec<&str>; 2] =
        [0, 1].map(|side| functions[side].lines.clone().filter_map(|line| files[side].line(line)).collect());
    let number = |side: usize, index: usize| functions[side].lines.start() + index as u32;
    let difference = TextDiff::from_slices(&texts[0], &texts[1]);
    let all: Vec<SourceLine> = difference
        .iter_all_changes()
        .map(|change| {
            let lines = match change.tag() {
                ChangeTag::Delete => [change.old_index(), None],
                ChangeTag::Insert => [None, change.new_index()],
                ChangeTag::Equal => [change.old_index(), change.new_index()],
            };
            let lines = [0, 1].map(|side| lines[side].map(|index| number(side, index)));
            SourceLine { lines, text: change.value().to_owned() }
        })
        .collect();
    let is_near = |index: usize| {
        let near = &all[index.saturating_sub(CONTEXT)..(index + CONTEXT + 1).min(all.len())];
        near.iter().any(SourceLine::is_changed)
    };
    (0..all.len()).filter(|index| is_near(*index)).map(|index| all[index].clone()).collect()
}
