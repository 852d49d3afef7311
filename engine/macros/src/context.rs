//! The code around an attribute: its own tokens do not show it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::{env, fs};

use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{Attribute, Ident, ImplItem, Item, TraitItem};

/// Whether this process, which compiles one crate, already checks for `suite!`.
static SUITE_CHECKED: AtomicBool = AtomicBool::new(false);

/// The code around an attribute.
pub(crate) struct Context {
    /// The attribute, or the name of the function in `measure!`.
    attribute: Span,
    /// The line of a function in `measure!`; absent for attributes, whose line the compiler knows.
    line: Option<u32>,
    /// The source file. Absent if the attribute starts its line, since it is then outside of any block, or if the
    /// compiler has no file. Before 1.88, rustc does not reveal it.
    source: Option<String>,
    /// Whether the crate is a binary, which needs `suite!` to measure functions. Libraries do without.
    is_binary: bool,
}

impl Context {
    /// The context of the current macro call.
    pub(crate) fn of_call() -> Self {
        let attribute = Span::call_site();
        let file = if attribute.start().column > 0 { attribute.local_file() } else { None };
        Self {
            attribute,
            line: None,
            source: file.and_then(|file| fs::read_to_string(file).ok()),
            // Cargo sets the variable for binaries and for examples.
            is_binary: env::var_os("CARGO_BIN_NAME").is_some(),
        }
    }

    /// The context in a library with the given source file.
    #[cfg(test)]
    pub(crate) fn of_source(source: &str) -> Self {
        Self { attribute: Span::call_site(), line: None, source: Some(source.to_owned()), is_binary: false }
    }

    /// The context of a function in `measure!`, which is outside of any block.
    pub(crate) fn at(&self, name: Span) -> Self {
        // Before rustc 1.88, lines are absent.
        let line = u32::try_from(name.start().line).ok().filter(|line| *line > 0);
        Self { attribute: name, line, source: None, is_binary: self.is_binary }
    }

    /// The span that an error about the whole attribute marks.
    pub(crate) fn attribute(&self) -> Span {
        self.attribute
    }

    /// The line of a function in `measure!`.
    pub(crate) fn known_line(&self) -> Option<u32> {
        self.line
    }

    /// An expression for the line in the source.
    pub(crate) fn line(&self) -> TokenStream {
        self.line.map_or_else(|| quote!(::core::line!()), |line| quote!(#line))
    }

    /// Whether to check that the crate has a `suite!`: once per binary crate, for a single message.
    pub(crate) fn take_suite_check(&self) -> bool {
        self.is_binary && !SUITE_CHECKED.swap(true, Ordering::Relaxed)
    }

    /// Whether the source file has an associated function of this name with this attribute.
    pub(crate) fn has_associated_function(&self, attribute: &str, name: &Ident) -> bool {
        let file = self.source.as_deref().and_then(|source| syn::parse_file(source).ok());
        file.is_some_and(|file| has_associated_function(&file.items, attribute, name))
    }
}

fn has_associated_function(items: &[Item], attribute: &str, name: &Ident) -> bool {
    let matches = |ident: &Ident, attributes: &[Attribute]| {
        ident == name && attributes.iter().any(|any| is_named(any, attribute))
    };
    items.iter().any(|item| match item {
        Item::Impl(block) => block.items.iter().any(|item| match item {
            ImplItem::Fn(function) => matches(&function.sig.ident, &function.attrs),
            _ => false,
        }),
        Item::Trait(block) => block.items.iter().any(|item| match item {
            TraitItem::Fn(function) => matches(&function.sig.ident, &function.attrs),
            _ => false,
        }),
        Item::Mod(module) => {
            module.content.as_ref().is_some_and(|(_, items)| has_associated_function(items, attribute, name))
        }
        _ => false,
    })
}

fn is_named(attribute: &Attribute, name: &str) -> bool {
    attribute.path().segments.last().is_some_and(|segment| segment.ident == name)
}
